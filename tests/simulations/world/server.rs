//! A server: a process with sessions and a pool, which can die at any time and be restarted.

use crate::world::archive::Archive;
use crate::world::defects::Defects;
use crate::world::pool::Pool;
use crate::world::session::{Session, Surroundings, Verdict};
use farboard::link::ServerFrame;
use std::collections::BTreeMap;
use std::time::Instant;

/// The number of a connection.
pub type ConnectionId = u64;

/// A process.
pub struct Process {
    pub sessions: BTreeMap<ConnectionId, Session>,
    pool: Pool,
    /// Whether it exits when its sessions have left.
    pub drains: bool,
    /// Whether it asks sessions to move to another server.
    pub asks_to_move: bool,
    /// When it wakes next.
    pub wakes_at: Option<Instant>,
}

impl Process {
    pub fn new(seed: u64) -> Process {
        Process {
            sessions: BTreeMap::new(),
            pool: Pool::new(seed),
            drains: false,
            asks_to_move: false,
            wakes_at: None,
        }
    }

    /// Runs an operation on a session.
    pub fn with(
        &mut self,
        id: ConnectionId,
        archive: &mut Archive,
        defects: &mut Defects,
        now: Instant,
        act: impl FnOnce(&mut Session, &mut Surroundings<'_>) -> Verdict,
    ) -> Verdict {
        let mut with = Surroundings { pool: &mut self.pool, archive, defects, now };
        self.sessions.get_mut(&id).map_or(Verdict::GoesOn, |session| act(session, &mut with))
    }

    /// Executes everything due.
    pub fn run(&mut self, archive: &mut Archive, defects: &mut Defects, now: Instant) {
        loop {
            let news = self.pool.advance(now);
            let timed: Vec<ConnectionId> = self
                .sessions
                .iter()
                .filter_map(|(id, session)| is_due(session, now).then_some(*id))
                .collect();
            if news.is_empty() && timed.is_empty() {
                break;
            }
            for (job, event) in news {
                let mut with = Surroundings { pool: &mut self.pool, archive, defects, now };
                if let Some(session) = self.sessions.values_mut().find(|session| session.owner == job.owner) {
                    session.news(job.search, event, &mut with);
                }
            }
            for id in timed {
                let mut with = Surroundings { pool: &mut self.pool, archive, defects, now };
                if let Some(session) = self.sessions.get_mut(&id).filter(|session| is_due(session, now)) {
                    session.timer_fired(&mut with);
                }
            }
        }
        self.move_sessions(now);
    }

    /// Moves sessions that can move away from a draining server, or asks them to where another
    /// server has more room.
    fn move_sessions(&mut self, now: Instant) {
        if self.drains {
            for session in self.sessions.values_mut().filter(|session| !session.is_closed()) {
                if session.may_move(now) && session.is_idle() {
                    session.close_with(&[ServerFrame::Leave]);
                }
            }
        } else if self.asks_to_move {
            for session in self.sessions.values_mut().filter(|session| session.may_move(now)) {
                session.ask_to_move();
                self.asks_to_move = false;
            }
        }
    }

    /// When the next event happens.
    pub fn wake(&self) -> Option<Instant> {
        let timers = self.sessions.values().filter(|session| !session.is_closed());
        timers.filter_map(|session| session.timer).chain(self.pool.wake()).min()
    }

    /// Removes the session of a closed connection.
    pub fn remove(&mut self, id: ConnectionId, archive: &mut Archive, defects: &mut Defects, now: Instant) {
        if let Some(mut session) = self.sessions.remove(&id) {
            session.leave_game(&mut Surroundings { pool: &mut self.pool, archive, defects, now });
            self.pool.forget(session.owner, now);
        }
    }
}

fn is_due(session: &Session, now: Instant) -> bool {
    !session.is_closed() && session.timer.is_some_and(|at| at <= now)
}

/// A machine with or without a running server.
pub struct Server {
    pub process: Option<Process>,
    pub started: u64,
}
