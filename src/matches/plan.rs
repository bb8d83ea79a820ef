//! The arguments of `farboard match`.

use super::clock::Timing;
use super::engine_spec::EngineSpec;
use super::error::{EngineError, MatchError};
use super::sprt::Hypotheses;
use crate::chess::Variant;
use crate::engines::time_control::{Clock, TimeControl};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `farboard match`.
#[derive(Args, Clone, Debug)]
pub struct Plan {
    /// The first engine: `farboard` (in this process), `xboard:COMMAND`, `uci:COMMAND`, or
    /// `tcp:HOST:PORT` for a server that speaks xboard; `checkers:COMMAND` plays draughts
    pub first: EngineSpec,
    /// The second engine
    pub second: EngineSpec,
    /// The rules, by their name in files
    #[arg(long, default_value = "normal")]
    pub variant: Variant,
    /// Games of English draughts, from three-move ballots
    #[arg(long, conflicts_with = "variant")]
    pub draughts: bool,
    /// Games in all; an odd number is made even
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    /// Seconds on the clock, and seconds added after each move
    #[arg(long, value_name = "BASE+INCREMENT", default_value = "5+0.05", conflicts_with_all = ["nodes", "seconds"])]
    pub clock: Clock,
    /// Seconds for each move
    #[arg(long, value_name = "SECONDS", conflicts_with = "nodes")]
    pub seconds: Option<f64>,
    /// Nodes for each move: the same games on every machine. Not for engines that speak xboard
    #[arg(long)]
    pub nodes: Option<u64>,
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
    #[arg(long, default_value_t = 1)]
    pub concurrency: u8,
    /// A file of openings, one EPD or FEN per line, for draughts also moves from the start
    /// [default: built-in openings]
    #[arg(long)]
    pub openings: Option<PathBuf>,
    /// Seed of the first opening, and of random choices by engines in this process
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// A longer game is a draw; in plies
    #[arg(long, default_value_t = 400)]
    pub max_plies: usize,
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
}

impl Plan {
    /// The name of the rules.
    pub(super) fn rules(&self) -> &'static str {
        if self.draughts { "draughts" } else { self.variant.name() }
    }

    /// Both engines with their options.
    pub(super) fn players(&self) -> [Player<'_>; 2] {
        let player = |spec, options| Player { spec, options };
        [player(&self.first, &self.first_option), player(&self.second, &self.second_option)]
    }

    /// The timing of a game.
    pub(super) fn timing(&self) -> Timing {
        let control = match (self.nodes, self.seconds) {
            (Some(nodes), _) => TimeControl::Nodes(nodes),
            (_, Some(seconds)) => TimeControl::Move(Duration::from_secs_f64(seconds.clamp(0.001, 36_000.0))),
            _ => TimeControl::Game(self.clock),
        };
        Timing { control, cpu_time: self.cpu_time, margin: Duration::from_millis(self.margin) }
    }

    /// Returns an error if the match cannot be played from that number of openings.
    pub(super) fn check(&self, openings: usize) -> Result<(), MatchError> {
        let by_clock = self.nodes.is_none() && self.seconds.is_none() && !self.cpu_time;
        if self.variant.has_partner() && (!by_clock || self.openings.is_some()) {
            return Err(MatchError::Argument(
                "bughouse needs the start position and a clock on the wall, as boards wait for each other",
            ));
        }
        if self.nodes.is_some() && self.pairs() as usize > openings {
            return Err(MatchError::TooFewOpenings { openings });
        }
        let has = |kind: fn(&EngineSpec) -> bool| self.players().iter().any(|player| kind(player.spec));
        if self.cpu_time && has(|spec| matches!(spec, EngineSpec::Checkers(..))) {
            return Err(MatchError::Argument(
                "engines of the Checkers Protocol read a clock on the wall: leave out --cpu-time",
            ));
        }
        if self.cpu_time && has(|spec| matches!(spec, EngineSpec::Tcp(_))) {
            return Err(MatchError::Argument("the CPU time of a server is unknown: leave out --cpu-time"));
        }
        Ok(())
    }

    /// Pairs of games.
    pub(super) fn pairs(&self) -> u32 {
        self.games.max(1).div_ceil(2)
    }
}

/// An engine of a match with its options.
#[derive(Clone, Copy, Debug)]
pub(super) struct Player<'a> {
    pub(super) spec: &'a EngineSpec,
    pub(super) options: &'a [(String, String)],
}

impl Player<'_> {
    /// The end of the match by a failure of this engine.
    pub(super) fn failed(self, reason: EngineError) -> MatchError {
        MatchError::Engine { engine: self.spec.clone(), reason }
    }
}

fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    if text.contains(['\r', '\n']) {
        return Err("an option must be one line".to_owned());
    }
    Ok((name.to_owned(), value.to_owned()))
}
