//! Standard input: a thread that reads it, and the rest of the pipe when the process is to
//! terminate.

use super::platform;
use super::relay::Event;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The capacity of a Linux pipe, so that one read takes everything in it.
const CHUNK: usize = 64 * 1024;
/// Maximum number of bytes taken from a client that goes on writing when the process is to
/// terminate.
const MAX_LAST_INPUT: usize = 1 << 20;
/// Time from the request to terminate to a forced exit, in case the relay does not end.
const EXIT_TIMEOUT: Duration = Duration::from_millis(900);

/// Standard input.
struct Input<R> {
    file: File,
    /// Locked while one of the two threads reads and reports.
    is_open: Mutex<bool>,
    report: R,
}

/// Starts to read `file`, whenever `wait_for_room` returns, and to report what comes. At a request
/// to terminate, everything that is already in the pipe is reported, once and in order.
pub(super) fn start(
    file: File,
    wait_for_room: impl Fn() + Send + 'static,
    report: impl Fn(Event) + Send + Sync + 'static,
) -> io::Result<()> {
    let input = Arc::new(Input { file, is_open: Mutex::new(true), report });
    let last_input = Arc::clone(&input);
    // Before any byte is relayed: a client that sees the relay work may send a signal.
    platform::on_termination(move || {
        // First, as a terminal or disk may block the thread that holds a lock.
        let exit = || {
            thread::sleep(EXIT_TIMEOUT);
            std::process::exit(0);
        };
        let forced = thread::Builder::new().name("exit".to_owned()).spawn(exit);
        let mut is_open = last_input.lock();
        let (mut chunk, mut taken) = (vec![0; CHUNK], 0);
        while *is_open && taken < MAX_LAST_INPUT && platform::has_input(&last_input.file) {
            taken += last_input.read(&mut chunk, &mut is_open);
        }
        *is_open = false;
        drop(is_open);
        (last_input.report)(Event::Terminate);
        if forced.is_err() {
            exit();
        }
    })?;

    let body = move || {
        let mut chunk = vec![0; CHUNK];
        loop {
            // Not under the lock, which termination needs: the input may be silent for hours.
            wait_for_room();
            platform::wait_for_input(&input.file);
            let mut is_open = input.lock();
            if !*is_open {
                return;
            }
            input.read(&mut chunk, &mut is_open);
        }
    };
    thread::Builder::new().name("input".to_owned()).spawn(body).map(drop)
}

impl<R: Fn(Event)> Input<R> {
    fn lock(&self) -> MutexGuard<'_, bool> {
        self.is_open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads once and reports the outcome. Returns the number of bytes.
    fn read(&self, chunk: &mut [u8], is_open: &mut bool) -> usize {
        match (&self.file).read(chunk) {
            Ok(size @ 1..) => {
                (self.report)(Event::Client(chunk[..size].to_owned()));
                return size;
            }
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
            Ok(0) | Err(_) => {
                *is_open = false;
                (self.report)(Event::ClientEnd);
            }
        }
        0
    }
}
