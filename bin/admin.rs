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
    /// Sessions to end: a number as shown by `farboard sessions`, a user's name, an address, or all; user=NAME for a
    /// name that looks like one of the others
    who: Target,
    /// Reason shown to the users
    #[arg(default_value = "", hide_default_value = true)]
    because: Vec<String>,
    /// Seconds for which the user, or the address of a client without a name, is refused, with or without a session;
    /// without it, shims would reconnect at once. 0: not at all [default: 90, for those with a session]
    #[arg(long = "for", value_name = "SECONDS")]
    seconds: Option<u64>,
}

/// Arguments of `farboard message`.
#[derive(Args)]
pub struct Message {
    #[command(flatten)]
    server: ControlSocket,
    /// Recipients: a number as shown by `farboard sessions`, a user's name, an address, or all
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
    /// Source: a number as shown by `farboard sessions`, a user's name, or an address
    who: Target,
    /// Maximum number of shares of the cores, one per search, from 1 to 1024; without it the configured weight
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
    run(&arguments.server, &Command::Drain { sessions: arguments.sessions }, "left, new ones are refused")
}

/// Accepts new sessions again.
pub fn undrain(arguments: &Undrain) -> Outcome {
    run(&arguments.server, &Command::Undrain {}, "running, new ones are accepted")
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
