//! Parameters of the search. Margins and values are in centipawns, depths in plies.

/// LMR: base reduction.
pub(super) const LMR_BASE: f64 = 0.8;
/// LMR: divisor of the product of the logarithms of depth and move number.
pub(super) const LMR_DIVISOR: f64 = 2.2;
/// LMR: minimum depth.
pub(super) const LMR_DEPTH: i32 = 3;
/// LMR: history that reduces by a ply less.
pub(super) const LMR_HISTORY: i32 = 8000;
/// LMR: number of cutoffs in child nodes above which late moves are reduced more.
pub(super) const LMR_CUTOFFS: u8 = 3;
/// LMR: margin above the best score for a re-search one ply deeper.
pub(super) const LMR_DEEPER_MARGIN: i32 = 60;
/// LMR: margin above the best score below which the re-search is one ply shallower.
pub(super) const LMR_SHALLOWER_MARGIN: i32 = 8;
/// LMR at the root: minimum depth.
pub(super) const LMR_ROOT_DEPTH: i32 = 4;
/// LMR at the root: number of moves that are not reduced.
pub(super) const LMR_ROOT_MOVES: usize = 3;

/// RFP: margin for each ply of depth.
pub(super) const RFP_MARGIN: i32 = 75;
/// RFP: maximum depth.
pub(super) const RFP_DEPTH: i32 = 7;

/// Razoring: margin for each ply of depth.
pub(super) const RAZOR_MARGIN: i32 = 220;
/// Razoring: maximum depth.
pub(super) const RAZOR_DEPTH: i32 = 2;

/// NMP: minimum depth.
pub(super) const NMP_DEPTH: i32 = 3;
/// NMP: minimum reduction.
pub(super) const NMP_BASE: i32 = 3;
/// NMP: depth for each ply of additional reduction.
pub(super) const NMP_DEPTH_DIVISOR: i32 = 4;
/// NMP: centipawns above beta for each ply of additional reduction.
pub(super) const NMP_EVALUATION_DIVISOR: i32 = 200;
/// NMP: maximum reduction by the evaluation.
pub(super) const NMP_EVALUATION_MAX: i32 = 3;
/// NMP: minimum depth for verification.
pub(super) const NMP_VERIFICATION_DEPTH: i32 = 12;

/// IIR: minimum depth to reduce a node without a TT move by a ply.
pub(super) const IIR_DEPTH: i32 = 4;

/// Singular extension: minimum depth.
pub(super) const SINGULAR_DEPTH: i32 = 6;
/// Singular extension: maximum difference between the depth and the TT entry's depth.
pub(super) const SINGULAR_TT_DEPTH: i32 = 3;
/// Singular extension: margin for each ply of depth by which all other moves must be worse.
pub(super) const SINGULAR_MARGIN: i32 = 2;
/// Singular extension: additional margin for a double extension.
pub(super) const SINGULAR_DOUBLE_MARGIN: i32 = 25;
/// Singular extension: maximum number of double extensions on a line.
pub(super) const SINGULAR_DOUBLES: u8 = 6;

/// Probcut: margin above beta that a capture must reach in a shallower search.
pub(super) const PROBCUT_MARGIN: i32 = 170;
/// Probcut: minimum depth.
pub(super) const PROBCUT_DEPTH: i32 = 5;
/// Probcut: reduction of its search.
pub(super) const PROBCUT_REDUCTION: i32 = 4;

/// Correction history: divisor of values; the limit divided by it is the correction by a maximum
/// error.
pub(super) const CORRECTION_DIVISOR: i32 = 32;
/// Correction history: maximum absolute value.
pub(super) const CORRECTION_LIMIT: i32 = 1024;
/// Correction history: maximum change by a search.
pub(super) const CORRECTION_STEP: i32 = 256;

/// LMP: maximum depth.
pub(super) const LMP_DEPTH: i32 = 8;
/// LMP: number of quiet moves searched at depth 0.
pub(super) const LMP_BASE: i32 = 3;
/// LMP: additional quiet moves in a PV node.
pub(super) const LMP_PV: i32 = 4;

/// Futility pruning: margin at depth 0.
pub(super) const FUTILITY_BASE: i32 = 90;
/// Futility pruning: margin for each ply of depth.
pub(super) const FUTILITY_MARGIN: i32 = 90;
/// Futility pruning: maximum depth.
pub(super) const FUTILITY_DEPTH: i32 = 6;

/// Futility pruning of captures: margin at depth 0.
pub(super) const FUTILITY_CAPTURE_BASE: i32 = 180;
/// Futility pruning of captures: margin for each ply of depth.
pub(super) const FUTILITY_CAPTURE_MARGIN: i32 = 180;
/// Futility pruning of captures: maximum depth.
pub(super) const FUTILITY_CAPTURE_DEPTH: i32 = 5;

/// Futility pruning of captures: maximum alpha.
pub(super) const FUTILITY_CAPTURE_ALPHA: i32 = 600;

/// History pruning: history for each ply of depth below which moves are skipped.
pub(super) const HISTORY_MARGIN: i32 = -4000;
/// History pruning: maximum depth.
pub(super) const HISTORY_DEPTH: i32 = 3;

/// SEE pruning of calm moves (no capture, promotion or check): SEE threshold for each ply of depth.
pub(super) const SEE_QUIET_MARGIN: i32 = -50;
/// SEE pruning of calm moves: maximum depth.
pub(super) const SEE_QUIET_DEPTH: i32 = 7;
/// SEE pruning of other moves: SEE threshold for each ply of depth.
pub(super) const SEE_NOISY_MARGIN: i32 = -90;
/// SEE pruning of other moves: maximum depth.
pub(super) const SEE_NOISY_DEPTH: i32 = 6;

/// Delta pruning in quiescence: margin besides the captured piece.
pub(super) const DELTA_MARGIN: i32 = 180;

/// Aspiration window: initial half-width.
pub(super) const ASPIRATION_DELTA: i32 = 22;
/// Aspiration window: minimum depth.
pub(super) const ASPIRATION_DEPTH: i32 = 5;
/// Aspiration window: width above which it is opened completely.
pub(super) const ASPIRATION_MAX: i32 = 700;

/// Histories: maximum absolute value.
pub(super) const HISTORY_LIMIT: i32 = 16_384;
/// Histories: bonus for each ply of depth.
pub(super) const HISTORY_BONUS: i32 = 170;
/// Histories: offset subtracted from the bonus.
pub(super) const HISTORY_BONUS_OFFSET: i32 = 90;
/// Histories: maximum bonus.
pub(super) const HISTORY_BONUS_MAX: i32 = 1800;

/// Move ordering: bonus of killers, above any history.
pub(super) const KILLER_BONUS: i32 = 1 << 17;
/// Move ordering of captures: weight of a centipawn gained relative to history.
pub(super) const CAPTURE_GAIN_WEIGHT: i32 = 64;

/// Time: share of the optimum for a best move that has just changed.
pub(super) const TIME_UNSTABLE: f32 = 1.25;
/// Time: reduction of this share for each iteration with an unchanged best move.
pub(super) const TIME_STABILITY: f32 = 0.1;
/// Time: share of the optimum for a best move without nodes.
pub(super) const TIME_EFFORT_BASE: f32 = 1.5;
/// Time: reduction of this share by the best move's share of all nodes.
pub(super) const TIME_EFFORT: f32 = 0.8;
/// Time: drop of the score that doubles the optimum.
pub(super) const TIME_SCORE_DROP: f32 = 100.0;
/// Time: number of iterations with the same best move after which it counts as stable.
pub(super) const CALM_ITERATIONS: i32 = 2;
/// Time: maximum drop of the score that counts as stable.
pub(super) const CALM_DROP: i32 = 15;
/// Time: minimum depth at which the only legal move is played at once.
pub(super) const TIME_FORCED_DEPTH: i32 = 4;
