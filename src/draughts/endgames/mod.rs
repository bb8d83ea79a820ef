//! The endgame database: results of positions with few pieces, and their number of plies, solved by
//! this program.
//!
//! [`Endgames`] is probed by searches. [`Endgames::build`] solves positions in memory, `farboard
//! endgames` ([`generate`]) in files, which [`Endgames::open`] maps. [`SharedEndgames`] belong to a
//! server. A slice is all positions with some material, seen by the side on move: positions with
//! Black on move are rotated.

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
pub(crate) use shared::SOLVED_PIECES;
pub use shared::{SharedEndgames, solved};
pub use value::Value;
pub use workers::Watch;

use super::Position;
use material::Material;
use pieces::Pieces;
use slice::Slice;
use std::fmt;

/// Values of positions with few pieces.
#[derive(Default)]
pub struct Endgames {
    slices: Vec<Slice>,
    /// Indices into `slices` plus one by material identifier, 0 for none. Empty while there are no
    /// slices.
    places: Vec<u16>,
    max_pieces: u32,
}

impl Endgames {
    /// Returns the value of a position for the side on move; `None` without a slice for it, as
    /// always when a side has no pieces or there are more than [`Endgames::max_pieces`]. Does not
    /// allocate.
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<Value> {
        let empty = position.empty();
        if 32 - empty.count() > self.max_pieces {
            return None;
        }
        self.slice_value(&Pieces::of(position))
    }

    /// Returns the maximum number of pieces of any slice, 0 without slices. An unfinished folder
    /// has only some slices with that number.
    #[inline]
    pub fn max_pieces(&self) -> u32 {
        self.max_pieces
    }

    /// Returns true if all positions of up to this number of pieces have a value.
    pub(crate) fn is_complete(&self, pieces: u32) -> bool {
        let has = |material| self.slice(material).is_some();
        Material::pairs(pieces.min(MAX_PIECES))
            .into_iter()
            .all(|material| has(material) && has(material.passed()))
    }

    /// Returns the number of positions with a value.
    pub fn len(&self) -> u64 {
        self.slices.iter().map(|slice| slice.len() as u64).sum()
    }

    /// Returns true if no position has a value.
    pub fn is_empty(&self) -> bool {
        self.slices.is_empty()
    }

    #[inline]
    fn slice_value(&self, pieces: &Pieces) -> Option<Value> {
        let place = *self.places.get(Material::identify(pieces)?)?;
        let slice = self.slices.get(usize::from(place).checked_sub(1)?)?;
        Some(slice.value(pieces))
    }

    /// Returns the value of a position that a capture may have ended: the side on move has lost
    /// without pieces.
    #[inline]
    fn value(&self, pieces: &Pieces) -> Option<Value> {
        if pieces.own_men | pieces.own_kings == 0 {
            return Some(Value::Loss(Some(0)));
        }
        self.slice_value(pieces)
    }

    /// Returns the slice of this material.
    fn slice(&self, material: Material) -> Option<&Slice> {
        let place = *self.places.get(material.identifier())?;
        self.slices.get(usize::from(place).checked_sub(1)?)
    }

    /// Adds a slice, or replaces the one with its material.
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

/// Leaves out the values, of which there are millions.
impl fmt::Debug for Endgames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Endgames { slices, max_pieces, .. } = self;
        let mut text = f.debug_struct("Endgames");
        text.field("max_pieces", max_pieces).field("slices", &slices.len()).finish_non_exhaustive()
    }
}
