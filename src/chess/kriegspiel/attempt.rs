//! Moves proposed by a player who sees only its own men.

use crate::chess::{Move, MoveKind, Position, Role, Ruleset, Square};
use std::fmt;

/// A proposed move: origin, target, and promotion. Captures and en passant are for the umpire to
/// see.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Attempt {
    /// Where the man stands.
    pub from: Square,
    /// The target; two squares away for a king that castles.
    pub to: Square,
    /// The role of a pawn promoted on the last rank.
    pub promotion: Option<Role>,
}

impl Attempt {
    /// The attempt that corresponds to this legal move.
    pub fn of<R: Ruleset>(position: &Position<R>, mv: Move) -> Attempt {
        let (from, to) = (mv.from(), mv.to());
        let to = if mv.kind() == MoveKind::Castle { position.castling_targets(from, to).king } else { to };
        Attempt { from, to, promotion: mv.promotion() }
    }

    /// Returns the corresponding legal move; `None` if the umpire has to refuse the attempt.
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
