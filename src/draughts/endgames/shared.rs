//! The endgame database shared by all sessions of a profile.

use super::Endgames;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Number of pieces of the positions solved if no folder is given: about a second of a core, and 7
/// MB.
pub(crate) const SOLVED_PIECES: u32 = 4;

/// Returns the positions of up to four pieces, solved at the first call, which takes about a
/// second.
pub fn solved() -> Arc<Endgames> {
    static SOLVED: OnceLock<Arc<Endgames>> = OnceLock::new();
    let solve = || {
        let built = Endgames::build(SOLVED_PIECES, 1, &mut |_, _| ControlFlow::Continue(()));
        // Cannot fail: four pieces take at most 109 plies.
        Arc::new(built.unwrap_or_default())
    };
    Arc::clone(SOLVED.get_or_init(solve))
}

/// The endgame database of a program, which may have none yet.
#[derive(Debug, Default)]
pub struct SharedEndgames {
    ready: OnceLock<Arc<Endgames>>,
    begun: AtomicBool,
}

impl SharedEndgames {
    /// A database that is available at once.
    pub fn of(endgames: Endgames) -> SharedEndgames {
        SharedEndgames { ready: OnceLock::from(Arc::new(endgames)), begun: AtomicBool::new(true) }
    }

    /// Returns the database, once available.
    pub fn get(&self) -> Option<Arc<Endgames>> {
        self.ready.get().cloned()
    }

    /// Starts a thread that solves positions of up to four pieces, unless there is a database or
    /// such a thread. The thread calls `begin` first, which may lower its priority.
    ///
    /// # Errors
    /// The system cannot start a thread. A later call tries again.
    pub fn solve(self: &Arc<Self>, begin: impl FnOnce() + Send + 'static) -> io::Result<()> {
        if self.begun.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        let shared = Arc::clone(self);
        let body = move || {
            begin();
            let _ = shared.ready.set(solved());
        };
        let thread = std::thread::Builder::new().name("endgames".to_owned()).spawn(body);
        thread.map(drop).inspect_err(|_| self.begun.store(false, Ordering::Relaxed))
    }
}
