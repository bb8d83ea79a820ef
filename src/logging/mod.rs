//! The log of the program: lines on standard error, for which nobody waits.
//!
//! Who logs hands a line over and goes on; a thread writes. A log that is not read, as a pipe that nobody empties, costs a
//! bounded amount of memory (`backlog`) and never the time of a session: lines are dropped, and later it is told how many.
//!
//! Every kind of line is limited (`limit`), since clients cause them: so many in a period, then they are counted, and one line
//! tells the count. A kind is the place in the source, and with `from` also who caused it:
//! `log::warn!(from:% = address; "…")`.
//!
//! A line of the log is one line, whatever words of a client are in it (`line`).

mod backlog;
mod kind;
mod limit;
mod line;
mod writer;

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

/// How long the end of the process may wait until what was logged is written.
const FAREWELL: Duration = Duration::from_secs(1);

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
            // Before the queue is locked: how long it takes to put something into words is not ours to say.
            let line = Line::new(record.level(), &record.args().to_string()).at(SystemTime::now());
            self.queue.push(Kind::of(record, &self.hashes), line, Instant::now());
        }
    }

    fn flush(&self) {
        self.queue.flush(FAREWELL);
    }
}

/// Writes what is still queued when it is dropped, as far as that is possible within a second.
#[must_use]
pub struct Guard(Arc<Queue>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.finish(FAREWELL);
    }
}

/// From now on what is logged at this level or a more urgent one is written there. To be called once, by the
/// program.
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
