//! How soon a server is missed whose machine is gone, which no packet tells.
//!
//! The system asks when nothing has come for a while, and gives the connection up when there is no answer; the link then
//! ends with an error, as if the server had closed it.

use std::io;
use std::net::TcpStream;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};

/// When to ask whether the other machine is there, and when to believe that it is not.
struct Watch {
    after: Duration,
    every: Duration,
    times: u32,
}

/// Somebody waits, and the engine's clock may run: half a minute.
const AWAITED: Watch = Watch { after: Duration::from_secs(10), every: Duration::from_secs(5), times: 4 };
/// GUIs are idle for hours; the tables of address translators forget in minutes, and networks fail for seconds: a minute.
const IDLE: Watch = Watch { after: Duration::from_secs(30), every: Duration::from_secs(10), times: 3 };

/// Has the system watch over this connection, more closely while somebody waits for the server.
///
/// A system that knows only a part of this (Windows before 10/1703 and Wine have no number of probes) does that part. What
/// it does not do is logged: a server is then missed later, which is no reason to have none.
pub fn watch(stream: &TcpStream, awaited: bool) {
    let Watch { after, every, times } = if awaited { AWAITED } else { IDLE };
    let socket = SockRef::from(stream);
    let basic = TcpKeepalive::new().with_time(after).with_interval(every);
    let full = with_retries(&basic, times);
    first_that_works(&[
        ("the number of keepalive probes", &|| socket.set_tcp_keepalive(&full)),
        ("the times of keepalive probes", &|| socket.set_tcp_keepalive(&basic)),
        ("keepalive probes", &|| socket.set_keepalive(true)),
    ]);
    // For what was sent; where there is none the system goes on sending it for a quarter of an hour.
    #[cfg(target_os = "linux")]
    first_that_works(&[("a limit for what is not acknowledged", &|| {
        socket.set_tcp_user_timeout(Some(after + every * times))
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

/// Does the first of these that the system lets us do, and logs what it does not.
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
    fn server_that_is_gone_is_missed_in_half_a_minute_and_in_a_minute() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let stream =
            TcpStream::connect(listener.local_addr().expect("a bound socket")).expect("the listener");
        let socket = SockRef::from(&stream);
        for (awaited, seconds) in [(true, 30), (false, 60)] {
            watch(&stream, awaited);
            let silence = socket.tcp_keepalive_time().expect("an option")
                + socket.tcp_keepalive_interval().expect("an option")
                    * socket.tcp_keepalive_retries().expect("an option");
            let unanswered = socket.tcp_user_timeout().expect("an option");
            let limit = Duration::from_secs(seconds);
            assert_eq!((silence, unanswered), (limit, Some(limit)), "{awaited}");
        }
    }
}
