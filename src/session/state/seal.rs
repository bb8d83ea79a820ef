//! Encryption of the part of a state that the client must not see.

use super::StateError;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use std::fmt;

/// The key shared by servers that may take over each other's sessions.
pub struct StateKey(LessSafeKey);

impl fmt::Debug for StateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StateKey")
    }
}

impl StateKey {
    /// The key of these bytes.
    pub fn new(bytes: [u8; 32]) -> StateKey {
        let key = UnboundKey::new(&CHACHA20_POLY1305, &bytes).expect("keys of ChaCha20 have 32 bytes");
        StateKey(LessSafeKey::new(key))
    }

    /// Encrypts a text and authenticates `open`, which stays readable. Hexadecimal, the nonce
    /// first.
    pub(super) fn seal(&self, secret: &str, open: &[u8], nonce: [u8; NONCE_LEN]) -> String {
        let mut sealed = secret.as_bytes().to_vec();
        self.0
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(open), &mut sealed)
            .expect("a state is shorter than what the cipher can encrypt");
        nonce.iter().chain(&sealed).map(|byte| format!("{byte:02x}")).collect()
    }

    /// Decrypts a text.
    ///
    /// # Errors
    /// It was encrypted with another key, or it or `open` has been changed.
    pub(super) fn open(&self, sealed: &str, open: &[u8]) -> Result<String, StateError> {
        let bytes: Option<Vec<u8>> = sealed
            .as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
            .collect();
        let bytes = bytes.filter(|_| sealed.len().is_multiple_of(2)).ok_or(StateError::Sealed)?;
        let (nonce, rest) = bytes.split_at_checked(NONCE_LEN).ok_or(StateError::Sealed)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| StateError::Sealed)?;
        let mut rest = rest.to_vec();
        let opened =
            self.0.open_in_place(nonce, Aad::from(open), &mut rest).map_err(|_| StateError::Sealed)?;
        String::from_utf8(opened.to_vec()).map_err(|_| StateError::Sealed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_key_opens_unchanged_text() {
        let key = StateKey::new([1; 32]);
        let sealed = key.seal("Nf3", b"open", [7; 12]);
        assert_eq!(key.open(&sealed, b"open"), Ok("Nf3".to_owned()));
        let other = StateKey::new([2; 32]);
        let mut changed = sealed.clone();
        changed.replace_range(30..31, if sealed.as_bytes()[30] == b'0' { "1" } else { "0" });
        for (key, sealed, open) in [
            (&other, sealed.as_str(), "open"),
            (&key, &sealed, "other"),
            (&key, &changed, "open"),
            (&key, "", "open"),
            (&key, "0", "open"),
            (&key, "zz", "open"),
            (&key, "+1é", "open"),
        ] {
            assert_eq!(key.open(sealed, open.as_bytes()), Err(StateError::Sealed), "{sealed}");
        }
    }
}
