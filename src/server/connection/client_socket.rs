//! The socket of a client: TCP, or one end of a pair.

use mio::event::Source;
use mio::net::{TcpStream, UnixStream};
use mio::{Interest, Registry, Token};
use rustix::net::{RecvFlags, recv};
use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::net::{Shutdown, SocketAddr};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};

/// A non-blocking socket.
#[derive(Debug)]
pub(in crate::server) enum ClientSocket {
    /// A connection of the network.
    Tcp(TcpStream),
    /// One end of a pair; a thread relays between the other end and a web page.
    Pair(UnixStream),
}

impl ClientSocket {
    /// Returns the connection of the network, if it is one.
    pub(in crate::server) fn tcp(&self) -> Option<&TcpStream> {
        match self {
            ClientSocket::Tcp(stream) => Some(stream),
            ClientSocket::Pair(_) => None,
        }
    }

    /// Reads input that stays where it is.
    ///
    /// # Errors
    /// The connection is broken, or there is no input yet.
    pub(in crate::server) fn peek(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let (count, _) = recv(self, buffer, RecvFlags::PEEK)?;
        Ok(count)
    }

    /// Takes the error of the connection, if it has one.
    ///
    /// # Errors
    /// The system does not say.
    pub(in crate::server) fn take_error(&self) -> io::Result<Option<io::Error>> {
        match self {
            ClientSocket::Tcp(stream) => stream.take_error(),
            ClientSocket::Pair(stream) => stream.take_error(),
        }
    }

    /// Shuts down one side or both.
    ///
    /// # Errors
    /// The connection is broken.
    pub(in crate::server) fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        match self {
            ClientSocket::Tcp(stream) => stream.shutdown(how),
            ClientSocket::Pair(stream) => stream.shutdown(how),
        }
    }

    /// Returns the local address.
    ///
    /// # Errors
    /// The connection is broken, or not of the network.
    pub(in crate::server) fn local_addr(&self) -> io::Result<SocketAddr> {
        self.tcp().ok_or(ErrorKind::Unsupported)?.local_addr()
    }
}

impl From<TcpStream> for ClientSocket {
    fn from(stream: TcpStream) -> ClientSocket {
        ClientSocket::Tcp(stream)
    }
}

impl Read for ClientSocket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            ClientSocket::Tcp(stream) => stream.read(buffer),
            ClientSocket::Pair(stream) => stream.read(buffer),
        }
    }
}

impl Write for ClientSocket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_vectored(&[IoSlice::new(bytes)])
    }

    fn write_vectored(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        match self {
            ClientSocket::Tcp(stream) => stream.write_vectored(slices),
            ClientSocket::Pair(stream) => stream.write_vectored(slices),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl AsFd for ClientSocket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            ClientSocket::Tcp(stream) => stream.as_fd(),
            ClientSocket::Pair(stream) => stream.as_fd(),
        }
    }
}

impl AsRawFd for ClientSocket {
    fn as_raw_fd(&self) -> RawFd {
        self.as_fd().as_raw_fd()
    }
}

impl Source for ClientSocket {
    fn register(&mut self, registry: &Registry, token: Token, interest: Interest) -> io::Result<()> {
        match self {
            ClientSocket::Tcp(stream) => stream.register(registry, token, interest),
            ClientSocket::Pair(stream) => stream.register(registry, token, interest),
        }
    }

    fn reregister(&mut self, registry: &Registry, token: Token, interest: Interest) -> io::Result<()> {
        match self {
            ClientSocket::Tcp(stream) => stream.reregister(registry, token, interest),
            ClientSocket::Pair(stream) => stream.reregister(registry, token, interest),
        }
    }

    fn deregister(&mut self, registry: &Registry) -> io::Result<()> {
        match self {
            ClientSocket::Tcp(stream) => stream.deregister(registry),
            ClientSocket::Pair(stream) => stream.deregister(registry),
        }
    }
}
