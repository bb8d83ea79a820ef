//! Standard input: a thread that reads it, and the rest of the pipe when the process is to terminate.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::backpressure::Gate;
use super::last_line::LastWords;
use super::platform::{self, Watch};

/// The capacity of a Linux pipe, so that one read takes everything in it.
const CHUNK: usize = 64 * 1024;
/// Maximum number of bytes taken from a client that goes on writing when the process is to terminate.
const MAX_LAST_INPUT: usize = 1 << 20;
/// Time from the request to terminate to a forced exit. The relay ends sooner by itself.
const EXIT_TIMEOUT: Duration = Duration::from_millis(900);

/// Events of the input.
#[derive(Debug)]
pub enum Taken {
    /// Bytes that were read.
    Bytes(Vec<u8>),
    /// End of input.
    End,
    /// End of input because the process is to terminate.
    Terminate,
}

struct Input {
    file: File,
    chunk: Vec<u8>,
    open: bool,
    words: LastWords,
    /// The last line is the farewell, and a thread makes sure that the process ends.
    quitting: Arc<AtomicBool>,
}

/// Starts to read `file` and to report events. At a request to terminate, what the pipe already holds is
/// reported, once and in order. `farewell` is the line that ends a session.
///
/// # Errors
///
/// No threads, descriptors or signal handlers are available.
pub fn start(
    file: File,
    farewell: &'static str,
    gate: Arc<Gate>,
    report: impl Fn(Taken) + Clone + Send + 'static,
) -> io::Result<()> {
    let (watch, last_watch) = (Watch::new(&file)?, Watch::new(&file)?);
    let (chunk, words) = (vec![0; CHUNK], LastWords::new(farewell));
    let input = Arc::new(Mutex::new(Input { file, chunk, open: true, words, quitting: Arc::default() }));

    // Before any byte is relayed: a client that sees the relay work may send a signal.
    let (leaving, last_report, last_gate) = (Arc::clone(&input), report.clone(), Arc::clone(&gate));
    platform::on_termination(move || {
        let mut input = lock(&leaving);
        let mut taken = 0;
        while input.open && taken < MAX_LAST_INPUT && last_watch.is_ready_now() {
            taken += input.read(&last_gate, &last_report);
        }
        input.open = false;
        drop(input);
        last_report(Taken::Terminate);
        end_anyway(&AtomicBool::new(true));
    })?;

    let body = move || {
        loop {
            // Not under the lock: the input may be silent for hours, and a request to terminate needs the
            // lock.
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
    /// Reads once and reports it. Returns the number of bytes.
    fn read(&mut self, gate: &Gate, report: &impl Fn(Taken)) -> usize {
        match self.file.read(&mut self.chunk) {
            Ok(size @ 1..) => {
                gate.enter(size);
                self.watch_for_quit(size);
                report(Taken::Bytes(self.chunk[..size].to_owned()));
                return size;
            }
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
            Ok(0) | Err(_) => {
                self.open = false;
                // The client is a script and not a GUI that waits: it gets the remaining answers.
                self.quitting.store(false, Ordering::Relaxed);
                report(Taken::End);
            }
        }
        0
    }

    fn watch_for_quit(&mut self, size: usize) {
        self.words.note(&self.chunk[..size]);
        let quit = self.words.goodbye().is_empty();
        if self.quitting.swap(quit, Ordering::Relaxed) != quit && quit {
            let quitting = Arc::clone(&self.quitting);
            let watch = move || end_anyway(&quitting);
            // Without the thread the relay must end by itself, which it normally does.
            let _ = thread::Builder::new().name("quit".to_owned()).spawn(watch);
        }
    }
}

/// Ends the process after a while, unless more input came.
fn end_anyway(wanted: &AtomicBool) {
    thread::sleep(EXIT_TIMEOUT);
    if wanted.load(Ordering::Relaxed) {
        std::process::exit(0);
    }
}
