//! The endgame database: who wins with few pieces on the board, and in how many plies, solved by this program.
//!
//! [`Endgames`] is what a search asks. [`Endgames::build`] solves positions in memory, `farboard endgames` ([`generate`]) in
//! files, which [`Endgames::open`] maps. [`SharedEndgames`] are those of a server.
//!
//! A slice is all positions with some material. Only the view of the side on move is stored: a position with Black on move is
//! the same as one with White on move after half a turn of the board.

mod build;
mod cells;
mod error;
mod file;
mod folder;
mod index;
mod mapping;
mod material;
mod packing;
mod permission;
mod pieces;
mod shared;
mod slice;
mod solver;
mod subsets;
mod successors;
mod value;
mod workers;

pub use build::BuildError;
pub use error::{FileError, FileProblem, FolderError};
pub use folder::generate;
pub use material::MAX_PIECES;
pub use shared::{SOLVED_PIECES, SharedEndgames, solved};
pub use value::Value;
pub use workers::Watch;

use super::Position;
use material::Material;
use pieces::Pieces;
use slice::Slice;
use std::fmt;

/// Values of positions with few pieces, shared by all who ask.
#[derive(Default)]
pub struct Endgames {
    slices: Vec<Slice>,
    /// By the material's identifier the position in `slices` and one more, 0 for none. Empty while there are no slices.
    places: Vec<u16>,
    max_pieces: u32,
}

impl Endgames {
    /// The value of a position for the side on move; `None` if there is no slice for it, as always when a side has no pieces
    /// or there are more than [`Endgames::max_pieces`]. It allocates nothing.
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<Value> {
        let empty = position.empty();
        if 32 - empty.count() > self.max_pieces {
            return None;
        }
        self.slice_value(&Pieces::of(position))
    }

    /// The most pieces of any slice, 0 without slices. An unfinished folder has only some of the slices with that number.
    #[inline]
    pub fn max_pieces(&self) -> u32 {
        self.max_pieces
    }

    /// Whether all positions of up to this number of pieces have a value.
    pub fn is_complete(&self, pieces: u32) -> bool {
        let has = |material| self.slice(material).is_some();
        Material::pairs(pieces.min(MAX_PIECES))
            .into_iter()
            .all(|material| has(material) && has(material.passed()))
    }

    /// How many positions have a value.
    pub fn len(&self) -> u64 {
        self.slices.iter().map(|slice| slice.len() as u64).sum()
    }

    /// Whether no position has one.
    pub fn is_empty(&self) -> bool {
        self.slices.is_empty()
    }

    #[inline]
    fn slice_value(&self, pieces: &Pieces) -> Option<Value> {
        let place = *self.places.get(Material::identify(pieces)?)?;
        let slice = self.slices.get(usize::from(place).checked_sub(1)?)?;
        Some(slice.value(pieces))
    }

    /// The value of a position that a capture may have ended: without pieces the side on move has lost.
    #[inline]
    fn value(&self, pieces: &Pieces) -> Option<Value> {
        if pieces.own_men | pieces.own_kings == 0 {
            return Some(Value::Loss(Some(0)));
        }
        self.slice_value(pieces)
    }

    /// The slice of this material.
    fn slice(&self, material: Material) -> Option<&Slice> {
        let place = *self.places.get(material.identifier())?;
        self.slices.get(usize::from(place).checked_sub(1)?)
    }

    /// Adds a slice, or puts it in the place of another with this material.
    fn insert(&mut self, slice: Slice) {
        let material = slice.material();
        self.max_pieces = self.max_pieces.max(material.pieces());
        self.places.resize(Material::IDENTIFIERS, 0);
        let place = &mut self.places[material.identifier()];
        if let Some(known) = usize::from(*place).checked_sub(1) {
            self.slices[known] = slice;
        } else {
            self.slices.push(slice);
            *place = self.slices.len() as u16;
        }
    }
}

/// Without the values, of which there are millions.
impl fmt::Debug for Endgames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Endgames { slices, max_pieces, .. } = self;
        let mut text = f.debug_struct("Endgames");
        text.field("max_pieces", max_pieces).field("slices", &slices.len()).finish_non_exhaustive()
    }
}
