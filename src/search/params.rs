//! The numbers of the search. Margins and values are in centipawns, depths in plies.

/// LMR: plies of reduction before depth and move number add to it.
pub const LMR_BASE: f64 = 0.8;
/// LMR: what the product of the logarithms of depth and move number is divided by.
pub const LMR_DIVISOR: f64 = 2.2;
/// LMR: from this depth on late moves are reduced.
pub const LMR_DEPTH: i32 = 3;
/// LMR: history that takes back a ply of the reduction.
pub const LMR_HISTORY: i32 = 8000;
/// LMR: moves that were good enough below by which late moves are reduced more.
pub const LMR_CUTOFFS: u8 = 3;
/// LMR: centipawns above the best score that are worth a ply more.
pub const LMR_DEEPER_MARGIN: i32 = 60;
/// LMR: centipawns above the best score that are worth a ply less.
pub const LMR_SHALLOWER_MARGIN: i32 = 8;
/// LMR at the root: from this depth on.
pub const LMR_ROOT_DEPTH: i32 = 4;
/// LMR at the root: moves that are not reduced.
pub const LMR_ROOT_MOVES: usize = 3;

/// RFP: margin for each ply of depth.
pub const RFP_MARGIN: i32 = 75;
/// RFP: up to this depth.
pub const RFP_DEPTH: i32 = 7;

/// Razoring: margin for each ply of depth.
pub const RAZOR_MARGIN: i32 = 220;
/// Razoring: up to this depth.
pub const RAZOR_DEPTH: i32 = 2;

/// NMP: from this depth on.
pub const NMP_DEPTH: i32 = 3;
/// NMP: plies by which the search after a null move is reduced at least.
pub const NMP_BASE: i32 = 3;
/// NMP: plies of depth that reduce by a ply more.
pub const NMP_DEPTH_DIVISOR: i32 = 4;
/// NMP: centipawns above beta that reduce by a ply more.
pub const NMP_EVALUATION_DIVISOR: i32 = 200;
/// NMP: plies that the evaluation reduces by at most.
pub const NMP_EVALUATION_MAX: i32 = 3;
/// NMP: from this depth on a cutoff is verified.
pub const NMP_VERIFICATION_DEPTH: i32 = 12;

/// IIR: from this depth on a node without a TT move is searched a ply less deep.
pub const IIR_DEPTH: i32 = 4;

/// Singular extension: from this depth on.
pub const SINGULAR_DEPTH: i32 = 6;
/// Singular extension: plies by which the search that the TT knows the move from may be less deep.
pub const SINGULAR_TT_DEPTH: i32 = 3;
/// Singular extension: centipawns for each ply of depth that all other moves must be worse by.
pub const SINGULAR_MARGIN: i32 = 2;
/// Singular extension: centipawns more that they must be worse by for two plies.
pub const SINGULAR_DOUBLE_MARGIN: i32 = 25;
/// Singular extension: plies of a line that may be won by double extensions.
pub const SINGULAR_DOUBLES: u8 = 6;

/// Probcut: centipawns above beta that a capture must reach in a shallower search.
pub const PROBCUT_MARGIN: i32 = 170;
/// Probcut: from this depth on.
pub const PROBCUT_DEPTH: i32 = 5;
/// Probcut: plies that its search is less deep.
pub const PROBCUT_REDUCTION: i32 = 4;

/// Correction history: an error at its limit, of all structures together, counts this limit by this divisor in centipawns.
pub const CORRECTION_DIVISOR: i32 = 32;
/// Correction history: values stay within ± this.
pub const CORRECTION_LIMIT: i32 = 1024;
/// Correction history: the most that a search adds.
pub const CORRECTION_STEP: i32 = 256;

/// LMP: up to this depth.
pub const LMP_DEPTH: i32 = 8;
/// LMP: quiet moves that are searched at depth 0.
pub const LMP_BASE: i32 = 3;
/// LMP: quiet moves more that are searched in a PV node.
pub const LMP_PV: i32 = 4;

/// Futility pruning: margin at depth 0.
pub const FUTILITY_BASE: i32 = 90;
/// Futility pruning: margin for each ply of depth.
pub const FUTILITY_MARGIN: i32 = 90;
/// Futility pruning: up to this depth.
pub const FUTILITY_DEPTH: i32 = 6;

/// Futility pruning of captures: margin at depth 0.
pub const FUTILITY_CAPTURE_BASE: i32 = 180;
/// Futility pruning of captures: margin for each ply of depth.
pub const FUTILITY_CAPTURE_MARGIN: i32 = 180;
/// Futility pruning of captures: up to this depth.
pub const FUTILITY_CAPTURE_DEPTH: i32 = 5;

/// Futility pruning of captures: where less than that is asked for.
pub const FUTILITY_CAPTURE_ALPHA: i32 = 600;

/// History pruning: for each ply of depth, moves below this are skipped.
pub const HISTORY_MARGIN: i32 = -4000;
/// History pruning: up to this depth.
pub const HISTORY_DEPTH: i32 = 3;

/// SEE pruning of moves that neither take, promote nor check: what they may lose for each ply of depth.
pub const SEE_QUIET_MARGIN: i32 = -50;
/// SEE pruning of such moves: up to this depth.
pub const SEE_QUIET_DEPTH: i32 = 7;
/// SEE pruning of other moves: what they may lose for each ply of depth.
pub const SEE_NOISY_MARGIN: i32 = -90;
/// SEE pruning of other moves: up to this depth.
pub const SEE_NOISY_DEPTH: i32 = 6;

/// Delta pruning in quiescence: what a capture may bring besides what it takes.
pub const DELTA_MARGIN: i32 = 180;

/// Aspiration window: half its width at first.
pub const ASPIRATION_DELTA: i32 = 22;
/// Aspiration window: from this depth on.
pub const ASPIRATION_DEPTH: i32 = 5;
/// Aspiration window: a window that would get wider than this is opened wholly.
pub const ASPIRATION_MAX: i32 = 700;

/// Histories stay within ± this.
pub const HISTORY_LIMIT: i32 = 16_384;
/// Bonus of a history for each ply of depth.
pub const HISTORY_BONUS: i32 = 170;
/// What is taken from the bonus at any depth.
pub const HISTORY_BONUS_OFFSET: i32 = 90;
/// The greatest bonus.
pub const HISTORY_BONUS_MAX: i32 = 1800;

/// Move ordering: bonus that puts killers before other quiet moves, above any history.
pub const KILLER_BONUS: i32 = 1 << 17;
/// Move ordering of captures: what a centipawn of the capture counts against its history.
pub const CAPTURE_GAIN_WEIGHT: i32 = 64;

/// Time: share of the optimum for a best move that has just changed.
pub const TIME_UNSTABLE: f32 = 1.25;
/// Time: what each iteration with an unchanged best move takes from that share.
pub const TIME_STABILITY: f32 = 0.1;
/// Time: share of the optimum for a best move without nodes.
pub const TIME_EFFORT_BASE: f32 = 1.5;
/// Time: what the best move's share of all nodes takes from that.
pub const TIME_EFFORT: f32 = 0.8;
/// Time: drop of the score in centipawns that doubles the optimum.
pub const TIME_SCORE_DROP: f32 = 100.0;
/// Time: iterations with the same best move after which it counts as stable.
pub const CALM_ITERATIONS: i32 = 2;
/// Time: drop of the score in centipawns that still counts as stable.
pub const CALM_DROP: i32 = 15;
/// Time: from this depth on the only legal move is played at once.
pub const TIME_FORCED_DEPTH: i32 = 4;
