//! Searches that are timed by what they use of a processor, on real threads.

use super::*;

fn processor_terms(maximum: u64) -> Terms {
    Terms { timebase: Timebase::Processor, ..terms(Class::Clock, Some(maximum)) }
}

#[test]
fn the_time_of_a_search_that_waits_for_a_token_stands_still() {
    let stand = Stand::new(1, 4);
    // This one goes first until it ends: it has a deadline on the wall.
    let first = stand.start(1, ENDLESS, Class::Clock, Some(400));
    let starved = stand.start_on(2, ENDLESS, processor_terms(60));
    assert_eq!(stand.done(), first);
    assert_eq!(stand.done(), starved);
}

#[test]
fn a_search_pays_for_what_it_uses_and_not_for_what_its_thread_did_before() {
    let stand = Stand::with(1, 4, |request, gate, _| {
        let before = gate.elapsed();
        let done = act(request, gate);
        assert!(gate.elapsed() > before, "its own clock runs");
        done
    });
    for owner in 1..=5 {
        let job = stand.start_on(owner, ENDLESS, processor_terms(30));
        let (ended, done) = stand.result();
        assert_eq!(ended, job);
        assert!(done.nodes > 0, "it had no time");
    }
    assert_eq!(stand.pool.threads(), 1);
}

#[test]
fn a_ponder_hit_gives_a_search_an_end_on_its_processor() {
    let stand = Stand::new(1, 4);
    let ponder = stand.start(1, ENDLESS, Class::Analysis, None);
    stand.start(2, ENDLESS, Class::Analysis, None);
    stand.pool.retime(ponder, processor_terms(50));
    assert_eq!(stand.done(), ponder);
}
