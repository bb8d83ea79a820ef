//! Lends processes to searches: a pure value, without processes.
//!
//! A search with a token borrows a process. When it gives its token back, its process is parked:
//! suspended, and still reserved for the search. An idle process with the borrower's table is lent
//! first, then one that is not started yet, then the one that has been idle longest, and a parked
//! one only if there is no other: that of the search with the lowest [`Priority`].

use std::cmp::Reverse;

#[cfg(test)]
mod simulation;

/// Identifies a search of an engine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Ticket(pub u64);

/// The order in which searches lose their parked processes, lowest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Priority {
    /// A search without an end: the last parked first, since the pool takes turns and its turn
    /// comes last.
    Analysis,
    /// A search to a depth, without a clock: the newest first. If the oldest began anew at each
    /// turn, too, none would ever reach its depth.
    Depth,
    /// A search for a game, which loses more than an analysis: the last parked first.
    Game,
}

/// A search that wants a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Borrower {
    pub(super) ticket: Ticket,
    /// The number of the table that it may see: searches of a session share it.
    pub(super) table: u64,
    /// When it loses its parked process.
    pub(super) priority: Priority,
    /// Whether it waits for a process that searches with its table: a session has one search at a
    /// time, so the earlier one is about to end.
    pub(super) waits: bool,
}

/// The answer to a borrower. Processes are numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Loan {
    /// Its own process, which is parked in the middle of its search.
    Resume(usize),
    /// A process, which may still be searching for another. With `clear` its table must be cleared
    /// first.
    Lend {
        /// Its number.
        process: usize,
        /// Whether it has the table of another session.
        clear: bool,
    },
    /// A process that must be started first.
    Start(usize),
    /// The process with its table is still searching, or all are.
    Wait,
}

/// The state of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ProcessState {
    /// It is not started.
    Vacant,
    /// It has no search.
    Idle,
    /// It is lent to a search.
    Lent(Ticket),
    /// It is suspended in the middle of a search.
    Parked(Ticket, Priority),
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    state: ProcessState,
    /// The number of its table.
    table: Option<u64>,
    /// Number of the change by which it was last parked or given back.
    since: u64,
}

/// The processes of one engine.
#[derive(Clone, Debug)]
pub(super) struct Lender {
    slots: Vec<Slot>,
    /// Whether sessions may see each other's tables.
    share_table: bool,
    changes: u64,
}

impl Lender {
    /// A lender of `processes` processes, at least 1.
    pub(super) fn new(processes: usize, share_table: bool) -> Lender {
        let slot = Slot { state: ProcessState::Vacant, table: None, since: 0 };
        Lender { slots: vec![slot; processes.max(1)], share_table, changes: 0 }
    }

    /// Lends a process to a search that has no running one.
    pub(super) fn borrow(&mut self, who: Borrower) -> Loan {
        let Some((index, loan)) = self.choose(who) else { return Loan::Wait };
        let slot = &mut self.slots[index];
        (slot.state, slot.table) = (ProcessState::Lent(who.ticket), Some(who.table));
        loan
    }

    fn choose(&self, who: Borrower) -> Option<(usize, Loan)> {
        let parked_by =
            |slot: &Slot| matches!(slot.state, ProcessState::Parked(ticket, _) if ticket == who.ticket);
        if let Some(own) = self.slots.iter().position(parked_by) {
            return Some((own, Loan::Resume(own)));
        }
        let ends = |slot: &Slot| matches!(slot.state, ProcessState::Lent(_)) && slot.table == Some(who.table);
        if who.waits && self.slots.iter().any(ends) {
            return None;
        }
        let idle = |slot: &Slot| slot.state == ProcessState::Idle;
        let with_table = |table: Option<u64>| {
            let fits = |slot: &Slot| idle(slot) && slot.table == table;
            self.slots.iter().position(fits).map(|process| (process, Loan::Lend { process, clear: false }))
        };
        if let Some(found) = with_table(Some(who.table)).or_else(|| with_table(None)) {
            return Some(found);
        }
        if let Some(vacant) = self.slots.iter().position(|slot| slot.state == ProcessState::Vacant) {
            return Some((vacant, Loan::Start(vacant)));
        }
        let indexed = || self.slots.iter().enumerate();
        let idle = indexed().filter(|(_, slot)| idle(slot)).min_by_key(|(_, slot)| slot.since);
        let parked = || {
            let parked = indexed().filter_map(|(index, slot)| match slot.state {
                ProcessState::Parked(Ticket(ticket), priority) => {
                    let newest = if priority == Priority::Depth { ticket } else { slot.since };
                    Some(((priority, Reverse(newest)), index, slot))
                }
                ProcessState::Vacant | ProcessState::Idle | ProcessState::Lent(_) => None,
            });
            parked.min_by_key(|&(order, ..)| order).map(|(_, index, slot)| (index, slot))
        };
        let (process, slot) = idle.or_else(parked)?;
        let clear = !self.share_table && slot.table != Some(who.table);
        Some((process, Loan::Lend { process, clear }))
    }

    /// Parks the process of a search that gives its token back.
    pub(super) fn park(&mut self, process: usize, who: Borrower) {
        debug_assert_eq!(self.slots[process].state, ProcessState::Lent(who.ticket));
        self.set(process, ProcessState::Parked(who.ticket, who.priority));
    }

    /// Takes back the process of a search, lent or parked. The process keeps its table.
    pub(super) fn give_back(&mut self, ticket: Ticket) {
        let held = |slot: &Slot| match slot.state {
            ProcessState::Lent(by) | ProcessState::Parked(by, _) => by == ticket,
            ProcessState::Vacant | ProcessState::Idle => false,
        };
        if let Some(process) = self.slots.iter().position(held) {
            self.set(process, ProcessState::Idle);
        }
    }

    /// Records that a process has exited.
    pub(super) fn lost(&mut self, process: usize) {
        self.set(process, ProcessState::Vacant);
        self.slots[process].table = None;
    }

    /// The state of each process.
    pub(super) fn states(&self) -> impl Iterator<Item = ProcessState> {
        self.slots.iter().map(|slot| slot.state)
    }

    fn set(&mut self, process: usize, state: ProcessState) {
        self.changes += 1;
        let slot = &mut self.slots[process];
        (slot.state, slot.since) = (state, self.changes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn who(number: u64) -> Borrower {
        Borrower { ticket: Ticket(number), table: number, priority: Priority::Analysis, waits: false }
    }

    #[test]
    fn a_search_that_comes_back_in_time_resumes_its_process() {
        let mut lender = Lender::new(2, false);
        assert_eq!(lender.borrow(who(1)), Loan::Start(0));
        lender.park(0, who(1));
        assert_eq!(lender.borrow(who(2)), Loan::Start(1));
        lender.park(1, who(2));
        assert_eq!(lender.borrow(who(1)), Loan::Resume(0));
        assert_eq!(lender.borrow(who(3)), Loan::Lend { process: 1, clear: true });
        assert_eq!(lender.borrow(who(2)), Loan::Wait);
    }

    #[test]
    fn the_next_search_of_a_session_finds_its_table() {
        let mut lender = Lender::new(2, false);
        lender.borrow(who(1));
        lender.borrow(who(2));
        lender.give_back(Ticket(1));
        lender.give_back(Ticket(2));
        let next = Borrower { ticket: Ticket(7), ..who(2) };
        assert_eq!(lender.borrow(next), Loan::Lend { process: 1, clear: false });
        assert_eq!(lender.borrow(who(8)), Loan::Lend { process: 0, clear: true });
        lender.give_back(Ticket(7));
        lender.lost(0);
        assert_eq!(lender.borrow(who(9)), Loan::Start(0), "a table is worth more than a start");
    }

    #[test]
    fn the_next_search_of_a_session_waits_for_the_end_of_the_one_before() {
        let mut lender = Lender::new(2, false);
        lender.borrow(who(1));
        let next = Borrower { ticket: Ticket(7), waits: true, ..who(1) };
        assert_eq!(lender.borrow(next), Loan::Wait);
        assert_eq!(lender.borrow(Borrower { waits: false, ..next }), Loan::Start(1), "only for a while");
        lender.give_back(Ticket(1));
        lender.give_back(Ticket(7));
        assert_eq!(lender.borrow(next), Loan::Lend { process: 0, clear: false });
    }

    #[test]
    fn games_keep_their_processes_longest_and_analyses_by_turns() {
        let mut lender = Lender::new(3, true);
        let game = Borrower { priority: Priority::Game, ..who(1) };
        lender.borrow(game);
        lender.borrow(who(2));
        lender.borrow(who(3));
        lender.park(1, who(2));
        lender.park(2, who(3));
        lender.park(0, game);
        assert_eq!(lender.borrow(who(4)), Loan::Lend { process: 2, clear: false }, "tables are shared");
        assert_eq!(lender.borrow(who(5)), Loan::Lend { process: 1, clear: false });
        assert_eq!(lender.borrow(who(6)), Loan::Lend { process: 0, clear: false });
        assert_eq!(lender.borrow(who(7)), Loan::Wait);
        lender.give_back(Ticket(5));
        assert_eq!(lender.borrow(who(7)), Loan::Lend { process: 1, clear: false });
    }

    #[test]
    fn the_oldest_search_to_a_depth_keeps_its_process() {
        let mut lender = Lender::new(3, false);
        let depth = |number| Borrower { priority: Priority::Depth, ..who(number) };
        lender.borrow(depth(1));
        lender.borrow(depth(2));
        lender.borrow(who(3));
        lender.park(1, depth(2));
        lender.park(2, who(3));
        lender.park(0, depth(1));
        assert_eq!(lender.borrow(who(4)), Loan::Lend { process: 2, clear: true }, "an analysis has no end");
        assert_eq!(lender.borrow(depth(5)), Loan::Lend { process: 1, clear: true }, "2 is newer than 1");
        lender.park(1, depth(5));
        assert_eq!(lender.borrow(depth(2)), Loan::Lend { process: 1, clear: true });
        assert_eq!(lender.borrow(depth(1)), Loan::Resume(0));
    }
}
