//! Whose a search is, when cores are shared out and searches are admitted.

/// Those whose searches have one share: a session, all sessions of an address, a club.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Source {
    /// The caller's name for it. Searches with the same one belong together.
    pub id: u64,
    /// How many shares it has, at least 1. A source with fewer searches than that has a share for each.
    pub weight: u32,
}

impl Source {
    /// A session that has a share of its own. Numbers of owners must differ from those of other sources.
    pub fn of(owner: u64) -> Source {
        Source { id: owner, weight: 1 }
    }
}
