//! The one place of the database with `unsafe`: a file as a slice of bytes.

#![allow(unsafe_code)]

use memmap2::Mmap;
use std::fs::File;
use std::io;

/// A file that is mapped into memory to be read.
///
/// If somebody shortens the file meanwhile, the system ends the process when it reads behind the new end (`SIGBUS`), as it does
/// when the disk fails. Whoever could write to the file could also change bytes that Rust takes to be constant. So only files
/// are mapped that nobody but their owner can write, who is this user or root, see `permission.rs`, and our own program makes
/// them without permission to write at all, and replaces a file with a new one instead of writing to it.
pub struct Mapping(Mmap);

impl Mapping {
    /// Maps a file as it is now.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn of(file: &File) -> io::Result<Mapping> {
        // SAFETY: nobody may change the file while it is mapped: see above for what is done about that. The bytes are
        // of no type that could be invalid.
        unsafe { Mmap::map(file) }.map(Mapping)
    }

    /// All of its bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}
