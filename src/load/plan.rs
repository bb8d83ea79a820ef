//! The command line of `farboard load`: what to measure, and for how long.

use super::client_stream::Route;
use super::openings::Openings;
use crate::engines::EngineProtocol;
use crate::engines::time_control::Clock;
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The behaviour of the clients.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Scenario {
    /// Idle sessions: how fast they open, their memory, ping times
    Idle,
    /// Ping times while all cores search, and of an idle server
    Ping,
    /// Many analyses at once, and two at a time: nodes, fairness, memory
    Analysis,
    /// Many games at once, with clocks
    Games,
    /// Games beside analyses, and the same games without
    Mixed,
}

/// Arguments of `farboard load`.
#[derive(Clone, Debug, Args)]
pub struct LoadArguments {
    /// The behaviour of the clients
    pub scenario: Scenario,

    /// The server and its clients.
    #[command(flatten)]
    pub plan: Plan,
}

/// The server, the clients, and the duration of a measurement.
#[derive(Clone, Debug, Args)]
pub struct Plan {
    /// Protocol of the clients
    #[arg(long, value_enum, default_value = "xboard")]
    pub protocol: EngineProtocol,

    /// A running server: Farboard, or any engine that speaks the protocol, e.g. behind socat
    /// [default: a new server on a free port]
    #[arg(long, value_name = "HOST:PORT")]
    pub server: Option<String>,

    /// Process of that server on this machine; its memory and its children's is measured
    #[arg(long, requires = "server")]
    pub pid: Option<u32>,

    /// Control socket of that server, if it is Farboard: reports how late its moves were, and which
    /// sessions and searches are left
    #[arg(long, value_name = "PATH", requires = "server")]
    pub control: Option<PathBuf>,

    /// Number of sessions; in `ping` and `mixed`, of those that search in the background [default:
    /// 1000; in ping two for each core]
    #[arg(long, value_name = "N")]
    pub sessions: Option<NonZeroUsize>,

    /// Concurrent games [default: 100]
    #[arg(long, value_name = "N")]
    pub games: Option<NonZeroUsize>,

    /// Time control of the games: seconds, and increment for each move
    #[arg(long, value_name = "SECONDS+INCREMENT", default_value = "10+0.1")]
    pub clock: Clock,

    /// Games and analyses of all variants in turn, and not of chess alone
    #[arg(long)]
    pub variants: bool,

    /// Connect each client through a `farboard-connect` of its own, as GUIs do
    #[arg(long)]
    pub shims: bool,

    /// Connect each client through a program of its own that joins its input and output to the
    /// server, e.g. "nc {host} {port}"; without {host} and {port}, HOST:PORT is appended
    #[arg(long, value_name = "COMMAND", conflicts_with = "shims")]
    pub through: Option<String>,

    /// Profile of the server that sessions select, e.g. one with another engine
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,

    /// Duration of each measurement
    #[arg(long, value_name = "S", default_value_t = 10)]
    pub seconds: u32,

    /// Concurrent searches of the new server [default: number of cores]
    #[arg(long, value_name = "N")]
    pub workers: Option<NonZeroUsize>,

    /// Transposition table, not counted as memory of sessions [default: 128; with --server nothing
    /// is subtracted]
    #[arg(long, value_name = "MIB")]
    pub table: Option<u32>,

    /// Seed of the positions and games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Print one line of JSON instead of a table
    #[arg(long)]
    pub json: bool,

    /// Further flags of `farboard serve` for the new server
    #[arg(last = true, value_name = "FLAGS", conflicts_with = "server")]
    pub serve: Vec<String>,
}

impl Plan {
    /// The route of the clients to the server. `farboard` is the program of the shim.
    pub(super) fn route(&self, farboard: &Path) -> Route {
        match &self.through {
            Some(command) => Route::Program(command.split_whitespace().map(str::to_owned).collect()),
            None if self.shims => Route::Program(vec![farboard.display().to_string(), "connect".to_owned()]),
            None => Route::Tcp,
        }
    }

    /// Concurrent searches of the server.
    pub fn workers(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.workers.map_or_else(cores, NonZeroUsize::get)
    }

    /// Duration of each measurement.
    pub fn lasting(&self) -> Duration {
        Duration::from_secs(self.seconds.max(1).into())
    }

    /// Distinct start positions, determined by a seed.
    pub fn openings(&self, seed: u64) -> Openings {
        let openings = Openings::new(seed);
        if self.variants { openings.of_all_variants() } else { openings }
    }

    /// Number of sessions; `default` if not given.
    pub fn sessions_or(&self, default: usize) -> usize {
        self.sessions.map_or(default, NonZeroUsize::get)
    }

    /// Number of concurrent games.
    pub(super) fn games(&self) -> usize {
        self.games_or(100)
    }

    /// Number of concurrent games; `default` if not given.
    pub fn games_or(&self, default: usize) -> usize {
        self.games.map_or(default, NonZeroUsize::get)
    }

    /// Size of the table in MiB.
    pub(super) fn table(&self) -> u32 {
        self.table.unwrap_or(if self.server.is_some() { 0 } else { 128 })
    }

    /// Size of the table in bytes.
    pub(super) fn table_bytes(&self) -> u64 {
        u64::from(self.table()) << 20
    }
}
