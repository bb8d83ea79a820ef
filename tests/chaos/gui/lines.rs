//! What stands in a thinking line.

/// A thinking line: `ply score time nodes seldepth speed tbhits<TAB>pv`, or what the book has.
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
        let (numbers, moves) = line.split_once('\t')?;
        let numbers: Vec<i64> = numbers.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
        let depth = u32::try_from(*numbers.first()?).ok()?;
        let first = moves.split(' ').next().filter(|first| !first.is_empty()).map(str::to_owned);
        (numbers.len() == 7).then_some(Thought { depth, first })
    }
}
