//! `farboard book`: moves of an opening book in a position.

use crate::output;
use clap::Args;
use farboard::book::Books;
use farboard::chess::{AnyPosition, START_FEN, Variant};
use farboard::config::ConfigError;
use std::error::Error;
use std::path::PathBuf;

/// Arguments of `farboard book`.
#[derive(Args)]
pub struct Arguments {
    /// The book (Polyglot's *.bin) [default: the built-in book]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// The position, in quotation marks or not; the start position if left out
    #[arg(default_value = START_FEN, hide_default_value = true)]
    fen: Vec<String>,
}

/// Prints a line for each move: how often it is played, in percent, its weight, and the move.
pub fn show(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let mut books = Books::default();
    match &arguments.book {
        Some(path) => books.open(path).map_err(|error| ConfigError::Book(path.clone(), error))?,
        None => books.add_own(),
    }
    let position = AnyPosition::from_fen(Variant::NORMAL, &arguments.fen.join(" "))?;
    let moves: Vec<_> =
        books.names().filter_map(|name| books.get(name)).flat_map(|book| book.moves(&position)).collect();
    let total: f64 = moves.iter().map(|known| f64::from(known.weight)).sum();
    let mut text = String::new();
    for known in &moves {
        let percent = 100.0 * f64::from(known.weight) / total;
        text += &format!("{percent:5.1} %  {:>8}  {}\n", known.weight, position.san(known.mv));
    }
    if moves.is_empty() {
        text += "The book has no move for this position.\n";
    }
    output::print(&text);
    Ok(())
}
