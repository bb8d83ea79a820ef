//! Commands that measure: `perft` and `bench`. Their last line is for scripts.

use clap::Args;
use farboard::chess::{AnyPosition, START_FEN, Variant};
use farboard::search::bench;
use std::error::Error;
use std::time::{Duration, Instant};

/// What `farboard perft` is given.
#[derive(Args)]
pub struct Perft {
    /// Plies
    #[arg(value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// The position (FEN, X-FEN or Shredder-FEN); the start position if left out
    #[arg(long, default_value = START_FEN, hide_default_value = true)]
    fen: String,
    /// The rules, by their name in the xboard protocol
    #[arg(long, default_value = "normal", value_parser = parse_variant)]
    variant: Variant,
    /// Print the count of each first move
    #[arg(long)]
    divide: bool,
}

/// What `farboard bench` is given.
#[derive(Args)]
pub struct Bench {
    /// Plies; the node count is comparable only between runs of the same depth
    #[arg(default_value_t = bench::DEPTH)]
    depth: u8,
}

fn parse_variant(name: &str) -> Result<Variant, String> {
    Variant::from_name(name).ok_or_else(|| {
        let known: Vec<&str> = Variant::ALL.iter().map(|variant| variant.name()).collect();
        format!("known variants are {}", known.join(", "))
    })
}

/// Counts the leaves of the tree of legal moves.
pub fn perft(arguments: &Perft) -> Result<(), Box<dyn Error>> {
    let position = AnyPosition::from_fen(arguments.variant, &arguments.fen)?;
    let started = Instant::now();
    let nodes = if arguments.divide {
        let counts = position.divide(arguments.depth);
        for &(mv, count) in &counts {
            println!("{}: {count}", position.coordinates(mv));
        }
        counts.iter().map(|&(_, count)| count).sum()
    } else {
        position.perft(arguments.depth)
    };
    print_figures(nodes, started.elapsed());
    Ok(())
}

/// Searches the fixed positions.
pub fn bench(arguments: &Bench) -> Result<(), Box<dyn Error>> {
    let figures = bench::run(arguments.depth, |fen, nodes| println!("{nodes:>10}  {fen}"))?;
    print_figures(figures.nodes, figures.elapsed);
    Ok(())
}

fn print_figures(nodes: u64, elapsed: Duration) {
    let rate = nodes as f64 / elapsed.as_secs_f64().max(1e-9);
    println!("nodes {nodes} time_ms {} nps {rate:.0}", elapsed.as_millis());
}
