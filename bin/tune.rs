//! `farboard generate` and `farboard tune`: weights of the evaluation.

use farboard::tuning::{Fit, FitArguments, GenerateArguments, fit, generate};
use std::error::Error;

/// Plays games of the engine against itself.
pub fn play(arguments: &GenerateArguments) -> Result<(), Box<dyn Error>> {
    Ok(generate(arguments)?)
}

/// Fits the weights of a variant, and prints the text that the engine is built with.
pub fn print_weights(arguments: &FitArguments) -> Result<(), Box<dyn Error>> {
    let Fit { origin, games, positions, loss_before, loss, lines } = fit(arguments)?;
    let today = jiff::Zoned::now().date();
    println!("# {origin}; {games} of them with {positions} positions, fitted on {today}.");
    println!(
        "# Cross entropy of every tenth game, kept back: {loss:.4}; with the weights before {loss_before:.4}."
    );
    print!("{lines}");
    Ok(())
}
