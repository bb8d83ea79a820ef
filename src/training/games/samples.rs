//! The quiet positions of games, as samples to train on.

use super::reader::GameReader;
use super::{Contents, GamesError, Header};
use crate::chess::{Color, Outcome};
use crate::search::RootPosition;
use std::collections::VecDeque;
use std::path::PathBuf;

/// The result of a game for one side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GameResult {
    /// That side lost.
    Loss,
    /// Neither side won.
    Draw,
    /// That side won.
    Win,
}

impl GameResult {
    /// The result of an outcome for a side.
    pub fn of(outcome: Outcome, side: Color) -> GameResult {
        match outcome {
            Outcome::Draw => GameResult::Draw,
            Outcome::Win(winner) if winner == side => GameResult::Win,
            Outcome::Win(_) => GameResult::Loss,
        }
    }

    /// Returns 0, 0.5 or 1.
    pub fn points(self) -> f32 {
        match self {
            GameResult::Loss => 0.0,
            GameResult::Draw => 0.5,
            GameResult::Win => 1.0,
        }
    }
}

/// A quiet position: the search's best move there is no capture and no promotion, no side is in
/// check, and no mate was found. Random plies before the game are not sampled.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The position.
    pub position: RootPosition,
    /// Score of the search in centipawns from the view of the side on move; below mate scores.
    pub score: i16,
    /// The result of the game for the side on move.
    pub result: GameResult,
    /// Number of the game among all games of all files, from 0: samples with the same number are
    /// of the same game.
    pub game: u64,
    /// Number of plies played before, with random ones.
    pub ply: u16,
}

/// The samples of files, one game after another in the order of the files. Takes no more memory for
/// a larger file.
#[derive(Debug)]
pub struct Samples {
    files: Vec<GameReader>,
    /// Index of the file being read.
    current: usize,
    /// Number of games read.
    games: u64,
    /// Samples of the last game that are left.
    left: VecDeque<Sample>,
}

impl Samples {
    /// Opens files.
    ///
    /// # Errors
    /// A file cannot be read or is not a file of games, or two files have the same games.
    pub fn open(paths: &[PathBuf]) -> Result<Samples, GamesError> {
        let files = paths.iter().map(|path| GameReader::open(path)).collect::<Result<Vec<_>, _>>()?;
        for (index, file) in files.iter().enumerate() {
            if let Some(other) = files[..index].iter().find(|other| other.header() == file.header()) {
                return Err(GamesError::Twice(other.path().to_owned(), file.path().to_owned()));
            }
        }
        Ok(Samples { files, current: 0, games: 0, left: VecDeque::new() })
    }

    /// Returns the header of each file, and what was read of it: after the last sample, all of it.
    pub fn origins(&self) -> impl Iterator<Item = (&Header, Contents)> {
        self.files.iter().map(|file| (file.header(), file.contents()))
    }

    /// Returns the number of games read.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Reads the samples of the next game. Returns false after the last one.
    fn read_game(&mut self) -> Result<bool, GamesError> {
        let Some(file) = self.files.get_mut(self.current) else { return Ok(false) };
        let illegal = GamesError::Illegal(file.path().to_owned(), file.contents().games);
        let Some(replay) = file.replay_next()? else {
            self.current += 1;
            return Ok(true);
        };
        let outcome = replay.summary().outcome;
        for (ply, played) in replay.enumerate() {
            let Ok(played) = played else { return Err(illegal) };
            let Some(score) = played.quiet_score() else { continue };
            let position = played.position;
            let result = GameResult::of(outcome, position.turn());
            self.left.push_back(Sample { position, score, result, game: self.games, ply: ply as u16 });
        }
        self.games += 1;
        Ok(true)
    }
}

impl Iterator for Samples {
    type Item = Result<Sample, GamesError>;

    /// Ends after an error.
    fn next(&mut self) -> Option<Result<Sample, GamesError>> {
        loop {
            if let Some(sample) = self.left.pop_front() {
                return Some(Ok(sample));
            }
            match self.read_game() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    (self.current, self.left) = (self.files.len(), VecDeque::new());
                    return Some(Err(error));
                }
            }
        }
    }
}
