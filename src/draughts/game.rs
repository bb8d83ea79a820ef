//! The record of a game: its start, its moves, and whether it has ended by rule.

use super::{Move, Position};
use crate::chess::Outcome;

/// Plies without a man's move or a capture that make a draw: forty moves of each side.
pub const DRAWN_PLIES: u32 = 80;

/// The rule by which a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The side on move cannot move, or has no pieces.
    NoMoves,
    /// The position occurred for the third time, including the start position.
    Repetition,
    /// Forty moves of each side without a man's move or a capture.
    FortyMoves,
}

/// A game from its start position to the current one.
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    position: Position,
    moves: Vec<Move>,
    /// The key before each move since the last irreversible one.
    keys: Vec<u64>,
}

impl Default for Game {
    fn default() -> Game {
        Game::new()
    }
}

impl Game {
    /// A game from the start position.
    pub fn new() -> Game {
        Game::from_position(Position::start())
    }

    /// A game from this position.
    pub fn from_position(start: Position) -> Game {
        Game { start, position: start, moves: Vec::new(), keys: Vec::new() }
    }

    /// Returns the current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the position the game started from.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the moves played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the heap memory in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.moves.capacity() * size_of::<Move>() + self.keys.capacity() * size_of::<u64>()
    }

    /// Plays a legal move. A draw does not stop a game: other programs may not have noticed it.
    pub fn play(&mut self, mv: Move) {
        self.keys.push(self.position.key());
        self.moves.push(mv);
        self.position.play(mv);
        if self.position.reversible_plies() == 0 {
            self.keys.clear();
        }
    }

    /// Returns the keys of the positions before this one since the last capture or man's move,
    /// oldest first, for the search to detect repetitions.
    pub fn history(&self) -> &[u64] {
        &self.keys
    }

    /// Returns the outcome of a game that has ended by rule. A side that cannot move has lost, even
    /// if a draw applies.
    pub fn ending(&self) -> Option<(Outcome, Ending)> {
        if let Some(outcome) = self.position.outcome() {
            return Some((outcome, Ending::NoMoves));
        }
        let seen_before = self.keys.iter().filter(|&&key| key == self.position.key()).count();
        if seen_before >= 2 {
            Some((Outcome::Draw, Ending::Repetition))
        } else if self.position.reversible_plies() >= DRAWN_PLIES {
            Some((Outcome::Draw, Ending::FortyMoves))
        } else {
            None
        }
    }
}
