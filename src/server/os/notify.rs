//! Notifies the service manager: ready, alive, or about to end. See `sd_notify(3)`.

use crate::server::os::watchdog::Watchdog;
use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::{Duration, Instant};

/// The environment variable with the address of the manager.
const ADDRESS_VARIABLE: &str = "NOTIFY_SOCKET";

/// How long closing the last connections may take after the drain, generously.
const SHUTDOWN_MARGIN: Duration = Duration::from_secs(15);

/// A service manager that wants to be notified.
pub struct Notifier {
    socket: UnixDatagram,
    address: SocketAddr,
    watchdog: Option<Watchdog>,
}

impl Notifier {
    /// The manager in the environment.
    ///
    /// # Errors
    /// Its address is not one of a local socket.
    pub fn from_environment() -> io::Result<Option<Notifier>> {
        match std::env::var_os(ADDRESS_VARIABLE) {
            Some(address) if !address.is_empty() => {
                let watchdog = Watchdog::from_environment(Instant::now());
                Ok(Some(Notifier { watchdog, ..Notifier::new(&address)? }))
            }
            _ => Ok(None),
        }
    }

    /// The manager at a path, or at an abstract address after `@`.
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
        // Clients must not wait for a manager that does not read.
        socket.set_nonblocking(true)?;
        Ok(Notifier { socket, address, watchdog: None })
    }

    /// Clients can connect.
    pub(in crate::server) fn ready(&self) {
        self.tell("READY=1");
    }

    /// When the watchdog needs a turn of the loop; `None` without a watchdog.
    pub(in crate::server) fn next_wakeup(&self) -> Option<Instant> {
        self.watchdog.as_ref().map(Watchdog::next_wakeup)
    }

    /// The loop runs, which is reported as often as the watchdog wants.
    pub(in crate::server) fn alive(&mut self, now: Instant) {
        if self.watchdog.as_mut().is_some_and(|watchdog| watchdog.is_due(now)) {
            self.tell("WATCHDOG=1");
        }
    }

    /// The server is about to end, and may take this long. The manager waits as long, whatever it was
    /// configured to.
    pub(in crate::server) fn stopping(&self, drain: Duration) {
        self.tell(&format!("STOPPING=1\nEXTEND_TIMEOUT_USEC={}", (drain + SHUTDOWN_MARGIN).as_micros()));
    }

    fn tell(&self, state: &str) {
        if let Err(error) = self.socket.send_to_addr(state.as_bytes(), &self.address) {
            log::warn!("cannot tell the service manager {state:?}: {error}");
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
    fn an_abstract_address_is_told() {
        let name = format!("farboard-test-{}", std::process::id());
        let manager = UnixDatagram::bind_addr(&abstract_address(name.as_bytes()).unwrap()).unwrap();
        let notifier = Notifier::new(OsStr::new(&format!("@{name}"))).unwrap();
        notifier.ready();
        notifier.stopping(Duration::from_secs(10));
        let mut buffer = [0; 100];
        let mut heard = || {
            let length = manager.recv(&mut buffer).unwrap();
            String::from_utf8(buffer[..length].to_vec()).unwrap()
        };
        assert_eq!(heard(), "READY=1");
        assert_eq!(heard(), "STOPPING=1\nEXTEND_TIMEOUT_USEC=25000000");
    }

    #[test]
    fn addresses_that_are_not_local_are_refused() {
        for address in ["vsock:2:1234", "relative/path", ""] {
            assert!(Notifier::new(OsStr::new(address)).is_err(), "{address}");
        }
        // Longer than the system's addresses can be.
        assert!(Notifier::new(OsStr::new(&format!("/{}", "x".repeat(200)))).is_err());
    }

    #[test]
    fn a_manager_that_is_gone_does_no_harm() {
        Notifier::new(OsStr::new("/no/such/socket")).unwrap().ready();
    }
}
