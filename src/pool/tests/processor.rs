//! Searches that are timed by CPU time, on real threads.

use super::*;

fn cpu_budget(maximum: u64) -> SearchBudget {
    SearchBudget { timebase: Timebase::Processor, ..budget(Class::Clock, Some(maximum)) }
}

#[test]
fn the_time_of_a_search_that_waits_for_a_token_stands_still() {
    let harness = Harness::new(1, 4);
    // This search goes first until it ends: it has a wall-clock deadline.
    let first = harness.start(1, ENDLESS, Class::Clock, Some(400));
    let starved = harness.start_on(2, ENDLESS, cpu_budget(60));
    assert_eq!(harness.done(), first);
    assert_eq!(harness.done(), starved);
}

#[test]
fn a_search_pays_for_what_it_uses_and_not_for_what_its_thread_did_before() {
    let harness = Harness::with(1, 4, |request, gate, _| {
        let before = gate.elapsed();
        let done = act(request, gate);
        assert!(gate.elapsed() > before, "its own clock runs");
        done
    });
    for owner in 1..=5 {
        let job = harness.start_on(owner, ENDLESS, cpu_budget(30));
        let (ended, done) = harness.result();
        assert_eq!(ended, job);
        assert!(done.nodes > 0, "it had no time");
    }
    assert_eq!(harness.pool.threads(), 1);
}

#[test]
fn a_ponder_hit_gives_a_search_an_end_on_its_processor() {
    let harness = Harness::new(1, 4);
    let ponder = harness.start(1, ENDLESS, Class::Analysis, None);
    harness.start(2, ENDLESS, Class::Analysis, None);
    harness.pool.retime(ponder, cpu_budget(50));
    assert_eq!(harness.done(), ponder);
}
