//! The random choices of a session, and the salts of its table keys.
//!
//! Both follow from the session's seed and from two counts, so that a session's state needs no
//! seed: a restored session takes its new server's seed.

use crate::random::{GOLDEN_GAMMA, mix};
use crate::session::state::{Fields, StateError};

/// The most games and cleared tables of a session.
const MAX_COUNT: u32 = 1_000_000;

/// The seeds and salts of a session.
pub(super) struct Seeds {
    /// The seed of the session.
    seed: u64,
    /// The seed set by the client, if any. It does not affect the salts, which no client may know.
    named: Option<u64>,
    /// The number of games begun, since the client has set a seed if it has.
    games: u32,
    /// The number of times that the table was cleared.
    cleared: u32,
    game: u64,
    salt: u64,
}

impl Seeds {
    pub(super) fn new(seed: u64) -> Seeds {
        let mut seeds = Seeds { seed, named: None, games: 0, cleared: 0, game: 0, salt: 0 };
        seeds.derive();
        seeds
    }

    /// The seed of the current game.
    pub(super) fn game(&self) -> u64 {
        self.game
    }

    /// The seed of the random choices at this ply of the game.
    pub(super) fn at(&self, ply: usize) -> u64 {
        mix(self.game ^ ply as u64)
    }

    /// The salt of the table keys.
    pub(super) fn salt(&self) -> u64 {
        self.salt
    }

    /// Begins another game.
    pub(super) fn new_game(&mut self) {
        self.game = mix(self.game);
        self.games = self.games.saturating_add(1);
    }

    /// Sets the seed of this game and the following ones.
    pub(super) fn name(&mut self, seed: u64) {
        (self.named, self.games, self.game) = (Some(seed), 0, mix(seed));
    }

    /// Changes the salt, so that no search finds the results of earlier ones.
    pub(super) fn change_salt(&mut self) {
        self.salt = self.salt.wrapping_add(GOLDEN_GAMMA);
        self.cleared = self.cleared.saturating_add(1);
    }

    /// Writes or reads the state.
    pub(super) fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        fields.within("cleared", &mut self.cleared, 0..=MAX_COUNT)?;
        fields.within("games", &mut self.games, 0..=MAX_COUNT)?;
        fields.field("seed", &mut self.named)?;
        if fields.is_reading() {
            self.derive();
        }
        Ok(())
    }

    fn derive(&mut self) {
        self.salt = mix(self.seed).wrapping_add(GOLDEN_GAMMA.wrapping_mul(self.cleared.into()));
        let first = mix(self.named.unwrap_or(self.seed ^ 1));
        self.game = (0..self.games).fold(first, |seed, _| mix(seed));
    }
}
