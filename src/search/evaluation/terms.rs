//! The terms of chess by number, and sinks for them.
//!
//! A side's score is the sum of its terms, each a count times a weight ([`super::chess_weights`]).
//! The danger to the enemy king is a separate sum, which is squared. The evaluation is generic over
//! a [`TermSink`]: the search adds up weights, `farboard tune` records counts.

use crate::chess::{Role, Square};

/// Blocks of linear terms: name, first term, and length.
pub(super) const BLOCKS: [(&str, usize, usize); 45] = {
    let mut blocks = LENGTHS;
    let (mut block, mut first) = (0, 0);
    while block < blocks.len() {
        blocks[block].1 = first;
        first += blocks[block].2;
        block += 1;
    }
    blocks
};

/// Number of linear terms.
pub(super) const TERMS: usize = BLOCKS[BLOCKS.len() - 1].1 + BLOCKS[BLOCKS.len() - 1].2;

/// Material, by role from pawn to queen.
pub(super) const MATERIAL: usize = BLOCKS[0].1;
/// Placement, by role and half a board ([`half`]).
pub(super) const SQUARES: usize = BLOCKS[1].1;
/// Mobility of knights, bishops, rooks and queens, by the number of squares.
pub(super) const MOBILITY: [usize; 4] = [BLOCKS[7].1, BLOCKS[8].1, BLOCKS[9].1, BLOCKS[10].1];
/// The side on move.
pub(super) const TEMPO: usize = BLOCKS[11].1;
/// Doubled pawns.
pub(super) const DOUBLED: usize = BLOCKS[12].1;
/// Isolated pawns, with an enemy pawn in front and without.
pub(super) const ISOLATED: usize = BLOCKS[13].1;
/// Backward pawns: no pawn can support them and they cannot advance safely, with an enemy pawn in
/// front and without.
pub(super) const BACKWARD: usize = BLOCKS[14].1;
/// Pawns with an adjacent one, by rank.
pub(super) const PHALANX: usize = BLOCKS[15].1;
/// Pawns guarded by a pawn, by rank.
pub(super) const SUPPORTED: usize = BLOCKS[16].1;
/// Passed pawns, by rank.
pub(super) const PASSED: usize = BLOCKS[17].1;
/// Blocked passed pawns, by rank.
pub(super) const PASSED_BLOCKED: usize = BLOCKS[18].1;
/// Passed pawns whose next square is not attacked, by rank.
pub(super) const PASSED_SAFE: usize = BLOCKS[19].1;
/// Passed pawns whose whole path is free and not attacked, by rank.
pub(super) const PASSED_FREE: usize = BLOCKS[20].1;
/// Steps of the own king to the next square of a passed pawn, times its rank beyond the second.
pub(super) const PASSED_OWN_KING: usize = BLOCKS[21].1;
/// Steps of the enemy king, likewise.
pub(super) const PASSED_ENEMY_KING: usize = BLOCKS[22].1;
/// Passed pawns with an own rook behind.
pub(super) const PASSED_ROOK: usize = BLOCKS[23].1;
/// The own pawn on the king's file, by its rank from the king's side; 0 for none.
pub(super) const SHELTER_KING_FILE: usize = BLOCKS[24].1;
/// The own pawns on adjacent files, likewise.
pub(super) const SHELTER_BESIDE: usize = BLOCKS[25].1;
/// The nearest enemy pawn on the king's files not stopped by an own pawn, by its rank; 0 for none.
pub(super) const STORM: usize = BLOCKS[26].1;
/// The nearest enemy pawn stopped by an own pawn, likewise.
pub(super) const STORM_STOPPED: usize = BLOCKS[27].1;
/// The bishop pair.
pub(super) const BISHOP_PAIR: usize = BLOCKS[28].1;
/// Own pawns on squares of a bishop's colour.
pub(super) const BAD_BISHOP: usize = BLOCKS[29].1;
/// Rooks on open files, and on half-open ones.
pub(super) const ROOK_FILE: usize = BLOCKS[30].1;
/// Knights and bishops on outposts in the enemy's half: guarded by a pawn and out of reach of enemy
/// pawns.
pub(super) const OUTPOST: usize = BLOCKS[31].1;
/// Knights and bishops behind a pawn.
pub(super) const SCREENED: usize = BLOCKS[32].1;
/// Steps from knights and bishops to the own king.
pub(super) const FAR_FROM_KING: usize = BLOCKS[33].1;
/// Knights, times own pawns less five; rooks likewise.
pub(super) const WITH_PAWNS: usize = BLOCKS[34].1;
/// Pieces attacked by safe pawns, by role from knight to queen.
pub(super) const PAWN_THREAT: usize = BLOCKS[35].1;
/// Pieces attacked by knights or bishops, by role from pawn to queen.
pub(super) const MINOR_THREAT: usize = BLOCKS[36].1;
/// Weak pieces attacked by rooks, by role from pawn to queen.
pub(super) const ROOK_THREAT: usize = BLOCKS[37].1;
/// Weak pieces attacked by the king.
pub(super) const KING_THREAT: usize = BLOCKS[38].1;
/// Attacked pieces that nothing guards.
pub(super) const HANGING: usize = BLOCKS[39].1;
/// Pieces that a pawn could attack with its next step.
pub(super) const PUSH_THREAT: usize = BLOCKS[40].1;
/// Squares attacked by both sides that the enemy does not hold.
pub(super) const RESTRICTED: usize = BLOCKS[41].1;
/// Safe squares behind own pawns in the centre, times the number of own pieces.
pub(super) const SPACE: usize = BLOCKS[42].1;
/// A queen that an enemy knight could attack from a safe square.
pub(super) const QUEEN_TROUBLE: usize = BLOCKS[43].1;
/// Checks on safe squares by any piece.
pub(super) const SAFE_CHECK: usize = BLOCKS[44].1;

const LENGTHS: [(&str, usize, usize); 45] = [
    ("material", 0, 5),
    ("squares of pawns", 0, 32),
    ("squares of knights", 0, 32),
    ("squares of bishops", 0, 32),
    ("squares of rooks", 0, 32),
    ("squares of queens", 0, 32),
    ("squares of kings", 0, 32),
    ("mobility of knights", 0, 9),
    ("mobility of bishops", 0, 14),
    ("mobility of rooks", 0, 15),
    ("mobility of queens", 0, 28),
    ("tempo", 0, 1),
    ("doubled pawns", 0, 1),
    ("isolated pawns", 0, 2),
    ("backward pawns", 0, 2),
    ("pawns side by side", 0, 8),
    ("supported pawns", 0, 8),
    ("passed pawns", 0, 8),
    ("passed pawns, blocked", 0, 8),
    ("passed pawns, safe step", 0, 8),
    ("passed pawns, free way", 0, 8),
    ("passed pawns, own king's steps", 0, 1),
    ("passed pawns, enemy king's steps", 0, 1),
    ("passed pawns, rook behind", 0, 1),
    ("shelter on the king's file", 0, 8),
    ("shelter beside", 0, 8),
    ("storm", 0, 8),
    ("storm, stopped", 0, 8),
    ("bishop pair", 0, 1),
    ("pawns on a bishop's colour", 0, 1),
    ("rooks on open files", 0, 2),
    ("outposts", 0, 2),
    ("minor pieces behind a pawn", 0, 1),
    ("minor pieces' steps to the king", 0, 2),
    ("knights and rooks with pawns", 0, 2),
    ("threats by pawns", 0, 4),
    ("threats by minor pieces", 0, 5),
    ("threats by rooks", 0, 5),
    ("threats by the king", 0, 1),
    ("hanging pieces", 0, 1),
    ("threats by pawn steps", 0, 1),
    ("restricted squares", 0, 1),
    ("space", 0, 1),
    ("knight near the queen", 0, 1),
    ("safe checks", 0, 1),
];

/// Number of dangers.
pub(super) const DANGERS: usize = 26;

/// Dangers to the enemy king.
pub(super) const DANGER_NAMES: [&str; DANGERS] = [
    "danger, always",
    "danger, attacking knights",
    "danger, attacking bishops",
    "danger, attacking rooks",
    "danger, attacking queens",
    "danger, square of attackers",
    "danger, attacks beside the king",
    "danger, weak squares beside the king",
    "danger, safe checks of knights",
    "danger, safe checks of bishops",
    "danger, safe checks of rooks",
    "danger, safe checks of queens",
    "danger, other checks",
    "danger, no queen",
    "danger, files without own pawns",
    "danger, files without pawns",
    "danger, attacks on the flank",
    "danger, defended flank",
    "danger, defending knights",
    "danger, safe drops of pawns",
    "danger, safe drops of knights",
    "danger, safe drops of bishops",
    "danger, safe drops of rooks",
    "danger, safe drops of queens",
    "danger, pieces in hand",
    "danger, pieces in hand and holes beside the king",
];

/// Always present.
pub(super) const ALWAYS: usize = 0;
/// Attackers by role, from knight.
pub(super) const ATTACKER: usize = 1;
pub(super) const ATTACKERS_SQUARE: usize = 5;
pub(super) const ATTACKS_BESIDE: usize = 6;
pub(super) const WEAK_BESIDE: usize = 7;
/// Safe checks by role, from knight.
pub(super) const SAFE_CHECKS: usize = 8;
pub(super) const OTHER_CHECKS: usize = 12;
pub(super) const NO_QUEEN: usize = 13;
pub(super) const HALF_OPEN: usize = 14;
pub(super) const OPEN: usize = 15;
pub(super) const FLANK_ATTACKS: usize = 16;
pub(super) const FLANK_DEFENCE: usize = 17;
pub(super) const KNIGHT_DEFENDS: usize = 18;
/// Safe drops with check of pieces in hand, by role from pawn.
pub(super) const SAFE_DROPS: usize = 19;
pub(super) const IN_HAND: usize = 24;
/// Empty squares next to the king guarded only by it, times the pieces in hand.
pub(super) const HOLES: usize = 25;

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
