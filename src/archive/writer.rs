//! Writes games, many at a time: the disk is asked once for all that have waited for it.

use super::append::append;
use super::budget::{Budget, Limits};
use super::recent::Recent;
use super::{Circumstances, Entry, record};
use crate::session::KeptGame;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

/// What the thread of the archive owns.
pub(super) struct Writer {
    folder: PathBuf,
    budget: Budget,
    /// Games that are in the archive already.
    recent: Recent,
    /// Makes the text of a game.
    text: fn(&Entry) -> String,
}

impl Writer {
    pub(super) fn new(folder: &Path, limits: Limits) -> Writer {
        Writer::with(folder, limits, |entry| record::text(&entry.game, &entry.circumstances, entry.began))
    }

    pub(super) fn with(folder: &Path, limits: Limits, text: fn(&Entry) -> String) -> Writer {
        Writer { folder: folder.to_owned(), budget: Budget::new(limits), recent: Recent::default(), text }
    }

    /// Writes games, each whole or not at all. The log names those that are lost.
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

    /// Logs that a game is not archived. It may come once more.
    fn lose(&mut self, entry: &Entry, reason: &str, why: &str) {
        self.recent.forget(record::identity(&entry.game));
        lost(entry, reason, why);
    }

    /// The text of a game for which there is room; or why it is lost, as a word and as a text.
    fn text_of(&mut self, entry: &Entry) -> Result<String, (&'static str, String)> {
        // A defect that one game shows must not cost the others.
        let text = catch_unwind(AssertUnwindSafe(|| (self.text)(entry)));
        let text = text.map_err(|_| ("fault", "a defect of this server".to_owned()))?;
        let taken = self.budget.take(entry.circumstances.source, text.len() as u64);
        taken.map_err(|why| (why.word(), why.to_string()))?;
        Ok(text)
    }

    fn write_to(&mut self, file: &Path, games: Vec<(Entry, String)>) {
        let together: String = games.iter().map(|(_, text)| text.as_str()).collect();
        let Err(error) = append(file, together.as_bytes()) else { return };
        if let [(entry, text)] = &games[..] {
            self.budget.give_back(entry.circumstances.source, text.len() as u64);
            return self.lose(entry, "disk", &error.to_string());
        }
        // Some of them may fit.
        for game in games {
            self.write_to(file, vec![game]);
        }
    }
}

/// The file of games that have ended on this day.
pub(super) fn file_of(folder: &Path, game: &KeptGame, day: &str) -> PathBuf {
    let form = match game {
        KeptGame::Chess(_) => "pgn",
        KeptGame::Draughts(_) => "pdn",
    };
    folder.join(format!("farboard-{day}.{form}"))
}

/// Logs that a game is not archived. Each source is limited alone, and each `reason`: the lost games of one hide no other's.
pub(super) fn lost(entry: &Entry, reason: &str, why: &str) {
    let Circumstances { session, user, source } = &entry.circumstances;
    let user = user.as_ref().map(|user| format!(" of {user}")).unwrap_or_default();
    let plies = entry.game.game.plies();
    log::error!(reason, from:% = source; "a game of session {session}{user} with {plies} plies is not archived: {why}");
}
