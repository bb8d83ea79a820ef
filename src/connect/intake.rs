//! Standard input: a thread that reads it, and what is left in the pipe when the process is to end.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::gate::Gate;
use super::platform::{self, Watch};

/// A Linux pipe holds this much, so one read takes all that was written.
const CHUNK: usize = 64 * 1024;
/// What is taken from a client that goes on writing when the process is to end.
const LAST: usize = 1 << 20;

/// What comes of the input.
#[derive(Debug)]
pub enum Taken {
    /// These bytes.
    Bytes(Vec<u8>),
    /// No more.
    End,
    /// No more, since the process was asked to terminate.
    Terminate,
}

struct Input {
    file: File,
    chunk: Vec<u8>,
    open: bool,
}

/// Reads `file` from now on, and reports what comes; at the request to terminate what is in it already,
/// once and in order.
///
/// # Errors
///
/// If threads, descriptors or signal handlers cannot be had.
pub fn start(file: File, gate: Arc<Gate>, report: impl Fn(Taken) + Clone + Send + 'static) -> io::Result<()> {
    let (watch, last_watch) = (Watch::new(&file)?, Watch::new(&file)?);
    let input = Arc::new(Mutex::new(Input { file, chunk: vec![0; CHUNK], open: true }));

    // Before any byte is relayed: whoever sees the relay work may send a signal.
    let (leaving, last_report, last_gate) = (Arc::clone(&input), report.clone(), Arc::clone(&gate));
    platform::on_termination(move || {
        let mut input = lock(&leaving);
        let mut taken = 0;
        while input.open && taken < LAST && last_watch.is_ready_now() {
            taken += input.read(&last_gate, &last_report);
        }
        input.open = false;
        last_report(Taken::Terminate);
    })?;

    let body = move || {
        loop {
            // Not under the lock: the input may stay silent for hours, and a request to terminate
            // needs it.
            gate.wait();
            watch.wait();
            let mut input = lock(&input);
            if !input.open {
                return;
            }
            input.read(&gate, &report);
        }
    };
    thread::Builder::new().name("input".to_owned()).spawn(body).map(drop)
}

fn lock(input: &Mutex<Input>) -> MutexGuard<'_, Input> {
    input.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Input {
    /// Reports what one read gives. Returns how much that is.
    fn read(&mut self, gate: &Gate, report: &impl Fn(Taken)) -> usize {
        match self.file.read(&mut self.chunk) {
            Ok(size @ 1..) => {
                gate.enter(size);
                report(Taken::Bytes(self.chunk[..size].to_owned()));
                return size;
            }
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
            Ok(0) | Err(_) => {
                self.open = false;
                report(Taken::End);
            }
        }
        0
    }
}
