//! Limits that change during a search.

use super::request;
use farboard::chess::START_FEN;
use farboard::search::{Done, Gate, Limits, Request, Table, Verdict, search};
use std::time::Duration;

/// A gate whose limits change at the nth poll.
struct Changing {
    polls: u32,
    limits: Limits,
}

impl Gate for Changing {
    fn poll(&mut self, _: u64) -> Verdict {
        self.polls = self.polls.saturating_sub(1);
        Verdict::Continue
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn limits(&self, asked: Limits) -> Limits {
        if self.polls == 0 { self.limits } else { asked }
    }

    fn past_optimum(&self, _: f32) -> bool {
        false
    }
}

fn changing(asked: Limits, polls: u32, limits: Limits) -> Done {
    let table = Table::private(4).unwrap();
    let request = Request { limits: asked, ..request(START_FEN) };
    search(&request, &table, &mut Changing { polls, limits }, &mut |_| {})
}

fn depth(depth: u8) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

#[test]
fn a_lower_depth_ends_an_iteration_that_is_deeper() {
    let free = changing(depth(40), 100, Limits { nodes: Some(150_000), ..Limits::default() });
    assert!(free.depth > 6, "that deep after 100 polls: {free:?}");
    let done = changing(depth(40), 100, depth(5));
    assert!(done.nodes < 150_000 && done.best.is_some(), "{done:?}");
}

#[test]
fn a_greater_depth_is_reached() {
    assert_eq!(changing(depth(2), 0, depth(7)).depth, 7);
    assert_eq!(changing(depth(9), 3, depth(8)).depth, 8);
}

#[test]
fn changed_node_limits_are_exact() {
    let nodes = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    assert_eq!(changing(nodes(50_000), 10, nodes(20_000)).nodes, 20_000);
    assert_eq!(changing(nodes(20_000), 10, nodes(50_001)).nodes, 50_001);
    let late = changing(nodes(50_000), 20, nodes(100)).nodes;
    assert!((100..50_000).contains(&late), "two searches take turns: {late}");
}
