//! Memory-mapped files: the only `unsafe` code of the database.

#![allow(unsafe_code)]

use memmap2::Mmap;
use std::fs::File;
use std::io;

/// A file mapped for reading.
///
/// If the file is truncated while mapped, or the disk fails, reading it ends the process
/// (`SIGBUS`); a write would change bytes that Rust takes to be constant. So only files are mapped
/// that only their owner can write, who is this user or root (`permission.rs`), and this program
/// creates them read-only and replaces them rather than writing to them.
pub(super) struct Mapping(Mmap);

impl Mapping {
    /// Maps a file.
    ///
    /// # Errors
    /// Errors of the system.
    pub(super) fn of(file: &File) -> io::Result<Mapping> {
        // SAFETY: nothing may change the file while it is mapped; see above for the precautions.
        // Bytes have no invalid values.
        unsafe { Mmap::map(file) }.map(Mapping)
    }

    /// Returns its bytes.
    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}
