//! The protocol of xboard and WinBoard.

mod reply;

pub use reply::Reply;
