//! Standard output: a thread that writes to it, so that a client that does not read holds up nobody else.

use std::fs::File;
use std::io::{self, Write};
use std::sync::mpsc::{self, Sender};
use std::thread;

/// What comes of what was to be written.
#[derive(Debug)]
pub enum Written {
    /// So many bytes are out.
    Bytes(usize),
    /// Nobody reads any more.
    Closed,
    /// All is out, and the outlet was told that no more comes.
    All,
}

/// The way to the client.
#[derive(Debug)]
pub struct Outlet {
    /// `None` once no more is to come.
    queue: Option<Sender<Vec<u8>>>,
    waiting: usize,
}

impl Outlet {
    /// Writes to `file` from now on, and reports how it goes.
    ///
    /// # Errors
    ///
    /// If there is no thread to be had.
    pub fn start(mut file: File, report: impl Fn(Written) + Send + 'static) -> io::Result<Self> {
        let (queue, to_write) = mpsc::channel::<Vec<u8>>();
        thread::Builder::new().name("output".to_owned()).spawn(move || {
            for bytes in to_write {
                if file.write_all(&bytes).is_err() {
                    return report(Written::Closed);
                }
                report(Written::Bytes(bytes.len()));
            }
            report(Written::All);
        })?;
        Ok(Self { queue: Some(queue), waiting: 0 })
    }

    /// Writes this, in one piece. Does not wait.
    pub fn write(&mut self, bytes: Vec<u8>) {
        if let Some(queue) = self.queue.as_ref().filter(|_| !bytes.is_empty()) {
            self.waiting += bytes.len();
            // A thread that is gone has reported why.
            let _ = queue.send(bytes);
        }
    }

    /// Takes the report that so many bytes are out.
    pub fn written(&mut self, count: usize) {
        self.waiting = self.waiting.saturating_sub(count);
    }

    /// Bytes that wait for the client to read.
    pub fn waiting(&self) -> usize {
        self.waiting
    }

    /// No more will come.
    pub fn finish(&mut self) {
        self.queue = None;
    }
}
