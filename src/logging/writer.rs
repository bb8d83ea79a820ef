//! The backlog shared by the threads that log and the thread that writes.

use super::backlog::Backlog;
use super::kind::Kind;
use std::collections::VecDeque;
use std::io::{ErrorKind, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Retry interval for a destination that is full and does not block.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

struct State {
    backlog: Backlog,
    /// Lines have been taken and are not yet written.
    is_writing: bool,
}

/// The backlog with its lock, which is only held to move lines.
pub(super) struct Queue {
    state: Mutex<State>,
    /// There is something to write, or the next period ends at another time.
    filled: Condvar,
    emptied: Condvar,
}

impl Queue {
    pub(super) fn new(backlog: Backlog) -> Queue {
        let state = Mutex::new(State { backlog, is_writing: false });
        Queue { state, filled: Condvar::new(), emptied: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn push(&self, kind: Option<Kind>, line: String, now: Instant) {
        let mut state = self.lock();
        let was_idle = state.backlog.is_empty();
        state.backlog.push(kind, line, now);
        drop(state);
        if was_idle {
            self.filled.notify_one();
        }
    }

    /// Writes lines as long as the process lives.
    pub(super) fn write_to(&self, mut destination: impl Write) {
        loop {
            let (lines, dropped) = self.next();
            // As few writes as possible, each with whole lines: other programs may write to the
            // same destination.
            for chunk in chunks(lines.into_iter()) {
                write(&mut destination, chunk.as_bytes());
            }
            if dropped > 0 {
                log::warn!(dropped; "{dropped} lines were dropped, as the log is not read as fast as it grows");
            }
            self.lock().is_writing = false;
            self.emptied.notify_all();
        }
    }

    /// Waits for lines. Returns the number of dropped ones, too.
    fn next(&self) -> (VecDeque<String>, u64) {
        let mut state = self.lock();
        loop {
            let now = Instant::now();
            state.backlog.sum_up(now);
            if !state.backlog.is_empty() {
                state.is_writing = true;
                return (state.backlog.take(), state.backlog.take_dropped());
            }
            state = match state.backlog.next() {
                Some(next) => {
                    let pause = next.saturating_duration_since(now);
                    self.filled.wait_timeout(state, pause).unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.filled.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Waits until all lines are written, or for `timeout`.
    pub(super) fn flush(&self, timeout: Duration) {
        let is_busy = |state: &mut State| state.is_writing || !state.backlog.is_empty();
        let waited = self.emptied.wait_timeout_while(self.lock(), timeout, is_busy);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Like `flush`, with the counts of unfinished periods.
    pub(super) fn finish(&self, timeout: Duration) {
        self.lock().backlog.sum_up_all();
        self.filled.notify_one();
        self.flush(timeout);
    }
}

/// Bytes that a pipe accepts atomically.
const CHUNK: usize = 4096;

/// Joins lines into chunks, each line with its ending.
fn chunks(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut chunks: Vec<String> = Vec::new();
    for line in lines {
        match chunks.last_mut() {
            Some(chunk) if chunk.len() + line.len() < CHUNK => chunk.push_str(&line),
            _ => chunks.push(line),
        }
        if let Some(chunk) = chunks.last_mut() {
            chunk.push('\n');
        }
    }
    chunks
}

/// Writes a text. On an error the rest is lost: there is nowhere to report it.
fn write(destination: &mut impl Write, mut text: &[u8]) {
    while !text.is_empty() {
        match destination.write(text) {
            Ok(written) if written > 0 => text = &text[written..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // Another program with the same terminal or pipe has made it non-blocking.
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(RETRY_INTERVAL),
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::LogFormat;
    use super::*;
    use std::io;
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, Sender, channel};

    const TIMEOUT: Duration = Duration::from_secs(30);

    /// A destination that accepts nothing until the other end of the channel is dropped.
    struct Slow(Receiver<()>, Sender<String>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            // A short write: the rest is written later.
            let count = bytes.len().min(1000);
            let _ = self.1.send(String::from_utf8_lossy(&bytes[..count]).into_owned());
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn slow() -> (Arc<Queue>, Sender<()>, Receiver<String>) {
        let ((may_write, permission), (sender, written)) = (channel(), channel());
        let queue = Arc::new(Queue::new(Backlog::new(LogFormat::Text)));
        let writer = Arc::clone(&queue);
        thread::spawn(move || writer.write_to(Slow(permission, sender)));
        (queue, may_write, written)
    }

    fn kind(place: u64) -> Option<Kind> {
        Some(Kind { place, origin: None })
    }

    #[test]
    fn nobody_waits_for_a_log_that_is_not_read() {
        let (queue, may_write, written) = slow();
        let now = Instant::now();
        for number in 0..5000 {
            queue.push(kind(number), format!("line {number}"), now);
        }
        // Returns in time although nothing can be written.
        queue.flush(Duration::from_millis(1));
        queue.finish(Duration::from_millis(1));
        // From now on everything is accepted.
        drop(may_write);
        queue.flush(TIMEOUT);
        let text: String = written.try_iter().collect();
        assert!(text.starts_with("line 0\n"), "{text}");
        assert!(text.lines().count() < 5000, "there was room for all");
    }

    #[test]
    fn what_was_counted_is_told_at_the_end() {
        let (queue, may_write, written) = slow();
        let now = Instant::now();
        (0..150).for_each(|_| queue.push(kind(1), "again".to_owned(), now));
        drop(may_write);
        queue.finish(TIMEOUT);
        let text: String = written.try_iter().collect();
        assert_eq!(text.lines().count(), 101);
        assert!(text.ends_with("again (and 49 more like this in the last 10 s)\n"), "{text}");
    }

    #[test]
    fn a_destination_that_fails_ends_nothing() {
        struct Broken;
        impl Write for Broken {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let queue = Arc::new(Queue::new(Backlog::new(LogFormat::Text)));
        let writer = Arc::clone(&queue);
        thread::spawn(move || writer.write_to(Broken));
        for round in 0..3 {
            queue.push(kind(round), "x".to_owned(), Instant::now());
            queue.flush(TIMEOUT);
            assert!(queue.lock().backlog.is_empty());
        }
    }
}
