//! Short files that hold keys, and must be private.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Maximum file size in bytes. A certificate chain has some thousands.
const MAX_FILE_BYTES: usize = 1 << 20;

/// Error of a key file.
#[derive(Debug)]
pub enum KeyFileError {
    /// The file cannot be read.
    Read(PathBuf, io::Error),
    /// Every user of the machine may read or change the file.
    Exposed(PathBuf),
    /// Every user of the machine may change the file.
    Changeable(PathBuf),
    /// The file is too long for a key file.
    TooLong(PathBuf),
}

impl fmt::Display for KeyFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyFileError::Read(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            KeyFileError::Exposed(path) => write!(
                f,
                "every user of this machine may read or change {path}. Keep it to yourself: chmod 600 {path}",
                path = path.display()
            ),
            KeyFileError::Changeable(path) => write!(
                f,
                "every user of this machine may change {path}. Keep it to yourself: chmod o-w {path}",
                path = path.display()
            ),
            KeyFileError::TooLong(path) => {
                write!(f, "{} has more than {MAX_FILE_BYTES} bytes: it is no file with keys", path.display())
            }
        }
    }
}

impl std::error::Error for KeyFileError {}

/// Reads a file that may be public.
pub(super) fn read_public(path: &Path) -> Result<Vec<u8>, KeyFileError> {
    open(path).and_then(|file| contents(path, file))
}

/// Reads a file that only its owner and perhaps a group may access. Others could be anybody, for instance an
/// attacker who broke in through another service, so such a file is refused, as `ssh` does.
pub(crate) fn read_private(path: &Path) -> Result<Vec<u8>, KeyFileError> {
    let file = open(path)?;
    if others_may(&file, 0o006).map_err(|error| KeyFileError::Read(path.to_owned(), error))? {
        return Err(KeyFileError::Exposed(path.to_owned()));
    }
    contents(path, file)
}

/// Reads a file that others than its owner and perhaps a group may read, but not change.
#[cfg(feature = "server")]
pub(super) fn read_guarded(path: &Path) -> Result<Vec<u8>, KeyFileError> {
    let file = open(path)?;
    if others_may(&file, 0o002).map_err(|error| KeyFileError::Read(path.to_owned(), error))? {
        return Err(KeyFileError::Changeable(path.to_owned()));
    }
    contents(path, file)
}

fn open(path: &Path) -> Result<File, KeyFileError> {
    File::open(path).map_err(|error| KeyFileError::Read(path.to_owned(), error))
}

fn contents(path: &Path, file: File) -> Result<Vec<u8>, KeyFileError> {
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| KeyFileError::Read(path.to_owned(), error))?;
    if bytes.len() > MAX_FILE_BYTES { Err(KeyFileError::TooLong(path.to_owned())) } else { Ok(bytes) }
}

/// Whether others have one of these permissions, 4 to read and 2 to write.
#[cfg(unix)]
fn others_may(file: &File, permissions: u32) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(file.metadata()?.permissions().mode() & permissions != 0)
}

/// Other systems have no permission bits to check.
#[cfg(not(unix))]
fn others_may(_file: &File, _permissions: u32) -> io::Result<bool> {
    Ok(false)
}
