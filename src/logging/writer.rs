//! The backlog between those who log and the thread that writes.

use super::backlog::Backlog;
use super::kind::Kind;
use super::line::Line;
use std::collections::VecDeque;
use std::io::{ErrorKind, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// Before it is tried again to write to what takes nothing now, and does not let us wait.
const PAUSE: Duration = Duration::from_millis(50);

struct State {
    backlog: Backlog,
    /// Lines were taken, and are not written yet.
    is_writing: bool,
}

/// Nobody holds its lock for longer than it takes to move a line.
pub(super) struct Queue {
    state: Mutex<State>,
    /// There is something to write, or the time to sum up has changed.
    filled: Condvar,
    /// All is written.
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

    /// Has a line written, or counted.
    pub(super) fn push(&self, kind: Kind, line: Line, now: Instant) {
        let mut state = self.lock();
        let was_idle = state.backlog.is_empty();
        state.backlog.push(kind, line, now);
        drop(state);
        if was_idle {
            self.filled.notify_one();
        }
    }

    /// Writes for as long as the process lives.
    pub(super) fn write_to(&self, mut destination: impl Write) {
        loop {
            let lines = self.next();
            let now = SystemTime::now();
            // In few writes, and each line whole in one if it can be: others may write there, too.
            for chunk in chunks(lines.into_iter().map(|line| line.written(now))) {
                write(&mut destination, chunk.as_bytes());
            }
            self.lock().is_writing = false;
            self.emptied.notify_all();
        }
    }

    /// Waits for lines.
    fn next(&self) -> VecDeque<Line> {
        let mut state = self.lock();
        loop {
            let now = Instant::now();
            state.backlog.sum_up(now);
            if !state.backlog.is_empty() {
                state.is_writing = true;
                return state.backlog.take();
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

    /// Waits until all is written, but no longer than this.
    pub(super) fn flush(&self, patience: Duration) {
        let is_busy = |state: &mut State| state.is_writing || !state.backlog.is_empty();
        let waited = self.emptied.wait_timeout_while(self.lock(), patience, is_busy);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// The same, with what was only counted so far.
    pub(super) fn finish(&self, patience: Duration) {
        self.lock().backlog.sum_up_all();
        self.filled.notify_one();
        self.flush(patience);
    }
}

/// What a pipe takes in one piece.
const CHUNK: usize = 4096;

/// Joins lines as long as they fit into a chunk.
fn chunks(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut chunks: Vec<String> = Vec::new();
    for line in lines {
        match chunks.last_mut() {
            Some(chunk) if chunk.len() + line.len() <= CHUNK => chunk.push_str(&line),
            _ => chunks.push(line),
        }
    }
    chunks
}

/// Writes all of it, or none of the rest: there is nobody who could be told that the log cannot be written.
fn write(destination: &mut impl Write, mut text: &[u8]) {
    while !text.is_empty() {
        match destination.write(text) {
            Ok(written) if written > 0 => text = &text[written..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // Somebody else with the same terminal or pipe wants nobody to wait for it.
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(PAUSE),
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use log::Level;
    use std::io;
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, Sender, channel};

    const PATIENCE: Duration = Duration::from_secs(30);

    /// A destination that takes nothing until the other end of the channel is dropped.
    struct Slow(Receiver<()>, Sender<String>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            // A piece of it, to be asked for the rest.
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
        let queue = Arc::new(Queue::new(Backlog::default()));
        let writer = Arc::clone(&queue);
        thread::spawn(move || writer.write_to(Slow(permission, sender)));
        (queue, may_write, written)
    }

    fn kind(place: u64) -> Kind {
        Kind { place, origin: None }
    }

    #[test]
    fn nobody_waits_for_a_log_that_is_not_read() {
        let (queue, may_write, written) = slow();
        let now = Instant::now();
        for number in 0..5000 {
            queue.push(kind(number), Line::new(Level::Info, &format!("line {number}")), now);
        }
        // It ends within the time, although nothing can be written.
        queue.flush(Duration::from_millis(1));
        queue.finish(Duration::from_millis(1));
        // From now on somebody reads.
        drop(may_write);
        queue.flush(PATIENCE);
        let text: String = written.try_iter().collect();
        assert!(text.starts_with('[') && text.contains("line 0\n"), "{text}");
        let number = |text: &str| text.split(' ').find_map(|word| word.parse::<usize>().ok());
        // Two counts, if the thread took the first lines when some were dropped already.
        let counts = text.lines().filter(|line| line.contains("dropped"));
        let dropped: usize =
            counts.map(|line| number(line.split_once("] ").expect("a line").1).expect("a count")).sum();
        let lines = text.lines().filter(|line| line.contains("] line ")).count();
        assert!(dropped > 0, "there was room for all");
        assert_eq!(dropped, 5000 - lines);
    }

    #[test]
    fn what_was_counted_is_told_at_the_end() {
        let (queue, may_write, written) = slow();
        let now = Instant::now();
        (0..150).for_each(|_| queue.push(kind(1), Line::new(Level::Info, "again"), now));
        drop(may_write);
        queue.finish(PATIENCE);
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
        let queue = Arc::new(Queue::new(Backlog::default()));
        let writer = Arc::clone(&queue);
        thread::spawn(move || writer.write_to(Broken));
        for round in 0..3 {
            queue.push(kind(round), Line::new(Level::Info, "x"), Instant::now());
            queue.flush(PATIENCE);
            assert!(queue.lock().backlog.is_empty());
        }
    }
}
