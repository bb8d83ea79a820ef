//! External engines: a few processes, lent to the searches of many sessions.
//!
//! A session keeps its rules, record, clocks, manners and replies. Only its search is done by
//! another program. To the pool it is a search like any other, with a thread and a gate; instead of
//! searching, the thread drives a process. So tokens decide which searches run, clocks first, and
//! no more processes search than there are tokens. When a search gives its token back, its process
//! is suspended (SIGSTOP) in the middle of its tree. If another search needs that process, it is
//! stopped, its table is cleared, and the first search begins anew on the next free process.
//!
//! An engine has no clock: it searches without limit until the budget for the move is used up, so
//! it may be suspended at any time, and ponder hits do not concern it.
//!
//! * [`Host`]: one engine of the configuration. [`Hosts`]: all of them, also over reloads.
//! * `lender`: lends processes to searches; a pure value. `health`: rests of an engine that fails;
//!   a pure value.
//! * `hosted_search`: one search; `listening`: a process that searches. `findings`: what it has
//!   shown; a pure value. `question`: what it searches.
//! * `dialect`: commands for an engine, and the meaning of its lines; no input and output.
//! * `running_engine`: a process with its pipes. `spawner`: the thread that starts processes.
//!   `failure`: what goes wrong.

mod dialect;
mod engine_spec;
mod failure;
mod findings;
mod health;
mod host;
mod hosted_search;
mod hosts;
mod lender;
mod question;
mod running_engine;
mod spawner;

pub use crate::engines::EngineProtocol;
pub use dialect::MANAGED_OPTIONS;
pub use engine_spec::EngineSpec;
pub(crate) use host::EngineSummary;
pub use host::{Host, ProcessRow, TriedEngine};
pub use hosts::Hosts;
