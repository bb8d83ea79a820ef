//! Opening the sockets to listen on.

use socket2::{Domain, Protocol, Socket, Type};
use std::fmt;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener};

/// Connections that the system keeps until they are accepted. Many clients may come at once, as after a
/// restart; one that finds the backlog full waits a second or more.
const BACKLOG: i32 = 1024;

/// Why the server cannot listen on an address.
#[derive(Debug)]
pub struct BindError {
    /// The address.
    pub address: SocketAddr,
    /// The system's error.
    pub error: io::Error,
    /// The flag that sets the address.
    pub flag: &'static str,
}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot listen on {}", self.address)?;
        match self.error.kind() {
            ErrorKind::AddrInUse => write!(
                f,
                ": another program does, perhaps a Farboard that runs already. End that one, or choose another \
                 port: {} {}:{}",
                self.flag,
                self.address.ip(),
                self.address.port().wrapping_add(1)
            ),
            ErrorKind::PermissionDenied => f.write_str(
                ": ports below 1024 are for the administrator. Choose a higher one, or grant the capability \
                 CAP_NET_BIND_SERVICE",
            ),
            ErrorKind::AddrNotAvailable => f.write_str(": this machine has no such address"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for BindError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// Binds an address and listens.
///
/// # Errors
/// The address is taken, forbidden, or not one of this machine.
pub fn bind(address: SocketAddr) -> Result<TcpListener, BindError> {
    listen(address).map_err(|error| BindError { address, error, flag: "--listen" })
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // Without it a restarted server could not listen for a minute.
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
    fn an_address_in_use_is_told_with_a_way_out() {
        let listener = bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        let address = listener.local_addr().unwrap();
        let message = bind(address).unwrap_err().to_string();
        assert!(message.contains("--listen 127.0.0.1:"), "{message}");
    }
}
