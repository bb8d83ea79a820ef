//! The engine: a request goes in, reports come out. No protocol, no socket, no global state.

mod report;
mod request;
mod score;
mod table;
mod time;

pub use report::{Bound, Done, Info, Progress, Report};
pub use request::{Gate, Limits, Request, Verdict};
pub use score::Score;
pub use table::Table;
pub use time::{Allotment, Clock, allot};

/// Searches `request` until a limit is reached or the gate says stop.
///
/// `table` is shared with other searches. `reports` is called on the searching thread, for every
/// new principal variation and now and then for progress; it must be quick. The result is what was
/// best when the search ended, and is a legal move whenever there is one.
pub fn search(
    request: &Request,
    table: &Table,
    gate: &mut dyn Gate,
    reports: &mut dyn FnMut(Report),
) -> Done {
    let _ = (request, table, gate, reports);
    todo!()
}
