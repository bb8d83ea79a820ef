//! The arguments of `farboard train`.

use crate::search::net::{Domain, LANES, MOST_BUCKETS, is_hidden_size};
use clap::Args;
use std::path::PathBuf;

/// Arguments of `farboard train`.
#[derive(Args, Clone, Debug)]
pub struct TrainArguments {
    /// Files of games made by `farboard generate`, of one game; several for normal and
    /// fischerandom, which share their net
    pub(super) files: Vec<PathBuf>,
    /// The file of the net
    #[arg(long, required_unless_present = "small")]
    pub(super) out: Option<PathBuf>,
    /// A net of this game to train further, with its number of neurons and outputs; its own games
    /// need not be named again
    #[arg(long, value_name = "NET", conflicts_with_all = ["hidden", "buckets", "small"])]
    pub(super) start: Option<PathBuf>,
    /// Neurons of each side: a multiple of 32, at most 512 [default: 128, with --small 32]
    #[arg(long, value_parser = hidden)]
    pub(super) hidden: Option<usize>,
    /// Outputs, of which the number of men selects one
    #[arg(long, default_value_t = TrainArguments::default().buckets, value_parser = buckets)]
    pub(super) buckets: usize,
    /// Number of times that each position is seen
    #[arg(long, default_value_t = TrainArguments::default().epochs, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub(super) epochs: u64,
    /// Seed of the first weights and of the order of positions
    #[arg(long, default_value_t = TrainArguments::default().seed)]
    pub(super) seed: u64,
    /// Share of the game's result in the target, from 0 to 1; the rest is the search's score
    #[arg(long, default_value_t = TrainArguments::default().result_share, value_parser = share)]
    pub(super) result_share: f32,
    /// Threads, which do not change the net [default: all cores]
    #[arg(long, default_value_t = TrainArguments::default().threads, hide_default_value = true)]
    pub(super) threads: usize,
    /// Train a small net on random games of this game, normal if none is named, to compare its hash
    /// between machines
    #[arg(
        long, value_name = "GAME", num_args = 0..=1, require_equals = true, default_missing_value = "normal",
        value_parser = domain, conflicts_with = "files"
    )]
    pub(super) small: Option<Domain>,
}

impl Default for TrainArguments {
    fn default() -> TrainArguments {
        TrainArguments {
            files: Vec::new(),
            out: None,
            start: None,
            hidden: None,
            buckets: 8,
            epochs: 20,
            seed: 1,
            result_share: 0.2,
            threads: 0,
            small: None,
        }
    }
}

impl TrainArguments {
    /// Returns the number of neurons of each side.
    pub(super) fn hidden(&self) -> usize {
        self.hidden.unwrap_or(if self.small.is_some() { LANES } else { 128 })
    }

    /// Returns the number of threads.
    pub(super) fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        if self.threads == 0 { all() } else { self.threads }
    }

    /// Returns the course of the training, as part of a sentence.
    pub(super) fn course(&self) -> String {
        format!(
            "trained by version {} for {} epochs, seed {}, result share {}",
            env!("CARGO_PKG_VERSION"),
            self.epochs,
            self.seed,
            self.result_share
        )
    }
}

fn hidden(text: &str) -> Result<usize, String> {
    let hidden = text.parse().ok().filter(|&hidden| is_hidden_size(hidden));
    hidden.ok_or_else(|| "not a multiple of 32 from 32 to 512".to_owned())
}

fn buckets(text: &str) -> Result<usize, String> {
    let buckets = text.parse().ok().filter(|buckets| (1..=MOST_BUCKETS).contains(buckets));
    buckets.ok_or_else(|| format!("not a number from 1 to {MOST_BUCKETS}"))
}

fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "not a number from 0 to 1".to_owned())
}

fn domain(name: &str) -> Result<Domain, String> {
    Domain::from_name(name).ok_or_else(|| "neither a variant nor draughts".to_owned())
}
