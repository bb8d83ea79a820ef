//! Where the server listens, and to whom.

use super::{ConfigError, Network};
use serde::Deserialize;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;

/// Where the server listens if nothing else is said.
pub const DEFAULT_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 5254);

/// What a client speaks that connects to a listener.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The protocol of xboard and WinBoard.
    Xboard,
    /// The same inside the remote shell protocol of BSD, as WinBoard has it built in.
    Rsh,
}

/// An address to listen on, and what is asked of those who come.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listen {
    /// What is spoken there.
    pub kind: Kind,
    /// Address and port; port 0 lets the system choose one.
    pub address: SocketAddr,
    /// Who may connect; nobody is kept out if it is empty.
    #[serde(default)]
    pub allow: Vec<Network>,
    /// The file with the secret that clients must know.
    pub secret_file: Option<PathBuf>,
    /// The file with the certificate and its key, if clients must use TLS.
    pub tls: Option<PathBuf>,
    /// Whether a session over `rsh` begins with the byte that genuine clients wait for, and WinBoard takes for output.
    #[serde(default)]
    pub status_byte: bool,
    /// The profile of sessions that name none; `None` for the server's own settings.
    pub profile: Option<String>,
}

impl Listen {
    /// An address for the protocol of xboard, without any conditions.
    pub fn new(address: SocketAddr) -> Listen {
        Listen {
            kind: Kind::Xboard,
            address,
            allow: Vec::new(),
            secret_file: None,
            tls: None,
            status_byte: false,
            profile: None,
        }
    }

    /// This listener, with these conditions where it has none of its own. A remote shell has no place for secrets.
    pub(super) fn or(
        mut self,
        allow: &[Network],
        secret_file: &Option<PathBuf>,
        tls: &Option<PathBuf>,
    ) -> Listen {
        if self.allow.is_empty() {
            self.allow = allow.to_vec();
        }
        if self.kind != Kind::Rsh {
            self.secret_file = self.secret_file.or_else(|| secret_file.clone());
            self.tls = self.tls.or_else(|| tls.clone());
        }
        self
    }

    /// The same, if it keeps strangers out.
    pub(super) fn checked(self) -> Result<Listen, ConfigError> {
        let guarded = !self.allow.is_empty() || self.secret_file.is_some();
        if self.kind == Kind::Rsh && self.allow.is_empty() {
            return Err(ConfigError::RshForAll(self.address));
        }
        if self.kind == Kind::Rsh && (self.secret_file.is_some() || self.tls.is_some()) {
            return Err(ConfigError::RshInSecret(self.address));
        }
        if !guarded && !self.address.ip().to_canonical().is_loopback() {
            return Err(ConfigError::Public(self.address));
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
        let address = text.parse().map_err(|_| {
            format!("{text:?} is not ADDRESS:PORT with a numeric address, such as {DEFAULT_ADDRESS}")
        })?;
        Ok(Listen::new(address))
    }
}
