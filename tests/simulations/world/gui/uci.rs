//! A GUI that speaks UCI: games with clocks and pondering, analyses, perft, and questions in
//! between.

use super::clock::Due;
use super::{Gui, Seen, is_expected, pause};
use crate::support::dice::Dice;
use farboard::chess::{Game, Move, Variant};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

const MAX_PLIES: usize = 80;

/// A required answer, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Answer {
    Uciok,
    Readyok,
}

/// A `go` without an answer.
struct Going {
    game: Game,
    due: Option<Due>,
    kind: Kind,
    asked: Due,
    lines: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// For a move of at most this length, in milliseconds.
    Timed(u64),
    Infinite,
    /// Pondering; after a hit, for a move of this length.
    Ponder(u64),
    Perft,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Start,
    Idle,
    Quit,
}

pub struct Uci {
    seed: u64,
    dice: Dice,
    stage: Stage,
    variant: Variant,
    game: Game,
    left: i64,
    increment: i64,
    going: Option<Going>,
    answers: VecDeque<Answer>,
    asked: Option<Due>,
    next: Instant,
    settles: bool,
    moves: usize,
    begun: usize,
    /// The reply that the engine expects to its move.
    expected: Option<Move>,
    /// Whether `stop` was sent.
    is_stopped: bool,
    /// Leaves counted so far.
    leaves: u64,
}

impl Uci {
    pub fn new(seed: u64, dice: Dice, now: Instant) -> Uci {
        Uci {
            seed,
            dice,
            stage: Stage::Start,
            variant: Variant::NORMAL,
            game: Game::new(Variant::NORMAL),
            left: 0,
            increment: 0,
            going: None,
            answers: VecDeque::new(),
            asked: None,
            next: now,
            settles: false,
            moves: 0,
            begun: 0,
            expected: None,
            is_stopped: false,
            leaves: 0,
        }
    }

    fn expect(&mut self, answer: Answer, seen: &Seen) {
        if self.answers.is_empty() {
            self.asked = Some(Due::new(seen, Some(Duration::from_secs(5))));
        }
        self.answers.push_back(answer);
    }

    fn begin_game(&mut self) -> String {
        self.begun += 1;
        let mut commands = "ucinewgame\n".to_owned();
        if self.dice.once_in(3) {
            let name = *self.dice.pick(&["chess", "crazyhouse", "atomic"]);
            let is_meant = |variant: &Variant| variant.name() == name;
            self.variant = Variant::ALL.into_iter().find(is_meant).unwrap_or(Variant::NORMAL);
            commands += &format!("setoption name UCI_Variant value {name}\n");
        }
        commands += &format!("setoption name MultiPV value {}\n", self.dice.pick(&[1, 1, 3]));
        self.game = Game::new(self.variant);
        self.expected = None;
        (self.left, self.increment) = *self.dice.pick(&[(60_000, 1000), (300_000, 0), (20_000, 500)]);
        commands
    }

    fn position(game: &Game) -> String {
        let mut commands = "position startpos".to_owned();
        let mut position = *game.start();
        for (ply, &mv) in game.moves().iter().enumerate() {
            commands += if ply == 0 { " moves " } else { " " };
            commands += &position.coordinates(mv);
            position.play(mv);
        }
        commands + "\n"
    }

    fn go(&mut self, game: Game, kind: Kind, seen: &Seen) -> String {
        let clocks = format!("wtime {0} btime {0} winc {1} binc {1}", self.left.max(1), self.increment);
        let (words, most) = match kind {
            Kind::Timed(most) if most == self.left.max(1) as u64 => (clocks, Some(most)),
            Kind::Timed(most) => (format!("movetime {most}"), Some(most)),
            Kind::Infinite => ("infinite".to_owned(), None),
            Kind::Ponder(_) => (format!("ponder {clocks}"), None),
            Kind::Perft => ("perft 3".to_owned(), Some(10_000)),
        };
        let due = most.map(|most| Due::new(seen, Some(Duration::from_millis(most))));
        let commands = format!("{}go {words}\n", Uci::position(&game));
        (self.is_stopped, self.leaves) = (false, 0);
        self.going = Some(Going { game, due, kind, asked: Due::new(seen, None), lines: 0 });
        commands
    }

    /// Sends something while a `go` is pending.
    fn while_going(&mut self, seen: &Seen) -> String {
        let Some(going) = &mut self.going else { return String::new() };
        match going.kind {
            Kind::Timed(_) if self.dice.once_in(6) => {
                self.is_stopped = true;
                going.due = Some(Due::new(seen, Some(Duration::from_secs(1))));
                "stop\n".to_owned()
            }
            Kind::Infinite | Kind::Ponder(_) if self.is_stopped => String::new(),
            Kind::Infinite => {
                let quiet = seen.now - going.asked.since
                    > Duration::from_secs(5) + seen.trouble.allowance(&going.asked.trouble);
                assert!(going.lines > 0 || !quiet || seen.trouble.is_on, "an analysis without a line");
                self.stop(seen)
            }
            Kind::Ponder(most) => {
                if self.dice.once_in(2) {
                    return self.stop(seen);
                }
                going.kind = Kind::Timed(most);
                going.due = Some(Due::new(seen, Some(Duration::from_millis(most))));
                self.game = going.game.clone();
                "ponderhit\n".to_owned()
            }
            _ => self.ask(seen),
        }
    }

    fn stop(&mut self, seen: &Seen) -> String {
        let Some(going) = &mut self.going else { return String::new() };
        going.due = Some(Due::new(seen, Some(Duration::from_secs(1))));
        self.is_stopped = true;
        "stop\n".to_owned()
    }

    fn ask(&mut self, seen: &Seen) -> String {
        self.expect(Answer::Readyok, seen);
        "isready\n".to_owned()
    }

    fn idle(&mut self, seen: &Seen) -> String {
        let is_over =
            self.game.ending().is_some() || self.game.moves().len() >= MAX_PLIES || self.left < 2000;
        if is_over || self.begun == 0 {
            return self.begin_game();
        }
        let game = self.game.clone();
        match self.dice.roll(12) {
            0 => self.ask(seen),
            1 => self.go(game, Kind::Infinite, seen),
            2 => self.go(game, Kind::Perft, seen),
            3 => {
                let most = *self.dice.pick(&[300, 1500, 7000]);
                self.go(game, Kind::Timed(most), seen)
            }
            4 if self.expected.is_some() => {
                let mut game = game;
                game.play(self.expected.take().expect("a move"));
                if game.ending().is_some() {
                    return String::new();
                }
                let most = self.left.max(1) as u64;
                self.go(game, Kind::Ponder(most), seen)
            }
            _ => {
                // The user's move, then the engine's.
                let mv = *self.dice.pick(&self.game.position().legal_moves());
                self.game.play(mv);
                if self.game.ending().is_some() {
                    return String::new();
                }
                let most = self.left.max(1) as u64;
                self.go(self.game.clone(), Kind::Timed(most), seen)
            }
        }
    }

    fn bestmove(&mut self, rest: &str, seen: &Seen) {
        let going = self.going.take().unwrap_or_else(|| panic!("a best move without a `go`: {rest}"));
        assert_ne!(going.kind, Kind::Perft, "a best move from perft");
        let is_early = matches!(going.kind, Kind::Infinite | Kind::Ponder(_)) && !self.is_stopped;
        assert!(!is_early, "a best move before `stop`");
        let due = going.due.expect("a best move that is due");
        assert!(!due.is_late(seen), "a best move after {:?}", seen.now - due.since);
        let mut words = rest.split(' ');
        let position = *going.game.position();
        let text = words.next().unwrap_or_default();
        let mv = position.parse_move(text).unwrap_or_else(|_| panic!("{text} is no move"));
        let is_meant = self.is_stopped || is_expected(self.seed, &position.into(), mv);
        assert!(is_meant, "{text} of another position");
        self.moves += 1;
        let is_of_game = matches!(going.kind, Kind::Timed(_)) && going.game.moves() == self.game.moves();
        if is_of_game {
            self.left += self.increment - (seen.now - due.since).as_millis() as i64;
            self.game.play(mv);
            let reply = words.nth(1).and_then(|text| self.game.position().parse_move(text).ok());
            self.expected = reply.filter(|_| self.game.ending().is_none());
        }
        self.next = seen.now + pause(&mut self.dice);
    }

    fn info(&mut self, line: &str) {
        let Some((_, variation)) = line.split_once(" pv ") else { return };
        let going = self.going.as_mut().unwrap_or_else(|| panic!("thinking without a position: {line}"));
        let first = variation.split(' ').next().unwrap_or_default();
        assert!(going.game.position().parse_move(first).is_ok(), "{first} of another position");
        going.lines += 1;
    }

    fn count(&mut self, word: &str, rest: &str, seen: &Seen) {
        if word != "Nodes" {
            self.leaves += rest.parse::<u64>().expect("a number");
            return;
        }
        let going = self.going.take().expect("a count");
        assert!(going.kind == Kind::Perft && !going.due.is_some_and(|due| due.is_late(seen)));
        let total: u64 = rest.rsplit(' ').next().and_then(|text| text.parse().ok()).expect("a number");
        let meant = 20 * going.game.position().legal_moves().len() as u64;
        assert_eq!((total, self.leaves), (meant, meant), "leaves");
        self.next = seen.now + pause(&mut self.dice);
    }

    fn answered(&mut self, answer: &Answer, seen: &Seen) {
        assert_eq!(self.answers.pop_front().as_ref(), Some(answer), "out of turn");
        self.asked = (!self.answers.is_empty()).then(|| Due::new(seen, Some(Duration::from_secs(5))));
        if *answer == Answer::Uciok {
            self.stage = Stage::Idle;
        }
    }
}

impl Gui for Uci {
    fn wake(&self) -> Instant {
        self.next
    }

    fn act(&mut self, seen: &Seen) -> Vec<u8> {
        let going = self.going.as_ref().and_then(|going| going.due);
        assert!(!going.is_some_and(|due| due.is_late(seen)), "no best move");
        assert!(!self.asked.is_some_and(|due| due.is_late(seen)), "no {:?}", self.answers);
        let commands = match self.stage {
            Stage::Start if self.answers.is_empty() => {
                self.expect(Answer::Uciok, seen);
                "uci\n".to_owned()
            }
            Stage::Start | Stage::Quit => String::new(),
            Stage::Idle if self.going.is_some() && self.settles && !self.is_stopped => self.stop(seen),
            Stage::Idle if self.going.is_some() && !self.settles => self.while_going(seen),
            Stage::Idle if self.settles && self.going.is_none() && self.answers.is_empty() => {
                self.stage = Stage::Quit;
                "quit\n".to_owned()
            }
            // After an outage the shim sends doubtful lines one by one: a clock starts when it is
            // done.
            Stage::Idle if self.settles || !self.answers.is_empty() => String::new(),
            Stage::Idle => self.idle(seen),
        };
        self.next = seen.now + pause(&mut self.dice);
        if let Some(due) = self.going.as_ref().and_then(|going| going.due) {
            self.next = self.next.min(due.alarm().max(seen.now + Duration::from_secs(1)));
        }
        commands.into_bytes()
    }

    fn hear(&mut self, line: &str, seen: &Seen) {
        let is_notice = line.contains("the session goes on");
        assert!(self.stage != Stage::Quit || is_notice, "after `quit`: {line}");
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "id" | "option" => assert_eq!(self.answers.front(), Some(&Answer::Uciok), "{line}"),
            "uciok" => self.answered(&Answer::Uciok, seen),
            "readyok" => self.answered(&Answer::Readyok, seen),
            "bestmove" => self.bestmove(rest, seen),
            "info" if rest == "string the perft was stopped" => {
                let going = self.going.take().expect("a count");
                assert!(going.kind == Kind::Perft && self.is_stopped, "{line}");
            }
            "info" => {
                assert!(!rest.contains("nknown"), "{line}");
                self.info(line);
            }
            "" => {}
            _ if word == "Nodes" || word.ends_with(':') => self.count(word, rest, seen),
            _ => panic!("unknown line: {line}"),
        }
    }

    fn settle(&mut self) {
        self.settles = true;
    }

    fn has_quit(&self) -> bool {
        self.stage == Stage::Quit
    }

    fn finished_games(&self) -> usize {
        0
    }

    fn begun_games(&self) -> usize {
        self.begun * MAX_PLIES
    }

    fn answers(&self) -> usize {
        self.moves
    }
}
