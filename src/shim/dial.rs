//! Connecting to a server: tries every address of its name in turn, then completes TLS and
//! handshake as far as the server requires them. A server that is not trusted or refuses counts as
//! unreachable, with the reason.

use super::address::Address;
use crate::auth::{Guard, GuardError, Keys, Nonce};
use socket2::{SockRef, TcpKeepalive};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// Timeout of an address. xboard waits ten seconds for an engine's first output, so an error must
/// be reported sooner, even for a name with an IPv4 and an IPv6 address.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(4);
/// Timeout of TLS and handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);

/// Silence before the first keepalive probe. During a game a client waits for the server most of
/// the time, and the engine's clock may run.
const PROBE_AFTER: Duration = Duration::from_secs(10);
/// Time between probes.
const PROBE_INTERVAL: Duration = Duration::from_secs(5);
/// Number of unanswered probes at which the connection is given up, after half a minute.
const PROBES: u32 = 4;

/// Connects to the first address of `server` that answers. Returns the last failure if none does.
pub(super) fn reach(server: &Address) -> io::Result<TcpStream> {
    let addresses = (server.host.as_str(), server.port).to_socket_addrs();
    let addresses = addresses.map_err(|error| match server.interface() {
        Some(interface) => io::Error::other(format!("this machine has no network interface {interface}")),
        None => error,
    })?;
    let mut failure = io::Error::new(ErrorKind::NotFound, "the name has no address");
    for address in addresses {
        match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) {
            Ok(stream) => {
                // Otherwise a move in two writes would wait for an acknowledgement: 40 ms each.
                stream.set_nodelay(true)?;
                notice_lost_machines(&stream);
                return Ok(stream);
            }
            Err(_) if server.lacks_interface() => {
                let reason =
                    "a link-local address needs the interface that leads there, as in [fe80::1%eth0]";
                failure = io::Error::new(ErrorKind::InvalidInput, reason);
            }
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

/// Has the system probe a silent connection and drop it if the server's machine has vanished
/// without a packet.
///
/// Systems that support less (Windows before 10/1703 and Wine have no number of probes) notice that
/// later, which is no reason to refuse the server.
fn notice_lost_machines(stream: &TcpStream) {
    let socket = SockRef::from(stream);
    let keepalive = TcpKeepalive::new().with_time(PROBE_AFTER).with_interval(PROBE_INTERVAL);
    #[cfg(any(target_os = "linux", target_os = "macos", windows))]
    let with_retries = socket.set_tcp_keepalive(&keepalive.clone().with_retries(PROBES));
    #[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
    let with_retries: io::Result<()> = Err(ErrorKind::Unsupported.into());
    let probes = with_retries
        .or_else(|_| socket.set_tcp_keepalive(&keepalive))
        .or_else(|_| socket.set_keepalive(true));
    if let Err(error) = probes {
        log::warn!("this system refuses keepalive probes: {error}");
    }
    // Applies to unacknowledged data, which the system otherwise retransmits for a quarter of an
    // hour.
    #[cfg(target_os = "linux")]
    if let Err(error) = socket.set_tcp_user_timeout(Some(PROBE_AFTER + PROBE_INTERVAL * PROBES)) {
        log::warn!("this system refuses a limit for unanswered data: {error}");
    }
}

/// Completes TLS and handshake with the server at the other end of `stream`, called `host`. Returns
/// their state, and bytes of the session that the server has already sent.
///
/// # Errors
/// The server is not trusted, refuses, or takes too long.
pub fn admit(stream: &mut TcpStream, host: &str, keys: &Keys) -> io::Result<(Guard, Vec<u8>)> {
    let nonce = Nonce::random().map_err(io::Error::other)?;
    let mut guard = Guard::new(keys, host, nonce).map_err(io::Error::other)?;
    let mut early = Vec::new();
    let end = Instant::now() + HANDSHAKE_TIMEOUT;
    loop {
        stream.write_all(&guard.take_output())?;
        if guard.is_passed() {
            break;
        }
        match guard.received(read(stream, end)?) {
            Ok(bytes) => early.extend(bytes),
            Err(error) => {
                // TLS has an alert for the server; failure to send it does not matter.
                let _ = stream.write_all(&guard.take_output());
                return Err(io::Error::new(ErrorKind::PermissionDenied, error));
            }
        }
    }
    stream.set_read_timeout(None)?;
    Ok((guard, early))
}

fn read(stream: &mut TcpStream, end: Instant) -> io::Result<Vec<u8>> {
    let mut chunk = vec![0; 4096];
    loop {
        let left = end.saturating_duration_since(Instant::now());
        match stream.set_read_timeout(Some(left)).and_then(|()| stream.read(&mut chunk)) {
            Ok(0) => return Err(io::Error::new(ErrorKind::UnexpectedEof, GuardError::Closed)),
            Ok(size) => {
                chunk.truncate(size);
                return Ok(chunk);
            }
            Err(error) => match error.kind() {
                ErrorKind::Interrupted => {}
                // A timeout of zero is invalid input; which of the other two it is depends on the
                // system.
                ErrorKind::InvalidInput | ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                    let reason = "the server does not answer as one that uses TLS, a secret or users: \
                        if it requires neither, connect without";
                    return Err(io::Error::new(ErrorKind::TimedOut, reason));
                }
                _ => return Err(error),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn connected() -> TcpStream {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let port = listener.local_addr().expect("a bound socket").port();
        reach(&Address { host: "127.0.0.1".to_owned(), port }).expect("the listener")
    }

    #[test]
    fn small_writes_leave_at_once_and_silence_is_kept_alive() {
        let stream = connected();
        assert!(stream.nodelay().expect("an open socket"));
        assert!(SockRef::from(&stream).keepalive().expect("an open socket"));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_lost_machine_is_noticed_in_half_a_minute() {
        let stream = connected();
        let socket = SockRef::from(&stream);
        let silence = socket.tcp_keepalive_time().expect("an option")
            + socket.tcp_keepalive_interval().expect("an option")
                * socket.tcp_keepalive_retries().expect("an option");
        let unanswered = socket.tcp_user_timeout().expect("an option");
        let limit = Duration::from_secs(30);
        assert_eq!((silence, unanswered), (limit, Some(limit)));
    }
}
