//! Quiescence search: captures until the static evaluation is reliable.

use super::Bound;
use super::alpha_beta::refined;
use super::history::PieceTo;
use super::node::{from_table, to_table};
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
        if let Some(score) = self.enter(position, ply) {
            return score;
        }
        if let Some(score) = self.known.score(position.key(), 0) {
            return from_table(score.0, ply);
        }
        let must_move = !position.may_stand_pat();
        let pv = window.beta - window.alpha > 1;
        let key = self.table_key(position);
        let tt_entry = self.table.probe(key);
        if let Some(entry) = tt_entry.filter(|_| !pv)
            && let Some(score) = self.settled(position, &entry, ply, window)
        {
            return score;
        }
        let mut alpha = window.alpha;
        let raw = match tt_entry {
            _ if must_move => 0,
            Some(entry) => entry.evaluation,
            None => self.adjustment.evaluate(position),
        };
        let evaluation = if must_move { 0 } else { raw + self.corrections.of(position) };
        let mut best = match tt_entry {
            _ if must_move => Score::mated_in(ply).0,
            Some(entry) => refined(evaluation, &entry),
            None => evaluation,
        };
        if best >= window.beta {
            return best;
        }
        alpha = alpha.max(best);

        let tt_move = tt_entry.and_then(|entry| entry.mv);
        let mut picker =
            if must_move { Picker::all(tt_move, self.moves_before(ply), ply) } else { Picker::noisy() };
        let (mut best_move, mut has_move) = (None, !must_move);
        while let Some(mv) = picker.next(position, &self.histories) {
            has_move = true;
            if !must_move && !position.is_promotion(mv) {
                let hope = evaluation + position.gain(mv) + DELTA_MARGIN;
                if hope <= alpha {
                    best = best.max(hope.min(alpha));
                    continue;
                }
            }
            let mut child = *position;
            child.play(mv);
            self.table.prefetch(self.table_key(&child));
            self.stack[ply].piece_to = Some(PieceTo::of(position, mv));
            self.keys.push(position.key());
            let below = Window { alpha: -window.beta, beta: -alpha, cut: false };
            let score = -self.quiescence(&child, ply + 1, below);
            self.keys.pop();
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if pv {
                        self.extend_line(ply, mv);
                    }
                    if score >= window.beta {
                        break;
                    }
                }
            }
        }
        if !has_move {
            return self.score_without_moves(position, ply);
        }
        let bound = if best >= window.beta { Bound::Lower } else { Bound::Upper };
        let entry =
            Entry { mv: best_move, score: to_table(best, ply), evaluation: raw, depth: 0, bound, pv: false };
        self.table.store(key, entry, self.epoch);
        best
    }
}
