//! `farboard load`: measures a server under load.

use crate::output;
use farboard::load::{self, LoadArguments};
use std::error::Error;

/// Prints the report. Returns whether there were no problems.
pub fn measure(arguments: &LoadArguments) -> Result<bool, Box<dyn Error>> {
    let report = load::run(arguments, &std::env::current_exe()?)?;
    let text = if arguments.plan.json { report.json()? + "\n" } else { report.table() };
    output::print(&text);
    Ok(report.problems.is_empty())
}
