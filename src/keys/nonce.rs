//! Numbers that are used once, so that nothing said before can be said again.

use super::greeting::GreetingError;
use ring::rand::{SecureRandom, SystemRandom};
use std::fmt;
use std::str::FromStr;

/// Bytes of a nonce: so many that no two are ever the same.
pub(super) const LENGTH: usize = 32;

/// A number used once, as 64 digits when it is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nonce(pub [u8; LENGTH]);

/// The system gives no random numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoRandomness;

impl fmt::Display for NoRandomness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the system gives no random numbers")
    }
}

impl std::error::Error for NoRandomness {}

impl Nonce {
    /// A new one, from the system.
    ///
    /// # Errors
    /// The system gives none.
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
    type Err = GreetingError;

    fn from_str(text: &str) -> Result<Nonce, GreetingError> {
        read_hex(text).map(Nonce).ok_or(GreetingError::Malformed)
    }
}

pub(super) fn write_hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

/// Exactly as many bytes, in digits of either case.
pub(super) fn read_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    if digits.len() != 2 * N {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let [high, low] = [pair[0], pair[1]].map(|digit| char::from(digit).to_digit(16));
        *byte = (high? << 4 | low?) as u8;
    }
    Some(bytes)
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
            assert_eq!(wrong.parse::<Nonce>(), Err(GreetingError::Malformed), "{wrong}");
        }
    }

    #[test]
    fn no_two_are_the_same() {
        assert_ne!(Nonce::random(), Nonce::random());
    }
}
