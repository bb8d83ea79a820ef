//! Ports that are refused or return to the same server, and that no other process can get in the
//! meantime.

use socket2::{Domain, Socket, Type};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};

/// A port reserved until this is dropped: bound to a socket that never listens. Connections are
/// refused; a program that sets `SO_REUSEADDR`, as servers do, may listen on it, end, and come
/// back.
#[derive(Debug)]
pub struct Reserved {
    pub address: SocketAddr,
    _socket: Socket,
}

/// Reserves a free port.
pub fn reserve() -> Reserved {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
    socket.set_reuse_address(true).expect("an option");
    socket.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into()).expect("a free port");
    let address = socket.local_addr().expect("a bound socket").as_socket().expect("an address");
    Reserved { address, _socket: socket }
}

/// A listener on a port that stays reserved until the tests end. Once it is dropped, every
/// connection is refused.
pub fn listener() -> (TcpListener, SocketAddr) {
    let reserved = reserve();
    let listener = TcpListener::bind(reserved.address).expect("a reserved port");
    let address = reserved.address;
    std::mem::forget(reserved);
    (listener, address)
}
