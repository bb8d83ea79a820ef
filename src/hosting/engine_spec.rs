//! The configuration of a hosted engine.

use crate::engines::EngineProtocol;
use std::time::Duration;

/// An engine of the configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec {
    /// Its name in the configuration.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Its protocol.
    pub protocol: EngineProtocol,
    /// Maximum number of processes.
    pub processes: usize,
    /// Options that are set when a process starts.
    pub options: Vec<(String, String)>,
    /// Whether sessions may share the table of a process.
    pub share_table: bool,
    /// Limit of the memory of a process, in MiB.
    pub memory: usize,
    /// Timeout of answers that take no thought. It must stop within a quarter of that,
    /// and show its first variation within half.
    pub patience: Duration,
}
