//! Parameters of the search. Margins and values are in centipawns, depths in plies.

/// LMR: base reduction.
pub const LMR_BASE: f64 = 0.8;
/// LMR: divisor of the product of the logarithms of depth and move number.
pub const LMR_DIVISOR: f64 = 2.2;
/// LMR: minimum depth.
pub const LMR_DEPTH: i32 = 3;
/// LMR: history that reduces by a ply less.
pub const LMR_HISTORY: i32 = 8000;
/// LMR: number of cutoffs in child nodes above which late moves are reduced more.
pub const LMR_CUTOFFS: u8 = 3;
/// LMR: margin above the best score for a re-search one ply deeper.
pub const LMR_DEEPER_MARGIN: i32 = 60;
/// LMR: margin above the best score below which the re-search is one ply shallower.
pub const LMR_SHALLOWER_MARGIN: i32 = 8;
/// LMR at the root: minimum depth.
pub const LMR_ROOT_DEPTH: i32 = 4;
/// LMR at the root: number of moves that are not reduced.
pub const LMR_ROOT_MOVES: usize = 3;

/// RFP: margin for each ply of depth.
pub const RFP_MARGIN: i32 = 75;
/// RFP: maximum depth.
pub const RFP_DEPTH: i32 = 7;

/// Razoring: margin for each ply of depth.
pub const RAZOR_MARGIN: i32 = 220;
/// Razoring: maximum depth.
pub const RAZOR_DEPTH: i32 = 2;

/// NMP: minimum depth.
pub const NMP_DEPTH: i32 = 3;
/// NMP: minimum reduction.
pub const NMP_BASE: i32 = 3;
/// NMP: depth for each ply of additional reduction.
pub const NMP_DEPTH_DIVISOR: i32 = 4;
/// NMP: centipawns above beta for each ply of additional reduction.
pub const NMP_EVALUATION_DIVISOR: i32 = 200;
/// NMP: maximum reduction by the evaluation.
pub const NMP_EVALUATION_MAX: i32 = 3;
/// NMP: minimum depth for verification.
pub const NMP_VERIFICATION_DEPTH: i32 = 12;

/// IIR: minimum depth to reduce a node without a TT move by a ply.
pub const IIR_DEPTH: i32 = 4;

/// Singular extension: minimum depth.
pub const SINGULAR_DEPTH: i32 = 6;
/// Singular extension: maximum difference between the depth and that of the TT entry.
pub const SINGULAR_TT_DEPTH: i32 = 3;
/// Singular extension: margin for each ply of depth by which all other moves must be worse.
pub const SINGULAR_MARGIN: i32 = 2;
/// Singular extension: additional margin for a double extension.
pub const SINGULAR_DOUBLE_MARGIN: i32 = 25;
/// Singular extension: maximum number of double extensions on a line.
pub const SINGULAR_DOUBLES: u8 = 6;

/// Probcut: margin above beta that a capture must reach in a shallower search.
pub const PROBCUT_MARGIN: i32 = 170;
/// Probcut: minimum depth.
pub const PROBCUT_DEPTH: i32 = 5;
/// Probcut: reduction of its search.
pub const PROBCUT_REDUCTION: i32 = 4;

/// Correction history: divisor of values; the limit divided by it is the correction by a maximum
/// error.
pub const CORRECTION_DIVISOR: i32 = 32;
/// Correction history: maximum absolute value.
pub const CORRECTION_LIMIT: i32 = 1024;
/// Correction history: maximum change by a search.
pub const CORRECTION_STEP: i32 = 256;

/// LMP: maximum depth.
pub const LMP_DEPTH: i32 = 8;
/// LMP: number of quiet moves searched at depth 0.
pub const LMP_BASE: i32 = 3;
/// LMP: additional quiet moves in a PV node.
pub const LMP_PV: i32 = 4;

/// Futility pruning: margin at depth 0.
pub const FUTILITY_BASE: i32 = 90;
/// Futility pruning: margin for each ply of depth.
pub const FUTILITY_MARGIN: i32 = 90;
/// Futility pruning: maximum depth.
pub const FUTILITY_DEPTH: i32 = 6;

/// Futility pruning of captures: margin at depth 0.
pub const FUTILITY_CAPTURE_BASE: i32 = 180;
/// Futility pruning of captures: margin for each ply of depth.
pub const FUTILITY_CAPTURE_MARGIN: i32 = 180;
/// Futility pruning of captures: maximum depth.
pub const FUTILITY_CAPTURE_DEPTH: i32 = 5;

/// Futility pruning of captures: maximum alpha.
pub const FUTILITY_CAPTURE_ALPHA: i32 = 600;

/// History pruning: history for each ply of depth below which moves are skipped.
pub const HISTORY_MARGIN: i32 = -4000;
/// History pruning: maximum depth.
pub const HISTORY_DEPTH: i32 = 3;

/// SEE pruning of calm moves (no capture, promotion or check): SEE threshold for each ply of depth.
pub const SEE_QUIET_MARGIN: i32 = -50;
/// SEE pruning of calm moves: maximum depth.
pub const SEE_QUIET_DEPTH: i32 = 7;
/// SEE pruning of other moves: SEE threshold for each ply of depth.
pub const SEE_NOISY_MARGIN: i32 = -90;
/// SEE pruning of other moves: maximum depth.
pub const SEE_NOISY_DEPTH: i32 = 6;

/// Delta pruning in quiescence: margin besides the captured piece.
pub const DELTA_MARGIN: i32 = 180;

/// Aspiration window: initial half-width.
pub const ASPIRATION_DELTA: i32 = 22;
/// Aspiration window: minimum depth.
pub const ASPIRATION_DEPTH: i32 = 5;
/// Aspiration window: width above which it is opened completely.
pub const ASPIRATION_MAX: i32 = 700;

/// Histories: maximum absolute value.
pub const HISTORY_LIMIT: i32 = 16_384;
/// Histories: bonus for each ply of depth.
pub const HISTORY_BONUS: i32 = 170;
/// Histories: offset subtracted from the bonus.
pub const HISTORY_BONUS_OFFSET: i32 = 90;
/// Histories: maximum bonus.
pub const HISTORY_BONUS_MAX: i32 = 1800;

/// Move ordering: bonus of killers, above any history.
pub const KILLER_BONUS: i32 = 1 << 17;
/// Move ordering of captures: weight of a centipawn gained relative to history.
pub const CAPTURE_GAIN_WEIGHT: i32 = 64;

/// Time: share of the optimum for a best move that has just changed.
pub const TIME_UNSTABLE: f32 = 1.25;
/// Time: reduction of this share for each iteration with an unchanged best move.
pub const TIME_STABILITY: f32 = 0.1;
/// Time: share of the optimum for a best move without nodes.
pub const TIME_EFFORT_BASE: f32 = 1.5;
/// Time: reduction of this share by the best move's share of all nodes.
pub const TIME_EFFORT: f32 = 0.8;
/// Time: drop of the score that doubles the optimum.
pub const TIME_SCORE_DROP: f32 = 100.0;
/// Time: number of iterations with the same best move after which it counts as stable.
pub const CALM_ITERATIONS: i32 = 2;
/// Time: maximum drop of the score that counts as stable.
pub const CALM_DROP: i32 = 15;
/// Time: minimum depth at which the only legal move is played at once.
pub const TIME_FORCED_DEPTH: i32 = 4;
