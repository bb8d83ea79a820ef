//! Errors of a configuration.

use super::known_keys::UnknownKey;
use super::state_key::StateKeyError;
use crate::auth::tls::TlsError;
use crate::auth::{SecretError, UsersError};
use crate::book::BookError;
use crate::draughts::endgames::FolderError;
use crate::session::{DEFAULT_PROFILE, SettingError};
use std::net::SocketAddr;
use std::path::PathBuf;

/// Error of a configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration {}", .0.display())]
    Read(PathBuf, #[source] std::io::Error),
    /// The file is not TOML, or has an unknown key or an invalid value.
    #[error("{file}{line}: invalid configuration", file = .0.display(), line = of_line(.1.as_ref()))]
    Parse(PathBuf, Option<usize>, #[source] Box<toml::de::Error>),
    /// An environment variable contains an invalid log filter.
    #[error("{0}")]
    LogVariable(String),
    /// The file has a key that its table does not have.
    #[error("{0}")]
    UnknownKey(UnknownKey),
    /// A hosted engine cannot be used: its name and the reason.
    #[error("[engine.{0}] cannot be used: {1}")]
    EngineFails(String, String),
    /// Another error, with the file and the line of its cause.
    #[error("{file}, line {line}: {error}", file = .0.display(), line = .1, error = with_causes(.2.as_ref()))]
    AtLine(PathBuf, usize, Box<ConfigError>),
    /// A value is out of its range.
    #[error("{setting} is {value} and must be from {least} to {greatest}")]
    Range {
        /// The setting's name in the file.
        setting: &'static str,
        /// The value.
        value: usize,
        /// The least allowed.
        least: usize,
        /// The greatest allowed.
        greatest: usize,
    },
    /// Two listeners have this address and port.
    #[error(
        "two listeners have the address {0}: remove one of them, or change its port (0.0.0.0 and [::] stand for all \
         addresses of their family)"
    )]
    DuplicateListener(SocketAddr),
    /// The address is reachable from other machines without any access rule.
    #[error(
        "{0} is reachable from other machines, so restrict who may connect: networks with --allow 192.168.0.0/16 (in \
         the file, allow = [\"192.168.0.0/16\"]), clients that know a secret with --secret-file FILE (secret_file = \
         \"FILE\"), or named users with --users FILE (users = \"FILE\"). Or listen on 127.0.0.1, and admit others \
         through a tunnel: ssh -L {port}:127.0.0.1:{port} HOST",
        port = .0.port()
    )]
    UnprotectedListener(SocketAddr),
    /// An `rsh` listener has no list of allowed networks.
    #[error(
        "a listener with the transport rsh must list the addresses that may connect, as in\n  [[listen]]\n  \
         transport = \"rsh\"\n  address = \"{0}\"\n  allow = [\"192.168.0.0/16\"]"
    )]
    RshWithoutAllow(SocketAddr),
    /// An `rsh` listener has a secret or TLS.
    #[error(
        "the listener {0} has the transport rsh, whose clients support neither secrets nor TLS: remove secret_file, \
         users, client_ca and tls from it"
    )]
    RshWithKeys(SocketAddr),
    /// An `rsh` listener names proxies.
    #[error(
        "the listener {0} has the transport rsh, which connects back to its clients and cannot do so through a proxy: \
         remove proxy from it"
    )]
    RshWithProxy(SocketAddr),
    /// A listener for a balancer's agent check has a setting for sessions.
    #[error("the listener {0} has the transport agent, which has no sessions: remove {1} from it")]
    AgentWith(SocketAddr, &'static str),
    /// The listener for HTTP would have secrets or cookies sent over a network unencrypted.
    #[error(
        "the HTTP listener at {0} asks for a login, which could be read on the network: add TLS (tls = \"FILE\" \
         below [http]), or listen on 127.0.0.1"
    )]
    HttpLoginWithoutTls(SocketAddr),
    /// The listener for HTTP has `allow_host`, which has an effect on loopback addresses only.
    #[error(
        "the HTTP listener at {0} does not check host names, as only one on a loopback address does: remove \
         allow_host from [http], or listen on 127.0.0.1"
    )]
    AllowHostBeyondLoopback(SocketAddr),
    /// The file has no usable secret.
    #[error("cannot use the secret in {}", .0.display())]
    Secret(PathBuf, #[source] SecretError),
    /// The file has no usable list of users.
    #[error("cannot use the users in {}", .0.display())]
    Users(PathBuf, #[source] UsersError),
    /// The file of users names a profile that does not exist: the user, the profile, the existing
    /// ones.
    #[error("the user {0} names the unknown profile {1:?}; known profiles: {known}", known = .2.join(", "))]
    ProfileOfUser(String, String, Vec<String>),
    /// A listener has authorities for client certificates, and no TLS.
    #[error(
        "the listener {0} has authorities for client certificates (client_ca), which need TLS: add a certificate and \
         key with --tls (tls = \"FILE\")"
    )]
    ClientsWithoutTls(SocketAddr),
    /// The file has no usable certificate and key.
    #[error("cannot use the certificate and key in {} for TLS", .0.display())]
    Tls(PathBuf, #[source] TlsError),
    /// The file is not a usable opening book.
    #[error("cannot use the opening book {}", .0.display())]
    Book(PathBuf, #[source] BookError),
    /// The folder has no usable endgames of draughts.
    #[error("cannot use the endgames in {}", .0.display())]
    Endgames(PathBuf, #[source] Box<FolderError>),
    /// The file has no usable key of states.
    #[error("cannot use the state key in {}", .0.display())]
    StateKey(PathBuf, #[source] StateKeyError),
    /// Games cannot be archived in the folder.
    #[error(
        "cannot archive games in the folder {}, which must exist and be writable for the server's user",
        .0.display()
    )]
    Archive(PathBuf, #[source] std::io::Error),
    /// An option of the engine cannot be set to this value.
    #[error("{0}")]
    Option(SettingError),
    /// An option of a profile cannot be set to this value.
    #[error("[profile.{0}]: {1}")]
    ProfileOption(String, SettingError),
    /// Invalid profile name.
    #[error(
        "{0:?} is not a valid profile name: use a word of letters, digits and - _ . other than {DEFAULT_PROFILE}, \
         which stands for sessions without a profile"
    )]
    ProfileName(String),
    /// A profile names an engine that does not exist; the existing ones.
    #[error("[profile.{0}] names the unknown engine {1:?}; {known}", known = known("[engine.NAME] with a command", .2))]
    UnknownEngine(String, String, Vec<String>),
    /// An engine has no command.
    #[error("[engine.{0}] needs a program and its arguments, as in command = [\"/usr/games/stockfish\"]")]
    NoCommand(String),
    /// The program of an engine cannot be used.
    #[error("[engine.{0}] cannot start {program}", program = .1.display())]
    EngineProgram(String, PathBuf, #[source] std::io::Error),
    /// An option of an engine is set by sessions.
    #[error(
        "[engine.{0}] sets {1:?}, which each search sets for its session: remove it, and set MultiPV, Elo or \
         SkillLevel among the options of the profile"
    )]
    ManagedOption(String, String),
    /// The system lacks something that an engine needs.
    #[error("[engine.{0}] cannot be hosted")]
    Hosting(String, #[source] std::io::Error),
    /// A listener names a profile that does not exist; the existing ones.
    #[error("the listener {0} names the unknown profile {1:?}; {known}", known = known("[profile.NAME]", .2))]
    UnknownProfile(SocketAddr, String, Vec<String>),
}

fn of_line(line: Option<&usize>) -> String {
    line.map_or_else(String::new, |line| format!(", line {line}"))
}

fn known(table: &str, names: &[String]) -> String {
    if names.is_empty() { format!("the file has no {table}") } else { format!("known: {}", names.join(", ")) }
}

/// Formats an error with its causes, each on a line of its own.
pub fn with_causes(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}\n  because: {}", with_causes(cause)),
        None => error.to_string(),
    }
}
