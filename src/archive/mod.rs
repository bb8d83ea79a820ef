//! The archive: games that have ended, in a file of PGN for each day, and one of PDN for draughts.
//!
//! A thread writes, so the event loop never waits for a disk; what waits is bounded, and sources share it. A game is written
//! whole or not at all, and the log names one that is not.
//!
//! * `queue`: the games that wait. `writer`: many games at a time. `budget`: limits of size.
//! * `recent`: games that are in the archive already. `record`: a game as text. `append`: a text at the end of a file.

mod append;
mod budget;
mod queue;
mod recent;
mod record;
mod writer;

pub use budget::Limits;

use crate::session::FinishedGame;
use queue::{MAX_SLOTS, Queue};
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};
use writer::{Writer, lost};

/// Slots of the games that are written together.
const BATCH: usize = 128;
/// How long the end of the server waits for the last games.
const END_TIMEOUT: Duration = Duration::from_secs(5);
/// Why nothing is written any more, which should not happen.
const NO_THREAD: &str = "the thread that writes games has ended";

/// Where a game was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Circumstances {
    /// The number of the session.
    pub session: u64,
    /// The user who has logged in by name.
    pub user: Option<String>,
    /// The session's source of shares ([`Source::id`](crate::pool::Source)).
    pub source: u64,
}

/// A game on its way.
struct Entry {
    game: Box<FinishedGame>,
    circumstances: Circumstances,
    /// The date of the engine's first move.
    began: SystemTime,
}

/// Games between the loop and the thread.
#[derive(Default)]
struct Desk {
    state: Mutex<DeskState>,
    changed: Condvar,
}

struct DeskState {
    queue: Queue<Entry>,
    /// Games that were taken, and are neither written nor logged as lost.
    unwritten: usize,
    /// No further games come.
    is_closed: bool,
}

impl Default for DeskState {
    fn default() -> DeskState {
        DeskState { queue: Queue::new(), unwritten: 0, is_closed: false }
    }
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, DeskState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for games and takes some; none when no further ones come.
    fn take(&self) -> Vec<Entry> {
        let mut state = self.lock();
        loop {
            let games = state.queue.take(BATCH);
            if !games.is_empty() || state.is_closed {
                return games;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Takes games that have ended. When it is dropped, it waits a few seconds for the last ones.
pub struct Archive {
    limits: Limits,
    desk: Arc<Desk>,
    thread: JoinHandle<()>,
    done: Receiver<()>,
}

impl Archive {
    /// Writes games into this folder from now on, within these limits.
    ///
    /// # Errors
    /// There is no such folder, nothing can be written there, or the system has no thread.
    pub fn start(folder: &Path, limits: Limits) -> io::Result<Archive> {
        check(folder)?;
        let mut writer = Writer::new(folder, limits);
        Archive::with(limits, move |games| writer.write(games))
    }

    /// Has a thread write games in this way.
    fn with(limits: Limits, mut write: impl FnMut(Vec<Entry>) + Send + 'static) -> io::Result<Archive> {
        let (over, done) = sync_channel(1);
        let desk = Arc::new(Desk::default());
        let incoming = Arc::clone(&desk);
        let body = move || {
            loop {
                let games = incoming.take();
                let count = games.len();
                if count == 0 {
                    break;
                }
                write(games);
                incoming.lock().unwritten -= count;
            }
            // The archive may not wait any longer.
            let _ = over.send(());
        };
        let thread = thread::Builder::new().name("archive".to_owned()).spawn(body)?;
        Ok(Archive { limits, desk, thread, done })
    }

    /// Archives a game, whenever the disk has time, unless it is too short.
    pub fn add(&self, game: Box<FinishedGame>, circumstances: Circumstances) {
        if game.game.plies() / 2 < self.limits.min_moves {
            return;
        }
        let began = SystemTime::now().checked_sub(Instant::now().saturating_duration_since(game.began));
        let began = began.unwrap_or(SystemTime::UNIX_EPOCH);
        let entry = Entry { game, circumstances, began };
        if self.thread.is_finished() {
            return lost(&entry, "no-thread", NO_THREAD);
        }
        let (source, bytes) = (entry.circumstances.source, entry.game.bytes());
        let refused = {
            let mut state = self.desk.lock();
            let refused = state.queue.push(source, bytes, entry);
            state.unwritten = (state.unwritten + 1).saturating_sub(refused.len());
            refused
        };
        self.desk.changed.notify_one();
        for entry in refused {
            lost(
                &entry,
                "waiting",
                &format!("{MAX_SLOTS} games wait for the disk already, and its source has most of them"),
            );
        }
    }

    /// Waits for the last games, at most for the time `patience`. Returns the message about games that are not written then.
    fn finish(&mut self, patience: Duration) -> Option<String> {
        self.desk.lock().is_closed = true;
        self.desk.changed.notify_one();
        let why = match self.done.recv_timeout(patience) {
            Ok(()) => return None,
            Err(RecvTimeoutError::Timeout) => "the disk does not take them in time",
            Err(RecvTimeoutError::Disconnected) => NO_THREAD,
        };
        let count = self.desk.lock().unwritten;
        (count > 0).then(|| format!("games that have ended and are not archived: {count}, as {why}"))
    }
}

impl Drop for Archive {
    fn drop(&mut self) {
        if let Some(what) = self.finish(END_TIMEOUT) {
            log::error!("{what}");
        }
    }
}

/// Checks that games can be written into a folder.
///
/// # Errors
/// There is no such folder, or nothing can be written there.
pub fn check(folder: &Path) -> io::Result<()> {
    let probe = folder.join(format!(".farboard-{}", std::process::id()));
    File::create(&probe)?;
    fs::remove_file(&probe)
}

#[cfg(test)]
mod tests;
