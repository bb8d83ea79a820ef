//! Polyglot books, usually named `*.bin`.
//!
//! Source: "Polyglot book format" (hgm.nubati.net/book_format.html). A file is a list of 16-byte
//! entries sorted by key, in big-endian numbers: the position's key (8), the move (2), its weight
//! (2), and learning data (4), which is ignored. Entries with key 0 hold a text header, if the file
//! has one ("Header format for polyglot books").
//!
//! A file is read whole rather than mapped or searched on disk: the server's loop must not wait for
//! a disk, truncating a mapped file would end the process, and verifying the order once makes later
//! look-ups safe. That costs memory of the length of the file, once for all sessions.

mod key;
mod moves;
mod random;

pub(super) use key::keys;
pub(super) use moves::{decode, encode};

use super::{Book, BookEntry};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::Path;

const ENTRY_BYTES: u64 = 16;

/// Maximum number of entries: 1 GiB, more than any book in circulation.
const MAX_ENTRIES: u64 = (1 << 30) / ENTRY_BYTES;

/// An error in a file that is not a book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("it cannot be read")]
    Read(#[source] io::Error),
    /// The file is too long.
    #[error("it is longer than {max} MiB, the most that is read", max = (MAX_ENTRIES * ENTRY_BYTES) >> 20)]
    TooLong,
    /// The file ends within an entry.
    #[error("its length is no multiple of 16 bytes: it is no Polyglot book (*.bin), or its end is missing")]
    Length,
    /// An entry, counted from 0, with a smaller key than the one before.
    #[error("entry {0} is out of order: it is no Polyglot book (*.bin), or was not sorted when it was made")]
    Order(u64),
    /// The book has no moves.
    #[error("there is no move in it")]
    Empty,
}

impl Book {
    /// Reads a Polyglot book from a file.
    ///
    /// # Errors
    /// See [`BookError`].
    pub fn open(path: &Path) -> Result<Book, BookError> {
        let file = File::open(path).map_err(BookError::Read)?;
        let bytes = file.metadata().map_err(BookError::Read)?.len();
        if bytes > MAX_ENTRIES * ENTRY_BYTES {
            return Err(BookError::TooLong);
        }
        let mut entries = Vec::with_capacity((bytes / ENTRY_BYTES) as usize);
        read(BufReader::with_capacity(1 << 16, file), &mut entries)?;
        entries.shrink_to_fit();
        Ok(Book { entries })
    }

    /// Reads a book in Polyglot's format. Leaves out moves of weight 0, which are never played.
    ///
    /// # Errors
    /// See [`BookError`].
    pub fn from_polyglot(source: impl Read) -> Result<Book, BookError> {
        let mut entries = Vec::new();
        read(source, &mut entries)?;
        Ok(Book { entries })
    }

    /// Writes the book in Polyglot's format. Where a weight exceeds 16 bits, all weights of the
    /// position are scaled down, none below 1.
    ///
    /// # Errors
    /// Errors of `target`.
    pub fn write_polyglot(&self, target: impl Write) -> io::Result<()> {
        let mut target = BufWriter::new(target);
        for same_position in self.entries.chunk_by(|a, b| a.key == b.key) {
            let largest = same_position.iter().map(|entry| entry.weight).max().unwrap_or(1);
            let divisor = largest.div_ceil(u16::MAX.into()).max(1);
            for entry in same_position {
                let weight = u16::try_from((entry.weight / divisor).max(1)).unwrap_or(u16::MAX);
                target.write_all(&entry.key.to_be_bytes())?;
                target.write_all(&entry.bits.to_be_bytes())?;
                target.write_all(&weight.to_be_bytes())?;
                target.write_all(&[0; 4])?;
            }
        }
        target.flush()
    }
}

fn read(mut source: impl Read, entries: &mut Vec<BookEntry>) -> Result<(), BookError> {
    let (mut last_key, mut index) = (0, 0);
    while let Some(bytes) = next_entry(&mut source)? {
        if index == MAX_ENTRIES {
            return Err(BookError::TooLong);
        }
        let number = u128::from_be_bytes(bytes);
        let key = (number >> 64) as u64;
        let (bits, weight) = ((number >> 48) as u16, (number >> 32) as u16);
        if key < last_key {
            return Err(BookError::Order(index));
        }
        if key != 0 && weight != 0 {
            entries.push(BookEntry { key, bits, weight: weight.into() });
        }
        (last_key, index) = (key, index + 1);
    }
    if entries.is_empty() { Err(BookError::Empty) } else { Ok(()) }
}

/// Returns the next 16 bytes; `None` at the end.
fn next_entry(source: &mut impl Read) -> Result<Option<[u8; ENTRY_BYTES as usize]>, BookError> {
    let mut bytes = [0; ENTRY_BYTES as usize];
    let mut filled = 0;
    while filled < bytes.len() {
        match source.read(&mut bytes[filled..]) {
            Ok(0) if filled == 0 => return Ok(None),
            Ok(0) => return Err(BookError::Length),
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(BookError::Read(error)),
        }
    }
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests;
