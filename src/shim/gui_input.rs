//! Standard input: a thread that reads it, and the rest of the pipe when the process is to
//! terminate.

use super::byte_budget::ByteBudget;
use super::platform;
use super::relay::Event;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The capacity of a Linux pipe, so that one read takes everything in it.
const CHUNK: usize = 64 * 1024;
/// Maximum number of bytes taken from a client that goes on writing when the process is to
/// terminate.
const MAX_LAST_INPUT: usize = 1 << 20;
/// Time from the request to terminate to a forced exit, in case the relay does not end.
const EXIT_TIMEOUT: Duration = Duration::from_millis(900);

/// Starts to read `file` and to report what comes. At a request to terminate, everything that is
/// already in the pipe is reported, once and in order.
pub(super) fn start(
    file: File,
    budget: Arc<ByteBudget>,
    report: impl Fn(Event) + Clone + Send + 'static,
) -> io::Result<()> {
    let last_file = file.try_clone()?;
    let (last_budget, last_report) = (Arc::clone(&budget), report.clone());
    // Locked while one of the two threads reads and reports.
    let is_open = Arc::new(Mutex::new(true));
    let last_is_open = Arc::clone(&is_open);

    // Before any byte is relayed: a client that sees the relay work may send a signal.
    platform::on_termination(move || {
        let mut is_open = last_is_open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut taken = 0;
        while *is_open && taken < MAX_LAST_INPUT && platform::has_input(&last_file) {
            taken += read(&last_file, &mut is_open, &last_budget, &last_report);
        }
        *is_open = false;
        drop(is_open);
        last_report(Event::Terminate);
        thread::sleep(EXIT_TIMEOUT);
        std::process::exit(0);
    })?;

    let body = move || {
        loop {
            // Not under the lock, which termination needs: the input may be silent for hours.
            budget.wait();
            platform::wait_for_input(&file);
            let mut is_open = is_open.lock().unwrap_or_else(PoisonError::into_inner);
            if !*is_open {
                return;
            }
            read(&file, &mut is_open, &budget, &report);
        }
    };
    thread::Builder::new().name("input".to_owned()).spawn(body).map(drop)
}

/// Reads once and reports the outcome. Returns the number of bytes.
fn read(mut file: &File, is_open: &mut bool, budget: &ByteBudget, report: &impl Fn(Event)) -> usize {
    let mut chunk = vec![0; CHUNK];
    match file.read(&mut chunk) {
        Ok(size @ 1..) => {
            budget.add(size);
            report(Event::Client(chunk[..size].to_owned()));
            return size;
        }
        Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
        Ok(0) | Err(_) => {
            *is_open = false;
            report(Event::ClientEnd);
        }
    }
    0
}
