//! The command line of `farboard load`: what to measure, and for how long.

use crate::engines::time_control::Clock;
use crate::load::client_stream::Way;
use crate::load::dialect::Protocol;
use crate::load::openings::Openings;
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// What the clients do.
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
    /// A game alone, and beside many fast games from another address, which have one share together
    Neighbours,
    /// Users who scroll through games in an analysis, a hundred positions a second, and stop
    Scroll,
    /// Ping times during TLS handshakes
    Handshakes,
    /// Connections that come and go in every way, and what they leave behind
    Churn,
    /// Ping times beside clients that flood the server with costly commands
    Flood,
    /// Clients that ask much and read nothing: memory of the server, and ping times of others
    Deaf,
    /// Silent connections to a listener that asks for a secret, and clients that know the secret
    Strangers,
    /// Nodes of a server's first half second, and of half a second later
    Start,
}

/// Arguments of `farboard load`.
#[derive(Clone, Debug, Args)]
pub struct Plan {
    /// What the clients do
    pub scenario: Scenario,

    /// What the clients speak; UCI in `analysis`, `games`, `mixed`, `neighbours` and `start`
    #[arg(long, value_enum, default_value_t)]
    pub protocol: Protocol,

    /// A running server: Farboard, or any engine that speaks the protocol, e.g. behind socat [default: a new
    /// server on a free port]
    #[arg(long, value_name = "HOST:PORT")]
    pub server: Option<String>,

    /// Process of that server on this machine; its memory and that of its children is measured
    #[arg(long, requires = "server")]
    pub pid: Option<u32>,

    /// Control socket of that server, if it is Farboard: tells how late its moves were, and which sessions
    /// and searches are left
    #[arg(long, value_name = "PATH", requires = "server")]
    pub control: Option<PathBuf>,

    /// Number of sessions; in `ping` and `mixed` the ones that search in the background, in `churn` the ones at one
    /// time [default: 1000; in ping two for each core, in start one, in scroll, churn and deaf 200, in flood
    /// 50, in strangers 550]
    #[arg(long, value_name = "N")]
    pub sessions: Option<NonZeroUsize>,

    /// Total connections of `churn`, or concurrent TLS handshakes of `handshakes` [default: 10000 and 64]
    #[arg(long, value_name = "N")]
    pub connections: Option<NonZeroUsize>,

    /// For `handshakes`: certificate and key of the new server [default: RSA with 4096 bits, made by
    /// `openssl`]
    #[arg(long, value_name = "FILE", conflicts_with = "server")]
    pub tls_file: Option<PathBuf>,

    /// For `handshakes`: a TLS listener of that server; `--server` must be one without TLS
    #[arg(long, value_name = "HOST:PORT", requires = "server")]
    pub tls_listener: Option<String>,

    /// Concurrent games; in `neighbours` those from the other address [default: 100; in neighbours 500]
    #[arg(long, value_name = "N")]
    pub games: Option<NonZeroUsize>,

    /// Time control of the games: seconds, and increment for each move
    #[arg(long, value_name = "SECONDS+INCREMENT", default_value = "10+0.1")]
    pub clock: Clock,

    /// Games and analyses of all variants in turn, and not of chess alone; for `analysis`, `games` and `mixed`
    #[arg(long)]
    pub variants: bool,

    /// Connect each client through a `farboard-connect` of its own, as GUIs do
    #[arg(long)]
    pub shims: bool,

    /// Profile of the server that sessions choose, e.g. one with another engine
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,

    /// Duration of each measurement
    #[arg(long, value_name = "S", default_value_t = 10)]
    pub seconds: u32,

    /// Concurrent searches of the new server [default: number of cores]
    #[arg(long, value_name = "N")]
    pub workers: Option<NonZeroUsize>,

    /// Transposition table, not counted as memory of sessions [default: 128; with --server nothing is
    /// subtracted]
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

impl Scenario {
    /// Whether its clients can speak UCI.
    pub(super) fn knows_uci(self) -> bool {
        use Scenario::{Analysis, Games, Mixed, Neighbours, Start};
        matches!(self, Analysis | Games | Mixed | Neighbours | Start)
    }
}

impl Plan {
    /// The route of the clients to the server.
    pub(super) fn way(&self) -> Way {
        if self.shims { Way::Shim } else { Way::Tcp }
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
    pub(super) fn openings(&self, seed: u64) -> Openings {
        let openings = Openings::new(seed);
        if self.variants { openings.of_all_variants() } else { openings }
    }

    /// Number of sessions; `default` if not given.
    pub(super) fn sessions_or(&self, default: usize) -> usize {
        self.sessions.map_or(default, NonZeroUsize::get)
    }

    /// Number of connections; `default` if not given.
    pub(super) fn connections_or(&self, default: usize) -> usize {
        self.connections.map_or(default, NonZeroUsize::get)
    }

    /// Number of concurrent games.
    pub(super) fn games(&self) -> usize {
        self.games_or(100)
    }

    /// Number of concurrent games; `default` if not given.
    pub(super) fn games_or(&self, default: usize) -> usize {
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
