//! Files and the environment variable by which server and user know each other.

use crate::auth::{self, Keys, Secret, UserKey};
use crate::shim::gui_message;
use std::error::Error;
use std::path::{Path, PathBuf};

/// Arguments that name keys and certificates.
#[derive(Clone, Debug, Default, clap::Args, PartialEq, Eq)]
pub struct KeyFiles {
    /// File with the certificates of servers to trust (PEM): only connect with TLS, and only to
    /// these servers.
    #[arg(long, value_name = "FILE")]
    pub tls: Option<PathBuf>,
    /// File whose first line is the secret that servers ask for, and must know as well. The
    /// environment variable FARBOARD_SECRET may hold the secret itself instead.
    #[arg(long, value_name = "FILE")]
    pub secret_file: Option<PathBuf>,
    /// File with your key, as `farboard keygen` makes it, for servers with named users.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["secret_file", "certificate"])]
    pub key: Option<PathBuf>,
    /// File with your certificate and its private key (PEM), for servers that identify you by it.
    /// Needs --tls.
    #[arg(long, value_name = "FILE", requires = "tls", conflicts_with = "secret_file")]
    pub certificate: Option<PathBuf>,
    /// Log in with --key even if TLS ends before the server, such as at a load balancer, which
    /// could then log in elsewhere as you.
    #[arg(long, requires = "key", requires = "tls")]
    pub tls_ends_early: bool,
}

impl KeyFiles {
    /// Reads the keys.
    ///
    /// # Errors
    /// A file or the environment variable is unusable; in one line.
    pub fn load(&self) -> Result<Keys, String> {
        let tls = self.tls.as_deref().map(|path| {
            let certificate = self.certificate.as_deref();
            // The certificate is wrong if TLS works without it.
            let wrong =
                if auth::tls::client(path, None).is_ok() { certificate.unwrap_or(path) } else { path };
            auth::tls::client(path, certificate).map_err(|error| cannot_use(wrong, &error))
        });
        let user =
            self.key.as_deref().map(|path| UserKey::read(path).map_err(|error| cannot_use(path, &error)));
        // With a key or a certificate, the secret in the environment is for other servers.
        let secret = if self.key.is_none() && self.certificate.is_none() {
            let file = self.secret_file.as_deref();
            let place = file.unwrap_or(Path::new(auth::ENVIRONMENT));
            Secret::of_shim(file).map_err(|error| cannot_use(place, &error))?
        } else {
            None
        };
        let tls_may_end_early = self.tls_ends_early;
        Ok(Keys { secret, user: user.transpose()?, tls: tls.transpose()?, tls_may_end_early })
    }
}

fn cannot_use(place: &Path, error: &dyn Error) -> String {
    let reason = gui_message::reason(error);
    match reason.strip_prefix("cannot read ") {
        Some(file) => format!("Cannot read {file}"),
        None => format!("Cannot use {}: {reason}", place.display()),
    }
}
