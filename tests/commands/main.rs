//! Commands of `farboard` besides the server: matches, the load generator, `stdio`, the log, nets.

mod load;
mod logging;
mod matches;
mod stdio;
#[path = "../support/mod.rs"]
mod support;
mod train;
