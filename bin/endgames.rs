//! `farboard endgames`: the endgame database of English draughts, as files.

use crate::output::say;
use clap::Args;
use farboard::draughts::endgames;
use farboard::progress_bar::ProgressBar;
use std::error::Error;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::thread::available_parallelism;

/// Arguments of `farboard endgames`.
#[derive(Args)]
pub struct Arguments {
    /// Directory for the files; created if missing. Existing files are kept
    folder: PathBuf,
    /// Maximum number of pieces, 2 to 6
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..=i64::from(endgames::MAX_PIECES)))]
    pieces: u32,
    /// Threads [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Positions are shown in thousands.
const UNIT: u64 = 1000;

/// Solves all positions that are not in the directory yet, and shows its progress.
pub fn make(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let threads = arguments.threads.map_or_else(available_parallelism, Ok)?;
    let mut bar = None;
    let mut watch = |done: u64, total: u64| {
        // Rounded down until all are done.
        let (done, total) =
            (if done == total { done.div_ceil(UNIT) } else { done / UNIT }, total.div_ceil(UNIT));
        let bar = bar.get_or_insert_with(|| ProgressBar::new("thousand positions", done, total));
        bar.show(done, "");
        ControlFlow::Continue(())
    };
    let solved = endgames::generate(&arguments.folder, arguments.pieces, threads.get(), &mut watch)?;
    say(format_args!("{} positions of up to {} pieces", solved.len(), solved.max_pieces()));
    Ok(())
}
