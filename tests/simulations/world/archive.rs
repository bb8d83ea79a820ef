//! The disk, which survives servers.

use std::collections::BTreeMap;

/// The archive of finished games.
#[derive(Default)]
pub struct Archive {
    /// The client and the number of plies of each game by its identity.
    games: BTreeMap<String, (usize, usize)>,
    /// Games that were written again, and recognised.
    pub repeats: usize,
}

impl Archive {
    /// Writes a game unless it exists.
    pub fn put(&mut self, identity: String, client: usize, plies: usize) {
        match self.games.insert(identity.clone(), (client, plies)) {
            None => {}
            Some(before) => {
                assert_eq!(before, (client, plies), "two games with the identity {identity}");
                self.repeats += 1;
            }
        }
    }

    /// The number of archived games of a client.
    pub fn games_of(&self, client: usize) -> usize {
        self.games.values().filter(|(of, _)| *of == client).count()
    }
}
