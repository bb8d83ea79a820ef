//! The real `farboard-connect`: between pipes and sockets, at a terminal, and when its servers die.

mod child;
mod deadline;
mod failover;
mod link_server;
mod pipes;
mod server_process;
#[path = "../support/mod.rs"]
mod support;
#[cfg(target_os = "linux")]
mod terminal;
mod uci;
