//! Sums of the hidden layer that follow a search from position to position.
//!
//! Positions evaluated one after another differ in a few men, and adding and subtracting the rows
//! of these is cheaper than summing up all. Each thread keeps the sums of the position that it has
//! evaluated last. They are a cache: the value of a position does not depend on the one before.

use super::features::{Counters, MOST, SIDE_COUNTERS, counters, flip};
use super::kernels::{Lanes, Layer, MOST_HIDDEN};
use super::{Domain, LANES, Net};
use crate::chess::{Bitboard, Color, Position, Ruleset, Square};
use arrayvec::ArrayVec;
use std::cell::RefCell;

/// The sums of a position.
struct Accumulator {
    /// The number of the net; 0 before the first evaluation.
    net: u64,
    /// The men by square, as in [`Position::board`].
    board: [u8; 64],
    /// The counters of White and Black; zeros if the net has none.
    counters: Counters,
    /// The views of White and Black.
    views: [View; 2],
}

/// The sums of a side.
struct View {
    /// The number that squares are combined with ([`flip`]).
    flip: u8,
    sums: [Lanes; MOST_HIDDEN / LANES],
}

thread_local! {
    static LAST: RefCell<Accumulator> = const { RefCell::new(Accumulator::NONE) };
}

/// Rows of a net.
type Rows = ArrayVec<u16, MOST>;

impl Net {
    /// Returns the same value as [`Net::evaluate`], the faster the more the position is like the
    /// last one on this thread.
    #[inline]
    pub fn evaluate_incrementally<R: Ruleset>(&self, position: &Position<R>) -> i32 {
        LAST.with_borrow_mut(|last| {
            let before = last.follow(self, position);
            let value = self.output(position.occupied().count() as usize, |side, layer| {
                let color = if side == 0 { position.turn() } else { !position.turn() };
                last.sum(self, layer, position, color, before)
            });
            last.board = *position.board();
            value
        })
    }
}

/// The earlier position that the sums are of.
#[derive(Clone, Copy)]
struct Before {
    /// The squares whose men have changed since; `None` if all is to be summed up anew.
    changed: Option<Bitboard>,
    counters: Counters,
}

impl Accumulator {
    const NONE: Accumulator = {
        const VIEW: View = View { flip: 0, sums: [Lanes([0; LANES]); MOST_HIDDEN / LANES] };
        Accumulator { net: 0, board: [0; 64], counters: Counters::NONE, views: [VIEW; 2] }
    };

    /// Goes on to another position, whose men are not taken over yet.
    #[inline]
    fn follow<R: Ruleset>(&mut self, net: &Net, position: &Position<R>) -> Before {
        let changed = changed_squares(&self.board, position.board());
        let is_near = self.net == net.number && changed.count() <= position.occupied().count();
        self.net = net.number;
        let counters = match net.file.domain {
            Domain::Variant(_) if position.fairy().is_some() => counters(position, Color::ALL),
            Domain::Variant(_) | Domain::Chess | Domain::Draughts => Counters::NONE,
        };
        let counters = std::mem::replace(&mut self.counters, counters);
        Before { changed: is_near.then_some(changed), counters }
    }

    /// Changes the sums of a side. Returns the sum of all neurons.
    #[inline]
    fn sum<R: Ruleset>(
        &mut self,
        net: &Net,
        layer: Layer<'_>,
        position: &Position<R>,
        side: Color,
        before: Before,
    ) -> i64 {
        let (view, flip) = (&mut self.views[side.index()], flip(position, side));
        let row = |code: u8, square: Square| {
            let man = if usize::from(code >> 3) == side.index() { 0 } else { HALF };
            man + (u16::from(code & 7) - 1) * 64 + (square.index() as u16 ^ u16::from(flip))
        };
        let add_rows = |rows: &mut Rows, board: &[u8; 64], squares: Bitboard| {
            let codes = squares.map(|square| (board[square.index()], square));
            rows.extend(codes.filter(|&(code, _)| code != 0).map(|(code, square)| row(code, square)));
        };
        // Filled in place: moving them would take as long as filling them.
        let (mut added, mut removed) = (Rows::new(), Rows::new());
        let mut counters = Counters::NONE;
        if let Some(changed) = before.changed.filter(|_| view.flip == flip) {
            add_rows(&mut added, position.board(), changed);
            add_rows(&mut removed, &self.board, changed);
            counters = before.counters;
        } else {
            view.flip = flip;
            view.sums[..layer.columns].copy_from_slice(net.biases());
            add_rows(&mut added, position.board(), position.occupied());
        }
        if counters != self.counters {
            add_counters(&counters, side, &mut removed);
            add_counters(&self.counters, side, &mut added);
        }
        net.kernel.sum(layer, &mut view.sums, &added, &removed)
    }
}

/// First row of the opponent's men.
const HALF: u16 = Domain::Chess.board_inputs() as u16 / 2;

/// Adds the rows of counters, as a side sees them.
fn add_counters(counters: &Counters, side: Color, rows: &mut Rows) {
    counters.for_each(|owner, place| {
        let relative = if owner == side.index() { 0 } else { SIDE_COUNTERS };
        rows.push(2 * HALF + (relative + place) as u16);
    });
}

/// Returns the squares with different men on two boards.
#[inline]
fn changed_squares(old: &[u8; 64], new: &[u8; 64]) -> Bitboard {
    let mut changed = 0;
    let words = old.as_chunks::<8>().0.iter().zip(new.as_chunks::<8>().0);
    for (first, (old, new)) in (0..).step_by(8).zip(words) {
        let mut bits = u64::from_le_bytes(*old) ^ u64::from_le_bytes(*new);
        while bits != 0 {
            let byte = bits.trailing_zeros() / 8;
            changed |= 1 << (first + byte);
            bits &= !(0xff << (8 * byte));
        }
    }
    Bitboard(changed)
}
