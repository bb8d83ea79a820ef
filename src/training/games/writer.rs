//! Appends games to a file. Games are in the order of their numbers, so a file is the beginning of
//! one long file that depends only on the header.

use super::chain::Chain;
use super::header::Header;
use super::reader::GameReader;
use super::record::Recorded;
use super::{Contents, GamesError};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file of games, locked against other writers.
#[derive(Debug)]
pub(in crate::training) struct GameWriter {
    path: PathBuf,
    file: File,
    chain: Chain,
    contents: Contents,
}

impl GameWriter {
    /// Opens the file of games with this header, at its end, or makes one. What an interrupted
    /// write left of a game or of the header is overwritten.
    ///
    /// # Errors
    /// The file cannot be used, or has other games.
    pub(in crate::training) fn resume(path: &Path, header: &Header) -> Result<GameWriter, GamesError> {
        let file_error = |error| GamesError::File(path.to_owned(), error);
        let mut options = OpenOptions::new();
        let file = options.create(true).truncate(false).read(true).write(true).open(path);
        let mut file = file.map_err(file_error)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => GamesError::InUse(path.to_owned()),
            TryLockError::Error(error) => file_error(error),
        })?;
        let lines = header.lines();
        if begins(&mut file, lines.as_bytes()).map_err(file_error)? {
            write_at(&mut file, 0, lines.as_bytes()).map_err(file_error)?;
        }
        let mut reader = GameReader::read_header(path, file.try_clone().map_err(file_error)?)?;
        if reader.header() != header {
            return Err(GamesError::Other(path.to_owned(), reader.header().to_string()));
        }
        while reader.advance()?.is_some() {}
        write_at(&mut file, reader.end(), &[]).map_err(file_error)?;
        Ok(GameWriter { path: path.to_owned(), file, chain: reader.chain(), contents: reader.contents() })
    }

    /// Returns what the file has.
    pub(in crate::training) fn contents(&self) -> Contents {
        self.contents
    }

    /// Appends a game.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(in crate::training) fn append(&mut self, game: &Recorded) -> Result<(), GamesError> {
        let chain = self.chain.after(&game.bytes);
        let len = (game.bytes.len() as u16).to_le_bytes();
        let bytes = [&len[..], &game.bytes, &chain.check()].concat();
        self.file.write_all(&bytes).map_err(|error| GamesError::File(self.path.clone(), error))?;
        self.chain = chain;
        let Contents { games, positions, .. } = self.contents;
        let positions = positions + u64::from(game.quiet);
        self.contents = Contents { games: games + 1, positions, hash: chain.hash() };
        Ok(())
    }
}

/// Returns true if the file is empty or an unfinished beginning of these bytes.
fn begins(file: &mut File, bytes: &[u8]) -> io::Result<bool> {
    let mut found = Vec::new();
    Read::by_ref(file).take(bytes.len() as u64).read_to_end(&mut found)?;
    Ok(found.len() < bytes.len() && bytes.starts_with(&found))
}

/// Replaces everything from an offset on.
fn write_at(file: &mut File, offset: u64, bytes: &[u8]) -> io::Result<()> {
    file.set_len(offset)?;
    file.seek(SeekFrom::Start(offset))?;
    file.write_all(bytes)
}
