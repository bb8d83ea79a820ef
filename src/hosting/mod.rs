//! Engines of others: few processes, lent to the searches of many sessions.
//!
//! A session stays ours: rules, record, clocks, manners, replies. Only its search is done by another program. To the pool such
//! a search is one like any other, with a thread and a gate; instead of searching itself, the thread drives a process. So
//! tokens decide who runs, clocks first, and no more processes search than there are tokens. A search that gives its token
//! back has its process suspended (SIGSTOP) in the middle of its tree. If somebody else needs that process before, it is
//! stopped, its table is cleared, and the search begins anew on the next process that is free.
//!
//! Time is ours, too: an engine searches without limit until our budget for the move is used up, so it may be suspended at any
//! time, and hears of a ponder hit no more than of a clock.
//!
//! * [`Host`]: one engine of the configuration. [`Hosts`]: all of them, also over reloads.
//! * `lender`: which process goes to whom; a pure value. `health`: whether an engine that fails is still asked; a pure value.
//! * `hosted_search`: one search; in `listening` a process searches. `findings`: what it has shown so far; a pure value. `question`:
//!   what is asked.
//! * `dialect`: what is said to an engine and heard from it, in UCI or xboard's protocol; no input and output.
//! * `running_engine`: a process that speaks. `spawner`: the thread that starts processes. `failure`: what goes wrong.

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
pub use host::{Host, ProcessRow, TriedEngine};
pub use hosts::Hosts;
