//! Standard input: a thread that reads it, and the rest of the pipe when the process is to terminate.

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
/// Maximum number of bytes taken from a client that goes on writing when the process is to terminate.
const MAX_LAST_INPUT: usize = 1 << 20;
/// Time from the request to terminate to a forced exit, in case the relay does not end.
const EXIT_TIMEOUT: Duration = Duration::from_millis(900);

/// Starts to read `file` and to report what comes. At a request to terminate, everything that is already in the pipe
/// is reported, once and in order.
pub fn start(
    file: File,
    budget: Arc<ByteBudget>,
    report: impl Fn(Event) + Clone + Send + 'static,
) -> io::Result<()> {
    let file = Arc::new(file);
    let input =
        Input { file: Arc::clone(&file), chunk: vec![0; CHUNK], is_open: true, budget: Arc::clone(&budget) };
    let input = Arc::new(Mutex::new(input));

    // Before any byte is relayed: a client that sees the relay work may send a signal.
    let (last_input, last_report) = (Arc::clone(&input), report.clone());
    platform::on_termination(move || {
        let mut input = last_input.lock().unwrap_or_else(PoisonError::into_inner);
        let mut taken = 0;
        while input.is_open && taken < MAX_LAST_INPUT && platform::has_input(&input.file) {
            taken += input.read(&last_report);
        }
        input.is_open = false;
        drop(input);
        last_report(Event::Terminate);
        thread::sleep(EXIT_TIMEOUT);
        std::process::exit(0);
    })?;

    let read = move || {
        loop {
            // Not under the lock, which termination needs: the input may be silent for hours.
            budget.wait();
            platform::wait_for_input(&file);
            let mut input = input.lock().unwrap_or_else(PoisonError::into_inner);
            if !input.is_open {
                return;
            }
            input.read(&report);
        }
    };
    thread::Builder::new().name("input".to_owned()).spawn(read).map(drop)
}

struct Input {
    file: Arc<File>,
    chunk: Vec<u8>,
    is_open: bool,
    budget: Arc<ByteBudget>,
}

impl Input {
    /// Reads once and reports the outcome. Returns the number of bytes.
    fn read(&mut self, report: &impl Fn(Event)) -> usize {
        match self.file.as_ref().read(&mut self.chunk) {
            Ok(size @ 1..) => {
                self.budget.add(size);
                report(Event::Client(self.chunk[..size].to_owned()));
                return size;
            }
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
            Ok(0) | Err(_) => {
                self.is_open = false;
                report(Event::ClientEnd);
            }
        }
        0
    }
}
