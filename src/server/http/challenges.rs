//! Challenges for logins of users: each is signed by this server, expires soon, and is good for one
//! login. Only the used ones are kept, so that asking for challenges costs no memory.

use crate::auth::{Nonce, Secret};
use crate::server::os::random::random;
use std::collections::HashMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Time for a page to answer a challenge.
const VALID: Duration = Duration::from_secs(60);
/// Length in bytes of a challenge's time and random number; the second half is its signature.
const HALF: usize = 16;
/// Length in bytes of the time alone.
const TIME: usize = 8;

#[derive(Debug)]
pub(super) struct Challenges {
    key: Secret,
    /// The challenges that have been answered, and when they expire.
    used: HashMap<Nonce, SystemTime>,
}

impl Challenges {
    /// Signs challenges with this key, which no other server may have.
    pub(super) fn new(key: Secret) -> Challenges {
        Challenges { key, used: HashMap::new() }
    }

    /// Returns a new challenge.
    pub(super) fn challenge(&self, now: SystemTime) -> Nonce {
        let time = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64;
        let mut bytes = [0; 2 * HALF];
        bytes[..TIME].copy_from_slice(&time.to_be_bytes());
        bytes[TIME..HALF].copy_from_slice(&random::<{ HALF - TIME }>());
        let seal = self.key.seal(&bytes[..HALF]);
        bytes[HALF..].copy_from_slice(&seal[..HALF]);
        Nonce(bytes)
    }

    /// Returns true if a challenge is of this server and may still be answered.
    pub(super) fn is_open(&self, challenge: &Nonce, now: SystemTime) -> bool {
        let seal = self.key.seal(&challenge.0[..HALF]);
        let end = expiry(challenge);
        seal[..HALF] == challenge.0[HALF..]
            && end.is_some_and(|end| end > now)
            && !self.used.contains_key(challenge)
    }

    /// Notes that a challenge of this server has been answered.
    pub(super) fn answered(&mut self, challenge: Nonce, now: SystemTime) {
        self.used.retain(|_, end| *end > now);
        if let Some(end) = expiry(&challenge) {
            self.used.insert(challenge, end);
        }
    }
}

fn expiry(challenge: &Nonce) -> Option<SystemTime> {
    let time = u64::from_be_bytes(challenge.0[..TIME].try_into().expect("as long"));
    UNIX_EPOCH.checked_add(Duration::from_millis(time))?.checked_add(VALID)
}

#[cfg(test)]
mod tests {
    use super::super::login::random_secret;
    use super::*;

    #[test]
    fn a_challenge_is_good_for_a_minute_and_one_login() {
        let (mut challenges, now) = (Challenges::new(random_secret()), SystemTime::now());
        let [first, second] = [challenges.challenge(now), challenges.challenge(now)];
        assert_ne!(first, second);
        assert!(challenges.is_open(&first, now) && challenges.is_open(&first, now));
        challenges.answered(first, now);
        assert!(!challenges.is_open(&first, now) && challenges.is_open(&second, now));
        assert!(!challenges.is_open(&second, now + VALID));
        challenges.answered(second, now + VALID);
        assert_eq!(challenges.used.len(), 1, "the first has expired");
    }

    #[test]
    fn other_challenges_are_refused() {
        let (challenges, now) = (Challenges::new(random_secret()), SystemTime::now());
        let own = challenges.challenge(now);
        let later = {
            let mut bytes = own.0;
            bytes[TIME - 1] ^= 1;
            Nonce(bytes)
        };
        for wrong in
            [Nonce([0; 32]), Nonce([0xff; 32]), later, Challenges::new(random_secret()).challenge(now)]
        {
            assert!(!challenges.is_open(&wrong, now), "{wrong}");
        }
    }
}
