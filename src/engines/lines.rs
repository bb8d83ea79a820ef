//! What an engine says, as lines.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// How much of what an engine says may wait to be read: one that says more has to wait itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Backlog {
    /// Lines that may wait.
    pub lines: usize,
    /// The longest line that is read, in bytes; the rest of a longer one is another line.
    pub longest: usize,
}

/// The lines without their ends, which a thread of its own reads until the end, or until nobody wants them.
///
/// # Errors
/// The system gives no thread.
pub fn read_lines(output: impl Read + Send + 'static, backlog: Backlog) -> io::Result<Receiver<String>> {
    let (sender, lines) = sync_channel(backlog.lines);
    let longest = backlog.longest as u64;
    std::thread::Builder::new().name("engine".to_owned()).spawn(move || pass_on(output, longest, &sender))?;
    Ok(lines)
}

fn pass_on(output: impl Read, longest: u64, sender: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match (&mut output).take(longest).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                // One byte for each that is wrong, so that a line does not grow.
                let words = line.utf8_chunks();
                let text: String = words
                    .flat_map(|chunk| [chunk.valid(), if chunk.invalid().is_empty() { "" } else { "?" }])
                    .collect();
                if sender.send(text.trim_end().to_owned()).is_err() {
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Sender, channel};
    use std::time::Duration;

    const BACKLOG: Backlog = Backlog { lines: 16, longest: 1024 };

    #[test]
    fn a_line_that_is_too_long_is_several() {
        let text = format!("short\r\n{}\nlast", "x".repeat(1500));
        let lines = read_lines(io::Cursor::new(text), BACKLOG).unwrap();
        let lengths: Vec<usize> = lines.iter().map(|line| line.len()).collect();
        assert_eq!(lengths, [5, 1024, 476, 4]);
    }

    #[test]
    fn bytes_that_are_no_text_do_not_make_a_line_longer() {
        let mut text = vec![0xff; 1024];
        text.extend(b"\n\xe2\x82info \xc3\xa4\n");
        let lines = read_lines(io::Cursor::new(text), BACKLOG).unwrap();
        assert_eq!(lines.iter().collect::<Vec<_>>(), ["?".repeat(1024), String::new(), "?info ä".to_owned()]);
    }

    /// Bytes without an end, and somebody who is told when more of them are read than should be.
    struct Endless {
        left: usize,
        too_many: Sender<()>,
    }

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.fill(b'x');
            self.left = self.left.checked_sub(buffer.len()).ok_or_else(|| {
                let _ = self.too_many.send(());
                io::ErrorKind::OutOfMemory
            })?;
            Ok(buffer.len())
        }
    }

    #[test]
    fn who_talks_to_nobody_takes_a_bounded_amount_of_memory() {
        let (too_many, told) = channel();
        // What waits, a line that is to join it, and what is read ahead.
        let left = BACKLOG.longest * (BACKLOG.lines + 1) + 8 * 1024;
        let lines = read_lines(Endless { left, too_many }, BACKLOG).unwrap();
        assert!(told.recv_timeout(Duration::from_millis(300)).is_err());
        assert_eq!(lines.iter().take(BACKLOG.lines).filter(|line| line.len() == BACKLOG.longest).count(), 16);
    }
}
