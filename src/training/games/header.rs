//! The header of a file of games: how they were played. Lines of text up to an empty line, so that
//! `head` shows it.

use super::GameRules;
use std::fmt;
use std::str::FromStr;

/// First line of every version of the format.
pub(super) const MAGIC: &str = "farboard games ";
/// Version of the format.
const FORMAT: u32 = 1;
/// Maximum length in bytes.
pub(super) const MAX_LEN: usize = 1024;

/// The way in which the games of a file were played. Files with equal headers have the same games,
/// as far as they go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The rules.
    pub rules: GameRules,
    /// Version of the program, as a word.
    pub version: String,
    /// Checksum of the engine's behaviour: of its searches from the start position.
    pub engine: u32,
    /// Half of the hash of the net, or of the weights before there were nets.
    pub weights: u32,
    /// Nodes for each move. An iteration is finished first.
    pub nodes: u64,
    /// Minimum number of random plies before each game.
    pub random_plies: u32,
    /// Maximum absolute score of an opening in centipawns.
    pub opening_limit: i32,
    /// Seed of everything random.
    pub seed: u64,
}

impl Header {
    /// Returns the lines of the file, with the empty one.
    pub(super) fn lines(&self) -> String {
        let Header { rules, version, engine, weights, nodes, random_plies, opening_limit, seed } = self;
        format!(
            "{MAGIC}{FORMAT}\nrules {rules}\nversion {version}\nengine {engine:08x}\nweights {weights:08x}\n\
             nodes {nodes}\nrandom-plies {random_plies}\nopening-limit {opening_limit}\nseed {seed}\n\n"
        )
    }

    /// Parses the lines, with the empty one; `None` if they are not exactly what
    /// [`Header::lines`] returns.
    pub(super) fn parse(lines: &str) -> Option<Header> {
        let mut lines_left = lines.lines().skip(1);
        let mut value = |key: &str| lines_left.next()?.strip_prefix(key)?.strip_prefix(' ');
        let header = Header {
            rules: GameRules::from_name(value("rules")?)?,
            version: value("version")?.to_owned(),
            engine: hexadecimal(value("engine")?)?,
            weights: hexadecimal(value("weights")?)?,
            nodes: decimal(value("nodes")?)?,
            random_plies: decimal(value("random-plies")?)?,
            opening_limit: decimal(value("opening-limit")?)?,
            seed: decimal(value("seed")?)?,
        };
        (header.lines() == lines).then_some(header)
    }
}

impl fmt::Display for Header {
    /// Writes it in one line, as part of a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Header { rules, version, engine, weights, nodes, random_plies, opening_limit, seed } = self;
        write!(f, "{rules}: games of {nodes} nodes a move after {random_plies} or more random plies ")?;
        write!(f, "within {opening_limit} centipawns, seed {seed}, ")?;
        write!(f, "played by version {version} (engine {engine:08x}) with weights {weights:08x}")
    }
}

fn decimal<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

fn hexadecimal(text: &str) -> Option<u32> {
    u32::from_str_radix(text, 16).ok()
}

#[cfg(test)]
pub(in crate::training) mod tests {
    use super::*;

    /// A header of games with these rules.
    pub(in crate::training) fn header(rules: GameRules) -> Header {
        Header {
            rules,
            version: "1.2.3".to_owned(),
            engine: 0xbead,
            weights: 7,
            nodes: 300,
            random_plies: 8,
            opening_limit: 300,
            seed: u64::MAX,
        }
    }

    #[test]
    fn lines_are_read_back_and_nothing_else_is() {
        for name in ["normal", "atomic", "draughts"] {
            let header = header(GameRules::from_name(name).unwrap());
            let lines = header.lines();
            assert!(lines.len() <= MAX_LEN);
            assert_eq!(Header::parse(&lines), Some(header));
            for wrong in [
                lines.replace("games 1", "games 2"),
                lines.replace("nodes 300", "nodes 0300"),
                lines.replace("engine 0000bead", "engine +000bead"),
                lines.replace(name, "checkers"),
                format!("{lines}more"),
                lines.trim_end().to_owned(),
            ] {
                assert_eq!(Header::parse(&wrong), None, "{wrong}");
            }
        }
    }
}
