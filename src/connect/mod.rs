//! The stdio ⇄ TCP shim: what a GUI that can only start a program starts to reach a server.
//!
//! Bytes go through as they come. What makes it better than a netcat is that it lasts, and how it ends.
//!
//! * When the server is lost, the session goes on with the next one: [`journal`] knows what it has come to.
//! * xboard interrupts its engines before almost every command: SIGINT is survived.
//! * xboard writes `quit`, sends SIGTERM at once and keeps the pipe open: what is already in the
//!   pipe still reaches the server, and the shim is gone in a fifth of a second.
//! * End of input is passed on as a half-close, so that a script gets all its answers.
//! * When the server closes a session that is over, the shim exits, whether or not its input has ended.
//! * Its output is the engine's. Own words appear there only when there is no engine, in the one
//!   form that makes xboard show them and let go ([`complaint`]).
//! * Where servers ask for keys, a secret or TLS, it shows them before the session begins ([`opened`]).
//!
//! [`relay`] brings it together: `intake`, `outlet` and [`link`] are the threads around it, [`outage`]
//! says where to look for a server. [`record`] is the log. What depends on the system is in [`platform`].

pub mod address;
pub mod arguments;
pub mod complaint;
pub mod dial;
pub mod fritz;
mod gate;
mod goodbye;
mod intake;
pub mod journal;
pub mod link;
mod liveness;
pub mod opened;
pub mod outage;
mod outlet;
pub mod platform;
pub mod record;
pub mod relay;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use address::Address;
use arguments::Arguments;
use opened::Opened;
use record::Recorder;
use relay::{Ending, Order};

use crate::keys::Keys;

/// Connects, relays until either side has had enough, and says how it went.
pub fn run(arguments: &Arguments) -> ExitCode {
    let servers = match arguments.servers() {
        Ok(servers) => servers,
        Err((host, error)) => return complaint::print(&format!("Cannot reach {host}: {error}")),
    };
    if arguments.fritz_init {
        return fritz::print(&servers[0]);
    }
    match begin(servers, arguments).and_then(|(order, server, opened)| {
        relay::relay(order, server, opened)
            .map_err(|error| format!("Cannot relay: {}", complaint::reason(&error)))
    }) {
        Ok(Ending::ServerClosed | Ending::Dismissed) => ExitCode::SUCCESS,
        Ok(Ending::OutputClosed | Ending::NoServer) => ExitCode::FAILURE,
        Ok(Ending::ConnectionLost(error)) => {
            eprintln!("# farboard-connect: connection lost: {error}");
            ExitCode::FAILURE
        }
        Err(reason) => complaint::print(&reason),
    }
}

/// What the relay is to do, and the first server that can be reached; or why there is no session.
fn begin(servers: Vec<Address>, arguments: &Arguments) -> Result<(Order, usize, Opened), String> {
    let keys = arguments.keys()?;
    let mut recorder = arguments.record.as_deref().map(record_in).transpose()?;
    let found = first_of(&servers, &keys);
    if let Some(recorder) = &mut recorder {
        let news = found.as_ref().map(|(server, _)| format!("connected to {}", servers[*server]));
        recorder.note(news.as_ref().unwrap_or_else(|reason| reason), Instant::now());
    }
    let (server, opened) = found?;
    let (give_up, wishes) = (arguments.give_up(), arguments.wishes());
    Ok((Order { servers, keys, give_up, wishes, recorder }, server, opened))
}

fn record_in(path: &Path) -> Result<Recorder, String> {
    let why =
        |error| format!("Cannot record the session in {}: {}", path.display(), complaint::reason(&error));
    Recorder::create(path, Instant::now()).map_err(why)
}

/// The first server that can be reached, or why the last cannot.
fn first_of(servers: &[Address], keys: &Keys) -> Result<(usize, Opened), String> {
    let cannot = |server: &Address, error| format!("Cannot reach {server}: {}", complaint::reason(&error));
    let mut failure = String::new();
    for (place, server) in servers.iter().enumerate() {
        match platform::survive_interrupts().and_then(|()| dial::dial(server, keys)) {
            Ok(opened) => return Ok((place, opened)),
            Err(error) => failure = cannot(server, error),
        }
    }
    Err(failure)
}
