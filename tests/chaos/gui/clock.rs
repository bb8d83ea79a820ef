//! The engine's clock as a GUI keeps it: running from sending a move until the answer arrives.

use std::fmt;
use std::time::Duration;

/// A time control.
#[derive(Clone, Copy, Debug)]
pub enum Control {
    /// A number of moves (0: the whole game) in this time, plus an increment for each move.
    Level { moves: u32, base: Duration, increment: Duration },
    /// About this long for each move.
    PerMove(Duration),
    /// A number of plies.
    Depth(u8),
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Control::Level { moves, base, increment } => {
                write!(f, "level {moves} 0:{:02} {}", base.as_secs(), increment.as_secs_f64())
            }
            Control::PerMove(time) => write!(f, "st {}", time.as_secs_f64()),
            Control::Depth(plies) => write!(f, "sd {plies}"),
        }
    }
}

/// A clock in milliseconds.
#[derive(Clone, Debug)]
pub struct Clock {
    control: Control,
    left: i64,
    /// Moves since the current period began.
    made: u32,
    /// The least time left after any move.
    pub lowest: i64,
    /// The test's own delays in total.
    pub forgiven: i64,
    /// Whether the pending move is not judged: the server came back with too little time left.
    excused: bool,
}

impl Default for Clock {
    fn default() -> Clock {
        Clock::new(Control::PerMove(Duration::from_millis(50)))
    }
}

impl Clock {
    pub fn new(control: Control) -> Clock {
        let left = match control {
            Control::Level { base, .. } => base.as_millis() as i64,
            _ => 0,
        };
        Clock { control, left, made: 0, lowest: i64::MAX, forgiven: 0, excused: false }
    }

    /// A new game.
    pub fn reset(&mut self) {
        *self = Clock { lowest: self.lowest, forgiven: self.forgiven, ..Clock::new(self.control) };
    }

    /// The lines sent before each move, with the same time for both sides.
    pub fn lines(&self) -> Vec<String> {
        match self.control {
            Control::Level { .. } => {
                let shown = (self.left / 10).max(1);
                vec![format!("time {shown}"), format!("otim {shown}")]
            }
            _ => Vec::new(),
        }
    }

    /// The time control, if it limits the depth.
    pub fn depth(&self) -> Option<Control> {
        Some(self.control).filter(|control| matches!(control, Control::Depth(_)))
    }

    /// The time left, if it is limited.
    pub fn left(&self) -> Option<Duration> {
        let level = matches!(self.control, Control::Level { .. });
        level.then(|| Duration::from_millis(self.left.max(0) as u64))
    }

    /// Excuses the pending move: an outage left too little time for it.
    pub fn excuse(&mut self) {
        self.excused = true;
    }

    /// Charges a move to the clock, less the test's own delays.
    pub fn charge(&mut self, took: Duration, forgiven: Duration) -> Result<(), String> {
        let Control::Level { moves, base, increment } = self.control else { return Ok(()) };
        let forgiven = forgiven.min(took);
        self.forgiven += forgiven.as_millis() as i64;
        self.left -= (took - forgiven).as_millis() as i64;
        let excused = std::mem::take(&mut self.excused);
        if self.left < 0 && !excused {
            return Err(format!(
                "lost on time by {} ms; the move took {took:?}, {forgiven:?} of which were forgiven",
                -self.left
            ));
        }
        if !excused {
            self.lowest = self.lowest.min(self.left);
        }
        self.left = self.left.max(0) + increment.as_millis() as i64;
        self.made += 1;
        if moves > 0 && self.made.is_multiple_of(moves) {
            self.left += base.as_millis() as i64;
        }
        Ok(())
    }
}
