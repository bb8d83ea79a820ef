//! A bar on standard error: how much is done, and how long the rest takes.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Interval between two messages: on a terminal, where they replace each other, and elsewhere.
const TERMINAL_INTERVAL: Duration = Duration::from_millis(500);
const LOG_INTERVAL: Duration = Duration::from_secs(10);
const WIDTH: u64 = 30;

/// A bar that fills.
pub struct ProgressBar {
    what: &'static str,
    total: u64,
    /// Items done before this run.
    before: u64,
    began: Instant,
    shown: Option<Instant>,
}

impl ProgressBar {
    /// Creates a bar for `total` items, `before` of which were done earlier.
    pub fn new(what: &'static str, before: u64, total: u64) -> ProgressBar {
        ProgressBar { what, total, before, began: Instant::now(), shown: None }
    }

    /// Shows the progress and an interim result, at most a few times a second.
    pub fn show(&mut self, done: u64, result: &str) {
        let terminal = io::stderr().is_terminal();
        let interval = if terminal { TERMINAL_INTERVAL } else { LOG_INTERVAL };
        let is_last = done >= self.total;
        if !is_last && self.shown.is_some_and(|shown| shown.elapsed() < interval) {
            return;
        }
        self.shown = Some(Instant::now());
        let filled = (done * WIDTH / self.total.max(1)).min(WIDTH) as usize;
        let bar: String = ["#".repeat(filled), ".".repeat(WIDTH as usize - filled)].concat();
        let each = self.began.elapsed().as_secs_f64() / (done - self.before).max(1) as f64;
        let left = (each * self.total.saturating_sub(done) as f64) as u64;
        let end = if terminal && !is_last { "\r" } else { "\n" };
        let separator = if result.is_empty() { "" } else { "; " };
        let text = format!(
            "[{bar}] {done} of {} {}, {left} s left{separator}{result}    {end}",
            self.total, self.what
        );
        // Without a standard error there is no one to show progress to.
        let _ = io::stderr().write_all(text.as_bytes());
    }
}
