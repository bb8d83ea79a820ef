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
/// # Errors
///
/// If the system refuses.
pub fn watch(stream: &TcpStream, awaited: bool) -> io::Result<()> {
    let Watch { after, every, times } = if awaited { AWAITED } else { IDLE };
    let socket = SockRef::from(stream);
    let keepalive = TcpKeepalive::new().with_time(after).with_interval(every);
    #[cfg(any(target_os = "linux", target_os = "macos", windows))]
    let keepalive = keepalive.with_retries(times);
    socket.set_tcp_keepalive(&keepalive)?;
    // For what was sent; where there is none the system goes on sending it for a quarter of an hour.
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(after + every * times))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    #[cfg(target_os = "linux")]
    fn server_that_is_gone_is_missed_in_half_a_minute_and_in_a_minute() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let stream =
            TcpStream::connect(listener.local_addr().expect("a bound socket")).expect("the listener");
        let socket = SockRef::from(&stream);
        for (awaited, seconds) in [(true, 30), (false, 60)] {
            watch(&stream, awaited).expect("an open socket");
            let silence = socket.tcp_keepalive_time().expect("an option")
                + socket.tcp_keepalive_interval().expect("an option")
                    * socket.tcp_keepalive_retries().expect("an option");
            let unanswered = socket.tcp_user_timeout().expect("an option");
            let limit = Duration::from_secs(seconds);
            assert_eq!((silence, unanswered), (limit, Some(limit)), "{awaited}");
        }
    }
}
