//! Random numbers of the system.

use ring::rand::{SecureRandom, SystemRandom};

/// Bytes that nobody can guess, and that no other call returns.
pub(super) fn random<const COUNT: usize>() -> [u8; COUNT] {
    let mut bytes = [0; COUNT];
    SystemRandom::new().fill(&mut bytes).expect("the system has random numbers");
    bytes
}
