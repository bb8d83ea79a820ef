//! Notifications to the service manager: ready, alive, stopping. See `sd_notify(3)`.

use crate::server::os::watchdog::Watchdog;
use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::{Duration, Instant};

/// Environment variable with the manager's address.
const ADDRESS_VARIABLE: &str = "NOTIFY_SOCKET";

/// Generous time for closing the last connections after the drain.
const SHUTDOWN_MARGIN: Duration = Duration::from_secs(15);

/// A service manager that expects notifications.
pub struct Notifier {
    socket: UnixDatagram,
    address: SocketAddr,
    watchdog: Option<Watchdog>,
}

impl Notifier {
    /// Returns the manager named in the environment, if any.
    ///
    /// # Errors
    /// Its address is not a local socket.
    pub fn from_environment() -> io::Result<Option<Notifier>> {
        match std::env::var_os(ADDRESS_VARIABLE) {
            Some(address) if !address.is_empty() => {
                let watchdog = Watchdog::from_environment(Instant::now());
                Ok(Some(Notifier { watchdog, ..Notifier::new(&address)? }))
            }
            _ => Ok(None),
        }
    }

    /// Connects to a manager at a path, or at an abstract address after `@`.
    fn new(address: &OsStr) -> io::Result<Notifier> {
        let address = match address.as_bytes().split_first() {
            Some((b'@', name)) => abstract_address(name)?,
            Some((b'/', _)) => SocketAddr::from_pathname(address)?,
            _ => {
                let text = format!("{ADDRESS_VARIABLE} must begin with / or @, and is {address:?}");
                return Err(io::Error::new(ErrorKind::InvalidInput, text));
            }
        };
        let socket = UnixDatagram::unbound()?;
        // The loop must not wait for a manager that does not read.
        socket.set_nonblocking(true)?;
        Ok(Notifier { socket, address, watchdog: None })
    }

    pub(in crate::server) fn ready(&self) {
        self.send("READY=1");
    }

    /// Returns when the watchdog needs a turn of the loop; `None` without a watchdog.
    pub(in crate::server) fn next_wakeup(&self) -> Option<Instant> {
        self.watchdog.as_ref().map(Watchdog::next_wakeup)
    }

    /// Reports that the loop runs, as often as the watchdog wants.
    pub(in crate::server) fn alive(&mut self, now: Instant) {
        if self.watchdog.as_mut().is_some_and(|watchdog| watchdog.is_due(now)) {
            self.send("WATCHDOG=1");
        }
    }

    /// Reports that the server is shutting down and how long it may take, which overrides the
    /// manager's configured timeout.
    pub(in crate::server) fn stopping(&self, drain: Duration) {
        self.send(&format!("STOPPING=1\nEXTEND_TIMEOUT_USEC={}", (drain + SHUTDOWN_MARGIN).as_micros()));
    }

    fn send(&self, state: &str) {
        if let Err(error) = self.socket.send_to_addr(state.as_bytes(), &self.address) {
            log::warn!("cannot notify the service manager of {state:?}: {error}");
        }
    }
}

#[cfg(target_os = "linux")]
fn abstract_address(name: &[u8]) -> io::Result<SocketAddr> {
    <SocketAddr as std::os::linux::net::SocketAddrExt>::from_abstract_name(name)
}

#[cfg(not(target_os = "linux"))]
fn abstract_address(_: &[u8]) -> io::Result<SocketAddr> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_manager_at_an_abstract_address_is_notified() {
        let name = format!("farboard-test-{}", std::process::id());
        let manager = UnixDatagram::bind_addr(&abstract_address(name.as_bytes()).unwrap()).unwrap();
        let notifier = Notifier::new(OsStr::new(&format!("@{name}"))).unwrap();
        notifier.ready();
        notifier.stopping(Duration::from_secs(10));
        let mut buffer = [0; 100];
        let mut received = || {
            let length = manager.recv(&mut buffer).unwrap();
            String::from_utf8(buffer[..length].to_vec()).unwrap()
        };
        assert_eq!(received(), "READY=1");
        assert_eq!(received(), "STOPPING=1\nEXTEND_TIMEOUT_USEC=25000000");
    }

    #[test]
    fn addresses_that_are_not_local_are_refused() {
        for address in ["vsock:2:1234", "relative/path", ""] {
            assert!(Notifier::new(OsStr::new(address)).is_err(), "{address}");
        }
        assert!(Notifier::new(OsStr::new(&format!("/{}", "x".repeat(200)))).is_err());
    }

    #[test]
    fn a_manager_that_has_disappeared_does_no_harm() {
        Notifier::new(OsStr::new("/no/such/socket")).unwrap().ready();
    }
}
