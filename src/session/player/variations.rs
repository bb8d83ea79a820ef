//! The principal variations of a search that shows several.

use crate::chess::{AnyPosition, Move};
use crate::search::{Info, RootPosition};
use crate::session::state::{Fields, StateError};
use std::time::Duration;

/// The most variations that an option can request.
const MOST: usize = 256;

/// The moves of a variation that can be played in a row.
pub(super) fn playable_moves(mut position: RootPosition, pv: &[Move]) -> impl Iterator<Item = Move> {
    pv.iter().copied().map_while(move |mv| {
        position.is_legal(mv).then(|| {
            position.play(mv);
            mv
        })
    })
}

/// The moves of a variation as text, up to its first illegal move.
pub(in crate::session) fn variation_text(
    mut position: AnyPosition,
    pv: &[Move],
    text: impl Fn(&AnyPosition, Move) -> String,
) -> impl Iterator<Item = String> {
    pv.iter().map_while(move |&mv| {
        let text = position.is_legal(mv).then(|| text(&position, mv))?;
        position.play(mv);
        Some(text)
    })
}

/// Variations with different first moves, the best one first. A set is complete when all of one
/// depth are known.
#[derive(Default, Debug)]
pub(in crate::session) struct Variations {
    /// The newest variation of each line.
    newest: Vec<Option<Info>>,
    /// The number of lines seen.
    seen: usize,
    /// Whether a depth was followed by a deeper one: then the engine shows as many lines as seen so
    /// far, perhaps fewer than requested.
    has_deepened: bool,
    /// The last complete set.
    complete: Vec<Info>,
    /// Whether nothing has come since that set.
    is_complete: bool,
    /// Whether that set only reorders lines that were reported before.
    is_reordered: bool,
}

impl Variations {
    /// At most `count` variations, at least one.
    pub(super) fn new(count: usize) -> Variations {
        Variations {
            newest: std::iter::repeat_with(|| None).take(count.max(1)).collect(),
            ..Variations::default()
        }
    }

    /// Writes or reads the state.
    pub(super) fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        let mut count = self.newest.len();
        fields.within("count", &mut count, 1..=MOST)?;
        self.newest.resize_with(count, || None);
        for (number, line) in self.newest.iter_mut().enumerate() {
            fields.field(&format!("newest.{number}"), line)?;
        }
        fields.within("seen", &mut self.seen, 0..=count)?;
        fields.field("has-deepened", &mut self.has_deepened)?;
        fields.list("complete", &mut self.complete, count)?;
        fields.field("is-complete", &mut self.is_complete)?;
        fields.field("is-reordered", &mut self.is_reordered)
    }

    /// Returns true if all can be played in this position.
    pub(super) fn are_playable(&self, root: RootPosition) -> bool {
        self.newest
            .iter()
            .flatten()
            .chain(&self.complete)
            .all(|info| !info.pv.is_empty() && playable_moves(root, &info.pv).count() == info.pv.len())
    }

    /// The most variations shown.
    pub(super) fn count(&self) -> usize {
        self.newest.len()
    }

    /// Returns true if more than one is shown.
    pub(in crate::session) fn are_several(&self) -> bool {
        self.newest.len() > 1
    }

    /// Takes a variation; ignores it if only one is shown.
    pub(super) fn take(&mut self, info: &Info) {
        if !self.are_several() {
            return;
        }
        self.is_complete = false;
        let place = usize::from(info.line.max(1)) - 1;
        let Some(old) = self.newest.get_mut(place) else { return };
        self.has_deepened |= place == 0 && old.as_ref().is_some_and(|old| old.depth < info.depth);
        self.seen = self.seen.max(place + 1);
        *old = Some(info.clone());
        // Lines that are out of order all come again at once, in order.
        let is_last = place + 1 == self.expected();
        self.is_complete = is_last && self.is_set(info.depth) && (info.again || self.is_sorted());
        if self.is_complete {
            self.complete = self.newest[..self.expected()].iter().flatten().cloned().collect();
            self.is_reordered = info.again;
        }
    }

    /// The complete set that the newest variation has ended, if any.
    pub(in crate::session) fn completed(&self) -> Option<&[Info]> {
        self.is_complete.then_some(&self.complete)
    }

    /// The last complete set; empty if there was none.
    pub(in crate::session) fn last_set(&self) -> &[Info] {
        &self.complete
    }

    /// Returns true if the last reports are a complete set in order.
    pub(in crate::session) fn is_settled(&self) -> bool {
        self.is_complete && !self.is_reordered
    }

    /// The variations of a search that ends with `best`: `best`, then the last complete set without
    /// its first move. The set may be one depth behind.
    pub(in crate::session) fn last(&self, best: Info) -> Vec<Info> {
        let others = self.complete.iter().filter(|info| info.pv.first() != best.pv.first()).cloned();
        let mut last: Vec<Info> = std::iter::once(best.clone()).chain(others).collect();
        last.truncate(self.complete.len().max(1));
        for (line, info) in (1..).zip(&mut last) {
            info.line = line;
        }
        last
    }

    /// The most nodes and the longest time reported with a variation.
    pub(super) fn totals(&self) -> (Option<u64>, Option<Duration>) {
        let newest = || self.newest.iter().flatten();
        (newest().map(|info| info.nodes).max(), newest().map(|info| info.elapsed).max())
    }

    /// The number of lines of a depth.
    fn expected(&self) -> usize {
        if self.has_deepened { self.seen } else { self.newest.len() }
    }

    /// Returns true if every line is known at this depth and has a different first move. A slow
    /// reader may lose reports.
    fn is_set(&self, depth: u8) -> bool {
        let lines = &self.newest[..self.expected()];
        lines.iter().enumerate().all(|(place, info)| {
            let first = |info: &Option<Info>| info.as_ref().and_then(|info| info.pv.first().copied());
            info.as_ref().is_some_and(|info| info.depth == depth)
                && lines[..place].iter().all(|earlier| first(earlier) != first(info))
        })
    }

    fn is_sorted(&self) -> bool {
        self.newest.iter().flatten().is_sorted_by_key(|info| -info.score.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Move, Square};
    use crate::search::{Bound, Score};

    fn info(depth: u8, line: u8, score: i32, first: u8, again: bool) -> Info {
        Info {
            depth,
            selective_depth: depth,
            score: Score(score),
            bound: Bound::Exact,
            elapsed: Duration::ZERO,
            nodes: 1,
            line,
            pv: vec![Move::normal(Square::new(first), Square::new(first + 8))],
            again,
            table_usage: None,
        }
    }

    fn take(variations: &mut Variations, info: &Info) -> bool {
        variations.take(info);
        variations.completed().is_some()
    }

    /// Depth and first move of each line.
    fn last(variations: &Variations, best: Info) -> Vec<(u8, u8)> {
        let last = variations.last(best);
        assert!(last.iter().zip(1..).all(|(info, line)| info.line == line));
        last.iter().map(|info| (info.depth, info.pv[0].from().index() as u8)).collect()
    }

    #[test]
    fn sets_are_complete_at_one_depth_and_in_order() {
        let mut variations = Variations::new(2);
        for (depth, line, score, first, again, complete) in [
            (1, 1, 20, 1, false, false),
            (1, 2, 10, 2, false, true),
            (2, 1, 5, 1, false, false),
            (2, 2, 15, 2, false, false),
            (2, 1, 15, 2, true, false),
            (2, 2, 5, 1, true, true),
            // One line may be lost to a slow reader.
            (3, 2, 4, 1, false, false),
            (4, 1, 5, 1, false, false),
            (4, 2, 4, 2, false, true),
            (4, 3, 4, 3, false, false),
            // The reordered first line was lost.
            (5, 1, 5, 1, false, false),
            (5, 2, 15, 2, false, false),
            (5, 2, 5, 1, true, false),
        ] {
            let is_complete = take(&mut variations, &info(depth, line, score, first, again));
            assert_eq!(is_complete, complete, "{depth} {line} {again}");
            assert_eq!(variations.is_settled(), complete && !again);
        }
    }

    #[test]
    fn an_engine_may_have_fewer_lines_than_requested() {
        let mut variations = Variations::new(4);
        for (depth, line, score, complete) in [
            (1, 1, 20, false),
            // There was one line at depth 1.
            (2, 1, 20, true),
            (3, 1, 30, true),
            // There are two from now on.
            (3, 2, 10, true),
            (4, 1, 30, false),
            (4, 2, 10, true),
        ] {
            let is_complete = take(&mut variations, &info(depth, line, score, line, false));
            assert_eq!(is_complete, complete, "{depth} {line}");
        }
    }

    #[test]
    fn no_move_begins_two_of_the_last_variations() {
        let mut variations = Variations::new(3);
        assert_eq!(last(&variations, info(1, 1, 30, 1, false)), [(1, 1)], "before the first set");
        for (line, first) in [(1, 1), (2, 2), (3, 3)] {
            variations.take(&info(4, line, -i32::from(line), first, false));
        }
        // The new best move was second, third, first, or in no line.
        for (best, expected) in [(2, [2, 1, 3]), (3, [3, 1, 2]), (1, [1, 2, 3]), (7, [7, 1, 2])] {
            let best = info(5, 1, 50, best, false);
            variations.take(&best);
            let expected: Vec<(u8, u8)> = [5, 4, 4].into_iter().zip(expected).collect();
            assert_eq!(last(&variations, best), expected);
        }
    }

    #[test]
    fn a_single_variation_is_not_kept_twice() {
        let mut variations = Variations::new(1);
        variations.take(&info(3, 1, 30, 1, false));
        assert!(!variations.are_several() && variations.completed().is_none());
        assert_eq!(last(&variations, info(3, 1, 30, 1, false)), [(3, 1)]);
    }
}
