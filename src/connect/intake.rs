//! Standard input: a thread that reads it, and what is left in the pipe when the process is to end.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::gate::Gate;
use super::goodbye::LastWords;
use super::platform::{self, Watch};

/// A Linux pipe holds this much, so one read takes all that was written.
const CHUNK: usize = 64 * 1024;
/// What is taken from a client that goes on writing when the process is to end.
const MAX_LAST_INPUT: usize = 1 << 20;
/// The process ends so long after it was asked to, whatever the rest of it is busy with. The relay ends sooner by itself.
const LAST_RESORT: Duration = Duration::from_millis(900);

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
    words: LastWords,
    /// The last line is the farewell, and a thread makes sure of it.
    quitting: Arc<AtomicBool>,
}

/// Reads `file` from now on, and reports what comes; at the request to terminate what is in it already,
/// once and in order. `farewell` is the line that ends a session.
///
/// # Errors
///
/// If threads, descriptors or signal handlers cannot be had.
pub fn start(
    file: File,
    farewell: &'static str,
    gate: Arc<Gate>,
    report: impl Fn(Taken) + Clone + Send + 'static,
) -> io::Result<()> {
    let (watch, last_watch) = (Watch::new(&file)?, Watch::new(&file)?);
    let (chunk, words) = (vec![0; CHUNK], LastWords::new(farewell));
    let input = Arc::new(Mutex::new(Input { file, chunk, open: true, words, quitting: Arc::default() }));

    // Before any byte is relayed: whoever sees the relay work may send a signal.
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
                self.watch_for_quit(size);
                report(Taken::Bytes(self.chunk[..size].to_owned()));
                return size;
            }
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
            Ok(0) | Err(_) => {
                self.open = false;
                // A script, not a GUI that waits: it gets what is still to come.
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
            // Without a thread the relay has to end by itself, as it does anyway.
            let _ = thread::Builder::new().name("quit".to_owned()).spawn(watch);
        }
    }
}

/// Ends the process if it is still there after a while, unless more was said.
fn end_anyway(wanted: &AtomicBool) {
    thread::sleep(LAST_RESORT);
    if wanted.load(Ordering::Relaxed) {
        std::process::exit(0);
    }
}
