//! What an engine says, as lines.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// The longest line that is read, in bytes; the rest of a longer one is another line.
const MAX_LINE: u64 = 64 * 1024;
/// Lines that may wait to be read: an engine that says more has to wait.
pub const MAX_WAITING: usize = 4096;

/// The lines without their ends, which a thread of its own reads until the end, or until nobody wants them.
///
/// # Errors
/// The system gives no thread.
pub fn read_lines(output: impl Read + Send + 'static) -> io::Result<Receiver<String>> {
    let (sender, lines) = sync_channel(MAX_WAITING);
    std::thread::Builder::new().name("engine".to_owned()).spawn(move || pass_on(output, &sender))?;
    Ok(lines)
}

fn pass_on(output: impl Read, sender: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match (&mut output).take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                if sender.send(text).is_err() {
                    return;
                }
            }
        }
    }
}
