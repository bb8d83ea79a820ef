//! Games of the engine against itself, at a fixed number of nodes for each move: the same on every machine.

use super::positions::{GameFile, GameRecord, Judged, PositionsError};
use crate::chess::zobrist::mix;
use crate::chess::{AnyPosition, Color, Game, Move, Outcome, Variant, shuffled};
use crate::progress_bar::ProgressBar;
use crate::search::bench::OpenGate;
use crate::search::tuning::weights_hash;
use crate::search::{Contexts, Limits, Request, Score, Table, search_in};
use clap::Args;
use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;

/// A longer game is a draw.
const MAX_PLIES: usize = 400;
/// Random plies at the beginning: at least this many, and up to as many more.
const RANDOM_PLIES: u64 = 6;
/// MiB of the table of each game.
const TABLE: usize = 4;

/// Arguments of `farboard generate`.
#[derive(Args)]
pub struct GenerateArguments {
    /// File of the games; games that it already has are kept, and only missing ones are played
    file: PathBuf,
    /// The rules, by their name in files
    #[arg(long)]
    pub variant: Variant,
    /// Games in all
    #[arg(long, default_value_t = 2000)]
    games: u64,
    /// Nodes for each move
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// Positions of each game that are kept
    #[arg(long, default_value_t = 12)]
    positions: usize,
    /// The seed of the random moves at the beginning of each game
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games played at the same time
    #[arg(long, default_value_t = 2)]
    threads: u8,
}

/// Plays the games that the file lacks. Can be stopped at any time, and goes on where it was.
///
/// # Errors
/// The file cannot be used, or there is no memory.
pub fn generate(arguments: &GenerateArguments) -> Result<(), PositionsError> {
    let GenerateArguments { file: path, games, threads, .. } = arguments;
    let file_error = |error| PositionsError::File(path.clone(), error);
    let origin = format!(
        "{}: games of {} nodes a move, seed {}, played with weights {:08x}",
        arguments.variant.name(),
        arguments.nodes,
        arguments.seed,
        weights_hash(arguments.variant.rules())
    );
    let present = GameFile::read(path)?;
    if let Some(other) = present.origin.as_ref().filter(|&other| *other != origin) {
        return Err(PositionsError::Origin(path.clone(), other.clone()));
    }
    let (is_new, len) = (present.origin.is_none(), present.len);
    let present: HashSet<u64> = present.games.iter().map(|game| game.number).collect();
    let missing: Vec<u64> = (0..*games).filter(|number| !present.contains(number)).collect();
    let mut file =
        OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(file_error)?;
    // A line that was cut off is written again.
    file.set_len(len).map_err(file_error)?;
    file.seek(SeekFrom::End(0)).map_err(file_error)?;
    if is_new {
        writeln!(file, "# {origin}").map_err(file_error)?;
    }

    let mut done = games - missing.len() as u64;
    let mut progress = ProgressBar::new("games", done, *games);
    let next = AtomicU64::new(0);
    let (sender, finished) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..(*threads).max(1) {
            let (sender, next, missing) = (sender.clone(), &next, &missing);
            scope.spawn(move || {
                while let Some(&number) = missing.get(next.fetch_add(1, Relaxed) as usize) {
                    // Nobody receives when the file cannot be written.
                    if sender.send(play(arguments, number)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for game in finished {
            file.write_all(game?.to_string().as_bytes()).map_err(file_error)?;
            done += 1;
            progress.show(done, "");
        }
        Ok(())
    })
}

/// Plays a game, which depends on the engine, the arguments and its number alone.
fn play(arguments: &GenerateArguments, number: u64) -> Result<GameRecord, PositionsError> {
    let mut dice = Dice(mix(arguments.seed ^ mix(number)));
    let mut game = opening(arguments.variant, &mut dice);
    let table = Table::private(TABLE).map_err(PositionsError::Memory)?;
    let contexts = Contexts::default();
    let mut positions = Vec::new();
    while game.ending().is_none() && game.moves().len() < MAX_PLIES {
        let limits = Limits { nodes: Some(arguments.nodes), ..Limits::default() };
        let request =
            Request { history: game.history(), limits, game: true, ..Request::of(*game.position()) };
        let done = search_in(&contexts, &request, &table, &mut OpenGate::new(), &mut |_| {});
        let Some(mv) = done.best else { break };
        if done.score.0.abs() < Score::MATE_BOUND.0 && is_quiet(game.position(), mv) {
            let score = from_white(game.position(), done.score.0);
            positions.push(Judged { fen: game.position().fen(), score: Some(score) });
        }
        game.play(mv);
    }
    while positions.len() > arguments.positions {
        let dropped = dice.below(positions.len());
        positions.swap_remove(dropped);
    }
    let result = match game.ending() {
        Some((Outcome::Win(Color::White), _)) => 1.0,
        Some((Outcome::Win(Color::Black), _)) => 0.0,
        _ => 0.5,
    };
    Ok(GameRecord { number, result, positions })
}

/// A game that has begun with random moves and is not over.
fn opening(variant: Variant, dice: &mut Dice) -> Game {
    loop {
        let mut game = Game::from_position(start(variant, dice));
        let plies = RANDOM_PLIES + dice.below(RANDOM_PLIES as usize) as u64;
        for _ in 0..plies {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(moves[dice.below(moves.len())]);
        }
        if game.ending().is_none() {
            return game;
        }
    }
}

/// Where a game begins, before its random moves.
fn start(variant: Variant, dice: &mut Dice) -> AnyPosition {
    if variant != Variant::FISCHERANDOM {
        return AnyPosition::start(variant);
    }
    let fen = shuffled(&mut |sides| dice.below(sides));
    AnyPosition::from_fen(variant, &fen).expect("a start position is legal")
}

/// Whether the static evaluation is asked for such positions. In orthodox chess it is not where something is about to be taken.
fn is_quiet(position: &AnyPosition, best: Move) -> bool {
    let orthodox = matches!(position, AnyPosition::Standard(_));
    crate::with_position!(position, position => {
        let noisy = orthodox && (position.is_capture(best) || best.promotion().is_some());
        !position.in_check() && !position.must_capture() && !noisy
    })
}

/// White's view of a score of the side on move.
fn from_white(position: &AnyPosition, score: i32) -> i32 {
    if position.turn() == Color::White { score } else { -score }
}

/// Random numbers of a game.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(1);
        (mix(self.0) % sides.max(1) as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(file: PathBuf, games: u64) -> GenerateArguments {
        let variant = "atomic".parse().unwrap();
        GenerateArguments { file, variant, games, nodes: 60, positions: 12, seed: 3, threads: 1 }
    }

    #[test]
    fn what_was_interrupted_goes_on_to_the_same_games() {
        let path = |name| std::env::temp_dir().join(format!("farboard-{name}-{}", std::process::id()));
        let (whole, parts) = (path("whole"), path("parts"));
        generate(&arguments(whole.clone(), 3)).unwrap();
        generate(&arguments(parts.clone(), 1)).unwrap();
        // The beginning of a line that was never finished.
        std::fs::OpenOptions::new().append(true).open(&parts).unwrap().write_all(b"1 0.5 8/8").unwrap();
        generate(&arguments(parts.clone(), 3)).unwrap();
        let text = std::fs::read_to_string(&whole).unwrap();
        assert_eq!(text, std::fs::read_to_string(&parts).unwrap());
        assert_eq!(text.lines().count(), 4);
        let other = GenerateArguments { nodes: 61, ..arguments(parts.clone(), 3) };
        assert!(matches!(generate(&other), Err(PositionsError::Origin(..))));
        [whole, parts].iter().for_each(|path| std::fs::remove_file(path).unwrap());
    }
}
