//! What is to be measured, and how long.

use super::phases::Clock;
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// What sessions do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Scenario {
    /// Sessions that only are there: how fast they open, what they take of memory, how long a ping takes
    Idle,
    /// How long a ping takes while all cores search, beside an idle server
    Ping,
    /// Analyses at once, beside two: nodes, fairness, memory
    Analysis,
    /// Games at once, with clocks
    Games,
    /// Games beside analyses, and the same without
    Mixed,
    /// A game alone, and beside many fast games of another address, which have one share together
    Neighbours,
    /// Users who scroll through games in an analysis, a hundred positions a second, and stop
    Scroll,
    /// TLS handshakes at once, and how long a ping takes meanwhile
    Handshakes,
    /// Connections that come and go in all manners, and what they leave behind
    Churn,
    /// Clients that say without end what costs much, and pings of others meanwhile
    Flood,
    /// Clients that ask much and read no answer: what the server keeps for them, and pings of others meanwhile
    Deaf,
    /// Silent strangers who come again and again where a secret is asked for, and clients that know it
    Strangers,
    /// Nodes of the first half second of a server, beside those of half a second later
    Start,
}

/// What `farboard load` is given.
#[derive(Clone, Debug, Args)]
pub struct Plan {
    /// What sessions do
    pub scenario: Scenario,

    /// A server that is there: of ours, or any engine that speaks xboard, e.g. behind socat [default: one that is started
    /// for this on a free port]
    #[arg(long, value_name = "HOST:PORT")]
    pub server: Option<String>,

    /// The process of that server on this machine, to look at its memory, with that of all that it has started
    #[arg(long, requires = "server")]
    pub pid: Option<u32>,

    /// The control socket of that server, if it is one of ours: it tells how late its moves were, and what is left of others
    #[arg(long, value_name = "PATH", requires = "server")]
    pub control: Option<PathBuf>,

    /// Sessions; in `ping` and `mixed` those that search beside what is measured, in `churn` those that are there at one
    /// time [default: 1000; in ping two for each core, in start one, in scroll, churn and deaf 200, in flood 50, in strangers 550]
    #[arg(long, value_name = "N")]
    pub sessions: Option<NonZeroUsize>,

    /// Connections of `churn` in all, or TLS handshakes at once in `handshakes` [default: 10000 and 64]
    #[arg(long, value_name = "N")]
    pub connections: Option<NonZeroUsize>,

    /// For `handshakes`: the certificate and key of our own server [default: RSA with 4096 bits, made by `openssl`]
    #[arg(long, value_name = "FILE", conflicts_with = "server")]
    pub tls_file: Option<PathBuf>,

    /// For `handshakes`: where that server speaks TLS, while `--server` is a listener that does not
    #[arg(long, value_name = "HOST:PORT", requires = "server")]
    pub tls_listener: Option<String>,

    /// Games at once; in `neighbours` those of the other address [default: 100; in neighbours 500]
    #[arg(long, value_name = "N")]
    pub games: Option<NonZeroUsize>,

    /// The clock of games: seconds, and what each move adds
    #[arg(long, value_name = "SECONDS+INCREMENT", default_value = "10+0.1")]
    pub clock: Clock,

    /// How long something is looked at
    #[arg(long, value_name = "S", default_value_t = 10)]
    pub seconds: u32,

    /// Searches that run at one time in our own server [default: number of cores]
    #[arg(long, value_name = "N")]
    pub workers: Option<NonZeroUsize>,

    /// The transposition table, which does not count as memory of sessions [default: 128; with --server none is left out]
    #[arg(long, value_name = "MIB")]
    pub table: Option<u32>,

    /// Other positions, other games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// One line of JSON instead of a table
    #[arg(long)]
    pub json: bool,

    /// Further flags of `farboard serve` for our own server
    #[arg(last = true, value_name = "FLAGS", conflicts_with = "server")]
    pub serve: Vec<String>,
}

impl Plan {
    /// Searches that run at one time.
    pub fn workers(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.workers.map_or_else(cores, NonZeroUsize::get)
    }

    /// How long something is looked at.
    pub fn lasting(&self) -> Duration {
        Duration::from_secs(self.seconds.max(1).into())
    }

    /// Sessions, or so many if nothing was said.
    pub(super) fn sessions_or(&self, default: usize) -> usize {
        self.sessions.map_or(default, NonZeroUsize::get)
    }

    /// Connections, or so many if nothing was said.
    pub(super) fn connections_or(&self, default: usize) -> usize {
        self.connections.map_or(default, NonZeroUsize::get)
    }

    /// Games at once.
    pub(super) fn games(&self) -> usize {
        self.games_or(100)
    }

    /// The same, or so many if nothing was said.
    pub(super) fn games_or(&self, default: usize) -> usize {
        self.games.map_or(default, NonZeroUsize::get)
    }

    /// Size of the table in MiB.
    pub(super) fn table(&self) -> u32 {
        self.table.unwrap_or(if self.server.is_some() { 0 } else { 128 })
    }

    /// The same in bytes.
    pub(super) fn table_bytes(&self) -> u64 {
        u64::from(self.table()) << 20
    }
}
