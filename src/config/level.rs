//! How much is logged: the words for it, and what each is about.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use log::LevelFilter;

/// What each level tells, for the end of `--help`.
pub const LOG_LEVELS: &str = "\
Log levels, each with all before it:
  off    nothing
  error  what the server cannot do, such as reading its files again
  warn   what somebody should look at: limits, clients that misbehave
  info   where the server listens, who comes and goes, what it has read
  debug  connections that go before a session begins, and small troubles
  trace  what the sockets tell, for those who work on the server";

const NAMES: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

pub(super) fn parser() -> impl TypedValueParser<Value = LevelFilter> {
    PossibleValuesParser::new(NAMES).try_map(|name| name.parse::<LevelFilter>())
}
