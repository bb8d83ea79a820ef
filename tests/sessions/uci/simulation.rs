//! Seeded simulation: a client that sends anything at any time, and a search that reports anything
//! at any time, stale events included. See [`each_seed`].

use super::world::{ChessSearch, World};
use crate::support::dice::Dice;
use crate::support::seeds::each_seed;
use farboard::chess::{AnyPosition, Move};
use farboard::pool::{SearchEvent, Shortage, Task};
use farboard::protocol::uci::Command;
use farboard::search::{Bound, Progress, Report};
use farboard::session::Input;
use std::time::Duration;

const STEPS: usize = 300;

/// A random sequence of moves, beginning with one of `first`.
fn variation(dice: &mut Dice, mut position: AnyPosition, first: &[Move]) -> Vec<Move> {
    let mut moves = Vec::new();
    for ply in 0..=dice.roll(5) {
        let legal = if ply == 0 { first.to_vec() } else { position.legal_moves().into_iter().collect() };
        if legal.is_empty() {
            break;
        }
        let mv = *dice.pick(&legal);
        position.play(mv);
        moves.push(mv);
    }
    moves
}

/// A `go` without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Held {
    No,
    UntilHit,
    UntilStop,
}

#[derive(Clone)]
struct Pending {
    held: Held,
    /// The position searched; `None` if there is nothing to search.
    root: Option<AnyPosition>,
    perft: bool,
    /// Whether the `go` has a limit, so that its search ends by itself unless withheld.
    limited: bool,
}

struct Simulation {
    world: World,
    dice: Dice,
    pending: Option<Pending>,
    trace: Vec<String>,
    loud: bool,
    /// Whether `quit` was sent, after which nothing is checked; it may wait for perft.
    quit: bool,
}

const POSITIONS: [&str; 14] = [
    "position startpos",
    "position startpos moves e2e4",
    "position startpos moves e2e4 e7e5 g1f3",
    "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6",
    "position startpos moves e2e4 e7e5 e4e5",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1g1",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
    "position fen 8/8/8/4k3/8/8/8/4K2R w K -",
    "position fen 8/8/8/4k3/8/8/8/8 w - - 0 1",
    "position fen 4k3/8/8/8/8/8/8/4K3[Qn] w - - 0 1 moves Q@e3",
    "position startpos junk moves e2e4",
    "position",
];

const GOES: [&str; 22] = [
    "go infinite",
    "go infinite",
    "go ponder wtime 60000 btime 60000 winc 100 binc 100",
    "go wtime 60000 btime 60000 ponder",
    "go ponder depth 8",
    "go ponder",
    "go wtime 60000 btime 60000",
    "go wtime 200 btime 300 movestogo 1",
    "go wtime -5 btime 0",
    "go movetime 100",
    "go depth 6",
    "go nodes 5000",
    "go mate 2",
    "go",
    "go searchmoves e2e4 d2d4 e7e5 e1e2 depth 4",
    "go depth 4 searchmoves a1a1",
    "go infinite searchmoves e2e4",
    "go depth x",
    "go wtime",
    "go perft 3",
    "go depth 0 movetime 0",
    "go infinite perft 2",
];

const OTHERS: [&str; 27] = [
    "isready",
    "isready",
    "isready",
    "uci",
    "ucinewgame",
    "debug on",
    "debug off",
    "setoption name MultiPV value 3",
    "setoption name MultiPV value 1",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "setoption name UCI_Variant value crazyhouse",
    "setoption name UCI_Variant value chess",
    "setoption name UCI_Variant value racingkings",
    "setoption name Clear Hash",
    "setoption name Hash value 32",
    "setoption name Hash value x",
    "setoption name UCI_LimitStrength value true",
    "setoption name UCI_AnalyseMode value true",
    "setoption name UCI_AnalyseMode value false",
    "setoption name SyzygyPath value /x",
    "register later",
    "d",
    "eval",
    "",
    "nonsense",
    "ponderhit",
];

impl Simulation {
    fn new(seed: u64, loud: bool) -> Simulation {
        Simulation {
            world: World::new(),
            dice: Dice::of_seed(seed),
            pending: None,
            trace: Vec::new(),
            loud,
            quit: false,
        }
    }

    fn note(&mut self, text: String) {
        if self.loud {
            eprintln!("{text}");
        }
        self.trace.push(text);
    }

    fn lines(&mut self) -> Vec<&'static str> {
        match self.dice.roll(20) {
            0..4 => vec![*self.dice.pick(&POSITIONS)],
            4..9 => vec![*self.dice.pick(&GOES)],
            9 | 10 => vec!["stop"],
            11 => vec!["ponderhit"],
            12 => vec!["stop", *self.dice.pick(&POSITIONS), *self.dice.pick(&GOES)],
            13 => vec![*self.dice.pick(&POSITIONS), "isready", *self.dice.pick(&GOES)],
            14 => vec!["position startpos moves e2e4", "go infinite"],
            15 if self.dice.roll(40) == 0 => vec!["quit"],
            _ => vec![*self.dice.pick(&OTHERS)],
        }
    }

    fn say(&mut self, line: &str) {
        self.note(format!("> {line}"));
        self.quit |= line == "quit";
        self.world.bytes(format!("{line}\n").as_bytes());
        let output = self.listen();
        let answers: Vec<&str> = output.iter().filter_map(|line| line.strip_prefix("bestmove ")).collect();
        let readies = output.iter().filter(|line| *line == "readyok").count();
        assert_eq!(readies, usize::from(line == "isready"), "{line}");
        let mut answers = answers.into_iter();
        match Command::parse(line.as_bytes()) {
            Ok(Command::Go(go)) => {
                self.settle(&mut answers);
                let held = match (go.infinite, go.ponder) {
                    _ if go.perft.is_some() => Held::No,
                    (true, _) => Held::UntilStop,
                    (_, true) => Held::UntilHit,
                    _ => Held::No,
                };
                let root = self.world.search.as_ref().map(|search| search.root());
                let perft = self
                    .world
                    .search
                    .as_ref()
                    .is_some_and(|search| matches!(search.task, Task::Perft { .. }));
                match answers.next() {
                    Some(mv) => {
                        assert_eq!(
                            (held, root.is_none(), mv),
                            (Held::No, true, "(none)"),
                            "answered at once"
                        );
                    }
                    None if go.perft.is_some() && !perft => {}
                    None => {
                        assert!(root.is_some() || held != Held::No, "a `go` without an answer");
                        let limits = [go.depth.is_some_and(|depth| depth > 0), go.wtime.is_some()];
                        let limited = limits.contains(&true);
                        self.pending = Some(Pending { held, root, perft, limited });
                    }
                }
            }
            Err(error) if error.is_of_go() => {
                self.settle(&mut answers);
                assert_eq!(answers.next(), Some("(none)"), "a `go` without an answer");
            }
            Ok(Command::Stop | Command::Quit) => self.settle(&mut answers),
            Ok(Command::Ponderhit) => {
                if let Some(pending) = self.pending.as_mut().filter(|pending| pending.held == Held::UntilHit)
                {
                    pending.held = Held::No;
                    let limited = pending.limited;
                    if pending.root.is_none() || self.world.search.is_none() {
                        self.settle(&mut answers);
                    } else if let Some(search) = self.world.search.as_ref().filter(|_| limited) {
                        let depth = search.terms.limits.unwrap_or(search.task.limits()).depth;
                        let ends = search.terms.allotment.is_some() || depth.is_some();
                        assert!(ends, "an endless search");
                    }
                }
            }
            _ => {}
        }
        assert_eq!(answers.next(), None, "after {line}");
    }

    /// Checks that the pending `go` is answered now, unless it is perft.
    fn settle<'a>(&mut self, answers: &mut impl Iterator<Item = &'a str>) {
        let Some(pending) = self.pending.take() else { return };
        if !pending.perft {
            let answer = answers.next().expect("a best move is lost");
            check(&pending, answer);
        }
    }

    fn step(&mut self) {
        if self.world.fresh.is_some() && !self.world.replaces && self.dice.roll(8) == 0 {
            let millis = [0, 10, 400, 2000, 40_000][self.dice.roll(5)];
            self.note(format!("* another server after {millis}"));
            self.world.lose_server(Duration::from_millis(millis));
            return self.check_search_output(false);
        }
        match self.dice.roll(10) {
            0..5 => {
                for line in self.lines() {
                    self.say(line);
                }
            }
            5 => {
                let millis = [1, 10, 100, 400, 2000, 40_000][self.dice.roll(6)];
                self.note(format!("* wait {millis}"));
                self.world.wait(Duration::from_millis(millis));
                self.check_search_output(false);
            }
            _ => self.search_says(),
        }
    }

    fn search_says(&mut self) {
        let Some(search) = self.world.search.clone() else { return };
        let moves = variation(&mut self.dice, search.root(), &search.first_moves());
        let score = self.dice.roll(400) as i32 - 200;
        let nodes = self.dice.roll(1_000_000) as u64;
        match self.dice.roll(12) {
            0 | 1 => {
                self.note("* done".to_owned());
                let (best, ponder) = (moves.first().copied(), moves.get(1).copied());
                self.world.done(&search, best, ponder, score, nodes);
                return self.check_search_output(true);
            }
            2 if self.dice.roll(4) == 0 => {
                self.note("* lost".to_owned());
                let event = match self.dice.roll(3) {
                    0 => SearchEvent::Failed,
                    1 => SearchEvent::Refused(Shortage::Threads),
                    _ => SearchEvent::Refused(Shortage::Searches(3)),
                };
                self.world.event(event);
                return self.check_search_output(true);
            }
            3 => {
                let Some(old) = self.world.old.last().cloned() else { return };
                self.note("* stale".to_owned());
                let best = old.root().legal_moves().first().copied();
                self.world.done(&old, best, None, 0, 1);
                assert_eq!(self.listen(), [""; 0], "output of a stopped search");
            }
            4 => {
                let progress = Progress {
                    depth: 3,
                    nodes,
                    elapsed: search.elapsed(self.world.now),
                    moves_left: 3,
                    moves_total: 20,
                    current: moves.first().copied(),
                };
                self.world.event(SearchEvent::Report(Report::Progress(progress)));
            }
            _ if matches!(search.task, Task::Perft { .. }) => {
                if let Some(&mv) = moves.first() {
                    self.world.event(SearchEvent::Leaves(mv, nodes));
                }
            }
            // A whole iteration of several lines.
            _ if search.request().first_moves.lines > 1 && self.dice.roll(2) == 0 => {
                let depth = 1 + self.dice.roll(6) as u8;
                for line in 1..=search.request().first_moves.lines {
                    if self.world.search.is_none() {
                        break;
                    }
                    let moves = variation(&mut self.dice, search.root(), &search.first_moves());
                    self.world.report(line, Bound::Exact, depth, score - i32::from(line), nodes, moves);
                }
            }
            _ => {
                let line = 1 + self.dice.roll(search.request().first_moves.lines.into()) as u8;
                let bound = [Bound::Exact, Bound::Exact, Bound::Lower, Bound::Upper][self.dice.roll(4)];
                let depth = 1 + self.dice.roll(6) as u8;
                let score = if self.dice.roll(20) == 0 { 31_999 } else { score };
                self.world.report(line, bound, depth, score, nodes, moves);
            }
        }
        self.check_search_output(false);
    }

    /// Checks the output after an event of the search: an answer only to a `go` that is not
    /// withheld, and always if the search has ended.
    fn check_search_output(&mut self, ended: bool) {
        let output = self.listen();
        let mut answers = output.iter().filter_map(|line| line.strip_prefix("bestmove "));
        if let Some(pending) = self.pending.clone() {
            match answers.next() {
                Some(answer) => {
                    assert_eq!((pending.held, pending.perft), (Held::No, false), "{answer}");
                    check(&pending, answer);
                    self.pending = None;
                }
                None if pending.perft => {
                    if self.world.search.is_none() {
                        self.pending = None;
                    }
                }
                None => assert!(!ended || pending.held != Held::No, "a best move is lost"),
            }
        }
        assert_eq!(answers.next(), None);
        self.multipv(&output);
    }

    /// Several lines come together, in order, at one depth; a single one may come before the
    /// answer. If one line changes, all are shown again.
    fn multipv(&self, output: &[String]) {
        let lines: Vec<&String> = output.iter().filter(|line| line.contains(" multipv ")).collect();
        let number = |line: &str, word: &str| {
            let mut words = line.split(' ');
            words
                .find(|other| *other == word)
                .and_then(|_| words.next()?.parse::<usize>().ok())
                .expect("a number")
        };
        let mut before = None;
        for line in lines.iter().filter(|_| lines.len() > 1 && output.len() == lines.len()) {
            let (place, depth) = (number(line, "multipv"), number(line, "depth"));
            assert!(place == 1 || before == Some((place - 1, depth)), "{line} after {before:?}");
            before = Some((place, depth));
        }
    }

    fn listen(&mut self) -> Vec<String> {
        let output = self.world.take();
        for line in &output {
            self.note(format!("< {line}"));
        }
        output
    }

    /// A client that has disconnected is still owed its answers.
    fn finish(&mut self) {
        if !self.world.closed {
            self.world.input(Input::Eof);
        }
        while !self.world.closed {
            let at = self.world.timer.expect("no timer is set");
            self.world.wait(at.saturating_duration_since(self.world.now));
        }
        let output = self.listen();
        let mut answers = output.iter().filter_map(|line| line.strip_prefix("bestmove "));
        self.settle(&mut answers);
        assert_eq!(answers.next(), None);
        assert!(self.world.search.is_none(), "a search has outlived its session");
    }
}

/// Checks that an answer is a legal move, and its expected reply as well.
fn check(pending: &Pending, answer: &str) {
    let Some(mut root) = pending.root else { return assert_eq!(answer, "(none)") };
    let (best, ponder) =
        answer.split_once(" ponder ").map_or((answer, None), |(best, ponder)| (best, Some(ponder)));
    let mv = root.parse_move(best).unwrap_or_else(|error| panic!("{answer} in {}: {error}", root.fen()));
    root.play(mv);
    if let Some(ponder) = ponder {
        assert!(root.parse_move(ponder).is_ok(), "{answer}");
    }
}

fn simulate(seed: u64, loud: bool) -> Vec<String> {
    run(Simulation::new(seed, loud))
}

fn run(mut simulation: Simulation) -> Vec<String> {
    for _ in 0..STEPS {
        if simulation.world.closed || simulation.quit {
            break;
        }
        simulation.step();
    }
    simulation.finish();
    simulation.trace.extend(std::mem::take(&mut simulation.world.requests));
    simulation.trace
}

#[test]
fn every_go_is_answered_once_whatever_happens() {
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
    let traces: Vec<String> = (0..60).flat_map(|seed| simulate(seed, false)).collect();
    for part in [
        "< bestmove (none)",
        "< bestmove e",
        " ponder ",
        "< readyok",
        "score mate 0",
        "score cp 0",
        " multipv 3 ",
        "lowerbound",
        " currmove ",
        "cannot be played",
        "the position is illegal",
        "playing a quick move",
        "will start as soon as possible",
        "not legal",
        "must follow depth",
        "< e2e4: ",
        "Nodes searched",
        "there is no such option",
        "* stale",
        "* lost",
    ] {
        let times = traces.iter().filter(|line| line.contains(part)).count();
        assert!(times > 2, "{part} {times}");
    }
}
