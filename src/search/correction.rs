//! Correction history: by how much the static evaluation of positions with the same structure was wrong so far.

use super::params::{CORRECTION_DIVISOR, CORRECTION_LIMIT, CORRECTION_STEP};
use super::searchable::Searchable;

/// Structures that are told apart, for each side on move.
const STRUCTURES: usize = 4096;

/// What has been learnt, some 50 KiB.
pub struct Corrections {
    /// By side on move, kind of structure, and structure.
    errors: Box<[i16]>,
}

/// Kinds of structures ([`Searchable::structures`]).
pub const KINDS: usize = 3;

impl Corrections {
    /// Nothing learnt yet.
    pub fn new() -> Corrections {
        Corrections { errors: vec![0; 2 * KINDS * STRUCTURES].into_boxed_slice() }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.errors.fill(0);
    }

    /// What is to be added to the static evaluation of a position, in centipawns.
    #[inline]
    pub fn of<P: Searchable>(&self, position: &P) -> i32 {
        let Some(places) = places(position) else { return 0 };
        let sum: i32 = places.into_iter().map(|place| i32::from(self.errors[place])).sum();
        sum / CORRECTION_DIVISOR
    }

    /// A search `depth` plies deep found a score that is `error` centipawns above the static evaluation.
    pub fn learn<P: Searchable>(&mut self, position: &P, error: i32, depth: i32) {
        let Some(places) = places(position) else { return };
        let bonus = (error * depth / 8).clamp(-CORRECTION_STEP, CORRECTION_STEP);
        for place in places {
            let old = i32::from(self.errors[place]);
            self.errors[place] = (old + bonus - old * bonus.abs() / CORRECTION_LIMIT) as i16;
        }
    }
}

/// Where the errors of a position's structures are.
#[inline]
fn places<P: Searchable>(position: &P) -> Option<[usize; KINDS]> {
    let structures = position.structures()?;
    let side = position.turn().index() * KINDS;
    let place = |kind: usize| (side + kind) * STRUCTURES + structures[kind] as usize % STRUCTURES;
    Some(std::array::from_fn(place))
}
