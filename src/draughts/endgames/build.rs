//! Building the database in memory.

use super::index::Index;
use super::material::Material;
use super::packing::Encoding;
use super::solver::solve;
use super::workers::{Watch, Workers};
use super::{Endgames, MAX_PIECES};

/// An error that ended the construction of a database.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BuildError {
    /// Aborted by `watch`.
    #[error("ended before the endgames were solved")]
    Aborted,
    /// A win takes more plies than a byte can count.
    #[error("an endgame takes more plies than can be counted")]
    TooLong,
}

/// Returns the number of positions in the slices of these materials, with either side on move.
pub(super) fn positions(pairs: &[Material]) -> u64 {
    let len = |material| Index::new(material).len() as u64;
    let of_pair = |&material: &Material| {
        let passed = material.passed();
        len(material) + if passed == material { 0 } else { len(passed) }
    };
    pairs.iter().map(of_pair).sum()
}

impl Endgames {
    /// Solves all positions of up to `pieces` (at most [`MAX_PIECES`]) in memory, in `threads`
    /// threads including the caller's, whose priority the others have. Four pieces take 7 MB and
    /// some seconds of one core, five 139 MB more and a minute or two.
    ///
    /// `watch` is called in the caller's thread every few milliseconds with the number of solved
    /// positions and the total, and may abort.
    ///
    /// # Errors
    /// `watch` has aborted it.
    pub fn build(pieces: u32, threads: usize, watch: Watch) -> Result<Endgames, BuildError> {
        let pairs = Material::pairs(pieces.min(MAX_PIECES));
        let mut workers = Workers::new(threads, positions(&pairs), watch);
        let mut endgames = Endgames::default();
        for material in pairs {
            for slice in solve(material, Encoding::for_pieces(material.pieces()), &endgames, &mut workers)? {
                endgames.insert(slice);
            }
        }
        Ok(endgames)
    }
}
