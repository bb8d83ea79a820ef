//! Three-move ballots, the openings of draughts: from the start position nearly all games are
//! drawn.
//!
//! A line of a file has moves from the start position, or a position in PDN's FEN.

use super::{LineError, OpeningsError, distinct, of_file};
use crate::chess::{GameStart, read_games};
use crate::draughts::{Game, Move, Position};
use crate::random::mix;
use crate::search::bench::OpenGate;
use crate::search::{Limits, Request, Table, search};
use std::collections::HashSet;
use std::io;
use std::path::Path;

/// The built-in ballots, made by `farboard openings --draughts`.
const OWN: &str = include_str!("draughts.txt");

/// Positions after three moves.
pub const ALL: usize = 216;
/// Plies of a ballot.
const PLIES: usize = 3;
/// Size of the table of the search, in MiB.
const TABLE: usize = 16;

/// A ballot and its score.
#[derive(Clone, Debug)]
pub struct Ballot {
    game: Game,
    /// Centipawns, from the view of the side to move.
    pub score: i32,
}

impl Ballot {
    /// Its moves, and the score behind `;`.
    pub fn line(&self) -> String {
        let mut position = *self.game.start();
        let words = self.game.moves().iter().map(|&mv| {
            let word = position.pdn(mv);
            position.play(mv);
            word
        });
        let words: Vec<String> = words.collect();
        format!("{}; {}", words.join(" "), self.score)
    }
}

/// The ballots of a file, or the built-in ones. A file of games gives the position after `plies` of
/// each game, or after all of its moves. Each position counts once.
///
/// # Errors
/// The file cannot be used.
pub fn ballots(file: Option<&Path>, plies: Option<usize>) -> Result<Vec<Position>, OpeningsError> {
    of_file(file, OWN, position, |text| of_games(text, plies), Position::key)
}

/// The distinct positions after the first plies of games in PDN.
fn of_games(text: &str, plies: Option<usize>) -> Result<Vec<Position>, OpeningsError> {
    let begin = |start: GameStart<'_>| {
        let position = start.fen.map_or(Ok(Position::start()), Position::from_fen);
        position.map(Game::from_position).map_err(LineError::Draughts)
    };
    let play = |game: &mut Game, word: &str| {
        game.play(parsed(game.position(), word)?);
        game.ending().map_or(Ok(()), |_| Err(LineError::Ended))
    };
    let games = read_games(text, (usize::MAX, plies), begin, play)?;
    Ok(distinct(games.into_iter().map(|game| *game.position()).collect(), Position::key))
}

fn parsed(position: &Position, word: &str) -> Result<Move, LineError> {
    position.parse_move(word).map_err(|error| LineError::DraughtsMove(word.to_owned(), error))
}

fn position(line: &str) -> Result<Position, LineError> {
    let position = read_position(line)?;
    position.outcome().map_or(Ok(position), |_| Err(LineError::Ended))
}

fn read_position(line: &str) -> Result<Position, LineError> {
    let line = line.split(';').next().unwrap_or(line);
    // A FEN has a colon as its second letter.
    if line.trim_start().get(1..2) == Some(":") {
        return Position::from_fen(line).map_err(LineError::Draughts);
    }
    let mut position = Position::start();
    for text in line.split_whitespace() {
        position.play(parsed(&position, text)?);
    }
    Ok(position)
}

/// All games of three plies that end in different positions, in a random order: any part of them is
/// a fair sample.
fn all() -> Vec<Game> {
    let mut games = vec![Game::new()];
    for _ in 0..PLIES {
        let next = games.iter().flat_map(|game| {
            game.position().legal_moves().into_iter().map(move |mv| {
                let mut next = game.clone();
                next.play(mv);
                next
            })
        });
        games = next.collect();
    }
    let mut known = HashSet::new();
    games.retain(|game| known.insert(game.position().key()));
    games.sort_by_key(|game| mix(game.position().key()));
    games
}

/// Searches each ballot with this number of nodes, and calls `each` with it and with whether it is
/// even within the margin in centipawns.
///
/// # Errors
/// There is no memory for the table.
pub fn make(nodes: u64, margin: i32, mut each: impl FnMut(&Ballot, bool)) -> io::Result<()> {
    for game in all() {
        // A table of its own: a score must not depend on earlier ballots.
        let table = Table::private(TABLE)?;
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let request = Request { limits, game: true, ..Request::of(*game.position()) };
        let score = search(&request, &table, &mut OpenGate::new(), &mut |_| {}).score.0;
        each(&Ballot { game, score }, score.abs() <= margin);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    #[test]
    fn ours_are_among_those_that_there_are() {
        let all: HashSet<u64> = all().iter().map(|game| game.position().key()).collect();
        assert_eq!(all.len(), ALL);
        let ours = ballots(None, None).unwrap();
        let keys: HashSet<u64> = ours.iter().map(Position::key).collect();
        assert_eq!(keys.len(), ours.len(), "no two alike");
        assert!(keys.is_subset(&all));
        // As many as the associations of the game count.
        assert_eq!(ours.len(), 174);
    }

    #[test]
    fn a_ballot_that_loses_a_man_is_barred() {
        let ours: HashSet<u64> = ballots(None, None).unwrap().iter().map(Position::key).collect();
        let has = |moves: &str| ours.contains(&position(moves).unwrap().key());
        assert!(!has("12-16 23-18 10-14") && !has("11-15 23-19 12-16"));
        assert!(has("11-15 23-19 8-11") && has("9-14 22-18 5-9"));
    }

    #[test]
    fn what_is_made_can_be_read_again() {
        let (mut lines, mut count) = (String::new(), 0);
        make(300, 100, |ballot, even| {
            if even {
                lines.push_str(&format!("{}\n", ballot.line()));
                count += 1;
            }
        })
        .unwrap();
        let read = read(&lines, position).unwrap();
        assert!(count > 100 && read.len() == count, "{count} of {}", read.len());
    }

    #[test]
    fn games_are_ballots_up_to_some_plies() {
        let text = "[Event \"a\"]\n1. 11-15 23-19 2. 8-11 22-17 {0.1s} 1-0\n\n[Event \"b\"]\n1. 11-15 23-19 2. 8-11 *";
        let openings = of_games(text, Some(3)).unwrap();
        assert_eq!(openings.len(), 1, "each position once");
        assert_eq!(openings[0].fen(), position("11-15 23-19 8-11").unwrap().fen());
        let error = of_games("[Event \"a\"]\n1. 11-15 23-18\n2. 8-12 *", None).unwrap_err();
        assert!(error.to_string().starts_with("openings, line 3: 8-12: "), "{error}");
    }

    #[test]
    fn a_position_may_stand_in_place_of_moves_and_a_wrong_line_is_named() {
        let fen = "W:W21,22,23:B1,2,K30";
        assert_eq!(
            read(&format!("# one\n\n{fen}\n"), position).unwrap()[0].fen(),
            Position::from_fen(fen).unwrap().fen()
        );
        for wrong in ["9-14 9-14", "9-14 nonsense", "W:W21:B21", "B:"] {
            let error = read(&format!("11-15\n{wrong}\n"), position).unwrap_err();
            assert!(error.to_string().starts_with("openings, line 2: "), "{error}");
        }
    }
}
