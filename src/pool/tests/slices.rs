//! When a slice begins and ends.

use super::*;
use crate::pool::job::{Job, MIN_SLICE, TokenState};

#[test]
fn a_slice_begins_when_it_is_noticed() {
    let budget = SearchBudget {
        class: Class::Clock,
        since: Instant::now(),
        allotment: None,
        timebase: Timebase::Wall,
        limits: None,
    };
    let id = JobId { owner: 0, search: SearchId(0) };
    let job = Job::new(id, Box::new(Request::of(AnyPosition::start(Variant::NORMAL))), budget);
    // By the time the thread looks, the slice would be over.
    job.grant(Instant::now(), false);
    assert!(matches!(job.await_token(None), TokenState::Run), "it has not run at all");
    let noticed = Instant::now();
    while noticed.elapsed() < MIN_SLICE {
        std::thread::yield_now();
    }
    assert!(matches!(job.await_token(None), TokenState::Yield), "a slice has an end");
    job.grant(Instant::now() + Duration::from_secs(3600), false);
    job.revoke();
    assert!(matches!(job.await_token(None), TokenState::Yield), "it was asked for its token");
}
