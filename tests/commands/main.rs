//! Commands of `farboard` other than the server: matches, the load generator, a session at standard input.

mod load;
mod logging;
mod matches;
mod stdio;
#[path = "../support/mod.rs"]
mod support;
