//! `farboard load`: measures a server under load.

use farboard::load::{self, Plan};
use std::error::Error;
use std::io::Write;

/// Prints the report. Returns whether there were no problems.
pub fn measure(plan: &Plan) -> Result<bool, Box<dyn Error>> {
    let report = load::run(plan, &std::env::current_exe()?)?;
    let text = if plan.json { report.json()? + "\n" } else { report.table() };
    // If standard output is closed, nobody reads the report.
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(report.problems.is_empty())
}
