//! What to tell a server that knows nothing, so that it stands where another one stood.
//!
//! [`State::retell`] is everything that gives no answer a GUI may see again: it is sent first, and what
//! the server says to it is dropped. [`State::go_on`] is what sets things going, at the moment when
//! answers are wanted again.

use super::state::{Entry, Line, Mode, State};
use crate::chess::Color;
use std::time::Instant;

impl State {
    /// Greetings, settings, the game up to now; no side plays yet, unless that cannot be told later.
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

    /// Who plays, with the clocks as they stand now, and what was left open.
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

    /// The engine plays Black, as it does by itself, and nobody has moved: `playother` would say more.
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

    pub(super) fn entry(&mut self, entry: &Entry) {
        match entry {
            Entry::Setboard(line) | Entry::Move(line) | Entry::Setting(line) => self.line(line),
            Entry::Undo => self.say("undo"),
            Entry::Edit(turn, lines) => {
                self.turn(*turn, true);
                self.lines(lines.iter());
            }
            Entry::Turn(turn) => {
                self.turn(*turn, true);
                // Depends on whose turn it is, and does nothing else.
                self.say("include all");
            }
        }
    }

    /// A move that is pondered on, and what was set in the position that it leads to.
    fn pondered(&mut self, entries: &[&Entry]) {
        for entry in entries {
            if let Entry::Move(line) = entry {
                let mv = line.strip_prefix(b"usermove ").unwrap_or(line);
                self.line(&[b"ponder ", mv].concat());
            } else {
                self.entry(entry);
            }
        }
    }

    /// The engine plays this side, which is on move, and yet no move is due: so it is when the game is over, or
    /// when the client has set up the position or taken back moves without a word of who plays.
    fn idle(&mut self, side: Color) {
        self.turn(!side, false);
        // Takes back who is on move, and is left as somebody leaves it who comes back and remembers nothing.
        self.say("edit");
        self.say("xboard");
    }

    /// This side is on move, and none is played by the engine if so wanted.
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
