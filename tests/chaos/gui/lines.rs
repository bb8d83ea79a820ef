//! Thinking lines.

/// A thinking line, `ply score time nodes pv`, as sent to a client that rejected `debug`, or a book
/// line.
pub struct Thought {
    pub depth: u32,
    /// The first move; `None` for book lines and truncated lines.
    pub first: Option<String>,
}

impl Thought {
    /// Parses a line; returns `None` for any other kind.
    pub fn parse(line: &str) -> Option<Thought> {
        if let Some(moves) = line.strip_prefix("0 0 0 0 (") {
            return moves.ends_with(')').then_some(Thought { depth: 0, first: None });
        }
        let mut words = line.split(' ');
        let depth = words.next()?.parse().ok()?;
        for _ in 0..3 {
            words.next()?.parse::<i64>().ok()?;
        }
        let first = words.next().filter(|first| !first.is_empty()).map(str::to_owned);
        let is_move = first.as_ref().is_none_or(|first| first.parse::<i64>().is_err());
        is_move.then_some(Thought { depth, first })
    }
}
