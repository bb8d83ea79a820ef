//! The real `farboard-connect` whose server dies: what the GUI sees, and what the next server hears.

#[path = "shim/child.rs"]
#[allow(dead_code)]
mod child;
#[path = "shim/deadline.rs"]
mod deadline;
mod port;
#[path = "shim/server_process.rs"]
mod server_process;

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use child::Shim;
use deadline::accept;
use server_process::Process;

const FEATURES: &[u8] = b"feature ping=1 setboard=1 usermove=1 done=1\n";

/// What pings of the shim's own begin with.
const OWN_PING: &str = "ping 19000000";

/// One connection of a server that a test plays.
struct Server {
    reader: BufReader<TcpStream>,
}

impl Server {
    fn accept(listener: &TcpListener) -> Server {
        Server { reader: BufReader::new(accept(listener)) }
    }

    fn say(&mut self, text: &[u8]) {
        self.reader.get_mut().write_all(text).expect("an open connection");
    }

    /// The next line, whatever it is.
    fn any_line(&mut self) -> String {
        let mut line = String::new();
        self.reader.read_line(&mut line).expect("a line");
        line.trim_end().to_owned()
    }

    /// The next line of the client. What the shim asks by itself before that is answered.
    fn line(&mut self) -> String {
        loop {
            let line = self.any_line();
            if !line.starts_with(OWN_PING) {
                return line;
            }
            self.say(line.replace("ping", "pong").as_bytes());
            self.say(b"\n");
        }
    }

    fn expect(&mut self, lines: &[&str]) {
        for expected in lines {
            assert_eq!(self.line(), *expected);
        }
    }

    /// A line, not the end of the stream.
    fn more(&mut self) -> String {
        let line = self.line();
        assert_ne!(line, "", "the end of the stream");
        line
    }

    fn wait_for(&mut self, expected: &str) {
        while self.more() != expected {}
    }

    /// Up to the question whether it has heard all.
    fn wait_for_the_question(&mut self) {
        loop {
            let line = self.any_line();
            assert_ne!(line, "", "the end of the stream");
            if line.starts_with(OWN_PING) {
                return;
            }
        }
    }

    /// What it is told of the session, up to the question whether it has heard all; which it answers.
    fn catch_up(&mut self) -> Vec<String> {
        let mut told = Vec::new();
        loop {
            let line = self.any_line();
            assert_ne!(line, "", "the end of the stream");
            if let Some(number) = line.strip_prefix("ping ") {
                self.say(FEATURES);
                self.say(format!("Error (whatever): x\nmove a1a1\npong {number}\n").as_bytes());
                return told;
            }
            told.push(line);
        }
    }
}

/// A listener that may be dropped: its port stays ours, so that the shim is refused there.
fn listener() -> (TcpListener, String) {
    let (listener, address) = port::listener();
    (listener, address.to_string())
}

/// A shim in the middle of a game, the server's move due.
fn in_a_game(arguments: &[&str], listener: &TcpListener) -> (Shim, Server) {
    let mut shim = Shim::start(arguments);
    let mut server = Server::accept(listener);
    shim.write(b"xboard\nprotover 2\n");
    server.expect(&["xboard"]);
    if arguments.contains(&"--record") {
        assert!(server.line().starts_with("option Seed="));
    }
    server.expect(&["protover 2"]);
    server.say(FEATURES);
    assert_eq!(shim.line().as_bytes(), FEATURES);
    shim.write(b"new\nlevel 40 5 0\nhard\ntime 30000\notim 30000\nusermove e2e4\n");
    server.expect(&["new", "level 40 5 0", "hard", "time 30000", "otim 30000", "usermove e2e4"]);
    (shim, server)
}

const TOLD: [&str; 2] = ["xboard", "protover 2"];

#[test]
fn move_that_was_due_is_asked_of_the_next_connection_and_given_once() {
    let (listener, address) = listener();
    let (mut shim, mut server) = in_a_game(&[&address], &listener);
    server.say(b"4 20 1 100\te5\nmov");
    assert_eq!(shim.line(), "4 20 1 100\te5\n");
    drop(server);
    let mut server = Server::accept(&listener);
    assert_eq!(server.catch_up(), TOLD, "nothing else was answered");
    server.expect(&["new", "level 40 5 0", "hard"]);
    let time = server.line();
    let time: i64 = time.strip_prefix("time ").and_then(|time| time.parse().ok()).expect("our clock");
    assert!(time <= 30000, "{time}");
    // What may have been fatal is told line by line, so the clock is told again right before the move.
    server.expect(&["otim 30000"]);
    let time = server.line();
    if time != "usermove e2e4" {
        assert!(time.starts_with("time "), "{time}");
        server.expect(&["usermove e2e4"]);
    }
    server.say(b"move e7e5\n");
    assert_eq!(shim.line(), "move e7e5\n", "neither half a move nor what was said while it caught up");

    drop(server);
    let mut server = Server::accept(&listener);
    let told = server.catch_up();
    assert_eq!(told[..3], ["xboard", "protover 2", "new"]);
    assert_eq!(told[told.len() - 3..], ["force", "usermove e2e4", "usermove e7e5"]);
    assert!(server.line().starts_with("time "));
    assert!(server.line().starts_with("otim "));
    server.expect(&["playother"]);
    shim.write(b"ping 7\n");
    server.expect(&["ping 7"]);
    server.say(b"pong 7\n");
    assert_eq!(shim.line(), "pong 7\n");
}

#[test]
fn half_a_line_of_the_client_is_said_again() {
    let (listener, address) = listener();
    let (mut shim, mut server) = in_a_game(&[&address], &listener);
    server.say(b"move e7e5\n");
    assert_eq!(shim.line(), "move e7e5\n");
    shim.write(b"usermove d2");
    let mut half = [0; 11];
    std::io::Read::read_exact(&mut server.reader, &mut half).expect("half a line");
    drop(server);
    let mut server = Server::accept(&listener);
    server.catch_up();
    assert!(server.line().starts_with("time "));
    assert!(server.line().starts_with("otim "));
    server.expect(&["playother"]);
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
    let mut server = Server::accept(&second);
    assert_eq!(server.catch_up(), TOLD);
    shim.write(b"quit\n");
    server.wait_for("quit");
    drop(server);
    assert_eq!(shim.exit_code(), Some(0));
}

#[test]
fn server_that_shuts_down_says_so_to_nobody_if_there_is_another() {
    let (first, address) = listener();
    let (second, other) = listener();
    let (mut shim, mut server) = in_a_game(&[&address, "--or", &other], &first);
    drop(first);
    server.say(b"tellusererror The server is shutting down.\n");
    drop(server);
    let mut server = Server::accept(&second);
    server.catch_up();
    server.say(b"move c7c5\n");
    assert_eq!(shim.line(), "move c7c5\n");
}

#[test]
fn without_any_server_the_game_is_resigned_in_words_that_xboard_understands() {
    let (listener, address) = listener();
    let (mut shim, server) = in_a_game(&[&address, "--give-up", "1"], &listener);
    drop(listener);
    drop(server);
    let output = String::from_utf8(shim.read_to_end()).expect("ASCII");
    let expected = format!(
        "resign\ntellusererror Cannot reach {address}: Connection refused\nfarboard-connect: server not found\n"
    );
    assert_eq!(output, expected);
    assert_eq!(shim.exit_code(), Some(1));
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
            Server::accept(listener).say(b"tellusererror The server is full.\n");
        }
        let output = String::from_utf8(shim.read_to_end()).expect("ASCII");
        assert_eq!(output, "tellusererror The server is full.\nfarboard-connect: server not found\n");
        assert_eq!(shim.exit_code(), Some(1));
    }
}

#[test]
fn server_that_is_being_replaced_is_asked_again_until_its_successor_is_there() {
    let why = "tellusererror this server is being replaced, please try again in some seconds\n";
    for words in [&[][..], &TOLD] {
        let (listener, address) = listener();
        let mut shim = Shim::start(&[&address]);
        let said: String = words.iter().map(|line| format!("{line}\n")).collect();
        shim.write(said.as_bytes());
        for _ in 0..3 {
            let mut server = Server::accept(&listener);
            // What is not read when it closes would cost its words.
            server.expect(words);
            server.say(why.as_bytes());
        }
        let mut server = Server::accept(&listener);
        if words.is_empty() {
            shim.write(b"xboard\nprotover 2\n");
        }
        server.expect(&TOLD);
        server.say(FEATURES);
        assert_eq!(shim.line().as_bytes(), FEATURES, "the user hears of the server that is there");
        shim.write(b"quit\n");
        server.wait_for("quit");
    }
}

#[test]
fn session_moves_to_a_server_with_more_room_once_its_move_is_made() {
    let (listener, address) = listener();
    let (mut shim, mut old) = in_a_game(&[&address], &listener);
    old.say(b"# farboard: another server has more room\n4 20 1 100\te5\n");
    assert_eq!(shim.line(), "4 20 1 100\te5\n");
    listener.set_nonblocking(true).expect("an open socket");
    let too_early = listener.accept().map(drop).expect_err("the move is due");
    assert_eq!(too_early.kind(), std::io::ErrorKind::WouldBlock);
    listener.set_nonblocking(false).expect("an open socket");
    old.say(b"move e7e5\n");
    assert_eq!(shim.line(), "move e7e5\n");
    let mut new = Server::accept(&listener);
    let told = new.catch_up();
    assert_eq!(told[told.len() - 3..], ["force", "usermove e2e4", "usermove e7e5"]);
    // The old server is left when the new one is there, and not before.
    while !old.line().is_empty() {}
    assert!(new.line().starts_with("time ") && new.line().starts_with("otim "));
    new.expect(&["playother"]);
    shim.write(b"usermove d2d4\n");
    new.expect(&["usermove d2d4"]);
    new.say(b"move e5d4\n");
    assert_eq!(shim.line(), "move e5d4\n", "and the client has heard nothing of all that");
}

#[test]
fn session_stays_where_it_is_if_there_is_no_other_server() {
    let (listener, address) = listener();
    let (mut shim, mut server) = in_a_game(&[&address], &listener);
    drop(listener);
    server.say(b"move e7e5\n# farboard: another server has more room\n");
    assert_eq!(shim.line(), "move e7e5\n");
    for number in 1..4 {
        let line = format!("ping {number}");
        shim.write(format!("{line}\n").as_bytes());
        server.wait_for(&line);
        server.say(format!("pong {number}\n").as_bytes());
        assert_eq!(shim.line(), format!("pong {number}\n"));
    }
}

#[test]
fn server_that_accepts_and_stays_silent_is_passed_over() {
    let (first, address) = listener();
    let (second, other) = listener();
    let (mut shim, server) = in_a_game(&[&address, "--or", &other, "--give-up", "20"], &first);
    drop(server);
    // Nobody accepts at the first; the system does.
    let mut server = Server::accept(&second);
    server.catch_up();
    server.wait_for("usermove e2e4");
    server.say(b"move e7e5\n");
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
    type Answer = fn(&mut Server);
    let closes: Answer = |_| {};
    let is_full: Answer = |server| {
        server.wait_for_the_question();
        server.say(b"tellusererror The server is full.\n");
    };
    let dies_of_the_session: Answer = |server| {
        server.wait_for_the_question();
        server.say(FEATURES);
    };
    let never_ends_its_line: Answer =
        |server| while server.reader.get_mut().write_all(&[b'x'; 4096]).is_ok() {};
    for (answer, reason) in [
        (closes, "The connection to ADDRESS was "),
        (is_full, "The server is full."),
        (dies_of_the_session, "The connection to ADDRESS was "),
        (never_ends_its_line, "The connection to ADDRESS was lost: it says a line without an end"),
    ] {
        let (listener, address) = listener();
        let (mut shim, server) = in_a_game(&[&address, "--give-up", "1"], &listener);
        drop(server);
        let (stop, stopped) = mpsc::channel::<()>();
        let again_and_again = thread::spawn(move || {
            while stopped.try_recv().is_err() {
                let stream = accept(&listener);
                // The shim may be gone in the middle of it.
                let _ =
                    catch_unwind(AssertUnwindSafe(|| answer(&mut Server { reader: BufReader::new(stream) })));
            }
        });
        let output = String::from_utf8(shim.read_to_end()).expect("ASCII");
        let reason = reason.replace("ADDRESS", &address);
        let ["resign", complaint, "farboard-connect: server not found"] =
            output.lines().collect::<Vec<_>>()[..]
        else {
            panic!("{output}");
        };
        // Where the machine is busy the last attempt may have come to nothing else.
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
fn server_that_closes_before_a_word_is_dialled_once_more_and_the_user_is_told_why() {
    for words in [&b""[..], b"xboard\nprotover 2\n"] {
        let servers = [listener(), listener()];
        let addresses: Vec<&str> = servers.iter().map(|(_, address)| address.as_str()).collect();
        let mut shim = Shim::start(&[&addresses.join(",")]);
        shim.write(words);
        // All of them, and then once more, first the one that was lost last: it may have been killed.
        for index in [0, 1, 1, 0] {
            drop(accept(&servers[index].0));
        }
        let output = String::from_utf8(shim.read_to_end()).expect("ASCII");
        let expected = format!(
            "tellusererror {} closes the connection without a word: perhaps it does not let this machine in\n\
             farboard-connect: server not found\n",
            addresses[0]
        );
        assert_eq!(output, expected);
        assert_eq!(shim.exit_code(), Some(1));
        for (listener, address) in &servers {
            listener.set_nonblocking(true).expect("an open socket");
            let third = listener.accept().map(drop).expect_err("two connections");
            assert_eq!(third.kind(), std::io::ErrorKind::WouldBlock, "{address}");
        }
    }
}

#[test]
fn server_that_is_being_killed_and_takes_connections_is_asked_again_when_it_has_gone() {
    let (listener, address) = listener();
    let mut shim = Shim::start(&[&address]);
    shim.write(b"xboard\nprotover 2\n");
    drop(accept(&listener));
    let killed = Instant::now();
    let mut server = loop {
        let server = Server::accept(&listener);
        if killed.elapsed() > Duration::from_millis(150) {
            break server;
        }
    };
    server.expect(&["xboard", "protover 2"]);
    server.say(FEATURES);
    shim.write(b"quit\n");
    server.expect(&["quit"]);
    drop(server);
    assert_eq!(shim.read_to_end(), FEATURES);
}

#[test]
fn line_after_which_two_servers_died_is_not_said_to_a_third() {
    let servers = [listener(), listener()];
    let addresses: Vec<String> = servers.iter().map(|(_, address)| address.clone()).collect();
    let (mut shim, server) = in_a_game(&[&addresses.join(","), "--give-up", "1000"], &servers[0].0);
    drop(server);
    let (survived, survivors) = mpsc::channel();
    for (listener, _) in servers {
        let survived = survived.clone();
        thread::spawn(move || {
            loop {
                let (stream, _) = listener.accept().expect("a connection");
                stream.set_read_timeout(Some(deadline::TEST_TIMEOUT)).expect("an open socket");
                let mut server = Server { reader: BufReader::new(stream) };
                server.catch_up();
                // It dies of the move. On a busy machine it may take longer than one that is taken to die of it.
                let mut lines = std::iter::repeat_with(|| server.more());
                let line = lines.find(|line| line == "usermove e2e4" || line == "ping 7");
                if line.as_deref() == Some("ping 7") {
                    server.say(b"pong 7\n");
                    survived.send(server).expect("a test that waits");
                    return;
                }
            }
        });
    }
    let complaint = shim.line();
    assert!(complaint.starts_with("tellusererror Two servers were lost"), "{complaint}");
    assert!(complaint.contains("usermove e2e4"), "{complaint}");
    assert_eq!(shim.line(), "Illegal move: e2e4\n");
    shim.write(b"ping 7\n");
    assert_eq!(shim.line(), "pong 7\n");
    survivors.recv_timeout(deadline::TEST_TIMEOUT).expect("the server that was not told the move");
}

#[test]
fn server_that_is_silent_from_the_start_is_passed_over() {
    let (first, address) = listener();
    let (second, other) = listener();
    let mut shim = Shim::start(&[&address, "--or", &other]);
    shim.write(b"xboard\nprotover 2\n");
    let mut server = Server::accept(&second);
    server.expect(&["xboard", "protover 2"]);
    server.say(FEATURES);
    assert_eq!(shim.line().as_bytes(), FEATURES);
    drop(first);
}

#[test]
fn end_of_input_waits_for_the_move_that_is_due_on_another_connection_too() {
    let (listener, address) = listener();
    let (mut shim, mut server) = in_a_game(&[&address], &listener);
    shim.close_input();
    assert_eq!(server.line(), "", "the end of the stream");
    drop(server);
    let mut server = Server::accept(&listener);
    server.catch_up();
    server.wait_for("usermove e2e4");
    assert_eq!(server.line(), "", "the end of the stream");
    server.say(b"move e7e5\n");
    drop(server);
    assert_eq!(shim.read_to_end(), b"move e7e5\n");
    assert_eq!(shim.exit_code(), Some(0));
}

#[test]
fn what_is_typed_without_a_server_waits_for_one() {
    let (first, address) = listener();
    let (second, other) = listener();
    drop(second);
    let (mut shim, server) = in_a_game(&[&address, "--or", &other], &first);
    drop(first);
    drop(server);
    let lines: Vec<String> = (0..20_000).map(|number| format!("ping {number}")).collect();
    shim.write_in_background(format!("{}\n", lines.join("\n")).into_bytes());
    let again = TcpListener::bind(&address).expect("the same port");
    let mut server = Server::accept(&again);
    server.catch_up();
    server.wait_for("usermove e2e4");
    server.say(b"move e7e5\n");
    assert_eq!(shim.line(), "move e7e5\n");
    for line in &lines {
        assert_eq!(server.line(), *line);
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
        server.say(b"move e7e5\n");
        assert_eq!(shim.line(), "move e7e5\n");
        drop(server);
        Server::accept(&listener).catch_up();
        shim.write(b"quit\n");
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
fn words_of_a_remote_shell_are_options() {
    let (listener, address) = listener();
    let port = address.rsplit(':').next().expect("a port");
    let words = ["--port", port, "127.0.0.1", "-l", "bob", "farboard", "Elo=1500", "a b", ""];
    let mut shim = Shim::start(&words);
    let mut server = Server::accept(&listener);
    shim.write(b"xboard\nprotover 2\n");
    server.expect(&["xboard", "option Elo=1500", "protover 2"]);
}

#[test]
fn real_server_is_killed_and_started_again_and_the_game_goes_on() {
    let port = port::reserve();
    let address = port.address.to_string();
    let server = Process::start(&address);
    let mut shim = Shim::start(&[&address]);
    shim.write(b"xboard\nprotover 2\nnew\nlevel 0 10 0\nsd 4\nnopost\neasy\nping 1\n");
    while shim.line() != "pong 1\n" {}
    let mut server = Some(server);
    let mut moves = Vec::new();
    for ours in ["e2e4", "g1f3", "f1b5"] {
        shim.write(format!("time 60000\notim 60000\nusermove {ours}\n").as_bytes());
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
