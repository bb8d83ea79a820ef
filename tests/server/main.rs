//! The real server, over real sockets. No test sleeps; what waits has a deadline.

mod endings;
mod garbage;
mod many;
mod program;
mod scripts;
mod support;
