//! Quiescence search: captures until the static evaluation is reliable.

use super::Bound;
use super::alpha_beta::StaticEvaluation;
use super::node::to_table;
use super::params::DELTA_MARGIN;
use super::picker::Picker;
use super::score::Score;
use super::searchable::Searchable;
use super::table::Entry;
use super::window::Window;
use super::worker::Worker;

impl Worker<'_> {
    /// Returns the score of a position with only captures and promotions, or with all moves where
    /// one of them is forced.
    pub(super) fn quiescence<P: Searchable>(&mut self, position: &P, ply: usize, window: Window) -> i32 {
        if let Some(score) = self.enter(position, ply, 0) {
            return score;
        }
        let key = self.table_key(position);
        let tt_entry = self.table.probe(key);
        let pv = window.is_open();
        if let Some(entry) = tt_entry.filter(|_| !pv)
            && let Some(score) = self.settled(position, &entry, ply, window)
        {
            return score;
        }
        let must_move = !position.may_stand_pat();
        let StaticEvaluation { raw, corrected, refined } =
            self.static_evaluation(position, ply, must_move, tt_entry);
        let mut best = if must_move { Score::mated_in(ply).0 } else { refined };
        if best >= window.beta {
            return best;
        }
        let mut alpha = window.alpha.max(best);
        let tt_move = tt_entry.and_then(|entry| entry.mv);
        let mut picker = if must_move {
            Picker::all(&self.scratch, tt_move, self.path.moves_before(ply), ply)
        } else {
            Picker::noisy(&self.scratch)
        };
        let (mut best_move, mut has_move) = (None, !must_move);
        while let Some(mv) = picker.next(position, &mut self.scratch) {
            has_move = true;
            if !must_move && !position.is_promotion(mv) {
                let hope = corrected + position.gain(mv) + DELTA_MARGIN;
                if hope <= alpha {
                    best = best.max(hope.min(alpha));
                    continue;
                }
            }
            self.prefetch_after(position, mv);
            let child = self.play(position, ply, mv);
            let below = Window { alpha: -window.beta, beta: -alpha, cut: false };
            let score = -self.quiescence(&child, ply + 1, below);
            self.path.take_back();
            if self.pace.is_stopped() {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if pv {
                        self.scratch.lines.extend(ply, mv);
                    }
                    if score >= window.beta {
                        break;
                    }
                }
            }
        }
        picker.finish(&mut self.scratch);
        if !has_move {
            return self.score_without_moves(position, ply);
        }
        let bound = if best >= window.beta { Bound::Lower } else { Bound::Upper };
        let entry =
            Entry { mv: best_move, score: to_table(best, ply), evaluation: raw, depth: 0, bound, pv: false };
        self.table.store(key, entry);
        best
    }
}
