//! Errors of database files and folders.

use super::BuildError;
use super::file::VERSION;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a database file cannot be used. The message says what to do.
#[derive(Debug)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The problem.
    pub problem: FileProblem,
}

/// A problem of a database file.
#[derive(Debug)]
pub enum FileProblem {
    /// The system refuses to read or write it.
    System(io::Error),
    /// A folder, a device, or something else that cannot be mapped.
    NotAFile,
    /// Not made by `farboard endgames`.
    Foreign,
    /// Made by a program with another version of the format.
    Version(u32),
    /// Holds another slice than its name says.
    OtherSlice,
    /// Shorter or longer than expected.
    Length {
        /// Expected length in bytes.
        expected: u64,
        /// Actual length in bytes.
        found: u64,
    },
    /// Changed since it was written.
    Damaged,
    /// Writable by other users, which would end a process that has mapped it.
    WritableByOthers,
    /// Owned by a user who is neither root nor this one.
    OwnedByAnother,
}

impl FileError {
    pub(super) fn new(path: &Path, problem: FileProblem) -> FileError {
        FileError { path: path.to_owned(), problem }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const AGAIN: &str = "delete it and run `farboard endgames` again";
        write!(f, "{}: ", self.path.display())?;
        match &self.problem {
            FileProblem::System(error) => error.fmt(f),
            FileProblem::NotAFile => write!(f, "not a file; remove it and run `farboard endgames` again"),
            FileProblem::Foreign => write!(f, "not made by `farboard endgames`; move it elsewhere"),
            FileProblem::Version(version) => {
                write!(f, "made in version {version} of the format, this program knows {VERSION}; {AGAIN}")
            }
            FileProblem::OtherSlice => write!(f, "its name is that of another file; {AGAIN}"),
            FileProblem::Length { expected, found } => {
                write!(f, "{found} bytes long instead of {expected}; {AGAIN}")
            }
            FileProblem::Damaged => write!(f, "damaged; {AGAIN}"),
            FileProblem::WritableByOthers => {
                write!(f, "other users can change it; take that from them with `chmod go-w`")
            }
            FileProblem::OwnedByAnother => {
                write!(
                    f,
                    "it belongs to another user, who could change it; give it to root with `chown root`"
                )
            }
        }
    }
}

impl std::error::Error for FileError {}

/// Why a database folder cannot be used or finished.
#[derive(Debug)]
pub enum FolderError {
    /// The system refuses to open, create or read the folder.
    System(PathBuf, io::Error),
    /// No database file in the folder.
    Empty(PathBuf),
    /// Positions of four pieces are missing.
    Unfinished(PathBuf),
    /// Another program is writing the folder.
    Busy(PathBuf),
    /// A file cannot be used.
    File(FileError),
    /// The endgames could not be solved.
    Build(BuildError),
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FolderError::System(folder, error) => write!(f, "the folder {}: {error}", folder.display()),
            FolderError::Empty(folder) => {
                let folder = folder.display();
                write!(f, "no endgames in the folder {folder}; `farboard endgames {folder}` makes them")
            }
            FolderError::Unfinished(folder) => {
                let folder = folder.display();
                write!(
                    f,
                    "endgames of four pieces are missing in the folder {folder}; `farboard endgames {folder}` adds them"
                )
            }
            FolderError::Busy(folder) => {
                write!(f, "another program is making the endgames in the folder {}", folder.display())
            }
            FolderError::File(error) => error.fmt(f),
            FolderError::Build(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FolderError {}

impl From<FileError> for FolderError {
    fn from(error: FileError) -> FolderError {
        FolderError::File(error)
    }
}

impl From<BuildError> for FolderError {
    fn from(error: BuildError) -> FolderError {
        FolderError::Build(error)
    }
}
