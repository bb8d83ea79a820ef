//! The terms of chess by number, and sinks for them.
//!
//! A side's score is the sum of its terms, each a count times a weight ([`super::chess_weights`]).
//! The danger to the enemy king is a separate sum, which is squared. The evaluation is generic over
//! a [`TermSink`]: the search adds up weights, `farboard tune` records counts.

use crate::chess::{Role, Square};

/// Defines blocks of terms, each with a name and a length, and a constant for the first term of
/// each group of blocks. `$total` is the number of terms.
macro_rules! blocks {
    ($groups:ident, $total:ident { $($(#[$doc:meta])* $group:ident = $($name:literal $len:literal),+;)+ }) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "also the names of constants")]
        #[derive(Clone, Copy)]
        pub(super) enum $groups { $($group),+ }

        impl $groups {
            const fn start(self) -> usize {
                let lengths = [$(0 $(+ $len)+),+];
                let (mut group, mut start) = (0, 0);
                while group < self as usize {
                    start += lengths[group];
                    group += 1;
                }
                start
            }

            /// Returns name, first term and length of each block.
            pub(super) fn blocks() -> impl Iterator<Item = (&'static str, usize, usize)> {
                let lengths = [$($(($name, $len)),+),+];
                lengths.into_iter().scan(0, |next, (name, len)| {
                    *next += len;
                    Some((name, *next - len, len))
                })
            }
        }

        $($(#[$doc])* pub(super) const $group: usize = $groups::$group.start();)+

        /// Number of terms.
        pub(super) const $total: usize = 0 $($(+ $len)+)+;
    };
}
pub(super) use blocks;

blocks!(Linear, TERMS {
    /// Material, by role from pawn to queen.
    MATERIAL = "material" 5;
    /// Placement, by role and half a board ([`half`]).
    SQUARES = "squares of pawns" 32,
        "squares of knights" 32,
        "squares of bishops" 32,
        "squares of rooks" 32,
        "squares of queens" 32,
        "squares of kings" 32;
    /// Mobility by role, from knights to queens, by the number of squares.
    KNIGHT_MOBILITY = "mobility of knights" 9;
    BISHOP_MOBILITY = "mobility of bishops" 14;
    ROOK_MOBILITY = "mobility of rooks" 15;
    QUEEN_MOBILITY = "mobility of queens" 28;
    /// The side on move.
    TEMPO = "tempo" 1;
    DOUBLED = "doubled pawns" 1;
    /// Isolated pawns, with an enemy pawn in front and without.
    ISOLATED = "isolated pawns" 2;
    /// Backward pawns: no pawn can support them and they cannot advance safely, with an enemy pawn
    /// in front and without.
    BACKWARD = "backward pawns" 2;
    /// Pawns with an adjacent one, by rank.
    PHALANX = "pawns side by side" 8;
    /// Pawns guarded by a pawn, by rank.
    SUPPORTED = "supported pawns" 8;
    /// Passed pawns, by rank.
    PASSED = "passed pawns" 8;
    /// Blocked passed pawns, by rank.
    PASSED_BLOCKED = "passed pawns, blocked" 8;
    /// Passed pawns whose next square is not attacked, by rank.
    PASSED_SAFE = "passed pawns, safe step" 8;
    /// Passed pawns whose whole path is free and not attacked, by rank.
    PASSED_FREE = "passed pawns, free way" 8;
    /// Steps of the own king to the next square of a passed pawn, times its rank beyond the second.
    PASSED_OWN_KING = "passed pawns, own king's steps" 1;
    /// Steps of the enemy king, likewise.
    PASSED_ENEMY_KING = "passed pawns, enemy king's steps" 1;
    /// Passed pawns with an own rook behind.
    PASSED_ROOK = "passed pawns, rook behind" 1;
    /// The own pawn on the king's file, by its rank from the king's side; 0 for none.
    SHELTER_KING_FILE = "shelter on the king's file" 8;
    /// The own pawns on adjacent files, likewise.
    SHELTER_BESIDE = "shelter beside" 8;
    /// The nearest enemy pawn on the king's files not stopped by an own pawn, by its rank; 0 for
    /// none.
    STORM = "storm" 8;
    /// The nearest enemy pawn stopped by an own pawn, likewise.
    STORM_STOPPED = "storm, stopped" 8;
    BISHOP_PAIR = "bishop pair" 1;
    /// Own pawns on squares of a bishop's colour.
    BAD_BISHOP = "pawns on a bishop's colour" 1;
    /// Rooks on open files, and on half-open ones.
    ROOK_FILE = "rooks on open files" 2;
    /// Knights and bishops on outposts in the enemy's half: guarded by a pawn and out of reach of
    /// enemy pawns.
    OUTPOST = "outposts" 2;
    SCREENED = "minor pieces behind a pawn" 1;
    /// Steps from knights and bishops to the own king.
    FAR_FROM_KING = "minor pieces' steps to the king" 2;
    /// Knights, times own pawns less five; rooks likewise.
    WITH_PAWNS = "knights and rooks with pawns" 2;
    /// Pieces attacked by safe pawns, by role from knight to queen.
    PAWN_THREAT = "threats by pawns" 4;
    /// Pieces attacked by knights or bishops, by role from pawn to queen.
    MINOR_THREAT = "threats by minor pieces" 5;
    /// Weak pieces attacked by rooks, by role from pawn to queen.
    ROOK_THREAT = "threats by rooks" 5;
    /// Weak pieces attacked by the king.
    KING_THREAT = "threats by the king" 1;
    /// Attacked pieces that nothing guards.
    HANGING = "hanging pieces" 1;
    /// Pieces that a pawn could attack with its next step.
    PUSH_THREAT = "threats by pawn steps" 1;
    /// Squares attacked by both sides that the enemy does not hold.
    RESTRICTED = "restricted squares" 1;
    /// Safe squares behind own pawns in the centre, times the number of own pieces.
    SPACE = "space" 1;
    /// A queen that an enemy knight could attack from a safe square.
    QUEEN_TROUBLE = "knight near the queen" 1;
    /// Checks on safe squares by any piece.
    SAFE_CHECK = "safe checks" 1;
});

/// First terms of the mobility of knights, bishops, rooks and queens.
pub(super) const MOBILITY: [usize; 4] = [KNIGHT_MOBILITY, BISHOP_MOBILITY, ROOK_MOBILITY, QUEEN_MOBILITY];

// Dangers to the enemy king.
blocks!(Danger, DANGERS {
    /// Always present.
    ALWAYS = "danger, always" 1;
    /// Attackers by role, from knight.
    ATTACKER = "danger, attacking knights" 1,
        "danger, attacking bishops" 1,
        "danger, attacking rooks" 1,
        "danger, attacking queens" 1;
    ATTACKERS_SQUARE = "danger, square of attackers" 1;
    ATTACKS_BESIDE = "danger, attacks beside the king" 1;
    WEAK_BESIDE = "danger, weak squares beside the king" 1;
    /// Safe checks by role, from knight.
    SAFE_CHECKS = "danger, safe checks of knights" 1,
        "danger, safe checks of bishops" 1,
        "danger, safe checks of rooks" 1,
        "danger, safe checks of queens" 1;
    OTHER_CHECKS = "danger, other checks" 1;
    NO_QUEEN = "danger, no queen" 1;
    HALF_OPEN = "danger, files without own pawns" 1;
    OPEN = "danger, files without pawns" 1;
    FLANK_ATTACKS = "danger, attacks on the flank" 1;
    FLANK_DEFENCE = "danger, defended flank" 1;
    KNIGHT_DEFENDS = "danger, defending knights" 1;
    /// Safe drops with check of pieces in hand, by role from pawn.
    SAFE_DROPS = "danger, safe drops of pawns" 1,
        "danger, safe drops of knights" 1,
        "danger, safe drops of bishops" 1,
        "danger, safe drops of rooks" 1,
        "danger, safe drops of queens" 1;
    IN_HAND = "danger, pieces in hand" 1;
    /// Empty squares next to the king guarded only by it, times the pieces in hand.
    HOLES = "danger, pieces in hand and holes beside the king" 1;
});

/// A sink for the terms of one side.
pub(super) trait TermSink {
    /// Adds a term a number of times.
    fn add(&mut self, term: usize, times: i32);
    /// Adds material and placement of a piece on a square, as its side sees it.
    fn place(&mut self, role: Role, square: Square);
    /// Adds a danger to the enemy king a number of times.
    fn endanger(&mut self, danger: usize, times: i32);
}

/// Folds a square along the middle: files a to d, rank by rank.
#[inline]
pub(super) const fn half(square: usize) -> usize {
    let file = square & 7;
    (square >> 3) * 4 + if file < 4 { file } else { 7 - file }
}
