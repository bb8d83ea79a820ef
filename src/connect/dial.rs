//! Reaching a server: every address its name has, in turn, with a limit on the time for each.

use std::io;
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};

use super::address::Address;

/// xboard waits ten seconds for an engine's first words, so the reason for a failure must be there
/// sooner, also for a name with an address of each family.
const PATIENCE: Duration = Duration::from_secs(4);

/// GUIs are idle for hours, the tables of address translators forget in minutes.
const KEEPALIVE_AFTER: Duration = Duration::from_secs(30);
const KEEPALIVE_EVERY: Duration = Duration::from_secs(10);

/// Connects to the first address of `server` that answers.
///
/// # Errors
///
/// The last failure, if no address answers.
pub fn dial(server: &Address) -> io::Result<TcpStream> {
    let mut failure = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    for address in (server.host.as_str(), server.port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => {
                prepare(&stream)?;
                return Ok(stream);
            }
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

fn prepare(stream: &TcpStream) -> io::Result<()> {
    // A move in two writes would otherwise wait for the acknowledgement of the first: 40 ms each.
    stream.set_nodelay(true)?;
    let keepalive = TcpKeepalive::new().with_time(KEEPALIVE_AFTER).with_interval(KEEPALIVE_EVERY);
    SockRef::from(stream).set_tcp_keepalive(&keepalive)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn small_writes_leave_at_once_and_silence_is_kept_alive() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let port = listener.local_addr().expect("a bound socket").port();
        let stream = dial(&Address { host: "127.0.0.1".to_owned(), port }).expect("the listener");
        assert!(stream.nodelay().expect("an open socket"));
        assert!(SockRef::from(&stream).keepalive().expect("an open socket"));
    }
}
