//! Results of the moves that leave the slices of a position: captures and crownings.

use super::Endgames;
use super::cells::waiting;
use super::pieces::{Pieces, mask};
use super::value::{DRAW, MAX_PLIES};
use crate::chess::Color;
use crate::draughts::{Bitboard, Direction, Move, Sink};

/// The results of the moves that leave the slices of a position.
pub(super) struct Leaving {
    /// Plies of the opponent's fastest loss.
    fastest_loss: Option<u8>,
    /// Plies of the opponent's slowest win.
    slowest_win: Option<u8>,
    draws: bool,
    /// Number of steps within the slices.
    steps: u8,
}

impl Leaving {
    /// Examines all moves of a position, whose other slices are known. Without `distances` all wins
    /// are equal.
    pub(super) fn of(pieces: &Pieces, known: &Endgames, distances: bool) -> Leaving {
        let leaving = Leaving { fastest_loss: None, slowest_win: None, draws: false, steps: 0 };
        let mut looker = Looker { pieces, known, distances, leaving };
        pieces.position().generate(&mut looker);
        looker.leaving
    }

    /// Returns the byte of the position before any of its steps is known; `None` if there are too
    /// many plies to count.
    pub(super) fn cell(&self) -> Option<u8> {
        if let Some(plies) = self.fastest_loss {
            return (plies < MAX_PLIES).then(|| plies + 1);
        }
        if self.draws {
            return Some(DRAW);
        }
        if self.steps > 0 {
            return Some(waiting(self.steps));
        }
        match self.slowest_win {
            Some(plies) => (plies < MAX_PLIES).then(|| plies + 1),
            None => Some(0),
        }
    }

    /// Returns the plies of the opponent's slowest win, 0 without any.
    pub(super) fn slowest_win(&self) -> u8 {
        self.slowest_win.unwrap_or(0)
    }
}

struct Looker<'a> {
    pieces: &'a Pieces,
    known: &'a Endgames,
    distances: bool,
    leaving: Leaving,
}

impl Looker<'_> {
    #[inline]
    fn look(&mut self, after: &Pieces) {
        let value =
            self.known.value(after).expect("slices are solved in an order in which this one is known");
        let value = if self.distances { value } else { value.without_plies() };
        let Leaving { fastest_loss, slowest_win, draws, .. } = &mut self.leaving;
        match value.plies() {
            DRAW => *draws = true,
            plies if plies.is_multiple_of(2) => {
                *fastest_loss = Some(fastest_loss.map_or(plies, |other| other.min(plies)))
            }
            plies => *slowest_win = Some(slowest_win.map_or(plies, |other| other.max(plies))),
        }
    }
}

impl Sink for Looker<'_> {
    #[inline]
    fn push(&mut self, mv: Move) {
        self.look(&self.pieces.after(mv));
    }

    #[inline]
    fn steps(&mut self, directions: [Direction; 2], targets: [Bitboard; 2]) {
        let men = self.pieces.own_men;
        for (direction, targets) in directions.into_iter().zip(targets) {
            let mut steps = targets.count();
            // White's men, as these are, are crowned in the row of the lowest bits.
            for to in targets & Bitboard::crown_row(Color::White) {
                let to = Bitboard::of(to);
                let from = mask(to.step(direction.opposite()) & Bitboard::BOARD);
                if men & from != 0 {
                    steps -= 1;
                    self.look(&self.pieces.after_path(from, mask(to), 0));
                }
            }
            self.leaving.steps += steps as u8;
        }
    }
}
