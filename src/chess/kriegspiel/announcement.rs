//! The umpire's announcements.

use crate::chess::{Bitboard, Color, Move, MoveKind, Position, Role, Ruleset, Sink, Square, Stage};
use std::fmt;

/// The umpire's announcement to both sides after a move, or at the start of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Announcement {
    /// The side now on move.
    pub turn: Color,
    /// The capture made by the move.
    pub captured: Option<Captured>,
    /// Directions from which the side on move is in check.
    pub checks: Directions,
    /// Number of legal captures by pawns of the side on move. A capture with promotion counts once.
    pub pawn_tries: u8,
}

/// An announced capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Captured {
    /// The square of the captured man: in en passant, not the target of the capturing pawn.
    pub square: Square,
    /// Whether a pawn was captured rather than a piece. A promoted pawn is a piece.
    pub pawn: bool,
}

/// The direction of a check, seen from the king.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Along its rank.
    Rank,
    /// Along its file.
    File,
    /// Along the longer of its two diagonals, which never have the same length.
    LongDiagonal,
    /// Along the shorter of its two diagonals.
    ShortDiagonal,
    /// From a knight.
    Knight,
}

impl Direction {
    /// All directions, in the order of announcement.
    pub const ALL: [Direction; 5] = [
        Direction::Rank,
        Direction::File,
        Direction::LongDiagonal,
        Direction::ShortDiagonal,
        Direction::Knight,
    ];

    /// Returns the direction in which a man on `checker` checks a king on `king`, if the line is
    /// free.
    pub fn between(king: Square, checker: Square) -> Direction {
        let files = i32::from(king.file()) - i32::from(checker.file());
        let ranks = i32::from(king.rank()) - i32::from(checker.rank());
        if ranks == 0 {
            return Direction::Rank;
        }
        if files == 0 {
            return Direction::File;
        }
        if files.abs() != ranks.abs() {
            return Direction::Knight;
        }
        // Distances of the square's two diagonals from the longest ones.
        let (file, rank) = (i32::from(king.file()), i32::from(king.rank()));
        let (rising, falling) = ((file - rank).abs(), (file + rank - 7).abs());
        let own = if files == ranks { rising } else { falling };
        if own < rising.max(falling) { Direction::LongDiagonal } else { Direction::ShortDiagonal }
    }
}

/// A set of directions; at most two, in a double check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Directions(u8);

impl Directions {
    /// No check.
    pub const NONE: Directions = Directions(0);

    /// The directions of these checkers.
    pub fn of(king: Square, checkers: Bitboard) -> Directions {
        Directions(
            checkers.into_iter().fold(0, |set, checker| set | 1 << Direction::between(king, checker) as u8),
        )
    }

    /// Returns true if there is a check.
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Returns true if the set has this direction.
    pub const fn has(self, direction: Direction) -> bool {
        self.0 >> direction as u8 & 1 != 0
    }

    /// Returns the set as bits.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Returns the directions in the order of announcement.
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        Direction::ALL.into_iter().filter(move |&direction| self.has(direction))
    }
}

impl Announcement {
    /// The announcement of a position in which nothing was captured.
    pub fn of<R: Ruleset>(position: &Position<R>) -> Announcement {
        let turn = position.turn();
        let checks =
            position.king(turn).map_or(Directions::NONE, |king| Directions::of(king, position.checkers()));
        Announcement { turn, captured: None, checks, pawn_tries: pawn_tries(position) }
    }

    /// The announcement after a legal move that led from `before` to `after`.
    pub fn after<R: Ruleset>(before: &Position<R>, mv: Move, after: &Position<R>) -> Announcement {
        Announcement { captured: Captured::by(before, mv), ..Announcement::of(after) }
    }
}

impl Captured {
    /// The capture that a legal move makes, if any.
    pub fn by<R: Ruleset>(position: &Position<R>, mv: Move) -> Option<Captured> {
        let square = match mv.kind() {
            MoveKind::EnPassant => Square::at(mv.to().file(), mv.from().rank()),
            MoveKind::Castle => return None,
            _ => mv.to(),
        };
        position.role_at(square).map(|role| Captured { square, pawn: role == Role::Pawn })
    }
}

/// Returns the number of legal captures by pawns of the side on move. A capture with promotion
/// counts once.
fn pawn_tries<R: Ruleset>(position: &Position<R>) -> u8 {
    let mut tries = PawnTries(0);
    position.generate(Stage::Captures, position.pieces(position.turn(), Role::Pawn), &mut tries);
    tries.0
}

struct PawnTries(u8);

impl Sink for PawnTries {
    fn piece(&mut self, _: Square, _: Bitboard) {}

    fn pawns(&mut self, targets: Bitboard, _: i8) {
        self.0 += targets.count() as u8;
    }

    fn promotions(&mut self, targets: Bitboard, _: i8, _: &'static [Role]) {
        self.0 += targets.count() as u8;
    }

    fn drops(&mut self, _: Role, _: Bitboard) {}

    fn special(&mut self, _: Move) {
        self.0 += 1;
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Direction::Rank => "rank check",
            Direction::File => "file check",
            Direction::LongDiagonal => "long diagonal check",
            Direction::ShortDiagonal => "short diagonal check",
            Direction::Knight => "knight check",
        })
    }
}

/// The umpire's words: `Black on turn, pawn at e5 captured, file check, 2 pawn tries`.
impl fmt::Display for Announcement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.turn {
            Color::White => "White on turn",
            Color::Black => "Black on turn",
        })?;
        if let Some(Captured { square, pawn }) = self.captured {
            write!(f, ", {} at {square} captured", if pawn { "pawn" } else { "piece" })?;
        }
        self.checks.iter().try_for_each(|direction| write!(f, ", {direction}"))?;
        match self.pawn_tries {
            0 => Ok(()),
            1 => f.write_str(", 1 pawn try"),
            more => write!(f, ", {more} pawn tries"),
        }
    }
}
