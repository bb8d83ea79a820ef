//! The log of the program: lines on standard error that never block a session.
//!
//! `env_logger` filters and formats into a bounded queue, which a thread writes. If the log is not
//! read, such as a pipe that is never emptied, it costs a bounded amount of memory (`backlog`) and
//! no time: lines are dropped, and the number is logged later.
//!
//! Lines of each kind are limited (`limit`), since clients cause them: after some in a period the
//! rest is counted, and one line gives the count. A kind is a source location, a `reason` and, with
//! `from`, the origin: `log::warn!(from:% = address; "…")`. Lines with the field `audit` are not
//! limited: no client causes them, and each counts.
//!
//! An entry is a single line, whatever a client has sent (`format`).

mod backlog;
mod filter;
mod format;
mod kind;
mod limit;
mod writer;

pub use backlog::{DropCause, dropped};
pub use filter::{LogFilter, LogFilterError};
pub use format::LogFormat;

use backlog::Backlog;
use env_logger::{Builder, Target};
use kind::Kind;
use log::{Log, Metadata, Record};
use std::cell::Cell;
use std::hash::RandomState;
use std::io::{self, Write};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use writer::Queue;

/// The field of lines about the orders of administrators.
const AUDIT: &str = "audit";

/// Time that unwritten lines may delay the end of the process.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

thread_local! {
    /// The kind of the line that this thread is about to log, for the end of the pipe.
    static KIND: Cell<Option<Kind>> = const { Cell::new(None) };
}

/// Hands records to `env_logger`, with their kinds beside them.
struct Logger {
    inner: env_logger::Logger,
    queue: Arc<Queue>,
    hashes: RandomState,
}

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.inner.enabled(metadata)
    }

    fn log(&self, record: &Record<'_>) {
        if self.inner.matches(record) {
            // Put back at the end: an argument may log while it is formatted.
            let outer = KIND.replace(Kind::of(record, &self.hashes));
            self.inner.log(record);
            KIND.set(outer);
        }
    }

    fn flush(&self) {
        self.queue.flush(FLUSH_TIMEOUT);
    }
}

/// The end of `env_logger`'s pipe. Receives one entry at a time.
struct Pipe {
    queue: Arc<Queue>,
    format: LogFormat,
}

impl Write for Pipe {
    fn write(&mut self, entry: &[u8]) -> io::Result<usize> {
        let line = self.format.in_one_line(&String::from_utf8_lossy(entry));
        self.queue.push(KIND.get(), line, Instant::now());
        Ok(entry.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
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

/// Starts the logger: lines that pass the filter go to `destination`. Call once.
///
/// # Errors
/// The system has no thread for it, or there is a logger already.
pub fn start(
    filter: &LogFilter,
    format: LogFormat,
    destination: impl Write + Send + 'static,
) -> io::Result<Guard> {
    let queue = Arc::new(Queue::new(Backlog::new(format)));
    let reader = Arc::clone(&queue);
    thread::Builder::new().name("log".to_owned()).spawn(move || reader.write_to(destination))?;
    let mut builder = Builder::new();
    builder.parse_filters(filter.text());
    builder.target(Target::Pipe(Box::new(Pipe { queue: Arc::clone(&queue), format })));
    match format {
        LogFormat::Text => {}
        LogFormat::Json => {
            builder.format(format::write_json);
        }
    }
    let inner = builder.build();
    let level = inner.filter();
    let logger = Logger { inner, queue: Arc::clone(&queue), hashes: RandomState::new() };
    log::set_boxed_logger(Box::new(logger)).map_err(io::Error::other)?;
    log::set_max_level(level);
    Ok(Guard(queue))
}
