//! What a network may do to a connection, chosen by a seed.

use crate::support::dice::Dice;
use std::time::Duration;

/// What happens to a connection.
#[derive(Clone, Default, Debug)]
pub struct Weather {
    /// From the client to the server.
    pub up: Way,
    /// From the server to the client.
    pub down: Way,
    /// How it ends before its time.
    pub accident: Option<Accident>,
}

/// What happens to bytes that go one way. Their order is kept.
#[derive(Clone, Copy, Default, Debug)]
pub struct Way {
    /// All take that long,
    pub delay: Duration,
    /// and some up to that much longer.
    pub jitter: Duration,
    /// Most bytes of a segment; `None` leaves segments as they came.
    pub largest: Option<usize>,
    /// What comes within that time of the first byte is joined to one segment.
    pub hold: Duration,
}

/// The early end of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Accident {
    pub kind: Kind,
    pub when: When,
}

/// What both sides see of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An end in the middle of a line.
    Truncation,
    /// A reset.
    Reset,
}

/// When it happens.
#[derive(Clone, Copy, Debug)]
pub enum When {
    /// After this many bytes to the server.
    Up(u64),
    /// After this many bytes to the client.
    Down(u64),
    /// This long after connecting.
    After(Duration),
}

impl Weather {
    /// Some of everything, and no accident.
    pub fn rough(dice: &mut Dice) -> Weather {
        Weather { up: Way::rough(dice), down: Way::rough(dice), accident: None }
    }

    /// The same with an accident, in the first `bytes` of either way or within `time`.
    pub fn stormy(dice: &mut Dice, bytes: usize, time: Duration) -> Weather {
        let kind = *dice.pick(&[Kind::Truncation, Kind::Reset]);
        let when = match dice.roll(3) {
            0 => When::Up(dice.roll(bytes) as u64),
            1 => When::Down(dice.roll(bytes) as u64),
            // Not before it is a connection.
            _ => When::After(Duration::from_millis(20) + dice.below(time.as_millis() as usize)),
        };
        Weather { accident: Some(Accident { kind, when }), ..Weather::rough(dice) }
    }

    /// A connection that is cut off when the client has received a word of this many bytes, or of fewer.
    pub fn cut_off(dice: &mut Dice, bytes: usize) -> Weather {
        // A reset would take what was not read yet.
        let accident = Accident { kind: Kind::Truncation, when: When::Down(1 + dice.roll(bytes) as u64) };
        Weather { accident: Some(accident), ..Weather::rough(dice) }
    }
}

impl Way {
    fn rough(dice: &mut Dice) -> Way {
        let mut way = Way::default();
        if dice.once_in(2) {
            way.delay = dice.below(10);
            way.jitter = dice.below(10);
        }
        match dice.roll(3) {
            0 => way.largest = Some(*dice.pick(&[1, 1, 2, 7, 100])),
            1 => way.hold = dice.below(15),
            _ => {}
        }
        way
    }
}
