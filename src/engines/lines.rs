//! The lines of an engine's output.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant};

/// Bounds of unread output; an engine that prints more is blocked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Backlog {
    /// Lines that may wait.
    pub lines: usize,
    /// Maximum length of a line in bytes; the rest of a longer one is another line.
    pub longest: usize,
    /// Reports of a search that may be dropped within a second when too many lines wait; 0 to keep
    /// all.
    pub dropped_reports: usize,
}

/// Returns the lines without their ends. A thread reads them until the end, or until the receiver
/// is dropped.
///
/// # Errors
/// The system gives no thread.
pub fn read_lines(output: impl Read + Send + 'static, backlog: Backlog) -> io::Result<Receiver<String>> {
    let (sender, lines) = sync_channel(backlog.lines);
    let longest = backlog.longest as u64;
    let mut outlet = Outlet { sender, most: backlog.dropped_reports, second: Instant::now(), dropped: 0 };
    std::thread::Builder::new()
        .name("engine".to_owned())
        .spawn(move || pass_on(output, longest, &mut outlet))?;
    Ok(lines)
}

/// The sending end of the lines.
struct Outlet {
    sender: SyncSender<String>,
    /// Reports that may be dropped within a second.
    most: usize,
    /// When the current second began.
    second: Instant,
    /// Reports dropped since.
    dropped: usize,
}

impl Outlet {
    /// Sends a line or drops it, or waits for the reader. Returns false if there is no reader any
    /// more.
    fn send(&mut self, line: String) -> bool {
        match self.sender.try_send(line) {
            Ok(()) => true,
            Err(TrySendError::Disconnected(_)) => false,
            Err(TrySendError::Full(line)) => self.drops(&line) || self.sender.send(line).is_ok(),
        }
    }

    fn drops(&mut self, line: &str) -> bool {
        if !is_report(line) {
            return false;
        }
        let now = Instant::now();
        if now.saturating_duration_since(self.second) > Duration::from_secs(1) {
            (self.second, self.dropped) = (now, 0);
        }
        let may = self.dropped < self.most;
        self.dropped += usize::from(may);
        may
    }
}

/// Returns true if a line reports on a search in either protocol: a later one makes up for it.
fn is_report(line: &str) -> bool {
    line.starts_with("info ") || is_thinking(line)
}

/// Returns true if a line begins as thinking output of the xboard protocol: with depth, score, time
/// and nodes. A result such as `1-0 {White mates}` does not. Some engines have a mark after the
/// depth, as in `9.` or `9&`.
fn is_thinking(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    let depth = words.next().map(|word| word.trim_end_matches(|mark: char| !mark.is_ascii_digit()));
    depth.is_some_and(is_number) && words.by_ref().take(3).filter(|word| is_number(word)).count() == 3
}

fn is_number(word: &str) -> bool {
    word.parse::<i64>().is_ok()
}

fn pass_on(output: impl Read, longest: u64, outlet: &mut Outlet) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match (&mut output).take(longest).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                // One byte for each invalid sequence, so that a line does not grow.
                let words = line.utf8_chunks();
                let text: String = words
                    .flat_map(|chunk| [chunk.valid(), if chunk.invalid().is_empty() { "" } else { "?" }])
                    .collect();
                if !outlet.send(text.trim_end().to_owned()) {
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::mpsc::{Sender, channel};

    const BACKLOG: Backlog = Backlog { lines: 16, longest: 1024, dropped_reports: 0 };

    #[test]
    fn an_overlong_line_is_split() {
        let text = format!("short\r\n{}\nlast", "x".repeat(1500));
        let lines = read_lines(io::Cursor::new(text), BACKLOG).unwrap();
        let lengths: Vec<usize> = lines.iter().map(|line| line.len()).collect();
        assert_eq!(lengths, [5, 1024, 476, 4]);
    }

    #[test]
    fn invalid_bytes_do_not_lengthen_a_line() {
        let mut text = vec![0xff; 1024];
        text.extend(b"\n\xe2\x82info \xc3\xa4\n");
        let lines = read_lines(io::Cursor::new(text), BACKLOG).unwrap();
        assert_eq!(lines.iter().collect::<Vec<_>>(), ["?".repeat(1024), String::new(), "?info ä".to_owned()]);
    }

    #[test]
    fn only_reports_are_dropped() {
        let lines = |reports: usize, dropped_reports: usize| {
            let (mut reader, writer) = std::io::pipe().unwrap();
            drop(reader.read(&mut []));
            let lines = read_lines(reader, Backlog { dropped_reports, ..BACKLOG }).unwrap();
            let writing = std::thread::spawn(move || {
                let mut writer = writer;
                for number in 0..reports {
                    writeln!(writer, "info depth {number} {}", "x".repeat(900)).unwrap();
                }
                writeln!(writer, "bestmove e2e4").unwrap();
            });
            if dropped_reports >= reports {
                writing.join().unwrap();
            }
            lines.iter().collect::<Vec<_>>()
        };
        let dropping = lines(1000, 1000);
        assert!(dropping.len() < 200, "{}", dropping.len());
        assert_eq!(dropping.last().map(String::as_str), Some("bestmove e2e4"));
        assert_eq!(lines(1000, 0).len(), 1001);
    }

    #[test]
    fn results_and_other_lines_with_a_number_first_are_no_reports() {
        for report in [
            "info depth 1",
            "9 156 1084 48000 Nf3 Nc6",
            "  12 -30 5 77",
            "9. +15 0 3 e4",
            "9& 100000 0 3",
            "10\t5\t6\t7\te4",
        ] {
            assert!(is_report(report), "{report}");
        }
        for other in [
            "1-0 {White mates}",
            "0-1 {Resign}",
            "1/2-1/2 {Stalemate}",
            "1-0 1 2 3",
            "9 156 1084",
            "9",
            "",
            "e4 1 2 3",
        ] {
            assert!(!is_report(other), "{other}");
        }
    }

    /// Endless bytes; reports when more of them are read than expected.
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
    fn unread_output_takes_bounded_memory() {
        let (too_many, reported) = channel();
        // Waiting lines, the next line, and the buffer.
        let left = BACKLOG.longest * (BACKLOG.lines + 1) + 8 * 1024;
        let lines = read_lines(Endless { left, too_many }, BACKLOG).unwrap();
        assert!(reported.recv_timeout(Duration::from_millis(300)).is_err());
        assert_eq!(lines.iter().take(BACKLOG.lines).filter(|line| line.len() == BACKLOG.longest).count(), 16);
    }
}
