//! An engine as the configuration describes it.

use crate::engines::EngineProtocol;
use std::time::Duration;

/// An engine, and how to host it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec {
    /// Its name in the configuration.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// What it speaks.
    pub protocol: EngineProtocol,
    /// Most processes at one time.
    pub processes: usize,
    /// Options that each process is given at its start.
    pub options: Vec<(String, String)>,
    /// Whether sessions may see what others have left in the table of a process.
    pub share_table: bool,
    /// Most memory of a process, in MiB.
    pub memory: usize,
    /// How long it may take to answer what takes no thought. To stop it has a quarter of that, for its first variation half.
    pub patience: Duration,
}
