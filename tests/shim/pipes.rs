//! The real `farboard-connect` between pipes and a plain listener: what a GUI and a server see.

use crate::support::dice::Dice;
use crate::support::reserved_port;
use farboard::link::{GREETING, ServerFrame};
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};

use crate::child::Shim;
use crate::deadline::{TEST_TIMEOUT, accept, within_patience};
use crate::link_server::LinkServer;

/// Accepts a shim as an engine other than Farboard does, which does not know the greeting.
fn accept_as_another_engine(listener: &TcpListener) -> TcpStream {
    let mut server = accept(listener);
    expect(&mut server, format!("{GREETING}\n").as_bytes());
    let answer = format!("Error (unknown command): {GREETING}\n");
    server.write_all(answer.as_bytes()).expect("an open connection");
    server
}

/// A shim, and the connection of another engine.
fn connected() -> (Shim, TcpStream) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let address = listener.local_addr().expect("a bound socket").to_string();
    let shim = Shim::start(&[&address]);
    (shim, accept_as_another_engine(&listener))
}

/// As [`connected`], but known to be relaying, hence with its signal handlers installed.
fn relaying() -> (Shim, TcpStream) {
    let (mut shim, mut server) = connected();
    shim.write(b"xboard\n");
    expect(&mut server, b"xboard\n");
    (shim, server)
}

fn expect(server: &mut TcpStream, bytes: &[u8]) {
    let mut got = vec![0; bytes.len()];
    server.read_exact(&mut got).expect("as many bytes as were sent");
    assert_eq!(got.escape_ascii().to_string(), bytes.escape_ascii().to_string());
}

fn rest(server: &mut TcpStream) -> String {
    let mut got = Vec::new();
    server.read_to_end(&mut got).expect("the end of the stream");
    got.escape_ascii().to_string()
}

/// Every byte value, no line structure, more than any pipe or socket buffer holds.
fn noise(length: usize) -> Vec<u8> {
    let mut dice = Dice::of_seed(0);
    (0..length).map(|_| dice.roll(256) as u8).collect()
}

#[test]
fn every_byte_goes_up_unchanged_and_the_end_of_input_is_a_half_close() {
    let (mut shim, mut server) = connected();
    let sent = noise(3_000_000);
    let expected = sent.clone();
    let reader = std::thread::spawn(move || {
        let mut got = Vec::new();
        server.read_to_end(&mut got).expect("the end of the stream");
        (got, server)
    });
    shim.write(&sent);
    shim.close_input();
    let (got, mut server) = reader.join().expect("a reader that does not panic");
    assert!(got == expected, "{} bytes came of {}", got.len(), expected.len());

    server.write_all(b"move e2e4\n").expect("the other half is open");
    assert_eq!(shim.line(), "move e2e4\n");
    drop(server);
    assert_eq!(shim.exit_code(), Some(0));
}

#[test]
fn every_byte_comes_down_unchanged_even_when_the_server_closes_at_once() {
    let (mut shim, mut server) = connected();
    let sent = noise(3_000_000);
    let expected = sent.clone();
    let writer = std::thread::spawn(move || server.write_all(&sent).expect("a reader"));
    let got = shim.read_to_end();
    writer.join().expect("a writer that does not panic");
    assert!(got == expected, "{} bytes came of {}", got.len(), expected.len());
    assert_eq!(shim.exit_code(), Some(0));
}

#[test]
fn parts_of_lines_are_not_held_back() {
    let (mut shim, mut server) = connected();
    for piece in ["usermove ", "e2", "e4", "\n"] {
        shim.write(piece.as_bytes());
        expect(&mut server, piece.as_bytes());
    }
    for piece in ["mo", "ve e7e5", "\r\n"] {
        server.write_all(piece.as_bytes()).expect("an open connection");
        assert_eq!(shim.bytes(piece.len()), piece.as_bytes());
    }
}

#[test]
fn engine_that_does_not_answer_the_greeting_gets_the_client_s_lines_all_the_same() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let address = listener.local_addr().expect("a bound socket").to_string();
    let mut shim = Shim::start(&[&address]);
    shim.write(b"uci\n");
    let mut server = accept(&listener);
    server.write_all(b"Some engine\n").expect("an open connection");
    expect(&mut server, format!("{GREETING}\nuci\n").as_bytes());
    server.write_all(b"No such command: farboard-link\nuciok\n").expect("an open connection");
    assert_eq!(shim.line(), "Some engine\n");
    assert_eq!(shim.line(), "uciok\n");
}

#[test]
fn server_closing_ends_the_shim_although_input_stays_open() {
    let (mut shim, mut server) = relaying();
    server.write_all(b"pong 1\n").expect("an open connection");
    drop(server);
    assert_eq!(shim.line(), "pong 1\n");
    assert_eq!(shim.exit_code(), Some(0));
}

#[test]
fn broken_connection_ends_the_shim_with_an_error_and_clean_output() {
    let (mut shim, mut server) = relaying();
    server.write_all(b"\n").expect("an open connection");
    assert_eq!(shim.line(), "\n");
    // Closing with a zero linger time resets the connection.
    socket2::SockRef::from(&server).set_linger(Some(std::time::Duration::ZERO)).expect("an open socket");
    drop(server);
    assert_eq!(shim.read_to_end(), b"");
    assert_eq!(shim.exit_code(), Some(1));
}

#[test]
fn closed_output_ends_the_shim() {
    let (mut shim, mut server) = relaying();
    shim.close_output();
    within_patience("closed connection", move || while server.write_all(b"pong 1\n").is_ok() {});
    assert_eq!(shim.exit_code(), Some(1));
}

#[test]
fn interrupts_are_survived() {
    let (mut shim, mut server) = relaying();
    for number in 0..20 {
        shim.signal("INT");
        let ping = format!("ping {number}\n");
        shim.write(ping.as_bytes());
        expect(&mut server, ping.as_bytes());
        let pong = format!("pong {number}\n");
        server.write_all(pong.as_bytes()).expect("an open connection");
        assert_eq!(shim.line(), pong);
    }
}

/// xboard writes its last lines and sends SIGTERM at once: the signal overtakes the relay.
#[test]
fn termination_loses_no_written_line() {
    for signal in ["TERM", "HUP"].iter().cycle().take(30) {
        let (mut shim, mut server) = relaying();
        shim.write(b"result * {xboard exit}\nforce\n");
        shim.write(b"quit\n");
        shim.signal(signal);
        assert_eq!(rest(&mut server), r"result * {xboard exit}\nforce\nquit\n");
        drop(server);
        assert_eq!(shim.exit_code(), Some(0));
    }
}

#[test]
fn termination_sends_quit_for_a_client_that_did_not() {
    let (mut shim, mut server) = relaying();
    shim.signal("TERM");
    assert_eq!(rest(&mut server), r"quit\n");
    server.write_all(b"last words\n").expect("the other half is open");
    drop(server);
    assert_eq!(shim.read_to_end(), b"last words\n");
    assert_eq!(shim.exit_code(), Some(0));
}

#[test]
fn termination_does_not_wait_for_a_server_that_stays() {
    let (mut shim, server) = relaying();
    shim.signal("TERM");
    assert_eq!(shim.exit_code(), Some(0));
    drop(server);
}

#[test]
fn termination_does_not_wait_for_a_server_that_does_not_read() {
    let (mut shim, server) = relaying();
    shim.write_in_background(noise(20_000_000));
    // Once the first bytes have arrived, the pipe and the socket fill up unread.
    server.peek(&mut [0]).expect("some noise");
    shim.signal("TERM");
    assert_eq!(shim.exit_code(), Some(0));
    drop(server);
}

/// A server that sends these words without end; the thread ends when they are no longer read.
fn flood(server: &TcpStream, words: &[u8]) -> std::thread::JoinHandle<()> {
    let mut server = server.try_clone().expect("an open socket");
    let words = words.repeat(1000);
    std::thread::spawn(move || while server.write_all(&words).is_ok() {})
}

#[test]
fn no_flood_keeps_the_shim_from_exiting() {
    let endless_line: &[u8] = b"0123456789";
    for words in [
        b"move e2e4\n",
        endless_line,
        b"feature option=\"A -spin 1 1 2\"\n",
        b"tellusererror No.\n",
        b"pong 7\n",
    ] {
        // After the end of input, another engine may answer for as long as it sends.
        for goodbye in ["TERM", "quit"] {
            let (mut shim, mut server) = connected();
            shim.write(b"xboard\nprotover 2\n");
            expect(&mut server, b"xboard\nprotover 2\n");
            server.write_all(b"feature ping=1 done=1\n").expect("an open connection");
            assert_eq!(shim.line(), "feature ping=1 done=1\n");
            let flooding = flood(&server, words);
            match goodbye {
                "TERM" => shim.signal("TERM"),
                _ => shim.write(b"quit\n"),
            }
            shim.read_to_end();
            shim.exit_code();
            drop(server);
            flooding.join().expect("a server that notices");
        }
    }
}

#[test]
fn no_flood_of_frames_keeps_the_shim_from_exiting() {
    for output in ["move e2e4\n", ""] {
        for goodbye in ["TERM", "quit", "end of input"] {
            let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
            let address = listener.local_addr().expect("a bound socket").to_string();
            let mut shim = Shim::start(&[&address]);
            let mut server = LinkServer::accept_new(&listener);
            shim.write(b"xboard\n");
            server.expect(&["xboard"]);
            server.say("\n", "xboard\n", "state\n");
            assert_eq!(shim.line(), "\n");
            let mut words = Vec::new();
            ServerFrame::Output { accounted: 0, output: output.into(), edits: String::new(), due: false }
                .write(&mut words);
            let flooding = flood(&server.stream, &words);
            match goodbye {
                "TERM" => shim.signal("TERM"),
                "quit" => shim.write(b"quit\n"),
                // A server that announces answers after the end of input may send them.
                _ => {
                    shim.close_input();
                    server.frame();
                    shim.signal("TERM");
                }
            }
            shim.read_to_end();
            shim.exit_code();
            drop(server);
            flooding.join().expect("a server that notices");
        }
    }
}

#[test]
fn quit_does_not_wait_for_a_server_that_stays() {
    let (mut shim, mut server) = relaying();
    shim.write(b"quit\n");
    expect(&mut server, b"quit\n");
    assert_eq!(shim.exit_code(), Some(0));
    drop(server);
}

#[test]
#[cfg(target_os = "linux")]
fn floods_do_not_make_the_shim_grow() {
    for (words, times) in
        [(&b"move e2e4\n"[..], 500_000), (b"feature option=\"Some option or other -spin 1 1 2\"\n", 400_000)]
    {
        let (mut shim, mut server) = connected();
        shim.write(b"xboard\nprotover 2\n");
        expect(&mut server, b"xboard\nprotover 2\n");
        server.write_all(b"feature ping=1\n").expect("an open connection");
        assert_eq!(shim.line(), "feature ping=1\n");
        let burst = words.repeat(1000);
        let mut writer = server.try_clone().expect("an open socket");
        let writing = std::thread::spawn(move || {
            for _ in 0..times / 1000 {
                writer.write_all(&burst).expect("an open connection");
            }
        });
        let all = words.len() * times;
        let mut passed = 0;
        while passed < all {
            passed += shim.some_bytes().len();
        }
        writing.join().expect("a writer");
        let most = shim.most_memory();
        assert!(most < 24 << 10, "{most} KiB after {all} bytes");
    }
}

#[test]
fn time_per_move_follows_the_first_line() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let address = listener.local_addr().expect("a bound socket").to_string();
    let both: [fn(&[&str]) -> Shim; 2] = [Shim::start, Shim::start_within_the_server];
    for start in both {
        for words in [&["30"][..], &["-l", "bob", "farboard", "30", ""]] {
            let mut shim = start(&[&[address.as_str()], words].concat());
            let mut server = accept_as_another_engine(&listener);
            shim.write(b"xboard\nprotover 2\n");
            expect(&mut server, b"xboard\nst 30\nprotover 2\n");
        }
    }
}

#[test]
fn termination_after_the_end_of_input_does_not_wait_for_answers() {
    let (mut shim, mut server) = relaying();
    shim.close_input();
    assert_eq!(rest(&mut server), "");
    shim.signal("TERM");
    assert_eq!(shim.exit_code(), Some(0));
}

#[test]
fn ordinary_file_is_input_too() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let address = listener.local_addr().expect("a bound socket").to_string();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shim/pipes.rs");
    let mut shim = Shim::start_with_file(&[&address], script);
    let mut server = accept_as_another_engine(&listener);
    let mut got = String::new();
    server.read_to_string(&mut got).expect("the end of the file");
    assert!(got == include_str!("pipes.rs"));
    server.shutdown(Shutdown::Both).expect("an open connection");
    assert_eq!(shim.exit_code(), Some(0));
}

#[test]
fn unreachable_server_is_reported_in_a_form_that_xboard_shows() {
    let port = reserved_port::reserve();
    let address = port.address.to_string();
    let mut shim = Shim::start(&[&address]);
    let output = String::from_utf8(shim.read_to_end()).expect("ASCII");
    let expected = format!(
        "tellusererror Cannot reach {address}: Connection refused\nfarboard-connect: server not found\n"
    );
    assert_eq!(output, expected);
    assert_eq!(shim.exit_code(), Some(1));
}

#[test]
fn mistyped_command_line_is_reported_in_a_form_that_xboard_shows() {
    let mut shim = Shim::start(&["host:port"]);
    let output = String::from_utf8(shim.read_to_end()).expect("ASCII");
    assert!(output.starts_with("tellusererror "), "{output}");
    assert!(output.ends_with("not found\n"), "{output}");
    assert_eq!(shim.exit_code(), Some(2));
}

#[test]
fn every_error_is_reported_in_a_form_that_xboard_shows() {
    let folder = std::env::temp_dir();
    let folder = folder.to_str().expect("UTF-8");
    for (arguments, reason) in [
        (&["--nonsense", "host"][..], "unexpected argument '--nonsense' found"),
        (&["--port", "0", "host"], "invalid value '0' for '--port <PORT>'"),
        (&["host:port"], "the port must be a number from 1 to 65535"),
        (&["[fe80::1%]:5254"], "brackets must hold an IPv6 address"),
        (
            &["--secret-file", "/no/such/file", "127.0.0.1"],
            "Cannot read /no/such/file: No such file or directory",
        ),
        (&["--tls", "/no/such/file", "127.0.0.1"], "Cannot read /no/such/file: No such file or directory"),
        (
            &["--tls", concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"), "127.0.0.1"],
            "no certificate (BEGIN CERTIFICATE) found",
        ),
        (
            &["--record", "/no/such/file", "127.0.0.1"],
            "Cannot record the session in /no/such/file: No such file",
        ),
        (&["--record", folder, "127.0.0.1"], "there is a folder, a device or a pipe of that name"),
        (&["--record", "/dev/full", "127.0.0.1"], "there is a folder, a device or a pipe of that name"),
    ] {
        let mut shim = Shim::start(arguments);
        let output = String::from_utf8(shim.read_to_end()).expect("UTF-8");
        let lines: Vec<&str> = output.lines().collect();
        assert!(lines.len() == 2 && lines[1].ends_with("not found"), "{arguments:?}: {output}");
        assert!(
            lines[0].starts_with("tellusererror ") && lines[0].contains(reason),
            "{arguments:?}: {output}"
        );
        assert_ne!(shim.exit_code(), Some(0));
    }
}

#[test]
fn the_servers_program_is_a_shim_too() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let address = listener.local_addr().expect("a bound socket").to_string();
    let mut shim = Shim::start_within_the_server(&[&address, ""]);
    let mut server = accept_as_another_engine(&listener);
    shim.write(b"xboard\n");
    expect(&mut server, b"xboard\n");
    server.write_all(b"\n").expect("a shim that reads");
    assert_eq!(shim.line(), "\n");
    drop(server);
    assert_eq!(shim.exit_code(), Some(0));

    let mut mistyped = Shim::start_within_the_server(&["host:port"]);
    assert!(mistyped.line().starts_with("tellusererror "));
    assert_eq!(mistyped.exit_code(), Some(2));
}

#[test]
fn init_file_for_fritz_is_printed_by_both_programs() {
    let of_the_repository = include_str!("../../deploy/fritz/farboard-connect.ini");
    let elsewhere = of_the_repository.replace("127.0.0.1:5254", "chess.example:99");
    assert_ne!(elsewhere, of_the_repository);
    let both: [fn(&[&str]) -> Shim; 2] = [Shim::start, Shim::start_within_the_server];
    for start in both {
        for (arguments, expected) in [
            (&["--fritz-init"][..], of_the_repository),
            (&["--fritz-init", "127.0.0.1"], of_the_repository),
            (&["chess.example:99", "--fritz-init"], &elsewhere),
        ] {
            let mut shim = start(arguments);
            assert_eq!(String::from_utf8(shim.read_to_end()).expect("ASCII"), expected, "{arguments:?}");
            assert_eq!(shim.exit_code(), Some(0));
        }
    }
}

#[test]
fn help_and_version_are_ordinary() {
    for flag in ["--help", "--version"] {
        let mut shim = Shim::start(&[flag]);
        let output = String::from_utf8(shim.read_to_end()).expect("UTF-8");
        assert!(output.contains("farboard-connect"), "{output}");
        assert_eq!(shim.exit_code(), Some(0));
    }
}

#[test]
fn nothing_is_sent_before_the_client_speaks() {
    let (mut shim, server) = connected();
    server.set_nonblocking(true).expect("an open socket");
    let nothing = server.peek(&mut [0]).expect_err("no byte before the client speaks");
    assert_eq!(nothing.kind(), ErrorKind::WouldBlock);
    server.set_nonblocking(false).expect("an open socket");
    server.set_read_timeout(Some(TEST_TIMEOUT)).expect("an open socket");
    shim.write(b"xboard\n");
    expect(&mut { server }, b"xboard\n");
}
