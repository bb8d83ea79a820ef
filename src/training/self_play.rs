//! Games of the engine against itself at a fixed number of nodes for each move: reproducible on
//! every machine.

use super::positions::{GameFile, GameRecord, Judged, PositionsError};
use super::self_played::SelfPlayed;
use crate::chess::{AnyPosition, Color, Game, Outcome, Variant, shuffled};
use crate::draughts;
use crate::draughts::endgames::solved;
use crate::progress_bar::ProgressBar;
use crate::random::mix;
use crate::search::bench::OpenGate;
use crate::search::tuning::{network_hash, weights_hash};
use crate::search::{Knowledge, Limits, Past, Request, Score, Table, search};
use clap::Args;
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;

/// Number of plies at which a game is declared a draw.
const MAX_PLIES: usize = 400;
/// Size of each game's table in MiB.
const TABLE: usize = 4;

/// Arguments of `farboard generate`.
#[derive(Args)]
pub struct GenerateArguments {
    /// File of the games; existing games are kept, and only missing ones are played
    file: PathBuf,
    /// Variant, by its name in files
    #[arg(long, required_unless_present = "draughts")]
    pub variant: Option<Variant>,
    /// Play English draughts
    #[arg(long, conflicts_with = "variant")]
    pub draughts: bool,
    /// Total number of games
    #[arg(long, default_value_t = 2000)]
    games: u64,
    /// Nodes for each move
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// Positions kept of each game
    #[arg(long, default_value_t = 12)]
    positions: usize,
    /// Seed of the random moves at the beginning of each game
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of games played at the same time
    #[arg(long, default_value_t = 2)]
    threads: u8,
}

/// Plays the games that the file lacks. Can be stopped at any time and resumed.
///
/// # Errors
/// The file cannot be used, there is no memory, or one engine cannot play the variant.
pub fn generate(arguments: &GenerateArguments) -> Result<(), PositionsError> {
    let GenerateArguments { file: path, games, .. } = arguments;
    if let Some(variant) = arguments.variant.filter(|variant| variant.has_partner() || variant.rules().hidden)
    {
        return Err(PositionsError::NotAlone(variant));
    }
    let file_error = |error| PositionsError::File(path.clone(), error);
    let (rules, weights) = match arguments.variant {
        Some(variant) => (variant.name(), weights_hash(variant.rules())),
        None => ("draughts", network_hash()),
    };
    let GenerateArguments { nodes, positions, seed, .. } = arguments;
    let origin = format!(
        "{rules}: games of {nodes} nodes a move, {positions} positions of each, seed {seed}, played with weights {weights:08x}"
    );
    let present = GameFile::read(path)?;
    if let Some(other) = present.origin.as_ref().filter(|&other| *other != origin) {
        return Err(PositionsError::Origin(path.clone(), other.clone()));
    }
    let mut file = open(path, &present, &origin).map_err(file_error)?;
    let present: HashSet<u64> = present.games.iter().map(|game| game.number).collect();
    let missing: Vec<u64> = (0..*games).filter(|number| !present.contains(number)).collect();
    play_missing(arguments, &missing, &mut file)
}

/// Plays these games in several threads and appends each to the file.
fn play_missing(
    arguments: &GenerateArguments,
    missing: &[u64],
    file: &mut File,
) -> Result<(), PositionsError> {
    let mut done = arguments.games - missing.len() as u64;
    let mut progress = ProgressBar::new("games", done, arguments.games);
    let next = AtomicU64::new(0);
    let (sender, finished) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..arguments.threads.max(1) {
            let (sender, next, missing) = (sender.clone(), &next, missing);
            scope.spawn(move || {
                while let Some(&number) = missing.get(next.fetch_add(1, Relaxed) as usize) {
                    // The receiver is gone if the file cannot be written.
                    let game = match arguments.variant {
                        Some(variant) => play(|dice| start(variant, dice), arguments, number),
                        None => play(|_| draughts::Game::new(), arguments, number),
                    };
                    if sender.send(game).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for game in finished {
            file.write_all(game?.to_string().as_bytes())
                .map_err(|error| PositionsError::File(arguments.file.clone(), error))?;
            done += 1;
            progress.show(done, "");
        }
        Ok(())
    })
}

/// Opens a file with these games to append more.
fn open(path: &Path, present: &GameFile, origin: &str) -> io::Result<File> {
    let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    // Overwrites a truncated line.
    file.set_len(present.len)?;
    file.seek(SeekFrom::End(0))?;
    if present.origin.is_none() {
        writeln!(file, "# {origin}")?;
    }
    Ok(file)
}

/// Plays a game, which depends only on the engine, the arguments and its number.
fn play<G: SelfPlayed>(
    start: impl Fn(&mut Dice) -> G,
    arguments: &GenerateArguments,
    number: u64,
) -> Result<GameRecord, PositionsError> {
    let mut dice = Dice(mix(arguments.seed ^ mix(number)));
    let mut game = opening(start, &mut dice);
    let table = Table::private(TABLE).map_err(PositionsError::Memory)?;
    let endgames = arguments.draughts.then(solved);
    let mut positions = Vec::new();
    while game.outcome(endgames.as_deref()).is_none() && game.plies() < MAX_PLIES {
        let limits = Limits { nodes: Some(arguments.nodes), ..Limits::default() };
        let request = Request {
            past: Past { history: game.earlier(), played: None },
            limits,
            knowledge: Knowledge { endgames: endgames.clone(), ..Knowledge::default() },
            game: true,
            ..Request::of(game.root())
        };
        let done = search(&request, &table, &mut OpenGate::new(), &mut |_| {});
        let Some(mv) = done.best else { break };
        if done.score.0.abs() < Score::MATE_BOUND.0 && game.is_quiet(mv) {
            let score = Some(from_white(game.root().turn(), done.score.0));
            positions.push(Judged { fen: game.fen(), score });
        }
        game.play_word(mv);
    }
    while positions.len() > arguments.positions {
        let dropped = dice.below(positions.len());
        positions.swap_remove(dropped);
    }
    let result = match game.outcome(endgames.as_deref()) {
        Some(Outcome::Win(Color::White)) => 1.0,
        Some(Outcome::Win(Color::Black)) => 0.0,
        _ => 0.5,
    };
    Ok(GameRecord { number, result, positions })
}

/// Returns a game after random moves that is not over.
fn opening<G: SelfPlayed>(start: impl Fn(&mut Dice) -> G, dice: &mut Dice) -> G {
    loop {
        let mut game = start(dice);
        let plies = G::RANDOM_PLIES + dice.below(G::RANDOM_PLIES as usize) as u64;
        for _ in 0..plies {
            let moves = game.root().legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play_word(moves[dice.below(moves.len())]);
        }
        if game.outcome(None).is_none() {
            return game;
        }
    }
}

/// Returns the start of a game of chess before its random moves.
fn start(variant: Variant, dice: &mut Dice) -> Game {
    if variant != Variant::FISCHERANDOM {
        return Game::new(variant);
    }
    let fen = shuffled(&mut |sides| dice.below(sides));
    Game::from_position(AnyPosition::from_fen(variant, &fen).expect("a start position is legal"))
}

/// Converts a score of the side on move to White's view.
fn from_white(turn: Color, score: i32) -> i32 {
    if turn == Color::White { score } else { -score }
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
        let variant = "atomic".parse().ok();
        GenerateArguments {
            file,
            variant,
            draughts: false,
            games,
            nodes: 60,
            positions: 12,
            seed: 3,
            threads: 1,
        }
    }

    #[test]
    fn variants_for_several_engines_are_refused() {
        for (name, instead) in [("bughouse", "crazyhouse"), ("kriegspiel", "normal")] {
            let file = std::env::temp_dir().join(format!("farboard-{name}-{}", std::process::id()));
            let refused = GenerateArguments { variant: name.parse().ok(), ..arguments(file.clone(), 1) };
            let error = generate(&refused).unwrap_err();
            assert!(matches!(error, PositionsError::NotAlone(_)), "{error}");
            assert!(error.to_string().contains(instead), "{error}");
            assert!(!file.exists(), "nothing is written");
        }
    }

    #[test]
    fn an_interrupted_run_resumes_with_the_same_games() {
        let path = |name| std::env::temp_dir().join(format!("farboard-{name}-{}", std::process::id()));
        let (whole, parts) = (path("whole"), path("parts"));
        generate(&arguments(whole.clone(), 3)).unwrap();
        generate(&arguments(parts.clone(), 1)).unwrap();
        // A truncated line.
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
