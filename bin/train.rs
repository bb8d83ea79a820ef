//! `farboard generate` and `farboard tune`: weights of the evaluation.

use crate::output::{print, say};
use farboard::training::{Fit, FitArguments, GenerateArguments, NetworkFit, fit, fit_network, generate};
use std::error::Error;

/// Plays games of the engine against itself.
pub fn play(arguments: &GenerateArguments) -> Result<(), Box<dyn Error>> {
    let contents = generate(arguments)?;
    say(format_args!("{contents}"));
    Ok(())
}

/// Fits the weights of a variant, and prints the text that the engine is built with; or fits the
/// network of draughts.
pub fn print_weights(arguments: &FitArguments) -> Result<(), Box<dyn Error>> {
    let today = jiff::ZonedDateTime::now().date();
    let Some(variant) = arguments.variant else { return write_network(arguments, today) };
    let Fit { origin, games, positions, loss_before, loss, lines } = fit(arguments, variant)?;
    say(format_args!(
        "# {origin}; {games} of them with {positions} positions, fitted on {today}.\n\
         # Cross entropy of every tenth game, kept back: {loss:.4}; with the weights before {loss_before:.4}."
    ));
    print(&lines.to_string());
    Ok(())
}

/// Fits the network of draughts, writes it to the file, and prints the text that stands beside it.
fn write_network(arguments: &FitArguments, today: jiff::civil::Date) -> Result<(), Box<dyn Error>> {
    let NetworkFit { origin, games, positions, loss_before, loss } = fit_network(arguments)?;
    say(format_args!(
        "{origin}; {games} of them with {positions} positions, fitted on {today}.\n\
         Cross entropy of every tenth game, kept back: {loss:.4}; of the network that played {loss_before:.4}."
    ));
    Ok(())
}
