//! Capacity of a fleet: one server in detail, with the real scheduler, yields the waiting times of
//! moves by the number of games; fleets are simulated session by session over a day, behind several
//! kinds of balancers.
//!
//! `cargo test --release --test simulations scale -- --ignored --nocapture --test-threads 1` prints
//! the tables of `docs/scale.md`, which lists the assumptions. The other tests check the simulation
//! itself on small servers.

mod balancer;
mod curve;
mod fleet;
mod server;
mod tables;
mod waits;
mod workload;

use balancer::Policy;
use curve::{Curve, measure};
use fleet::{EVENING, Fleet, Outcome, Plan, Step, Upgrade};
use server::{Server, seconds};
use std::collections::HashMap;
use std::sync::OnceLock;
use waits::Waits;
use workload::Activity;

/// Cores of the small servers.
const TOKENS: usize = 2;

/// The curve of a small server, shared by several tests.
fn curve() -> &'static Curve {
    static CURVE: OnceLock<Curve> = OnceLock::new();
    CURVE.get_or_init(|| Curve::measure(TOKENS, 1..=10, 0.5, |_| 400.0, 1))
}

fn plan(policy: Policy) -> Plan {
    let sessions = 6.0;
    Plan { servers: 8, policy, sessions, deaths: false, upgrade: None, seed: 1 }
}

/// The waits of a whole day.
fn sum(hours: &[Waits]) -> Waits {
    let mut all = Waits::default();
    hours.iter().for_each(|hour| all.add(hour, 1.0));
    all
}

#[test]
fn moves_wait_when_there_are_more_of_them_than_cores() {
    let few = measure(TOKENS, 1, 4, 200.0, 1);
    assert!(few.waits.p99() < 2.0, "a clock waits for a poll, and for no analysis: {}", few.waits.p99());
    let many = measure(TOKENS, 8, 0, 200.0, 1);
    assert!(many.waits.p99() > 50.0 && many.used > 1.7, "{} {}", many.waits.p99(), many.used);
    assert!(many.first.p99() < many.waits.p99() / 4.0, "{} {}", many.first.p99(), many.waits.p99());
}

#[test]
fn analyses_cost_moves_no_more_than_a_poll() {
    let [none, some] = [0, 12].map(|analyses| measure(TOKENS, 4, analyses, 600.0, 1).waits);
    assert!((none.impatient() - some.impatient()).abs() < 0.05, "{} {}", none.impatient(), some.impatient());
}

#[test]
fn the_same_seed_gives_the_same_waits() {
    let [one, other, third] = [1, 1, 2].map(|seed| measure(TOKENS, 5, 3, 60.0, seed).waits);
    assert!(one == other && one != third);
    let days = [1, 1, 2].map(|seed| {
        let day = Fleet::day(Plan { seed, deaths: true, ..plan(Policy::LeastSessions) }, curve());
        (day.sessions, day.moved, sum(&day.hours).p99())
    });
    assert!(days[0] == days[1] && days[0] != days[2], "{days:?}");
}

/// Repeats the sessions of a fleet on detailed servers, whose waits must agree with the curve.
#[test]
fn both_levels_agree() {
    let time = 1800;
    let plan = Plan { servers: 3, sessions: 9.0, ..plan(Policy::Random) };
    let fleet = Fleet::recorded(plan.clone(), curve(), time);
    let fleet_waits = sum(&fleet.hours);
    let done = in_detail(&fleet.steps, plan.servers, EVENING, time);
    let (fleet, done) = (fleet_waits.impatient(), done.impatient());
    assert!(fleet_waits.total() > 1000.0, "{} moves", fleet_waits.total());
    assert!((0.02..0.9).contains(&fleet), "too few or too many moves wait: {fleet}");
    assert!((fleet / done - 1.0).abs() < 0.25, "curve {fleet}, in detail {done}");
}

/// The waits of detailed servers that repeat these actions, from a time on.
fn in_detail(steps: &[Step], servers: usize, from: usize, time: usize) -> Waits {
    // A minute of warm-up, as for the curve.
    let begin = from - 60;
    let mut servers: Vec<Server> = (0..servers).map(|server| Server::new(TOKENS, server as u64)).collect();
    let mut present: HashMap<usize, (usize, Activity)> = HashMap::new();
    let mut steps = steps.iter().peekable();
    while let Some(step) = steps.next_if(|step| step.time < begin) {
        match step.to {
            Some(to) => drop(present.insert(step.session, to)),
            None => drop(present.remove(&step.session)),
        }
    }
    let mut present: Vec<_> = present.into_iter().collect();
    present.sort_unstable_by_key(|(session, _)| *session);
    let mut where_now: HashMap<usize, (usize, u64)> = HashMap::new();
    let mut last = 0;
    let mut open = |servers: &mut Vec<Server>, server: usize, activity| {
        last += 1;
        servers[server].open(last, activity);
        (server, last)
    };
    for (session, (server, activity)) in present {
        where_now.insert(session, open(&mut servers, server, activity));
    }
    for now in begin..from + time {
        if now == from {
            servers.iter_mut().for_each(|server| _ = server.take_measured());
        }
        while let Some(step) = steps.next_if(|step| step.time <= now) {
            if let Some((server, id)) = where_now.remove(&step.session) {
                servers[server].close(id);
            }
            if let Some((server, activity)) = step.to {
                where_now.insert(step.session, open(&mut servers, server, activity));
            }
        }
        servers.iter_mut().for_each(|server| server.run_until(seconds((now + 1 - begin) as f64)));
    }
    let mut all = Waits::default();
    servers.iter_mut().for_each(|server| all.add(&server.take_measured().waits, 1.0));
    all
}

#[test]
fn better_informed_balancers_make_moves_wait_less() {
    let late = |policy| sum(&Fleet::day(plan(policy), curve()).hours).impatient();
    let [random, two, least, knowing] =
        [Policy::Random, Policy::TwoChoices, Policy::LeastSessions, Policy::Knowing].map(late);
    assert!(random > two && two > least && least > knowing, "{random} {two} {least} {knowing}");
    let day = Fleet::day(plan(Policy::Knowing), curve());
    assert!(sum(&day.even).impatient() < knowing, "nothing above zero");
}

#[test]
fn an_upgrade_moves_each_session_about_once() {
    let upgrade = Upgrade { at: EVENING, batch: 1, drain: 10, restart: 10 };
    let moved = |policy| {
        let day = Fleet::day(Plan { upgrade: Some(upgrade), ..plan(policy) }, curve());
        let (time, there) = day.upgrade.expect("it was upgraded");
        assert!((8 * 11..=8 * 20).contains(&time), "eight servers, one after the other: {time} s");
        (day.moved as f64 / there as f64, day)
    };
    let (least, day) = moved(Policy::LeastSessions);
    assert!((0.7..1.6).contains(&least), "{least}");
    assert!(day.delayed > 0 && day.delayed < day.moved);
    let (random, _) = moved(Policy::Random);
    assert!(random > least, "sessions on a new server need not move again: {random} {least}");
    let none: Outcome = Fleet::day(plan(Policy::LeastSessions), curve());
    assert_eq!((none.moved, none.upgrade), (0, None));
}

#[test]
fn sessions_of_dead_servers_continue_elsewhere() {
    let plan = Plan { servers: 60, deaths: true, ..plan(Policy::LeastSessions) };
    let day = Fleet::day(plan, curve());
    assert!(day.deaths > 0 && day.moved > 0 && day.delayed < day.moved, "{} {}", day.deaths, day.moved);
}

#[test]
#[ignore = "takes minutes: cargo test --release --test simulations scale -- --ignored --nocapture --test-threads 1"]
fn tables_of_large_servers() {
    tables::print_large();
}

#[test]
#[ignore = "takes minutes: cargo test --release --test simulations scale -- --ignored --nocapture --test-threads 1"]
fn tables_of_small_servers() {
    tables::print_small();
}
