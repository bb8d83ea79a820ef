//! When a slice begins and ends.

use super::*;
use crate::pool::job::{Job, MIN_SLICE, TokenState};
use crate::pool::sync::reading;

fn job(allotment: Option<Allotment>) -> Job {
    let budget = SearchBudget {
        class: Class::Clock,
        since: Instant::now(),
        allotment,
        timebase: Timebase::Wall,
        limits: None,
    };
    let id = JobId { owner: 0, search: SearchId(0) };
    Job::new(id, Box::new(Task::Search(Request::of(AnyPosition::start(Variant::NORMAL)))), budget)
}

#[test]
fn a_slice_begins_when_it_is_noticed() {
    let job = job(None);
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

#[test]
fn a_slice_begins_again_after_what_was_preparation() {
    let job = job(None);
    let long = Duration::from_secs(3600);
    job.grant(Instant::now() + long, false);
    assert!(matches!(job.await_token(None), TokenState::Run));
    assert!(!job.slice_is_over());
    job.grant(Instant::now(), false);
    assert!(matches!(job.await_token(None), TokenState::Run));
    let noticed = Instant::now();
    while noticed.elapsed() < MIN_SLICE {
        std::thread::yield_now();
    }
    assert!(job.slice_is_over());
    let before = Instant::now();
    job.begin_slice();
    // A busy machine may take longer than a slice to look.
    assert!(!job.slice_is_over() || before.elapsed() >= MIN_SLICE);
}

#[test]
fn who_has_something_to_play_waits_for_no_token_beyond_its_optimum() {
    let (optimum, maximum) = (Duration::from_millis(5), Duration::from_secs(3600));
    let job = job(Some(Allotment { optimum, calm: maximum, maximum, exact: false }));
    let before = Instant::now();
    assert!(matches!(job.await_token(Some(2.0)), TokenState::Stop));
    assert!(before.elapsed() < maximum && job.control().watch.elapsed(reading()) >= 2 * optimum);
    job.grant(Instant::now() + maximum, false);
    assert!(matches!(job.await_token(Some(2.0)), TokenState::Run), "with a token the search itself decides");
}
