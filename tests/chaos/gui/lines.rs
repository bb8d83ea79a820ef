//! What stands in a thinking line.

/// A thinking line: `ply score time nodes pv`, as who has rejected `debug` gets them, or what the book has.
pub struct Thought {
    pub depth: u32,
    /// The first move; none in what the book has, and in a line that was cut short.
    pub first: Option<String>,
}

impl Thought {
    /// `None` for all other lines.
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
