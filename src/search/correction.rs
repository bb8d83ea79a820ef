//! Correction history: the average error of the static evaluation in positions with the same
//! structure.

use super::params::{CORRECTION_DIVISOR, CORRECTION_LIMIT, CORRECTION_STEP};
use super::searchable::Searchable;

/// Number of distinguished structures for each side on move.
const STRUCTURES: usize = 2048;

/// Learnt errors, about 25 KiB.
pub(super) struct Corrections {
    /// Errors by side on move, kind of structure, and structure.
    errors: Box<[i16]>,
}

/// Number of kinds of structures ([`Searchable::structures`]).
pub(super) const KINDS: usize = 3;

impl Corrections {
    /// An empty history.
    pub(super) fn new() -> Corrections {
        Corrections { errors: vec![0; 2 * KINDS * STRUCTURES].into_boxed_slice() }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.errors.fill(0);
    }

    /// Returns the correction of a position's static evaluation in centipawns.
    #[inline]
    pub(super) fn of<P: Searchable>(&self, position: &P) -> i32 {
        let Some(places) = places(position) else { return 0 };
        let sum: i32 = places.into_iter().map(|place| i32::from(self.errors[place])).sum();
        sum / CORRECTION_DIVISOR
    }

    /// Learns from a search `depth` plies deep whose score is `error` centipawns above the static
    /// evaluation.
    pub(super) fn learn<P: Searchable>(&mut self, position: &P, error: i32, depth: i32) {
        let Some(places) = places(position) else { return };
        let bonus = (error * depth / 8).clamp(-CORRECTION_STEP, CORRECTION_STEP);
        for place in places {
            let old = i32::from(self.errors[place]);
            self.errors[place] = (old + bonus - old * bonus.abs() / CORRECTION_LIMIT) as i16;
        }
    }
}

/// Returns the indices of the errors of a position's structures.
#[inline]
fn places<P: Searchable>(position: &P) -> Option<[usize; KINDS]> {
    let structures = position.structures()?;
    let side = position.turn().index() * KINDS;
    let place = |kind: usize| (side + kind) * STRUCTURES + structures[kind] as usize % STRUCTURES;
    Some(std::array::from_fn(place))
}
