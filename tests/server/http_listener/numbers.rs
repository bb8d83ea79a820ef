//! `/metrics`.

use super::{Observed, TABLE, number};
use crate::users;
use farboard::pool::{SearchEvent, Task};
use farboard::search::{Gate, Verdict};
use farboard::server::ListenerPolicy;
use std::time::Duration;

/// The stand-in search, after polling a thousand nodes at a time until its optimum time.
fn with_nodes(
    task: &Task,
    gate: &mut dyn Gate,
    reports: &mut dyn FnMut(SearchEvent),
) -> farboard::search::Done {
    while gate.poll(1000) == Verdict::Continue && !gate.past_optimum(1.0) {
        std::thread::park_timeout(Duration::from_micros(500));
    }
    crate::test_server::stand_in(task, gate, reports)
}

#[test]
fn the_text_is_that_of_openmetrics() {
    let server = Observed::new(|_| {});
    let answer = server.get("/metrics");
    assert_eq!(answer.status, 200);
    assert!(
        answer.head.contains("Content-Type: application/openmetrics-text; version=1.0.0"),
        "{}",
        answer.head
    );
    assert!(answer.body.ends_with("\n# EOF\n"), "{}", answer.body);
    let version = concat!("farboard_build_info{version=\"", env!("CARGO_PKG_VERSION"), "\"}");
    assert_eq!(number(&answer.body, version), Some(1.0));
    assert_eq!(number(&answer.body, "farboard_table_bytes"), Some(TABLE as f64));
    assert_eq!(number(&answer.body, "farboard_tokens"), Some(2.0));
    assert!(number(&answer.body, "process_open_fds") > Some(5.0));
    assert!(number(&answer.body, "process_resident_memory_bytes") > Some(1e6));
}

#[test]
fn sessions_are_counted_by_protocol_and_ending() {
    let server = Observed::new(|_| {});
    let sessions = |protocol: &str, count: f64| {
        let name = format!("farboard_sessions{{protocol=\"{protocol}\",transport=\"plain\",user=\"\"}}");
        server.number_until(&name, |now| now == count);
    };
    let clients = [(); 3].map(|()| server.server.client());
    sessions("auto", 3.0);
    let [mut xboard, mut uci, mut lost] = clients;
    xboard.ping(1);
    sessions("xboard", 1.0);
    uci.send("uci\n");
    uci.until("uciok");
    sessions("uci", 1.0);
    sessions("auto", 1.0);
    lost.ping(1);
    lost.reset();
    let ended = |cause: &str| {
        server.number_until(&format!("farboard_sessions_ended_total{{cause=\"{cause}\"}}"), |count| {
            count == 1.0
        });
    };
    ended("lost");
    xboard.send("quit\n");
    xboard.rest();
    ended("quit");
    drop(uci);
    ended("closed");
    for protocol in ["auto", "xboard", "uci"] {
        sessions(protocol, 0.0);
    }
    server.number_until("farboard_sessions_begun_total{transport=\"plain\"}", |count| count == 3.0);
}

#[test]
fn sessions_of_a_user_are_counted_by_name_as_long_as_there_are_some() {
    let players = users::policy(&(users::line("alice", "") + &users::line("bob", "")));
    let server = Observed::prepared(players, ListenerPolicy::open(), |_| {}, |_| {});
    let name = |user: &str, protocol: &str| {
        format!("farboard_sessions{{protocol=\"{protocol}\",transport=\"plain\",user=\"{user}\"}}")
    };
    let count = |user: &str, protocol: &str, count: f64| {
        server.number_until(&name(user, protocol), |now| now == count);
    };
    let mut first = users::enter(&server.server, "alice");
    let second = users::enter(&server.server, "alice");
    let _bob = users::enter(&server.server, "bob");
    count("alice", "auto", 2.0);
    count("bob", "auto", 1.0);
    first.ping(1);
    count("alice", "xboard", 1.0);
    count("alice", "auto", 1.0);
    count("", "xboard", 0.0);
    drop((first, second));
    // Users without sessions have no rows.
    let others = server.until("/metrics", |answer| !answer.body.contains("user=\"alice\""));
    assert_eq!(number(&others.body, &name("bob", "auto")), Some(1.0));
    server.number_until("farboard_sessions_begun_total{transport=\"plain\"}", |count| count == 3.0);
}

#[test]
fn refusals_are_counted_by_cause() {
    let server = Observed::new(|setup| setup.limits.sessions = 1);
    let mut first = server.server.client();
    first.ping(1);
    server.server.client().rest();
    server.number_until("farboard_refusals_total{cause=\"full\"}", |count| count == 1.0);
    assert_eq!(number(&server.get("/metrics").body, "farboard_sessions_max"), Some(1.0));
}

#[test]
fn moves_analyses_and_searches_are_counted() {
    let server = Observed::new(|setup| setup.search = Box::new(with_nodes));
    let mut player = server.server.client();
    player.send("xboard\nlevel 0 5 0\ntime 30000\notim 30000\nst 0.05\ne2e4\n");
    player.until("move ");
    let counted = |name: &str| server.number_until(name, |count| count >= 1.0);
    counted("farboard_moves_total{protocol=\"xboard\"}");
    counted("farboard_move_overrun_seconds_count");
    counted("farboard_token_wait_seconds_count{class=\"clock\"}");
    counted("farboard_nodes_total");
    counted("farboard_loop_turn_seconds_bucket{le=\"+Inf\"}");
    let mut analyst = server.server.client();
    analyst.send("xboard\npost\nanalyze\n");
    server.number_until("farboard_searches{class=\"analysis\",state=\"running\"}", |count| count == 1.0);
    analyst.send("exit\nquit\n");
    server.number_until("farboard_searches{class=\"analysis\",state=\"running\"}", |count| count == 0.0);
}

#[test]
fn the_first_line_of_an_analysis_is_timed_once() {
    let server = Observed::new(|_| {});
    let mut analyst = server.server.client();
    analyst.send("xboard\npost\nanalyze\n");
    server.number_until("farboard_analysis_first_line_seconds_count", |count| count == 1.0);
    analyst.status();
    analyst.send("exit\nanalyze\n");
    server.number_until("farboard_analysis_first_line_seconds_count", |count| count == 2.0);
}

#[test]
fn lag_is_the_clock_time_lost_besides_thinking() {
    let server = Observed::new(|_| {});
    let mut player = server.server.client();
    player.send("xboard\nlevel 40 5 0\ntime 30000\notim 30000\nsd 1\ne2e4\n");
    player.until("move ");
    // A second less than the engine has used.
    player.send("time 29800\notim 30000\na2a3\n");
    player.until("move ");
    server.number_until("farboard_move_lag_seconds_count", |count| count == 1.0);
    let sum = number(&server.get("/metrics").body, "farboard_move_lag_seconds_sum").expect("a sum");
    assert!(sum > 0.5 && sum <= 2.0, "{sum}");
}
