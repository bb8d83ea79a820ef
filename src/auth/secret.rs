//! The secret shared by server and shim, which is never sent.

use super::file::{self, KeyFileError};
use ring::hmac;
use std::fmt;
use std::path::Path;

/// The environment variable that may hold the shim's secret.
pub(crate) const ENVIRONMENT: &str = "FARBOARD_SECRET";

/// Minimum length in bytes. An eavesdropper of a handshake can try secrets offline, so a secret
/// must not be guessable.
const MIN_BYTES: usize = 16;
/// Maximum length in bytes.
const MAX_BYTES: usize = 4096;

/// A secret shared by server and shim. Its debug output does not reveal it.
#[derive(Clone)]
pub struct Secret {
    key: hmac::Key,
}

/// Error of a secret.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// The file cannot be used.
    #[error(transparent)]
    File(KeyFileError),
    /// A secret of this many bytes can be guessed.
    #[error(
        "the secret (first line) has {0} bytes and needs at least {MIN_BYTES}. Create one with: \
         (umask 077; openssl rand -hex 32 > FILE)"
    )]
    TooShort(usize),
    /// The secret has this many bytes, which are too many.
    #[error("the secret (first line) has {0} bytes; the maximum is {MAX_BYTES}")]
    TooLong(usize),
}

impl Secret {
    /// The secret on the first line of a text, without blanks around it.
    ///
    /// # Errors
    /// The secret is shorter than 16 bytes or longer than 4,096.
    pub fn new(text: &[u8]) -> Result<Secret, SecretError> {
        let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii();
        match line.len() {
            length if length < MIN_BYTES => Err(SecretError::TooShort(length)),
            length if length > MAX_BYTES => Err(SecretError::TooLong(length)),
            _ => Ok(Secret { key: hmac::Key::new(hmac::HMAC_SHA256, line) }),
        }
    }

    /// The secret in a private file.
    ///
    /// # Errors
    /// The file cannot be read or is not private, or holds no secret.
    pub fn read(path: &Path) -> Result<Secret, SecretError> {
        Secret::new(&file::read_private(path).map_err(SecretError::File)?)
    }

    /// The secret in the file, if one is named, else in the environment variable [`ENVIRONMENT`],
    /// if set.
    ///
    /// # Errors
    /// See [`Secret::read`] and [`Secret::new`].
    pub(crate) fn of_shim(path: Option<&Path>) -> Result<Option<Secret>, SecretError> {
        match (path, std::env::var_os(ENVIRONMENT)) {
            (Some(path), _) => Secret::read(path).map(Some),
            (None, Some(text)) => Secret::new(text.as_encoded_bytes()).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// Whether a text is this secret. Takes as long wherever they differ.
    pub(crate) fn is_same(&self, text: &[u8]) -> bool {
        Secret::new(text).is_ok_and(|other| self.is_signature(b"", other.sign(b"").as_ref()))
    }

    pub(super) fn sign(&self, text: &[u8]) -> hmac::Tag {
        hmac::sign(&self.key, text)
    }

    /// Returns a signature of a text that only servers with this secret verify.
    pub(crate) fn seal(&self, text: &[u8]) -> Vec<u8> {
        self.sign(&sealed(text)).as_ref().to_owned()
    }

    /// Verifies a signature of [`Secret::seal`] in constant time.
    pub(crate) fn is_seal(&self, text: &[u8], seal: &[u8]) -> bool {
        self.is_signature(&sealed(text), seal)
    }

    /// Verifies a signature in constant time.
    pub(super) fn is_signature(&self, text: &[u8], signature: &[u8]) -> bool {
        hmac::verify(&self.key, text, signature).is_ok()
    }
}

/// A sealed text is never one of the handshake.
fn sealed(text: &[u8]) -> Vec<u8> {
    [b"farboard web login ", text].concat()
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(one: &str, other: &str) -> bool {
        let [one, other] = [one, other].map(|text| Secret::new(text.as_bytes()).expect("long enough"));
        other.is_signature(b"x", one.sign(b"x").as_ref())
    }

    #[test]
    fn the_first_line_counts_without_blanks_around_it() {
        let plain = "correct horse battery staple";
        assert!(same(plain, " correct horse battery staple\t\r\nanother line\n"));
        assert!(!same(plain, "correct horse battery stapler"));
    }

    #[test]
    fn short_ones_are_refused_with_a_way_to_make_one() {
        for text in ["", "\n0123456789abcdef", "0123456789abcde", "        0123456789abcde        "] {
            let error = Secret::new(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains("openssl rand -hex 32"), "{error}");
        }
        assert!(Secret::new(b"0123456789abcdef").is_ok());
        assert!(Secret::new(&[b'x'; 4097]).is_err());
    }

    #[test]
    fn what_is_printed_does_not_tell_it() {
        let secret = Secret::new(b"0123456789abcdef").expect("long enough");
        assert_eq!(format!("{secret:?}"), "Secret");
    }

    #[cfg(unix)]
    #[test]
    fn files_that_others_may_read_are_refused() {
        use std::os::unix::fs::PermissionsExt;
        let path = std::env::temp_dir().join(format!("farboard-secret-{}", std::process::id()));
        std::fs::write(&path, "0123456789abcdef\n").expect("a file");
        let read_with = |mode| {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("the test's file");
            Secret::read(&path)
        };
        for mode in [0o644, 0o604, 0o602] {
            let error = read_with(mode).unwrap_err().to_string();
            assert!(error.contains("chmod 600"), "{error}");
        }
        for mode in [0o600, 0o640, 0o400] {
            assert!(read_with(mode).is_ok(), "{mode:o}");
        }
        std::fs::remove_file(&path).expect("the test's file");
        assert!(Secret::read(&path).unwrap_err().to_string().contains("farboard-secret"));
    }
}
