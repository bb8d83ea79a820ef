//! The arguments of `farboard match`.

use super::adjudication::{Adjudication, DrawRule, ResignRule};
use super::engine_spec::EngineSpec;
use super::error::MatchError;
use super::player::{Player, numbered_option, option};
use super::sprt::Hypotheses;
use crate::chess::Variant;
use crate::engines::time_control::Clock;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `farboard match`.
#[derive(Args, Clone, Debug)]
pub struct Plan {
    /// The first engine: `farboard` (in this process), `xboard:COMMAND`, `uci:COMMAND`, or
    /// `tcp:HOST:PORT` for a server that speaks xboard; `checkers:COMMAND` plays draughts
    pub first: EngineSpec,
    /// The second engine. With further ones, the first plays against each of them
    #[arg(required = true, value_name = "SECOND")]
    pub opponents: Vec<EngineSpec>,
    /// The rules, by their name in files
    #[arg(long, default_value = "normal")]
    pub variant: Variant,
    /// Games of English draughts, from three-move ballots
    #[arg(long, conflicts_with = "variant")]
    pub draughts: bool,
    /// Games against each opponent; an odd number is made even
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    /// Seconds on the clock, and seconds added after each move
    #[arg(long, value_name = "BASE+INCREMENT", default_value = "5+0.05", conflicts_with_all = ["nodes", "seconds"])]
    pub clock: Clock,
    /// Seconds for each move
    #[arg(long, value_name = "SECONDS", conflicts_with = "nodes", value_parser = seconds_per_move)]
    pub seconds: Option<f64>,
    /// Nodes for each move, or a number for each engine: the same games on every machine. Not for
    /// engines that speak xboard
    #[arg(long, value_name = "N[,N...]", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Vec<u64>,
    /// With --nodes N for the first engine: before the match, find the number at which each
    /// opponent uses the same CPU time
    #[arg(long, requires = "nodes", conflicts_with_all = ["draughts", "cpu_time"])]
    pub cpu_equal: bool,
    /// Count the CPU time of an engine, and not time on the wall: for machines that run other
    /// programs
    #[arg(long)]
    pub cpu_time: bool,
    /// Milliseconds by which a clock may be overdrawn
    #[arg(long, default_value_t = 50)]
    pub margin: u64,
    /// Table of each engine in MiB, where it can be set; in bughouse and kriegspiel the sessions of
    /// this program share one
    #[arg(long, default_value_t = 16)]
    pub hash: usize,
    /// Games played at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    pub concurrency: u8,
    /// A file of openings: games as PGN (PDN), or one EPD or FEN per line, for draughts also moves
    /// from the start [default: built-in openings]
    #[arg(long)]
    pub openings: Option<PathBuf>,
    /// Plies of each game in a file of games that make an opening [default: all of its moves]
    #[arg(long, requires = "openings")]
    pub plies: Option<usize>,
    /// Seed of the first opening, and of random choices by engines in this process
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// A longer game is a draw; in plies
    #[arg(long, default_value_t = 400)]
    pub max_plies: usize,
    /// A game is drawn if, after AFTER moves, the scores of both engines have been within
    /// CENTIPAWNS of 0 for MOVES moves
    #[arg(long, value_name = "AFTER,MOVES,CENTIPAWNS")]
    pub draw: Option<DrawRule>,
    /// A game is lost if the loser's scores, and without one-sided the winner's too, have been
    /// beyond CENTIPAWNS for MOVES moves
    #[arg(long, value_name = "MOVES,CENTIPAWNS[,one-sided]")]
    pub resign: Option<ResignRule>,
    /// End a game when its result with best play is known: by the endgame database of draughts, in
    /// chess by material
    #[arg(long)]
    pub known_endings: bool,
    /// A file to which games are added as PGN, or for draughts as PDN
    #[arg(long)]
    pub pgn: Option<PathBuf>,
    /// End as soon as one of two differences in Elo is refuted (SPRT with errors of 5 %)
    #[arg(long, value_name = "ELO0,ELO1")]
    pub sprt: Option<Hypotheses>,
    /// An option of the first engine, NAME=VALUE, as often as needed
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    pub first_option: Vec<(String, String)>,
    /// An option of the second engine
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    pub second_option: Vec<(String, String)>,
    /// An option of any engine, by its number from 1
    #[arg(long, value_name = "ENGINE:NAME=VALUE", value_parser = numbered_option)]
    pub option: Vec<(usize, (String, String))>,
}

impl Plan {
    /// The name of the rules.
    pub(super) fn rules(&self) -> &'static str {
        if self.draughts { "draughts" } else { self.variant.name() }
    }

    /// All engines, the first one first.
    pub(super) fn players(&self) -> Vec<Player> {
        let specs = std::iter::once(&self.first).chain(&self.opponents);
        let player = |(index, spec): (usize, &EngineSpec)| {
            let own: &[_] = match index {
                0 => &self.first_option,
                1 => &self.second_option,
                _ => &[],
            };
            let numbered = self.option.iter().filter(|(number, _)| *number == index + 1);
            let options = own.iter().chain(numbered.map(|(_, option)| option)).cloned().collect();
            let nodes = self.nodes.get(index).or(self.nodes.first()).copied();
            Player { spec: spec.clone(), options, nodes }
        };
        specs.enumerate().map(player).collect()
    }

    /// When a game ends early.
    pub(super) fn adjudication(&self) -> Adjudication {
        let Plan { draw, resign, known_endings, max_plies, .. } = *self;
        Adjudication { draw, resign, known_endings, max_plies }
    }

    /// Returns an error if the match cannot be played from that number of openings.
    pub(super) fn check(&self, openings: usize) -> Result<(), MatchError> {
        self.check_numbers()?;
        let by_clock = self.nodes.is_empty() && self.seconds.is_none() && !self.cpu_time;
        let adjudicates = self.draw.is_some() || self.resign.is_some() || self.known_endings;
        if self.variant.has_partner() && (!by_clock || self.openings.is_some() || adjudicates) {
            return Err(MatchError::Argument(
                "bughouse needs the start position and a clock on the wall, as boards wait for each other, and \
                 is played to its end",
            ));
        }
        if !self.nodes.is_empty() && self.pairs() as usize > openings {
            return Err(MatchError::TooFewOpenings { openings });
        }
        let has = |kind: fn(&EngineSpec) -> bool| kind(&self.first) || self.opponents.iter().any(kind);
        if self.cpu_time && has(|spec| matches!(spec, EngineSpec::Checkers(..))) {
            return Err(MatchError::Argument(
                "engines of the Checkers Protocol read a clock on the wall: leave out --cpu-time",
            ));
        }
        if (self.cpu_time || self.cpu_equal) && has(|spec| matches!(spec, EngineSpec::Tcp(_))) {
            return Err(MatchError::Argument(
                "the CPU time of a server is unknown: leave out --cpu-time and --cpu-equal",
            ));
        }
        Ok(())
    }

    /// Returns an error if numbers of nodes, options or hypotheses do not fit the engines.
    fn check_numbers(&self) -> Result<(), MatchError> {
        let engines = 1 + self.opponents.len();
        if self.nodes.len() > 1 && self.nodes.len() != engines {
            return Err(MatchError::Argument("--nodes takes one number, or one for each engine"));
        }
        if self.cpu_equal && self.nodes.len() > 1 {
            return Err(MatchError::Argument("--cpu-equal takes the nodes of the first engine only"));
        }
        if self.option.iter().any(|&(number, _)| number > engines) {
            return Err(MatchError::Argument("--option names an engine that there is not"));
        }
        if self.sprt.is_some() && engines > 2 {
            return Err(MatchError::Argument("--sprt compares two engines"));
        }
        Ok(())
    }

    /// Games against all opponents.
    pub fn all_games(&self) -> u32 {
        2 * self.pairs() * self.opponents.len() as u32
    }

    /// Pairs of games against each opponent.
    pub(super) fn pairs(&self) -> u32 {
        self.games.max(1).div_ceil(2)
    }
}

/// Reads the time for each move in seconds.
fn seconds_per_move(text: &str) -> Result<f64, String> {
    let seconds: Option<f64> = text.parse().ok();
    seconds
        .filter(|seconds| (0.001..=36_000.0).contains(seconds))
        .ok_or_else(|| "it must be a number from 0.001 to 36000".to_owned())
}
