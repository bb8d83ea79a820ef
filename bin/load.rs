//! `farboard load`: measures a server under load.

use crate::output;
use farboard::load::{self, Plan};
use std::error::Error;

/// Prints the report. Returns whether there were no problems.
pub fn measure(plan: &Plan) -> Result<bool, Box<dyn Error>> {
    let report = load::run(plan, &std::env::current_exe()?)?;
    let text = if plan.json { report.json()? + "\n" } else { report.table() };
    output::print(&text);
    Ok(report.problems.is_empty())
}
