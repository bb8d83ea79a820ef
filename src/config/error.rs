//! Errors of a configuration.

use super::known_keys::UnknownKey;
use super::state_key::StateKeyError;
use crate::auth::tls::TlsError;
use crate::auth::{SecretError, UsersError};
use crate::book::BookError;
use crate::draughts::endgames::FolderError;
use crate::session::{DEFAULT_PROFILE, SettingError};
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Error of a configuration.
#[derive(Debug)]
pub enum ConfigError {
    /// The file cannot be read.
    Read(PathBuf, std::io::Error),
    /// The file is not TOML, or has an unknown key or an invalid value.
    Parse(PathBuf, Option<usize>, Box<toml::de::Error>),
    /// An environment variable has no filter for the log: why.
    LogVariable(String),
    /// The file has a key that its table does not have.
    UnknownKey(UnknownKey),
    /// An engine cannot be used: why.
    EngineFails(String, String),
    /// Another error, with the file and the line of its cause.
    AtLine(PathBuf, usize, Box<ConfigError>),
    /// A value is out of its range.
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
    DuplicateListener(SocketAddr),
    /// The address is reachable from other machines without any access rule.
    UnprotectedListener(SocketAddr),
    /// An `rsh` listener has no list of allowed networks.
    RshWithoutAllow(SocketAddr),
    /// An `rsh` listener has a secret or TLS.
    RshWithKeys(SocketAddr),
    /// An `rsh` listener names proxies.
    RshWithProxy(SocketAddr),
    /// A listener for a balancer's agent check has a setting for sessions.
    AgentWith(SocketAddr, &'static str),
    /// The listener for HTTP would have the secret sent over a network as it is.
    HttpSecretWithoutTls(SocketAddr),
    /// The listener for HTTP has `allow_host`, which only a loopback address heeds.
    AllowHostBeyondLoopback(SocketAddr),
    /// The file has no usable secret.
    Secret(PathBuf, SecretError),
    /// The file has no usable list of users.
    Users(PathBuf, UsersError),
    /// The file of users names a profile that does not exist: the user, the profile, the existing ones.
    ProfileOfUser(String, String, Vec<String>),
    /// A listener has authorities for the certificates of clients, and no TLS.
    ClientsWithoutTls(SocketAddr),
    /// The file has no usable certificate and key.
    Tls(PathBuf, TlsError),
    /// The file is not a usable opening book.
    Book(PathBuf, BookError),
    /// The folder has no usable endgames of draughts.
    Endgames(PathBuf, Box<FolderError>),
    /// The file has no usable key of states.
    StateKey(PathBuf, StateKeyError),
    /// Games cannot be kept in the folder.
    Archive(PathBuf, std::io::Error),
    /// An option of the engine cannot be set to this value.
    Option(SettingError),
    /// An option of a profile cannot be set to this value.
    ProfileOption(String, SettingError),
    /// Invalid profile name.
    ProfileName(String),
    /// A profile names an engine that does not exist; the existing ones.
    UnknownEngine(String, String, Vec<String>),
    /// An engine has no command.
    NoCommand(String),
    /// The program of an engine cannot be used.
    EngineProgram(String, PathBuf, std::io::Error),
    /// An option of an engine is set by sessions.
    ManagedOption(String, String),
    /// The system lacks something that an engine needs.
    Hosting(String, std::io::Error),
    /// A listener names a profile that does not exist; the existing ones.
    UnknownProfile(SocketAddr, String, Vec<String>),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigError::Read(path, _) => write!(f, "cannot read the configuration {}", path.display()),
            ConfigError::Parse(path, Some(line), _) => {
                write!(f, "{}, line {line}: the configuration is wrong", path.display())
            }
            ConfigError::Parse(path, None, _) => write!(f, "the configuration {} is wrong", path.display()),
            ConfigError::LogVariable(why) => f.write_str(why),
            ConfigError::UnknownKey(unknown) => unknown.fmt(f),
            ConfigError::EngineFails(name, why) => write!(f, "[engine.{name}] cannot be used: {why}"),
            ConfigError::AtLine(path, line, error) => write!(f, "{}, line {line}: {error}", path.display()),
            ConfigError::DuplicateListener(address) => write!(
                f,
                "two listeners are at {address}: take one of them away, or give it another port (0.0.0.0 and [::] \
                 are all addresses of their family)"
            ),
            ConfigError::Range { setting, value, least, greatest } => {
                write!(f, "{setting} is {value} and must be from {least} to {greatest}")
            }
            ConfigError::UnprotectedListener(address) => write!(
                f,
                "{address} can be reached from other machines, so say who may come: networks with --allow \
                 192.168.0.0/16 (in the file, allow = [\"192.168.0.0/16\"]), or all that know a secret with \
                 --secret-file FILE (secret_file = \"FILE\"), or named users with --users FILE (users = \"FILE\"). Or listen on 127.0.0.1, and let others in by a tunnel: \
                 ssh -L {port}:127.0.0.1:{port} HOST",
                port = address.port()
            ),
            ConfigError::RshWithoutAllow(address) => write!(
                f,
                "a listener with the transport rsh must name the addresses that may connect, as in\n  [[listen]]\n  transport = \"rsh\"\n  \
                 address = \"{address}\"\n  allow = [\"192.168.0.0/16\"]"
            ),
            ConfigError::RshWithKeys(address) => write!(
                f,
                "the listener {address} has the transport rsh, whose clients know neither secrets nor TLS: take \
                 secret_file, users, client_ca and tls away from it"
            ),
            ConfigError::ClientsWithoutTls(address) => write!(
                f,
                "the listener {address} has authorities for the certificates of clients (client_ca), which show them with \
                 TLS alone: give it a file with --tls (tls = \"FILE\") as well"
            ),
            ConfigError::Users(path, _) => write!(f, "cannot use the users in {}", path.display()),
            ConfigError::ProfileOfUser(user, profile, known) => write!(
                f,
                "the user {user} may have the profile {profile:?}, and there are only: {}",
                known.join(", ")
            ),
            ConfigError::HttpSecretWithoutTls(address) => write!(
                f,
                "the listener for HTTP at {address} asks for a secret, which anybody on the way could read: give it TLS as \
                 well (tls = \"FILE\" below [http]), or let it listen on 127.0.0.1"
            ),
            ConfigError::AllowHostBeyondLoopback(address) => write!(
                f,
                "the listener for HTTP at {address} answers whatever name a request gives this machine, as only one on a \
                 loopback address checks it: take allow_host away from [http], or let it listen on 127.0.0.1"
            ),
            ConfigError::RshWithProxy(address) => write!(
                f,
                "the listener {address} has the transport rsh, which connects back to its clients, and no proxy can do that \
                 for them: take proxy away from it"
            ),
            ConfigError::AgentWith(address, setting) => write!(
                f,
                "the listener {address} has the transport agent, where nobody gets a session: take {setting} away from it"
            ),
            ConfigError::Secret(path, _) => write!(f, "cannot use the secret in {}", path.display()),
            ConfigError::Tls(path, _) => {
                write!(f, "cannot speak TLS with the certificate and key in {}", path.display())
            }
            ConfigError::Option(error) => write!(f, "{error}"),
            ConfigError::ProfileOption(name, error) => write!(f, "[profile.{name}]: {error}"),
            ConfigError::ProfileName(name) => write!(
                f,
                "{name:?} cannot be the name of a profile: it must be a word of letters, digits and - _ ., and not \
                 {DEFAULT_PROFILE}, which stands for sessions without a profile"
            ),
            ConfigError::UnknownProfile(address, name, known) if known.is_empty() => {
                write!(
                    f,
                    "the listener {address} names the profile {name:?}, and there is no [profile.{name}]"
                )
            }
            ConfigError::UnknownProfile(address, name, known) => write!(
                f,
                "the listener {address} names the profile {name:?}, and there are only: {}",
                known.join(", ")
            ),
            ConfigError::UnknownEngine(profile, engine, known) if known.is_empty() => write!(
                f,
                "[profile.{profile}] names the engine {engine:?}, and there is no [engine.{engine}] with a command"
            ),
            ConfigError::UnknownEngine(profile, engine, known) => write!(
                f,
                "[profile.{profile}] names the engine {engine:?}, and there are only: {}",
                known.join(", ")
            ),
            ConfigError::NoCommand(name) => write!(
                f,
                "[engine.{name}] needs the program and its arguments, as in command = [\"/usr/games/stockfish\"]"
            ),
            ConfigError::EngineProgram(name, program, _) => {
                write!(f, "[engine.{name}] cannot start {}", program.display())
            }
            ConfigError::ManagedOption(name, option) => write!(
                f,
                "[engine.{name}] sets {option:?}, which each search sets as its session wants it: take it away, and set \
                 MultiPV, Elo or SkillLevel among the options of the profile"
            ),
            ConfigError::Hosting(name, _) => write!(f, "[engine.{name}] cannot be hosted"),
            ConfigError::Book(path, _) => write!(f, "cannot use the opening book {}", path.display()),
            ConfigError::StateKey(path, _) => write!(f, "cannot use the state key in {}", path.display()),
            ConfigError::Archive(folder, _) => write!(
                f,
                "cannot keep games in the folder {}, which must exist and be writable for the user of the server",
                folder.display()
            ),
            ConfigError::Endgames(folder, _) => write!(f, "cannot use the endgames in {}", folder.display()),
        }
    }
}

impl std::error::Error for ConfigError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ConfigError::Archive(_, error) => Some(error),
            ConfigError::StateKey(_, error) => Some(error),
            ConfigError::Read(_, error) => Some(error),
            ConfigError::Parse(_, _, error) => Some(error.as_ref()),
            ConfigError::AtLine(_, _, error) => error.source(),
            ConfigError::Book(_, error) => Some(error),
            ConfigError::Endgames(_, error) => Some(error.as_ref()),
            ConfigError::Secret(_, error) => Some(error),
            ConfigError::Users(_, error) => Some(error),
            ConfigError::Tls(_, error) => Some(error),
            ConfigError::EngineProgram(_, _, error) | ConfigError::Hosting(_, error) => Some(error),
            ConfigError::Range { .. }
            | ConfigError::UnknownEngine(..)
            | ConfigError::NoCommand(_)
            | ConfigError::ManagedOption(..)
            | ConfigError::DuplicateListener(_)
            | ConfigError::UnprotectedListener(_)
            | ConfigError::RshWithoutAllow(_)
            | ConfigError::RshWithKeys(_)
            | ConfigError::RshWithProxy(_)
            | ConfigError::AgentWith(..)
            | ConfigError::ClientsWithoutTls(_)
            | ConfigError::ProfileOfUser(..)
            | ConfigError::HttpSecretWithoutTls(_)
            | ConfigError::AllowHostBeyondLoopback(_)
            | ConfigError::Option(_)
            | ConfigError::ProfileOption(..)
            | ConfigError::ProfileName(_)
            | ConfigError::LogVariable(_)
            | ConfigError::UnknownKey(_)
            | ConfigError::EngineFails(..)
            | ConfigError::UnknownProfile(..) => None,
        }
    }
}
