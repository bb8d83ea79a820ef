//! Listeners: where the server listens, and for whom.

use super::{ConfigError, Network, Settings};
use crate::auth::ServerName;
use crate::protocol::checkers::Dialect;
use crate::session::Protocol;
use crate::session::checkers::{Manners, Orientation};
use serde::{Deserialize, Deserializer};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::str::FromStr;

/// The default address.
pub(crate) const DEFAULT_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 5254);

/// Default address for the Checkers Protocol, which cannot be detected from a client's first line.
pub(crate) const DEFAULT_CHECKERS_ADDRESS: SocketAddr =
    SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 5255);

/// Transport of a listener, inside TLS if [`Listen::tls`] is set.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Transport {
    /// As they are.
    #[default]
    Plain,
    /// Inside the remote shell protocol of BSD, as WinBoard has it built in.
    Rsh,
    /// Not at all: a balancer receives a line with the server's load.
    Agent,
}

/// A listener: an address and its access rules.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "ListenInFile")]
pub struct Listen {
    /// Transport.
    pub transport: Transport,
    /// The protocol of the clients.
    pub protocol: Protocol,
    /// Address and port; port 0 lets the system choose one.
    pub address: SocketAddr,
    /// The networks that may connect; everybody if empty.
    pub allow: Vec<Network>,
    /// For HTTP on a loopback address: further host names accepted in requests.
    pub allow_host: Vec<String>,
    /// The proxies that say for whom they connect, by a header of the PROXY protocol.
    pub proxy: Vec<Network>,
    /// The file with the secret that clients must know.
    pub secret_file: Option<PathBuf>,
    /// File of named users, who log in with keys or certificates.
    pub users: Option<PathBuf>,
    /// The names that named users may have typed to get here; every name if empty.
    pub server_name: Vec<ServerName>,
    /// The file with the authorities whose certificates name users.
    pub client_ca: Option<PathBuf>,
    /// The file with the certificate and its key, if clients must use TLS.
    pub tls: Option<PathBuf>,
    /// Whether a session over `rsh` begins with the byte that genuine clients wait for, and
    /// WinBoard takes for output.
    pub status_byte: bool,
    /// The profile of sessions that name none; `None` for the server's own settings.
    pub profile: Option<String>,
    /// Whether the server does without it if the address cannot be had.
    pub is_optional: bool,
}

impl Listen {
    /// An address for every protocol, without any conditions.
    pub fn new(address: SocketAddr) -> Listen {
        Listen {
            transport: Transport::Plain,
            protocol: Protocol::Auto,
            address,
            allow: Vec::new(),
            allow_host: Vec::new(),
            proxy: Vec::new(),
            secret_file: None,
            users: None,
            server_name: Vec::new(),
            client_ca: None,
            tls: None,
            status_byte: false,
            profile: None,
            is_optional: false,
        }
    }

    /// Default listeners: one for chess and, if its address is free, one for checkers.
    pub(super) fn defaults() -> Vec<Listen> {
        let protocol = Protocol::Checkers(Manners::default());
        let checkers = Listen { protocol, is_optional: true, ..Listen::new(DEFAULT_CHECKERS_ADDRESS) };
        vec![Listen::default(), checkers]
    }

    /// Fills in settings that this listener lacks. A remote shell has no way to send secrets, and
    /// connects back to its clients, which rules out proxies; an agent check supports neither.
    pub(super) fn or(mut self, general: &Settings) -> Listen {
        if self.allow.is_empty() {
            self.allow = general.allow.clone();
        }
        if self.transport == Transport::Plain {
            if self.proxy.is_empty() {
                self.proxy = general.proxy.clone();
            }
            if self.server_name.is_empty() {
                self.server_name = general.server_name.clone();
            }
            self.secret_file = self.secret_file.or_else(|| general.secret_file.clone());
            self.users = self.users.or_else(|| general.users.clone());
            self.client_ca = self.client_ca.or_else(|| general.client_ca.clone());
            self.tls = self.tls.or_else(|| general.tls.clone());
        }
        self
    }

    /// Whether clients must authenticate or use TLS, which a remote shell cannot.
    pub(crate) fn has_keys(&self) -> bool {
        [&self.secret_file, &self.tls, &self.users, &self.client_ca].into_iter().any(Option::is_some)
    }

    /// This listener, unless it would let everybody in from other machines.
    pub(super) fn checked(self) -> Result<Listen, ConfigError> {
        let guarded = !self.allow.is_empty()
            || self.secret_file.is_some()
            || self.users.is_some()
            || self.client_ca.is_some();
        if self.transport == Transport::Rsh && self.allow.is_empty() {
            return Err(ConfigError::RshWithoutAllow(self.address));
        }
        if self.transport == Transport::Rsh && self.has_keys() {
            return Err(ConfigError::RshWithKeys(self.address));
        }
        if self.transport == Transport::Rsh && !self.proxy.is_empty() {
            return Err(ConfigError::RshWithProxy(self.address));
        }
        if self.client_ca.is_some() && self.tls.is_none() {
            return Err(ConfigError::ClientsWithoutTls(self.address));
        }
        let misplaced = [
            ("secret_file", self.secret_file.is_some()),
            ("users", self.users.is_some()),
            ("client_ca", self.client_ca.is_some()),
            ("server_name", !self.server_name.is_empty()),
            ("tls", self.tls.is_some()),
            ("proxy", !self.proxy.is_empty()),
            ("profile", self.profile.is_some()),
        ];
        if self.transport == Transport::Agent
            && let Some((setting, _)) = misplaced.into_iter().find(|&(_, is_set)| is_set)
        {
            return Err(ConfigError::AgentWith(self.address, setting));
        }
        if !guarded && !self.address.ip().to_canonical().is_loopback() {
            return Err(ConfigError::UnprotectedListener(self.address));
        }
        Ok(self)
    }
}

impl Default for Listen {
    fn default() -> Listen {
        Listen::new(DEFAULT_ADDRESS)
    }
}

impl FromStr for Listen {
    type Err = String;

    fn from_str(text: &str) -> Result<Listen, String> {
        address(text).map(Listen::new)
    }
}

/// An address and a port, or one of them: a port alone, also after a colon, is on the loopback
/// address; an address alone has the default port. A name of a host, with a port, stands for its
/// first address, of IPv4 if it has one.
pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    let of_this_machine = || text.strip_prefix(':').unwrap_or(text).parse().ok().map(this_machine);
    let alone = || {
        let ip = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
        Some(SocketAddr::new(ip.parse().ok()?, DEFAULT_ADDRESS.port()))
    };
    let numeric = text.parse().ok().or_else(of_this_machine).or_else(alone);
    numeric.map_or_else(|| address_by_name(text), Ok)
}

/// The address of a host by its name, which the system may have to ask for.
fn address_by_name(text: &str) -> Result<SocketAddr, String> {
    let wrong =
        || format!("{text:?} is not ADDRESS:PORT or NAME:PORT, such as {DEFAULT_ADDRESS}, nor a port");
    let (host, port) = text.rsplit_once(':').ok_or_else(wrong)?;
    let port: u16 = port.parse().map_err(|_| wrong())?;
    let is_name = host.contains(|c: char| c.is_ascii_alphabetic())
        && host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    if !is_name {
        return Err(wrong());
    }
    let found = (host, port).to_socket_addrs();
    let found: Vec<SocketAddr> =
        found.map_err(|error| format!("no address of the host {host:?} is known ({error})"))?.collect();
    let first = found.iter().find(|address| address.is_ipv4()).or(found.first());
    first.copied().ok_or_else(|| format!("no address of the host {host:?} is known"))
}

pub(super) fn this_machine(port: u16) -> SocketAddr {
    SocketAddr::new(DEFAULT_ADDRESS.ip(), port)
}

/// An address in the file: text, or the number of a port.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "an address must be text such as \"127.0.0.1:5254\", or a port from 0 to 65535"
)]
enum AddressInFile {
    Port(u16),
    Text(String),
}

pub(super) fn address_in_file<'de, D: Deserializer<'de>>(reader: D) -> Result<SocketAddr, D::Error> {
    match AddressInFile::deserialize(reader)? {
        AddressInFile::Port(port) => Ok(this_machine(port)),
        AddressInFile::Text(text) => address(&text).map_err(serde::de::Error::custom),
    }
}

/// A listener in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListenInFile {
    kind: Option<Kind>,
    transport: Option<Transport>,
    protocol: Option<Protocol>,
    dialect: Option<Dialect>,
    orientation: Option<Orientation>,
    #[serde(deserialize_with = "address_in_file")]
    address: SocketAddr,
    #[serde(default)]
    allow: Vec<Network>,
    #[serde(default)]
    proxy: Vec<Network>,
    secret_file: Option<PathBuf>,
    users: Option<PathBuf>,
    #[serde(default)]
    server_name: Vec<ServerName>,
    client_ca: Option<PathBuf>,
    tls: Option<PathBuf>,
    #[serde(default)]
    status_byte: bool,
    profile: Option<String>,
    #[serde(default)]
    optional: bool,
}

/// One word for transport and protocol, as in files from before there was more than one protocol.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Xboard,
    Rsh,
    Checkers,
}

impl TryFrom<ListenInFile> for Listen {
    type Error = &'static str;

    fn try_from(table: ListenInFile) -> Result<Listen, &'static str> {
        let (transport, protocol) = match table.kind {
            Some(_) if table.transport.is_some() || table.protocol.is_some() => {
                return Err("kind stands for transport and protocol: leave it out");
            }
            Some(Kind::Xboard) => (Transport::Plain, Protocol::Xboard),
            Some(Kind::Rsh) => (Transport::Rsh, Protocol::Xboard),
            Some(Kind::Checkers) => (Transport::Plain, Protocol::Checkers(Manners::default())),
            None => (table.transport.unwrap_or_default(), table.protocol.unwrap_or_default()),
        };
        // WinBoard speaks no other protocol, and the pacing of its output depends on it.
        let protocol = if transport == Transport::Rsh { Protocol::Xboard } else { protocol };
        let protocol = match protocol {
            Protocol::Checkers(_) => Protocol::Checkers(Manners {
                dialect: table.dialect.unwrap_or_default(),
                orientation: table.orientation.unwrap_or_default(),
            }),
            _ if table.dialect.is_some() || table.orientation.is_some() => {
                return Err("dialect and orientation are for protocol = \"checkers\"");
            }
            other => other,
        };
        Ok(Listen {
            transport,
            protocol,
            allow: table.allow,
            proxy: table.proxy,
            secret_file: table.secret_file,
            users: table.users,
            server_name: table.server_name,
            client_ca: table.client_ca,
            tls: table.tls,
            status_byte: table.status_byte,
            profile: table.profile,
            is_optional: table.optional,
            ..Listen::new(table.address)
        })
    }
}

/// Checks that no two listeners have the same address and port. An address that stands for all
/// includes the others of its family.
pub(super) fn check_addresses_differ<'a>(
    listeners: impl Iterator<Item = &'a Listen>,
) -> Result<(), ConfigError> {
    let meet = |one: SocketAddr, other: SocketAddr| {
        let (ip, others) = (one.ip(), other.ip());
        let everywhere = ip.is_unspecified() || others.is_unspecified();
        one.port() == other.port()
            && one.port() != 0
            && ip.is_ipv4() == others.is_ipv4()
            && (ip == others || everywhere)
    };
    let mut known: Vec<SocketAddr> = Vec::new();
    for Listen { address, .. } in listeners {
        if known.iter().any(|&other| meet(*address, other)) {
            return Err(ConfigError::DuplicateListener(*address));
        }
        known.push(*address);
    }
    Ok(())
}
