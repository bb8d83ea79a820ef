//! `farboard perft` and `farboard bench`. The last line of their output is for scripts.

use crate::output::say;
use crate::with_net::Searches;
use clap::Args;
use farboard::chess::{AnyPosition, UnknownVariant, Variant};
use farboard::draughts;
use farboard::pool::{
    Class, JobId, Mailbox, Pool, SearchBudget, SearchEvent, SearchId, Size, Source, Task, Timebase, engine,
};
use farboard::search::net::Domain;
use farboard::search::{Report, Request, Table, TableUse, bench};
use std::collections::HashSet;
use std::error::Error;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Arguments of `farboard perft`.
#[derive(Args)]
pub struct Perft {
    /// Plies
    #[arg(value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// The position (FEN, X-FEN or Shredder-FEN; PDN's FEN in checkers); the start position if left
    /// out
    #[arg(long)]
    fen: Option<String>,
    /// Rules, by their name in files; checkers for English draughts, with captures on different
    /// ways counted separately
    #[arg(long, default_value = "normal")]
    variant: Game,
    /// Same as --variant checkers
    #[arg(long, conflicts_with = "variant")]
    draughts: bool,
    /// Print the count of each first move
    #[arg(long)]
    divide: bool,
}

/// A game whose moves can be counted.
#[derive(Clone, Copy)]
enum Game {
    Chess(Variant),
    Draughts,
}

impl FromStr for Game {
    type Err = String;

    fn from_str(name: &str) -> Result<Game, String> {
        match name {
            "checkers" | "draughts" => Ok(Game::Draughts),
            _ => name.parse().map(Game::Chess).map_err(|error: UnknownVariant| format!("{error}, checkers")),
        }
    }
}

/// Arguments of `farboard bench`.
#[derive(Args)]
pub struct Bench {
    /// Plies; the node count is comparable only between runs of the same depth
    #[arg(default_value_t = bench::DEPTH, value_parser = clap::value_parser!(u8).range(1..))]
    depth: u8,
    /// Search a position of each variant instead of the chess positions
    #[arg(long, conflicts_with = "analyses")]
    variants: bool,
    /// Instead, run N analyses at once and print the memory of each, without the table
    #[arg(long, value_name = "N", conflicts_with = "depth")]
    analyses: Option<usize>,
}

impl Searches for Bench {
    fn game(&self) -> Option<Domain> {
        (!self.variants).then_some(Domain::Chess)
    }
}

/// Counts the leaves of the tree of legal moves.
pub fn perft(arguments: &Perft) -> Result<(), Box<dyn Error>> {
    let variant = match arguments.variant {
        Game::Chess(variant) if !arguments.draughts => variant,
        Game::Chess(_) | Game::Draughts => return perft_of_draughts(arguments),
    };
    let position = match &arguments.fen {
        Some(fen) => AnyPosition::from_fen(variant, fen)?,
        None => AnyPosition::start(variant),
    };
    let name = |mv| position.coordinates(mv);
    let count = |depth| position.perft(depth);
    count_and_print(arguments, count, |depth| position.divide(depth), name);
    Ok(())
}

fn perft_of_draughts(arguments: &Perft) -> Result<(), Box<dyn Error>> {
    let position = match &arguments.fen {
        Some(fen) => draughts::Position::from_fen(fen)?,
        None => draughts::Position::start(),
    };
    let count = |depth| draughts::perft(&position, depth);
    let divide = |depth| draughts::divide(&position, depth);
    count_and_print(arguments, count, divide, |mv: draughts::Move| mv.to_string());
    Ok(())
}

fn count_and_print<M: Copy>(
    arguments: &Perft,
    count: impl FnOnce(u32) -> u64,
    divide: impl FnOnce(u32) -> Vec<(M, u64)>,
    name: impl Fn(M) -> String,
) {
    let started = Instant::now();
    let nodes = if arguments.divide {
        let counts = divide(arguments.depth);
        for &(mv, count) in &counts {
            say(format_args!("{}: {count}", name(mv)));
        }
        counts.iter().map(|&(_, count)| count).sum()
    } else {
        count(arguments.depth)
    };
    print_figures(nodes, started.elapsed());
}

/// Searches the fixed positions.
pub fn bench(arguments: &Bench) -> Result<(), Box<dyn Error>> {
    if let Some(count) = arguments.analyses {
        return analyses(count);
    }
    let figures = if arguments.variants {
        let print = |position: &AnyPosition, nodes| {
            say(format_args!("{nodes:>10}  {:<13}  {}", position.variant().name(), position.fen()));
        };
        bench::run(bench::positions_of_variants(), arguments.depth, print)?
    } else {
        let print = |position: &AnyPosition, nodes| say(format_args!("{nodes:>10}  {}", position.fen()));
        bench::run(bench::positions(), arguments.depth, print)?
    };
    print_figures(figures.nodes, figures.elapsed);
    Ok(())
}

/// Plies that all analyses reach before memory is measured, when stacks are nearly at their
/// deepest.
const MEASURED_DEPTH: u8 = 12;

fn analyses(count: usize) -> Result<(), Box<dyn Error>> {
    let (wake, woken) = channel();
    let mailbox = Arc::new(Mailbox::new(move || {
        let _ = wake.send(());
    }));
    let workers = std::thread::available_parallelism()?.get();
    let size = Size { workers, searches: count, niceness: 1 };
    let table = Table::new(16)?;
    let pool = Pool::new(size, engine(table), Arc::clone(&mailbox));
    let before = resident()?;
    let now = Instant::now();
    let terms = SearchBudget {
        class: Class::Analysis,
        since: now,
        allotment: None,
        timebase: Timebase::Wall,
        limits: None,
    };
    for (owner, position) in (0..count as u64).zip(bench::positions().collect::<Vec<_>>().into_iter().cycle())
    {
        let request = Request { table: TableUse::salted(owner), ..Request::of(position) };
        pool.start(
            JobId { owner, search: SearchId(1) },
            Box::new(Task::Search(request)),
            terms,
            Source::of(owner),
        );
    }
    // Some endgames are solved before that depth.
    let mut left: HashSet<JobId> =
        (0..count as u64).map(|owner| JobId { owner, search: SearchId(1) }).collect();
    let mut events = Vec::new();
    while !left.is_empty() {
        woken.recv()?;
        mailbox.take(&mut events);
        for (job, event) in events.drain(..) {
            let is_deep = match event {
                SearchEvent::Report(Report::Info(info)) => info.depth >= MEASURED_DEPTH,
                SearchEvent::Report(_)
                | SearchEvent::Leaves(..)
                | SearchEvent::Attempts(_)
                | SearchEvent::Warm(_) => false,
                SearchEvent::Done(_) | SearchEvent::Refused(_) | SearchEvent::Failed => true,
            };
            if is_deep {
                left.remove(&job);
            }
        }
    }
    let kibibytes = resident()?.saturating_sub(before).saturating_sub(16 << 10) / count.max(1);
    say(format_args!("analyses {count} seconds {} kib_each {kibibytes}", now.elapsed().as_secs()));
    Ok(())
}

/// Memory of this process in KiB, from Linux.
fn resident() -> Result<usize, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .ok_or("the system does not report memory")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

fn print_figures(nodes: u64, elapsed: Duration) {
    let rate = nodes as f64 / elapsed.as_secs_f64().max(1e-9);
    say(format_args!("nodes {nodes} time_ms {} nps {rate:.0}", elapsed.as_millis()));
}
