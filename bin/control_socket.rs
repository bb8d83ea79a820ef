//! The server that an administrator's command is for.

use clap::Args;
use farboard::monitor::{AskError, ask};
use farboard::server::control::ControlPaths;
use std::path::PathBuf;

/// The server to contact.
#[derive(Args)]
pub struct ControlSocket {
    /// The server's control socket [default: the one in $XDG_RUNTIME_DIR/farboard or /run/farboard]
    #[arg(long, value_name = "PATH")]
    control: Option<PathBuf>,
}

impl ControlSocket {
    /// Returns the path of the socket.
    ///
    /// # Errors
    /// No path is given, and not exactly one server is found.
    pub fn path(&self) -> Result<PathBuf, AskError> {
        self.control
            .clone()
            .map_or_else(|| ask::find_server(ControlPaths::from_environment().candidates()), Ok)
    }
}
