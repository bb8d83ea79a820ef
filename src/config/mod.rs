//! Configuration: a TOML file, flags that override it, and defaults that need neither.
//!
//! [`Settings`] holds the values from the file or from flags; [`Config`] is complete and validated.

mod config_file;
mod descriptions;
mod engine;
mod engine_options;
mod error;
mod http;
mod known_keys;
mod listen;
mod network;
mod numbers;
mod profile;
mod settings;
mod shares;
mod state_key;

pub use config_file::ConfigFile;
pub use descriptions::{TABLES, TableKey};
pub use engine::EngineSettings;
pub use engine_options::OptionSetting;
pub use error::{ConfigError, with_causes};
#[cfg(test)]
pub(crate) use http::DEFAULT_HTTP_ADDRESS;
pub use http::{HttpSettings, HttpTable};
pub use known_keys::{SettingsTable, UnknownKey};
#[cfg(test)]
pub(crate) use listen::{DEFAULT_ADDRESS, DEFAULT_CHECKERS_ADDRESS};
pub use listen::{Listen, Transport};

pub use network::{Network, NetworkError};
pub use numbers::Count;
pub use profile::ProfileSettings;
pub use settings::{LOG_LEVELS, SessionSettings, Settings, in_short, of_one_session};
pub use shares::{ShareBy, SourceNetwork, SourceSettings};
pub use state_key::StateKeyError;

use crate::auth::Visibility;
use crate::book::Books;
use crate::draughts::endgames::{Endgames, FolderError, SOLVED_PIECES, SharedEndgames};
use crate::hosting::{EngineSpec, Host, Hosts};
use crate::logging::{LogFilter, LogFormat};
use crate::search::ExternalEngine;
use crate::session::{Interrupt, Profile, Resources};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The configuration, complete and checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Listeners; never empty.
    pub listen: Vec<Listen>,
    /// Listener for HTTP.
    pub http: Option<Listen>,
    /// Run tokens.
    pub workers: usize,
    /// Size of the transposition table in MiB.
    pub table: usize,
    /// Sessions at one time.
    pub max_sessions: usize,
    /// Sessions at one time from one address, or one /64 network of IPv6; `None` for a fraction of
    /// all.
    pub max_sessions_per_address: Option<usize>,
    /// Connections at one time whose login is not complete.
    pub max_unproven: usize,
    /// Searches of each class at one time.
    pub max_searches: usize,
    /// The unit that gets an equal share of the cores.
    pub share_by: ShareBy,
    /// Settings for the addresses of networks.
    pub sources: Vec<SourceNetwork>,
    /// Longest line in bytes.
    pub max_line: usize,
    /// Unread output in bytes above which thinking lines are dropped.
    pub output_soft: usize,
    /// Unread output in bytes above which a connection is closed.
    pub output_hard: usize,
    /// Bytes of unread output, unfinished input and very long games that all connections together
    /// may hold.
    pub max_buffers: usize,
    /// File with the key that encrypts hidden parts of session states.
    pub state_key: Option<PathBuf>,
    /// Maximum size of a search's warm part, in KiB.
    pub warm_kib: usize,
    /// Files with opening books.
    pub books: Vec<PathBuf>,
    /// A folder with endgames of draughts.
    pub endgames: Option<PathBuf>,
    /// The folder for games that have ended.
    pub archive: Option<PathBuf>,
    /// Moves that each side must have made in a game that is archived.
    pub archive_min_moves: usize,
    /// Size of the games archived in a day in MiB.
    pub archive_max_day: usize,
    /// Size of all archived games in MiB.
    pub archive_max_total: usize,
    /// Default values of options; a later setting overrides an earlier one.
    pub options: Vec<OptionSetting>,
    /// Hosted engines by name.
    pub engines: BTreeMap<String, EngineSpec>,
    /// Profiles by name.
    pub profiles: BTreeMap<String, ProfileSettings>,
    /// Time that running games may continue after a request to shut down.
    pub drain: Duration,
    /// Effect of a client's interrupt.
    pub interrupt: Interrupt,
    /// The silence after which a client is probed.
    pub keepalive: Duration,
    /// The path of the control socket.
    pub control: Option<PathBuf>,
    /// The audience of sessions of profiles without a setting of their own.
    pub watch: Visibility,
    /// Log filter.
    pub log: LogFilter,
    /// The form of the log's lines.
    pub log_format: LogFormat,
    /// The file of this configuration, for error messages.
    pub file: Option<ConfigFile>,
}

/// A setting, and a comparison of its values in two configurations.
type ComparedSetting = (&'static str, fn(&Config, &Config) -> bool);

/// Settings that a reload does not apply.
const RESTART_SETTINGS: [ComparedSetting; 11] = [
    ("workers", |one, other| one.workers == other.workers),
    ("table", |one, other| one.table == other.table),
    ("max_searches", |one, other| one.max_searches == other.max_searches),
    ("control", |one, other| one.control == other.control),
    ("archive", |one, other| one.archive == other.archive),
    ("archive_min_moves", |one, other| one.archive_min_moves == other.archive_min_moves),
    ("archive_max_day", |one, other| one.archive_max_day == other.archive_max_day),
    ("archive_max_total", |one, other| one.archive_max_total == other.archive_max_total),
    ("http", |one, other| address(&one.http) == address(&other.http)),
    ("log", |one, other| one.log == other.log),
    ("log_format", |one, other| one.log_format == other.log_format),
];

impl Config {
    /// Returns the settings that differ from the running ones and take effect only at a restart.
    pub fn needing_restart(&self, running: &Config) -> Vec<&'static str> {
        let differing = RESTART_SETTINGS.iter().filter(|(_, is_same)| !is_same(self, running));
        differing.map(|&(name, _)| name).collect()
    }

    /// Returns true if a change of this setting takes effect only at a restart.
    pub fn is_restart_setting(name: &str) -> bool {
        RESTART_SETTINGS.iter().any(|&(known, _)| known == name)
    }

    /// Reads the opening books, followed by the built-in one.
    ///
    /// # Errors
    /// [`ConfigError::Book`] for the first that cannot be used.
    pub(crate) fn open_books(&self) -> Result<Books, ConfigError> {
        let mut books = Books::default();
        for path in &self.books {
            books.open(path).map_err(|error| self.with_line(ConfigError::Book(path.clone(), error)))?;
        }
        books.add_own();
        Ok(books)
    }

    /// Opens the draughts endgames. Without a folder, small endgames are solved when draughts is
    /// first played.
    ///
    /// # Errors
    /// [`ConfigError::Endgames`] if the folder cannot be used.
    fn open_endgames(&self) -> Result<SharedEndgames, ConfigError> {
        let Some(folder) = &self.endgames else { return Ok(SharedEndgames::default()) };
        let mut endgames = Endgames::default();
        let opened = endgames.open(folder).and_then(|()| {
            if endgames.is_complete(SOLVED_PIECES) {
                Ok(())
            } else {
                Err(FolderError::Unfinished(folder.clone()))
            }
        });
        opened.map_err(|error| self.with_line(ConfigError::Endgames(folder.clone(), Box::new(error))))?;
        Ok(SharedEndgames::of(endgames))
    }

    /// Opens the archive, if there is to be one.
    ///
    /// # Errors
    /// [`ConfigError::Archive`] if nothing can be written there.
    #[cfg(unix)]
    pub fn open_archive(&self) -> Result<Option<crate::archive::Archive>, ConfigError> {
        let limits = crate::archive::Limits {
            min_moves: self.archive_min_moves,
            max_day: (self.archive_max_day as u64) << 20,
            max_total: (self.archive_max_total as u64) << 20,
        };
        let open = |folder: &PathBuf| {
            crate::archive::Archive::start(folder, limits)
                .map_err(|error| self.with_line(ConfigError::Archive(folder.clone(), error)))
        };
        self.archive.as_ref().map(open).transpose()
    }

    /// The default profile under this name, with these books and options.
    ///
    /// # Errors
    /// A book or endgames that cannot be used, or an invalid option.
    pub fn profile(&self, name: &str) -> Result<Profile, ConfigError> {
        let settings = self.options.iter().map(|setting| (setting.name.as_str(), setting.value.as_str()));
        let endgames = Arc::new(self.open_endgames()?);
        let profile =
            Profile { interrupt: self.interrupt, endgames, ..Profile::new(name, self.open_books()?) };
        let resources = Resources { memory: self.table, cores: self.workers.try_into().unwrap_or(u8::MAX) };
        let profile = Profile { archives: self.archive.is_some(), resources, watch: self.watch, ..profile };
        profile.with(settings).map_err(|error| self.with_line(ConfigError::Option(error)))
    }

    /// The named profiles: the default one, each with further options, and perhaps an engine of
    /// `hosts`.
    ///
    /// # Errors
    /// An invalid option, or an engine that cannot be had.
    pub fn named_profiles(
        &self,
        default: &Profile,
        hosts: &Hosts,
    ) -> Result<BTreeMap<String, Arc<Profile>>, ConfigError> {
        let used = self.profiles.values().filter_map(|settings| settings.engine.as_ref());
        let hosts: BTreeMap<&str, Arc<Host>> = used
            .filter_map(|engine| self.engines.get(engine))
            .map(|engine| {
                let host = hosts.host(engine.clone());
                let host = host.map_err(|error| ConfigError::Hosting(engine.name.clone(), error))?;
                Ok((engine.name.as_str(), host))
            })
            .collect::<Result<_, ConfigError>>()?;
        // At the same time: an engine that does not answer takes seconds.
        std::thread::scope(|scope| {
            for host in hosts.values() {
                scope.spawn(|| host.introduction());
            }
        });
        let profiles = self.profiles.iter().map(|(name, settings)| {
            let mut profile = settings.of(name, default).map_err(|error| self.with_line(error))?;
            if let Some(host) = settings.engine.as_deref().and_then(|engine| hosts.get(engine)) {
                if let Some(name) = host.introduction() {
                    profile.name = format!("{name} (Farboard)");
                }
                profile.engine = Some(Arc::clone(host) as Arc<dyn ExternalEngine>);
            }
            Ok((name.clone(), Arc::new(profile)))
        });
        profiles.collect()
    }

    /// The error with the line of its cause, if the configuration file has it.
    pub fn with_line(&self, error: ConfigError) -> ConfigError {
        error.with_line(self.file.as_ref())
    }
}

/// Access rules may change while the server runs.
fn address(listen: &Option<Listen>) -> Option<SocketAddr> {
    listen.as_ref().map(|listen| listen.address)
}

fn in_range(
    setting: &'static str,
    value: Option<Count>,
    default: usize,
    least: usize,
    greatest: usize,
) -> Result<usize, ConfigError> {
    let value = value.map_or(default, |Count(value)| value);
    if (least..=greatest).contains(&value) {
        Ok(value)
    } else {
        Err(ConfigError::Range { setting, value, least, greatest })
    }
}

#[cfg(test)]
mod tests;
