//! Nonces: random numbers used once, so that no recorded handshake can be replayed.

use super::hex::{read_hex, write_hex};
use ring::rand::{SecureRandom, SystemRandom};
use std::fmt;
use std::str::FromStr;

/// Length of a nonce in bytes: enough that none ever repeats.
pub(super) const LENGTH: usize = 32;

/// A number used once; 64 hexadecimal digits on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nonce(pub [u8; LENGTH]);

/// The system provides no random numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the system provides no random numbers")]
pub struct NoRandomness;

/// Error of parsing a [`Nonce`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a nonce has {} hexadecimal digits", 2 * LENGTH)]
pub struct InvalidNonce;

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
}

impl fmt::Display for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, &self.0)
    }
}

impl FromStr for Nonce {
    type Err = InvalidNonce;

    fn from_str(text: &str) -> Result<Nonce, InvalidNonce> {
        read_hex(text).map(Nonce).ok_or(InvalidNonce)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_form_reads_back_and_nothing_else_is_read() {
        let nonce = Nonce::random().expect("a random number");
        let text = nonce.to_string();
        assert_eq!(text.parse(), Ok(nonce));
        for wrong in
            ["", &text[1..], &format!("{text}0"), &text.replacen(&text[..1], "g", 1), &"é".repeat(32)]
        {
            assert_eq!(wrong.parse::<Nonce>(), Err(InvalidNonce), "{wrong}");
        }
    }

    #[test]
    fn no_two_are_the_same() {
        assert_ne!(Nonce::random(), Nonce::random());
    }
}
