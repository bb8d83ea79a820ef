//! How late this machine is.
//!
//! Tests that look at clocks must not fail because a machine is slow. A thread that does nothing but sleep for a few
//! milliseconds at a time notes by how much it was woken too late. Whoever was to send or answer something at that time, here
//! or in the server, could have been as late and for the same reason: so this much is forgiven, and no more.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

const BEAT: Duration = Duration::from_millis(4);
/// Not worth a note: a sleep always takes a little longer.
const USUAL: Duration = Duration::from_millis(1);

static LATE: OnceLock<Mutex<Vec<(Instant, Duration)>>> = OnceLock::new();

/// Starts it, if nobody has.
pub fn start() {
    drop(notes());
}

/// Tests that judge clocks take turns, not to make each other late.
pub fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the machine could not help between these instants.
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
