//! The log of the program: lines on standard error that never block a session.
//!
//! The logging thread queues a line and goes on; another thread writes. If nobody reads the log, such as a
//! pipe that is never emptied, it costs a bounded amount of memory (`backlog`) and no time: lines are
//! dropped, and the number is logged later.
//!
//! Lines of each kind are limited (`limit`), since clients cause them: after some in a period the rest is
//! counted, and one line tells the count. A kind is a place in the source and, with `from`, the origin:
//! `log::warn!(from:% = address; "…")`. Lines with the target [`AUDIT`] are not limited: no client causes them, and each counts.
//!
//! An entry is a single line, whatever a client has sent (`line`).

mod backlog;
mod kind;
mod limit;
mod line;
mod numbers;
mod writer;

pub use numbers::{DropCause, dropped};

use backlog::Backlog;
use kind::Kind;
use line::Line;
use log::{LevelFilter, Log, Metadata, Record};
use std::hash::RandomState;
use std::io::{self, Write};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime};
use writer::Queue;

/// The target of lines about the orders of administrators.
pub const AUDIT: &str = "audit";

/// How long the end of the process may be delayed by unwritten lines.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

struct Logger {
    queue: Arc<Queue>,
    level: LevelFilter,
    hashes: RandomState,
}

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= self.level
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            // Formatted before the queue is locked, since that may take any time.
            let line = Line::new(record.level(), &record.args().to_string()).at(SystemTime::now());
            self.queue.push(Kind::of(record, &self.hashes), line, Instant::now());
        }
    }

    fn flush(&self) {
        self.queue.flush(FLUSH_TIMEOUT);
    }
}

/// Writes the remaining lines when dropped, as far as possible within a second.
#[must_use]
pub struct Guard(Arc<Queue>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.finish(FLUSH_TIMEOUT);
    }
}

/// Starts the logger: lines of this level or a more urgent one go to `destination`. Call once.
///
/// # Errors
/// The system has no thread for it, or there is a logger already.
pub fn start(level: LevelFilter, destination: impl Write + Send + 'static) -> io::Result<Guard> {
    let queue = Arc::new(Queue::new(Backlog::default()));
    let reader = Arc::clone(&queue);
    thread::Builder::new().name("log".to_owned()).spawn(move || reader.write_to(destination))?;
    let logger = Logger { queue: Arc::clone(&queue), level, hashes: RandomState::new() };
    log::set_boxed_logger(Box::new(logger)).map_err(io::Error::other)?;
    log::set_max_level(level);
    Ok(Guard(queue))
}
