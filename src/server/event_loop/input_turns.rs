//! Order and bounds of the turns in which clients' input is handled.

use crate::protocol::framing::Frame;
use crate::server::event_loop::fair_queue::FairQueue;
use crate::session::Input;
use std::time::{Duration, Instant};

const MAX_READ: usize = 16 << 10;

/// Time for one client's lines per turn. Bytes do not measure work: most commands take a
/// microsecond or less, but starting a search late in a long game takes a hundred times as long. A
/// millisecond is enough for hundreds of ordinary commands, and waiting clients do not notice it.
/// After this time the loop also does everything else, which costs some microseconds.
const MAX_TURN: Duration = Duration::from_millis(1);

/// Shortest turn when many clients have input: a new connection waits for one turn of each.
const MIN_TURN: Duration = Duration::from_micros(50);

/// Time for which a client may send more than can be handled, without output, before a notice. Its
/// input may be a minute's work, and only its system's response to output shows that it has
/// disconnected.
const OVERLOAD_NOTICE_AFTER: Duration = Duration::from_millis(500);

/// The clients with input, and the bounds of their turns.
pub(in crate::server) struct InputTurns {
    /// Slots with input announced and not yet read, or read and not yet handled.
    pub(in crate::server) ready: FairQueue<usize>,
    pub(in crate::server) max_turn: Duration,
    /// Time before an overloaded client gets a notice.
    pub(in crate::server) overload_notice_after: Duration,
    /// Kept between turns to save allocations.
    pub(in crate::server) buffer: Vec<u8>,
}

impl InputTurns {
    pub(in crate::server) fn new() -> InputTurns {
        InputTurns {
            ready: FairQueue::new(),
            max_turn: MAX_TURN,
            overload_notice_after: OVERLOAD_NOTICE_AFTER,
            buffer: vec![0; MAX_READ],
        }
    }

    /// Begins a turn: the longest one, divided by the number of waiting clients.
    pub(in crate::server) fn begin(&self) -> TurnBudget {
        let others = u32::try_from(self.ready.len()).unwrap_or(u32::MAX);
        let length = (self.max_turn / others.saturating_add(1)).max(MIN_TURN.min(self.max_turn));
        let now = Instant::now();
        TurnBudget { now, end: now + length, bytes: self.buffer.len() }
    }
}

/// Rest of a client's turn.
pub(in crate::server) struct TurnBudget {
    /// The time when the clock was last read.
    pub(in crate::server) now: Instant,
    end: Instant,
    /// Bytes that may still be read.
    pub(in crate::server) bytes: usize,
}

impl TurnBudget {
    /// Returns true if the time is over. Reads the clock.
    pub(in crate::server) fn is_over(&mut self) -> bool {
        self.now = Instant::now();
        self.now >= self.end
    }
}

/// Converts a frame of the line splitter to input of a session.
pub(in crate::server) fn input_of(frame: Frame<'_>, limit: usize) -> Input<'_> {
    match frame {
        Frame::Line(line) => Input::Line(line),
        Frame::TooLong => Input::LineTooLong(limit),
        Frame::Interrupt => Input::Interrupt,
    }
}
