//! The link of a server that a test drives, with a shim that only stores what it receives.

use crate::link::{ClientFrame, FrameReader, GREETING, ServerFrame, apply};
use crate::pool::{JobId, SearchEvent, SearchId};
use crate::protocol::probe::Share;
use crate::protocol::{DrainCause, Line};
use crate::server::connection::Connection;
use crate::server::outcome::CloseReason;
use crate::server::test_server::{TestClient, TestServer};
use crate::session::xboard::fault;
use crate::session::{Input, Protocol, StateKey, checkers};
use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

struct Shim {
    client: TestClient,
    reader: FrameReader,
    state: String,
    accounted: u64,
    output: String,
    due: bool,
}

fn input(text: &str, age: Duration) -> ClientFrame {
    ClientFrame::Input { bytes: text.as_bytes().to_vec(), age }
}

fn resume(state: &str) -> ClientFrame {
    ClientFrame::Resume {
        state: state.to_owned(),
        warm: Vec::new(),
        age: Duration::ZERO,
        away: Duration::ZERO,
        calm: false,
    }
}

impl Shim {
    /// A client whose greeting is answered.
    fn greeted(server: &mut TestServer) -> Shim {
        let mut client = server.client();
        client.send("farboard-link 1\n");
        server.hear(&mut client, GREETING);
        Shim {
            client,
            reader: FrameReader::default(),
            state: String::new(),
            accounted: 0,
            output: String::new(),
            due: false,
        }
    }

    /// A client whose session has begun.
    fn new(server: &mut TestServer) -> Shim {
        let mut shim = Shim::greeted(server);
        shim.send(&ClientFrame::New);
        shim.next(server);
        shim
    }

    /// The same session at this server.
    fn resumed(&self, server: &mut TestServer) -> Shim {
        let mut shim = Shim::greeted(server);
        shim.send(&resume(&self.state));
        shim.state.clone_from(&self.state);
        shim.next(server);
        shim
    }

    fn send(&mut self, frame: &ClientFrame) {
        let mut bytes = Vec::new();
        frame.write(&mut bytes);
        self.client.send_bytes(&bytes);
    }

    fn say(&mut self, text: &str) {
        self.send(&input(text, Duration::ZERO));
    }

    /// The next frame, if it has come.
    fn frame(&mut self) -> Option<ServerFrame> {
        self.reader.push(&self.client.bytes());
        let frame = ServerFrame::read(&mut self.reader).expect("a frame")?;
        match &frame {
            ServerFrame::Output { accounted, output, edits, due } => {
                self.accounted += accounted;
                self.output += std::str::from_utf8(output).expect("text");
                self.state = apply(&self.state, edits, 1 << 20).expect("edits of the last state");
                self.due = *due;
            }
            ServerFrame::End { accounted, output } => {
                self.accounted += accounted;
                self.output += std::str::from_utf8(output).expect("text");
            }
            ServerFrame::Warm(_)
            | ServerFrame::Move
            | ServerFrame::Leave
            | ServerFrame::Fault(_)
            | ServerFrame::Unfit(_) => {}
        }
        Some(frame)
    }

    fn next(&mut self, server: &mut TestServer) -> ServerFrame {
        let mut found = None;
        server.until("a frame", |_| {
            found = self.frame();
            assert!(found.is_some() || !self.client.ended, "it closed");
            found.is_some()
        });
        found.expect("a frame")
    }

    /// Waits for output that contains this.
    fn hear(&mut self, server: &mut TestServer, text: &str) {
        while !self.output.contains(text) {
            self.next(server);
        }
    }

    /// Waits until this many bytes are accounted for.
    fn account(&mut self, server: &mut TestServer, bytes: usize) {
        while self.accounted < bytes as u64 {
            self.next(server);
        }
        assert_eq!(self.accounted, bytes as u64);
    }

    /// The last frame, after which the server closes.
    fn last(&mut self, server: &mut TestServer) -> ServerFrame {
        let mut last = None;
        server.until("the end", |_| {
            while let Some(frame) = self.frame() {
                last = Some(frame);
            }
            self.client.ended
        });
        last.expect("a frame")
    }

    fn connection<'a>(&self, server: &'a mut TestServer) -> &'a mut Connection {
        let slot = server.slot_of(&self.client).expect("it is there");
        &mut server.server.connections.slots[slot]
    }
}

fn xboard() -> TestServer {
    TestServer::speaking(Protocol::Xboard, |_| {})
}

#[test]
fn the_greeting_is_known_by_listeners_of_every_protocol() {
    let checkers = Protocol::Checkers(checkers::Manners::default());
    for (protocol, first) in [
        (Protocol::Auto, ""),
        (Protocol::Xboard, ""),
        (Protocol::Uci, ""),
        (Protocol::Web, ""),
        (checkers, "READY"),
    ] {
        let mut server = TestServer::speaking(protocol, |_| {});
        let shim = Shim::new(&mut server);
        let beginning = format!("farboard session 1\nprotocol {}\n", protocol.word());
        assert!(shim.state.starts_with(&beginning), "{}", shim.state);
        assert!(shim.output.starts_with(first), "{}", shim.output);
        assert_eq!(shim.output.is_empty(), first.is_empty());
    }
}

#[test]
fn a_page_gets_its_game_again_from_another_server() {
    let speaking = || TestServer::speaking(Protocol::Web, |_| {});
    let (mut server, mut second) = (speaking(), speaking());
    let mut shim = Shim::new(&mut server);
    shim.say(
        "{\"type\":\"new_game\",\"color\":\"white\",\"clock\":{\"initial_ms\":60000,\"increment_ms\":0},\"name\":\"Ä\"}\n",
    );
    shim.say("{\"type\":\"move\",\"move\":\"e2e4\",\"ply\":0}\n");
    shim.hear(&mut server, "\"by\":\"you\"");
    assert!(shim.due, "the engine's move");
    let mut after = shim.resumed(&mut second);
    after.hear(&mut second, "\"san\":\"e4\"");
    assert!(after.output.starts_with("{\"type\":\"game\""), "{}", after.output);
    assert!(after.output.contains("\"mode\":\"play\""), "{}", after.output);
    after.say("{\"type\":\"move_now\"}\n");
    after.hear(&mut second, "\"by\":\"engine\"");
}

#[test]
fn the_greeting_is_a_line_like_others_after_the_first() {
    let mut server = xboard();
    let mut client = server.client();
    client.send("ping 1\nfarboard-link 1\nping 2\n");
    server.hear(&mut client, "pong 1");
    assert!(server.hear(&mut client, "").contains("farboard-link"), "an unknown command");
    server.hear(&mut client, "pong 2");
}

#[test]
fn the_first_line_of_the_client_decides_on_the_protocol() {
    let mut server = TestServer::new(|_| {});
    let mut shim = Shim::new(&mut server);
    shim.say("uci\n");
    shim.hear(&mut server, "uciok\n");
    assert!(shim.state.contains("protocol uci\n"));
    let mut after = shim.resumed(&mut server);
    after.say("isready\n");
    after.hear(&mut server, "readyok\n");
    assert_eq!(server.server.connections.observer.counts.resumed.get(), 1);
}

#[test]
fn bytes_are_accounted_for_line_by_line_and_a_session_goes_on_with_the_others() {
    let (mut server, mut second) = (xboard(), xboard());
    let mut shim = Shim::new(&mut server);
    let text = "new\nforce\nusermove e2e4\nusermove e7";
    for piece in text.as_bytes().chunks(7) {
        shim.say(std::str::from_utf8(piece).expect("text"));
    }
    let unaccounted = "usermove e7";
    shim.account(&mut server, text.len() - unaccounted.len());
    assert!(shim.state.contains("e2e4"), "{}", shim.state);
    let mut after = shim.resumed(&mut second);
    after.say(unaccounted);
    after.say("e5\nping 1\n");
    after.hear(&mut second, "pong 1\n");
    assert!(after.state.contains("e2e4 e7e5"), "{}", after.state);
    assert_eq!(after.accounted, "usermove e7e5\nping 1\n".len() as u64);
}

#[test]
fn frames_may_come_in_any_pieces() {
    let mut server = xboard();
    let mut shim = Shim::greeted(&mut server);
    let mut bytes = Vec::new();
    ClientFrame::New.write(&mut bytes);
    input("ping 1\n", Duration::ZERO).write(&mut bytes);
    for byte in bytes {
        shim.client.send_bytes(&[byte]);
        server.turn();
    }
    shim.hear(&mut server, "pong 1\n");
}

#[test]
fn a_move_costs_the_time_since_it_was_sent() {
    let mut server = xboard();
    let mut shim = Shim::new(&mut server);
    let long_ago = Duration::from_secs(100);
    shim.send(&input("new\nlevel 0 5 0\ntime 30000\notim 30000\n", long_ago));
    shim.send(&input("usermove e2e4\n", long_ago));
    shim.hear(&mut server, "move ");
    let session = shim.connection(&mut server).session.as_ref().expect("a session");
    let clock = session.status_at(Instant::now()).clock.expect("a clock");
    assert!(clock <= 200_000, "{clock}");
}

#[test]
fn input_is_not_handled_before_the_input_in_front_of_it() {
    let mut server = xboard();
    let mut shim = Shim::new(&mut server);
    shim.say("new\nlevel 0 5 0\ntime 30000\notim 30000\nping 1\n");
    shim.hear(&mut server, "pong 1\n");
    shim.send(&input("usermove e2e4\n?\n", Duration::from_secs(1_000_000)));
    shim.hear(&mut server, "move ");
    let session = shim.connection(&mut server).session.as_ref().expect("a session");
    assert!(session.status_at(Instant::now()).clock.expect("a clock") > 200_000);
}

#[test]
fn the_rest_of_a_long_line_is_discarded_on_another_server_too() {
    let (mut server, mut second) = (xboard(), xboard());
    let mut shim = Shim::new(&mut server);
    shim.say(&"x".repeat(20_000));
    shim.account(&mut server, 20_000);
    assert!(shim.state.starts_with("discarding\n"), "{}", shim.state);
    let mut after = shim.resumed(&mut second);
    after.say("ping 1\nping 2\n");
    after.hear(&mut second, "pong 2\n");
    assert!(!after.output.contains("pong 1"));
    assert!(!after.state.starts_with("discarding\n"));
}

#[test]
fn a_line_that_has_ended_servers_is_refused() {
    let mut server = xboard();
    let mut shim = Shim::new(&mut server);
    shim.say("new\nforce\n");
    shim.send(&ClientFrame::Refuse { bytes: b"usermove e2e4\r\n".to_vec(), age: Duration::ZERO });
    shim.hear(&mut server, "Illegal move");
    assert!(!shim.state.contains("e2e4"));
    assert_eq!(shim.accounted, "new\nforce\nusermove e2e4\r\n".len() as u64);
}

#[test]
fn a_state_that_cannot_be_restored_is_unfit_and_why() {
    for (state, why) in [
        ("", "is not of the form"),
        ("farboard session 1\nprotocol xboard\nnonsense 1\n", "nonsense"),
        ("farboard session 1\nprotocol uci\n", "uci"),
        ("farboard session 1\nprotocol toy\n", "is not of the form"),
    ] {
        let mut server = xboard();
        let mut shim = Shim::greeted(&mut server);
        shim.send(&resume(state));
        let frame = shim.last(&mut server);
        assert!(matches!(&frame, ServerFrame::Unfit(said) if said.contains(why)), "{frame:?}");
    }
}

#[test]
fn hidden_state_can_be_restored_only_with_the_same_key() {
    let server = || {
        let mut server = xboard();
        server.server.connections.sessions.state_key = StateKey::new([7; 32]);
        server
    };
    let (mut first, mut same) = (server(), server());
    let mut shim = Shim::new(&mut first);
    shim.say("new\nvariant kriegspiel\nforce\nusermove e2e4\nping 1\n");
    shim.hear(&mut first, "pong 1\n");
    assert!(shim.state.contains("sealed "), "{}", shim.state);
    shim.resumed(&mut same);
    let mut other = xboard();
    let mut stranger = Shim::greeted(&mut other);
    stranger.send(&resume(&shim.state));
    let frame = stranger.last(&mut other);
    assert!(matches!(&frame, ServerFrame::Unfit(why) if why.contains("state key")), "{frame:?}");
}

#[test]
fn a_panic_is_a_fault_and_what_was_said_since_the_last_frame_is_dropped() {
    let mut server = xboard();
    let mut shim = Shim::new(&mut server);
    fault::at(|input| matches!(input, Input::Line(b"analyze")));
    shim.say("ping 1\nanalyze\n");
    let frame = shim.last(&mut server);
    fault::at(|_| false);
    assert!(
        matches!(&frame, ServerFrame::Fault(why) if why.contains("a defect of this server")),
        "{frame:?}"
    );
    assert_eq!((shim.output.as_str(), shim.accounted), ("", 0));
}

#[test]
fn quit_and_the_end_of_input_end_a_session_for_good() {
    let mut server = xboard();
    let mut shim = Shim::new(&mut server);
    shim.say("ping 1\nquit\nping 2\n");
    let end = ServerFrame::End { accounted: 12, output: b"pong 1\n".to_vec() };
    assert_eq!(shim.last(&mut server), end);
    let mut shim = Shim::new(&mut server);
    shim.say("ping 1");
    shim.client.end_input();
    let end = ServerFrame::End { accounted: 6, output: b"pong 1\n".to_vec() };
    assert_eq!(shim.last(&mut server), end);
}

#[test]
fn answers_that_are_due_at_the_end_of_input_still_come() {
    let mut server = xboard();
    let mut shim = Shim::new(&mut server);
    shim.say("new\nst 1\nusermove e2e4\n");
    shim.account(&mut server, 23);
    assert!(shim.due);
    shim.client.end_input();
    shim.last(&mut server);
    assert!(shim.output.contains("move "), "{}", shim.output);
}

#[test]
fn an_end_within_a_frame_is_a_loss() {
    let mut server = xboard();
    let mut shim = Shim::new(&mut server);
    shim.client.send("input 100 0\nping 1\n");
    shim.client.end_input();
    server.until("it is gone", |server| server.server.connections.slots.is_empty());
    assert_eq!(shim.frame(), None);
}

#[test]
fn an_invalid_frame_closes_the_connection() {
    for wrong in
        ["nonsense\n", "new\n", "resume 0 0 0 0 calm\n", "input 9999999 0\n", "input 1 x\n", "input -1 0\n"]
    {
        let mut server = xboard();
        let mut shim = Shim::new(&mut server);
        shim.client.send(wrong);
        server.until("it is gone", |server| server.server.connections.slots.is_empty());
        assert_eq!(shim.frame(), None, "{wrong}");
        let mut other = server.client();
        other.send("ping 1\n");
        server.hear(&mut other, "pong 1");
    }
}

#[test]
fn a_server_that_ends_has_its_sessions_leave_when_no_move_is_due() {
    let mut server = xboard();
    let (mut idle, mut busy) = (Shim::new(&mut server), Shim::new(&mut server));
    busy.say("new\nlevel 0 60 0\nusermove e2e4\n");
    busy.account(&mut server, 31);
    server.server.connections.drain(DrainCause::Shutdown, Instant::now());
    assert_eq!(idle.last(&mut server), ServerFrame::Leave);
    assert!(!server.server.connections.are_done());
    busy.say("?\n");
    assert_eq!(busy.last(&mut server), ServerFrame::Leave);
    assert!(busy.output.contains("move "), "{}", busy.output);
    assert!(busy.state.contains("e2e4 "), "{}", busy.state);
    drop((idle, busy));
    server.until("all have left", |server| server.server.connections.are_done());
}

#[test]
fn a_server_that_goes_on_after_all_keeps_its_sessions() {
    let mut server = xboard();
    let mut busy = Shim::new(&mut server);
    busy.say("new\nlevel 0 60 0\nusermove e2e4\n");
    busy.account(&mut server, 31);
    server.server.connections.drain(DrainCause::Command, Instant::now());
    server.server.connections.undrain(Instant::now());
    busy.say("?\n");
    busy.hear(&mut server, "move ");
    busy.say("ping 1\n");
    busy.hear(&mut server, "pong 1\n");
}

#[test]
fn a_server_that_stops_has_all_sessions_leave() {
    let mut server = xboard();
    let mut busy = Shim::new(&mut server);
    busy.say("new\nlevel 0 60 0\nusermove e2e4\n");
    busy.account(&mut server, 31);
    server.server.connections.clear();
    assert_eq!(busy.last(&mut server), ServerFrame::Leave);
}

#[test]
fn only_sessions_with_a_shim_are_asked_to_move_and_not_while_a_move_is_due() {
    let balancer = (IpAddr::V4(Ipv4Addr::LOCALHOST), 1);
    let mut server = xboard();
    let (mut idle, mut busy) = (Shim::new(&mut server), Shim::new(&mut server));
    let mut plain = server.client();
    plain.send("ping 1\n");
    server.hear(&mut plain, "pong 1");
    busy.say("new\nlevel 0 60 0\nusermove e2e4\n");
    busy.account(&mut server, 31);
    for (_, connection) in server.server.connections.slots.iter_mut() {
        connection.proxied.balancer = Some(balancer);
        connection.since -= Duration::from_secs(60);
    }
    let share = Share { sessions: 3, servers: 3 };
    server.server.connections.ask_to_share(balancer, share, Instant::now());
    assert_eq!(idle.next(&mut server), ServerFrame::Move);
    idle.say("ping 1\n");
    idle.hear(&mut server, "pong 1\n");
    busy.say("?\n");
    busy.hear(&mut server, "move ");
    plain.send("ping 2\n");
    assert_eq!(server.hear(&mut plain, ""), "pong 2");
}

#[test]
fn thinking_alone_has_no_edits() {
    let mut server = xboard();
    let mut shim = Shim::new(&mut server);
    shim.say("new\npost\nanalyze\n");
    shim.account(&mut server, 17);
    let state = shim.state.clone();
    while !shim.output.contains("1 0 0 1 ") {
        match shim.next(&mut server) {
            ServerFrame::Output { accounted, edits, .. } => assert_eq!((accounted, edits.as_str()), (0, "")),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(shim.state, state);
}

#[test]
fn the_warm_part_is_sent_at_most_every_ten_seconds_and_the_newest() {
    let mut server = xboard();
    let mut shim = Shim::new(&mut server);
    let job = JobId { owner: shim.connection(&mut server).owner, search: SearchId(1) };
    let now = Instant::now();
    let warm = |server: &mut TestServer, bytes: &[u8], seconds| {
        let (event, now) = (SearchEvent::Warm(bytes.into()), now + Duration::from_secs(seconds));
        server.server.connections.serve_search_event(job, event, true, now);
    };
    warm(&mut server, b"a", 0);
    assert_eq!(shim.next(&mut server), ServerFrame::Warm(b"a".to_vec()));
    warm(&mut server, b"b", 5);
    warm(&mut server, b"c", 9);
    shim.say("ping 1\n");
    shim.hear(&mut server, "pong 1\n");
    warm(&mut server, b"d", 10);
    assert_eq!(shim.next(&mut server), ServerFrame::Warm(b"d".to_vec()));
}

#[test]
fn a_client_that_does_not_read_loses_its_session_for_good() {
    let mut server = TestServer::speaking(Protocol::Xboard, |setup| setup.limits.output.hard = 100_000);
    let mut shim = Shim::new(&mut server);
    let slot = server.slot_of(&shim.client).expect("a session");
    let connections = &mut server.server.connections;
    while connections.slots[slot].session.is_some() {
        connections.slots[slot].send(Line::lasting("x".repeat(50_000) + "\n"));
        connections.flush(slot, Instant::now());
    }
    assert!(matches!(shim.last(&mut server), ServerFrame::End { .. }));
    assert!(shim.output.contains("was not read"));
}

#[test]
fn a_kicked_session_ends_for_good() {
    let mut server = xboard();
    let mut shim = Shim::new(&mut server);
    let slot = server.slot_of(&shim.client).expect("a session");
    let connections = &mut server.server.connections;
    let connection = &mut connections.slots[slot];
    connection.close_reason = CloseReason::Kicked;
    connection.send(connection.protocol().refusal("Tea."));
    connections.close(slot, Instant::now());
    connections.flush(slot, Instant::now());
    assert!(matches!(shim.last(&mut server), ServerFrame::End { .. }));
    assert!(shim.output.contains("tellusererror Tea."), "{}", shim.output);
}

#[test]
fn a_flood_on_a_link_delays_no_other_client() {
    let mut server = xboard();
    server.server.connections.input.max_turn = Duration::ZERO;
    let mut shim = Shim::new(&mut server);
    let pings: String = (0..1000).map(|number| format!("ping {number}\n")).collect();
    shim.say(&pings);
    let mut other = server.client();
    other.send("ping 1\n");
    server.hear(&mut other, "pong 1");
    assert!(!shim.output.contains("pong 999"));
    shim.hear(&mut server, "pong 999\n");
    shim.account(&mut server, pings.len());
}

#[test]
fn an_incomplete_frame_counts_as_memory() {
    let mut server = TestServer::speaking(Protocol::Xboard, |setup| setup.limits.buffers = 200_000);
    let mut shim = Shim::greeted(&mut server);
    shim.client.send(&format!("resume 900000 0 0 0 search\n{}", "x".repeat(400_000)));
    server.until("it holds too much", |server| server.server.connections.slots.is_empty());
    assert_eq!(server.server.connections.buffer_total.bytes, 0);
}

#[test]
fn what_a_search_has_found_is_in_the_state_before_its_answer() {
    let mut server = xboard();
    let mut shim = Shim::new(&mut server);
    // Nothing is shown of this search.
    shim.say("xboard\nnew\nnopost\nst 100\ngo\n");
    while !shim.state.contains("best ") {
        shim.next(&mut server);
    }
    assert!(shim.due && !shim.output.contains("move"), "{}", shim.output);
}
