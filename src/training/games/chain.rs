//! A hash of all games of a file so far. Its lower half follows each game in the file, so that
//! a changed, missing or misplaced game is noticed.

use crate::random::mix;

/// The hash of a header and the games after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Chain(u64);

impl Chain {
    /// The hash of a header.
    pub(super) fn new(header: &[u8]) -> Chain {
        Chain(0).after(header)
    }

    /// Returns the hash with one game more.
    pub(super) fn after(self, game: &[u8]) -> Chain {
        let (words, rest) = game.as_chunks::<8>();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        let hash =
            words.iter().chain([&last]).fold(self.0, |hash, &word| mix(hash ^ u64::from_le_bytes(word)));
        Chain(mix(hash ^ game.len() as u64))
    }

    /// Returns the part that is in the file.
    pub(super) fn check(self) -> [u8; 4] {
        (self.0 as u32).to_le_bytes()
    }

    /// Returns the whole hash.
    pub(super) fn hash(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_change_changes_the_hash() {
        let games: [&[&[u8]]; 8] = [
            &[],
            &[b""],
            &[b"one"],
            &[b"one\0"],
            &[b"two"],
            &[b"one", b"two"],
            &[b"two", b"one"],
            &[b"one", b"two", b"longer than a word"],
        ];
        let checks = ["this", "that"].map(|header| {
            games.map(|games| {
                games.iter().fold(Chain::new(header.as_bytes()), |chain, game| chain.after(game)).check()
            })
        });
        assert_eq!(checks.as_flattened().iter().collect::<HashSet<_>>().len(), 2 * games.len());
    }
}
