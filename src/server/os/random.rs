//! Random numbers of the operating system.

use ring::rand::{SecureRandom, SystemRandom};

/// Returns unpredictable bytes, different for each call.
pub(in crate::server) fn random<const COUNT: usize>() -> [u8; COUNT] {
    let mut bytes = [0; COUNT];
    SystemRandom::new().fill(&mut bytes).expect("the system has random numbers");
    bytes
}
