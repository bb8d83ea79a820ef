//! `farboard sessions`: the sessions of a server on this machine.

use crate::control_socket::ControlSocket;
use crate::output;
use clap::Args;
use farboard::monitor::ask;
use farboard::monitor::table::{self, Column};
use farboard::server::control::SessionRow;
use std::error::Error;

/// Arguments of `farboard sessions`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    server: ControlSocket,
    /// Print a JSON object per line for each session instead of a table
    #[arg(long)]
    json: bool,
    /// Print the state of the session with this number: game, clocks, options, search. Includes
    /// hidden moves
    #[arg(long, value_name = "NUMBER", conflicts_with = "json")]
    state: Option<u64>,
}

/// Prints a line for each session.
pub fn show(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let server = arguments.server.path()?;
    if let Some(session) = arguments.state {
        output::print(&ask::state(&server, session)?);
        return Ok(());
    }
    let rows = ask::sessions(&server)?;
    let text = if arguments.json {
        let lines = rows.iter().map(|row| serde_json::to_string(row).map(|line| line + "\n"));
        lines.collect::<Result<String, _>>()?
    } else {
        let cells: Vec<_> = rows.iter().map(|row| cells(row).to_vec()).collect();
        let lines = table::lines(&HEADINGS.map(|heading| Column { heading, right: false }), &cells);
        lines.into_iter().map(|line| line + "\n").collect()
    };
    output::print(&text);
    Ok(())
}

const HEADINGS: [&str; 12] = [
    "number", "client", "by", "since", "does", "depth", "moves", "lag ms", "signals", "queued", "variant",
    "opponent",
];

fn cells(row: &SessionRow) -> [String; 12] {
    let status = &row.status;
    [
        row.session.to_string(),
        row.client(),
        if row.linked { format!("{}, shim", row.listener) } else { row.listener.clone() },
        table::duration(row.seconds),
        status.activity.word().to_owned(),
        status.depth.map_or("-".to_owned(), |depth| depth.to_string()),
        status.moves.to_string(),
        format!("{}/{}", status.lag_mean, status.lag_worst),
        status.interrupts.to_string(),
        row.queued.to_string(),
        status.variant.clone(),
        status.opponent.clone(),
    ]
}
