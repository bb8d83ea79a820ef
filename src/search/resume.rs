//! Resuming at the depth that the table holds for a position.
//!
//! An analysis that is left and entered again, or returns to a position, continues where it stood.
//! Everything it knew is in the table, so repeating the last iteration is cheap if it is done
//! first: shallower ones would overwrite the deeper entries.

use super::node::{from_table, to_table};
use super::report::{Bound, Report};
use super::root_moves::NOT_SEARCHED;
use super::score::MAX_PLY;
use super::searchable::Searchable;
use super::table::Entry;
use super::worker::Worker;
use crate::chess::Move;
use crate::random::mix;
use arrayvec::ArrayVec;

/// Minimum depth: shallower iterations take no time.
const MIN_DEPTH: u8 = 5;
/// Nodes for each squared ply of depth after which the table seems to have lost its entries: twice
/// the measured need if it has not.
const NODES_PER_DEPTH_SQUARED: u64 = 800;
/// Divisor of the nodes that produced a warm part: the least patience of a search that has one.
const PATIENT_SHARE: u64 = 4;
/// The most by which such a node count may multiply the usual patience: it may be forged.
const MOST_PATIENCE: u64 = 300;
/// Maximum age in iterations of useful entries of first moves.
const MAX_AGE: u8 = 3;

impl Worker<'_> {
    /// Repeats the last iteration in the table, searching each line that it lacks from depth 1.
    /// Returns the depth reached; 0 if the table knows nothing or lacks entries below.
    pub(super) fn resume<P: Searchable>(&mut self, position: &P, lines: usize, deepest: i32) -> i32 {
        if !self.request.resumption.from_table || self.request.style.strength.is_some() {
            return 0;
        }
        let found = self.table.probe(self.root_key(position));
        let known = found.filter(|entry| entry.bound == Bound::Exact && entry.depth >= MIN_DEPTH);
        let Some((entry, best)) = known.and_then(|entry| Some((entry, entry.mv?))) else { return 0 };
        if !self.expect(position, &entry, best) {
            return 0;
        }
        self.reporter.send(Report::Known(best));
        let depth = i32::from(entry.depth).min(deepest);
        for line in 0..lines {
            self.root.begin_line(line);
            let known = self.root.moves[line].expected != NOT_SEARCHED && self.recall(position, depth);
            if !known && line == 0 && !self.pace.is_stopped() {
                return 0;
            }
            for shallow in if known { depth + 1 } else { 1 }..=depth {
                if !self.pace.is_stopped() {
                    self.root.depth = shallow;
                    self.aspire(position, shallow);
                }
            }
            if self.pace.is_stopped() {
                return 0;
            }
            self.rank_lines(depth);
        }
        // A deeper entry is not overwritten because a limit cuts off the search.
        if depth == i32::from(entry.depth) {
            self.remember(position, depth);
        }
        depth
    }

    /// Stores the result of an iteration: the score of the position, and the positions of its best
    /// lines, which other searches may have reduced to bounds. A user who steps through a line
    /// resumes there, too.
    pub(super) fn remember<P: Searchable>(&mut self, position: &P, depth: i32) {
        if !self.request.resumption.from_table || self.request.style.strength.is_some() {
            return;
        }
        let lines = usize::from(self.request.first_moves.lines).clamp(1, self.root.moves.len());
        for index in (0..lines).rev() {
            let line = &self.root.moves[index].line;
            let mut at = *position;
            for (ply, &mv) in line.iter().enumerate().take(depth as usize) {
                let score =
                    if ply % 2 == 0 { self.root.moves[index].score } else { -self.root.moves[index].score };
                self.remember_step(&at, ply, (depth - ply as i32) as u8, mv, score);
                at.play(mv);
            }
        }
    }

    /// Stores the best move and score of one position of a line.
    fn remember_step<P: Searchable>(&self, position: &P, ply: usize, depth: u8, mv: Move, score: i32) {
        let key = if ply == 0 { self.root_key(position) } else { self.table_key(position) };
        let better = |old: Entry| old.depth > depth || old.depth == depth && old.bound == Bound::Exact;
        if ply > 0 && self.table.probe(key).is_some_and(better) {
            return;
        }
        self.table.store(key, self.entry_of_line(position, ply, depth, mv, score));
    }

    /// Returns the table entry of a position of a best line.
    pub(super) fn entry_of_line<P: Searchable>(
        &self,
        position: &P,
        ply: usize,
        depth: u8,
        mv: Move,
        score: i32,
    ) -> Entry {
        let evaluation = if position.in_check() { 0 } else { self.adjustment.evaluate(position) };
        Entry { mv: Some(mv), score: to_table(score, ply), evaluation, depth, bound: Bound::Exact, pv: true }
    }

    /// Searches a line as deep as its entry. Returns false if there is none, or the search is
    /// stopped, or must yield before anything can be shown.
    fn recall<P: Searchable>(&mut self, position: &P, depth: i32) -> bool {
        self.root.depth = depth;
        self.pace.begin_recall(patience(depth, self.offers.nodes_before));
        self.aspire(position, depth);
        self.pace.end_recall()
    }

    /// Returns true if an exact entry settles a node of the recalled best line, which holds once a
    /// warm part was read.
    /// Searching the line again finds another score often enough, with histories that are empty,
    /// and then has to search all of the depth.
    pub(super) fn settles_recalled_line(&self, entry: &Entry) -> bool {
        entry.bound == Bound::Exact && self.pace.is_recalling() && self.offers.nodes_before > 0
    }

    /// Reads the rest of the best line from the table, from a settled node on.
    pub(super) fn recall_line<P: Searchable>(&mut self, position: &P, entry: &Entry, ply: usize) {
        let longest = usize::from(entry.depth).min(MAX_PLY - ply);
        let (mut at, mut next) = (*position, Some(*entry));
        let moves = std::iter::from_fn(|| {
            let mv = next.and_then(|entry| entry.mv).filter(|&mv| at.is_legal(mv))?;
            at.play(mv);
            next = self.table.probe(self.table_key(&at)).filter(|entry| entry.bound == Bound::Exact);
            Some(mv)
        });
        let line: ArrayVec<Move, MAX_PLY> = moves.take(longest).collect();
        self.scratch.lines.set(ply, line);
    }

    /// Puts the first moves in the order in which the table has them. False if that move is none of
    /// them, or the table has lost most of them.
    fn expect<P: Searchable>(&mut self, position: &P, entry: &Entry, best: Move) -> bool {
        let mut found = 0;
        for index in 0..self.root.moves.len() {
            let mv = self.root.moves[index].mv;
            let known = self.table.probe(self.table_key(&position.after(mv)));
            found += usize::from(known.is_some());
            let recent = |known: &Entry| known.bound == Bound::Exact && known.depth + MAX_AGE >= entry.depth;
            let score = known.filter(recent).map(|known| -from_table(known.score, 1));
            let expected = if mv == best { Some(entry.score) } else { score };
            self.root.moves[index].expected = expected.unwrap_or(NOT_SEARCHED);
        }
        self.root.moves.sort_by_key(|root| (root.mv != best, -root.expected));
        self.root.moves[0].mv == best && found > self.root.moves.len() / 2
    }

    /// Returns the key of the searched position, or of what is left without the excluded moves.
    pub(super) fn root_key<P: Searchable>(&self, position: &P) -> u64 {
        let excluded = &self.request.first_moves.excluded;
        let moves = position.legal_moves().into_iter().filter(|mv| excluded.contains(mv));
        moves.fold(self.table_key(position), |key, mv| key ^ mix(u64::from(mv.bits())))
    }
}

/// Returns the nodes after which a recalled depth is given up, by the nodes behind the warm part.
fn patience(depth: i32, nodes_before: u64) -> u64 {
    let usual = NODES_PER_DEPTH_SQUARED * (depth * depth) as u64;
    (nodes_before / PATIENT_SHARE).clamp(usual, MOST_PATIENCE * usual)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{AnyPosition, Variant};
    use crate::search::bench::OpenGate;
    use crate::search::{Limits, Request, Resumption, Table, search};

    const FEN: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";

    /// Returns the depths of the reported variations and the known move, with a table that pretends
    /// to have searched 20 plies.
    fn pretend(has_moves: bool, best: Option<Move>) -> (Vec<u8>, Option<Move>) {
        let position = AnyPosition::from_fen(Variant::NORMAL, FEN).unwrap();
        let limits = Limits { nodes: Some(600_000), ..Limits::default() };
        let request = Request {
            limits,
            resumption: Resumption { from_table: true, ..Resumption::default() },
            ..Request::of(position)
        };
        let table = Table::private(16).unwrap();
        let region = table.region(request.table.salt, None, false);
        let salt = crate::search::table_salt::salt(&request);
        let entry = |mv, depth| Entry { mv, score: 30, evaluation: 0, depth, bound: Bound::Exact, pv: true };
        region.store(position.key() ^ salt, entry(best, 20));
        for mv in position.legal_moves().into_iter().filter(|_| has_moves) {
            let mut child = position;
            child.play(mv);
            region.store(child.key() ^ salt, entry(None, 1));
        }
        let (mut depths, mut known) = (Vec::new(), None);
        let done = search(&request, &table, &mut OpenGate::new(), &mut |report| match report {
            Report::Info(info) => depths.push(info.depth),
            Report::Known(mv) => known = Some(mv),
            Report::Progress(_) | Report::SavingDrops(_) | Report::Notice(_) | Report::Warm(_) => {}
        });
        assert!(done.best.is_some_and(|mv| position.is_legal(mv)));
        (depths, known)
    }

    #[test]
    fn lost_entries_are_noticed() {
        let position = AnyPosition::from_fen(Variant::NORMAL, FEN).unwrap();
        let best = position.parse_move("Ne5").ok();
        let (depths, known) = pretend(true, best);
        assert_eq!(known, best);
        let shallow: Vec<u8> = depths.iter().copied().filter(|&depth| depth < 20).collect();
        assert!(shallow.starts_with(&[1]) && shallow.contains(&7), "patience has an end: {depths:?}");
        let (depths, known) = pretend(false, best);
        assert_eq!((depths[0], known), (1, None), "most of its moves are gone");
    }

    #[test]
    fn a_forged_node_count_does_not_buy_endless_patience() {
        assert_eq!(patience(20, 0), 320_000);
        assert_eq!(patience(20, 4_000_000), 1_000_000);
        assert_eq!(patience(20, u64::MAX), 96_000_000);
    }

    #[test]
    fn a_move_that_is_none_is_not_taken_from_the_table() {
        for mv in [None, Move::from_bits(1), Move::from_bits(4711)] {
            let (depths, known) = pretend(true, mv);
            assert_eq!((depths[0], known), (1, None));
        }
    }
}
