//! Who may search when: many searches, few cores.
//!
//! The [`Scheduler`] is a pure value that decides; the threads of a [`Pool`] obey it. A search meets the
//! pool only in its [`Gate`](crate::search::Gate): there it is suspended, in the middle of its tree,
//! while others run. What searches say goes into a [`Mailbox`].

mod job;
mod mailbox;
mod scheduler;
mod terms;
#[cfg(test)]
mod tests;
mod threads;
mod workers;

pub use job::JobId;
pub use mailbox::Mailbox;
pub use scheduler::{Order, Scheduler};
pub use terms::{Class, SearchEvent, SearchId, Terms};
pub use workers::{Pool, SearchFn, Size, engine};
