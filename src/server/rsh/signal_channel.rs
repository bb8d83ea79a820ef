//! The signal channel: the connection back to the client, which sends signals, a byte each. Nothing
//! is ever written to it: WinBoard would take it for output of the engine, or worse.

use crate::server::connection::nonblocking;
use mio::net::TcpStream;
use rustix::io::Errno;
use socket2::{Domain, Protocol, SockRef, Socket, Type};
use std::io::{self, ErrorKind, Read};
use std::net::{IpAddr, SocketAddr};

const SIGINT: u8 = 2;
const SIGTERM: u8 = 15;
/// Most signals read at once. A client sends at most one per command, so more are not signals.
const MAX_SIGNALS: usize = 256;
/// Ports from which genuine clients accept a connection, in the order of `rcmd(3)`.
const RESERVED_PORTS: std::ops::RangeInclusive<u16> = 512..=1023;

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Signals {
    pub(super) interrupts: usize,
    /// Whether the client wants the session to end.
    pub(super) terminate: bool,
    pub(super) closed: bool,
}

/// Begins to connect from the server's address on the first connection. `reserved_port`: from a
/// privileged port.
///
/// # Errors
/// No such port is free, or it needs a privilege, or the client's network is unreachable.
pub(super) fn connect(here: IpAddr, there: SocketAddr, reserved_port: bool) -> io::Result<TcpStream> {
    if !reserved_port {
        return try_connect(SocketAddr::new(here, 0), there);
    }
    for port in RESERVED_PORTS.rev() {
        match try_connect(SocketAddr::new(here, port), there) {
            Err(error) if matches!(error.kind(), ErrorKind::AddrInUse | ErrorKind::AddrNotAvailable) => {}
            other => return other,
        }
    }
    Err(ErrorKind::AddrInUse.into())
}

fn try_connect(here: SocketAddr, there: SocketAddr) -> io::Result<TcpStream> {
    let socket = Socket::new(Domain::for_address(there), Type::STREAM, Some(Protocol::TCP))?;
    socket.set_nonblocking(true)?;
    // A port stays in use for a minute after its connection has ended, and there are not many.
    socket.set_reuse_address(true)?;
    socket.bind(&here.into())?;
    match socket.connect(&there.into()) {
        // The system completes the connection in the background.
        Err(error) if error.kind() == ErrorKind::WouldBlock || is_in_progress(&error) => {}
        other => other?,
    }
    Ok(TcpStream::from_std(socket.into()))
}

fn is_in_progress(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::INPROGRESS.raw_os_error())
}

/// Returns true if the connection is established.
///
/// # Errors
/// It has failed.
pub(super) fn is_open(stream: &TcpStream) -> io::Result<bool> {
    if let Some(error) = stream.take_error()? {
        return Err(error);
    }
    match stream.peer_addr() {
        Ok(_) => {
            // Notices a disconnected client here as well.
            SockRef::from(stream).set_keepalive(true)?;
            Ok(true)
        }
        Err(error) if error.kind() == ErrorKind::NotConnected => Ok(false),
        Err(error) => Err(error),
    }
}

pub(super) fn read(mut stream: impl Read) -> Signals {
    let mut signals = Signals::default();
    let mut buffer = [0; MAX_SIGNALS];
    loop {
        match nonblocking(|| stream.read(&mut buffer)) {
            Ok(None) => break,
            Ok(Some(0)) => break signals.closed = true,
            Ok(Some(MAX_SIGNALS)) => {
                log::debug!("too many signals at once: signal channel closed");
                break signals.closed = true;
            }
            Ok(Some(count)) => {
                for &byte in &buffer[..count] {
                    match byte {
                        SIGINT => signals.interrupts += 1,
                        SIGTERM => signals.terminate = true,
                        other => log::debug!("signal {other} ignored"),
                    }
                }
            }
            Err(error) => {
                log::debug!("signal channel lost: {error}");
                break signals.closed = true;
            }
        }
    }
    signals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_are_bytes() {
        let read = |bytes: &[u8]| read(bytes);
        let signals = |interrupts, terminate| Signals { interrupts, terminate, closed: true };
        assert_eq!(read(b""), signals(0, false));
        assert_eq!(read(b"\x02\x02"), signals(2, false));
        assert_eq!(read(b"\x02\x0f"), signals(1, true));
        assert_eq!(read(b"\x03\0\xffquit"), signals(0, false));
        assert_eq!(read(&[SIGINT; 10_000]), signals(0, false), "a flood is no signal");
    }
}
