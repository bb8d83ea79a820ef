//! Connections: bytes arrive late, in pieces of any size, or never.

use crate::support::dice::Dice;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Maximum delay of a piece in one direction, in milliseconds.
pub const MAX_DELAY_MS: usize = 40;

/// Bytes under way at which a sender's socket is full.
const ROOM: usize = 16_384;

/// Single bytes of a burst before the rest arrives as one piece.
const SINGLE_BYTES: usize = 48;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the shim to the server.
    Up,
    /// From the server to the shim.
    Down,
}

#[derive(Debug)]
pub enum Piece {
    Bytes(Vec<u8>),
    /// The sender has closed its side.
    End,
    /// The connection is broken.
    Reset,
}

/// How the bytes of a connection are cut into pieces.
#[derive(Clone, Copy, Debug)]
enum Cut {
    /// Not at all.
    Whole,
    /// At random places.
    Anywhere,
    /// After every byte.
    Everywhere,
}

#[derive(Debug)]
struct Pipe {
    on_the_way: VecDeque<(Instant, Piece)>,
    /// When the last piece arrives: pieces do not overtake each other.
    last: Option<Instant>,
    /// Whether the sender has closed its side.
    is_closed: bool,
}

impl Pipe {
    fn new() -> Pipe {
        Pipe { on_the_way: VecDeque::new(), last: None, is_closed: false }
    }

    fn push(&mut self, piece: Piece, at: Instant) -> Instant {
        let at = self.last.map_or(at, |last| last.max(at));
        self.last = Some(at);
        self.is_closed |= !matches!(piece, Piece::Bytes(_));
        self.on_the_way.push_back((at, piece));
        at
    }

    fn bytes(&self) -> usize {
        let length = |(_, piece): &(Instant, Piece)| match piece {
            Piece::Bytes(bytes) => bytes.len(),
            Piece::End | Piece::Reset => 0,
        };
        self.on_the_way.iter().map(length).sum()
    }

    /// Loses everything under way except the first `keep` bytes.
    fn truncate(&mut self, mut keep: usize) {
        for (_, piece) in &mut self.on_the_way {
            match piece {
                Piece::Bytes(bytes) => {
                    bytes.truncate(keep);
                    keep -= bytes.len();
                }
                Piece::End | Piece::Reset => *piece = Piece::Bytes(Vec::new()),
            }
        }
    }
}

/// A connection between a shim and a process of a server.
#[derive(Debug)]
pub struct Connection {
    pub client: usize,
    pub server: usize,
    up: Pipe,
    down: Pipe,
    cut: Cut,
    /// Maximum delay in milliseconds.
    delay: usize,
    /// Whether the connection is silent: nothing arrives, and neither side notices.
    pub is_silent: bool,
}

impl Connection {
    pub fn new(client: usize, server: usize, dice: &mut Dice) -> Connection {
        Connection {
            client,
            server,
            up: Pipe::new(),
            down: Pipe::new(),
            cut: *dice.pick(&[Cut::Whole, Cut::Whole, Cut::Anywhere, Cut::Anywhere, Cut::Everywhere]),
            delay: *dice.pick(&[1, 3, 10, MAX_DELAY_MS]),
            is_silent: false,
        }
    }

    fn pipe(&mut self, direction: Direction) -> &mut Pipe {
        match direction {
            Direction::Up => &mut self.up,
            Direction::Down => &mut self.down,
        }
    }

    /// Sends something; returns the arrival times of its pieces.
    pub fn send(
        &mut self,
        direction: Direction,
        piece: Piece,
        now: Instant,
        dice: &mut Dice,
    ) -> Vec<Instant> {
        let (cut, delay, is_silent) = (self.cut, self.delay, self.is_silent);
        let pipe = self.pipe(direction);
        if pipe.is_closed || is_silent {
            return Vec::new();
        }
        let mut arrival = || now + Duration::from_micros(100) + dice.delay(delay);
        let Piece::Bytes(bytes) = piece else { return vec![pipe.push(piece, arrival())] };
        let mut rest = bytes.as_slice();
        let mut arrivals = Vec::new();
        while !rest.is_empty() {
            let size = match cut {
                Cut::Whole => rest.len(),
                Cut::Everywhere if arrivals.len() < SINGLE_BYTES => 1,
                Cut::Everywhere => rest.len(),
                Cut::Anywhere => rest.len().min(1 + (rest.len() * 7 + arrivals.len() * 31) % 211),
            };
            let (first, others) = rest.split_at(size);
            arrivals.push(pipe.push(Piece::Bytes(first.to_vec()), arrival()));
            rest = others;
        }
        arrivals
    }

    /// The next piece that has arrived.
    pub fn arrived(&mut self, direction: Direction, now: Instant) -> Option<Piece> {
        let pipe = self.pipe(direction);
        let piece = pipe.on_the_way.pop_front_if(|(at, _)| *at <= now);
        piece.map(|(_, piece)| piece)
    }

    /// Returns true if output of the server is answered with a reset.
    pub fn is_broken(&self) -> bool {
        self.down.is_closed
    }

    /// Returns true if the server's socket accepts more bytes.
    pub fn has_room(&self) -> bool {
        self.down.bytes() < ROOM
    }

    /// Breaks the connection, losing some bytes under way; returns when each side notices.
    pub fn break_off(&mut self, now: Instant, dice: &mut Dice) -> (Instant, Instant) {
        let end = now + dice.delay(self.delay);
        let mut cut = |pipe: &mut Pipe| {
            let bytes = pipe.bytes();
            pipe.truncate(if dice.once_in(3) { bytes } else { dice.roll(bytes + 1) });
            let piece = if dice.once_in(2) { Piece::Reset } else { Piece::End };
            pipe.push(piece, end)
        };
        (cut(&mut self.up), cut(&mut self.down))
    }
}
