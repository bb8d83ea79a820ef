//! What can be wrong with files of the database.

use super::BuildError;
use super::file::VERSION;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a file of the database cannot be used. What it prints says what to do.
#[derive(Debug)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: FileProblem,
}

/// What is wrong with a file of the database.
#[derive(Debug)]
pub enum FileProblem {
    /// The system refuses to read or write it.
    System(io::Error),
    /// It is a folder, a device, or something else that cannot be mapped.
    NotAFile,
    /// It was not made by `farboard endgames`.
    Foreign,
    /// It was made by a program with another version of the format.
    Version(u32),
    /// It has the values of another slice than its name says.
    OtherSlice,
    /// It is shorter or longer than it should be.
    Length {
        /// Bytes that it should have.
        expected: u64,
        /// Bytes that it has.
        found: u64,
    },
    /// Some of its bytes have changed since it was written.
    Damaged,
    /// Other users can change it, which would end a process that has mapped it.
    WritableByOthers,
    /// It belongs to a user who is neither root nor this one, and could change it.
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

/// Why a folder of the database cannot be used or finished.
#[derive(Debug)]
pub enum FolderError {
    /// The system refuses to open, make or read the folder.
    System(PathBuf, io::Error),
    /// There is no file of the database in it.
    Empty(PathBuf),
    /// Positions of four pieces are missing in it.
    Unfinished(PathBuf),
    /// Another program is making its files.
    Busy(PathBuf),
    /// One of its files.
    File(FileError),
    /// The endgames were not solved.
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
