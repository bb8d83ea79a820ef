//! Opening listening sockets.

use socket2::{Domain, Protocol, Socket, Type};
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener};
use thiserror::Error;

/// Connections that may wait to be accepted. Many clients may come at once, as after a restart; a
/// client that finds the backlog full waits a second or more.
const BACKLOG: i32 = 1024;

/// Ports tried to propose one instead of a taken one.
const PORTS_TRIED: u16 = 100;

/// Error of listening on an address.
#[derive(Debug, Error)]
#[error("cannot listen on {address}{}", self.remedy())]
pub struct BindError {
    /// The address.
    pub address: SocketAddr,
    /// The system's error.
    #[source]
    pub error: io::Error,
    /// Flag that sets the address.
    pub flag: &'static str,
    /// Free port of the same address, if this one is taken.
    pub free: Option<u16>,
}

impl BindError {
    /// Returns what to do, as the end of the message.
    fn remedy(&self) -> String {
        match (self.error.kind(), self.free) {
            (ErrorKind::AddrInUse, free) => {
                let proposed = free.map(|port| SocketAddr::new(self.address.ip(), port));
                let proposal = proposed.map(|address| format!(", such as {} {address}", self.flag));
                format!(
                    ": another program does, perhaps another Farboard. Stop it, or choose another port{}",
                    proposal.unwrap_or_default()
                )
            }
            (ErrorKind::PermissionDenied, _) => {
                ": ports below 1024 are for the administrator. Choose a higher one, \
                 or grant the capability CAP_NET_BIND_SERVICE"
                    .to_owned()
            }
            (ErrorKind::AddrNotAvailable, _) => ": this machine has no such address".to_owned(),
            _ => String::new(),
        }
    }
}

/// Binds an address and listens.
///
/// # Errors
/// The address is taken, forbidden, or not one of this machine.
pub fn bind(address: SocketAddr) -> Result<TcpListener, BindError> {
    bind_beside(address, &[])
}

/// Binds an address beside others to be listened on, none of which is proposed instead of a taken
/// one.
///
/// # Errors
/// The address is taken, forbidden, or not one of this machine.
pub fn bind_beside(address: SocketAddr, others: &[SocketAddr]) -> Result<TcpListener, BindError> {
    listen(address).map_err(|error| {
        let is_taken = error.kind() == ErrorKind::AddrInUse;
        let free = if is_taken { free_port(address, others) } else { None };
        BindError { address, error, flag: "--listen", free }
    })
}

fn free_port(address: SocketAddr, others: &[SocketAddr]) -> Option<u16> {
    let next = (1..=PORTS_TRIED).filter_map(|step| address.port().checked_add(step));
    let mut wanted = next.filter(|port| !others.iter().any(|other| other.port() == *port));
    wanted.find(|&port| listen(SocketAddr::new(address.ip(), port)).is_ok())
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // Without it, a restarted server could not listen for a minute.
    socket.set_reuse_address(true)?;
    if address.is_ipv6() {
        socket.set_only_v6(true)?;
    }
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    Ok(socket.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    #[test]
    fn an_address_in_use_is_reported_with_a_remedy() {
        let listener = bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        let address = listener.local_addr().unwrap();
        let message = bind(address).unwrap_err().to_string();
        assert!(message.contains("--listen 127.0.0.1:"), "{message}");
    }

    #[test]
    fn the_proposed_port_is_free_and_not_for_another_listener() {
        let listener = bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        let address = listener.local_addr().unwrap();
        let first = bind(address).unwrap_err().free.expect("of a hundred ports one is free");
        let other = SocketAddr::new(address.ip(), first);
        let second = bind_beside(address, &[other]).unwrap_err().free;
        assert!(first != address.port() && second != Some(first), "{first} {second:?}");
    }
}
