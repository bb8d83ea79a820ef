//! Errors of database files and folders.

use super::BuildError;
use super::packing::VERSION;
use std::io;
use std::path::{Path, PathBuf};

/// Advice for an unusable file.
const AGAIN: &str = "delete it and run `farboard endgames` again";

/// An error of a database file. The message says what to do.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {problem}", path = path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The problem.
    pub problem: FileProblem,
}

/// A problem of a database file.
#[derive(Debug, thiserror::Error)]
pub enum FileProblem {
    /// The system refuses to read or write it.
    #[error("{0}")]
    System(io::Error),
    /// A folder, a device, or something else that cannot be mapped.
    #[error("not a file; remove it and run `farboard endgames` again")]
    NotAFile,
    /// Not made by `farboard endgames`.
    #[error("not made by `farboard endgames`; move it elsewhere")]
    Foreign,
    /// Made by a program with another version of the format.
    #[error("made in version {0} of the format, this program knows {VERSION}; {AGAIN}")]
    Version(u32),
    /// Holds another slice than its name says.
    #[error("its name is that of another file; {AGAIN}")]
    OtherSlice,
    /// Shorter or longer than expected.
    #[error("{found} bytes long instead of {expected}; {AGAIN}")]
    Length {
        /// Expected length in bytes.
        expected: u64,
        /// Actual length in bytes.
        found: u64,
    },
    /// Changed since it was written.
    #[error("damaged; {AGAIN}")]
    Damaged,
    /// Writable by other users, which would end a process that has mapped it.
    #[error("other users can change it; prevent that with `chmod go-w`")]
    WritableByOthers,
    /// Owned by a user who is neither root nor this one.
    #[error("it belongs to another user, who could change it; give it to root with `chown root`")]
    OwnedByAnother,
}

impl FileError {
    pub(super) fn new(path: &Path, problem: FileProblem) -> FileError {
        FileError { path: path.to_owned(), problem }
    }
}

/// An error of a database folder.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The system refuses to open, create or read the folder.
    #[error("the folder {folder}: {1}", folder = .0.display())]
    System(PathBuf, io::Error),
    /// No database file in the folder.
    #[error("no endgames in the folder {folder}; `farboard endgames {folder}` makes them", folder = .0.display())]
    Empty(PathBuf),
    /// Positions of four pieces are missing.
    #[error(
        "endgames of four pieces are missing in the folder {folder}; `farboard endgames {folder}` adds them",
        folder = .0.display()
    )]
    Unfinished(PathBuf),
    /// Another program is writing the folder.
    #[error("another program is making the endgames in the folder {folder}", folder = .0.display())]
    Busy(PathBuf),
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// The endgames could not be solved.
    #[error(transparent)]
    Build(#[from] BuildError),
}
