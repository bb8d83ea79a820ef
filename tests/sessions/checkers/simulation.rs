//! Seeded simulation: a client that sends anything at any time, and a search that reports anything
//! at any time, stale events included. See [`each_seed`].

use super::world::{DraughtsSearch, World};
use crate::support::dice::Dice;
use crate::support::seeds::each_seed;
use farboard::draughts::{Move, MoveText, Position};
use farboard::pool::{SearchEvent, Shortage};
use farboard::protocol::checkers::{Command, Dialect, GameCommand};
use farboard::session::Input;
use farboard::session::checkers::{Manners, Orientation};
use std::time::{Duration, Instant};

const STEPS: usize = 300;

/// A random sequence of moves.
fn variation(dice: &mut Dice, mut position: Position) -> Vec<Move> {
    let mut moves = Vec::new();
    for _ in 0..dice.roll(6) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = *dice.pick(&legal);
        position.play(mv);
        moves.push(mv);
    }
    moves
}

/// Invariants of the session's output.
#[derive(Default)]
struct Invariants {
    /// Number of `GO`s sent, answered and refused.
    asked: usize,
    answered: usize,
    refused: usize,
    /// The latest `INFO` of the current search.
    last_info: Option<Instant>,
    nodes: u64,
    time: f64,
}

struct Simulation {
    world: World,
    dice: Dice,
    invariants: Invariants,
    trace: Vec<String>,
    loud: bool,
}

const FENS: [&str; 8] = [
    "W:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29",
    "B:W10,11,18,19,26,27:B5,K14,K15",
    "W:WK32:BK1",
    "B:W18:B",
    "B:W1-12:B21-32",
    "W:W4:B1",
    "X",
    "B:W21-32:B1-12.",
];

impl Simulation {
    fn new(seed: u64, loud: bool) -> Simulation {
        let mut dice = Dice::of_seed(seed);
        let manners = Manners {
            dialect: *dice.pick(&[Dialect::Seed, Dialect::Late]),
            orientation: *dice.pick(&[Orientation::Auto, Orientation::Pdn]),
        };
        let mut world = World::new(manners);
        assert_eq!(world.take(), ["READY"]);
        Simulation { world, dice, invariants: Invariants::default(), trace: Vec::new(), loud }
    }

    fn note(&mut self, text: String) {
        if self.loud {
            eprintln!("{text}");
        }
        self.trace.push(text);
    }

    fn line(&mut self) -> String {
        let mv = match self.world.session.game().position().legal_moves() {
            moves if moves.is_empty() || self.dice.roll(8) == 0 => "9x13".to_owned(),
            moves => MoveText::of(*self.dice.pick(&moves)).to_string(),
        };
        match self.dice.roll(16) {
            0..3 => "GO".to_owned(),
            3 => {
                self.dice.pick(&["GO dontplaymove", "GO maxtime 0.01", "GO  maxdepth 3", "GO x"]).to_string()
            }
            4..8 => format!("MOVE {mv}"),
            8 => "STOP".to_owned(),
            9 => format!("NEWGAME {}", self.dice.pick(&FENS)),
            10 => self.dice.pick(&["NEWGAME", "NEWGAME 9x14 22x18", "NEWGAME 9x14 9x14"]).to_string(),
            11 => self.dice.pick(&["INIT", "GETPARAMETERS", "GETNAME", "", " \t", "nonsense"]).to_string(),
            12 => {
                let name = self.dice.pick(&["thinktime", "infinite", "profile", "nothing"]);
                format!("GETPARAMETER {name}")
            }
            13 => self
                .dice
                .pick(&[
                    "SETPARAMETER infinite true",
                    "SETPARAMETER infinite false",
                    "SETPARAMETER thinktime 1",
                    "SETPARAMETER seconds 0.5",
                    "SETPARAMETER depth 4",
                    "SETPARAMETER depth 0",
                    "SETPARAMETER showinfo false",
                    "SETPARAMETER showinfo true",
                    "SETPARAMETER level x",
                ])
                .to_string(),
            14 => "MOVE 22x18".to_owned(),
            _ => format!("MOVE {mv}\nGO"),
        }
    }

    fn say(&mut self, lines: &str) {
        for line in lines.split('\n') {
            self.note(format!("> {line}"));
            if matches!(Command::parse(line.as_bytes()), Ok(Command::Game(GameCommand::Go(_)))) {
                self.invariants.asked += 1;
            }
            self.world.bytes(format!("{line}\n").as_bytes());
            self.listen();
        }
    }

    fn step(&mut self) {
        if self.world.fresh.is_some() && !self.world.replaces && self.dice.roll(8) == 0 {
            let millis = *self.dice.pick(&[0, 10, 400, 2000, 40_000]);
            self.note(format!("* another server after {millis}"));
            self.world.lose_server(Duration::from_millis(millis));
            return self.listen();
        }
        match self.dice.roll(10) {
            0..5 => {
                let line = self.line();
                self.say(&line);
            }
            5 => {
                let millis = *self.dice.pick(&[1, 10, 100, 400, 2000]);
                self.note(format!("* wait {millis}"));
                // In small steps, so that output gets its exact time.
                for _ in 0..10 {
                    self.world.wait(Duration::from_millis(millis) / 10);
                    self.listen();
                }
            }
            _ => self.search_says(),
        }
        self.listen();
    }

    fn search_says(&mut self) {
        let Some(search) = self.world.search.clone() else { return };
        let moves = variation(&mut self.dice, search.root());
        let score = self.dice.roll(400) as i32 - 200;
        match self.dice.roll(10) {
            0 => {
                self.note("* done".to_owned());
                self.world.done(&search, moves.first().copied(), score);
            }
            1 if self.dice.roll(4) == 0 => {
                self.note("* lost".to_owned());
                let event = match self.dice.roll(3) {
                    0 => SearchEvent::Failed,
                    1 => SearchEvent::Refused(Shortage::Threads),
                    _ => SearchEvent::Refused(Shortage::Searches(3)),
                };
                self.world.event(event);
            }
            2 => {
                let Some(old) = self.world.old.last().cloned() else { return };
                self.note("* stale".to_owned());
                self.world.done(&old, old.root().legal_moves().first().copied(), 0);
            }
            _ => {
                let nodes = self.dice.roll(1_000_000) as u64;
                self.world.report(1 + self.dice.roll(20) as u8, score, nodes, &moves);
            }
        }
    }

    /// Checks the output.
    fn listen(&mut self) {
        for line in self.world.take() {
            self.note(format!("< {line}"));
            let words: Vec<&str> = line.split(' ').collect();
            match words[0] {
                "BESTMOVE" => {
                    self.invariants.answered += 1;
                    (self.invariants.last_info, self.invariants.nodes, self.invariants.time) = (None, 0, 0.0);
                    assert_eq!(words.len(), 2);
                    let is_late = self.world.session.manners().dialect == Dialect::Late;
                    assert!(MoveText::read(words[1]).is_ok() || (is_late && words[1] == "none"), "{line}");
                }
                "INFO" => self.info(&words),
                "ALERT" => {
                    let of_go = ["it still thinks about its move", "the game is over"];
                    let text = &line["ALERT ".len()..];
                    self.invariants.refused += usize::from(of_go.iter().any(|start| text.starts_with(start)));
                    assert!(!text.contains("much waits"), "the simulation has less output");
                }
                "PARAMETERS" | "PARAMETER" | "NAME" => {}
                other => panic!("{other}"),
            }
        }
        let Invariants { asked, answered, refused, .. } = self.invariants;
        assert!(answered + refused <= asked, "a best move without a `GO`");
        if self.world.search.is_none() && !self.world.closed {
            assert_eq!(answered + refused, asked, "a best move is lost");
        }
    }

    fn info(&mut self, words: &[&str]) {
        let value = |name: &str| words[words.iter().position(|word| *word == name).expect("a total") + 1];
        let (nodes, time) = (value("nodes").parse::<u64>().unwrap(), value("time").parse::<f64>().unwrap());
        assert!(nodes >= self.invariants.nodes && time >= self.invariants.time, "a total decreases");
        (self.invariants.nodes, self.invariants.time) = (nodes, time);
        if let Some(last) = self.invariants.last_info.replace(self.world.now) {
            let since = self.world.now.saturating_duration_since(last);
            assert!(since >= Duration::from_millis(300), "two INFO lines at once");
        }
    }

    /// A client that has disconnected is still owed its answers.
    fn finish(&mut self) {
        if !self.world.closed {
            self.world.input(Input::Eof);
            self.listen();
        }
        while !self.world.closed {
            let at = self.world.timer.expect("no timer is set");
            self.world.wait(at.saturating_duration_since(self.world.now));
            self.listen();
        }
        assert!(self.world.search.is_none(), "a search has outlived its session");
        let Invariants { asked, answered, refused, .. } = self.invariants;
        assert_eq!(answered + refused, asked);
    }
}

fn simulate(seed: u64, loud: bool) -> Vec<String> {
    run(Simulation::new(seed, loud))
}

fn run(mut simulation: Simulation) -> Vec<String> {
    for _ in 0..STEPS {
        simulation.step();
    }
    simulation.finish();
    simulation.trace.extend(std::mem::take(&mut simulation.world.requests));
    simulation.trace
}

#[test]
fn no_answer_is_lost_or_doubled_whatever_happens() {
    each_seed(|seed, loud| drop(simulate(seed, loud)));
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    assert_eq!(simulate(7, false), simulate(7, false));
}

#[test]
fn a_session_that_is_replaced_by_its_state_before_each_input_is_the_same() {
    each_seed(|seed, loud| {
        let mut simulation = Simulation::new(seed, false);
        simulation.world.replace_before_each_input();
        let replaced = run(simulation);
        let undisturbed = simulate(seed, loud);
        for (step, (one, other)) in replaced.iter().zip(&undisturbed).enumerate() {
            assert_eq!(one, other, "at {step}");
        }
        assert_eq!(replaced.len(), undisturbed.len());
    });
}

#[test]
fn due_answers_come_once_although_servers_are_lost() {
    each_seed(|seed, loud| {
        let mut simulation = Simulation::new(seed, loud);
        simulation.world.have_other_servers();
        run(simulation);
    });
}

/// The simulation must reach these replies: without events every invariant would hold.
#[test]
fn the_simulation_gets_somewhere() {
    let traces: Vec<String> = (0..40).flat_map(|seed| simulate(seed, false)).collect();
    for beginning in [
        "< BESTMOVE none",
        "< BESTMOVE 1",
        "< INFO",
        "< ALERT it still thinks",
        "< ALERT the game is over",
        "< ALERT illegal move",
        "< ALERT set-up move",
        "< PARAMETER ",
        "< NAME",
        "* stale",
        "* lost",
    ] {
        let times = traces.iter().filter(|line| line.starts_with(beginning)).count();
        assert!(times > 3, "{beginning} {times}");
    }
}
