//! Standard output: a thread that writes to it, so that a client that does not read blocks nothing
//! else.

use super::relay::Event;
use super::visible::Visible;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, Sender};
use std::thread;

/// Starts to write to `file`, and returns the queue. A terminal gets control characters in a
/// visible form. Reports what has been written, and the end: after the queue was dropped, or as the
/// output is closed.
pub(super) fn start(mut file: File, report: impl Fn(Event) + Send + 'static) -> io::Result<Sender<Vec<u8>>> {
    let (queue, queued) = mpsc::channel::<Vec<u8>>();
    let mut visible = file.is_terminal().then(Visible::default);
    let write = move || {
        for bytes in queued {
            let written = match &mut visible {
                Some(visible) => file.write_all(&visible.show(&bytes)),
                None => file.write_all(&bytes),
            };
            if written.is_err() {
                return report(Event::OutputClosed);
            }
            report(Event::Written(bytes.len()));
        }
        report(Event::AllWritten);
    };
    thread::Builder::new().name("output".to_owned()).spawn(write)?;
    Ok(queue)
}
