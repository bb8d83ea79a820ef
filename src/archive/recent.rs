//! Identities of recently archived games. A session that moves to another server may finish a game
//! again that the first server has archived already.

use super::record::IDENTITY_TAG;
use std::collections::{HashSet, VecDeque};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Games remembered: more than servers finish while a client looks for another server.
const MAX_GAMES: usize = 8192;
/// Bytes read at the end of a file.
const TAIL: u64 = 4 << 20;
/// Files read: PGN and PDN of the two newest days.
const FILES: usize = 4;

/// Identities of the newest games in the archive's files, which several servers may write.
#[derive(Default)]
pub(super) struct Recent {
    known: HashSet<u64>,
    /// The same identities, oldest first.
    order: VecDeque<u64>,
    /// Number of bytes read of each file.
    read: Vec<(PathBuf, u64)>,
}

impl Recent {
    /// Reads what was appended to the newest files since the last call.
    ///
    /// # Errors
    /// The folder or a file cannot be read.
    pub(super) fn refresh(&mut self, folder: &Path) -> io::Result<()> {
        let mut files = Vec::new();
        for file in fs::read_dir(folder)? {
            let path = file?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if name.starts_with("farboard-") && (name.ends_with(".pgn") || name.ends_with(".pdn")) {
                files.push(path);
            }
        }
        files.sort_unstable();
        let oldest = files.len().saturating_sub(FILES);
        files[oldest..].iter().try_for_each(|path| self.read(path))
    }

    fn read(&mut self, path: &Path) -> io::Result<()> {
        let length = fs::metadata(path)?.len();
        let before = self.read.iter().find(|(read, _)| read == path).map_or(0, |(_, until)| *until);
        if before == length {
            return Ok(());
        }
        let file = File::open(path)?;
        let from = before.max(length.saturating_sub(TAIL)).min(length);
        let mut text = vec![0; (length - from) as usize];
        file.read_exact_at(&mut text, from)?;
        // Another server may be in the middle of writing the last line.
        let complete = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        text.truncate(complete);
        for line in text.split(|&byte| byte == b'\n') {
            if let Some(identity) = identity(line) {
                self.insert(identity);
            }
        }
        self.read.retain(|(read, _)| read != path);
        self.read.push((path.to_owned(), from + complete as u64));
        self.read.drain(..self.read.len().saturating_sub(FILES));
        Ok(())
    }

    /// Adds a game. Returns false if it is known already.
    pub(super) fn insert(&mut self, identity: u64) -> bool {
        let is_new = self.known.insert(identity);
        if is_new {
            self.order.push_back(identity);
            if self.order.len() > MAX_GAMES
                && let Some(oldest) = self.order.pop_front()
            {
                self.known.remove(&oldest);
            }
        }
        is_new
    }

    /// Removes a game that was not written.
    pub(super) fn forget(&mut self, identity: u64) {
        if self.known.remove(&identity) {
            self.order.retain(|&known| known != identity);
        }
    }
}

/// Parses the identity from a line, if the line is that tag.
fn identity(line: &[u8]) -> Option<u64> {
    let line = std::str::from_utf8(line).ok()?;
    let value =
        line.strip_prefix('[')?.strip_prefix(IDENTITY_TAG)?.trim().strip_prefix('"')?.strip_suffix("\"]")?;
    u64::from_str_radix(value, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_are_forgotten() {
        let mut recent = Recent::default();
        let games = MAX_GAMES as u64;
        assert!((0..=games).all(|game| recent.insert(game)));
        assert!(!recent.insert(games) && recent.insert(0) && recent.insert(1));
        assert_eq!((recent.known.len(), recent.order.len()), (MAX_GAMES, MAX_GAMES));
        recent.forget(games);
        assert!(recent.insert(games));
    }

    #[test]
    fn identities_are_read_from_their_tag_only() {
        assert_eq!(identity(b"[FarboardGame \"00000000000000ff\"]"), Some(255));
        let others: [&[u8]; 5] = [
            b"[FarboardGame \"\"]",
            b"[FarboardGame \"xy\"]",
            b"[Event \"1\"]",
            b"",
            b"\xff[FarboardGame \"1\"]",
        ];
        assert!(others.iter().all(|line| identity(line).is_none()));
    }
}
