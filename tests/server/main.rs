//! The real server, over real sockets. No test sleeps; what waits has a deadline.

mod agent;
mod archive;
mod banner;
mod check;
mod commands;
mod control;
mod deadlines;
mod default_control;
mod descriptors;
mod endings;
mod floods;
mod garbage;
mod http;
mod http_listener;
mod interrupts;
mod keys;
mod logs;
mod many;
mod neighbours;
mod play;
mod priority;
mod program;
mod proxy;
mod reload;
mod replay;
#[path = "../running_server/mod.rs"]
mod running_server;
#[path = "../script/mod.rs"]
mod script;
mod scripts;
mod service;
mod shims;
mod support;
mod tls;
mod top;
mod transcripts;
mod users;
