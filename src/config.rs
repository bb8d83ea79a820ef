//! Configuration: a TOML file, flags that override it, and defaults that need neither.
//!
//! [`Settings`] is what was typed, in the file or as flags; [`Config`] is what is meant, complete and
//! checked.

use clap::Args;
use serde::Deserialize;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// Where the server listens if nothing else is said.
pub const DEFAULT_ADDRESS: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::new(127, 0, 0, 1)), 5254);

/// What a client speaks that connects to a listener.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The protocol of xboard and WinBoard.
    Xboard,
}

/// An address to listen on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listen {
    /// What is spoken there.
    pub kind: Kind,
    /// Address and port; port 0 lets the system choose one.
    pub address: SocketAddr,
}

impl FromStr for Listen {
    type Err = String;

    fn from_str(text: &str) -> Result<Listen, String> {
        let address = text.parse().map_err(|_| {
            format!("{text:?} is not ADDRESS:PORT with a numeric address, such as {DEFAULT_ADDRESS}")
        })?;
        Ok(Listen { kind: Kind::Xboard, address })
    }
}

/// What was typed. Every setting is a flag and a key of the same name in the file (with `_` for `-`);
/// what is `None` was not said.
#[derive(Clone, Default, Debug, Args, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// File with settings (TOML); flags override it
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,

    /// Address to listen on; may be given more than once [default: 127.0.0.1:5254]
    #[arg(long, value_name = "ADDRESS:PORT")]
    #[serde(default)]
    pub listen: Vec<Listen>,

    /// Searches that run at one time [default: number of cores]
    #[arg(long, value_name = "N")]
    pub workers: Option<NonZeroUsize>,

    /// Size of the transposition table, shared by all sessions [default: 128]
    #[arg(long, value_name = "MIB")]
    pub table: Option<NonZeroUsize>,

    /// Sessions at one time; further connections are told why and closed [default: 10000]
    #[arg(long, value_name = "N")]
    pub max_sessions: Option<NonZeroUsize>,

    /// Sessions at one time from one address [default: no limit of its own]
    #[arg(long, value_name = "N")]
    pub max_sessions_per_address: Option<NonZeroUsize>,

    /// Searches begun and not ended, of games and of analyses each; further ones wait [default: 1024]
    #[arg(long, value_name = "N")]
    pub max_searches: Option<NonZeroUsize>,

    /// Longest line understood, in bytes [default: 8192]
    #[arg(long, value_name = "BYTES")]
    pub max_line: Option<NonZeroUsize>,

    /// Unread output above which older thinking lines are dropped, in bytes [default: 65536]
    #[arg(long, value_name = "BYTES")]
    pub output_soft: Option<NonZeroUsize>,

    /// Unread output above which a connection is closed, in bytes [default: 1048576]
    #[arg(long, value_name = "BYTES")]
    pub output_hard: Option<NonZeroUsize>,

    /// How long running games may go on after SIGINT or SIGTERM [default: 10]
    #[arg(long, value_name = "SECONDS")]
    pub drain_seconds: Option<u32>,

    /// What is logged to stderr: off, error, warn, info, debug or trace [default: info]
    #[arg(long, value_name = "LEVEL")]
    pub log: Option<log::LevelFilter>,
}

/// What is meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Where to listen; never empty.
    pub listen: Vec<Listen>,
    /// Run tokens.
    pub workers: usize,
    /// Size of the transposition table in MiB.
    pub table: usize,
    /// Sessions at one time.
    pub max_sessions: usize,
    /// Sessions at one time from one address.
    pub max_sessions_per_address: Option<usize>,
    /// Searches of each class that are begun and not ended.
    pub max_searches: usize,
    /// Longest line in bytes.
    pub max_line: usize,
    /// Unread output in bytes above which thinking lines are dropped.
    pub output_soft: usize,
    /// Unread output in bytes above which a connection is closed.
    pub output_hard: usize,
    /// How long running games may go on when the server is asked to end.
    pub drain: Duration,
    /// What is logged.
    pub log: log::LevelFilter,
}

/// Why there is no configuration.
#[derive(Debug)]
pub enum ConfigError {
    /// The file cannot be read.
    Read(PathBuf, std::io::Error),
    /// The file is not TOML, or holds a key or a value that is not known.
    Parse(PathBuf, Box<toml::de::Error>),
    /// A value is out of its range.
    Range {
        /// The setting's name in the file.
        setting: &'static str,
        /// What was asked for.
        value: usize,
        /// The least allowed.
        least: usize,
        /// The greatest allowed.
        greatest: usize,
    },
    /// The address can be reached from other machines.
    Public(SocketAddr),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigError::Read(path, _) => write!(f, "cannot read the configuration {}", path.display()),
            ConfigError::Parse(path, _) => write!(f, "the configuration {} is wrong", path.display()),
            ConfigError::Range { setting, value, least, greatest } => {
                write!(f, "{setting} is {value} and must be from {least} to {greatest}")
            }
            ConfigError::Public(address) => write!(
                f,
                "{address} can be reached from other machines. That needs a list of allowed addresses or a \
                 shared secret, which this version does not have yet. Listen on 127.0.0.1 or [::1], and let \
                 others in by a tunnel: ssh -L {port}:127.0.0.1:{port} HOST",
                port = address.port()
            ),
        }
    }
}

impl std::error::Error for ConfigError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ConfigError::Read(_, error) => Some(error),
            ConfigError::Parse(_, error) => Some(error.as_ref()),
            ConfigError::Range { .. } | ConfigError::Public(_) => None,
        }
    }
}

impl Settings {
    /// Reads the text of a configuration file; `path` is for error messages.
    pub fn parse(text: &str, path: &Path) -> Result<Settings, ConfigError> {
        toml::from_str(text).map_err(|error| ConfigError::Parse(path.to_owned(), Box::new(error)))
    }

    /// These settings completed by those of `--config`, if it was given.
    pub fn with_file(self) -> Result<Settings, ConfigError> {
        let Some(path) = self.config.clone() else { return Ok(self) };
        let text = std::fs::read_to_string(&path).map_err(|error| ConfigError::Read(path.clone(), error))?;
        Ok(self.or(Settings::parse(&text, &path)?))
    }

    /// These settings, and where they say nothing, the others.
    fn or(self, file: Settings) -> Settings {
        Settings {
            config: self.config.or(file.config),
            listen: if self.listen.is_empty() { file.listen } else { self.listen },
            workers: self.workers.or(file.workers),
            table: self.table.or(file.table),
            max_sessions: self.max_sessions.or(file.max_sessions),
            max_sessions_per_address: self.max_sessions_per_address.or(file.max_sessions_per_address),
            max_searches: self.max_searches.or(file.max_searches),
            max_line: self.max_line.or(file.max_line),
            output_soft: self.output_soft.or(file.output_soft),
            output_hard: self.output_hard.or(file.output_hard),
            drain_seconds: self.drain_seconds.or(file.drain_seconds),
            log: self.log.or(file.log),
        }
    }

    /// What these settings mean, with defaults for what was not said.
    pub fn resolve(self) -> Result<Config, ConfigError> {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let workers = in_range("workers", self.workers, cores, 1, 1024)?;
        let output_soft = in_range("output_soft", self.output_soft, 64 << 10, 1 << 10, 1 << 30)?;
        let config = Config {
            listen: if self.listen.is_empty() { Listen::default().into() } else { self.listen },
            workers,
            table: in_range("table", self.table, 128, 1, 1 << 20)?,
            max_sessions: in_range("max_sessions", self.max_sessions, 10_000, 1, 1 << 20)?,
            max_sessions_per_address: self.max_sessions_per_address.map(NonZeroUsize::get),
            max_searches: in_range("max_searches", self.max_searches, workers.max(1024), workers, 1 << 14)?,
            max_line: in_range("max_line", self.max_line, 8192, 256, 1 << 20)?,
            output_soft,
            output_hard: in_range(
                "output_hard",
                self.output_hard,
                output_soft.max(1 << 20),
                output_soft,
                1 << 30,
            )?,
            drain: Duration::from_secs(self.drain_seconds.unwrap_or(10).into()),
            log: self.log.unwrap_or(log::LevelFilter::Info),
        };
        match config.listen.iter().find(|listen| !listen.address.ip().to_canonical().is_loopback()) {
            Some(listen) => Err(ConfigError::Public(listen.address)),
            None => Ok(config),
        }
    }
}

impl Default for Listen {
    fn default() -> Listen {
        Listen { kind: Kind::Xboard, address: DEFAULT_ADDRESS }
    }
}

impl From<Listen> for Vec<Listen> {
    fn from(listen: Listen) -> Vec<Listen> {
        vec![listen]
    }
}

fn in_range(
    setting: &'static str,
    value: Option<NonZeroUsize>,
    default: usize,
    least: usize,
    greatest: usize,
) -> Result<usize, ConfigError> {
    let value = value.map_or(default, NonZeroUsize::get);
    if (least..=greatest).contains(&value) {
        Ok(value)
    } else {
        Err(ConfigError::Range { setting, value, least, greatest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use std::error::Error;

    #[derive(Parser)]
    struct Flags {
        #[command(flatten)]
        settings: Settings,
    }

    fn flags(line: &str) -> Settings {
        Flags::try_parse_from(line.split(' ')).expect("these flags are right").settings
    }

    fn file(text: &str) -> Result<Settings, ConfigError> {
        Settings::parse(text, Path::new("farboard.toml"))
    }

    /// The message and its causes, as the program prints them.
    fn message(error: &dyn Error) -> String {
        let mut text = error.to_string();
        if let Some(source) = error.source() {
            text.push('\n');
            text.push_str(&message(source));
        }
        text
    }

    #[test]
    fn nothing_said_is_enough() {
        let config = Settings::default().resolve().unwrap();
        assert_eq!(config.listen, [Listen { kind: Kind::Xboard, address: DEFAULT_ADDRESS }]);
        assert_eq!(config.max_sessions, 10_000);
        assert_eq!(config.max_sessions_per_address, None);
    }

    #[test]
    fn flags_override_the_file() {
        let text = "workers = 3\ntable = 16\n[[listen]]\nkind = \"xboard\"\naddress = \"127.0.0.1:7000\"\n";
        let config = flags("farboard --table 32").or(file(text).unwrap()).resolve().unwrap();
        assert_eq!((config.workers, config.table), (3, 32));
        assert_eq!(config.listen[0].address.port(), 7000);
        let flags = flags("farboard --listen 127.0.0.1:7001 --listen [::1]:7001");
        let config = flags.or(file(text).unwrap()).resolve().unwrap();
        assert_eq!(config.listen.len(), 2);
    }

    #[test]
    fn every_flag_is_a_key_and_the_other_way_round() {
        use clap::CommandFactory;
        let mut command = Flags::command();
        command.build();
        let names = command.get_arguments().filter_map(|argument| argument.get_long());
        for name in names.filter(|name| !["config", "help", "listen"].contains(name)) {
            let value = if name == "log" { "\"warn\"" } else { "77777" };
            let key = name.replace('-', "_");
            assert!(file(&format!("{key} = {value}\n")).is_ok(), "{key}");
        }
    }

    #[test]
    fn mistakes_in_the_file_are_told_with_their_place() {
        let error = message(&file("workers = 2\nworksers = 3\n").unwrap_err());
        assert!(error.contains("line 2") && error.contains("worksers"), "{error}");
        let error = message(&file("[[listen]]\nkind = \"telnet\"\naddress = \"127.0.0.1:1\"\n").unwrap_err());
        assert!(error.contains("telnet") && error.contains("xboard"), "{error}");
        assert!(file("workers = 0").is_err());
    }

    #[test]
    fn values_out_of_range_are_refused() {
        let error = message(&flags("farboard --output-soft 5000 --output-hard 4000").resolve().unwrap_err());
        assert!(error.contains("output_hard is 4000 and must be from 5000"), "{error}");
        assert!(Flags::try_parse_from(["farboard", "--workers", "0"]).is_err());
        assert!(Flags::try_parse_from(["farboard", "--listen", "localhost"]).is_err());
    }

    #[test]
    fn public_addresses_are_refused_with_the_reason() {
        for address in ["0.0.0.0:5254", "[::]:5254", "192.0.2.1:5254", "[::ffff:192.0.2.1]:5254"] {
            let error = message(&flags(&format!("farboard --listen {address}")).resolve().unwrap_err());
            assert!(error.contains("not have yet") && error.contains("ssh -L 5254"), "{error}");
        }
        assert!(flags("farboard --listen 127.1.2.3:0").resolve().is_ok());
    }

    #[test]
    fn the_file_in_deploy_says_what_the_defaults_are() {
        let text = include_str!("../deploy/farboard.toml");
        assert_eq!(file(text).unwrap().resolve().unwrap(), Settings::default().resolve().unwrap());
        for key in ["workers", "max_sessions_per_address"] {
            assert!(text.contains(&format!("# {key} = ")), "{key}");
        }
    }
}
