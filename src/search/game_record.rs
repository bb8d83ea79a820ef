//! The record of a game, whatever the game: what a search is asked about it.

use super::{Played, RootPosition};
use crate::chess::{self, Move};
use crate::draughts;

/// A game from its start to the position on the board.
pub trait GameRecord {
    /// The position on the board.
    fn root(&self) -> RootPosition;
    /// Keys of earlier positions that may be repeated, oldest first.
    fn earlier(&self) -> Vec<u64>;
    /// The whole game, for an engine of others; `None` where those play something else.
    fn played(&self) -> Option<Played>;
    /// Plies played.
    fn plies(&self) -> usize;
    /// Plays a legal move, given as the word that it is to the search.
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
        self.play(RootPosition::draughts_move(word));
    }
}
