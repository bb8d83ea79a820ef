//! `farboard-connect HOST[:PORT]`: the engine that a GUI starts, played by a remote server.

use std::process::ExitCode;

use farboard::shim::{self, arguments};

fn main() -> ExitCode {
    match arguments::Arguments::of_process() {
        Ok(arguments) => shim::run(&arguments),
        Err(error) => arguments::explain(&error, std::env::args_os()),
    }
}
