//! The stdio ⇄ TCP shim: the program that a GUI starts as its engine to reach a server.
//! `docs/shim.md` has its behaviour.
//!
//! [`relay`] decides everything, as a value without threads. `driver` runs it on the threads that
//! read, of `gui_input` and `server_link`. `platform` has everything that depends on the system.

pub mod address;
mod argument_file;
pub mod arguments;
pub mod client_protocol;
pub mod dial;
mod driver;
mod fritz;
mod gui_input;
pub mod gui_message;
mod platform;
mod quit_command;
pub(crate) mod record;
pub mod relay;
pub(crate) mod server_link;
mod startup_options;
mod visible;
mod write_queue;

use address::Address;
use arguments::Arguments;
use record::Recorder;
use relay::{Ending, RelayPlan};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Connects, relays until one side ends, and reports the outcome.
pub fn run(arguments: &Arguments) -> ExitCode {
    let servers = arguments.servers();
    if arguments.fritz_init {
        return gui_message::print_text(&fritz::init_file(&servers[0]));
    }
    match relay(servers, arguments) {
        Ok(Ending::ServerClosed | Ending::Dismissed) => ExitCode::SUCCESS,
        Ok(Ending::OutputClosed | Ending::NoServer) => ExitCode::FAILURE,
        Ok(Ending::ConnectionLost(reason)) => {
            // Fails if standard error is a terminal that was closed.
            let _ = writeln!(io::stderr(), "# farboard-connect: connection lost: {reason}");
            ExitCode::FAILURE
        }
        Err(reason) => gui_message::print(arguments.protocol, &reason),
    }
}

/// Relays until one side ends. An error is why there is no session.
fn relay(servers: Vec<Address>, arguments: &Arguments) -> Result<Ending, String> {
    let keys = arguments.keys.load()?;
    let mut options = arguments.options();
    let mut recorder = Recorder::none();
    if let Some(path) = &arguments.record {
        recorder = Recorder::create(path, Instant::now()).map_err(|error| {
            format!("Cannot record the session in {}: {}", path.display(), gui_message::reason(&error))
        })?;
        let seed = RandomState::new().hash_one(Instant::now()) >> 1;
        recorder.note(&format!("seed {seed}"), Instant::now());
        options.seed = Some(seed);
    }
    // At a terminal, Ctrl-C ends the program.
    if !io::stdin().is_terminal() {
        platform::ignore_interrupts().map_err(|error| gui_message::reason(&error))?;
    }
    let plan = RelayPlan {
        servers: servers.iter().map(Address::to_string).collect(),
        give_up: Duration::from_secs(arguments.give_up.into()),
        protocol: arguments.protocol,
        options,
        is_terminal: io::stdout().is_terminal(),
    };
    driver::run(plan, servers, keys, recorder)
        .map_err(|error| format!("Cannot relay: {}", gui_message::reason(&error)))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    /// Protocols and the rules of games are the server's concern.
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
    fn the_shim_depends_on_no_session_game_or_protocol() {
        let mut checked = 0;
        check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/shim"), &mut checked);
        assert!(checked > 20);
    }
}
