//! The positions to learn, and whole games held out to validate the net.

use super::TrainError;
use super::dataset::Dataset;
use super::portable::expected;
use crate::random::mix;
use crate::search::RootPosition;
use crate::search::net::Domain;
use crate::training::games::{GameResult, GamesError, Samples};
use crate::with_position;
use std::path::PathBuf;

/// One game in this number is held out, chosen by a hash of its number.
const HELD_OUT: u64 = 20;

/// Positions of games.
#[derive(Debug)]
pub(super) struct Sources {
    pub learnt: Dataset,
    pub held_out: Dataset,
    pub games: u64,
    /// Description of the games.
    pub origin: String,
    result_share: f32,
}

impl Sources {
    /// No positions of this game.
    pub(super) fn new(domain: Domain, result_share: f32) -> Sources {
        let [learnt, held_out] = [Dataset::new(domain), Dataset::new(domain)];
        Sources { learnt, held_out, games: 0, origin: String::new(), result_share }
    }

    /// Reads files of games.
    ///
    /// # Errors
    /// A file cannot be read, or is not of the same game as the first; or the games are too few.
    pub(super) fn read(paths: &[PathBuf], result_share: f32) -> Result<Sources, TrainError> {
        let mut samples = Samples::open(paths)?;
        let rules: Vec<_> = samples.origins().map(|(header, _)| header.rules.to_string()).collect();
        let domain = |name: &String| Domain::from_name(name);
        let first = rules.first().and_then(domain).ok_or(TrainError::NoFiles)?;
        if let Some(other) = rules.iter().position(|name| domain(name) != Some(first)) {
            return Err(GamesError::Other(paths[other].clone(), rules[other].clone()).into());
        }
        let mut sources = Sources::new(first, result_share);
        for sample in &mut samples {
            let sample = sample?;
            if !sources.add(&sample.position, sample.score, sample.result, sample.game) {
                break;
            }
        }
        sources.games = samples.games();
        if sources.learnt.len() == 0 || sources.held_out.len() == 0 {
            return Err(GamesError::TooFew { files: paths.to_vec(), games: sources.games }.into());
        }
        let origins = samples.origins().map(|(header, contents)| format!("{header}, {contents}"));
        sources.origin = origins.collect::<Vec<_>>().join("; ");
        Ok(sources)
    }

    /// Adds a position with the search's score in centipawns and the result, both for the side on
    /// move. Returns false if there is no room for more.
    pub(super) fn add(&mut self, position: &RootPosition, score: i16, result: GameResult, game: u64) -> bool {
        let target = self.result_share * result.points() + (1.0 - self.result_share) * expected(score.into());
        let dataset = if mix(game).is_multiple_of(HELD_OUT) { &mut self.held_out } else { &mut self.learnt };
        match position {
            RootPosition::Chess(any) => with_position!(any, position => dataset.push(position, target)),
            RootPosition::Draughts(position) => dataset.push(position, target),
        }
    }
}
