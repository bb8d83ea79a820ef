//! Notifications to the service manager: ready, alive, stopping. See `sd_notify(3)` and, for the
//! watchdog, which ends a server whose loop hangs, `sd_watchdog_enabled(3)`.

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

    /// Reports the shutdown and how long it may take, which overrides the configured timeout.
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

/// Environment variable with the interval in microseconds.
const INTERVAL_VARIABLE: &str = "WATCHDOG_USEC";
/// Environment variable with the watched process; any if unset.
const PROCESS_VARIABLE: &str = "WATCHDOG_PID";

/// Schedule of the notifications. Without a watchdog nothing wakes the loop for them.
struct Watchdog {
    every: Duration,
    next: Instant,
}

impl Watchdog {
    /// Returns the watchdog in the environment, if it is for this process.
    fn from_environment(now: Instant) -> Option<Watchdog> {
        let variable = |name| std::env::var(name).ok();
        Watchdog::new(
            variable(INTERVAL_VARIABLE)?.as_str(),
            variable(PROCESS_VARIABLE).as_deref(),
            std::process::id(),
            now,
        )
    }

    fn new(interval: &str, process: Option<&str>, own: u32, now: Instant) -> Option<Watchdog> {
        if process.is_some_and(|process| process.parse() != Ok(own)) {
            return None;
        }
        let parsed = interval.parse().ok().filter(|&microseconds| microseconds > 0);
        let Some(every) = parsed.map(Duration::from_micros) else {
            log::warn!(
                "{INTERVAL_VARIABLE} is {interval:?} and must be a number of microseconds: the watchdog is off"
            );
            return None;
        };
        // Half the interval, as the manual advises: one slow turn does no harm.
        Some(Watchdog { every: every / 2, next: now })
    }

    fn next_wakeup(&self) -> Instant {
        self.next
    }

    /// Returns true if a notification is due, and schedules the next one.
    fn is_due(&mut self, now: Instant) -> bool {
        let due = now >= self.next;
        if due {
            self.next = now + self.every;
        }
        due
    }
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

    #[test]
    fn it_is_notified_exactly_twice_per_interval() {
        let start = Instant::now();
        let mut watchdog = Watchdog::new("2000000", Some("7"), 7, start).expect("it watches");
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        let told: Vec<u64> = (0..5000).step_by(100).filter(|&now| watchdog.is_due(at(now))).collect();
        assert_eq!(told, [0, 1000, 2000, 3000, 4000]);
        assert_eq!(watchdog.next_wakeup(), at(5000));
        assert!(watchdog.is_due(at(9000)) && !watchdog.is_due(at(9999)));
    }

    #[test]
    fn a_watchdog_of_another_process_or_without_an_interval_is_ignored() {
        let watches = |interval, process| Watchdog::new(interval, process, 7, Instant::now()).is_some();
        assert!(watches("1", None));
        assert!(!watches("1000000", Some("8")) && !watches("1000000", Some("")));
        assert!(
            !watches("0", Some("7")) && !watches("-1", None) && !watches("1 s", None) && !watches("", None)
        );
    }
}
