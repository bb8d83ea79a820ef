//! The stream of one client: a connection to the server, or a program of its own that has one.

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
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Route {
    /// A connection, as a script has.
    Tcp,
    /// A process for each client, as a GUI starts it: a program with its arguments.
    Program(Vec<String>),
}

/// A non-blocking stream.
pub(super) enum ClientStream {
    Tcp(TcpStream),
    Program(ChildStream),
}

/// A process whose input and output are one socket; killed when dropped.
pub(super) struct ChildStream {
    stream: UnixStream,
    child: Child,
}

impl ClientStream {
    /// Begins to connect.
    ///
    /// # Errors
    /// The system has no socket or process left.
    pub(super) fn open(
        route: &Route,
        address: SocketAddr,
        sources: &mut SourceAddresses,
    ) -> io::Result<ClientStream> {
        match route {
            Route::Tcp => connect(address, sources).map(ClientStream::Tcp),
            Route::Program(command) => start(command, address).map(ClientStream::Program),
        }
    }

    /// Returns true if it is connected.
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

    /// Makes its end a reset. A process is killed anyway.
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

fn start(command: &[String], address: SocketAddr) -> io::Result<ChildStream> {
    let (stream, end) = std::os::unix::net::UnixStream::pair()?;
    stream.set_nonblocking(true)?;
    let output = end.try_clone()?;
    let words = with_address(command, address);
    let (program, arguments) = words.split_first().ok_or(ErrorKind::InvalidInput)?;
    let child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::from(OwnedFd::from(end)))
        .stdout(Stdio::from(OwnedFd::from(output)))
        .stderr(Stdio::null())
        .spawn()?;
    Ok(ChildStream { stream: UnixStream::from_std(stream), child })
}

/// Fills in `{host}` and `{port}`, or appends the address.
fn with_address(command: &[String], address: SocketAddr) -> Vec<String> {
    let (host, port) = (address.ip().to_string(), address.port().to_string());
    let fill = |word: &String| word.replace("{host}", &host).replace("{port}", &port);
    let mut words: Vec<String> = command.iter().map(fill).collect();
    if words == command {
        words.push(address.to_string());
    }
    words
}

impl Drop for ChildStream {
    fn drop(&mut self) {
        // Fails if it has exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Read for ClientStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            ClientStream::Tcp(stream) => stream.read(buffer),
            ClientStream::Program(child) => child.stream.read(buffer),
        }
    }
}

impl Write for ClientStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            ClientStream::Tcp(stream) => stream.write(bytes),
            ClientStream::Program(child) => child.stream.write(bytes),
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
            ClientStream::Program(child) => child.stream.register(registry, token, interest),
        }
    }

    fn reregister(&mut self, registry: &Registry, token: Token, interest: Interest) -> io::Result<()> {
        match self {
            ClientStream::Tcp(stream) => stream.reregister(registry, token, interest),
            ClientStream::Program(child) => child.stream.reregister(registry, token, interest),
        }
    }

    fn deregister(&mut self, registry: &Registry) -> io::Result<()> {
        match self {
            ClientStream::Tcp(stream) => stream.deregister(registry),
            ClientStream::Program(child) => child.stream.deregister(registry),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_gets_the_address_where_it_wants_it() {
        let address = "127.0.0.1:5254".parse().unwrap();
        let filled = |words: &[&str]| {
            with_address(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>(), address)
        };
        assert_eq!(filled(&["nc", "{host}", "{port}"]), ["nc", "127.0.0.1", "5254"]);
        assert_eq!(filled(&["farboard-connect"]), ["farboard-connect", "127.0.0.1:5254"]);
    }
}
