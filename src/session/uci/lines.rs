//! Search output: variations, and the first move being searched.

use super::thinking::{Release, Thinking, Work};
use super::{Session, Step};
use crate::chess::{AnyPosition, Move, Outcome};
use crate::protocol::uci::{self, CurrentMove, MoveWords, Reply, Wdl, move_text};
use crate::search::{self, Bound, Info, static_evaluation};
use crate::session::player::{Search, variation_text};
use std::time::Duration;

/// Bounds are shown after this time only: GUIs take them for exact scores, and at low depths the
/// search soon resolves them.
const BOUNDS_AFTER: Duration = Duration::from_secs(3);

/// The current move is shown after this time only, as UCI's text of 2006 asks engines to be
/// moderate.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);

/// The last output of a search.
#[derive(Debug)]
pub(super) struct Lines {
    /// The best line shown last: its depth, nodes, first move, and whether its score was exact.
    pub(super) shown: Option<(u8, u64, Option<Move>, bool)>,
    /// The depth and move of the last `currmove`.
    pub(super) current: Option<(u8, Move)>,
    /// Whether the client wants odds of win, draw and loss.
    pub(super) shows_wdl: bool,
}

impl Session {
    /// Shows a variation; several of them once all of one depth are complete.
    pub(super) fn show(&self, info: &Info, thinking: &mut Thinking, step: &mut Step<'_>) {
        let Some(search) = self.player.search() else { return };
        if !search.findings.variations.are_several() {
            // A line that only changes places was shown before.
            let is_worth_it = info.bound == Bound::Exact || info.elapsed >= BOUNDS_AFTER;
            if !info.again && is_worth_it {
                show_line(info, thinking, step);
            }
        } else if let Some(set) = search.findings.variations.completed() {
            show_all(set, info.nodes, info.elapsed, thinking, step);
        }
    }

    /// Shows the variation of the chosen move with an exact score and the totals of the search.
    /// Several variations are all shown again, so that each move begins one line only.
    pub(super) fn show_last(
        &self,
        search: &Search,
        chosen: Move,
        thinking: &mut Thinking,
        step: &mut Step<'_>,
    ) {
        let Some(best) = search.findings.best.as_ref().filter(|best| best.pv.first() == Some(&chosen)) else {
            return;
        };
        let (nodes, elapsed) = (search.nodes(), search.elapsed());
        if thinking.lines.shown != Some((best.depth, nodes, Some(chosen), true)) {
            show_all(&search.findings.variations.last(best.clone()), nodes, elapsed, thinking, step);
        }
    }

    /// Shows a move that was not searched, with the static evaluation of the position after it:
    /// clients expect a score with every move.
    pub(super) fn show_glance(&self, mv: Move, thinking: &mut Thinking, step: &mut Step<'_>) {
        if thinking.lines.shown.is_some() {
            return;
        }
        let info = Info {
            depth: 0,
            selective_depth: 0,
            score: value_at_a_glance(thinking.root, mv),
            bound: Bound::Exact,
            elapsed: Duration::ZERO,
            nodes: 0,
            line: 1,
            pv: vec![mv],
            again: false,
            table_usage: None,
        };
        show_line(&info, thinking, step);
    }

    /// Shows the first move being searched.
    pub(super) fn show_current_move(&mut self, step: &mut Step<'_>) {
        let Some(progress) = self.player.search().and_then(|search| search.findings.progress) else { return };
        let Some(thinking) = &mut self.thinking else { return };
        let Some(mv) = progress.current.filter(|&mv| thinking.root.is_legal(mv)) else { return };
        let current = Some((progress.depth, mv));
        let is_hidden = thinking.release == Release::OnHit || !matches!(thinking.work, Work::Search(_));
        if progress.elapsed < CURRENT_MOVE_AFTER || is_hidden || thinking.lines.current == current {
            return;
        }
        thinking.lines.current = current;
        step.reply(Reply::CurrentMove(CurrentMove {
            depth: progress.depth.into(),
            mv: move_text(&thinking.root, mv, thinking.king_takes_rook),
            number: u32::from(progress.moves_total.saturating_sub(progress.moves_left)) + 1,
        }));
    }
}

/// Shows lines with the same totals and exact scores.
pub(super) fn show_all(
    lines: &[Info],
    nodes: u64,
    elapsed: Duration,
    thinking: &mut Thinking,
    step: &mut Step<'_>,
) {
    for info in lines {
        show_line(&Info { nodes, elapsed, bound: Bound::Exact, ..info.clone() }, thinking, step);
    }
}

fn show_line(info: &Info, thinking: &mut Thinking, step: &mut Step<'_>) {
    let text = |position: &_, mv| move_text(position, mv, thinking.king_takes_rook);
    let mut variation = MoveWords::default();
    variation_text(thinking.root, &info.pv, text).for_each(|word| variation.push(&word));
    if variation.is_empty() {
        return;
    }
    if info.line <= 1 {
        let is_exact = info.bound == Bound::Exact;
        thinking.lines.shown = Some((info.depth, info.nodes, info.pv.first().copied(), is_exact));
    }
    let micros = info.elapsed.as_micros().max(1);
    step.reply(Reply::Info(uci::Info {
        depth: info.depth.into(),
        selective_depth: info.selective_depth.max(info.depth).into(),
        line: info.line.max(1).into(),
        score: score(info.score),
        bound: match info.bound {
            Bound::Exact => None,
            Bound::Lower => Some(uci::Bound::Lower),
            Bound::Upper => Some(uci::Bound::Upper),
        },
        wdl: thinking.lines.shows_wdl.then(|| wdl(info.score)),
        nodes: info.nodes,
        speed: u64::try_from(u128::from(info.nodes) * 1_000_000 / micros).unwrap_or(u64::MAX),
        table_usage: info.table_usage.map(u32::from),
        time: info.elapsed,
        variation,
    }));
}

/// The value of a legal move by the position after it, without a search.
fn value_at_a_glance(root: AnyPosition, mv: Move) -> search::Score {
    let mut after = root;
    after.play(mv);
    match after.outcome() {
        Some((Outcome::Win(winner), _)) if winner == root.turn() => search::Score::mate_in(1),
        Some((Outcome::Win(_), _)) => search::Score::mated_in(2),
        Some((Outcome::Draw, _)) => search::Score::DRAW,
        // A position in check has no static evaluation.
        None if after.in_check() => search::Score::DRAW,
        None => search::Score(-static_evaluation(&after)),
    }
}

fn score(score: search::Score) -> uci::Score {
    score.mate_distance().map_or(uci::Score::Centipawns(score.0), uci::Score::Mate)
}

/// Estimates the odds by the score alone: a pawn ahead wins half of the games, and each 60
/// hundredths change the odds by a factor of e.
fn wdl(score: search::Score) -> Wdl {
    let wins = |score: i32| {
        let odds = (f64::from(score - 100) / 60.0).exp();
        (1000.0 * odds / (1.0 + odds)).round() as u32
    };
    let (win, loss) = match score.mate_distance() {
        Some(moves) if moves > 0 => (1000, 0),
        Some(_) => (0, 1000),
        None => (wins(score.0), wins(-score.0)),
    };
    Wdl { win, draw: 1000 - win - loss, loss }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Score;

    #[test]
    fn an_unsearched_move_has_the_value_of_the_position_after_it() {
        use crate::chess::Variant;
        let value = |variant, fen, mv: &str| {
            let root = AnyPosition::from_fen(variant, fen).unwrap();
            value_at_a_glance(root, root.parse_move(mv).unwrap())
        };
        let back_rank = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
        assert_eq!(value(Variant::NORMAL, back_rank, "a1a8"), Score::mate_in(1));
        assert!(value(Variant::NORMAL, back_rank, "a1b1") > Score::DRAW);
        assert_eq!(value(Variant::NORMAL, "6k1/8/8/8/8/8/8/R5K1 w - - 0 1", "a1a8"), Score::DRAW);
        assert_eq!(value(Variant::NORMAL, "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7"), Score::DRAW);
        // The side that loses its last piece has won.
        let suicide = Variant::ALL.into_iter().find(|variant| variant.name() == "suicide").unwrap();
        assert_eq!(value(suicide, "8/8/8/8/8/8/1p6/B7 w - - 0 1", "a1b2"), Score::mated_in(2));
    }

    #[test]
    fn chances_add_up_and_follow_the_score() {
        let mut last = 0;
        for score in (-3000..3000).step_by(7) {
            let Wdl { win, draw, loss } = wdl(Score(score));
            assert_eq!(win + draw + loss, 1000);
            assert!(win >= last, "{score}");
            assert_eq!(wdl(Score(-score)), Wdl { win: loss, draw, loss: win });
            last = win;
        }
        assert_eq!(wdl(Score(100)).win, 500);
        assert_eq!(wdl(Score::mate_in(3)), Wdl { win: 1000, draw: 0, loss: 0 });
        assert_eq!(wdl(Score::mated_in(4)), Wdl { win: 0, draw: 0, loss: 1000 });
    }
}
