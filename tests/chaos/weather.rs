//! Faults of a network connection, chosen by a seed.

use crate::support::dice::Dice;
use farboard::link::GREETING;
use std::time::Duration;

/// The greeting with its line end, and a byte more.
const GREETED: usize = GREETING.len() + 2;

/// Faults of a connection.
#[derive(Clone, Default, Debug)]
pub struct Weather {
    /// From the client to the server.
    pub up: Way,
    /// From the server to the client.
    pub down: Way,
    /// The premature end.
    pub accident: Option<Accident>,
}

/// Faults in one direction. The order of bytes is kept.
#[derive(Clone, Copy, Default, Debug)]
pub struct Way {
    /// Delay of all bytes.
    pub delay: Duration,
    /// Maximum additional delay.
    pub jitter: Duration,
    /// Maximum size of a segment; `None` leaves segments unchanged.
    pub largest: Option<usize>,
    /// Bytes arriving within this time of the first are joined into one segment.
    pub hold: Duration,
}

/// The premature end of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Accident {
    pub kind: Kind,
    pub when: When,
}

/// The end as seen by both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An end in the middle of a line.
    Truncation,
    /// A reset.
    Reset,
}

/// When the accident happens.
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
    /// Faults of every kind, without an accident.
    pub fn rough(dice: &mut Dice) -> Weather {
        Weather { up: Way::rough(dice), down: Way::rough(dice), accident: None }
    }

    /// Rough weather with an accident, in the first `bytes` of either direction or within `time`.
    pub fn stormy(dice: &mut Dice, bytes: usize, time: Duration) -> Weather {
        let kind = *dice.pick(&[Kind::Truncation, Kind::Reset]);
        let when = match dice.roll(3) {
            0 => When::Up(dice.roll(bytes) as u64),
            1 => When::Down(dice.roll(bytes) as u64),
            // Not before the connection is established.
            _ => When::After(Duration::from_millis(20) + dice.delay(time.as_millis() as usize)),
        };
        Weather { accident: Some(Accident { kind, when }), ..Weather::rough(dice) }
    }

    /// A connection that is cut off within this many bytes after the greeting. Without a greeting,
    /// a connection that breaks early would count as a refusal.
    pub fn cut_off(dice: &mut Dice, bytes: usize) -> Weather {
        // A reset would discard unread data.
        let accident =
            Accident { kind: Kind::Truncation, when: When::Down((GREETED + dice.roll(bytes)) as u64) };
        Weather { accident: Some(accident), ..Weather::rough(dice) }
    }
}

impl Way {
    fn rough(dice: &mut Dice) -> Way {
        let mut way = Way::default();
        if dice.once_in(2) {
            way.delay = dice.delay(10);
            way.jitter = dice.delay(10);
        }
        match dice.roll(3) {
            0 => way.largest = Some(*dice.pick(&[1, 1, 2, 7, 100])),
            1 => way.hold = dice.delay(15),
            _ => {}
        }
        way
    }
}
