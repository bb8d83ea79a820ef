//! The policy of a listener: who may connect, and what clients must show.

use crate::auth::{Secret, ServerName, Users, tls};
use crate::config::{ConfigError, Listen, Network, Transport};
use crate::session::Protocol;
use rustls::ServerConfig;
use std::net::IpAddr;
use std::sync::Arc;

/// The policy of one listener.
#[derive(Clone, Default, Debug)]
pub struct ListenerPolicy {
    /// Transport of its connections.
    pub transport: Transport,
    /// Protocol of its clients.
    pub protocol: Protocol,
    /// Networks that may connect; all if empty.
    pub allow: Vec<Network>,
    /// For HTTP on a loopback address: further names of this machine in requests.
    pub allow_host: Vec<String>,
    /// Proxies that name their clients in a header of the PROXY protocol.
    pub proxy: Vec<Network>,
    /// Secret that clients must know.
    pub secret: Option<Secret>,
    /// Named users, who log in with their keys or certificates.
    pub users: Option<Arc<Users>>,
    /// Names by which users may address this server; any name if empty.
    pub server_names: Vec<ServerName>,
    /// Whether client certificates name users.
    pub certificates: bool,
    /// TLS configuration; required of clients if set.
    pub tls: Option<Arc<ServerConfig>>,
    /// For [`Transport::Rsh`]: whether a session begins with the byte of genuine clients.
    pub status_byte: bool,
    /// Profile of sessions that name none; `None` for the server's default.
    pub profile: Option<String>,
}

impl ListenerPolicy {
    /// Creates a policy for every protocol, without conditions.
    pub fn open() -> ListenerPolicy {
        ListenerPolicy::default()
    }

    /// Creates the policy of a configured listener, with the keys from its files.
    ///
    /// # Errors
    /// A key file cannot be used.
    pub fn new(listen: &Listen) -> Result<ListenerPolicy, ConfigError> {
        let secret = listen
            .secret_file
            .as_deref()
            .map(|path| Secret::read(path).map_err(|error| ConfigError::Secret(path.to_owned(), error)));
        let users = listen.users.as_deref().map(|path| {
            Users::read(path).map(Arc::new).map_err(|error| ConfigError::Users(path.to_owned(), error))
        });
        let tls = listen.tls.as_deref().map(|path| {
            let clients = listen.client_ca.as_deref();
            tls::server(path, clients).map_err(|error| ConfigError::Tls(path.to_owned(), error))
        });
        Ok(ListenerPolicy {
            transport: listen.transport,
            protocol: listen.protocol,
            allow: listen.allow.clone(),
            allow_host: listen.allow_host.clone(),
            proxy: listen.proxy.clone(),
            secret: secret.transpose()?,
            users: users.transpose()?,
            server_names: listen.server_name.clone(),
            certificates: listen.client_ca.is_some(),
            tls: tls.transpose()?,
            status_byte: listen.status_byte,
            profile: listen.profile.clone(),
        })
    }

    /// Returns the listener's kind in a word, for the log.
    pub(in crate::server) fn word(&self) -> &'static str {
        match self.transport {
            Transport::Plain => self.protocol.word(),
            Transport::Rsh => "rsh",
            Transport::Agent => "agent",
        }
    }

    /// Returns true if clients must log in before their session begins.
    pub(in crate::server) fn requires_login(&self) -> bool {
        self.has_handshake() || self.tls.is_some()
    }

    /// Returns true if clients may log in as users.
    pub(in crate::server) fn knows_users(&self) -> bool {
        self.users.is_some() || self.certificates
    }

    /// Returns true if lines are exchanged at a login.
    pub(in crate::server) fn has_handshake(&self) -> bool {
        self.secret.is_some() || self.users.is_some()
    }

    /// Returns true if connections may need a permit of pending logins.
    pub(in crate::server) fn may_begin_login(&self) -> bool {
        self.requires_login() || !self.proxy.is_empty()
    }

    /// Returns true if this is the address of a proxy, which names its client.
    pub(in crate::server) fn is_proxy(&self, address: IpAddr) -> bool {
        self.proxy.iter().any(|network| network.contains(address))
    }

    pub(in crate::server) fn admits(&self, address: IpAddr) -> bool {
        self.allow.is_empty() || self.allow.iter().any(|network| network.contains(address))
    }
}
