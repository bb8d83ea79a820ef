//! Identity of a search, and of the source with which it shares the cores.

/// Number of a search within its session. A session never uses a number twice, so events of an
/// older search are recognised and dropped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SearchId(pub u64);

/// Identifies a search in the process: its owner, and the number of the search there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct JobId {
    /// The caller's number of the session; never used for two sessions.
    pub owner: u64,
    /// The session's number of the search.
    pub search: SearchId,
}

/// Numbers of a session's own searches are below this.
const MAX_SEARCHES: u64 = 1 << 56;

impl JobId {
    /// The id of a helper, numbered from 1.
    pub(super) fn helper(self, number: u8) -> JobId {
        let search = SearchId(self.search.0 % MAX_SEARCHES + MAX_SEARCHES * u64::from(number));
        JobId { search, ..self }
    }

    /// Whether this is the id of a helper.
    pub(super) fn is_helper(self) -> bool {
        self.search.0 >= MAX_SEARCHES
    }
}

/// Unit of fair sharing: a session, or all sessions of an address or a user.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Source {
    /// The caller's number of the source. Searches with the same number belong together.
    pub id: u64,
    /// Number of shares, at least 1. A source with fewer searches has one share for each.
    pub weight: u32,
}

impl Source {
    /// Creates the source of a session with a share of its own. `owner` must be unique among
    /// sources.
    pub fn of(owner: u64) -> Source {
        Source { id: owner, weight: 1 }
    }
}
