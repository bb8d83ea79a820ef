//! Short files that hold keys, and must be private.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Maximum file size in bytes. A certificate chain has some thousands.
const MAX_FILE_BYTES: usize = 1 << 20;

/// Error of a key file.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// The file cannot be read.
    #[error("cannot read {path}: {error}", path = .0.display(), error = .1)]
    Read(PathBuf, io::Error),
    /// Every user of the machine may read or change the file.
    #[error("every user of this machine may read or change {path}. Make it private: chmod 600 {path}", path = .0.display())]
    Exposed(PathBuf),
    /// Every user of the machine may change the file.
    #[error("every user of this machine may change {path}. Protect it: chmod o-w {path}", path = .0.display())]
    Changeable(PathBuf),
    /// The file is too long for a key file.
    #[error("{path} has more than {MAX_FILE_BYTES} bytes, too long for a file of keys", path = .0.display())]
    TooLong(PathBuf),
}

/// Reads a file that may be public.
pub(super) fn read_public(path: &Path) -> Result<Vec<u8>, KeyFileError> {
    read(path, 0, KeyFileError::Changeable)
}

/// Reads a file that only its owner and perhaps a group may access. Others could be anybody, for
/// instance an attacker who broke in through another service, so such a file is refused, as `ssh`
/// does.
pub(crate) fn read_private(path: &Path) -> Result<Vec<u8>, KeyFileError> {
    read(path, 0o006, KeyFileError::Exposed)
}

/// Reads a file that others than its owner and perhaps a group may read, but not change.
#[cfg(feature = "server")]
pub(super) fn read_guarded(path: &Path) -> Result<Vec<u8>, KeyFileError> {
    read(path, 0o002, KeyFileError::Changeable)
}

/// Reads a file on which others have none of the `forbidden` permissions.
fn read(path: &Path, forbidden: u32, refusal: fn(PathBuf) -> KeyFileError) -> Result<Vec<u8>, KeyFileError> {
    let unreadable = |error| KeyFileError::Read(path.to_owned(), error);
    let file = File::open(path).map_err(unreadable)?;
    if others_may(&file, forbidden).map_err(unreadable)? {
        return Err(refusal(path.to_owned()));
    }
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
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
