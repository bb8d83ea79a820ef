//! Ends of sessions and of the shim.

use super::*;

const LINES: &str = "xboard\n";

#[test]
fn quit_is_passed_on_and_the_server_ends_the_session() {
    let mut world = World::in_a_session(&["a"], LINES, "s 1\n");
    world.client("quit\n");
    assert_eq!(world.sent(), "input 5 0\nquit\n");
    let output = b"last words\n".to_vec();
    world.send_frame(&ServerFrame::End { accounted: 5, output });
    assert_eq!(world.shown(), "last words\n");
    assert_eq!(world.dropped, [(world.attempt, false)]);
    assert_eq!(world.ending(), Some(Ending::ServerClosed));
}

#[test]
fn after_quit_the_shim_waits_for_no_server() {
    let mut world = World::in_a_session(&["a"], LINES, "s 1\n");
    world.client("quit\n");
    world.wait(ms(699));
    assert_eq!(world.ending, None);
    world.wait(ms(1));
    assert_eq!(world.ending, Some(Ending::Dismissed));

    let mut world = World::in_a_session(&["a"], LINES, "s 1\n");
    world.reset();
    world.client("quit\r\n");
    assert_eq!(world.ending(), Some(Ending::Dismissed));

    let mut world = World::in_a_session(&["a"], LINES, "s 1\n");
    world.client("quit\n");
    world.reset();
    world.client("more\n");
    assert_eq!(world.ending(), Some(Ending::ServerClosed));
}

#[test]
fn a_script_that_quits_gets_its_answers_if_the_server_is_slow_to_reach() {
    let mut world = World::new(&["a"]);
    world.client("xboard\nquit\n");
    world.event(Event::ClientEnd);
    world.wait(ms(3000));
    world.connect();
    world.greet();
    assert_eq!(world.sent(), "farboard-link 1\nnew\ninput 12 3000\nxboard\nquit\n");
    assert_eq!(world.finished, [world.attempt]);
    world.send_frame(&ServerFrame::End { accounted: 12, output: b"\n".to_vec() });
    assert_eq!(world.shown(), "\n");
    assert_eq!(world.ending(), Some(Ending::ServerClosed));
}

#[test]
fn the_end_of_input_is_a_half_close_at_each_server_until_all_is_answered() {
    let mut world = World::in_a_session(&["a"], LINES, "s 1\n");
    world.frame(0, "", "s 2\n", true);
    world.client("ping 1\n");
    world.event(Event::ClientEnd);
    assert_eq!(world.finished, [world.attempt]);
    world.reset();
    assert_eq!(world.ending(), None, "an answer is due");
    world.connect_and_greet();
    assert_eq!(world.sent(), "resume 4 0 0 0 search\ns 2\ninput 7 0\nping 1\n");
    assert_eq!(world.finished[1..], [world.attempt]);
    world.frame(7, "move e7e5\npong 1\n", "s 3\n", false);
    world.send_frame(&ServerFrame::End { accounted: 0, output: Vec::new() });
    assert_eq!(world.shown(), "move e7e5\npong 1\n");
    assert_eq!(world.ending(), Some(Ending::ServerClosed));
}

#[test]
fn a_server_may_close_after_the_end_of_input_if_nothing_is_due() {
    let mut world = World::in_a_session(&["a"], LINES, "s 1\n");
    world.event(Event::ClientEnd);
    world.close();
    assert_eq!(world.ending(), Some(Ending::ServerClosed));
    let mut world = World::in_a_session(&["a"], LINES, "s 1\n");
    world.reset();
    world.event(Event::ClientEnd);
    assert_eq!(world.ending(), Some(Ending::Dismissed));
}

#[test]
fn termination_sends_quit_and_exits_within_a_fifth_of_a_second() {
    for (input, quit) in [("", "input 5 0\nquit\n"), ("new", "input 6 0\n\nquit\n"), ("quit\n", "")] {
        let mut world = World::in_a_session(&["a"], LINES, "s 1\n");
        world.client(input);
        world.sent();
        world.event(Event::Terminate);
        assert_eq!(world.sent(), quit);
        assert_eq!(world.finished, [world.attempt]);
        world.wait(ms(180));
        assert_eq!(world.ending, Some(Ending::Dismissed));
    }
}

#[test]
fn termination_is_possible_at_any_moment() {
    type Step = fn(&mut World);
    let steps: [Step; 9] = [
        |world| world.client("xboard\n"),
        World::connect,
        World::greet,
        |world| world.frame(7, "\n", "s 1\n", true),
        |world| world.send_frame(&ServerFrame::Move),
        World::refuse_connection,
        |world| world.event(Event::Closed(1, ConnectionEnd::InOrder)),
        World::connect,
        World::greet,
    ];
    for count in 0..=steps.len() {
        let mut world = World::new(&["a"]);
        steps[..count].iter().for_each(|step| step(&mut world));
        world.event(Event::Terminate);
        world.wait(ms(180));
        let ending = world.ending();
        assert!(matches!(ending, Some(Ending::Dismissed | Ending::ServerClosed)), "{count}: {ending:?}");
        let again = world.relay.handle(Event::Client(b"x\n".to_vec()), world.now);
        assert_eq!(again, []);
    }
}

#[test]
fn the_end_of_a_session_by_its_server_is_not_a_loss() {
    let mut world = World::in_a_session(&["a", "b"], LINES, "s 1\n");
    world.client("new\n");
    world.send_frame(&ServerFrame::End { accounted: 4, output: b"telluser You were idle.\n".to_vec() });
    assert_eq!(world.shown(), "telluser You were idle.\n");
    assert_eq!(world.ending(), Some(Ending::ServerClosed));
    assert_eq!(world.dialled.len(), 1);
}

#[test]
fn a_closed_output_ends_the_shim_at_once() {
    let mut world = World::in_a_session(&["a"], LINES, "s 1\n");
    world.event(Event::OutputClosed);
    assert_eq!(world.ending, Some(Ending::OutputClosed));
}

#[test]
fn no_flood_keeps_the_shim_from_exiting() {
    for event in [Event::Terminate, Event::Client(b"quit\n".to_vec())] {
        let mut world = World::in_a_session(&["a"], LINES, "s 1\n");
        world.event(event);
        for _ in 0..7 {
            world.frame(0, "move e2e4\n", "s 1\n", false);
            world.wait(ms(100));
        }
        assert_eq!(world.ending, Some(Ending::Dismissed));
    }
}
