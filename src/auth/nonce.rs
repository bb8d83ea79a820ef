//! Nonces: random numbers used once, so that no recorded handshake can be replayed.

use super::hex::{Hex, read_hex};
use ring::rand::{SecureRandom, SystemRandom};
use std::fmt;

/// Length of a nonce in bytes: enough that none ever repeats.
pub(super) const LENGTH: usize = 32;

/// A number used once; 64 hexadecimal digits on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Nonce(pub [u8; LENGTH]);

/// The system provides no random numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the system provides no random numbers")]
pub struct NoRandomness;

impl Nonce {
    /// A fresh nonce from the system's random numbers.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn random() -> Result<Nonce, NoRandomness> {
        let mut bytes = [0; LENGTH];
        SystemRandom::new().fill(&mut bytes).map_err(|_| NoRandomness)?;
        Ok(Nonce(bytes))
    }

    /// Reads 64 hexadecimal digits.
    pub fn read(text: &str) -> Option<Nonce> {
        read_hex(text).map(Nonce)
    }
}

impl fmt::Display for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Hex(&self.0).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_form_reads_back_and_nothing_else_is_read() {
        let nonce = Nonce::random().expect("a random number");
        let text = nonce.to_string();
        assert_eq!(Nonce::read(&text), Some(nonce));
        for wrong in
            ["", &text[1..], &format!("{text}0"), &text.replacen(&text[..1], "g", 1), &"é".repeat(32)]
        {
            assert_eq!(Nonce::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn no_two_are_the_same() {
        assert_ne!(Nonce::random(), Nonce::random());
    }
}
