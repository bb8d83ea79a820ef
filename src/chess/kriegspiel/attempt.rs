//! A move as a player proposes it who does not see what it meets.

use crate::chess::{Move, MoveKind, Position, Role, Ruleset, Square};
use std::fmt;

/// A move as a player proposes it: where a man comes from and goes to, and what a pawn becomes. Whether it captures, or takes
/// en passant, is for the umpire to see.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Attempt {
    /// Where the man stands.
    pub from: Square,
    /// Where it goes; a king that castles goes two squares.
    pub to: Square,
    /// What a pawn becomes on the last rank.
    pub promotion: Option<Role>,
}

impl Attempt {
    /// The attempt that has become this legal move.
    pub fn of<R: Ruleset>(position: &Position<R>, mv: Move) -> Attempt {
        let (from, to) = (mv.from(), mv.to());
        let to = if mv.kind() == MoveKind::Castle { position.castling_targets(from, to).king } else { to };
        Attempt { from, to, promotion: mv.promotion() }
    }

    /// The legal move that it is; `None` if the umpire has to refuse it.
    pub fn resolve<R: Ruleset>(self, position: &Position<R>) -> Option<Move> {
        let Attempt { from, to, promotion } = self;
        let kind = match (position.role_at(from)?, promotion) {
            (Role::Pawn, Some(role)) => MoveKind::Promotion(role),
            (Role::Pawn, None) if from.file() != to.file() && position.en_passant() == Some(to) => {
                MoveKind::EnPassant
            }
            (Role::King, None) if from.file().abs_diff(to.file()) == 2 => {
                let rook_file = if to.file() > from.file() { 7 } else { 0 };
                let castling = Move::new(from, Square::at(rook_file, from.rank()), MoveKind::Castle);
                return position.is_legal(castling).then_some(castling);
            }
            (_, None) => MoveKind::Normal,
            (_, Some(_)) => return None,
        };
        let mv = Move::new(from, to, kind);
        position.is_legal(mv).then_some(mv)
    }
}

/// In coordinates, as the protocols write moves.
impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |role| write!(f, "{}", role.letter().to_ascii_lowercase()))
    }
}
