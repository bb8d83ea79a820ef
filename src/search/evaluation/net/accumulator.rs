//! Sums of the hidden layer that follow a search from position to position.
//!
//! Positions evaluated one after another differ in a few men, so adding and subtracting the rows of
//! these takes a third of the time of summing up all. Each thread keeps the sums of the position
//! that it has evaluated last. They are a cache alone: the value of a position does not depend on
//! the one before.

use super::features::{Counters, MOST, SIDE_COUNTERS, counters, flip};
use super::kernels::{Lanes, MOST_HIDDEN};
use super::{Domain, LANES, Net};
use crate::chess::{Color, Position, Ruleset};
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
    /// What the side's squares are combined with ([`flip`]).
    flip: u8,
    sums: [Lanes; MOST_HIDDEN / LANES],
}

/// The rows to add to a side's sums, and those to subtract.
#[derive(Default)]
struct Changes {
    added: ArrayVec<u16, MOST>,
    removed: ArrayVec<u16, MOST>,
}

thread_local! {
    static LAST: RefCell<Accumulator> = const { RefCell::new(Accumulator::NONE) };
}

impl Net {
    /// Returns the same value as [`Net::evaluate`], the faster the more the position is like the
    /// last one on this thread.
    #[inline]
    pub fn evaluate_incrementally<R: Ruleset>(&self, position: &Position<R>) -> i32 {
        LAST.with_borrow_mut(|last| {
            let sums = last.update(self, position);
            self.output(position.occupied().count() as usize, |side, layer| {
                let color = if side == 0 { position.turn() } else { !position.turn() };
                let (view, changes) = (&mut last.views[color.index()], &sums[color.index()]);
                self.kernel.sum(layer, &mut view.sums, &changes.added, &changes.removed)
            })
        })
    }
}

impl Accumulator {
    const NONE: Accumulator = {
        const VIEW: View = View { flip: 0, sums: [Lanes([0; LANES]); MOST_HIDDEN / LANES] };
        const NOTHING: Counters = Counters { hands: [[0; 5]; 2], checks: [0; 2] };
        Accumulator { net: 0, board: [0; 64], counters: NOTHING, views: [VIEW; 2] }
    };

    /// Goes on to another position. Returns the rows that change the sums of White and Black.
    #[inline]
    fn update<R: Ruleset>(&mut self, net: &Net, position: &Position<R>) -> [Changes; 2] {
        let has_counters = matches!(net.file.domain, Domain::Variant(_));
        let counters = if has_counters { counters(position, Color::ALL) } else { Counters::default() };
        let mut before = (self.net == net.number).then_some((self.board, self.counters));
        let mut changed = before.map(|(board, _)| differences(&board, position.board()));
        if changed.as_ref().is_some_and(|changed| changed.len() > position.occupied().count() as usize) {
            (before, changed) = (None, None);
        }
        let (net_number, board) = (net.number, *position.board());
        let changes = Color::ALL.map(|color| {
            let (view, flip) = (&mut self.views[color.index()], flip(position, color));
            let near = before.zip(changed.as_ref()).filter(|_| view.flip == flip);
            let mut changes = Changes::default();
            if let Some(((_, counters_before), changed)) = near {
                changes.add_men(color, flip, changed);
                changes.add_counters(color, &counters_before, &counters);
            } else {
                view.flip = flip;
                view.sums[..net.biases().len()].copy_from_slice(net.biases());
                changes.add_men(color, flip, &differences(&[0; 64], &board));
                changes.add_counters(color, &Counters::default(), &counters);
            }
            changes
        });
        (self.net, self.board, self.counters) = (net_number, board, counters);
        changes
    }
}

impl Changes {
    /// Notes the rows of men that have changed, as this side sees them.
    #[inline]
    fn add_men(&mut self, side: Color, flip: u8, changed: &[[u8; 3]]) {
        let half = Domain::Chess.board_inputs() as u16 / 2;
        let row = |code: u8, square: u8| {
            let kind = u16::from(code & 7) - 1;
            let whose = if usize::from(code >> 3) == side.index() { 0 } else { half };
            whose + kind * 64 + u16::from(square ^ flip)
        };
        for &[square, old, new] in changed {
            if old != 0 {
                self.removed.push(row(old, square));
            }
            if new != 0 {
                self.added.push(row(new, square));
            }
        }
    }

    /// Notes the rows of counters that have changed.
    #[inline]
    fn add_counters(&mut self, side: Color, old: &Counters, new: &Counters) {
        if old == new {
            return;
        }
        let first = Domain::Chess.board_inputs();
        let row = |whose: usize, place| {
            let relative = usize::from(whose != side.index());
            (first + relative * SIDE_COUNTERS + place) as u16
        };
        old.for_each(|whose, place| self.removed.push(row(whose, place)));
        new.for_each(|whose, place| self.added.push(row(whose, place)));
    }
}

/// Returns the squares where two boards differ, each with its old and its new man.
#[inline]
fn differences(old: &[u8; 64], new: &[u8; 64]) -> ArrayVec<[u8; 3], 64> {
    let mut differences = ArrayVec::new();
    let words = old.as_chunks::<8>().0.iter().zip(new.as_chunks::<8>().0);
    for (first, (old, new)) in (0..).step_by(8).zip(words) {
        let mut bits = u64::from_le_bytes(*old) ^ u64::from_le_bytes(*new);
        while bits != 0 {
            let byte = bits.trailing_zeros() / 8;
            differences.push([first + byte as u8, old[byte as usize], new[byte as usize]]);
            bits &= !(0xff << (8 * byte));
        }
    }
    differences
}
