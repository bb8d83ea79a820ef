//! Refused attempts, known only to the side that made them.

use super::Attempt;

/// The refused attempts of a game with the number of plies played before, in order.
#[derive(Clone, Default, Debug)]
pub struct Refusals(Vec<(u32, Attempt)>);

impl Refusals {
    /// Adds an attempt that was refused after `ply` plies.
    pub fn add(&mut self, ply: usize, attempt: Attempt) {
        self.0.push((ply as u32, attempt));
    }

    /// Returns all refused attempts with the number of plies before each.
    pub fn all(&self) -> &[(u32, Attempt)] {
        &self.0
    }

    /// Returns the attempts refused after `ply` plies.
    pub fn at(&self, ply: usize) -> Vec<Attempt> {
        let from = self.0.partition_point(|&(at, _)| (at as usize) < ply);
        self.0[from..]
            .iter()
            .take_while(|&&(at, _)| at as usize == ply)
            .map(|&(_, attempt)| attempt)
            .collect()
    }

    /// Forgets later attempts when moves were taken back and `ply` plies are left.
    pub(crate) fn rewind(&mut self, ply: usize) {
        let kept = self.0.partition_point(|&(at, _)| at as usize <= ply);
        self.0.truncate(kept);
    }
}

/// Must be in the order of their plies.
impl FromIterator<(u32, Attempt)> for Refusals {
    fn from_iter<I: IntoIterator<Item = (u32, Attempt)>>(refused: I) -> Refusals {
        Refusals(refused.into_iter().collect())
    }
}
