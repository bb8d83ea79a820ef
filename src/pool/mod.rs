//! Who may search when: many searches, few cores.
//!
//! The scheduler is a pure value; the workers are the threads that obey it.

mod terms;

pub use terms::{Class, SearchEvent, SearchId, Terms};
