//! One side's knowledge of a game.

use super::{Announcement, Attempt, Men, Refusals};
use crate::chess::{AnyPosition, Color, Game};
use crate::with_position;

/// Everything one side may know of a game: its own men and moves, its refused attempts, and the
/// announcements. It cannot hold a man of the other side, except in the initial array.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct View {
    /// Knowledge of the first position.
    pub start: Start,
    /// The side's own men at the start.
    pub men: Men,
    /// The announcement at the start.
    pub heard: Announcement,
    /// The plies since.
    pub plies: Vec<Ply>,
    /// Attempts of this side refused since the last move.
    pub refused: Vec<Attempt>,
}

/// A side's knowledge of the first position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// The initial array.
    Array,
    /// Another position, of which the side knows its own men and the number of the others.
    Hidden {
        /// Number of men of the other side including the king, as earlier captures would have told.
        enemies: u8,
    },
}

/// A move as one side learns of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ply {
    /// A move of its own.
    Own {
        /// The attempts refused before, in order.
        refused: Vec<Attempt>,
        /// The legal attempt.
        made: Attempt,
        /// The announcement.
        heard: Announcement,
    },
    /// A move of the other side.
    Other {
        /// The announcement.
        heard: Announcement,
    },
}

impl View {
    /// A side's view of a game of kriegspiel.
    pub fn of(game: &Game, color: Color, refusals: &Refusals) -> View {
        let start = game.start();
        let usual = start.key() == AnyPosition::start(start.variant()).key();
        with_position!(start, start => {
            let mut plies = Vec::with_capacity(game.moves().len());
            let mut position = *start;
            for (ply, &mv) in game.moves().iter().enumerate() {
                let mut after = position;
                after.play(mv);
                let heard = Announcement::after(&position, mv, &after);
                plies.push(if position.turn() == color {
                    Ply::Own { refused: refusals.at(ply), made: Attempt::of(&position, mv), heard }
                } else {
                    Ply::Other { heard }
                });
                position = after;
            }
            let enemies = start.color(!color).count() as u8;
            View {
                start: if usual { Start::Array } else { Start::Hidden { enemies } },
                men: Men::of(start, color),
                heard: Announcement::of(start),
                refused: if position.turn() == color { refusals.at(plies.len()) } else { Vec::new() },
                plies,
            }
        })
    }

    /// Returns the side whose view it is.
    pub fn color(&self) -> Color {
        self.men.color()
    }

    /// Returns the side's current men.
    pub(crate) fn men_now(&self) -> Men {
        let mut men = self.men.clone();
        self.plies.iter().for_each(|ply| ply.apply(&mut men));
        men
    }

    /// Returns the last announcement.
    pub(crate) fn heard_now(&self) -> Announcement {
        self.plies.last().map_or(self.heard, Ply::heard)
    }
}

impl Ply {
    /// Returns the announcement after the ply.
    pub fn heard(&self) -> Announcement {
        let (Ply::Own { heard, .. } | Ply::Other { heard }) = self;
        *heard
    }

    /// Applies the ply to the side's own men.
    pub fn apply(&self, men: &mut Men) {
        match self {
            Ply::Own { made, .. } => men.play(*made),
            Ply::Other { heard } => {
                if let Some(captured) = heard.captured {
                    men.lose(captured.square);
                }
            }
        }
    }
}
