//! The real server, over real sockets. No test sleeps; what waits has a deadline.

mod endings;
mod floods;
mod garbage;
mod many;
mod play;
mod program;
mod scripts;
mod support;
