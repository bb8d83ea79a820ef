//! Who may search when: many searches, few cores.
//!
//! The [`Scheduler`] is a pure value that decides; the threads of a [`Pool`] obey it. A search meets the
//! pool only in its [`Gate`](crate::search::Gate): there it is suspended, in the middle of its tree,
//! while others run, or as long as its owner holds it. What searches say goes into a [`Mailbox`].

mod help;
mod job;
mod mailbox;
#[cfg(test)]
mod model;
mod occupancy;
mod scheduler;
mod seat;
mod source;
mod stopwatch;
mod sync;
mod terms;
#[cfg(test)]
mod tests;
mod threads;
mod workers;

pub use mailbox::Mailbox;
pub use occupancy::Occupancy;
pub use scheduler::{Claim, Order, Pace, Refusal, Scheduler};
pub use source::Source;
pub use terms::{Class, JobId, SearchEvent, SearchId, SearchOrder, Shortage, Terms, Timebase};
pub use workers::{Pool, SearchFn, Size, engine};
