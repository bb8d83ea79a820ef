//! Lost servers, and what the next ones get.

use super::*;

const LINES: &str = "xboard\n";

#[test]
fn a_line_at_which_a_server_reports_a_defect_twice_is_refused() {
    let mut world = World::in_a_session(&["a"], LINES, "s 1\n");
    world.client("ping 1\nkill\nping 2\n");
    world.send_frame(&ServerFrame::Fault("index out of bounds".to_owned()));
    world.sent();
    world.connect_and_greet();
    assert_eq!(world.sent(), "resume 4 0 0 0 search\ns 1\ninput 7 0\nping 1\n", "one line at a time");
    world.frame(7, "pong 1\n", "s 2\n", false);
    assert_eq!(world.sent(), "input 5 0\nkill\n");
    for _ in 0..2 {
        world.send_frame(&ServerFrame::Fault("index out of bounds".to_owned()));
        world.wait(ms(9000));
        world.connect();
        world.greet();
    }
    let sent = world.sent();
    assert!(sent.ends_with("s 2\nrefuse 5 18000\nkill\n"), "{sent}");
    world.frame(5, "Error (two servers): kill\n", "s 3\n", false);
    assert_eq!(world.sent(), "input 7 18000\nping 2\n");
    world.frame(7, "pong 2\n", "s 4\n", false);
    world.client("a\nb\n");
    assert_eq!(world.sent(), "input 4 0\na\nb\n", "several lines at a time again");
}

#[test]
fn a_loss_without_a_reason_counts_only_at_two_servers_or_if_they_no_longer_run() {
    for (servers, away, refused) in
        [(&["a"][..], false, false), (&["a"], true, true), (&["a", "b"], false, true)]
    {
        let mut world = World::in_a_session(servers, LINES, "s 1\n");
        world.client("kill\n");
        for _ in 0..2 {
            world.reset();
            if away {
                world.wait(ms(120));
                world.refuse_connection();
            }
            if servers.len() > 1 && world.at == 0 && world.dialled.len() == 2 {
                // The first server is dialled first, and cannot be looked up just now.
                let (attempt, reason) = (world.attempt, "no such name".to_owned());
                world.event(Event::Unreachable { attempt, reason, refused: false });
            }
            world.wait(ms(500));
            world.connect();
            world.sent();
            world.greet();
        }
        let sent = world.sent();
        assert_eq!(sent.contains("refuse 5 "), refused, "{servers:?} {away}: {sent}");
        assert_eq!(sent.contains("input 5 "), !refused, "{servers:?} {away}: {sent}");
    }
}

#[test]
fn a_line_that_a_server_has_survived_for_a_second_is_not_suspected() {
    let mut world = World::in_a_session(&["a", "b"], LINES, "s 1\n");
    world.client("one\ntwo\n");
    for _ in 0..3 {
        world.wait(ms(1000));
        world.reset();
        world.wait(ms(100));
        world.connect();
        world.sent();
        world.greet();
        assert!(world.sent().ends_with("one\ntwo\n"));
    }
}

#[test]
fn half_a_line_kills_no_server() {
    let mut world = World::in_a_session(&["a", "b"], LINES, "s 1\n");
    world.client("usermove e2");
    for _ in 0..4 {
        world.send_frame(&ServerFrame::Fault("why".to_owned()));
        world.wait(Duration::from_secs(9));
        world.connect();
        world.sent();
        world.greet();
        let sent = world.sent();
        assert!(sent.contains("input 11 ") && sent.ends_with("usermove e2"), "{sent}");
    }
}

#[test]
fn a_search_that_kills_servers_is_not_started_again() {
    let fault = ServerFrame::Fault("why".to_owned());
    let mut world = World::in_a_session(&["a"], LINES, "s 1\n");
    for how in ["search", "search", "calm"] {
        world.send_frame(&fault);
        world.wait(Duration::from_secs(3));
        world.connect();
        world.sent();
        world.greet();
        world.frame(0, "thinking\n", "s 1\n", true);
        let sent = world.sent();
        assert!(sent.contains(&format!(" {how}\n")), "{how}: {sent}");
    }
    world.frame(0, "resign\n", "s 2\n", false);
    world.wait(Duration::from_secs(6));
    world.send_frame(&fault);
    world.connect_and_greet();
    assert_eq!(world.sent(), "resume 4 0 6000 0 search\ns 2\n");
}

#[test]
fn a_server_that_leaves_casts_no_suspicion() {
    let mut world = World::in_a_session(&["a", "b"], LINES, "s 1\n");
    for _ in 0..3 {
        world.client("x\n");
        world.send_frame(&ServerFrame::Leave);
        world.wait(ms(60));
        world.connect();
        world.sent();
        world.greet();
    }
    let sent = world.sent();
    assert_eq!(sent, "resume 4 0 180 180 search\ns 1\ninput 2 180\nx\ninput 2 120\nx\ninput 2 60\nx\n");
    assert_eq!(world.shown(), "");
}

#[test]
fn unfit_servers_are_passed_over_and_if_all_are_unfit_the_client_gets_the_reason() {
    let unfit = ServerFrame::Unfit("The state is sealed with another key.".to_owned());
    let mut world = World::in_a_session(&["a", "b"], LINES, "s 1\n");
    world.frame(0, "", "s 2\n", true);
    world.reset();
    world.connect();
    world.greet();
    world.send_frame(&unfit);
    assert_eq!((world.at, world.shown().as_str()), (1, ""));
    world.connect();
    world.greet();
    world.send_frame(&unfit);
    let expected =
        "resign\ntellusererror The state is sealed with another key.\nfarboard-connect: server not found\n";
    assert_eq!(world.shown(), expected);
    assert_eq!(world.ending(), Some(Ending::NoServer));
}

#[test]
fn an_outage_ends_with_a_resignation_if_a_move_is_due() {
    for (first, error_lines) in [
        (
            "xboard\n",
            "resign\ntellusererror Cannot reach a: Connection refused\nfarboard-connect: server not found\n",
        ),
        ("uci\n", "info string ERROR: Cannot reach a: Connection refused\n"),
    ] {
        let mut world = World::in_a_session(&["a"], first, "s 1\n");
        world.frame(0, "", "s 2\n", true);
        world.reset();
        while world.ending().is_none() {
            let dialled = world.dialled.len();
            world.refuse_connection();
            world.wait(Duration::from_secs(2));
            assert!(world.dialled.len() > dialled || world.ending().is_some());
        }
        assert_eq!(world.shown(), error_lines);
        assert!(world.now >= world.start + Duration::from_secs(60));
    }
}

#[test]
fn a_server_that_is_silent_at_the_takeover_is_lost_in_time_for_the_others() {
    for (give_up, timeout) in [(60, 10_000), (20, 5_000)] {
        let mut world = World::with(&["a", "b"], |plan| plan.give_up = Duration::from_secs(give_up));
        world.client("xboard\n");
        world.connect();
        world.greet();
        world.frame(7, "\n", "s 1\n", false);
        world.reset();
        world.connect();
        world.wait(ms(timeout - 1));
        assert_eq!(world.dialled.len(), 2);
        world.wait(ms(1));
        assert_eq!(world.at, 1);
        world.connect();
        world.greet();
        world.wait(ms(timeout - 1));
        assert_eq!((world.dialled.len(), world.shown().as_str()), (3, "\n"));
        // Both have had their turn, so there is a pause.
        world.wait(ms(100));
        assert_eq!(world.dialled.len(), 4, "the first frame waits for nothing");
    }
}

#[test]
fn the_outage_goes_on_while_servers_close_at_once() {
    let mut world = World::in_a_session(&["a"], LINES, "s 1\n");
    world.frame(0, "", "s 2\n", true);
    world.reset();
    while world.ending().is_none() {
        world.connect();
        world.greet();
        world.close();
        world.wait(Duration::from_secs(8));
    }
    assert!(world.shown().starts_with("resign\ntellusererror The connection to a was closed\n"));
    let waited = world.now - world.start;
    assert!((60..70).contains(&waited.as_secs()), "{waited:?}");
    assert!(world.dialled.len() < 18, "{:?}", world.dialled);
}
