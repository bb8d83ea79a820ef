//! The scheduler and the threads of the searches: many searches, few cores.
//!
//! The [`Scheduler`] is a pure value that decides which search runs; the threads of a [`Pool`]
//! carry that out. A search meets the pool only at its [`Gate`](crate::search::Gate), where it is
//! suspended in the middle of its tree while other searches run, or for as long as its session
//! holds it. Reports go into a [`Mailbox`].

mod affinity;
mod gate;
mod ids;
mod job;
mod lazy_smp;
mod mailbox;
mod metrics;
#[cfg(test)]
mod model;
mod occupancy;
mod scheduler;
mod search_budget;
mod shared;
mod stopwatch;
mod sync;
mod task;
#[cfg(test)]
mod tests;
mod threads;
mod votes;
mod worker;
mod worker_pool;

pub use ids::{JobId, SearchId, Source};
pub use mailbox::{Mailbox, SearchEvent, Shortage};
pub use metrics::{Metrics, RefusalCause};
pub use occupancy::Occupancy;
pub use scheduler::{ClassStates, Decision, Refusal, Scheduler, SearchParams, Urgency};
pub use search_budget::{Class, SearchBudget, SearchOrder, Timebase};
pub use shared::SearchFn;
pub use stopwatch::processor_time;
pub use task::Task;
pub use worker_pool::{Pool, Size, engine, engine_of_one_session};
