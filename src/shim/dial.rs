//! Connecting to a server: tries every address of its name in turn, with a timeout for each.

use std::io;
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use super::address::Address;
use super::admitted::Opened;
use super::liveness;
use crate::auth::Keys;

/// Timeout of an address. xboard waits ten seconds for an engine's first output, so a reason must be there
/// sooner, even for a name with an IPv4 and an IPv6 address.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(4);

/// Connects to the first address of `server` that answers, and completes TLS and handshake.
///
/// # Errors
///
/// The last failure if no address answers, or why the server refuses.
pub fn dial(server: &Address, keys: &Keys) -> io::Result<Opened> {
    Opened::new(reach(server)?, server.name(), keys)
}

fn reach(server: &Address) -> io::Result<TcpStream> {
    let mut failure = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    let found = (server.host.as_str(), server.port).to_socket_addrs();
    for address in found.map_err(|error| not_looked_up(server, error))? {
        match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) {
            Ok(stream) => {
                prepare(&stream)?;
                return Ok(stream);
            }
            Err(_) if server.lacks_interface() => {
                let words =
                    "an address of the local link needs the interface that leads there, as in [fe80::1%eth0]";
                failure = io::Error::new(io::ErrorKind::InvalidInput, words);
            }
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

fn not_looked_up(server: &Address, error: io::Error) -> io::Error {
    match server.interface() {
        Some(interface) => io::Error::other(format!("this machine has no network interface {interface}")),
        None => error,
    }
}

fn prepare(stream: &TcpStream) -> io::Result<()> {
    // Otherwise a move in two writes would wait for an acknowledgement: 40 ms each.
    stream.set_nodelay(true)?;
    liveness::watch(stream);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use socket2::SockRef;
    use std::net::TcpListener;

    #[test]
    fn small_writes_leave_at_once_and_silence_is_kept_alive() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let port = listener.local_addr().expect("a bound socket").port();
        let stream = reach(&Address { host: "127.0.0.1".to_owned(), port }).expect("the listener");
        assert!(stream.nodelay().expect("an open socket"));
        assert!(SockRef::from(&stream).keepalive().expect("an open socket"));
    }
}
