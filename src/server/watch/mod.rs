//! Watching: pictures of sessions on their way from the loop to the thread of HTTP.
//!
//! The loop makes none without watchers. A session whose connection got an input is marked;
//! a few times a second the loop copies what is new of the marked ones, for all watchers together.
//! Text is made of it in the other thread. Moves of guests in a shared analysis go the other way.

mod audience;
mod encode;
mod feed;
mod gallery;

pub(in crate::server) use audience::{Audience, GuestMoves, Interest};
pub(in crate::server) use feed::Feed;
#[cfg(test)]
pub(in crate::server) use feed::tests;
pub(in crate::server) use gallery::{Gallery, WatchUpdate, Watched};

use mio::Waker;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{channel, sync_channel};

/// Most moves of guests that wait for the loop.
const GUEST_MOVES: usize = 256;

/// Returns the loop's end and the watchers' end. `watchers` wakes the thread of the watchers,
/// `server` the loop.
pub(in crate::server) fn watching(watchers: Arc<Waker>, server: Arc<Waker>) -> (Gallery, Audience) {
    let (interests, interest) = channel();
    let (updates, updated) = channel();
    let (guests, guest_moves) = sync_channel(GUEST_MOVES);
    let is_untaken = Arc::new(AtomicBool::new(false));
    (
        Gallery::new((interest, guest_moves), (updates, Arc::clone(&is_untaken)), watchers),
        Audience::new((interests, guests), (updated, is_untaken), server),
    )
}
