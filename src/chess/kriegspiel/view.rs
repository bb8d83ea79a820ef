//! All that one side may know of a game.

use super::{Announcement, Attempt, Men, Refusals};
use crate::chess::{AnyPosition, Color, Game};
use crate::with_position;

/// All that one side may know of a game: its own men and moves, what was refused to it, and what the umpire has said.
/// There is no place in it for a man of the other side, but for the array that every game begins with.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct View {
    /// What is known of the position in which the game began.
    pub start: Start,
    /// The side's own men at the start.
    pub men: Men,
    /// What the umpire said at the start.
    pub heard: Announcement,
    /// What happened since.
    pub plies: Vec<Ply>,
    /// What was refused to this side since the last move.
    pub refused: Vec<Attempt>,
}

/// What a side knows of the position in which a game began.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// The usual array.
    Array,
    /// Another one, of which it knows its own men and the number of the others.
    Hidden {
        /// Men of the other side, its king among them: what the captures announced would have told.
        enemies: u8,
    },
}

/// A move, as a side learns of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ply {
    /// One of its own.
    Own {
        /// What was refused before, in order.
        refused: Vec<Attempt>,
        /// The move.
        made: Attempt,
        /// What the umpire said.
        heard: Announcement,
    },
    /// One of the other side.
    Other {
        /// What the umpire said.
        heard: Announcement,
    },
}

impl View {
    /// What a side may know of a game of kriegspiel.
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

    /// Whose view it is.
    pub fn color(&self) -> Color {
        self.men.color()
    }

    /// The side's own men now.
    pub fn men_now(&self) -> Men {
        let mut men = self.men.clone();
        self.plies.iter().for_each(|ply| ply.apply(&mut men));
        men
    }

    /// What the umpire has said last.
    pub fn heard_now(&self) -> Announcement {
        self.plies.last().map_or(self.heard, Ply::heard)
    }
}

impl Ply {
    /// What the umpire said after it.
    pub fn heard(&self) -> Announcement {
        let (Ply::Own { heard, .. } | Ply::Other { heard }) = self;
        *heard
    }

    /// What it does to the side's own men.
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
