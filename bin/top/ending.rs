//! The end of `farboard top` that is not a key: a signal, or a terminal that has gone.
//!
//! A thread of its own watches for both. The program's main thread may be in the reader of keys,
//! which never returns from a terminal that has gone, or wait for a server that does not answer.

use super::screen;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::io::{self, IsTerminal};
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// Interval between two checks. A hangup usually ends the wait at once.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// Time for the main thread to end by itself, which leaves the terminal in order.
const GRACE: Duration = Duration::from_millis(500);

/// Whether the program is about to end.
pub struct Ending(Arc<AtomicBool>);

impl Ending {
    /// Starts to watch. From now on the process ends within a second of a hangup, SIGINT or
    /// SIGTERM.
    pub fn watch() -> io::Result<Ending> {
        let signalled = Arc::new(AtomicBool::new(false));
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&signalled))?;
        }
        let flag = Arc::clone(&signalled);
        thread::Builder::new().name("ending".to_owned()).spawn(move || {
            while !flag.load(Ordering::Relaxed) && !has_hung_up(CHECK_INTERVAL) {}
            flag.store(true, Ordering::Relaxed);
            if !has_hung_up(Duration::ZERO) {
                thread::sleep(GRACE);
                restore();
            }
            exit(0);
        })?;
        Ok(Ending(signalled))
    }

    /// Returns true if the program must end now.
    pub fn is_near(&self) -> bool {
        self.0.load(Ordering::Relaxed) || has_hung_up(Duration::ZERO)
    }
}

/// Leaves the terminal in order, unless that takes long: the main thread may hold the lock of the
/// output, and wait for a terminal that was stopped by Ctrl-S.
fn restore() {
    let (done, restored) = channel();
    let body = move || {
        screen::restore();
        // The process may be ending already.
        let _ = done.send(());
    };
    if thread::Builder::new().spawn(body).is_ok() {
        let _ = restored.recv_timeout(CHECK_INTERVAL);
    }
}

/// Returns true if the terminal has gone. Waits for that as long as `patience`, or until a signal
/// comes. Without SIGHUP, as under `nohup`, there is no other sign of it.
fn has_hung_up(patience: Duration) -> bool {
    let (input, output) = (io::stdin(), io::stdout());
    // Standard input may be something else, such as a pipe that has ended.
    let mut terminals: Vec<PollFd> = vec![PollFd::new(&output, PollFlags::empty())];
    if input.is_terminal() {
        terminals.push(PollFd::new(&input, PollFlags::empty()));
    }
    let timeout = Timespec { tv_sec: 0, tv_nsec: patience.subsec_nanos().into() };
    match poll(&mut terminals, Some(&timeout)) {
        Ok(_) => terminals
            .iter()
            .any(|terminal| terminal.revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL)),
        Err(_) => {
            thread::sleep(patience);
            false
        }
    }
}
