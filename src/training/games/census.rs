//! Counts of a file's games, which show whether they are worth training on (`farboard games`).

use super::record::{Ended, Malformed, Replay};
use super::{GameReader, GamesError};
use crate::chess::{Color, Outcome};
use std::fmt;
use std::path::Path;

/// Absolute scores in centipawns at which the bands of [`Census::bands`] begin.
const BANDS: [u16; 8] = [0, 25, 50, 100, 200, 400, 600, 1000];

/// Counts of a file's games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Census {
    /// Description of how they were played, and of the contents.
    origin: String,
    games: u64,
    positions: u64,
    /// Bytes of the games.
    bytes: u64,
    plies: u64,
    /// Games that White won, that were drawn, and that Black won.
    outcomes: [u64; 3],
    /// Games that ended by rule, by adjudication, and at the maximum length.
    ended: [u64; 3],
    /// Quiet positions by absolute score.
    bands: [u64; BANDS.len()],
}

impl Census {
    /// Counts the games of a file.
    ///
    /// # Errors
    /// The file cannot be read, or is not a file of games.
    pub fn of(path: &Path) -> Result<Census, GamesError> {
        let mut reader = GameReader::open(path)?;
        let begin = reader.end();
        let mut census = Census {
            origin: String::new(),
            games: 0,
            positions: 0,
            bytes: 0,
            plies: 0,
            outcomes: [0; 3],
            ended: [0; 3],
            bands: [0; BANDS.len()],
        };
        while let Some(replay) = reader.replay_next()? {
            let number = census.games;
            census.add(replay).map_err(|_| GamesError::Illegal(path.to_owned(), number))?;
        }
        let contents = reader.contents();
        census.origin = format!("{}: {contents}", reader.header());
        census.bytes = reader.end() - begin;
        Ok(census)
    }

    /// Counts a game.
    fn add(&mut self, replay: Replay<'_>) -> Result<(), Malformed> {
        let summary = *replay.summary();
        self.games += 1;
        self.plies += u64::from(summary.plies);
        self.outcomes[match summary.outcome {
            Outcome::Win(Color::White) => 0,
            Outcome::Draw => 1,
            Outcome::Win(Color::Black) => 2,
        }] += 1;
        self.ended[match summary.ended {
            Ended::ByRule => 0,
            Ended::Adjudicated => 1,
            Ended::TooLong => 2,
        }] += 1;
        for ply in replay {
            let Some(score) = ply?.quiet_score() else { continue };
            self.positions += 1;
            self.bands[BANDS.partition_point(|&from| from <= score.unsigned_abs()) - 1] += 1;
        }
        Ok(())
    }
}

impl fmt::Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let each = |whole: u64, parts: u64| whole as f64 / parts.max(1) as f64;
        let of_games = |count: u64| share(count, self.games);
        writeln!(f, "{}", self.origin)?;
        writeln!(
            f,
            "{:.1} plies a game, {:.1} positions; {:.1} bytes a position",
            each(self.plies, self.games),
            each(self.positions, self.games),
            each(self.bytes, self.positions)
        )?;
        let [white, draws, black] = self.outcomes.map(of_games);
        writeln!(f, "White won {white:.1} %, {draws:.1} % were drawn, Black won {black:.1} %")?;
        let [by_rule, adjudicated, too_long] = self.ended.map(of_games);
        writeln!(
            f,
            "{by_rule:.1} % ended by rule, {adjudicated:.1} % were adjudicated, {too_long:.1} % too long"
        )?;
        for (from, &count) in BANDS.iter().zip(&self.bands) {
            let percent = share(count, self.positions);
            let bar = "#".repeat(percent.round() as usize);
            writeln!(f, "{:<24} {percent:5.1} % {bar}", format!("{from} centipawns or more"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::games::tests::{TemporaryFile, write_games};
    use crate::training::games::{GameRules, Samples};

    #[test]
    fn all_games_and_samples_are_counted() {
        let file = TemporaryFile::new("census");
        write_games(&file.0, GameRules::Draughts, 7);
        let census = Census::of(&file.0).unwrap();
        let scores: Vec<u16> = Samples::open(std::slice::from_ref(&file.0))
            .unwrap()
            .map(|sample| sample.unwrap().score.unsigned_abs())
            .collect();
        assert_eq!((census.games, census.outcomes, census.ended), (7, [0, 0, 7], [0, 7, 0]));
        assert_eq!(census.positions, scores.len() as u64);
        assert_eq!(census.bands.iter().sum::<u64>(), census.positions);
        assert_eq!(census.bands[7], scores.iter().filter(|&&score| score >= 1000).count() as u64);
        let text = census.to_string();
        assert!(text.contains("Black won 100.0 %") && text.contains("600 centipawns or more"), "{text}");
    }
}
