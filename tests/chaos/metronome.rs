//! Delays of this machine.
//!
//! Tests that judge clocks must not fail because a machine is slow. A thread that only sleeps, a
//! few milliseconds at a time, records how late it wakes. Anything due at that time, in the test or
//! the server, may be late for the same reason: exactly this much is forgiven.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

const BEAT: Duration = Duration::from_millis(4);
/// Usual delay of a sleep; not recorded.
const USUAL: Duration = Duration::from_millis(1);

static LATE: OnceLock<Mutex<Vec<(Instant, Duration)>>> = OnceLock::new();

/// Starts the metronome unless it runs.
pub fn start() {
    drop(notes());
}

/// Waits for the turn of a test that judges clocks, so that tests do not delay each other.
pub fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The machine's delays between these instants.
pub fn lateness(from: Instant, to: Instant) -> Duration {
    notes()
        .iter()
        .rev()
        .take_while(|&&(at, _)| at >= from)
        .filter(|&&(at, late)| at - late <= to)
        .map(|&(_, late)| late)
        .sum()
}

fn notes() -> MutexGuard<'static, Vec<(Instant, Duration)>> {
    let notes = LATE.get_or_init(|| {
        thread::spawn(beat);
        Mutex::default()
    });
    notes.lock().unwrap_or_else(PoisonError::into_inner)
}

fn beat() {
    loop {
        let due = Instant::now() + BEAT;
        thread::sleep(BEAT);
        let now = Instant::now();
        let late = now.saturating_duration_since(due);
        if late > USUAL {
            notes().push((now, late));
        }
    }
}
