//! Ports at which a test may be refused, or a server come back, without anybody else getting them in the meantime.

use socket2::{Domain, Socket, Type};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};

/// A port of this machine that is ours until this is dropped: a socket is bound to it that never listens. Connections are
/// refused; a program that sets `SO_REUSEADDR`, as servers do, may listen there, end, and come back.
#[derive(Debug)]
pub struct Reserved {
    pub address: SocketAddr,
    _socket: Socket,
}

/// Reserves a port that is free.
pub fn reserve() -> Reserved {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
    socket.set_reuse_address(true).expect("an option");
    socket.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into()).expect("a free port");
    let address = socket.local_addr().expect("a bound socket").as_socket().expect("an address");
    Reserved { address, _socket: socket }
}

/// A listener at a port that stays reserved until the tests end. Once it is dropped, every connection is refused.
pub fn listener() -> (TcpListener, SocketAddr) {
    let reserved = reserve();
    let listener = TcpListener::bind(reserved.address).expect("a port of ours");
    let address = reserved.address;
    std::mem::forget(reserved);
    (listener, address)
}
