//! Game records as the search needs them, for any game.

use super::{Past, Played, RootPosition, draughts_move};
use crate::chess::{self, Move};
use crate::draughts;

/// A game from its start to the current position.
pub trait GameRecord {
    /// Returns the current position.
    fn root(&self) -> RootPosition;
    /// Returns the keys of earlier positions that may be repeated, oldest first.
    fn earlier(&self) -> Vec<u64>;
    /// Returns the whole game for an external engine; `None` for games that external engines do not
    /// play.
    fn played(&self) -> Option<Played>;
    /// Returns what a search may need of the game.
    fn past(&self) -> Past {
        Past { history: self.earlier(), played: self.played() }
    }
    /// Returns the number of plies played.
    fn plies(&self) -> usize;
    /// Plays a legal move, given as a word of the search.
    fn play_word(&mut self, word: Move);
}

impl GameRecord for chess::Game {
    fn root(&self) -> RootPosition {
        (*self.position()).into()
    }

    fn earlier(&self) -> Vec<u64> {
        self.history()
    }

    fn played(&self) -> Option<Played> {
        Some(Played { start: *self.start(), moves: self.moves().to_vec() })
    }

    fn plies(&self) -> usize {
        self.moves().len()
    }

    fn play_word(&mut self, word: Move) {
        self.play(word);
    }
}

impl GameRecord for draughts::Game {
    fn root(&self) -> RootPosition {
        (*self.position()).into()
    }

    fn earlier(&self) -> Vec<u64> {
        self.history().to_vec()
    }

    fn played(&self) -> Option<Played> {
        None
    }

    fn plies(&self) -> usize {
        self.moves().len()
    }

    fn play_word(&mut self, word: Move) {
        self.play(draughts_move(word));
    }
}
