//! Standard output: a thread that writes to it, so that a client that does not read holds up nothing else.
//!
//! A program gets every byte as it is; a terminal gets control characters in a form that it does not obey.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, Sender};
use std::thread;

use super::visible::Visible;

/// Reports of the writing thread.
#[derive(Debug)]
pub enum Written {
    /// This many bytes have been written.
    Bytes(usize),
    /// The output is closed.
    Closed,
    /// Everything has been written after [`Outlet::finish`].
    All,
}

/// Queued output to the client.
#[derive(Debug)]
pub struct Outlet {
    /// `None` once no more will come.
    queue: Option<Sender<Vec<u8>>>,
    is_terminal: bool,
}

impl Outlet {
    /// Starts to write to `file` and to report.
    ///
    /// # Errors
    ///
    /// The system has no thread for it.
    pub fn start(mut file: File, report: impl Fn(Written) + Send + 'static) -> io::Result<Self> {
        let (queue, to_write) = mpsc::channel::<Vec<u8>>();
        let is_terminal = file.is_terminal();
        let mut visible = Visible::default();
        thread::Builder::new().name("output".to_owned()).spawn(move || {
            for bytes in to_write {
                let written = match is_terminal {
                    true => file.write_all(&visible.show(&bytes)),
                    false => file.write_all(&bytes),
                };
                if written.is_err() {
                    return report(Written::Closed);
                }
                report(Written::Bytes(bytes.len()));
            }
            report(Written::All);
        })?;
        Ok(Self { queue: Some(queue), is_terminal })
    }

    /// Queues bytes, as one write. Does not block.
    pub fn write(&mut self, bytes: Vec<u8>) {
        if let Some(queue) = self.queue.as_ref().filter(|_| !bytes.is_empty()) {
            // If the thread has ended, it has reported why.
            let _ = queue.send(bytes);
        }
    }

    /// Whether a person reads the output.
    pub fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Ends the output after what is queued.
    pub fn finish(&mut self) {
        self.queue = None;
    }
}
