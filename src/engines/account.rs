//! Statistics of a move that Farboard sends, in the xboard protocol and in UCI.

/// Statistics of a move. Clients of the xboard protocol get them after `accepted debug`, UCI
/// clients after `debug on`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Account {
    /// Nodes searched; `None` if the move was due before anything was found.
    pub nodes: Option<u64>,
    /// Time used on the clock, in milliseconds.
    pub used: u64,
    /// Maximum time of the move, in milliseconds; `None` for no limit.
    pub maximum: Option<u64>,
}

impl Account {
    /// Parses `depth 5, score +0.31, 1000 nodes; 120 ms used of 4950 to 4950 ms; …`.
    pub fn parse(text: &str) -> Option<Account> {
        let (found, rest) = text.split_once("; ")?;
        let (used, rest) = rest.split_once(" ms used of ")?;
        let allowed = rest.split_once(';').map_or(rest, |(allowed, _)| allowed);
        let maximum = allowed.split_once(" to ").and_then(|(_, most)| most.strip_suffix(" ms")?.parse().ok());
        let nodes = found.strip_suffix(" nodes").and_then(|found| found.rsplit(' ').next()?.parse().ok());
        Some(Account { nodes, used: used.parse().ok()?, maximum })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_has_nodes_and_times() {
        let text =
            "depth 5, score mate in 3, 1000 nodes; 120 ms used of 300 to 4950 ms; lag 0 ms, at worst 0 ms";
        let account = Account { nodes: Some(1000), used: 120, maximum: Some(4950) };
        assert_eq!(Account::parse(text), Some(account));
        let text = "nothing found yet; 7 ms used of no limit; lag 0 ms, at worst 0 ms";
        let account = Account { nodes: None, used: 7, maximum: None };
        assert_eq!(Account::parse(text), Some(account));
        for other in ["", "hello", "nothing is searched", "1; 2", "; x ms used of 1 to 2 ms"] {
            assert_eq!(Account::parse(other), None, "{other}");
        }
    }
}
