//! The real `farboard-connect` whose server dies: what the GUI sees, and what the next server
//! receives.

use crate::child::Shim;
use crate::deadline::{TEST_TIMEOUT, accept};
use crate::link_server::{Begun, LinkServer};
use crate::server_process::Process;
use crate::support::reserved_port;
use farboard::link::{ClientFrame, GREETING, ServerFrame};
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

const HELLO: &str = "xboard\nprotover 2\n";
const FEATURES: &str = "feature ping=1 setboard=1 usermove=1 done=1\n";
const GAME: &str = "new\nlevel 40 5 0\nhard\n";
const MOVE: &str = "usermove e2e4\n";

/// A listener that may be dropped: its port stays reserved, so that the shim is refused there.
fn listener() -> (TcpListener, String) {
    let (listener, address) = reserved_port::listener();
    (listener, address.to_string())
}

/// A shim in the middle of a game. The server has accounted for everything but the client's move,
/// and owes its own.
fn in_a_game(arguments: &[&str], listener: &TcpListener) -> (Shim, LinkServer) {
    let mut shim = Shim::start(arguments);
    let mut server = LinkServer::accept_new(listener);
    shim.write(HELLO.as_bytes());
    server.expect(&["xboard"]);
    let mut hello = HELLO.to_owned();
    if arguments.contains(&"--record") {
        let seed = server.line();
        assert!(seed.starts_with("option Seed="), "{seed}");
        hello = format!("{HELLO}{seed}\n");
    }
    server.expect(&["protover 2"]);
    server.say(FEATURES, &hello, "any state\ngreeted\n");
    assert_eq!(shim.line(), FEATURES);
    shim.write(format!("{GAME}{MOVE}").as_bytes());
    server.expect(&["new", "level 40 5 0", "hard", "usermove e2e4"]);
    server.say_due("", GAME, "any state\ngreeted\ngame\n");
    (shim, server)
}

/// The state of that game.
const IN_A_GAME: &str = "any state\ngreeted\ngame\n";
/// The state after both moves.
const MOVED: &str = "any state\ngreeted\ngame e2e4 e7e5\n";

/// A shim in that game, and the server that resumes it after the first was lost.
fn resumed(listener: &TcpListener) -> LinkServer {
    let (mut server, state) = LinkServer::accept_resumed(listener);
    assert_eq!(state, IN_A_GAME);
    server.expect(&["usermove e2e4"]);
    server
}

#[test]
fn due_move_is_requested_on_the_next_connection_and_shown_once() {
    let (listener, address) = listener();
    let (mut shim, mut server) = in_a_game(&[&address], &listener);
    // Thinking comes without a state. Nothing of an incomplete frame is shown.
    server.say_due("4 20 1 100\te5\n", "", IN_A_GAME);
    assert_eq!(shim.line(), "4 20 1 100\te5\n");
    let half = server.bytes_of("move d7d5\n", MOVE, "another state\n", false);
    server.write(&half[..half.len() - 1]);
    drop(server);
    let mut server = resumed(&listener);
    server.say("move e7e5\n", MOVE, MOVED);
    assert_eq!(shim.line(), "move e7e5\n");

    drop(server);
    let (mut server, state) = LinkServer::accept_resumed(&listener);
    assert_eq!(state, MOVED);
    shim.write(b"ping 7\n");
    server.expect(&["ping 7"]);
    server.say("pong 7\n", "ping 7\n", MOVED);
    assert_eq!(shim.line(), "pong 7\n");
}

#[test]
fn input_is_sent_again_with_its_age() {
    let (listener, address) = listener();
    let (_shim, server) = in_a_game(&[&address], &listener);
    let since = Instant::now();
    thread::sleep(Duration::from_millis(30));
    drop(server);
    let server = resumed(&listener);
    let age = server.ages[0];
    assert!(age >= Duration::from_millis(30) && age <= since.elapsed() + TEST_TIMEOUT, "{age:?}");
}

#[test]
fn incomplete_line_of_the_client_is_sent_again() {
    let (listener, address) = listener();
    let (mut shim, mut server) = in_a_game(&[&address], &listener);
    server.say("move e7e5\n", MOVE, MOVED);
    assert_eq!(shim.line(), "move e7e5\n");
    shim.write(b"usermove d2");
    server.wait_for_bytes(b"usermove d2");
    drop(server);
    let (mut server, _) = LinkServer::accept_resumed(&listener);
    shim.write(b"d4\n");
    server.expect(&["usermove d2d4"]);
}

#[test]
fn next_server_takes_over() {
    let (first, address) = listener();
    let (second, other) = listener();
    let (mut shim, server) = in_a_game(&[&address, "--or", &other], &first);
    drop(first);
    drop(server);
    let mut server = resumed(&second);
    shim.write(b"quit\n");
    server.wait_for("quit");
    server.send(&ServerFrame::End { accounted: 5 + MOVE.len() as u64, output: b"bye\n".to_vec() });
    drop(server);
    assert_eq!(shim.read_to_end(), b"bye\n");
    assert_eq!(shim.exit_code(), Some(0));
}

#[test]
fn server_that_shuts_down_is_followed_by_another() {
    let (first, address) = listener();
    let (second, other) = listener();
    let (mut shim, mut server) = in_a_game(&[&address, "--or", &other], &first);
    drop(first);
    server.send(&ServerFrame::Leave);
    drop(server);
    let mut server = resumed(&second);
    server.say("move c7c5\n", MOVE, MOVED);
    assert_eq!(shim.line(), "move c7c5\n");
}

#[test]
fn without_any_server_the_game_is_resigned_in_the_form_of_xboard() {
    for due in [true, false] {
        let (listener, address) = listener();
        let (mut shim, mut server) = in_a_game(&[&address, "--give-up", "1"], &listener);
        if !due {
            server.say("move e7e5\n", MOVE, MOVED);
            assert_eq!(shim.line(), "move e7e5\n");
        }
        drop(listener);
        drop(server);
        let output = String::from_utf8(shim.read_to_end()).expect("ASCII");
        let resign = if due { "resign\n" } else { "" };
        let expected = format!(
            "{resign}tellusererror Cannot reach {address}: Connection refused\nfarboard-connect: server not found\n"
        );
        assert_eq!(output, expected);
        assert_eq!(shim.exit_code(), Some(1));
    }
}

#[test]
fn quit_and_termination_do_not_wait_for_a_server() {
    for signal in [false, true] {
        let (listener, address) = listener();
        let (mut shim, server) = in_a_game(&[&address, "--give-up", "1000"], &listener);
        drop(listener);
        drop(server);
        if signal {
            shim.signal("TERM");
        } else {
            shim.write(b"quit\n");
        }
        assert_eq!(shim.read_to_end(), b"");
        assert_eq!(shim.exit_code(), Some(0));
    }
}

#[test]
fn server_that_refuses_at_the_start_is_passed_over_and_the_last_one_explains() {
    for others in [1, 2] {
        let servers: Vec<_> = (0..others).map(|_| listener()).collect();
        let addresses: Vec<&str> = servers.iter().map(|(_, address)| address.as_str()).collect();
        let mut shim = Shim::start(&[&addresses.join(",")]);
        for (listener, _) in &servers {
            refuse(accept(listener), "The server is full.");
        }
        let output = String::from_utf8(shim.read_to_end()).expect("ASCII");
        assert_eq!(output, "tellusererror The server is full.\nfarboard-connect: server not found\n");
        assert_eq!(shim.exit_code(), Some(1));
    }
}

/// Refuses a shim as a server does: before reading its greeting.
fn refuse(mut stream: TcpStream, why: &str) {
    // Closing with unread data would discard the reason.
    let mut greeting = vec![0; GREETING.len() + 1];
    stream.read_exact(&mut greeting).expect("a greeting");
    stream.write_all(format!("tellusererror {why}\n").as_bytes()).expect("an open connection");
}

#[test]
fn server_that_is_being_replaced_is_retried_until_its_successor_runs() {
    for said in ["", HELLO] {
        let (listener, address) = listener();
        let mut shim = Shim::start(&[&address]);
        shim.write(said.as_bytes());
        for _ in 0..3 {
            refuse(accept(&listener), "this server is being replaced, please try again in some seconds");
        }
        let mut server = LinkServer::accept_new(&listener);
        if said.is_empty() {
            shim.write(HELLO.as_bytes());
        }
        server.expect(&["xboard", "protover 2"]);
        server.say(FEATURES, HELLO, "state\n");
        assert_eq!(shim.line(), FEATURES, "the user is notified of the running server");
        shim.write(b"quit\n");
        server.wait_for("quit");
    }
}

#[test]
fn session_moves_to_a_server_with_more_room() {
    let (listener, address) = listener();
    let (mut shim, mut old) = in_a_game(&[&address], &listener);
    old.say("move e7e5\n", MOVE, MOVED);
    assert_eq!(shim.line(), "move e7e5\n");
    old.send(&ServerFrame::Move);
    let mut new = LinkServer::accept(&listener);
    assert_eq!(new.begun(), Begun::Resumed { state: MOVED.to_owned(), calm: false });
    assert_eq!(old.frame(), None, "the old server is left");
    shim.write(b"usermove d2d4\n");
    new.expect(&["usermove d2d4"]);
    new.say("move e5d4\n", "usermove d2d4\n", "state\n");
    assert_eq!(shim.line(), "move e5d4\n", "the client has received nothing");
}

#[test]
fn session_stays_where_it_is_if_there_is_no_other_server() {
    let (listener, address) = listener();
    let (mut shim, mut server) = in_a_game(&[&address], &listener);
    drop(listener);
    server.say("move e7e5\n", MOVE, MOVED);
    server.send(&ServerFrame::Move);
    assert_eq!(shim.line(), "move e7e5\n");
    for number in 1..4 {
        let line = format!("ping {number}");
        shim.write(format!("{line}\n").as_bytes());
        server.wait_for(&line);
        server.say(&format!("pong {number}\n"), &format!("{line}\n"), MOVED);
        assert_eq!(shim.line(), format!("pong {number}\n"));
    }
}

#[test]
fn server_that_accepts_and_stays_silent_is_passed_over() {
    let (first, address) = listener();
    let (second, other) = listener();
    let (mut shim, server) = in_a_game(&[&address, "--or", &other, "--give-up", "20"], &first);
    drop(server);
    // The first server does not accept; the system does.
    let mut server = resumed(&second);
    server.say("move e7e5\n", MOVE, MOVED);
    assert_eq!(shim.line(), "move e7e5\n");
    drop(first);
}

#[test]
fn outage_ends_although_a_server_accepts_and_stays_silent() {
    let (listener, address) = listener();
    let (mut shim, server) = in_a_game(&[&address, "--give-up", "1"], &listener);
    drop(server);
    let output = String::from_utf8(shim.read_to_end()).expect("ASCII");
    let expected =
        format!("resign\ntellusererror {address} does not answer\nfarboard-connect: server not found\n");
    assert_eq!(output, expected);
    assert_eq!(shim.exit_code(), Some(1));
    drop(listener);
}

#[test]
fn outage_ends_although_servers_accept_again_and_again() {
    type Answer = fn(TcpStream);
    let closes: Answer = drop;
    let is_full: Answer = |stream| refuse(stream, "The server is full.");
    let dies_of_the_session: Answer = |stream| {
        LinkServer::over(stream).begun();
    };
    let cannot_go_on: Answer = |stream| {
        let mut server = LinkServer::over(stream);
        server.begun();
        server.send(&ServerFrame::Unfit("The state has another key.".to_owned()));
    };
    let never_ends_its_line: Answer = |stream| {
        let mut server = LinkServer::over(stream);
        while server.stream.write_all(&[b'x'; 4096]).is_ok() {}
    };
    for (answer, reason) in [
        (closes, "The connection to ADDRESS was "),
        (is_full, "The server is full."),
        (dies_of_the_session, "The connection to ADDRESS was "),
        (cannot_go_on, "The state has another key."),
        (
            never_ends_its_line,
            "The connection to ADDRESS was lost: a frame of the link begins with an unknown line",
        ),
    ] {
        let (listener, address) = listener();
        let (mut shim, server) = in_a_game(&[&address, "--give-up", "1"], &listener);
        drop(server);
        let (stop, stopped) = mpsc::channel::<()>();
        let again_and_again = thread::spawn(move || {
            while stopped.try_recv().is_err() {
                let stream = accept(&listener);
                // The shim may have exited in between.
                let _ = thread::spawn(move || answer(stream)).join();
            }
        });
        let output = String::from_utf8(shim.read_to_end()).expect("ASCII");
        let reason = reason.replace("ADDRESS", &address);
        let ["resign", complaint, "farboard-connect: server not found"] =
            output.lines().collect::<Vec<_>>()[..]
        else {
            panic!("{output}");
        };
        // On a busy machine the last attempt may have ended otherwise.
        let late = format!("tellusererror {address} does not answer");
        assert!(
            complaint.starts_with(&format!("tellusererror {reason}")) || complaint == late,
            "{complaint}"
        );
        assert_eq!(shim.exit_code(), Some(1));
        stop.send(()).expect("the thread");
        drop(TcpStream::connect(&address));
        again_and_again.join().expect("the thread");
    }
}

#[test]
fn server_that_closes_at_once_is_retried_once_and_the_user_sees_why() {
    for words in [&b""[..], HELLO.as_bytes()] {
        let servers = [listener(), listener()];
        let addresses: Vec<&str> = servers.iter().map(|(_, address)| address.as_str()).collect();
        let mut shim = Shim::start(&[&addresses.join(",")]);
        shim.write(words);
        // All servers, then once more, starting with the one lost last: it may have been killed.
        for index in [0, 1, 1, 0] {
            drop(accept(&servers[index].0));
        }
        let output = String::from_utf8(shim.read_to_end()).expect("ASCII");
        let expected = format!(
            "tellusererror {} closes the connection without a word: perhaps it does not accept this machine\n\
             farboard-connect: server not found\n",
            addresses[0]
        );
        assert_eq!(output, expected);
        assert_eq!(shim.exit_code(), Some(1));
        for (listener, address) in &servers {
            listener.set_nonblocking(true).expect("an open socket");
            let third = listener.accept().map(drop).expect_err("two connections");
            assert_eq!(third.kind(), ErrorKind::WouldBlock, "{address}");
        }
    }
}

#[test]
fn dying_server_that_still_accepts_connections_is_retried_afterwards() {
    let (listener, address) = listener();
    let mut shim = Shim::start(&[&address]);
    shim.write(HELLO.as_bytes());
    drop(accept(&listener));
    let killed = Instant::now();
    let mut server = loop {
        let stream = accept(&listener);
        if killed.elapsed() > Duration::from_millis(150) {
            break LinkServer::over(stream);
        }
    };
    assert_eq!(server.begun(), Begun::New);
    server.expect(&["xboard", "protover 2"]);
    server.say(FEATURES, HELLO, "state\n");
    shim.write(b"quit\n");
    server.expect(&["quit"]);
    server.send(&ServerFrame::End { accounted: 5, output: Vec::new() });
    drop(server);
    assert_eq!(shim.read_to_end(), FEATURES.as_bytes());
}

#[test]
fn line_after_which_two_servers_died_is_refused_by_the_third() {
    for has_a_fault in [true, false] {
        let servers = [listener(), listener()];
        let addresses: Vec<String> = servers.iter().map(|(_, address)| address.clone()).collect();
        let (mut shim, mut server) = in_a_game(&[&addresses.join(","), "--give-up", "1000"], &servers[0].0);
        if has_a_fault {
            server.send(&ServerFrame::Fault("A defect.".to_owned()));
        }
        drop(server);
        let (survived, survivors) = mpsc::channel();
        for (listener, _) in servers {
            let survived = survived.clone();
            thread::spawn(move || {
                loop {
                    let mut server = LinkServer::accept(&listener);
                    server.begun();
                    match server.frame() {
                        // The move crashes it.
                        Some(ClientFrame::Input { .. }) if has_a_fault => {
                            server.send(&ServerFrame::Fault("A defect.".to_owned()));
                        }
                        Some(ClientFrame::Refuse { bytes, .. }) => {
                            assert_eq!(bytes, MOVE.as_bytes());
                            server.say("Illegal move: e2e4\n", MOVE, MOVED);
                            survived.send(server).expect("a test that waits");
                            return;
                        }
                        _ => {}
                    }
                }
            });
        }
        assert_eq!(shim.line(), "Illegal move: e2e4\n");
        let mut server = survivors.recv_timeout(TEST_TIMEOUT).expect("the server that refused the move");
        shim.write(b"ping 7\n");
        server.expect(&["ping 7"]);
        server.say("pong 7\n", "ping 7\n", MOVED);
        assert_eq!(shim.line(), "pong 7\n");
    }
}

#[test]
fn server_that_is_silent_from_the_start_is_passed_over() {
    let (first, address) = listener();
    let (second, other) = listener();
    let mut shim = Shim::start(&[&address, "--or", &other]);
    shim.write(HELLO.as_bytes());
    let mut server = LinkServer::accept_new(&second);
    server.expect(&["xboard", "protover 2"]);
    server.say(FEATURES, HELLO, "state\n");
    assert_eq!(shim.line(), FEATURES);
    drop(first);
}

#[test]
fn end_of_input_waits_for_the_move_that_is_due_on_another_connection_too() {
    let (listener, address) = listener();
    let (mut shim, mut server) = in_a_game(&[&address], &listener);
    shim.close_input();
    assert_eq!(server.frame(), None, "the end of the stream");
    drop(server);
    let mut server = resumed(&listener);
    assert_eq!(server.line(), "", "the end of the stream");
    server.say("move e7e5\n", MOVE, MOVED);
    server.send(&ServerFrame::End { accounted: 0, output: Vec::new() });
    drop(server);
    assert_eq!(shim.read_to_end(), b"move e7e5\n");
    assert_eq!(shim.exit_code(), Some(0));
}

#[test]
fn input_without_a_server_waits_for_one() {
    let (first, address) = listener();
    let (second, other) = listener();
    drop(second);
    let (mut shim, server) = in_a_game(&[&address, "--or", &other], &first);
    drop(first);
    drop(server);
    let lines: Vec<String> = (0..20_000).map(|number| format!("ping {number}")).collect();
    shim.write_in_background(format!("{}\n", lines.join("\n")).into_bytes());
    let again = TcpListener::bind(&address).expect("the same port");
    let mut server = resumed(&again);
    server.say("move e7e5\n", MOVE, MOVED);
    assert_eq!(shim.line(), "move e7e5\n");
    for line in &lines {
        assert_eq!(server.line(), *line);
        // If the first server got some of them, this one gets those one by one.
        server.say("", &format!("{line}\n"), MOVED);
    }
}

#[test]
fn session_is_recorded() {
    let (listener, address) = listener();
    let path = std::env::temp_dir().join(format!("farboard-record-{}", std::process::id()));
    let name = path.to_str().expect("UTF-8");
    let copies = [path.clone(), std::path::PathBuf::from(format!("{name}.1"))];
    for copy in &copies {
        let (mut shim, mut server) = in_a_game(&[&address, "--record", name], &listener);
        server.say("move e7e5\n", MOVE, MOVED);
        assert_eq!(shim.line(), "move e7e5\n");
        drop(server);
        let mut server = LinkServer::accept(&listener);
        assert!(matches!(server.begun(), Begun::Resumed { .. }));
        shim.write(b"quit\n");
        server.wait_for("quit");
        drop(server);
        assert_eq!(shim.exit_code(), Some(0));
        let text = std::fs::read_to_string(copy).expect("a record");
        let events: Vec<&str> =
            text.lines().filter_map(|line| line.split_once(' ')).map(|pair| pair.1).collect();
        assert!(text.starts_with("# farboard-connect record 1\n"));
        let connected = format!("# connected to {address}");
        let seed = events[1].strip_prefix("# seed ").expect("a seed");
        let option = format!("+ option Seed={seed}");
        assert_eq!(events[2..6], [&connected, "> xboard", &option, "> protover 2"]);
        assert!(events.contains(&"< move e7e5") && events.contains(&"> usermove e2e4"));
        assert!(events.iter().any(|event| event.starts_with("# outage: ")), "{events:?}");
    }
    for copy in &copies {
        std::fs::remove_file(copy).expect("a record");
    }
}

#[test]
fn arguments_of_a_remote_shell_are_options() {
    let (listener, address) = listener();
    let port = address.rsplit(':').next().expect("a port");
    let words = ["--port", port, "127.0.0.1", "-l", "bob", "farboard", "Elo=1500", "a b", ""];
    let mut shim = Shim::start(&words);
    let mut server = LinkServer::accept_new(&listener);
    shim.write(HELLO.as_bytes());
    server.expect(&["xboard", "option Elo=1500", "protover 2"]);
}

#[test]
fn game_continues_after_a_real_server_is_killed_and_restarted() {
    let port = reserved_port::reserve();
    let address = port.address.to_string();
    let server = Process::start(&address);
    let mut shim = Shim::start(&[&address]);
    shim.write(b"xboard\nprotover 2\nnew\nlevel 0 10 0\nsd 4\nnopost\neasy\nping 1\n");
    while shim.line() != "pong 1\n" {}
    let mut server = Some(server);
    let mut moves = Vec::new();
    for mv in ["e2e4", "g1f3", "f1b5"] {
        shim.write(format!("time 60000\notim 60000\nusermove {mv}\n").as_bytes());
        if moves.len() == 1 {
            drop(server.take());
            server = Some(Process::start(&address));
        }
        let answer = shim.line();
        assert!(answer.starts_with("move "), "{answer}");
        moves.push(answer);
        drop(server.take());
        server = Some(Process::start(&address));
    }
    shim.write(b"ping 2\n");
    assert_eq!(shim.line(), "pong 2\n");
    shim.write(b"quit\n");
    assert_eq!(shim.exit_code(), Some(0));
}
