//! The file of positions. Its first line says how the games were played, after `# `; then follows a
//! line for each game, `NUMBER RESULT FEN@SCORE;FEN@SCORE;…`. The result is 1, 0.5 or 0 for White,
//! and scores come from searches, in centipawns from White's view. A truncated last line is
//! ignored.

use super::regression::MIN_GAMES;
use crate::chess::Variant;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A position with the search's score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The FEN.
    pub fen: String,
    /// Score of the search in centipawns from White's view; `None` in older files.
    pub score: Option<i32>,
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            Some(score) => write!(f, "{}@{score}", self.fen),
            None => f.write_str(&self.fen),
        }
    }
}

impl Judged {
    fn parse(text: &str) -> Option<Judged> {
        let Some((fen, score)) = text.rsplit_once('@') else {
            return Some(Judged { fen: text.to_owned(), score: None });
        };
        Some(Judged { fen: fen.to_owned(), score: Some(score.parse().ok()?) })
    }
}

/// The record of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    /// Number of the game within its seed, from 0.
    pub number: u64,
    /// 1 if White won, 0 if Black won, 0.5 for a draw.
    pub result: f32,
    /// Quiet positions of the game.
    pub positions: Vec<Judged>,
}

/// The contents of a file.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct GameFile {
    /// Description of how the games were played; `None` in an empty file.
    pub origin: Option<String>,
    /// The games, in any order.
    pub games: Vec<GameRecord>,
    /// Length of the complete lines in bytes.
    pub len: u64,
}

/// An error in getting positions. The message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum PositionsError {
    /// The file cannot be read or written.
    #[error("cannot use {path}: {1}", path = .0.display())]
    File(PathBuf, io::Error),
    /// A line of the file is not a game.
    #[error("line {1} of {path} is not a game: make the file anew with farboard generate", path = .0.display())]
    Line(PathBuf, usize),
    /// A position of this game is illegal.
    #[error("a position of game {1} in {path} is illegal: make the file anew", path = .0.display())]
    Position(PathBuf, u64),
    /// The file has games played in another way.
    #[error("the games in {path} are of another kind: {1}. Give another file", path = .0.display())]
    Origin(PathBuf, String),
    /// The files have too few games to fit weights to, or no positions.
    #[error(
        "too few games in {files}: {games}. Make more with farboard generate, at least {MIN_GAMES} with positions",
        files = named(.files)
    )]
    TooFew {
        /// The files.
        files: Vec<PathBuf>,
        /// Number of games in all files.
        games: usize,
    },
    /// One engine cannot play games of the variant.
    #[error("{name} {reason}", name = .0.name(), reason = two_engines(*.0))]
    NotAlone(Variant),
    /// There is no memory for the table.
    #[error("no memory for a table: {0}")]
    Memory(io::Error),
}

fn named(files: &[PathBuf]) -> String {
    files.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" and ")
}

/// Returns why one engine cannot play games of the variant alone, and what to do instead.
fn two_engines(variant: Variant) -> &'static str {
    if variant.has_partner() {
        "is not played on one board, whose hands would stay empty: make games of crazyhouse"
    } else {
        "is not played by one engine, which would see both sides' men: make games of normal"
    }
}

impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positions: Vec<String> = self.positions.iter().map(Judged::to_string).collect();
        writeln!(f, "{} {} {}", self.number, self.result, positions.join(";"))
    }
}

impl GameRecord {
    fn parse(line: &str) -> Option<GameRecord> {
        let (number, rest) = line.split_once(' ')?;
        let (result, positions) = rest.split_once(' ')?;
        let positions = positions.split(';').filter(|text| !text.is_empty());
        let positions = positions.map(Judged::parse).collect::<Option<_>>()?;
        let result = match result {
            "1" => 1.0,
            "0.5" => 0.5,
            "0" => 0.0,
            _ => return None,
        };
        Some(GameRecord { number: number.parse().ok()?, result, positions })
    }
}

impl GameFile {
    /// Reads a file; an empty one if it does not exist.
    ///
    /// # Errors
    /// The file cannot be read, or is not a file of games.
    pub fn read(path: &Path) -> Result<GameFile, PositionsError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(PositionsError::File(path.to_owned(), error)),
        };
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let mut lines = whole.lines();
        let wrong = |line| PositionsError::Line(path.to_owned(), line);
        // A truncated first line.
        let is_ours = text.starts_with("# ") || "# ".starts_with(&text);
        let first = match lines.next() {
            Some(first) => first,
            None if is_ours => return Ok(GameFile::default()),
            None => return Err(wrong(1)),
        };
        let origin = first.strip_prefix("# ").ok_or_else(|| wrong(1))?.to_owned();
        let parse = |(index, line)| GameRecord::parse(line).ok_or_else(|| wrong(index + 2));
        let games = lines.enumerate().map(parse).collect::<Result<_, _>>()?;
        Ok(GameFile { origin: Some(origin), games, len: whole.len() as u64 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truncated_last_line_is_ignored() {
        let path = std::env::temp_dir().join(format!("farboard-positions-{}", std::process::id()));
        let judged = |fen: &str, score| Judged { fen: fen.to_owned(), score };
        let game = GameRecord {
            number: 7,
            result: 0.5,
            positions: vec![judged("8/8 w", Some(-31)), judged("8/8 b", None)],
        };
        std::fs::write(&path, format!("# so\n{game}8 1 8/")).unwrap();
        let file = GameFile::read(&path).unwrap();
        let len = 5 + game.to_string().len() as u64;
        assert_eq!(file, GameFile { origin: Some("so".to_owned()), games: vec![game], len });
        for (text, line) in
            [("# so\nhello\n", 2), ("secret", 1), ("# so\n1 NaN 8/8 w@0\n", 2), ("# so\n1 0 8/8 w@x\n", 2)]
        {
            std::fs::write(&path, text).unwrap();
            assert!(
                matches!(GameFile::read(&path), Err(PositionsError::Line(_, found)) if found == line),
                "{text}"
            );
        }
        std::fs::remove_file(&path).unwrap();
        assert_eq!(GameFile::read(&path).unwrap(), GameFile::default());
    }
}
