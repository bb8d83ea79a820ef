//! Hosted engines: `[engine.NAME]`.

use super::{ConfigError, Count, OptionSetting, engine_options, in_range};
use crate::hosting::{EngineProtocol, EngineSpec, MANAGED_OPTIONS};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Processes of an engine beyond the searches that run: those keep the tables of searches that
/// wait.
const SPARE_PROCESSES: usize = 2;
/// Processes of an engine that has one for each session.
const XBOARD_PROCESSES: usize = 32;
/// Address space of a process besides its table, in MiB: more than the memory it uses.
const MEMORY: usize = 2048;

/// An engine as typed.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSettings {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Protocol of the engine.
    #[serde(default)]
    pub protocol: EngineProtocol,
    /// Most processes at one time.
    pub processes: Option<Count>,
    /// Options that each process is given at its start.
    #[serde(default, deserialize_with = "engine_options::from_table")]
    pub options: Vec<OptionSetting>,
    /// Whether sessions may share the table of a process.
    #[serde(default)]
    pub share_table: bool,
    /// Most memory of a process in MiB.
    pub memory: Option<Count>,
    /// Timeout for answers that need no search, in seconds.
    pub patience: Option<Count>,
}

impl EngineSettings {
    /// The engine, complete and checked.
    fn resolve(&self, name: &str, workers: usize) -> Result<EngineSpec, ConfigError> {
        check_command(name, &self.command)?;
        if let Some(managed) = self.options.iter().find(|option| is_managed(&option.name)) {
            return Err(ConfigError::ManagedOption(name.to_owned(), managed.name.clone()));
        }
        let processes = match self.protocol {
            EngineProtocol::Uci => workers + SPARE_PROCESSES,
            EngineProtocol::Xboard => XBOARD_PROCESSES.max(workers),
        };
        let is_table = |option: &&OptionSetting| {
            ["hash", "memory"].iter().any(|word| option.name.eq_ignore_ascii_case(word))
        };
        let table = self.options.iter().find(is_table).and_then(|option| option.value.parse().ok());
        let memory = MEMORY.saturating_add(table.unwrap_or(0)).min(1 << 24);
        Ok(EngineSpec {
            name: name.to_owned(),
            command: self.command.clone(),
            protocol: self.protocol,
            // With fewer, searches would hold tokens and wait for a process.
            processes: in_range("processes", self.processes, processes, workers, 1024)?,
            options: self.options.iter().map(|option| (option.name.clone(), option.value.clone())).collect(),
            share_table: self.share_table,
            memory: in_range("memory", self.memory, memory, 16, 1 << 24)?,
            patience: Duration::from_secs(in_range("patience", self.patience, 20, 1, 600)? as u64),
        })
    }
}

fn is_managed(option: &str) -> bool {
    MANAGED_OPTIONS.iter().any(|managed| managed.eq_ignore_ascii_case(option))
}

/// Reports a wrong path at the start instead of at the first game.
fn check_command(name: &str, command: &[String]) -> Result<(), ConfigError> {
    let Some(program) = command.first().filter(|program| !program.is_empty()) else {
        return Err(ConfigError::NoCommand(name.to_owned()));
    };
    if program.contains('/') {
        std::fs::metadata(Path::new(program))
            .map_err(|error| ConfigError::EngineProgram(name.to_owned(), program.into(), error))?;
    }
    Ok(())
}

/// All engines, complete and checked, on a server with `workers` run tokens.
pub(super) fn resolve(
    engines: &BTreeMap<String, EngineSettings>,
    workers: usize,
) -> Result<BTreeMap<String, EngineSpec>, ConfigError> {
    let resolved = engines.iter().map(|(name, engine)| Ok((name.clone(), engine.resolve(name, workers)?)));
    resolved.collect()
}
