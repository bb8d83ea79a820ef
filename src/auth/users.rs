//! The server's file of named users.
//!
//! ```text
//! # name  credential                                    settings
//! alice   ed25519 7d…64 digits                          expires=2027-06-30 sessions=4 weight=3
//! bob     certificate                                   searches=2 profiles=club,farboard
//! ```
//!
//! A line is a name, a credential, and settings in any order. Empty lines, and text from a word
//! that begins with `#`, are ignored. The file contains nothing that can be used to log in.

mod line;

use super::file::{self, KeyFileError};
use super::handshake::HandshakeError;
use super::server_name::ServerName;
use super::user_key::{PublicKey, SIGNATURE_LENGTH};
use super::visibility::Visibility;
use super::{Nonce, UserKey};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::SystemTime;

pub use line::UserLineError;

/// Key tried for unknown names, so that a guess takes as long as for a user's name.
static DECOY: LazyLock<Option<PublicKey>> =
    LazyLock::new(|| UserKey::new("decoy", Nonce([0x46; 32])).ok().map(|key| key.public()));

/// Credential of a user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Credential {
    /// A signature for this key.
    Key(PublicKey),
    /// A certificate with the user's name, for TLS.
    Certificate,
}

/// A user and the user's limits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct User {
    /// The name.
    pub name: String,
    /// Credential.
    pub credential: Credential,
    /// The first moment at which the user may no longer log in; `None` for never.
    pub expires: Option<SystemTime>,
    /// Maximum concurrent sessions; `None` for the server's limits only.
    pub sessions: Option<usize>,
    /// Maximum concurrent searches of all the user's sessions; `None` for the server's limits only.
    pub searches: Option<usize>,
    /// Shares of the cores with as many searches; from 1 to 1024.
    pub weight: u32,
    /// The profiles that sessions may have, the first from the beginning; all if empty.
    pub profiles: Vec<String>,
    /// Audience of the user's sessions; `None` for the one of their profiles.
    pub watch: Option<Visibility>,
}

impl User {
    /// Creates a user without limits, authenticated by a certificate.
    pub(crate) fn of_certificate(name: &str) -> User {
        User {
            name: name.to_owned(),
            credential: Credential::Certificate,
            expires: None,
            sessions: None,
            searches: None,
            weight: 1,
            profiles: Vec::new(),
            watch: None,
        }
    }

    /// Whether the user may no longer log in.
    pub(crate) fn has_expired(&self, now: SystemTime) -> bool {
        self.expires.is_some_and(|end| now >= end)
    }
}

/// The users of a server.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Users {
    by_name: HashMap<String, Arc<User>>,
}

/// Error of a users file.
#[derive(Debug, thiserror::Error)]
pub enum UsersError {
    /// The file cannot be used.
    #[error(transparent)]
    File(KeyFileError),
    /// A line, numbered from 1, is invalid.
    #[error("line {0}: {1}")]
    Line(usize, UserLineError),
}

impl Users {
    /// The users in a file.
    ///
    /// # Errors
    /// The file cannot be read, everybody may change it, or a line is wrong.
    pub fn read(path: &Path) -> Result<Users, UsersError> {
        Users::parse(&file::read_guarded(path).map_err(UsersError::File)?)
    }

    /// The users in a text.
    ///
    /// # Errors
    /// A line is wrong.
    pub fn parse(text: &[u8]) -> Result<Users, UsersError> {
        let mut by_name = HashMap::new();
        let mut lines = HashMap::new();
        for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n')) {
            let Some(user) = line::parse(line).map_err(|error| UsersError::Line(number, error))? else {
                continue;
            };
            let name = user.name.clone();
            if let Some(first) = lines.insert(name.clone(), number) {
                return Err(UsersError::Line(number, UserLineError::Twice { name, line: first }));
            }
            by_name.insert(name, Arc::new(user));
        }
        Ok(Users { by_name })
    }

    /// The user with this name.
    pub fn named(&self, name: &str) -> Option<&Arc<User>> {
        self.by_name.get(name)
    }

    /// Returns the user with this name, whose key has signed a text for the server with the name
    /// `host`. `names` are the server's, if known. A wrong name takes as long as a wrong signature.
    ///
    /// # Errors
    /// Unknown user, expired, or a login for another server. Only the key's holder learns the last
    /// two.
    pub(super) fn signer(
        &self,
        name: &str,
        text: &[u8],
        signature: &[u8; SIGNATURE_LENGTH],
        host: &str,
        names: &[ServerName],
        now: SystemTime,
    ) -> Result<Arc<User>, HandshakeError> {
        let user = self.named(name);
        let key = user.and_then(|user| match user.credential {
            Credential::Key(key) => Some(key),
            Credential::Certificate => None,
        });
        let Some(tried) = key.or(*DECOY) else { return Err(HandshakeError::UnknownUser) };
        let is_meant = names.is_empty() || names.iter().any(|name| name.is(host));
        match (tried.has_signed(text, signature), key.and(user)) {
            (true, Some(user)) if user.has_expired(now) => Err(HandshakeError::Expired),
            (true, Some(_)) if !is_meant => Err(HandshakeError::OtherServer(host.to_owned())),
            (true, Some(user)) => Ok(Arc::clone(user)),
            _ => Err(HandshakeError::UnknownUser),
        }
    }

    /// Returns the user with this name whose credential is a certificate.
    pub(crate) fn with_certificate(&self, name: &str) -> Option<&Arc<User>> {
        self.named(name).filter(|user| user.credential == Credential::Certificate)
    }

    /// All users, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<User>> {
        self.by_name.values()
    }
}

#[cfg(test)]
mod tests;
