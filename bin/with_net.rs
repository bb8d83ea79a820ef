//! The flag `--net` of commands that search.

use clap::Args;
use farboard::search::net::{Domain, Net, NetError, net_of, use_net};
use std::error::Error;
use std::io;
use std::path::PathBuf;

/// A command that searches.
pub trait Searches {
    /// The game of its searches, if it is only one.
    fn game(&self) -> Option<Domain>;
}

/// Arguments of a command, and a net to search with.
#[derive(Args)]
pub struct WithNet<T: Args> {
    #[command(flatten)]
    arguments: T,
    /// Net file to use instead of the built-in evaluation, in all games of this process that it is
    /// for: made by `farboard train`
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
}

/// An error in the file of a net.
#[derive(Debug, thiserror::Error)]
enum NetFileError {
    #[error("cannot read {path}", path = .0.display())]
    File(PathBuf, #[source] io::Error),
    #[error("{path} cannot be used", path = .0.display())]
    Net(PathBuf, #[source] NetError),
    #[error("{path} is a net of {net}, which does not evaluate {game}", path = .path.display())]
    Game { path: PathBuf, net: Domain, game: Domain },
}

impl<T: Args + Searches> WithNet<T> {
    /// Puts the net in use and returns the command's arguments.
    ///
    /// # Errors
    /// The file cannot be read, or is not a net, or the command has no use for it.
    pub fn load(self) -> Result<T, Box<dyn Error>> {
        if let Some(path) = self.net {
            let bytes = std::fs::read(&path).map_err(|error| NetFileError::File(path.clone(), error))?;
            let net = Net::parse(&bytes).map_err(|error| NetFileError::Net(path.clone(), error))?;
            let domain = net.file().domain;
            use_net(net)?;
            if let Some(game) = self.arguments.game().filter(|&game| net_of(game).file().domain != domain) {
                return Err(NetFileError::Game { path, net: domain, game }.into());
            }
        }
        Ok(self.arguments)
    }
}
