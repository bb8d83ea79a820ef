//! The position at the root of a search, of any game.

use super::draughts_board::{draughts_move, move_word};
use crate::chess::{AnyPosition, Color, Move, Variant};
use crate::draughts;

/// A position that can be searched: chess and its variants, or draughts.
#[derive(Clone, Copy, Debug)]
pub enum RootPosition {
    /// Chess or a variant.
    Chess(AnyPosition),
    /// English draughts. Its moves are 16-bit words of the search
    /// ([`draughts_move`]).
    Draughts(draughts::Position),
}

impl Default for RootPosition {
    /// The start of orthodox chess.
    fn default() -> RootPosition {
        AnyPosition::start(Variant::NORMAL).into()
    }
}

impl From<AnyPosition> for RootPosition {
    fn from(position: AnyPosition) -> RootPosition {
        RootPosition::Chess(position)
    }
}

impl From<draughts::Position> for RootPosition {
    fn from(position: draughts::Position) -> RootPosition {
        RootPosition::Draughts(position)
    }
}

/// Evaluates an expression for the [`super::searchable::Searchable`] position of a request.
macro_rules! with_searchable {
    ($request:expr, $position:ident => $body:expr) => {
        match &$request.position {
            $crate::search::RootPosition::Chess(any) => $crate::with_position!(any, $position => $body),
            $crate::search::RootPosition::Draughts(board) => {
                let $position = &$crate::search::draughts_board::DraughtsBoard::of(*board, $request.knowledge.endgames.as_deref());
                $body
            }
        }
    };
}
pub(super) use with_searchable;

impl RootPosition {
    /// Returns the position if it is one of chess.
    pub fn chess(&self) -> Option<AnyPosition> {
        match self {
            RootPosition::Chess(position) => Some(*position),
            RootPosition::Draughts(_) => None,
        }
    }

    /// Returns a number for its rules, unique for each game and variant.
    pub fn rules_id(&self) -> u8 {
        match self {
            RootPosition::Chess(position) => position.variant().rules().id,
            RootPosition::Draughts(_) => u8::MAX,
        }
    }

    /// Returns the side on move.
    pub fn turn(&self) -> Color {
        match self {
            RootPosition::Chess(position) => position.turn(),
            RootPosition::Draughts(position) => position.turn(),
        }
    }

    /// Returns the zobrist key.
    pub fn key(&self) -> u64 {
        match self {
            RootPosition::Chess(position) => position.key(),
            RootPosition::Draughts(position) => position.key(),
        }
    }

    /// Returns all legal moves.
    pub fn legal_moves(&self) -> Vec<Move> {
        match self {
            RootPosition::Chess(position) => position.legal_moves(),
            RootPosition::Draughts(position) => position.legal_moves().into_iter().map(move_word).collect(),
        }
    }

    /// Returns true if a move, from any source, is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        match self {
            RootPosition::Chess(position) => position.is_legal(mv),
            RootPosition::Draughts(position) => position.is_legal(draughts_move(mv)),
        }
    }

    /// Plays a move, which must be legal here.
    pub fn play(&mut self, mv: Move) {
        match self {
            RootPosition::Chess(position) => position.play(mv),
            RootPosition::Draughts(position) => position.play(draughts_move(mv)),
        }
    }
}
