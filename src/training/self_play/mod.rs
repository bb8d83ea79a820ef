//! Games of the engine against itself at about the same number of nodes for each move: reproducible
//! on every machine (`farboard generate`).
//!
//! `player` plays a game, `adjudication` ends it, `run` plays many.

mod adjudication;
mod player;
mod run;
mod self_played;

use super::games::{Contents, GameRules, GameWriter, GamesError, Header};
use crate::chess::{self, Variant};
use crate::draughts;
use crate::draughts::endgames::solved;
use crate::random::mix;
use crate::search::bench::OpenGate;
use crate::search::{Limits, Request, Table, search};
use clap::Args;
use player::Player;
use run::Goal;
use self_played::SelfPlayed;
use std::path::PathBuf;
use std::thread::available_parallelism;

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
    /// Total number of quiet positions, instead of a number of games
    #[arg(long, conflicts_with = "games")]
    positions: Option<u64>,
    /// Nodes for each move, after which a search ends with its current depth
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed of the random moves at the beginning of each game; other seeds for other machines
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of games played at the same time; by default one for each core
    #[arg(long)]
    threads: Option<usize>,
}

/// Plays the games that the file lacks, and returns what it has then. Can be stopped at any time
/// and resumed: the file depends only on the engine, the rules, the nodes and the seed, and how far
/// it goes.
///
/// # Errors
/// The file cannot be used, there is no memory, or one engine cannot play the variant.
pub fn generate(arguments: &GenerateArguments) -> Result<Contents, GamesError> {
    if let Some(variant) = arguments.variant.filter(|variant| variant.has_partner() || variant.rules().hidden)
    {
        return Err(GamesError::NotAlone(variant));
    }
    let rules = arguments.variant.map_or(GameRules::Draughts, GameRules::Chess);
    let header = header(rules, arguments.nodes, arguments.seed)?;
    let mut writer = GameWriter::resume(&arguments.file, &header)?;
    let player = Player::new(&header, arguments.draughts.then(solved));
    let goal = arguments.positions.map_or(Goal::Games(arguments.games), Goal::Positions);
    let threads = arguments.threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from));
    run::complete(&mut writer, goal, threads, &player)?;
    Ok(writer.contents())
}

/// Returns the header of games that this program plays.
fn header(rules: GameRules, nodes: u64, seed: u64) -> Result<Header, GamesError> {
    let (random_plies, opening_limit) = match rules {
        GameRules::Chess(_) => (chess::Game::RANDOM_PLIES, chess::Game::OPENING_LIMIT),
        GameRules::Draughts => (draughts::Game::RANDOM_PLIES, draughts::Game::OPENING_LIMIT),
    };
    Ok(Header {
        rules,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        engine: behaviour(rules)?,
        weights: rules.net_hash(),
        nodes,
        random_plies,
        opening_limit,
        seed,
    })
}

/// Depth and maximum nodes of the searches of [`behaviour`].
const CHECKED: Limits = Limits { depth: Some(8), nodes: Some(20_000), optimum_nodes: None, mate: None };

/// Returns a checksum of the engine's behaviour: of searches from the start position.
fn behaviour(rules: GameRules) -> Result<u32, GamesError> {
    let table = Table::private(1).map_err(GamesError::Memory)?;
    let mut position = rules.start(0);
    let mut hash = 0;
    for _ in 0..4 {
        let request = Request { limits: CHECKED, ..Request::of(position) };
        let done = search(&request, &table, &mut OpenGate::new(), &mut |_| {});
        hash = mix(hash ^ done.nodes) ^ done.score.0 as u64;
        done.best.into_iter().for_each(|mv| position.play(mv));
    }
    Ok((mix(hash) >> 32) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::games::Samples;
    use crate::training::games::tests::TemporaryFile;

    fn arguments(file: &TemporaryFile, name: &str, games: u64) -> GenerateArguments {
        GenerateArguments {
            file: file.0.clone(),
            variant: name.parse().ok(),
            draughts: name == "draughts",
            games,
            positions: None,
            nodes: 60,
            seed: 3,
            threads: Some(1),
        }
    }

    #[test]
    fn variants_for_several_engines_are_refused() {
        for (name, instead) in [("bughouse", "crazyhouse"), ("kriegspiel", "normal")] {
            let file = TemporaryFile::new(name);
            let error = generate(&arguments(&file, name, 1)).unwrap_err();
            assert!(matches!(error, GamesError::NotAlone(_)), "{error}");
            assert!(error.to_string().contains(instead), "{error}");
            assert!(!file.0.exists(), "nothing is written");
        }
    }

    #[test]
    fn files_do_not_depend_on_threads_and_interruptions() {
        for name in ["atomic", "fischerandom", "draughts"] {
            let [whole, parts] = ["whole-run", "parts-run"].map(TemporaryFile::new);
            let contents = generate(&arguments(&whole, name, 4)).unwrap();
            assert_eq!(contents.games, 4);
            generate(&arguments(&parts, name, 1)).unwrap();
            let mut bytes = std::fs::read(&parts.0).unwrap();
            bytes.extend([9, 0, 1, 2]);
            std::fs::write(&parts.0, bytes).unwrap();
            let rest = GenerateArguments { threads: Some(3), ..arguments(&parts, name, 4) };
            assert_eq!(generate(&rest).unwrap(), contents);
            assert!(std::fs::read(&whole.0).unwrap() == std::fs::read(&parts.0).unwrap(), "{name}");
            let samples = Samples::open(std::slice::from_ref(&whole.0)).unwrap();
            assert_eq!(samples.map(Result::unwrap).count() as u64, contents.positions);
            let other = GenerateArguments { nodes: 61, ..arguments(&parts, name, 4) };
            assert!(matches!(generate(&other), Err(GamesError::Other(..))));
        }
    }

    #[test]
    fn a_number_of_positions_is_reached_with_as_few_games_as_possible() {
        let [few, more] = ["few", "more"].map(TemporaryFile::new);
        let limited = GenerateArguments { positions: Some(100), ..arguments(&few, "normal", 0) };
        let contents = generate(&limited).unwrap();
        assert!(contents.positions >= 100);
        let fewer = generate(&arguments(&more, "normal", contents.games - 1)).unwrap();
        assert!(fewer.positions < 100);
        assert_eq!(generate(&limited).unwrap(), contents);
    }
}
