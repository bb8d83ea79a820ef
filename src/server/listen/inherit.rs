//! Inherited sockets (socket activation): the service manager listens on them, even while the
//! program is replaced, and passes them with `LISTEN_FDS` and others, see `sd_listen_fds(3)`.

use crate::config::Listen;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use thiserror::Error;

/// Port of the remote shell, for which an `rsh` listener is proposed.
const RSH_PORT: u16 = 514;

/// Inherited sockets that have not been matched to listeners.
#[derive(Default, Debug)]
pub struct InheritedSockets(Vec<Socket>);

#[derive(Debug)]
struct Socket {
    address: SocketAddr,
    /// The service manager's name for it, by default the socket unit's.
    name: String,
    socket: TcpListener,
}

/// Error of inherited sockets.
#[derive(Debug, Error)]
pub enum InheritError {
    /// `LISTEN_FDS` or `LISTEN_PID` is not a number.
    #[error("LISTEN_FDS and LISTEN_PID, which announce inherited sockets, must be numbers")]
    Environment,
    /// A descriptor is not a TCP socket.
    #[error("the inherited socket {0} is not a TCP socket: its unit must say ListenStream=ADDRESS:PORT")]
    NotTcp(String, #[source] io::Error),
    /// A socket is a connection accepted by the service manager.
    #[error(
        "the inherited socket {0} is a connection: its unit must not say Accept=yes, as one server serves them all"
    )]
    Connection(String),
    /// Addresses without a listener.
    #[error(
        "inherited sockets without a listener. Configure listeners with their protocols, or remove the addresses \
         from the socket unit:{}",
        .0.iter().map(|&address| proposal(address)).collect::<String>()
    )]
    Unnamed(Vec<SocketAddr>),
}

/// Returns the configuration of a listener at this address.
fn proposal(address: SocketAddr) -> String {
    let rsh = address.port() == RSH_PORT;
    let mut lines = format!("\n  [[listen]]\n  address = \"{address}\"");
    if rsh {
        lines += "\n  transport = \"rsh\"";
    }
    if rsh || !address.ip().to_canonical().is_loopback() {
        lines += "\n  allow = [\"192.168.0.0/16\"]";
    }
    lines
}

impl InheritedSockets {
    /// Takes over the sockets in the environment; none if they are for another process. To be
    /// called once, before anything else is opened.
    ///
    /// # Errors
    /// The environment is invalid, or a descriptor is not a listening TCP socket.
    pub fn from_environment() -> Result<InheritedSockets, InheritError> {
        let found = sd_listen_fds::get().map_err(|_| InheritError::Environment)?;
        let sockets = found.into_iter().enumerate();
        let sockets = sockets.map(|(index, (name, socket))| {
            let name = name.unwrap_or_else(|| format!("{} of LISTEN_FDS", index + 1));
            Socket::new(name, socket.into())
        });
        Ok(InheritedSockets(sockets.collect::<Result<_, _>>()?))
    }

    /// Returns the inherited socket of each listener, if any. A socket on all addresses also serves
    /// a listener on all addresses of the other family, as service managers open one socket for
    /// both. It serves no listener on a single address, which may be meant for fewer clients.
    ///
    /// # Errors
    /// [`InheritError::Unnamed`] if sockets are left over: clients would wait there in vain.
    pub fn matched_to(mut self, listeners: &[Listen]) -> Result<Vec<Option<TcpListener>>, InheritError> {
        let mut sockets: Vec<Option<TcpListener>> = listeners.iter().map(|_| None).collect();
        for fits in [is_same, are_both_wildcards] {
            for (listener, socket) in listeners.iter().zip(&mut sockets) {
                if socket.is_none() {
                    *socket = self.take(|address| fits(address, listener.address));
                }
            }
        }
        if self.0.is_empty() {
            Ok(sockets)
        } else {
            Err(InheritError::Unnamed(self.0.iter().map(|left| left.address).collect()))
        }
    }

    fn take(&mut self, fits: impl Fn(SocketAddr) -> bool) -> Option<TcpListener> {
        let index = self.0.iter().position(|socket| fits(socket.address))?;
        let Socket { address, name, socket } = self.0.remove(index);
        log::info!("the socket on {address} is inherited: {name}");
        Some(socket)
    }
}

impl Socket {
    fn new(name: String, socket: TcpListener) -> Result<Socket, InheritError> {
        let check = || -> io::Result<(SocketAddr, bool)> {
            let address = socket.local_addr()?;
            // Service managers pass it without the flag, and hosted engines would inherit it.
            rustix::io::fcntl_setfd(&socket, rustix::io::FdFlags::CLOEXEC)?;
            // Only Linux passes sockets at all.
            #[cfg(target_os = "linux")]
            let is_listener = socket2::SockRef::from(&socket).is_listener()?;
            #[cfg(not(target_os = "linux"))]
            let is_listener = true;
            Ok((address, is_listener))
        };
        match check() {
            Ok((address, true)) => Ok(Socket { address, name, socket }),
            Ok((_, false)) => Err(InheritError::Connection(name)),
            Err(error) => Err(InheritError::NotTcp(name, error)),
        }
    }
}

fn is_same(inherited: SocketAddr, listener: SocketAddr) -> bool {
    (canonical(inherited), inherited.port()) == (canonical(listener), listener.port())
}

fn are_both_wildcards(inherited: SocketAddr, listener: SocketAddr) -> bool {
    let wildcard = |address| canonical(address).is_unspecified();
    wildcard(inherited) && wildcard(listener) && inherited.port() == listener.port()
}

/// `::ffff:0.0.0.0` is a wildcard as well.
fn canonical(address: SocketAddr) -> IpAddr {
    address.ip().to_canonical()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{Ipv4Addr, TcpStream};

    fn inherited(addresses: &[&str]) -> InheritedSockets {
        let socket = || TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let sockets = addresses.iter().map(|address| Socket {
            address: address.parse().unwrap(),
            name: "a test".to_owned(),
            socket: socket(),
        });
        InheritedSockets(sockets.collect())
    }

    /// Returns which listeners get an inherited socket.
    fn matched(addresses: &[&str], listeners: &[&str]) -> Vec<bool> {
        let listeners: Vec<Listen> = listeners.iter().map(|text| text.parse().unwrap()).collect();
        let sockets = inherited(addresses).matched_to(&listeners).expect("all are named");
        sockets.iter().map(Option::is_some).collect()
    }

    fn left_over(addresses: &[&str], listeners: &[&str]) -> String {
        let listeners: Vec<Listen> = listeners.iter().map(|text| text.parse().unwrap()).collect();
        inherited(addresses).matched_to(&listeners).expect_err("one is not named").to_string()
    }

    #[test]
    fn sockets_go_to_the_listeners_that_name_their_addresses() {
        assert_eq!(matched(&[], &["127.0.0.1:5254"]), [false]);
        let listeners = ["127.0.0.1:5254", "127.0.0.1:5255", "[::1]:5254"];
        assert_eq!(matched(&["[::1]:5254", "127.0.0.1:5254"], &listeners), [true, false, true]);
        assert_eq!(matched(&["[::ffff:127.0.0.1]:5254"], &["127.0.0.1:5254"]), [true]);
    }

    #[test]
    fn a_socket_on_all_addresses_serves_both_families() {
        assert_eq!(matched(&["[::]:514"], &["0.0.0.0:514"]), [true]);
        assert_eq!(matched(&["0.0.0.0:514"], &["[::]:514"]), [true]);
        assert_eq!(matched(&["[::]:514"], &["0.0.0.0:514", "[::]:514"]), [false, true]);
        assert_eq!(matched(&["[::]:514", "0.0.0.0:514"], &["0.0.0.0:514", "[::]:514"]), [true, true]);
    }

    #[test]
    fn a_socket_on_all_addresses_serves_no_listener_on_one() {
        for (socket, listener) in [
            ("0.0.0.0:5254", "127.0.0.1:5254"),
            ("127.0.0.1:5254", "0.0.0.0:5254"),
            ("0.0.0.0:5254", "0.0.0.0:5255"),
        ] {
            left_over(&[socket], &[listener]);
        }
    }

    #[test]
    fn leftover_sockets_are_reported_with_the_lines_to_add() {
        let message = left_over(&["127.0.0.1:5300", "[::]:514"], &["127.0.0.1:5254"]);
        let lines = message.lines().skip(1).collect::<Vec<_>>().join("\n");
        let settings = crate::config::Settings::parse(&lines, "proposed".as_ref()).expect("TOML");
        let config = settings.resolve().expect("good settings");
        let addresses: Vec<String> = config.listen.iter().map(|one| one.address.to_string()).collect();
        assert_eq!(addresses, ["127.0.0.1:5300", "[::]:514"]);
        assert_eq!(config.listen[1].transport, crate::config::Transport::Rsh);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn connections_and_sockets_that_are_not_tcp_are_refused() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let connection = std::os::fd::OwnedFd::from(TcpStream::connect(address).unwrap());
        let refused = Socket::new("it".to_owned(), connection.into());
        assert!(matches!(refused, Err(InheritError::Connection(name)) if name == "it"));
        let (local, _) = std::os::unix::net::UnixStream::pair().unwrap();
        let refused = Socket::new("it".to_owned(), std::os::fd::OwnedFd::from(local).into());
        assert!(matches!(refused, Err(InheritError::NotTcp(..))));
        let socket = Socket::new("it".to_owned(), listener).expect("it listens");
        assert_eq!(socket.address.ip(), IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
}
