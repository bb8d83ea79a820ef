//! A session from its beginning through the loss of a server to the next one.

use super::*;

#[test]
fn a_session_byte_by_byte() {
    let mut world = World::new(&["a:5254"]);
    world.client("xboard\n");
    world.connect();
    assert_eq!(world.sent(), "farboard-link 1\n");
    world.server(b"farboard-link 1\n");
    assert_eq!(world.sent(), "new\ninput 7 0\nxboard\n");
    world.server(b"frame 7 1 12 idle\n\n0 0 6\nnew 1\n");
    assert_eq!((world.shown().as_str(), world.relay.state()), ("\n", "new 1\n"));

    world.client("usermove e2");
    assert_eq!(world.sent(), "input 11 0\nusermove e2");
    world.wait(ms(30));
    world.client("e4\n");
    assert_eq!(world.sent(), "input 3 0\ne4\n");
    world.server(b"frame 14 0 11 due\n5 0 5\n e2e4");
    world.server(b"frame 0 17 0 due\n4 20 1 100 e7e5");
    assert_eq!(world.shown(), "", "half a frame is not shown");

    world.wait(ms(970));
    world.reset();
    assert_eq!(world.dialled, [(0, 0), (0, 1000)]);
    world.client("otim 5900\n");
    world.wait(ms(200));
    world.connect();
    assert_eq!(world.sent(), "farboard-link 1\n");
    world.server(b"farboard-link 1\n");
    let expected = "resume 11 0 1170 200 search\nnew 1 e2e4\ninput 10 200\notim 5900\n";
    assert_eq!(world.sent(), expected);
    world.server(b"frame 10 10 12 idle\nmove e7e5\n10 0 5\n e7e5");
    assert_eq!((world.shown().as_str(), world.relay.state()), ("move e7e5\n", "new 1 e2e4 e7e5\n"));
    assert_eq!(world.relay.unaccounted(), 0);
}

#[test]
fn half_a_line_is_sent_again_and_its_line_is_as_old_as_its_end() {
    let mut world = World::in_a_session(&["a"], "xboard\n", "s 1\n");
    world.client("ping 1\nusermove d2");
    world.wait(ms(400));
    world.frame(7, "pong 1\n", "s 2\n", false);
    world.reset();
    world.wait(ms(100));
    world.client("d4\n");
    world.wait(ms(50));
    world.sent();
    world.connect_and_greet();
    assert_eq!(world.sent(), "resume 4 0 150 150 search\ns 2\ninput 14 50\nusermove d2d4\n");
}

#[test]
fn frames_come_in_any_pieces_and_their_edits_in_order() {
    let frames = [
        bytes(&output_frame(7, "a\n", "0 0 4\ns 1\n", false)),
        bytes(&ServerFrame::Warm(b"\x01\x02".to_vec())),
        bytes(&output_frame(0, "b\n", "2 1 2\n22", true)),
    ]
    .concat();
    for size in 1..frames.len() {
        let mut world = World::new(&["a"]);
        world.client("xboard\n");
        world.connect();
        world.greet();
        for piece in frames.chunks(size) {
            world.server(piece);
        }
        assert_eq!((world.shown().as_str(), world.relay.state()), ("a\nb\n", "s 22\n"), "{size}");
        world.sent();
        world.close();
        world.connect_and_greet();
        assert_eq!(world.sent(), "resume 5 2 0 0 search\ns 22\n\x01\x02", "{size}");
    }
}

#[test]
fn impossible_frames_end_the_connection_and_not_the_session() {
    for wrong in [
        &b"frame 1 0 0 idle\n"[..],
        b"frame 0 0 6 idle\n9 0 0\n",
        b"frames\n",
        b"frame 0 0 2 idle\n\xff\xff",
        &[b'x'; 300],
    ] {
        let mut world = World::in_a_session(&["a"], "xboard\n", "s 1\n");
        let lost = world.attempt;
        world.server(wrong);
        assert_eq!((world.dropped.as_slice(), world.relay.state()), (&[(lost, true)][..], "s 1\n"));
        world.connect_and_greet();
        assert_eq!(world.sent(), "resume 4 0 0 0 search\ns 1\n");
    }
}

#[test]
fn a_session_moves_if_its_client_is_silent_and_another_server_is_reached() {
    let mut world = World::in_a_session(&["a"], "xboard\n", "s 1\n");
    let old = world.attempt;
    world.send_frame(&ServerFrame::Move);
    world.refuse_connection();
    assert!(world.dropped.is_empty());

    world.send_frame_to(old, &ServerFrame::Move);
    world.event(Event::Client(b"new\n".to_vec()));
    world.connect();
    assert_eq!(world.dropped, [(world.attempt, false)], "the client has sent something");

    world.send_frame_to(old, &output_frame(4, "", "", false));
    world.send_frame_to(old, &ServerFrame::Move);
    assert_eq!(world.dropped.len(), 1);
    world.connect();
    assert_eq!(world.dropped[1..], [(old, false)]);
    world.greet();
    assert_eq!(world.sent(), "farboard-link 1\nresume 4 0 0 0 search\ns 1\n");
    world.client("ping 1\n");
    world.frame(7, "pong 1\n", "s 2\n", false);
    assert_eq!(world.shown(), "pong 1\n");
}

#[test]
fn the_old_server_may_be_lost_while_another_is_dialled() {
    let mut world = World::in_a_session(&["a"], "xboard\n", "s 1\n");
    let old = world.attempt;
    world.send_frame(&ServerFrame::Move);
    let moving = world.attempt;
    world.event(Event::Closed(old, ConnectionEnd::InOrder));
    assert_ne!(world.attempt, moving, "the lost session dials for itself");
    world.event(Event::Connected(moving));
    assert_eq!(world.dropped.last(), Some(&(moving, false)));
    world.connect_and_greet();
    assert_eq!(world.sent(), "resume 4 0 0 0 search\ns 1\n");
}

#[test]
fn an_unfit_server_after_a_move_is_no_reason_to_give_up_at_once() {
    let mut world = World::in_a_session(&["a"], "xboard\n", "s 1\n");
    world.send_frame(&ServerFrame::Move);
    world.connect();
    world.greet();
    world.send_frame(&ServerFrame::Unfit("another key".to_owned()));
    assert_eq!(world.shown(), "");
    world.wait(ms(100));
    world.connect();
    world.greet();
    world.frame(0, "", "s 2\n", false);
    assert_eq!(world.relay.state(), "s 2\n");
}

#[test]
fn bytes_are_unaccounted_until_a_server_has_handled_them() {
    let mut world = World::in_a_session(&["a"], "xboard\n", "s 1\n");
    world.client("usermove e2e4\nping 1\n");
    world.frame(14, "", "s 2\n", false);
    assert_eq!(world.relay.unaccounted(), 7);
}

impl World {
    /// A server other than the newest sends a frame.
    fn send_frame_to(&mut self, attempt: Attempt, frame: &ServerFrame) {
        self.event(Event::Received(attempt, bytes(frame)));
    }
}
