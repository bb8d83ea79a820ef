//! The archive: games that have ended, in a file of PGN for each day, and one of PDN for draughts.
//!
//! A thread writes, so the event loop never waits for a disk; what waits is bounded. A game is written whole or not at all, and
//! one that is not is told in the log.
//!
//! * `record`: a game as text. `append`: a text at the end of a file.

mod append;
mod record;

use crate::session::{FinishedGame, KeptGame};
use append::append;
use std::fs::{self, File};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// Games that wait for the disk; further ones are not archived.
const MAX_WAITING: usize = 1024;
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
}

/// A game on its way.
struct Entry {
    game: Box<FinishedGame>,
    circumstances: Circumstances,
    /// The date of its first move of ours.
    began: SystemTime,
}

/// Takes games that have ended. When it is dropped, it waits a few seconds for the last ones.
pub struct Archive {
    games: Option<SyncSender<Entry>>,
    /// Games that were taken, and are neither written nor told to be lost.
    unwritten: Arc<AtomicUsize>,
    done: Receiver<()>,
}

impl Archive {
    /// Writes games into this folder from now on.
    ///
    /// # Errors
    /// There is no such folder, nothing can be written there, or the system has no thread.
    pub fn start(folder: &Path) -> io::Result<Archive> {
        check(folder)?;
        let folder = folder.to_owned();
        Archive::with(move |entry| write(&folder, entry))
    }

    /// Has a thread write games in this way.
    fn with(write: impl Fn(&Entry) -> io::Result<()> + Send + 'static) -> io::Result<Archive> {
        let (games, incoming) = sync_channel::<Entry>(MAX_WAITING);
        let (over, done) = sync_channel(1);
        let unwritten = Arc::new(AtomicUsize::new(0));
        let left = Arc::clone(&unwritten);
        let body = move || {
            while let Ok(entry) = incoming.recv() {
                // A defect that one game shows must not cost the others.
                match catch_unwind(AssertUnwindSafe(|| write(&entry))) {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => lost(&entry, &error.to_string()),
                    Err(_) => lost(&entry, "a defect of this server"),
                }
                left.fetch_sub(1, Ordering::Relaxed);
            }
            // Whoever waits for it may be gone.
            let _ = over.send(());
        };
        thread::Builder::new().name("archive".to_owned()).spawn(body)?;
        Ok(Archive { games: Some(games), unwritten, done })
    }

    /// Archives a game, whenever the disk has time.
    pub fn add(&self, game: Box<FinishedGame>, circumstances: Circumstances) {
        let began = SystemTime::now().checked_sub(Instant::now().saturating_duration_since(game.began));
        let began = began.unwrap_or(SystemTime::UNIX_EPOCH);
        let Some(games) = &self.games else { return };
        self.unwritten.fetch_add(1, Ordering::Relaxed);
        if let Err(refused) = games.try_send(Entry { game, circumstances, began }) {
            self.unwritten.fetch_sub(1, Ordering::Relaxed);
            let (entry, why) = refusal(refused);
            lost(&entry, &why);
        }
    }

    /// Waits for the last games, at most for the time `patience`. Returns the message about games that are not written by then.
    fn finish(&mut self, patience: Duration) -> Option<String> {
        self.games = None;
        let why = match self.done.recv_timeout(patience) {
            Ok(()) => return None,
            Err(RecvTimeoutError::Timeout) => "the disk does not take them in time",
            Err(RecvTimeoutError::Disconnected) => NO_THREAD,
        };
        let count = self.unwritten.load(Ordering::Relaxed);
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

/// Why a game cannot wait to be written.
fn refusal(refused: TrySendError<Entry>) -> (Entry, String) {
    match refused {
        TrySendError::Full(entry) => (entry, format!("{MAX_WAITING} games wait for the disk already")),
        TrySendError::Disconnected(entry) => (entry, NO_THREAD.to_owned()),
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

/// The file of the day on which games have ended.
fn file_of(folder: &Path, game: &KeptGame, ended: SystemTime) -> PathBuf {
    let form = match game {
        KeptGame::Chess(_) => "pgn",
        KeptGame::Draughts(_) => "pdn",
    };
    folder.join(format!("farboard-{}.{form}", record::date(ended, "-")))
}

fn write(folder: &Path, entry: &Entry) -> io::Result<()> {
    let text = record::text(&entry.game, &entry.circumstances, entry.began);
    append(&file_of(folder, &entry.game.game, SystemTime::now()), text.as_bytes())
}

fn lost(entry: &Entry, why: &str) {
    let Circumstances { session, user } = &entry.circumstances;
    let user = user.as_ref().map(|user| format!(" of {user}")).unwrap_or_default();
    let plies = entry.game.game.plies();
    log::error!("a game of session {session}{user} with {plies} plies is not archived: {why}");
}

#[cfg(test)]
mod tests;
