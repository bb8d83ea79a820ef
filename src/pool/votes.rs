//! Votes of the threads of a parallel search on the move to play.

use super::JobId;
use crate::chess::Move;
use crate::search::{Bound, Done, Info, Score};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Weight of a ply of a thread with the worst score; each centipawn above that score adds 1.
const LEAST_WEIGHT: i64 = 10;

/// The last exact variation of each helper of a search.
#[derive(Default)]
pub(super) struct Votes(Mutex<Vec<(JobId, Info)>>);

impl Votes {
    /// Notes a variation of a helper.
    pub(super) fn note(&self, helper: JobId, info: &Info) {
        if info.bound != Bound::Exact || info.line != 1 {
            return;
        }
        let mut votes = self.lock();
        match votes.iter_mut().find(|(voter, _)| *voter == helper) {
            Some((_, vote)) => vote.clone_from(info),
            None => votes.push((helper, info.clone())),
        }
    }

    /// Returns the deepest variation of a helper with the move that most threads prefer; `None` if
    /// that is the move of the main search. The vote of a thread counts by its depth and its score.
    pub(super) fn elect(&self, main: &Done) -> Option<Info> {
        let own = main.best?;
        let votes = self.lock();
        let worst = votes.iter().map(|(_, info)| info.score).fold(main.score, Ord::min);
        let weight = |score: Score, depth: u8| {
            (i64::from(score.0) - i64::from(worst.0) + LEAST_WEIGHT) * i64::from(depth)
        };
        let of_helpers = |mv: Move| -> i64 {
            let same = votes.iter().filter(|(_, info)| info.pv.first() == Some(&mv));
            same.map(|(_, info)| weight(info.score, info.depth)).sum()
        };
        let total = of_helpers(own) + weight(main.score, main.depth);
        let others = votes.iter().filter(|(_, info)| info.pv.first().is_some_and(|&mv| mv != own));
        let (_, elected) = others.max_by_key(|(_, info)| (of_helpers(info.pv[0]), info.depth))?;
        (of_helpers(elected.pv[0]) > total).then(|| elected.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(JobId, Info)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::SearchId;
    use crate::pool::tests::variation;
    use std::time::Duration;

    /// The first move elected, if it is not that of the main search. Each vote is a move, its score
    /// and its depth; the main search's is the first.
    fn elected(votes: &[(u16, i32, u8)]) -> Option<u16> {
        let all = Votes::default();
        let main = JobId { owner: 1, search: SearchId(1) };
        for (number, &(mv, score, depth)) in (1..).zip(&votes[1..]) {
            // A later variation replaces an earlier one.
            all.note(main.helper(number), &variation(9, 900, 90));
            all.note(main.helper(number), &variation(mv, score, depth));
        }
        let (mv, score, depth) = votes[0];
        let done = Done {
            best: Move::from_bits(mv),
            score: Score(score),
            ..Done::without_move(depth, 0, Duration::ZERO)
        };
        all.elect(&done).map(|info| info.pv[0].bits())
    }

    #[test]
    fn the_main_search_decides_alone_and_if_others_agree() {
        assert_eq!(elected(&[(1, 20, 10)]), None);
        assert_eq!(elected(&[(1, 20, 10), (1, 50, 12)]), None);
    }

    #[test]
    fn depth_score_and_number_of_votes_count() {
        assert_eq!(elected(&[(1, 20, 10), (2, 20, 11)]), Some(2), "depth");
        assert_eq!(elected(&[(1, 20, 10), (2, 20, 9)]), None);
        assert_eq!(elected(&[(1, 20, 10), (2, 45, 9)]), Some(2), "score");
        assert_eq!(elected(&[(1, 20, 10), (2, 20, 6), (2, 20, 6)]), Some(2), "number");
        assert_eq!(elected(&[(1, 20, 10), (2, 20, 6), (3, 20, 6)]), None);
        assert_eq!(elected(&[(1, 20, 10), (2, -400, 20)]), None, "a deeper, worse score");
        let mate = Score::mate_in(5).0;
        assert_eq!(elected(&[(1, 300, 20), (1, 310, 20), (2, mate, 8)]), Some(2), "a mate");
    }

    #[test]
    fn bounds_and_second_lines_are_no_votes() {
        let (votes, helper) = (Votes::default(), JobId { owner: 1, search: SearchId(1) }.helper(1));
        votes.note(helper, &Info { bound: Bound::Lower, ..variation(2, 500, 20) });
        votes.note(helper, &Info { line: 2, ..variation(2, 500, 20) });
        let best = Move::from_bits(1);
        assert!(votes.elect(&Done { best, ..Done::without_move(9, 0, Duration::ZERO) }).is_none());
    }
}
