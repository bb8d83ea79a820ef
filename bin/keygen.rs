//! `farboard keygen`: the key of a named user.

use clap::Args;
use farboard::auth::{Nonce, UserKey};
use std::error::Error;
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

/// Arguments of `farboard keygen`.
#[derive(Args)]
pub struct Arguments {
    /// The user's name: letters, digits and - _ . @ +
    #[arg(required_unless_present = "public")]
    name: Option<String>,
    /// File for the private half, which stays with the user (farboard-connect --key FILE). It must not exist yet.
    #[arg(required_unless_present = "public")]
    file: Option<PathBuf>,
    /// Print the line for an existing file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["name", "file"])]
    public: Option<PathBuf>,
}

/// Generates a key and prints the line for the server.
pub fn make(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let key = match (&arguments.public, &arguments.name, &arguments.file) {
        (Some(path), _, _) => UserKey::read(path).map_err(|error| format!("{}: {error}", path.display()))?,
        (None, Some(name), Some(path)) => {
            let key = UserKey::new(name, Nonce::random()?)?;
            let mut options = OpenOptions::new();
            let file = options.write(true).create_new(true).mode(0o600).open(path);
            let written = file.and_then(|mut file| {
                file.write_all(key.private_text().as_bytes())?;
                file.sync_all()
            });
            written.map_err(|error| format!("cannot make {}: {error}", path.display()))?;
            key
        }
        _ => return Err("say the user's name and a file".into()),
    };
    Ok(std::io::stdout().write_all(key.public_line().as_bytes())?)
}
