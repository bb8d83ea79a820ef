//! `share` and `guest_moves`: an analysis in which others move as well.

use super::{Session, Step, Task, send};
use crate::protocol::web::{Message, Mode};
use crate::session::KeptGame;
use std::ops::RangeInclusive;

/// Length of a key that is too long to guess.
const KEY_LENGTH: RangeInclusive<usize> = 16..=64;

impl Session {
    /// `share`
    pub(super) fn share(&mut self, key: Option<String>, step: &mut Step<'_>) {
        let is_valid = |key: &String| {
            KEY_LENGTH.contains(&key.len())
                && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        };
        if key.as_ref().is_some_and(|key| !is_valid(key)) {
            let text = "a key has 16 to 64 letters, digits, - and _";
            return send(Message::error(Some("share"), text), step);
        }
        self.guest_key = key.map(String::into_boxed_str);
    }

    /// Returns true if guests who have the key may move now.
    pub(super) fn admits_guests(&self) -> bool {
        self.guest_key.is_some() && self.mode == Mode::Analysis && !matches!(self.task, Task::Review(_))
    }

    /// Returns true if a guest with this key may move now.
    pub(in crate::session) fn admits_guest(&self, key: &str) -> bool {
        self.guest_key.as_deref() == Some(key) && self.admits_guests()
    }

    /// `guest_moves`: the client is sent the new game. What a guest may not do changes nothing, and
    /// is not the client's error.
    pub(super) fn guest_moves(&mut self, key: &str, moves: &[String], step: &mut Step<'_>) {
        if !self.admits_guest(key) {
            return;
        }
        let Some(game) = self.game.after_moves(moves) else { return };
        let task = self.task;
        self.leave_game(step);
        self.set_board(game, Mode::Analysis, step);
        self.show_guest_moves(step);
        self.task = task;
        if task == Task::Analysis {
            self.analyse_board(step);
        }
    }
}

impl KeptGame {
    /// The game with the same start and these moves, if all are legal.
    fn after_moves(&self, moves: &[String]) -> Option<KeptGame> {
        let mut game = self.after(0);
        for text in moves {
            let mv = game.parse_move(text).ok()?;
            game.play(mv);
        }
        Some(game)
    }
}
