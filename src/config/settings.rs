//! Settings as given on the command line and in the configuration file, and their precedence.

use super::{
    Config, ConfigError, ConfigFile, Count, EngineSettings, HttpSettings, Listen, Network, OptionSetting,
    ProfileSettings, ShareBy, SourceSettings, engine, engine_options, http, in_range, listen, profile,
};
use crate::auth::{ServerName, Visibility};
use crate::logging::{LogFilter, LogFormat};
use crate::session::Interrupt;
use clap::{Arg, Args};
use log::LevelFilter;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// The settings as typed. Each is a flag and a key of the same name in the file (with `_` for `-`);
/// `None` if it was not typed.
#[derive(Clone, Default, Debug, Args, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// TOML file with settings; flags override it
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,

    /// Text of that file once it has been read
    #[arg(skip)]
    #[serde(skip)]
    pub file: Option<ConfigFile>,

    /// Address or host name to listen on, or a port on the loopback address; may be repeated
    /// [default: 127.0.0.1:5254 for chess, and 127.0.0.1:5255 for checkers if it is free]
    #[arg(long, value_name = "[ADDRESS:]PORT")]
    #[serde(default)]
    pub listen: Vec<Listen>,

    /// Network that may connect (192.168.0.0/16, or one address), for listeners without their own
    /// list; may be repeated [default: all]
    #[arg(long, value_name = "NETWORK")]
    #[serde(default)]
    pub allow: Vec<Network>,

    /// Proxy or network of proxies that send the client's address in a PROXY header, for listeners
    /// without their own list; may be repeated [default: none]
    #[arg(long, value_name = "NETWORK")]
    #[serde(default)]
    pub proxy: Vec<Network>,

    /// File whose first line is the secret that clients must know, for listeners without their own
    #[arg(long, value_name = "FILE")]
    pub secret_file: Option<PathBuf>,

    /// File of named users, with their public keys as printed by `farboard keygen` and optional
    /// limits, for listeners without their own
    #[arg(long, value_name = "FILE")]
    pub users: Option<PathBuf>,

    /// Name or address by which named users reach this server, without a port; logins for other
    /// names are refused. May be repeated [default: any name]
    #[arg(long, value_name = "NAME")]
    #[serde(default)]
    pub server_name: Vec<ServerName>,

    /// File with authorities (PEM) whose client certificates name users, for TLS listeners without
    /// their own
    #[arg(long, value_name = "FILE")]
    pub client_ca: Option<PathBuf>,

    /// File with certificate and private key (PEM); clients must use TLS. For listeners without
    /// their own
    #[arg(long, value_name = "FILE")]
    pub tls: Option<PathBuf>,

    /// Searches that run at one time [default: the number of cores]
    #[arg(long, value_name = "N")]
    pub workers: Option<Count>,

    /// Size of the transposition table in MiB, shared by all sessions; farboard stdio has one of
    /// 256 until its GUI asks for another size [default: 128]
    #[arg(long, value_name = "MIB")]
    pub table: Option<Count>,

    /// Concurrent sessions; further clients get a message and are disconnected [default: 10000]
    #[arg(long, value_name = "N")]
    pub max_sessions: Option<Count>,

    /// Concurrent sessions from one address, or IPv6 /64 network [default: a tenth of max_sessions,
    /// at least 16; no limit for loopback addresses]
    #[arg(long, value_name = "N")]
    pub max_sessions_per_address: Option<Count>,

    /// Concurrent connections that have not logged in (secret, key or TLS); a further one replaces
    /// another [default: 500]
    #[arg(long, value_name = "N")]
    pub max_unproven: Option<Count>,

    /// Concurrent searches in each class (moves with a clock, other replies, analyses, pondering);
    /// further ones are refused with a message [default: 1024]
    #[arg(long, value_name = "N")]
    pub max_searches: Option<Count>,

    /// Unit of fair sharing of cores and search slots: address, session, or auto (address, but
    /// session on loopback addresses) [default: auto]
    #[arg(long, value_name = "WHAT", hide_possible_values = true)]
    pub share_by: Option<ShareBy>,

    /// Settings for the addresses of a network. Only in the file.
    #[arg(skip)]
    #[serde(default, rename = "source")]
    pub sources: Vec<SourceSettings>,

    /// Longest accepted line in bytes [default: 8192]
    #[arg(long, value_name = "BYTES")]
    pub max_line: Option<Count>,

    /// Unread output of a client in bytes above which older thinking lines are dropped [default:
    /// 65536]
    #[arg(long, value_name = "BYTES")]
    pub output_soft: Option<Count>,

    /// Unread output of a client in bytes above which it is disconnected [default: 1048576]
    #[arg(long, value_name = "BYTES")]
    pub output_hard: Option<Count>,

    /// Unread output, unfinished input and very long games of all clients together, in bytes: above
    /// it thinking lines are dropped, then the clients that hold most are disconnected [default:
    /// 67108864]
    #[arg(long, value_name = "BYTES")]
    pub max_buffers: Option<Count>,

    /// File with the key that encrypts hidden information in session states; created if it does not
    /// exist. Servers that share it can take over each other's games of kriegspiel and bughouse
    /// [default: a new key at each start]
    #[arg(long, value_name = "FILE")]
    pub state_key: Option<PathBuf>,

    /// Size of the part of a search's table that a shim keeps for another server to continue from,
    /// in KiB; 0 for none [default: 64]
    #[arg(long, value_name = "KIB")]
    pub warm_kib: Option<Count>,

    /// Opening book in Polyglot's format (*.bin); may be repeated. The first is used unless a
    /// client chooses another [default: the built-in book, which also follows these]
    #[arg(long, value_name = "FILE")]
    #[serde(default)]
    pub book: Vec<PathBuf>,

    /// Directory with draughts endgames made by `farboard endgames` [default: up to four pieces,
    /// solved when a client plays draughts]
    #[arg(long, value_name = "FOLDER")]
    pub endgames: Option<PathBuf>,

    /// Directory for finished games, one PGN file per day [default: none]
    #[arg(long, value_name = "FOLDER")]
    pub archive: Option<PathBuf>,

    /// Moves that each side must have made in an archived game [default: 2]
    #[arg(long, value_name = "N")]
    pub archive_min_moves: Option<Count>,

    /// Maximum size of the games archived in a day in MiB; a source may use an eighth of what is
    /// left [default: 256]
    #[arg(long, value_name = "MIB")]
    pub archive_max_day: Option<Count>,

    /// Maximum size of the archive in MiB [default: 4096]
    #[arg(long, value_name = "MIB")]
    pub archive_max_total: Option<Count>,

    /// Default value of an engine option, as set by a client's command `option NAME=VALUE`; may be
    /// repeated
    #[arg(long, value_name = "NAME=VALUE")]
    #[serde(default, deserialize_with = "engine_options::from_table")]
    pub option: Vec<OptionSetting>,

    /// Hosted engines that profiles may name. Only in the file.
    #[arg(skip)]
    #[serde(default)]
    pub engine: BTreeMap<String, EngineSettings>,

    /// Profiles that remote shell clients and listeners may name. Only in the file.
    #[arg(skip)]
    #[serde(default)]
    pub profile: BTreeMap<String, ProfileSettings>,

    /// Time that running games may continue after SIGINT or SIGTERM, in seconds [default: 10]
    #[arg(long, value_name = "SECONDS")]
    pub drain_seconds: Option<u32>,

    /// Settings of sessions
    #[command(flatten)]
    #[serde(default)]
    pub session: SessionSettings,

    /// Seconds of silence after which a client's machine is probed; without a response its session
    /// ends [default: 60]
    #[arg(long, value_name = "SECONDS")]
    pub keepalive: Option<Count>,

    /// Path of the control socket, for `farboard sessions`, `farboard top` and other commands
    /// [default: control in $XDG_RUNTIME_DIR/farboard, or for a service in /run/farboard]
    #[arg(long, value_name = "PATH")]
    pub control: Option<PathBuf>,

    /// Address of the pages for browsers, metrics and health checks (HTTP), or a port on the
    /// loopback address, or off [default: 127.0.0.1:5280 if free and players have the default
    /// addresses, too]
    #[arg(long, value_name = "[ADDRESS:]PORT|off")]
    #[serde(default, deserialize_with = "http::address_or_table")]
    pub http: Option<HttpSettings>,

    /// Audience of sessions in a browser: `nobody`, `users` who have logged in, or `everybody` with
    /// access to the page [default: everybody if all addresses are loopback, else `nobody`]
    #[arg(long, value_name = "WHO")]
    pub watch: Option<Visibility>,

    /// End when the parent process ends, for any reason (Linux)
    #[arg(long)]
    #[serde(skip)]
    pub end_with_parent: bool,

    /// Log level on stderr, also per module (info,farboard::pool=debug), see below [default: info]
    #[arg(long, value_name = "LEVEL")]
    pub log: Option<LogFilter>,

    /// Format of the log: text, or json for collectors, with an object per line [default: text]
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub log_format: Option<LogFormat>,
}

/// Flags about a session, its searches and their log.
const OF_ONE_SESSION: [&str; 15] = [
    "move_time",
    "protocol",
    "dialect",
    "orientation",
    "config",
    "workers",
    "table",
    "max_line",
    "book",
    "endgames",
    "option",
    "interrupt",
    "log",
    "log_format",
    "help",
];

/// The flag, hidden if it means nothing with one session and no network. It is accepted all the
/// same: both kinds of servers may share a file and a command line.
pub fn of_one_session(flag: Arg) -> Arg {
    let hidden = !OF_ONE_SESSION.contains(&flag.get_id().as_str());
    flag.hide(hidden)
}

/// Flags that `-h` shows; `--help` shows all.
const IN_SHORT: [&str; 6] = ["config", "listen", "allow", "workers", "table", "help"];

/// The flag, hidden from `-h` if few need it.
pub fn in_short(flag: Arg) -> Arg {
    let hidden = !IN_SHORT.contains(&flag.get_id().as_str());
    flag.hide_short_help(hidden)
}

/// The table `[session]` as typed; the flags have no prefix.
#[derive(Clone, Default, Debug, Args, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionSettings {
    /// Effect of a client's interrupt besides reading its input at once: look (none), or
    /// stop-pondering until the next move, as in GNU Chess [default: look]
    #[arg(long, value_name = "WHAT")]
    pub interrupt: Option<Interrupt>,
}

impl Settings {
    /// These settings, completed by those in the file of `--config`.
    pub fn with_file(self) -> Result<Settings, ConfigError> {
        let Some(path) = self.config.clone() else { return Ok(self) };
        let text = std::fs::read_to_string(&path).map_err(|error| ConfigError::Read(path.clone(), error))?;
        let settings = self.or(Settings::parse(&text, &path)?);
        Ok(Settings { file: Some(ConfigFile::new(&path, &text)), ..settings })
    }

    /// These settings, completed by others.
    pub(super) fn or(self, file: Settings) -> Settings {
        macro_rules! completed {
            ($($field:ident)*) => {
                Settings {
                    listen: if self.listen.is_empty() { file.listen } else { self.listen },
                    allow: if self.allow.is_empty() { file.allow } else { self.allow },
                    proxy: if self.proxy.is_empty() { file.proxy } else { self.proxy },
                    server_name: if self.server_name.is_empty() { file.server_name } else { self.server_name },
                    book: if self.book.is_empty() { file.book } else { self.book },
                    sources: file.sources.into_iter().chain(self.sources).collect(),
                    option: file.option.into_iter().chain(self.option).collect(),
                    engine: file.engine.into_iter().chain(self.engine).collect(),
                    profile: file.profile.into_iter().chain(self.profile).collect(),
                    session: SessionSettings { interrupt: self.session.interrupt.or(file.session.interrupt) },
                    end_with_parent: self.end_with_parent,
                    $($field: self.$field.or(file.$field),)*
                }
            };
        }
        completed! {
            config file secret_file users client_ca tls workers table max_sessions max_sessions_per_address
            max_unproven max_searches share_by max_line output_soft output_hard max_buffers state_key warm_kib
            endgames archive archive_min_moves archive_max_day archive_max_total drain_seconds keepalive control
            http watch log log_format
        }
    }

    /// Validates the settings and fills in defaults.
    ///
    /// # Errors
    /// A setting that is invalid, with its line if it is in the file.
    pub fn resolve(self) -> Result<Config, ConfigError> {
        let source = self.file.clone();
        self.checked().map_err(|error| error.with_line(source.as_ref()))
    }

    fn checked(mut self) -> Result<Config, ConfigError> {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let workers = in_range("workers", self.workers, cores, 1, 1024)?;
        let output_soft = in_range("output_soft", self.output_soft, 64 << 10, 1 << 10, 1 << 30)?;
        let http = HttpSettings::listener(self.http.take(), &self)?;
        profile::check_names(&self.profile)?;
        let listen = std::mem::take(&mut self.listen);
        let listen = if listen.is_empty() { Listen::defaults() } else { listen };
        let listen = listen.into_iter().map(|one| one.or(&self).checked()).collect::<Result<Vec<_>, _>>()?;
        listen::check_addresses_differ(listen.iter().chain(&http))?;
        profile::check_listeners(&listen, &self.profile)?;
        profile::check_engines(&self.profile, &self.engine)?;
        let is_loopback = |listen: &Listen| listen.address.ip().to_canonical().is_loopback();
        let is_local = listen.iter().chain(&http).all(is_loopback);
        let by_default = if is_local { Visibility::Everybody } else { Visibility::Nobody };
        let config = Config {
            watch: self.watch.unwrap_or(by_default),
            listen,
            http,
            workers,
            table: in_range("table", self.table, 128, 1, 1 << 20)?,
            max_sessions: in_range("max_sessions", self.max_sessions, 10_000, 1, 1 << 20)?,
            max_sessions_per_address: self
                .max_sessions_per_address
                .map(|count| in_range("max_sessions_per_address", Some(count), 0, 1, 1 << 20))
                .transpose()?,
            max_unproven: in_range("max_unproven", self.max_unproven, 500, 1, 1 << 16)?,
            max_searches: in_range("max_searches", self.max_searches, workers.max(1024), workers, 1 << 14)?,
            share_by: self.share_by.unwrap_or_default(),
            sources: self.sources.iter().map(SourceSettings::resolve).collect::<Result<_, _>>()?,
            max_line: in_range("max_line", self.max_line, 8192, 256, 1 << 20)?,
            output_soft,
            output_hard: in_range(
                "output_hard",
                self.output_hard,
                output_soft.max(1 << 20),
                output_soft,
                1 << 30,
            )?,
            max_buffers: in_range("max_buffers", self.max_buffers, 64 << 20, 1 << 16, isize::MAX as usize)?,
            state_key: self.state_key,
            warm_kib: in_range("warm_kib", self.warm_kib, 64, 0, 1024)?,
            books: self.book,
            endgames: self.endgames,
            archive: self.archive,
            archive_min_moves: in_range("archive_min_moves", self.archive_min_moves, 2, 0, 1000)?,
            archive_max_day: in_range("archive_max_day", self.archive_max_day, 256, 1, 1 << 30)?,
            archive_max_total: in_range("archive_max_total", self.archive_max_total, 4096, 1, 1 << 30)?,
            options: self.option,
            engines: engine::resolve(&self.engine, workers)?,
            profiles: self.profile,
            drain: Duration::from_secs(self.drain_seconds.unwrap_or(10).into()),
            interrupt: self.session.interrupt.unwrap_or_default(),
            keepalive: Duration::from_secs(in_range("keepalive", self.keepalive, 60, 1, 3600)? as u64),
            control: self.control,
            log: self.log.unwrap_or(LevelFilter::Info.into()),
            log_format: self.log_format.unwrap_or_default(),
            file: self.file,
        };
        Ok(config)
    }
}

/// The log levels, for the end of `--help`.
pub const LOG_LEVELS: &str = "\
Log levels, each including those before it:
  off    nothing
  error  failures of the server, such as a file that cannot be reloaded
  warn   conditions that need attention: limits, misbehaving clients
  info   listening addresses, sessions, administrators' commands, reloads
  debug  connections without a session, minor problems
  trace  socket events, for developers
Per module: info,farboard::server::http=debug. The flag wins over the environment (FARBOARD_LOG, else
RUST_LOG), and both over the file.";
