//! File with the key that encrypts hidden parts of session states.

use super::{Config, ConfigError};
use crate::auth::{Hex, KeyFileError, read_hex, read_private};
use crate::session::StateKey;
use ring::rand::{SecureRandom, SystemRandom};
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

/// Bytes of a key.
const LENGTH: usize = 32;

/// An error of a file that has no usable key of states.
#[derive(Debug, thiserror::Error)]
pub enum StateKeyError {
    /// The file cannot be read, or others may read it.
    #[error(transparent)]
    File(KeyFileError),
    /// The file does not exist and cannot be created.
    #[error("the file does not exist and cannot be created: {0}")]
    Make(io::Error),
    /// The file does not contain a key.
    #[error("the file must contain {} hexadecimal digits; remove it to have it created", 2 * LENGTH)]
    NotAKey,
}

impl Config {
    /// The key of states, if a file is named. The file is made if it does not exist.
    ///
    /// # Errors
    /// [`ConfigError::StateKey`] if it cannot be made or used.
    pub fn open_state_key(&self) -> Result<Option<StateKey>, ConfigError> {
        self.state_key_by(read_or_make)
    }

    /// The same, but for a file that does not exist, which is not made.
    ///
    /// # Errors
    /// [`ConfigError::StateKey`] if the file cannot be used.
    pub fn check_state_key(&self) -> Result<(), ConfigError> {
        self.state_key_by(|path| if path.exists() { read(path).map(drop) } else { Ok(()) }).map(drop)
    }

    fn state_key_by<T>(
        &self,
        read: impl FnOnce(&Path) -> Result<T, StateKeyError>,
    ) -> Result<Option<T>, ConfigError> {
        let Some(path) = &self.state_key else { return Ok(None) };
        read(path).map(Some).map_err(|error| self.with_line(ConfigError::StateKey(path.clone(), error)))
    }
}

fn read_or_make(path: &Path) -> Result<StateKey, StateKeyError> {
    match make(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        made => made.map_err(StateKeyError::Make)?,
    }
    read(path)
}

fn read(path: &Path) -> Result<StateKey, StateKeyError> {
    let text = read_private(path).map_err(StateKeyError::File)?;
    let digits = std::str::from_utf8(text.trim_ascii()).unwrap_or_default();
    read_hex(digits).map(StateKey::new).ok_or(StateKeyError::NotAKey)
}

/// Makes a file with a key of random bytes, which only its owner may read. It appears as a whole:
/// another server may read it at the same time.
fn make(path: &Path) -> io::Result<()> {
    if path.exists() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    let draft = path.with_extension(format!("{}.new", std::process::id()));
    let made = write_new(&draft).and_then(|()| fs::hard_link(&draft, path));
    // Fails only if it was not made.
    let _ = fs::remove_file(&draft);
    made
}

fn write_new(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut bytes = [0; LENGTH];
    SystemRandom::new().fill(&mut bytes).map_err(|_| io::Error::other("the system has no random numbers"))?;
    options.open(path)?.write_all(format!("{}\n", Hex(&bytes)).as_bytes())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    fn config(path: &Path) -> Config {
        let settings = Settings { state_key: Some(path.to_owned()), ..Settings::default() };
        settings.resolve().expect("the defaults are right")
    }

    /// The path of a key in an empty folder.
    fn scratch(test: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("farboard-state-key-{test}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).expect("a folder");
        folder.join("key")
    }

    #[test]
    fn a_missing_file_is_made_private_and_read_again() {
        let path = scratch("made");
        config(&path).check_state_key().expect("it can be made");
        assert!(!path.exists(), "a check makes nothing");
        assert!(config(&path).open_state_key().expect("a key").is_some());
        let text = fs::read_to_string(&path).expect("a file");
        assert_eq!(text.len(), 65);
        assert_eq!(fs::metadata(&path).expect("a file").permissions().mode() & 0o777, 0o600);
        assert!(config(&path).open_state_key().expect("the same key").is_some());
        assert_eq!(fs::read_to_string(&path).expect("a file"), text);
        assert!(Settings::default().resolve().expect("right").open_state_key().expect("none").is_none());
    }

    #[test]
    fn what_is_no_key_or_is_exposed_is_an_error() {
        let path = scratch("wrong");
        for wrong in ["".to_owned(), "ab".repeat(31), "ab".repeat(33), "+a".repeat(32), "é".repeat(32)] {
            fs::write(&path, wrong).expect("room");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("allowed");
            assert!(matches!(read(&path), Err(StateKeyError::NotAKey)));
            let error = config(&path).open_state_key().expect_err("no key");
            assert!(error.to_string().contains("cannot use the state key in"), "{error}");
        }
        fs::write(&path, "ab".repeat(32)).expect("room");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("allowed");
        assert!(matches!(read_or_make(&path), Err(StateKeyError::File(KeyFileError::Exposed(_)))));
        let nowhere = path.with_file_name("missing").join("key");
        assert!(matches!(read_or_make(&nowhere), Err(StateKeyError::Make(_))));
    }
}
