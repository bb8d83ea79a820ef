//! `farboard kick`, `message`, `drain`, `undrain` and `weight`: commands to a server on this
//! machine.

use crate::control_socket::ControlSocket;
use crate::output::say;
use clap::Args;
use farboard::monitor::ask;
use farboard::server::control::{Command, Target};
use std::error::Error;

/// Arguments of `farboard kick`.
#[derive(Args)]
pub struct Kick {
    #[command(flatten)]
    server: ControlSocket,
    /// The sessions: a number as `farboard sessions` shows it, a user's name, an address, or all;
    /// user=NAME for a name that looks like one of the others
    who: Target,
    /// Reason shown to the clients
    #[arg(default_value = "", hide_default_value = true)]
    because: Vec<String>,
    /// How long to ban the users, or the addresses of clients without a user name, even without a
    /// session; shims look for the server for a minute and would reconnect at once. 0: no ban
    /// [default: 90, for clients with a session]
    #[arg(long = "for", value_name = "SECONDS")]
    seconds: Option<u64>,
}

/// Arguments of `farboard message`.
#[derive(Args)]
pub struct Message {
    #[command(flatten)]
    server: ControlSocket,
    /// The sessions: a number as `farboard sessions` shows it, a user's name, an address, or all
    who: Target,
    /// The message
    #[arg(required = true)]
    text: Vec<String>,
}

/// Arguments of `farboard drain`.
#[derive(Args)]
pub struct Drain {
    #[command(flatten)]
    server: ControlSocket,
    /// Also end the sessions: idle ones now, others after their game
    #[arg(long)]
    sessions: bool,
}

/// Arguments of `farboard undrain`.
#[derive(Args)]
pub struct Undrain {
    #[command(flatten)]
    server: ControlSocket,
}

/// Arguments of `farboard weight`.
#[derive(Args)]
pub struct Weight {
    #[command(flatten)]
    server: ControlSocket,
    /// The session, user or address: a number as `farboard sessions` shows it, a user's name, or an
    /// address
    who: Target,
    /// The most shares of the cores, one for each search, from 1 to 1024; the configured weight if left out
    weight: Option<u32>,
}

type Outcome = Result<(), Box<dyn Error>>;

/// Ends sessions.
pub fn kick(arguments: Kick) -> Outcome {
    let Kick { server, who, because, seconds } = arguments;
    run(&server, &Command::Kick { who, seconds, because: because.join(" ") }, "ended")
}

/// Shows a message.
pub fn message(arguments: Message) -> Outcome {
    let Message { server, who, text } = arguments;
    run(&server, &Command::Message { who, text: text.join(" ") }, "notified")
}

/// Refuses new sessions.
pub fn drain(arguments: &Drain) -> Outcome {
    run(&arguments.server, &Command::Drain { sessions: arguments.sessions }, "left; new sessions are refused")
}

/// Accepts new sessions again.
pub fn undrain(arguments: &Undrain) -> Outcome {
    run(&arguments.server, &Command::Undrain {}, "connected; new sessions are accepted")
}

/// Sets a weight.
pub fn set_weight(arguments: Weight) -> Outcome {
    let Weight { server, who, weight } = arguments;
    run(&server, &Command::Weight { who, weight }, "changed, from the next search of each")
}

fn run(server: &ControlSocket, command: &Command, done: &str) -> Outcome {
    let count = ask::execute(&server.path()?, command)?;
    let sessions = if count == 1 { "session" } else { "sessions" };
    say(format_args!("{count} {sessions} {done}"));
    Ok(())
}
