//! Seeded simulation of the lender: searches get and lose tokens, end, and have their processes
//! fail.

use super::{Borrower, Lender, Loan, Priority, ProcessState, Ticket};
use crate::random::mix;
use std::collections::{HashMap, VecDeque};

const SEEDS: u64 = 256;
const STEPS: usize = 2000;
/// Turns that a search to a depth needs without beginning anew.
const TURNS_OF_SEARCH: u32 = 10;

/// A process as the searches see it.
#[derive(Clone, Copy, Default)]
struct Process {
    /// The number of its table.
    table: Option<u64>,
    /// The search that runs or is suspended on it.
    ticket: Option<Ticket>,
}

struct World {
    seed: u64,
    lender: Lender,
    shares: bool,
    tokens: usize,
    processes: Vec<Option<Process>>,
    /// Searches, and the process on which each runs.
    searches: HashMap<Ticket, (Borrower, Option<usize>)>,
    tickets: u64,
}

impl World {
    fn new(seed: u64) -> World {
        let mut world = World {
            seed,
            lender: Lender::new(1, false),
            shares: false,
            tokens: 0,
            processes: Vec::new(),
            searches: HashMap::new(),
            tickets: 0,
        };
        world.tokens = 1 + world.dice(4);
        let count = world.tokens + world.dice(4);
        world.shares = world.dice(2) == 0;
        world.lender = Lender::new(count, world.shares);
        world.processes = vec![None; count];
        world
    }

    fn dice(&mut self, sides: usize) -> usize {
        self.seed = mix(self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
        (self.seed >> 33) as usize % sides
    }

    fn running(&self) -> Vec<(Borrower, usize)> {
        self.searches.values().filter_map(|&(who, process)| Some((who, process?))).collect()
    }

    fn pick<T: Copy>(&mut self, mut from: Vec<T>, key: impl Fn(&T) -> u64) -> Option<T> {
        from.sort_unstable_by_key(key);
        let count = from.len();
        (count > 0).then(|| from[self.dice(count)])
    }

    fn step(&mut self) {
        let running = self.running();
        match self.dice(10) {
            0 => {
                self.tickets += 1;
                let table = self.dice(12) as u64;
                let priority = [Priority::Analysis, Priority::Depth, Priority::Game][self.dice(3)];
                let who = Borrower { ticket: Ticket(self.tickets), table, priority, waits: false };
                self.searches.insert(who.ticket, (who, None));
            }
            1 => {
                let all = self.searches.keys().copied().collect();
                if let Some(ticket) = self.pick(all, |ticket| ticket.0) {
                    self.searches.remove(&ticket);
                    self.lender.give_back(ticket);
                    for process in self.processes.iter_mut().flatten() {
                        process.ticket = process.ticket.filter(|&by| by != ticket);
                    }
                }
            }
            2 => {
                if let Some((who, process)) = self.pick(running, |(who, _)| who.ticket.0) {
                    self.lender.lost(process);
                    self.processes[process] = None;
                    self.searches.insert(who.ticket, (who, None));
                }
            }
            3..6 => {
                if let Some((who, process)) = self.pick(running, |(who, _)| who.ticket.0) {
                    self.lender.park(process, who);
                    self.searches.insert(who.ticket, (who, None));
                }
            }
            _ if running.len() < self.tokens => {
                let waiting = self.searches.values().filter(|(_, process)| process.is_none());
                let waiting = waiting.map(|&(who, _)| who).collect();
                if let Some(who) = self.pick(waiting, |who: &Borrower| who.ticket.0) {
                    self.borrow(who);
                }
            }
            _ => {}
        }
    }

    fn borrow(&mut self, who: Borrower) {
        let own =
            self.processes.iter().position(|process| process.is_some_and(|at| at.ticket == Some(who.ticket)));
        let loan = self.lender.borrow(who);
        let number = match loan {
            Loan::Wait => panic!("there are as many processes as tokens, and this one has a token"),
            Loan::Resume(number) => {
                assert_eq!(own, Some(number), "it resumes what is its own");
                number
            }
            Loan::Start(number) => {
                assert!(self.processes[number].is_none(), "a process is started twice");
                self.processes[number] = Some(Process::default());
                number
            }
            Loan::Lend { process, clear } => {
                let lent = self.processes[process].as_mut().expect("a process that runs");
                if clear {
                    lent.table = None;
                }
                let foreign = lent.table.is_some_and(|table| table != who.table);
                assert!(!foreign || self.shares, "a search sees another session's table");
                process
            }
        };
        assert!(own.is_none() || loan == Loan::Resume(number), "it has a process that waits for it");
        let busy = self.running().into_iter().any(|(_, process)| process == number);
        assert!(!busy, "a process that searches is lent");
        self.processes[number] = Some(Process { table: Some(who.table), ticket: Some(who.ticket) });
        self.searches.insert(who.ticket, (who, Some(number)));
    }

    fn check(&self) {
        for (number, state) in self.lender.states().enumerate() {
            let process = self.processes[number];
            match state {
                ProcessState::Vacant => assert!(process.is_none()),
                ProcessState::Idle => assert!(process.is_some_and(|process| process.ticket.is_none())),
                ProcessState::Lent(ticket) => assert_eq!(self.searches[&ticket].1, Some(number)),
                ProcessState::Parked(ticket, _) => {
                    assert_eq!(process.and_then(|process| process.ticket), Some(ticket))
                }
            }
        }
    }
}

#[test]
fn no_process_has_two_searches_and_no_search_another_ones_table() {
    for seed in 0..SEEDS {
        let mut world = World::new(mix(seed));
        for step in 0..STEPS {
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                world.step();
                world.check();
            }));
            assert!(outcome.is_ok(), "seed {seed}, step {step}");
        }
    }
}

/// Searches to a depth, which take turns, end if there is a process more than tokens. A turn on
/// another process begins anew.
#[test]
fn searches_to_a_depth_end() {
    for (tokens, processes, count) in [(1, 2, 2), (1, 2, 9), (2, 3, 20), (2, 4, 50), (4, 5, 12)] {
        let mut lender = Lender::new(processes, false);
        let who = |number: u64| Borrower {
            ticket: Ticket(number),
            table: number,
            priority: Priority::Depth,
            waits: false,
        };
        let mut waiting: VecDeque<(u64, u32)> = (0..count).map(|number| (number, 0)).collect();
        let mut turns = 0;
        while !waiting.is_empty() {
            let running = waiting.drain(..tokens.min(waiting.len())).map(|(number, done)| {
                let (process, before) = match lender.borrow(who(number)) {
                    Loan::Resume(process) => (process, done),
                    Loan::Lend { process, .. } | Loan::Start(process) => (process, 0),
                    Loan::Wait => panic!("there are more processes than tokens"),
                };
                (number, process, before + 1)
            });
            for (number, process, done) in running.collect::<Vec<_>>() {
                if done == TURNS_OF_SEARCH {
                    lender.give_back(Ticket(number));
                } else {
                    lender.park(process, who(number));
                    waiting.push_back((number, done));
                }
            }
            turns += 1;
            assert!(turns < 100_000, "{tokens} tokens, {processes} processes, {count} searches");
        }
    }
}
