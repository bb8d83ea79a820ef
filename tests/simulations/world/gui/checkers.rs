//! A GUI that speaks the Checkers Protocol: games of draughts, and questions in between.

use super::clock::Due;
use super::{Gui, Seen, is_expected, pause};
use crate::support::dice::Dice;
use farboard::draughts::{Game, MoveText};
use farboard::search::move_word;
use std::time::{Duration, Instant};

const MAX_PLIES: usize = 80;
/// Maximum time for an answer without a search.
const SOON: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Waiting,
    Ready,
    Quit,
}

pub struct Checkers {
    seed: u64,
    dice: Dice,
    stage: Stage,
    game: Game,
    due: Option<Due>,
    /// Whether the best move is not played.
    keeps: bool,
    /// Parameters requested.
    parameters: Vec<&'static str>,
    asked: Option<Due>,
    /// Illegal moves sent without a complaint so far.
    illegal: usize,
    next: Instant,
    settles: bool,
    moves: usize,
    moves_of_game: usize,
    finished: usize,
    begun: usize,
    think_time: Duration,
}

impl Checkers {
    pub fn new(seed: u64, dice: Dice, now: Instant) -> Checkers {
        Checkers {
            seed,
            dice,
            stage: Stage::Waiting,
            game: Game::new(),
            due: None,
            keeps: false,
            parameters: Vec::new(),
            asked: None,
            illegal: 0,
            next: now,
            settles: false,
            moves: 0,
            moves_of_game: 0,
            finished: 0,
            begun: 0,
            think_time: Duration::from_secs(5),
        }
    }

    fn begin_game(&mut self) -> String {
        self.finished += usize::from(self.game.ending().is_some() && self.moves_of_game > 0);
        self.begun += 1;
        self.moves_of_game = 0;
        self.game = Game::new();
        let seconds = *self.dice.pick(&[1, 2, 5]);
        self.think_time = Duration::from_secs(seconds);
        format!("SETPARAMETER thinktime {seconds}\nNEWGAME\n")
    }

    fn go(&mut self, seen: &Seen) -> String {
        self.keeps = self.dice.once_in(5);
        self.due = Some(Due::new(seen, Some(self.think_time + Duration::from_secs(1))));
        if self.keeps { "GO dontplaymove\n".to_owned() } else { "GO\n".to_owned() }
    }

    fn ask(&mut self, seen: &Seen) -> String {
        let name = *self.dice.pick(&["thinktime", "infinite", "showinfo"]);
        self.parameters.push(name);
        self.asked.get_or_insert_with(|| Due::new(seen, Some(SOON)));
        format!("GETPARAMETER {name}\n")
    }

    fn next_step(&mut self, seen: &Seen) -> String {
        let nothing_due = self.due.is_none() && self.parameters.is_empty() && self.illegal == 0;
        match self.stage {
            Stage::Waiting | Stage::Quit => String::new(),
            Stage::Ready if self.settles && nothing_due => {
                self.stage = Stage::Quit;
                "QUIT\n".to_owned()
            }
            Stage::Ready if self.settles => String::new(),
            Stage::Ready if self.due.is_some() => match self.dice.roll(6) {
                0 => "STOP\n".to_owned(),
                1 => self.ask(seen),
                _ => String::new(),
            },
            Stage::Ready
                if self.begun == 0
                    || self.game.ending().is_some()
                    || self.game.position().legal_moves().is_empty()
                    || self.game.moves().len() >= MAX_PLIES =>
            {
                self.begin_game()
            }
            Stage::Ready => match self.dice.roll(10) {
                0 => self.ask(seen),
                1 => {
                    self.illegal += 1;
                    self.asked.get_or_insert_with(|| Due::new(seen, Some(SOON)));
                    "MOVE 1-32\n".to_owned()
                }
                2 => self.go(seen),
                _ => {
                    let mv = *self.dice.pick(&self.game.position().legal_moves());
                    self.game.play(mv);
                    let said = format!("MOVE {}\n", MoveText::of(mv));
                    let is_over =
                        self.game.ending().is_some() || self.game.position().legal_moves().is_empty();
                    if is_over { said } else { said + &self.go(seen) }
                }
            },
        }
    }

    fn bestmove(&mut self, text: &str, seen: &Seen) {
        let due = self.due.take().unwrap_or_else(|| panic!("a best move without a `GO`: {text}"));
        assert!(!due.is_late(seen), "a best move after {:?}", seen.now - due.since);
        let position = *self.game.position();
        let mv =
            position.parse_move(text).unwrap_or_else(|_| panic!("{text} is no move in {}", position.fen()));
        let word = move_word(mv);
        assert!(is_expected(self.seed, &position.into(), word), "{text} of another position");
        self.moves += 1;
        if !self.keeps {
            self.moves_of_game += 1;
            self.game.play(mv);
        }
        self.next = seen.now + pause(&mut self.dice);
    }

    fn note_answer(&mut self, seen: &Seen) {
        let is_quiet = self.parameters.is_empty() && self.illegal == 0;
        self.asked = (!is_quiet).then(|| Due::new(seen, Some(SOON)));
    }
}

impl Gui for Checkers {
    fn wake(&self) -> Instant {
        self.next
    }

    fn act(&mut self, seen: &Seen) -> Vec<u8> {
        assert!(!self.due.is_some_and(|due| due.is_late(seen)), "no best move");
        let may_wait = self.due.is_some();
        assert!(may_wait || !self.asked.is_some_and(|due| due.is_late(seen)), "no {:?}", self.parameters);
        let said = self.next_step(seen);
        self.next = seen.now + pause(&mut self.dice);
        if let Some(due) = self.due {
            self.next = self.next.min(due.alarm().max(seen.now + Duration::from_secs(1)));
        }
        said.into_bytes()
    }

    fn hear(&mut self, line: &str, seen: &Seen) {
        assert!(self.stage != Stage::Quit || line.contains("goes on"), "after `QUIT`: {line}");
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "READY" => {
                assert_eq!(self.stage, Stage::Waiting, "READY twice");
                self.stage = Stage::Ready;
            }
            "BESTMOVE" => self.bestmove(rest, seen),
            "INFO" => assert!(self.due.is_some(), "thinking without a position: {line}"),
            "PARAMETER" => {
                let place = self.parameters.iter().position(|name| rest.contains(name));
                self.parameters.remove(place.unwrap_or_else(|| panic!("an unsolicited line: {line}")));
                self.note_answer(seen);
            }
            "ALERT" if ["illegal move", "wrong turn", "no piece"].iter().any(|text| rest.contains(text)) => {
                self.illegal = self.illegal.checked_sub(1).unwrap_or_else(|| panic!("{line}"));
                self.note_answer(seen);
            }
            "ALERT" => assert!(rest.contains("goes on"), "{line}"),
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
        self.finished
    }

    fn begun_games(&self) -> usize {
        self.begun
    }

    fn answers(&self) -> usize {
        self.moves
    }
}
