//! The stream of one client: a connection to the server, or a shim of its own, which has one.

use super::source_addresses::SourceAddresses;
use mio::event::Source;
use mio::net::{TcpStream, UnixStream};
use mio::{Interest, Registry, Token};
use socket2::{Domain, SockRef, Socket, Type};
use std::io::{self, ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The route of clients to the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// By a connection, as a script does.
    Tcp,
    /// Through a `farboard-connect` each, as a GUI does.
    Shim,
}

/// A non-blocking stream.
pub(super) enum ClientStream {
    Tcp(TcpStream),
    Shim(ShimProcess),
}

/// A shim, killed when dropped, whose input and output are one socket.
pub(super) struct ShimProcess {
    stream: UnixStream,
    child: Child,
}

impl ClientStream {
    /// Begins to connect.
    ///
    /// # Errors
    /// The system has no socket or process left.
    pub(super) fn open(
        way: Way,
        address: SocketAddr,
        sources: &mut SourceAddresses,
    ) -> io::Result<ClientStream> {
        match way {
            Way::Tcp => connect(address, sources).map(ClientStream::Tcp),
            Way::Shim => start_shim(address).map(ClientStream::Shim),
        }
    }

    /// Whether it is connected; an error if it cannot be.
    ///
    /// # Errors
    /// The connection was refused or is broken.
    pub(super) fn is_open(&self) -> io::Result<bool> {
        let ClientStream::Tcp(stream) = self else { return Ok(true) };
        if let Some(error) = stream.take_error().unwrap_or_else(Some) {
            return Err(error);
        }
        match stream.peer_addr() {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotConnected => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Makes its end a reset; a shim is killed anyway.
    pub(super) fn reset_at_end(&self) {
        if let ClientStream::Tcp(stream) = self {
            // If that fails, the connection ends without a reset.
            let _ = SockRef::from(stream).set_linger(Some(Duration::ZERO));
        }
    }
}

fn connect(address: SocketAddr, sources: &mut SourceAddresses) -> io::Result<TcpStream> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
    socket.set_nonblocking(true)?;
    socket.set_tcp_nodelay(true)?;
    if let Some(source) = sources.next() {
        socket.bind(&source.into())?;
    }
    match socket.connect(&address.into()) {
        Err(error) if error.raw_os_error() == Some(rustix::io::Errno::INPROGRESS.raw_os_error()) => {}
        other => other?,
    }
    Ok(TcpStream::from_std(socket.into()))
}

fn start_shim(address: SocketAddr) -> io::Result<ShimProcess> {
    let (stream, end) = std::os::unix::net::UnixStream::pair()?;
    stream.set_nonblocking(true)?;
    let output = end.try_clone()?;
    let child = Command::new(std::env::current_exe()?)
        .args(["connect", &address.to_string()])
        .stdin(Stdio::from(OwnedFd::from(end)))
        .stdout(Stdio::from(OwnedFd::from(output)))
        .stderr(Stdio::null())
        .spawn()?;
    Ok(ShimProcess { stream: UnixStream::from_std(stream), child })
}

impl Drop for ShimProcess {
    fn drop(&mut self) {
        // Fails if it has ended, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Read for ClientStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            ClientStream::Tcp(stream) => stream.read(buffer),
            ClientStream::Shim(shim) => shim.stream.read(buffer),
        }
    }
}

impl Write for ClientStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            ClientStream::Tcp(stream) => stream.write(bytes),
            ClientStream::Shim(shim) => shim.stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Source for ClientStream {
    fn register(&mut self, registry: &Registry, token: Token, interest: Interest) -> io::Result<()> {
        match self {
            ClientStream::Tcp(stream) => stream.register(registry, token, interest),
            ClientStream::Shim(shim) => shim.stream.register(registry, token, interest),
        }
    }

    fn reregister(&mut self, registry: &Registry, token: Token, interest: Interest) -> io::Result<()> {
        match self {
            ClientStream::Tcp(stream) => stream.reregister(registry, token, interest),
            ClientStream::Shim(shim) => shim.stream.reregister(registry, token, interest),
        }
    }

    fn deregister(&mut self, registry: &Registry) -> io::Result<()> {
        match self {
            ClientStream::Tcp(stream) => stream.deregister(registry),
            ClientStream::Shim(shim) => shim.stream.deregister(registry),
        }
    }
}
