//! The stream of one client: a connection to the server, or a program of its own that has one.

use super::source_addresses::SourceAddresses;
use socket2::{Domain, Socket, Type};
use std::io::{self, ErrorKind};
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

/// A non-blocking socket. It is the input and output of a process, if the route has processes;
/// that is killed when dropped.
pub(super) struct ClientStream {
    pub(super) socket: Socket,
    child: Option<Child>,
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
            Route::Tcp => connect(address, sources).map(|socket| ClientStream { socket, child: None }),
            Route::Program(command) => start(command, address),
        }
    }

    /// Returns true if it is connected.
    ///
    /// # Errors
    /// The connection was refused or is broken.
    pub(super) fn is_open(&self) -> io::Result<bool> {
        if let Some(error) = self.socket.take_error().unwrap_or_else(Some) {
            return Err(error);
        }
        match self.socket.peer_addr() {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotConnected => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Makes its end a reset. A process is killed anyway.
    pub(super) fn reset_at_end(&self) {
        // If that fails, the connection ends without a reset.
        let _ = self.socket.set_linger(Some(Duration::ZERO));
    }
}

impl Drop for ClientStream {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            // Fails if it has exited already.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn connect(address: SocketAddr, sources: &mut SourceAddresses) -> io::Result<Socket> {
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
    Ok(socket)
}

fn start(command: &[String], address: SocketAddr) -> io::Result<ClientStream> {
    let (socket, end) = Socket::pair(Domain::UNIX, Type::STREAM, None)?;
    socket.set_nonblocking(true)?;
    let output = end.try_clone()?;
    let words = with_address(command, address);
    let (program, arguments) = words.split_first().ok_or(ErrorKind::InvalidInput)?;
    let child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::from(OwnedFd::from(end)))
        .stdout(Stdio::from(OwnedFd::from(output)))
        .stderr(Stdio::null())
        .spawn()?;
    Ok(ClientStream { socket, child: Some(child) })
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
