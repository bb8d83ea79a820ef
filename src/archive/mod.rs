//! The archive: games that have ended, in a file of PGN for each day, and one of PDN for draughts.
//!
//! A thread writes, so the event loop never waits for a disk; what waits is bounded. A game is written whole or not at all, and
//! one that is not is told in the log.

mod record;

use crate::session::{FinishedGame, KeptGame};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// Games that wait for the disk; further ones are not archived.
const MAX_WAITING: usize = 1024;
/// How long the end of the server waits for the last games.
const END_TIMEOUT: Duration = Duration::from_secs(5);

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
    done: Receiver<()>,
}

impl Archive {
    /// Writes games into this folder from now on.
    ///
    /// # Errors
    /// There is no such folder, nothing can be written there, or the system has no thread.
    pub fn start(folder: &Path) -> io::Result<Archive> {
        check(folder)?;
        let (games, incoming) = sync_channel::<Entry>(MAX_WAITING);
        let (over, done) = sync_channel(1);
        let folder = folder.to_owned();
        let body = move || {
            while let Ok(entry) = incoming.recv() {
                write(&folder, &entry);
            }
            // Whoever waits for it may be gone.
            let _ = over.send(());
        };
        thread::Builder::new().name("archive".to_owned()).spawn(body)?;
        Ok(Archive { games: Some(games), done })
    }

    /// Archives a game, whenever the disk has time.
    pub fn add(&self, game: Box<FinishedGame>, circumstances: Circumstances) {
        let began = SystemTime::now().checked_sub(Instant::now().saturating_duration_since(game.began));
        let began = began.unwrap_or(SystemTime::UNIX_EPOCH);
        let Some(games) = &self.games else { return };
        if let Err(TrySendError::Full(entry) | TrySendError::Disconnected(entry)) =
            games.try_send(Entry { game, circumstances, began })
        {
            lost(&entry, &format!("{MAX_WAITING} games wait for the disk already"));
        }
    }
}

impl Drop for Archive {
    fn drop(&mut self) {
        self.games = None;
        if self.done.recv_timeout(END_TIMEOUT) == Err(RecvTimeoutError::Timeout) {
            log::error!("games that have ended are not archived: the disk does not take them in time");
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

/// The file of the day on which games have ended.
fn file_of(folder: &Path, game: &KeptGame, ended: SystemTime) -> PathBuf {
    let form = match game {
        KeptGame::Chess(_) => "pgn",
        KeptGame::Draughts(_) => "pdn",
    };
    folder.join(format!("farboard-{}.{form}", record::date(ended, "-")))
}

fn write(folder: &Path, entry: &Entry) {
    let text = record::text(&entry.game, &entry.circumstances, entry.began);
    if let Err(error) = append(&file_of(folder, &entry.game.game, SystemTime::now()), text.as_bytes()) {
        lost(entry, &error.to_string());
    }
}

fn lost(entry: &Entry, why: &str) {
    let Circumstances { session, user } = &entry.circumstances;
    let user = user.as_ref().map(|user| format!(" of {user}")).unwrap_or_default();
    let plies = entry.game.game.plies();
    log::error!("a game of session {session}{user} with {plies} plies is not archived: {why}");
}

/// Appends a whole text, or nothing. The lock keeps another server with the same folder from writing in between.
fn append(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.lock()?;
    let before = file.seek(SeekFrom::End(0))?;
    append_to(&mut file, text).inspect_err(|_| {
        // Half a game would spoil the next one. If this fails, too, nothing can be done.
        if let Err(error) = file.set_len(before) {
            log::error!("half a game stays at the end of {}: {error}", path.display());
        }
    })
}

fn append_to(file: &mut File, text: &[u8]) -> io::Result<()> {
    file.write_all(text)?;
    // A full disk may show only now.
    file.sync_data()
}

#[cfg(test)]
mod tests;
