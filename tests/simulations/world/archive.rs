//! The disk: what outlives servers.

use std::collections::BTreeMap;

/// The archive of finished games.
#[derive(Default)]
pub struct Archive {
    /// By identity, the client and the plies of a game.
    games: BTreeMap<String, (usize, usize)>,
    /// Games that were written again, and recognised.
    pub repeats: usize,
}

impl Archive {
    /// Writes a game, unless it is there already.
    pub fn put(&mut self, identity: String, client: usize, plies: usize) {
        match self.games.insert(identity.clone(), (client, plies)) {
            None => {}
            Some(before) => {
                assert_eq!(before, (client, plies), "two games with the identity {identity}");
                self.repeats += 1;
            }
        }
    }

    /// Games of a client.
    pub fn games_of(&self, client: usize) -> usize {
        self.games.values().filter(|(of, _)| *of == client).count()
    }
}
