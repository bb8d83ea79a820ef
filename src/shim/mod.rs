//! The stdio ⇄ TCP shim: the program that a GUI starts as its engine to reach a server.
//!
//! Bytes pass through as they come. What it does better than a netcat:
//!
//! * When the server is lost, the session continues on the next one, which gets its last state and what the client has sent since
//!   ([`crate::link`]).
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
//! [`relay`] decides everything, as a value without threads. `rim` feeds it: `gui_input`, `gui_output` and [`server_link`] are
//! the threads. [`outage`] decides where to look for a server. [`client_protocol`] has the few words of each protocol that the
//! shim needs. [`record`] is the log of a session. What depends on the system is in [`platform`].

pub mod address;
pub mod admitted;
mod argument_file;
pub mod arguments;
mod backpressure;
pub mod client_protocol;
pub mod dial;
mod first_line;
pub mod fritz;
mod gui_input;
pub mod gui_message;
mod gui_output;
mod last_line;
mod liveness;
pub mod outage;
pub mod platform;
pub mod record;
pub mod relay;
mod rim;
pub mod server_link;
mod visible;
pub mod wishes;

use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use address::Address;
use arguments::Arguments;
use record::Recorder;
use relay::{Ending, RelayPlan};
use rim::Surroundings;

/// Connects, relays until one side ends, and reports the outcome.
pub fn run(arguments: &Arguments) -> ExitCode {
    let protocol = arguments.protocol;
    let servers = match arguments.servers() {
        Ok(servers) => servers,
        Err((host, error)) => return gui_message::print(protocol, &format!("Cannot reach {host}: {error}")),
    };
    if arguments.fritz_init {
        return fritz::print(&servers[0]);
    }
    match begin(servers, arguments).and_then(|(plan, surroundings)| {
        rim::run(plan, surroundings).map_err(|error| format!("Cannot relay: {}", gui_message::reason(&error)))
    }) {
        Ok(Ending::ServerClosed | Ending::Dismissed) => ExitCode::SUCCESS,
        Ok(Ending::OutputClosed | Ending::NoServer) => ExitCode::FAILURE,
        Ok(Ending::ConnectionLost(reason)) => {
            // Standard error may be a terminal that has gone.
            let _ = writeln!(io::stderr(), "# farboard-connect: connection lost: {reason}");
            ExitCode::FAILURE
        }
        Err(reason) => gui_message::print(protocol, &reason),
    }
}

/// The plan of the relay and what it needs; or why there is no session.
fn begin(servers: Vec<Address>, arguments: &Arguments) -> Result<(RelayPlan, Surroundings), String> {
    let keys = arguments.keys()?;
    let mut recorder = arguments.record.as_deref().map(record_in).transpose()?;
    let mut wishes = arguments.wishes();
    if let Some(recorder) = &mut recorder {
        let seed = RandomState::new().hash_one(Instant::now()) >> 1;
        recorder.note(&format!("seed {seed}"), Instant::now());
        wishes = wishes.with_seed(seed);
    }
    survive_interrupts().map_err(|error| gui_message::reason(&error))?;
    let plan = RelayPlan {
        servers: servers.iter().map(Address::to_string).collect(),
        give_up: arguments.give_up(),
        protocol: arguments.protocol,
        wishes,
        is_terminal: false,
    };
    Ok((plan, Surroundings { servers, keys, recorder }))
}

fn record_in(path: &Path) -> Result<Recorder, String> {
    let why =
        |error| format!("Cannot record the session in {}: {}", path.display(), gui_message::reason(&error));
    Recorder::create(path, Instant::now()).map_err(why)
}

/// Ignores the interrupts of GUIs. Those of a person, by Ctrl-C, end the program.
fn survive_interrupts() -> io::Result<()> {
    if io::stdin().is_terminal() { Ok(()) } else { platform::survive_interrupts() }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    /// The protocols' words and the rules of games are the server's affair: what the shim does not know it cannot get wrong.
    const FOREIGN: [&str; 7] =
        ["session", "chess", "draughts", "search", "protocol::xboard", "protocol::uci", "protocol::checkers"];

    fn check(folder: &Path, checked: &mut usize) {
        for entry in fs::read_dir(folder).expect("the sources") {
            let path = entry.expect("a file").path();
            if path.is_dir() {
                check(&path, checked);
                continue;
            }
            *checked += 1;
            let text = fs::read_to_string(&path).expect("text");
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for line in code {
                for module in FOREIGN {
                    assert!(!line.contains(&["crate", module].join("::")), "{}: {line}", path.display());
                }
            }
        }
    }

    #[test]
    fn the_shim_knows_no_session_no_game_and_no_protocol() {
        let mut checked = 0;
        check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/shim"), &mut checked);
        assert!(checked > 20);
    }
}
