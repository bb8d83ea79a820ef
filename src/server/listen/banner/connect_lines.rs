//! Command lines for the clients of a listener: the shim with the flags that the listener requires.

use crate::auth::server_host;
use crate::config::Listen;
use crate::session::Protocol;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};

/// The shim, as called on this machine.
pub(super) struct Shim {
    /// From the current directory.
    here: String,
    /// From anywhere: GUIs have working directories of their own.
    program: String,
    /// The first argument, if this program replaces a shim that was not built.
    command: Option<&'static str>,
}

impl Shim {
    pub(super) fn beside(program: &Path, directory: &Path) -> Shim {
        let shim = program.with_file_name("farboard-connect");
        let (program, command) = if shim.is_file() { (&*shim, None) } else { (program, Some("connect")) };
        let command_of = |program: String| match command {
            Some(command) => format!("{program} {command}"),
            None => program,
        };
        Shim {
            here: command_of(callable(program, directory)),
            program: program.display().to_string(),
            command,
        }
    }
}

fn callable(program: &Path, directory: &Path) -> String {
    match program.strip_prefix(directory) {
        // A bare name would be looked up in PATH; in the root directory every path is relative.
        Ok(relative) if relative.components().count() > 1 && directory.parent().is_some() => {
            relative.display().to_string()
        }
        _ => program.display().to_string(),
    }
}

/// Command lines for one listener.
pub(super) struct ConnectLines<'a> {
    listen: &'a Listen,
    address: SocketAddr,
    shim: &'a Shim,
    /// Address by which this machine reaches the listener.
    local: IpAddr,
}

impl<'a> ConnectLines<'a> {
    pub(super) fn new(listen: &'a Listen, address: SocketAddr, shim: &'a Shim) -> ConnectLines<'a> {
        ConnectLines { listen, address, shim, local: local_address(address.ip()) }
    }

    /// Returns the command for a client on this machine; `None` if it is refused or a proxy.
    pub(super) fn here(&self) -> Option<String> {
        self.is_open_here().then(|| format!("{} {}", self.shim.here, self.arguments()))
    }

    /// Returns the command for clients on other machines, if any can connect.
    pub(super) fn elsewhere(&self) -> Option<String> {
        let mut networks = self.listen.allow.iter();
        let is_allowed =
            self.listen.allow.is_empty() || networks.any(|network| !network.is_of_this_machine());
        let is_reached = !self.address.ip().to_canonical().is_loopback() && is_allowed;
        let host = match &self.listen.tls {
            Some(file) => server_host(file, self.address.ip()),
            None => None,
        };
        let host = self.known(host.unwrap_or_else(|| host_elsewhere(self.address)), None);
        is_reached.then(|| {
            let flags = self.flags(|_| "FILE".to_owned());
            format!("farboard-connect{flags} {}", self.at(&host))
        })
    }

    /// Returns host and port for clients without the shim, if the listener requires no proof.
    pub(super) fn without_keys(&self) -> Option<(IpAddr, u16)> {
        (!self.listen.has_keys()).then(|| (self.local, self.address.port()))
    }

    /// Returns [`ConnectLines::here`] in two parts, for the fields of a GUI.
    pub(super) fn command_and_arguments(&self) -> (&str, String) {
        let command = self.shim.command.map(|command| format!("{command} ")).unwrap_or_default();
        (&self.shim.program, command + &self.arguments())
    }

    /// Returns the files that the lines name and the client must provide, with a description.
    pub(super) fn files(&self) -> Vec<(&'static str, &'static str)> {
        let mut files = Vec::new();
        let is_elsewhere = self.elsewhere().is_some();
        if is_elsewhere && self.listen.tls.is_some() {
            let what = "the certificate of the authority that signed the server's, or the server's own without its key";
            files.push(("The FILE of --tls", what));
        }
        if is_elsewhere && self.listen.secret_file.is_some() {
            files.push(("The FILE of --secret-file", "a copy of the server's"));
        }
        if let Some((flag, what)) = self.own_key() {
            files.push((flag, what));
        }
        files
    }

    fn is_open_here(&self) -> bool {
        let contains =
            |networks: &[crate::config::Network]| networks.iter().any(|network| network.contains(self.local));
        (self.listen.allow.is_empty() || contains(&self.listen.allow)) && !contains(&self.listen.proxy)
    }

    /// Returns flags and address for a client on this machine, which trusts the certificate itself.
    fn arguments(&self) -> String {
        let host = self.listen.tls.as_deref().and_then(|file| server_host(file, self.local));
        let host = self.known(host.unwrap_or_else(|| self.local.to_string()), Some("localhost"));
        let flags = self.flags(|file| file.display().to_string());
        format!("{flags} {}", self.at(&host)).trim_start().to_owned()
    }

    /// Returns the flags that the listener requires, each with a blank before it.
    fn flags(&self, named: impl Fn(&Path) -> String) -> String {
        let flag = |name: &str, file: &Option<PathBuf>| {
            file.as_deref().map(|file| format!(" --{name} {}", named(file))).unwrap_or_default()
        };
        let own = match self.own_key() {
            Some(_) if self.listen.users.is_some() => " --key FILE",
            Some(_) => " --certificate FILE",
            None => "",
        };
        let protocol = match self.listen.protocol {
            Protocol::Checkers(_) => " --protocol checkers",
            _ => "",
        };
        let secret = flag("secret-file", &self.listen.secret_file);
        flag("tls", &self.listen.tls) + &secret + own + protocol
    }

    /// Returns the user's own file, if the listener requires a user rather than a shared secret.
    fn own_key(&self) -> Option<(&'static str, &'static str)> {
        if self.listen.secret_file.is_some() {
            None
        } else if self.listen.users.is_some() {
            Some(("The FILE of --key", "the user's, made by farboard keygen"))
        } else if self.listen.client_ca.is_some() {
            Some(("The FILE of --certificate", "the user's certificate with its key"))
        } else {
            None
        }
    }

    /// Returns a host name that the server accepts, where users log in and its names are
    /// configured: `other` if it is one, else the first.
    fn known(&self, host: String, other: Option<&str>) -> String {
        let names = if self.listen.users.is_some() { &self.listen.server_name[..] } else { &[] };
        let is_name = |typed: &str| names.iter().any(|name| name.is(typed));
        match names.first() {
            Some(first) if !is_name(&host) => {
                other.filter(|other| is_name(other)).unwrap_or(first.as_str()).to_owned()
            }
            _ => host,
        }
    }

    fn at(&self, host: &str) -> String {
        let port = self.address.port();
        if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
    }
}

/// Returns the address by which this machine reaches a listener on this address.
fn local_address(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    }
}

/// Returns the host for other machines: the machine's name if the listener has all addresses.
pub(super) fn host_elsewhere(address: SocketAddr) -> String {
    match address.ip() {
        ip if ip.is_unspecified() => rustix::system::uname().nodename().to_string_lossy().into_owned(),
        ip => ip.to_string(),
    }
}
