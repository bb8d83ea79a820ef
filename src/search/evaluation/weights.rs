//! Numbers of the evaluation, in centipawns: one for the middlegame, one for the endgame.

use crate::chess::Role;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame and an endgame value.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pair {
    /// With all pieces on the board.
    pub middle: i32,
    /// With none but kings and pawns.
    pub end: i32,
}

/// A middlegame and an endgame value.
pub const fn pair(middle: i32, end: i32) -> Pair {
    Pair { middle, end }
}

impl Add for Pair {
    type Output = Pair;
    #[inline]
    fn add(self, other: Pair) -> Pair {
        pair(self.middle + other.middle, self.end + other.end)
    }
}

impl Sub for Pair {
    type Output = Pair;
    #[inline]
    fn sub(self, other: Pair) -> Pair {
        pair(self.middle - other.middle, self.end - other.end)
    }
}

impl Neg for Pair {
    type Output = Pair;
    #[inline]
    fn neg(self) -> Pair {
        pair(-self.middle, -self.end)
    }
}

impl Mul<i32> for Pair {
    type Output = Pair;
    #[inline]
    fn mul(self, by: i32) -> Pair {
        pair(self.middle * by, self.end * by)
    }
}

impl AddAssign for Pair {
    #[inline]
    fn add_assign(&mut self, other: Pair) {
        *self = *self + other;
    }
}

impl SubAssign for Pair {
    #[inline]
    fn sub_assign(&mut self, other: Pair) {
        *self = *self - other;
    }
}

/// Worth of each role, from pawn to king.
pub const MATERIAL: [Pair; 6] =
    [pair(85, 105), pair(335, 300), pair(350, 315), pair(475, 530), pair(990, 970), pair(0, 0)];

/// How much of the middlegame each role stands for; 24 in all at the start.
pub const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// The phase of the start position.
pub const FULL_PHASE: i32 = 24;

/// Worth of a role on a square, material included, from White's side.
pub static SQUARES: [[Pair; 64]; 6] = {
    let mut table = [[pair(0, 0); 64]; 6];
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            let (file, rank) = ((square & 7) as i32, (square >> 3) as i32);
            let place = placement(Role::ALL[role], file, rank);
            let material = MATERIAL[role];
            table[role][square] = pair(material.middle + place.middle, material.end + place.end);
            square += 1;
        }
        role += 1;
    }
    table
};

/// 0 on the edge files (or ranks) … 3 on the central ones.
const fn inward(line: i32) -> i32 {
    if line < 4 { line } else { 7 - line }
}

/// What a role likes of a square, by how central and how advanced it is.
const fn placement(role: Role, file: i32, rank: i32) -> Pair {
    let (files, ranks) = (inward(file), inward(rank));
    let centre = files + ranks;
    match role {
        Role::Pawn => {
            let advance = [0, 0, 2, 8, 18, 40, 70, 0][rank as usize];
            let hold = [0, 0, 3, 8, 20, 45, 80, 0][rank as usize];
            let central = if files == 3 && (rank == 3 || rank == 4) { 16 } else { files * 3 - 4 };
            // Unmoved centre pawns are in the way.
            let blocked = if files == 3 && rank == 1 { -14 } else { 0 };
            pair(advance / 2 + central + blocked, hold)
        }
        Role::Knight => {
            let outpost = if rank >= 3 && rank <= 5 { 8 } else { 0 };
            let corner = if files == 0 && ranks == 0 { -20 } else { 0 };
            let home = if rank == 0 { -8 } else { 0 };
            pair(centre * 9 - 30 + outpost + corner + home, centre * 8 - 28 + corner)
        }
        Role::Bishop => {
            let home = if rank == 0 { -12 } else { 0 };
            let long_diagonal = if file == rank || file + rank == 7 { 8 } else { 0 };
            pair(centre * 4 - 10 + home + long_diagonal, centre * 3 - 9)
        }
        Role::Rook => {
            let seventh = if rank == 6 { 14 } else { 0 };
            pair(files * 4 - 6 + seventh, if rank >= 3 { 6 } else { 0 } + seventh / 2)
        }
        Role::Queen => pair(centre * 2 - 5 - if rank > 4 { 2 } else { 0 }, centre * 7 - 20),
        Role::King => {
            let shelter = match rank {
                0 => [22, 34, 12, -12, -8, -4, 36, 24][file as usize],
                1 => [8, 8, -14, -30, -30, -16, 8, 8][file as usize],
                _ => -30 - rank * 6,
            };
            pair(shelter, centre * 10 - 34)
        }
    }
}

/// For each square a piece attacks beyond (or below) the usual number, from knight to queen.
pub const MOBILITY: [(Pair, i32); 4] = [(pair(5, 4), 4), (pair(5, 5), 6), (pair(3, 5), 7), (pair(2, 4), 13)];

/// Two bishops.
pub const BISHOP_PAIR: Pair = pair(28, 48);
/// A rook on a file without pawns.
pub const ROOK_OPEN_FILE: Pair = pair(34, 14);
/// A rook on a file without own pawns.
pub const ROOK_HALF_OPEN_FILE: Pair = pair(14, 10);
/// A pawn with another of its side in front.
pub const DOUBLED_PAWN: Pair = pair(-9, -20);
/// A pawn without own pawns on the files beside it.
pub const ISOLATED_PAWN: Pair = pair(-13, -14);
/// A pawn that cannot be supported by a pawn and whose next square is held by one.
pub const BACKWARD_PAWN: Pair = pair(-9, -10);
/// A pawn beside or behind another.
pub const CONNECTED_PAWN: Pair = pair(8, 6);
/// A passed pawn, by rank from its side.
pub const PASSED_PAWN: [Pair; 8] = [
    pair(0, 0),
    pair(2, 10),
    pair(4, 16),
    pair(12, 32),
    pair(32, 60),
    pair(64, 105),
    pair(105, 165),
    pair(0, 0),
];
/// Endgame centipawns for each step the enemy king is further from a passed pawn's next square than ours, times rank.
pub const PASSED_KING_RACE: i32 = 3;
/// A passed pawn that cannot step, share of [`PASSED_PAWN`] in the endgame that is lost, in quarters.
pub const PASSED_BLOCKED_QUARTERS: i32 = 2;
/// An own pawn before the king on the next rank, and one rank further.
pub const SHIELD: [i32; 2] = [13, 7];
/// A file at the king without own pawns.
pub const SHIELD_OPEN_FILE: i32 = -18;
/// Weight of each role attacking squares around the enemy king.
pub const KING_ATTACK: [i32; 6] = [0, 20, 20, 30, 50, 0];
/// A minor or major piece attacked by a pawn.
pub const THREAT_BY_PAWN: Pair = pair(45, 35);
/// A rook or queen attacked by a minor piece.
pub const THREAT_BY_MINOR: Pair = pair(32, 28);
/// An undefended piece attacked by something.
pub const THREAT_HANGING: Pair = pair(16, 22);
/// A knight on a square of its own half-board's front that no enemy pawn can attack and an own one guards.
pub const OUTPOST: Pair = pair(22, 14);
/// To be on move.
pub const TEMPO: i32 = 14;
