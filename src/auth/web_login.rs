//! The login of a named user in a browser: the page signs a challenge of the server with the user's
//! key, which does not leave the browser.
//!
//! The signature covers the challenge, the host in the page's address, and the user's name, but no
//! value of the TLS connection, which browsers do not show to pages. A server in between could use
//! it for another server, unless that one knows its names and refuses others.

use super::handshake::HandshakeError;
use super::server_name::{ServerName, is_shown};
use super::user_key::SIGNATURE_LENGTH;
use super::users::{User, Users};
use super::{Nonce, read_hex};
use std::sync::Arc;
use std::time::SystemTime;

/// The answer of a page to a challenge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WebProof {
    name: String,
    host: String,
    /// The challenge that the page has signed.
    pub(crate) challenge: Nonce,
    signature: [u8; SIGNATURE_LENGTH],
}

impl WebProof {
    /// Reads the fields of a form; `None` if one of them is missing or malformed.
    pub(crate) fn read<'a>(field: impl Fn(&str) -> Option<&'a str>) -> Option<WebProof> {
        Some(WebProof {
            name: field("user")?.to_owned(),
            host: field("host").filter(|host| is_shown(host))?.to_owned(),
            challenge: Nonce::read(field("challenge")?)?,
            signature: read_hex(field("signature")?)?,
        })
    }

    /// Returns the user who has signed. `names` are the server's, if known.
    ///
    /// # Errors
    /// Unknown user, expired, or a login for another server. Only the key's holder learns the last
    /// two.
    pub(crate) fn user(
        &self,
        users: &Users,
        names: &[ServerName],
        now: SystemTime,
    ) -> Result<Arc<User>, HandshakeError> {
        let text = claim(&self.name, &self.host, &self.challenge);
        users.signer(&self.name, &text, &self.signature, &self.host, names, now)
    }
}

/// The signed bytes. The host has its length in front.
pub(crate) fn claim(name: &str, host: &str, challenge: &Nonce) -> Vec<u8> {
    let length = (host.len() as u64).to_be_bytes();
    [b"farboard web login 1\0", &challenge.0[..], &length, host.as_bytes(), name.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::super::UserKey;
    use super::*;
    use std::time::Duration;

    const CHALLENGE: Nonce = Nonce([3; 32]);

    fn key(seed: u8) -> UserKey {
        UserKey::new("alice", Nonce([seed; 32])).expect("a name")
    }

    fn signed(key: &UserKey, host: &str) -> WebProof {
        let signature = key.sign(&claim(key.name(), host, &CHALLENGE));
        WebProof { name: key.name().to_owned(), host: host.to_owned(), challenge: CHALLENGE, signature }
    }

    fn users(settings: &str) -> Users {
        let line = key(1).public_line();
        Users::parse(format!("{} {settings}\nbob certificate\n", line.trim_end()).as_bytes()).expect("users")
    }

    #[test]
    fn the_holder_of_a_key_is_its_user() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        let proof = signed(&key(1), "chess.example");
        assert_eq!(proof.user(&users(""), &[], now).expect("alice").name, "alice");
        let other_challenge = WebProof { challenge: Nonce([4; 32]), ..proof.clone() };
        let other_host = WebProof { host: "other.example".to_owned(), ..proof.clone() };
        let other_name = WebProof { name: "bob".to_owned(), ..proof.clone() };
        for wrong in [signed(&key(2), "chess.example"), other_challenge, other_host, other_name] {
            assert_eq!(wrong.user(&users(""), &[], now), Err(HandshakeError::UnknownUser), "{wrong:?}");
        }
        let expired = users("expires=2026-01-01");
        assert_eq!(proof.user(&expired, &[], now), Err(HandshakeError::Expired));
        let names = |name: &str| [name.parse().expect("a name")];
        assert!(proof.user(&users(""), &names("chess.example"), now).is_ok());
        let other = HandshakeError::OtherServer("chess.example".to_owned());
        assert_eq!(proof.user(&users(""), &names("club.example"), now), Err(other));
    }

    #[test]
    fn forms_are_read_whole_or_not_at_all() {
        let (challenge, signature) = (CHALLENGE.to_string(), "0f".repeat(SIGNATURE_LENGTH));
        let form = [("user", "alice"), ("host", "h"), ("challenge", &challenge), ("signature", &signature)];
        let read = |form: &[(&str, &str)]| {
            let form: Vec<(String, String)> =
                form.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
            WebProof::read(|name| {
                form.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
            })
        };
        let proof = read(&form).expect("a proof");
        assert_eq!((proof.name.as_str(), proof.signature), ("alice", [15; SIGNATURE_LENGTH]));
        for missing in 0..form.len() {
            let rest: Vec<_> =
                form.iter().enumerate().filter(|(at, _)| *at != missing).map(|(_, &field)| field).collect();
            assert_eq!(read(&rest), None);
        }
        for (at, value) in [(1, "a b"), (2, "00"), (3, "xy")] {
            let mut wrong = form;
            wrong[at].1 = value;
            assert_eq!(read(&wrong), None, "{value}");
        }
    }
}
