//! The archive of finished games: one PGN file a day, and one PDN file for draughts.
//!
//! A thread writes, so the event loop never waits for a disk. The queue is bounded and shared
//! fairly among sources. A game is written whole or not at all; the log names every lost game.
//!
//! * `queue`: games waiting for the disk. `writer`: batches of games. `budget`: size limits.
//! * `recent`: games already archived. `record`: a game as text. `append`: atomic appends.

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

/// Queue slots written in one batch.
const BATCH: usize = 128;
/// Time that shutdown waits for the last games.
const END_TIMEOUT: Duration = Duration::from_secs(5);
/// Error after a defect of the writer.
const NO_THREAD: &str = "the archive's writer thread has exited";

/// Origin of an archived game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameContext {
    /// Session number.
    pub session: u64,
    /// Name of the user, if logged in.
    pub user: Option<String>,
    /// Unit of fair sharing that the session belongs to ([`Source::id`](crate::pool::Source)).
    pub source: u64,
}

/// A queued game.
struct Entry {
    game: Box<FinishedGame>,
    context: GameContext,
    /// When the engine made its first move.
    began: SystemTime,
}

/// Queue between the event loop and the writer thread.
#[derive(Default)]
struct Desk {
    state: Mutex<DeskState>,
    changed: Condvar,
}

struct DeskState {
    queue: Queue<Entry>,
    /// Accepted games that are neither written nor logged as lost yet.
    unwritten: usize,
    /// Whether no more games will be added.
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

    /// Waits for games and takes a batch; an empty one means that the queue is closed.
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

/// Writes finished games in the background. Dropping it waits a few seconds for the last ones.
pub struct Archive {
    limits: Limits,
    desk: Arc<Desk>,
    thread: JoinHandle<()>,
    done: Receiver<()>,
}

impl Archive {
    /// Starts the writer thread for a folder.
    ///
    /// # Errors
    /// The folder does not exist or is not writable, or no thread can be started.
    pub fn start(folder: &Path, limits: Limits) -> io::Result<Archive> {
        check(folder)?;
        let mut writer = Writer::new(folder, limits);
        Archive::with(limits, move |games| writer.write(games))
    }

    /// Starts a thread that calls `write` with each batch.
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
            // Fails if `finish` has stopped waiting.
            let _ = over.send(());
        };
        let thread = thread::Builder::new().name("archive".to_owned()).spawn(body)?;
        Ok(Archive { limits, desk, thread, done })
    }

    /// Queues a game, unless it is too short to be archived.
    pub fn add(&self, game: Box<FinishedGame>, context: GameContext) {
        if game.game.plies() / 2 < self.limits.min_moves {
            return;
        }
        let began = SystemTime::now().checked_sub(Instant::now().saturating_duration_since(game.began));
        let began = began.unwrap_or(SystemTime::UNIX_EPOCH);
        let entry = Entry { game, context, began };
        if self.thread.is_finished() {
            return lost(&entry, "no-thread", NO_THREAD);
        }
        let (source, bytes) = (entry.context.source, entry.game.bytes());
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
                &format!("the queue of {MAX_SLOTS} games is full, and most of them are from this source"),
            );
        }
    }

    /// Waits at most `patience` for the last games. Returns an error message if some are not
    /// written.
    fn finish(&mut self, patience: Duration) -> Option<String> {
        self.desk.lock().is_closed = true;
        self.desk.changed.notify_one();
        let why = match self.done.recv_timeout(patience) {
            Ok(()) => return None,
            Err(RecvTimeoutError::Timeout) => "the disk is too slow",
            Err(RecvTimeoutError::Disconnected) => NO_THREAD,
        };
        let count = self.desk.lock().unwritten;
        (count > 0).then(|| format!("{count} finished games are not archived: {why}"))
    }
}

impl Drop for Archive {
    fn drop(&mut self) {
        if let Some(error) = self.finish(END_TIMEOUT) {
            log::error!("{error}");
        }
    }
}

/// Checks that a folder is writable.
///
/// # Errors
/// The folder does not exist, or is not writable.
pub fn check(folder: &Path) -> io::Result<()> {
    let probe = folder.join(format!(".farboard-{}", std::process::id()));
    File::create(&probe)?;
    fs::remove_file(&probe)
}

#[cfg(test)]
mod tests;
