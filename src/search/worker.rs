//! A running search, and operations of every node.

use super::adjustment::Adjustment;
use super::gate::Gate;
use super::known_scores::KnownScores;
use super::lmr::Lmr;
use super::pace::Pace;
use super::path::Path;
use super::report::Report;
use super::reporter::Reporter;
use super::request::Request;
use super::root_moves::Root;
use super::scratch::Scratch;
use super::searchable::Searchable;
use super::table::{Region, Table};
use super::warm::Offers;
use crate::chess::Move;

/// A running search.
pub(super) struct Worker<'a> {
    pub request: &'a Request,
    pub table: Region<'a>,
    /// Salt of the table's keys.
    salt: u64,
    pub scratch: Scratch,
    pub pace: Pace<'a>,
    pub path: Path,
    pub root: Root,
    pub reporter: Reporter<'a>,
    pub offers: Offers,
    pub known: KnownScores,
    pub adjustment: Adjustment,
    pub lmr: Lmr,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        request: &'a Request,
        table: &'a Table,
        gate: &'a mut dyn Gate,
        reports: &'a mut dyn FnMut(Report),
    ) -> Worker<'a> {
        Worker {
            request,
            table: table.region(request.table.salt, request.table.memory, request.game),
            salt: super::table_salt::salt(request),
            scratch: table.scratch.take(),
            pace: Pace::new(request, gate),
            path: Path::new(&request.past.history),
            root: Root::default(),
            reporter: Reporter::new(reports),
            offers: Offers::NONE,
            known: KnownScores::of(request),
            adjustment: Adjustment::of(request),
            lmr: Lmr::new(),
        }
    }

    /// Returns the table key of a position, salted so that sessions and variants do not share
    /// entries.
    #[inline]
    pub(super) fn table_key<P: Searchable>(&self, position: &P) -> u64 {
        position.key() ^ self.salt
    }

    /// Prefetches the entry of the position after a move, probably.
    #[inline(always)]
    pub(super) fn prefetch_after<P: Searchable>(&self, position: &P, mv: Move) {
        self.table.prefetch(position.likely_key_after(mv) ^ self.salt);
    }

    /// Plays a move and prefetches the entry of the position after it, which is returned. Inlined,
    /// since returning a position copies it.
    #[inline(always)]
    pub(super) fn play<P: Searchable>(&mut self, position: &P, ply: usize, mv: Move) -> P {
        let child = self.path.play(position, ply, mv);
        self.table.prefetch(self.table_key(&child));
        child
    }

    /// Counts a node. Returns true if the search must end without it.
    #[inline]
    pub(super) fn visit(&mut self) -> bool {
        if self.pace.is_due() {
            self.poll();
        }
        self.pace.count()
    }

    #[cold]
    fn poll(&mut self) {
        let over = self.pace.is_over(self.root.depth);
        if over || self.root.settled && self.pace.is_late(self.root.is_calm()) {
            self.pace.stop();
        } else {
            self.poll_gate();
            self.pace.give_up_recall(false);
        }
        // Changed limits may stop the search in mid-iteration.
        if self.pace.update_limits() && self.root.depth > self.deepest() {
            self.pace.stop();
        }
        self.table.refresh();
        self.report_progress();
        self.offer_warm();
    }

    /// Polls the gate, which may block. Reports progress before, which the client would otherwise
    /// see only after the next slice.
    fn poll_gate(&mut self) {
        if !self.pace.pauses() {
            return self.pace.poll_gate();
        }
        if self.pace.is_recalling() && self.reporter.is_silent() && self.offers.nodes_before == 0 {
            // Something shallow can be shown before other searches run.
            return self.pace.give_up_recall(true);
        }
        self.report_progress_at(self.pace.elapsed());
        self.pace.poll_gate();
        self.reporter.postpone_progress(self.pace.elapsed());
    }

    /// Returns the current maximum depth.
    pub(super) fn deepest(&self) -> i32 {
        self.root.deepest(self.pace.limits().depth)
    }
}
