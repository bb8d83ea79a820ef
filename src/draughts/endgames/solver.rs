//! Retrograde solution of the two slices of some material.

use super::cells::{Cells, IN_WORD};
use super::index::Index;
use super::material::Material;
use super::packing::{Encoding, pack};
use super::pieces::{Before, Pieces};
use super::slice::Slice;
use super::successors::Leaving;
use super::value::{DRAW, MAX_PLIES};
use super::workers::Workers;
use super::{BuildError, Endgames};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Positions of a chunk of work, a multiple of a word's.
const CHUNK: usize = 1 << 18;
/// Positions of a chunk in the first pass, where each costs more.
const FIRST_CHUNK: usize = 1 << 14;

/// The slice of some material and the slice with the other side on move, which are one where both
/// sides have the same.
///
/// First every position gets the result of its captures and crownings, which lead to known slices,
/// and the number of its steps within the two slices. Then, ply by ply from the end, results are
/// propagated to predecessors: a lost position makes them won in one ply more, a won one reduces
/// their number of steps. A position without steps left is lost.
struct Solver<'a> {
    known: &'a Endgames,
    encoding: Encoding,
    halves: Vec<Half>,
    /// Maximum number of plies of any position so far.
    most_plies: AtomicU8,
}

struct Half {
    index: Index,
    cells: Cells,
}

/// Solves the slices of some material with either side on move. Deterministic for any number of
/// threads. Distances are taken from known slices only with [`Encoding::Plies`].
///
/// # Errors
/// The watch has aborted it, or a win takes too many plies to count.
pub(super) fn solve(
    material: Material,
    encoding: Encoding,
    known: &Endgames,
    workers: &mut Workers,
) -> Result<Vec<Slice>, BuildError> {
    let mut materials = vec![material, material.passed()];
    materials.dedup();
    let half = |material| {
        let index = Index::new(material);
        let cells = Cells::new(index.len());
        Half { index, cells }
    };
    let halves = materials.into_iter().map(half).collect();
    let solver = Solver { known, encoding, halves, most_plies: AtomicU8::new(0) };
    // About half of the work.
    let positions: u64 = solver.halves.iter().map(|half| half.index.len() as u64).sum();
    let begun: u64 = solver.halves.iter().map(|half| half.index.len() as u64 / 2).sum();
    for half in &solver.halves {
        solver.begin(half, workers)?;
    }
    let mut plies = 0;
    while plies <= solver.most_plies.load(Relaxed) {
        for (half, before) in solver.halves.iter().zip(solver.halves.iter().rev()) {
            workers.run(half.index.len().div_ceil(CHUNK), 0, |chunk| {
                solver.propagate(half, before, chunk * CHUNK, plies)
            })?;
        }
        plies += 1;
    }
    workers.advance(positions - begun)?;
    let slice = |half: Half| {
        let len = half.index.len();
        let bytes = pack(encoding, len, half.cells.results(len));
        Slice::in_memory(half.index.material(), encoding, bytes)
    };
    Ok(solver.halves.into_iter().map(slice).collect())
}

impl Solver<'_> {
    fn leaving(&self, pieces: &Pieces) -> Leaving {
        Leaving::of(pieces, self.known, self.encoding == Encoding::Plies)
    }

    fn note(&self, plies: u8) {
        if plies > self.most_plies.load(Relaxed) {
            self.most_plies.fetch_max(plies, Relaxed);
        }
    }

    /// Sets the results of captures and crownings.
    fn begin(&self, half: &Half, workers: &mut Workers) -> Result<(), BuildError> {
        let len = half.index.len();
        workers.run(len.div_ceil(FIRST_CHUNK), len as u64 / 2, |chunk| {
            let first = chunk * FIRST_CHUNK;
            for word in (first..(first + FIRST_CHUNK).min(len)).step_by(IN_WORD) {
                let mut cells = [DRAW; IN_WORD];
                for (cell, number) in cells.iter_mut().zip(word..len) {
                    let pieces = half.index.decode(number);
                    *cell = self.leaving(&pieces).cell().ok_or(BuildError::TooLong)?;
                    if *cell <= MAX_PLIES {
                        self.note(*cell);
                    }
                }
                half.cells.write_word(word, cells);
            }
            Ok(())
        })
    }

    /// Propagates positions that end in this number of plies to their predecessors in the other
    /// slice.
    fn propagate(&self, half: &Half, before: &Half, first: usize, plies: u8) -> Result<(), BuildError> {
        if plies >= MAX_PLIES {
            return Err(BuildError::TooLong);
        }
        let len = (half.index.len() - first).min(CHUNK);
        let is_lost = plies.is_multiple_of(2);
        let mut outcome = Ok(());
        half.cells.find(first, len, plies, |number| {
            let now = half.index.decode(number);
            let passed = now.passed();
            let base = before.index.base(&passed);
            now.before_steps(|step| {
                let (number, earlier) = match step {
                    Before::King(own_kings) => {
                        (base.with_own_kings(own_kings), Pieces { own_kings, ..passed })
                    }
                    Before::Man(own_men) => {
                        let earlier = Pieces { own_men, ..passed };
                        (before.index.encode(&earlier), earlier)
                    }
                };
                if is_lost {
                    before.cells.win(number, plies + 1);
                    self.note(plies + 1);
                } else if before.cells.count_down(number) {
                    let slowest = plies.max(self.leaving(&earlier).slowest_win());
                    if slowest >= MAX_PLIES {
                        outcome = Err(BuildError::TooLong);
                        return;
                    }
                    before.cells.lose(number, slowest + 1);
                    self.note(slowest + 1);
                }
            });
        });
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::super::packing::value;
    use super::*;
    use std::ops::ControlFlow;

    /// Solves four pieces as six are: without distances, on top of slices with them.
    #[test]
    fn results_are_the_same_without_distances() {
        let mut go_on = |_, _| ControlFlow::Continue(());
        let whole = Endgames::build(4, 1, &mut go_on).unwrap();
        let mut known = Endgames::build(3, 1, &mut go_on).unwrap();
        let mut workers = Workers::new(1, 0, &mut go_on);
        let mut compared = 0;
        for material in Material::pairs(4).into_iter().filter(|material| material.pieces() == 4) {
            for slice in solve(material, Encoding::Results, &known, &mut workers).unwrap() {
                let expected = whole.slice(slice.material()).unwrap();
                for number in 0..slice.len() {
                    let found = value(slice.encoding(), slice.bytes(), number);
                    let plies = value(expected.encoding(), expected.bytes(), number);
                    assert_eq!(found, plies.without_plies(), "{material} {number}");
                    compared += 1;
                }
                known.insert(slice);
            }
        }
        assert_eq!(compared, 6_209_316);
    }

    #[test]
    fn results_do_not_depend_on_the_number_of_threads() {
        let mut go_on = |_, _| ControlFlow::Continue(());
        let one = Endgames::build(4, 1, &mut go_on).unwrap();
        let many = Endgames::build(4, 4, &mut go_on).unwrap();
        for (one, other) in one.slices.iter().zip(&many.slices) {
            assert!(one.bytes() == other.bytes(), "{}", one.material());
        }
        assert_eq!(one.len(), many.len());
    }
}
