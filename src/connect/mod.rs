//! The stdio ⇄ TCP shim: what a GUI that can only start a program starts to reach a server.
//!
//! It is a relay and nothing more: bytes go through as they come, in both directions, and no line
//! is looked at on the way. What makes it better than a netcat is how it ends.
//!
//! * xboard interrupts its engines before almost every command: SIGINT is survived.
//! * xboard writes `quit`, sends SIGTERM at once and keeps the pipe open: what is already in the
//!   pipe still reaches the server, and the shim is gone in a fifth of a second.
//! * End of input is passed on as a half-close, so that a script gets all its answers.
//! * When the server closes, the shim exits, whether or not its input has ended.
//! * Its output is the engine's. Own words appear there only when there is no engine, in the one
//!   form that makes xboard show them and let go ([`complaint`]).
//!
//! [`relay`] assumes nothing of the system but threads; [`platform`] holds the rest.

pub mod address;
pub mod arguments;
pub mod complaint;
pub mod dial;
pub mod platform;
pub mod relay;

use std::io;
use std::process::ExitCode;

use arguments::Arguments;
use relay::Ending;

/// Connects, relays until either side has had enough, and says how it went.
pub fn run(arguments: &Arguments) -> ExitCode {
    let server = match platform::survive_interrupts().and_then(|()| dial::dial(&arguments.server)) {
        Ok(server) => server,
        Err(error) => {
            let reason = format!("Cannot reach {}: {}", arguments.server, complaint::reason(&error));
            return complaint::print(&reason);
        }
    };
    match relay_stdio(server) {
        Ok(Ending::ServerClosed | Ending::Dismissed) => ExitCode::SUCCESS,
        Ok(Ending::OutputClosed) => ExitCode::FAILURE,
        Ok(Ending::ConnectionLost(error)) | Err(error) => {
            eprintln!("# farboard-connect: connection lost: {error}");
            ExitCode::FAILURE
        }
    }
}

fn relay_stdio(server: std::net::TcpStream) -> io::Result<Ending> {
    let input = platform::input()?;
    let output = platform::output()?;
    relay::relay(input, output, server)
}
