//! Lines that bring a new server into the state of a session.
//!
//! [`State::retell`] is everything without an answer that a GUI may see again: it is sent first, and what the
//! server says to it is dropped. [`State::go_on`] is what starts activity, when answers are wanted again.

use super::state::{GameStep, Line, Mode, State};
use crate::chess::Color;
use std::time::Instant;

impl State {
    /// Handshake, settings and the game so far. No side plays yet, unless that cannot be set later.
    pub(super) fn retell(&self) -> Vec<u8> {
        let mut told = Telling::default();
        told.lines(self.greeting.iter());
        if self.began {
            told.say("new");
        }
        told.lines(&self.variant);
        for (_, line) in self.settings.iter() {
            told.line(line);
        }
        if !self.is_new() {
            told.say("force");
        }
        let record = self.record.entries();
        for entry in &record[..self.ordered.unwrap_or(record.len())] {
            told.entry(entry);
        }
        told.lines(&self.result);
        told.bytes
    }

    /// Who plays, with the current clocks, and unfinished requests.
    pub(super) fn go_on(&self, now: Instant) -> Vec<u8> {
        let mut told = Telling::default();
        if let Some(ours) = self.clock.ours(now) {
            told.say(&format!("time {ours}"));
        }
        if let Some(theirs) = self.clock.theirs(now) {
            told.say(&format!("otim {theirs}"));
        }
        if self.ordered.is_none() {
            told.lines(self.excluded.iter());
        }
        if self.draw {
            told.say("draw");
        }
        match self.mode {
            Mode::Force => {}
            Mode::Analyze => told.say("analyze"),
            Mode::Play(_) if self.turn_wanted.is_some() || self.is_new() => {}
            Mode::Play(_) if self.due => told.say("go"),
            Mode::Play(side) => match self.ordered {
                Some(place) => {
                    told.pondered(&self.record.entries()[place..]);
                    told.lines(self.excluded.iter());
                }
                None if side == self.turn => told.idle(side),
                None => told.say("playother"),
            },
        }
        if let Some(turn) = self.turn_wanted {
            told.turn(turn, self.mode == Mode::Force);
        }
        if self.paused {
            told.say("pause");
        }
        if let Some(edit) = &self.edit {
            if edit.turn != self.turn {
                told.turn(edit.turn, self.mode == Mode::Force);
            }
            told.lines(edit.lines.iter());
        }
        told.bytes
    }

    /// Whether the engine plays Black by default, and nobody has moved: `playother` would say more.
    fn is_new(&self) -> bool {
        self.record.is_empty() && self.mode == Mode::Play(Color::Black) && !self.due
    }
}

/// Lines for a server.
#[derive(Default)]
pub(super) struct Telling {
    bytes: Vec<u8>,
}

impl Telling {
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub(super) fn line(&mut self, line: &[u8]) {
        self.bytes.extend_from_slice(line);
        self.bytes.push(b'\n');
    }

    pub(super) fn lines<'a>(&mut self, lines: impl IntoIterator<Item = &'a Line>) {
        lines.into_iter().for_each(|line| self.line(line));
    }

    pub(super) fn say(&mut self, text: &str) {
        self.line(text.as_bytes());
    }

    pub(super) fn entry(&mut self, entry: &GameStep) {
        match entry {
            GameStep::Setboard(line) | GameStep::Move(line) | GameStep::Setting(line) => self.line(line),
            GameStep::Undo => self.say("undo"),
            GameStep::Edit(turn, lines) => {
                self.turn(*turn, true);
                self.lines(lines.iter());
            }
            GameStep::Turn(turn) => {
                self.turn(*turn, true);
                // Depends on the side to move, and has no other effect.
                self.say("include all");
            }
        }
    }

    /// A move that is pondered on, and settings made in the position after it.
    fn pondered(&mut self, entries: &[&GameStep]) {
        for entry in entries {
            if let GameStep::Move(line) = entry {
                let mv = line.strip_prefix(b"usermove ").unwrap_or(line);
                self.line(&[b"ponder ", mv].concat());
            } else {
                self.entry(entry);
            }
        }
    }

    /// The engine plays the side on move, and yet no move is due: the game is over, or the client has set up
    /// the position or taken back moves without saying who plays.
    fn idle(&mut self, side: Color) {
        self.turn(!side, false);
        // `edit` takes back the side to move; `xboard` ends it, as from a GUI that starts anew.
        self.say("edit");
        self.say("xboard");
    }

    /// Puts this side on move; with `force`, the engine plays neither.
    fn turn(&mut self, turn: Color, force: bool) {
        self.say(match turn {
            Color::White => "white",
            Color::Black => "black",
        });
        if force {
            self.say("force");
        }
    }
}
