//! The stdio ⇄ TCP shim: the program that a GUI starts as its engine to reach a server.
//!
//! Bytes pass through as they come. What it does better than a netcat:
//!
//! * When the server is lost, the session continues on the next one: [`journal`] has its state.
//! * xboard interrupts its engines before almost every command: SIGINT is ignored.
//! * xboard writes `quit`, sends SIGTERM at once and keeps the pipe open: what is in the pipe still reaches
//!   the server, and the shim exits within a fifth of a second.
//! * End of input is passed on as a half-close, so that a script gets all its answers.
//! * When the server closes a finished session, the shim exits, whether or not its input has ended.
//! * Its output is the engine's. It adds words of its own only when there is no engine, in the one form that
//!   makes xboard show them and unplug the engine ([`gui_message`]).
//! * At a terminal it ends at Ctrl-C, names errors in one line, and makes control characters of the server
//!   visible (`visible`).
//! * Where servers ask for a secret or TLS, it completes both before the session begins ([`admitted`]).
//!
//! [`relay`] connects everything: `gui_input`, `gui_output` and [`server_link`] are its threads, [`outage`] decides where
//! to look for a server. [`record`] is the log of a session. What depends on the system is in [`platform`].

pub mod address;
pub mod admitted;
mod argument_file;
pub mod arguments;
mod backpressure;
pub mod dial;
mod first_line;
pub mod fritz;
mod gui_input;
pub mod gui_message;
mod gui_output;
pub mod journal;
mod last_line;
mod liveness;
pub mod outage;
pub mod platform;
pub mod record;
pub mod relay;
pub mod server_link;
mod visible;
pub mod wishes;

use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use address::Address;
use admitted::Opened;
use arguments::Arguments;
use record::Recorder;
use relay::{Ending, RelayPlan};

use crate::auth::Keys;

/// Connects, relays until one side ends, and reports the outcome.
pub fn run(arguments: &Arguments) -> ExitCode {
    let spoken = arguments.spoken();
    let servers = match arguments.servers() {
        Ok(servers) => servers,
        Err((host, error)) => return gui_message::print(spoken, &format!("Cannot reach {host}: {error}")),
    };
    if arguments.fritz_init {
        return fritz::print(&servers[0]);
    }
    match begin(servers, arguments).and_then(|(order, server, opened)| {
        relay::relay(order, server, opened)
            .map_err(|error| format!("Cannot relay: {}", gui_message::reason(&error)))
    }) {
        Ok(Ending::ServerClosed | Ending::Dismissed) => ExitCode::SUCCESS,
        Ok(Ending::OutputClosed | Ending::NoServer) => ExitCode::FAILURE,
        Ok(Ending::ConnectionLost(error)) => {
            // Standard error may be a terminal that has gone.
            let reason = gui_message::reason(&error);
            let _ = writeln!(io::stderr(), "# farboard-connect: connection lost: {reason}");
            ExitCode::FAILURE
        }
        Err(reason) => gui_message::print(spoken, &reason),
    }
}

/// The plan of the relay and the first server that can be reached; or why there is no session.
fn begin(servers: Vec<Address>, arguments: &Arguments) -> Result<(RelayPlan, usize, Opened), String> {
    let keys = arguments.keys()?;
    let mut recorder = arguments.record.as_deref().map(record_in).transpose()?;
    let mut wishes = arguments.wishes();
    if let Some(recorder) = &mut recorder {
        let seed = RandomState::new().hash_one(Instant::now()) >> 1;
        recorder.note(&format!("seed {seed}"), Instant::now());
        wishes = wishes.with_seed(seed);
    }
    let found = first_of(&servers, &keys);
    if let Some(recorder) = &mut recorder {
        let news = found.as_ref().map(|(server, _)| format!("connected to {}", servers[*server]));
        recorder.note(news.as_ref().unwrap_or_else(|reason| reason), Instant::now());
    }
    let (server, opened) = found?;
    if is_at_a_terminal() {
        let server = &servers[server];
        let _ =
            writeln!(io::stderr(), "# farboard-connect: connected to {server}; type help, or quit to leave");
    }
    let give_up = arguments.give_up();
    let spoken = arguments.spoken();
    Ok((RelayPlan { servers, keys, give_up, spoken, wishes, recorder }, server, opened))
}

fn record_in(path: &Path) -> Result<Recorder, String> {
    let why =
        |error| format!("Cannot record the session in {}: {}", path.display(), gui_message::reason(&error));
    Recorder::create(path, Instant::now()).map_err(why)
}

/// Whether a person types the client's lines and reads the server's.
fn is_at_a_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Ignores the interrupts of GUIs. Those of a person, by Ctrl-C, end the program.
fn survive_interrupts() -> io::Result<()> {
    if io::stdin().is_terminal() { Ok(()) } else { platform::survive_interrupts() }
}

/// The first server that can be reached, or why the last one cannot.
fn first_of(servers: &[Address], keys: &Keys) -> Result<(usize, Opened), String> {
    let cannot = |server: &Address, error| format!("Cannot reach {server}: {}", gui_message::reason(&error));
    let mut failure = String::new();
    for (place, server) in servers.iter().enumerate() {
        match survive_interrupts().and_then(|()| dial::dial(server, keys)) {
            Ok(opened) => return Ok((place, opened)),
            Err(error) => failure = cannot(server, error),
        }
    }
    Err(failure)
}
