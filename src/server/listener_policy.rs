//! What is asked of those who come, and how they are met: it depends on where they come in.

use crate::config::{ConfigError, Listen, Network, Transport};
use crate::keys::{Secret, tls};
use crate::session::Protocol;
use rustls::ServerConfig;
use std::net::IpAddr;
use std::sync::Arc;

/// The conditions of one listener.
#[derive(Clone, Debug)]
pub struct ListenerPolicy {
    /// How bytes reach it.
    pub transport: Transport,
    /// What is spoken there.
    pub protocol: Protocol,
    /// Who may connect; nobody is kept out if it is empty.
    pub allow: Vec<Network>,
    /// What clients must know.
    pub secret: Option<Secret>,
    /// How TLS is spoken, which clients then must.
    pub tls: Option<Arc<ServerConfig>>,
    /// For [`Transport::Rsh`]: whether a session begins with the byte that genuine clients wait for.
    pub status_byte: bool,
    /// The profile of sessions that name none; `None` for that of the server.
    pub profile: Option<String>,
}

impl ListenerPolicy {
    /// A policy for every protocol that is open to all.
    pub fn open() -> ListenerPolicy {
        ListenerPolicy {
            transport: Transport::Plain,
            protocol: Protocol::Auto,
            allow: Vec::new(),
            secret: None,
            tls: None,
            status_byte: false,
            profile: None,
        }
    }

    /// What the configuration says of a listener, with the keys in the files that it names.
    ///
    /// # Errors
    /// A file with keys that cannot be used.
    pub fn new(listen: &Listen) -> Result<ListenerPolicy, ConfigError> {
        let secret = listen
            .secret_file
            .as_deref()
            .map(|path| Secret::read(path).map_err(|error| ConfigError::Secret(path.to_owned(), error)));
        let tls = listen
            .tls
            .as_deref()
            .map(|path| tls::server(path).map_err(|error| ConfigError::Tls(path.to_owned(), error)));
        Ok(ListenerPolicy {
            transport: listen.transport,
            protocol: listen.protocol,
            allow: listen.allow.clone(),
            secret: secret.transpose()?,
            tls: tls.transpose()?,
            status_byte: listen.status_byte,
            profile: listen.profile.clone(),
        })
    }

    /// What is spoken there, in a word.
    pub(super) fn word(&self) -> &'static str {
        match self.transport {
            Transport::Plain => self.protocol.word(),
            Transport::Rsh => "rsh",
        }
    }

    /// Whether something is to be shown before a session begins.
    pub(super) fn requires_login(&self) -> bool {
        self.secret.is_some() || self.tls.is_some()
    }

    /// Whether somebody from there may connect.
    pub(super) fn admits(&self, address: IpAddr) -> bool {
        self.allow.is_empty() || self.allow.iter().any(|network| network.contains(address))
    }
}
