//! How soon the loss of a server's machine is noticed, which no packet tells.
//!
//! The system probes after a time of silence and drops the connection if there is no answer. The link then
//! ends with an error, as if the server had closed it.

use std::io;
use std::net::TcpStream;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};

/// The first probe after this silence. Clients of a game wait for the server most of the time, and the engine's clock may run.
const AFTER: Duration = Duration::from_secs(10);
/// The time between probes.
const EVERY: Duration = Duration::from_secs(5);
/// The number of probes without an answer: the connection is given up after half a minute.
const TIMES: u32 = 4;

/// Sets the keepalive of a connection.
///
/// A system that supports only part of this (Windows before 10/1703 and Wine have no number of probes) does
/// that part. The rest is logged: the loss of a server is noticed later, which is no reason to refuse it.
pub fn watch(stream: &TcpStream) {
    let socket = SockRef::from(stream);
    let basic = TcpKeepalive::new().with_time(AFTER).with_interval(EVERY);
    let full = with_retries(&basic, TIMES);
    first_that_works(&[
        ("the number of keepalive probes", &|| socket.set_tcp_keepalive(&full)),
        ("the times of keepalive probes", &|| socket.set_tcp_keepalive(&basic)),
        ("keepalive probes", &|| socket.set_keepalive(true)),
    ]);
    // Applies to unacknowledged data; without it the system retransmits for a quarter of an hour.
    #[cfg(target_os = "linux")]
    first_that_works(&[("a limit for what is not acknowledged", &|| {
        socket.set_tcp_user_timeout(Some(AFTER + EVERY * TIMES))
    })]);
}

#[cfg(any(target_os = "linux", target_os = "macos", windows))]
fn with_retries(keepalive: &TcpKeepalive, times: u32) -> TcpKeepalive {
    keepalive.clone().with_retries(times)
}

#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
fn with_retries(keepalive: &TcpKeepalive, _times: u32) -> TcpKeepalive {
    keepalive.clone()
}

/// Applies the first attempt that the system supports, and logs those that it does not.
fn first_that_works(attempts: &[(&str, &dyn Fn() -> io::Result<()>)]) {
    for (what, attempt) in attempts {
        match attempt() {
            Ok(()) => return,
            Err(error) => log::warn!("this system refuses {what}: {error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    #[cfg(target_os = "linux")]
    use std::net::TcpListener;

    #[test]
    fn system_that_knows_only_a_part_does_that_part() {
        let refused = || Err(io::Error::from(io::ErrorKind::Unsupported));
        let done = Cell::new(0);
        let works = || {
            done.set(done.get() + 1);
            Ok(())
        };
        first_that_works(&[("all", &refused), ("a part", &works), ("less", &works)]);
        assert_eq!(done.get(), 1);
        first_that_works(&[("all", &refused)]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn server_that_is_gone_is_missed_in_half_a_minute() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let stream =
            TcpStream::connect(listener.local_addr().expect("a bound socket")).expect("the listener");
        let socket = SockRef::from(&stream);
        watch(&stream);
        let silence = socket.tcp_keepalive_time().expect("an option")
            + socket.tcp_keepalive_interval().expect("an option")
                * socket.tcp_keepalive_retries().expect("an option");
        let unanswered = socket.tcp_user_timeout().expect("an option");
        let limit = Duration::from_secs(30);
        assert_eq!((silence, unanswered), (limit, Some(limit)));
    }
}
