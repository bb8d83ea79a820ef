//! Writes games in batches, with one `fsync` for each file of a batch.

use super::append::append;
use super::budget::{Budget, Limits};
use super::recent::Recent;
use super::{Entry, GameContext, record};
use crate::session::KeptGame;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

/// State of the writer thread.
pub(super) struct Writer {
    folder: PathBuf,
    budget: Budget,
    /// Games already archived.
    recent: Recent,
    /// Formats a game.
    text: fn(&Entry) -> String,
}

impl Writer {
    pub(super) fn new(folder: &Path, limits: Limits) -> Writer {
        Writer::with(folder, limits, |entry| record::text(&entry.game, &entry.context, entry.began))
    }

    pub(super) fn with(folder: &Path, limits: Limits, text: fn(&Entry) -> String) -> Writer {
        Writer { folder: folder.to_owned(), budget: Budget::new(limits), recent: Recent::default(), text }
    }

    /// Writes games, each whole or not at all. Lost games are logged.
    pub(super) fn write(&mut self, games: Vec<Entry>) {
        let day = record::date(SystemTime::now(), "-");
        if let Err(error) = self.budget.refresh(&self.folder, &day, Instant::now()) {
            log::warn!("cannot measure the archive {}: {error}", self.folder.display());
        }
        if let Err(error) = self.recent.refresh(&self.folder) {
            log::warn!("cannot read the archive {}: {error}", self.folder.display());
        }
        let mut files: BTreeMap<PathBuf, Vec<(Entry, String)>> = BTreeMap::new();
        for entry in games {
            let file = file_of(&self.folder, &entry.game.game, &day);
            if !self.recent.insert(record::identity(&entry.game)) {
                continue;
            }
            match self.text_of(&entry) {
                Ok(text) => files.entry(file).or_default().push((entry, text)),
                Err((reason, why)) => self.lose(&entry, reason, &why),
            }
        }
        for (file, games) in files {
            self.write_to(&file, games);
        }
    }

    /// Logs that a game is not archived, and accepts it if it is offered again.
    fn lose(&mut self, entry: &Entry, reason: &str, why: &str) {
        self.recent.forget(record::identity(&entry.game));
        lost(entry, reason, why);
    }

    /// Formats a game and takes its size from the budget. An error is a reason as a word and as
    /// text.
    fn text_of(&mut self, entry: &Entry) -> Result<String, (&'static str, String)> {
        // A panic over one game must not lose the others.
        let text = catch_unwind(AssertUnwindSafe(|| (self.text)(entry)));
        let text = text.map_err(|_| ("fault", "a defect of this server".to_owned()))?;
        let taken = self.budget.take(entry.context.source, text.len() as u64);
        taken.map_err(|why| (why.word(), why.to_string()))?;
        Ok(text)
    }

    fn write_to(&mut self, file: &Path, games: Vec<(Entry, String)>) {
        let together: String = games.iter().map(|(_, text)| text.as_str()).collect();
        let Err(error) = append(file, together.as_bytes()) else { return };
        if let [(entry, text)] = &games[..] {
            self.budget.give_back(entry.context.source, text.len() as u64);
            return self.lose(entry, "disk", &error.to_string());
        }
        // One by one, some may still fit on the disk.
        for game in games {
            self.write_to(file, vec![game]);
        }
    }
}

/// Returns the file for games that end on this day.
pub(super) fn file_of(folder: &Path, game: &KeptGame, day: &str) -> PathBuf {
    let form = match game {
        KeptGame::Chess(_) => "pgn",
        KeptGame::Draughts(_) => "pdn",
    };
    folder.join(format!("farboard-{day}.{form}"))
}

/// Logs that a game is not archived. The log is rate-limited by source and `reason`, so that one
/// source's lost games hide no other's.
pub(super) fn lost(entry: &Entry, reason: &str, why: &str) {
    let GameContext { session, user, source } = &entry.context;
    let user = user.as_ref().map(|user| format!(" of {user}")).unwrap_or_default();
    let plies = entry.game.game.plies();
    log::error!(reason, from:% = source; "game not archived: session {session}{user}, {plies} plies: {why}");
}
