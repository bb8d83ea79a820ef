//! Administrators' commands, by the program and through the control socket.

use crate::program::Program;
use crate::shims::Shim;
use crate::test_server::{Client, TEST_TIMEOUT};
use farboard::auth::handshake::Next;
use farboard::auth::user_login::ShimUserLogin;
use farboard::auth::{Nonce, UserKey};
use rustix::process::Signal;
use std::fs;
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// A server with a control socket and the user alice.
struct Served {
    folder: PathBuf,
    program: Program,
    address: SocketAddr,
}

impl Served {
    fn new(test: &str) -> Served {
        let folder = std::env::temp_dir().join(format!("farboard-orders-{test}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        let key = UserKey::new("alice", Nonce([7; 32])).expect("a name");
        fs::write(folder.join("users"), key.public_line()).expect("a file");
        let mut options = fs::OpenOptions::new();
        let mut file = options.write(true).create(true).mode(0o600).open(folder.join("key")).expect("a file");
        file.write_all(key.private_text().as_bytes()).expect("a file");
        let secret = folder.join("secret");
        let mut file = options.open(&secret).expect("a file");
        file.write_all(b"the secret of these tests\n").expect("a file");
        let text = format!(
            "table = 1\ncontrol = \"{control}\"\nshare_by = \"address\"\n[[listen]]\naddress = \"127.0.0.1:0\"\nusers = \"{users}\"\n\
             secret_file = \"{secret}\"\n[[listen]]\naddress = \"127.0.0.2:0\"\n",
            control = folder.join("control").display(),
            users = folder.join("users").display(),
            secret = secret.display(),
        );
        fs::write(folder.join("farboard.toml"), text).expect("a file");
        let mut program = Program::start(
            Command::new(env!("CARGO_BIN_EXE_farboard")).arg("--config").arg(folder.join("farboard.toml")),
        );
        let log = program.logged("listens on");
        let mut addresses = log.split_whitespace().filter_map(|word| word.parse().ok());
        let address = addresses.next().expect("an address");
        let open: SocketAddr = addresses.next().expect("two addresses");
        fs::write(folder.join("open"), open.to_string()).expect("a file");
        Served { folder, program, address }
    }

    /// A client of the listener without keys.
    fn client(&self) -> Client {
        Client::connect(self.open())
    }

    fn open(&self) -> SocketAddr {
        fs::read_to_string(self.folder.join("open")).expect("a file").parse().expect("an address")
    }

    fn shim(&self, more: &[&str]) -> Shim {
        let (key, address) = (self.folder.join("key"), self.address.to_string());
        let words = [&["--key", key.to_str().expect("text")], more, &[&address]].concat();
        Shim::start(&words, None)
    }

    /// Runs a command of the program; returns its output, or its error.
    fn order(&self, words: &[&str]) -> Result<String, String> {
        let (command, rest) = words.split_first().expect("a command");
        let mut program = Command::new(env!("CARGO_BIN_EXE_farboard"));
        let output =
            program.arg(command).arg("--control").arg(self.folder.join("control")).args(rest).output();
        let output = output.expect("the program starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    }

    /// The control socket's answer to a line.
    fn answer(&self, line: &str) -> String {
        let mut stream = UnixStream::connect(self.folder.join("control")).expect("a control socket");
        stream.set_read_timeout(Some(TEST_TIMEOUT)).expect("an option");
        stream.write_all(format!("{line}\n").as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }

    /// The number of the only session.
    fn only_session(&self) -> u64 {
        let deadline = Instant::now() + TEST_TIMEOUT;
        loop {
            let answer = self.answer("sessions");
            let rows: Vec<serde_json::Value> =
                answer.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
            if let [row] = &rows[..] {
                return row["session"].as_u64().expect("a number");
            }
            assert!(Instant::now() < deadline, "{answer}");
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn each_of_many_commands_is_logged() {
    let mut served = Served::new("many");
    for _ in 0..150 {
        let answer = served.answer(r#"{"kick":{"who":{"address":"192.0.2.7"},"seconds":1,"because":""}}"#);
        assert_eq!(answer, "{\"done\":0}\n");
    }
    served.program.signal(Signal::TERM);
    let log = served.program.stderr();
    let orders = log.lines().filter(|line| line.contains("audit: user ") && line.ends_with(": 0 sessions"));
    assert_eq!(orders.count(), 150, "{log}");
}

#[test]
fn commands_for_hundreds_of_sessions_reach_each_of_them() {
    let served = Served::new("hundreds");
    let mut clients: Vec<Client> = (0..200).map(|_| served.client()).collect();
    for client in &mut clients {
        client.send("xboard\nprotover 2\n");
        client.ping(1);
    }
    // The sender of the command need not wait for the answer.
    let mut hasty = UnixStream::connect(served.folder.join("control")).expect("a control socket");
    hasty.write_all(b"{\"message\":{\"who\":\"all\",\"text\":\"coffee\"}}\n").expect("it reads");
    drop(hasty);
    clients.iter_mut().for_each(|client| drop(client.until("telluser coffee")));
    assert_eq!(served.answer(r#"{"message":{"who":"all","text":"tea"}}"#), "{\"done\":200}\n");
    clients.iter_mut().for_each(|client| drop(client.until("telluser tea")));
    let answer = served.answer(r#"{"kick":{"who":"all","seconds":0,"because":""}}"#);
    assert_eq!(answer, "{\"done\":200}\n");
    for client in &mut clients {
        let said = client.rest();
        assert!(said.iter().any(|line| line.contains("has ended your session")), "{said:?}");
    }
}

#[test]
fn kicked_users_are_notified_and_banned_for_a_while() {
    let mut served = Served::new("kick");
    let mut client = served.client();
    client.send("xboard\nprotover 2\n");
    client.ping(1);
    let number = served.only_session().to_string();
    assert_eq!(
        served.order(&["kick", "--for", "0", &number, "too", "loud"]).as_deref(),
        Ok("1 session ended")
    );
    let rest = client.rest();
    assert!(
        rest[0].starts_with("tellusererror ") && rest[0].contains("ended your session: too loud"),
        "{rest:?}"
    );
    served.program.logged("an administrator ended it");
    let log = served.program.logged("audit: user");
    assert!(log.contains(&format!("ran kick session {number} for 0 s (\"too loud\"): 1 session")), "{log}");
    // A ban of 0 s is none.
    served.client().ping(2);

    let mut shim = served.shim(&["--give-up", "2"]);
    shim.send("xboard\nprotover 2\nping 1\n");
    shim.until("pong 1");
    assert_eq!(served.order(&["kick", "alice", "--for", "3600"]).as_deref(), Ok("1 session ended"));
    let said = shim.rest().concat();
    assert!(said.contains("has ended your session"), "{said}");
    let said = served.shim(&["--give-up", "2"]).rest().concat();
    assert!(said.contains("reconnect in"), "{said}");
    assert!(served.program.logged("(kicked)").contains("reconnect in 3600 s"));
    // Other clients are not affected, not even from the same address.
    served.client().ping(3);
    assert_eq!(
        served.order(&["kick", "alice", "--for", "0"]).unwrap_err(),
        "farboard: the user \"alice\" has no session here: see farboard sessions"
    );
    // A user without sessions can be banned and readmitted. A misspelt name is an error.
    let error = served.order(&["kick", "nobody"]).unwrap_err();
    assert!(error.contains("the user \"nobody\" has no session"), "{error}");
    assert_eq!(served.order(&["kick", "alice", "--for", "1"]).as_deref(), Ok("0 sessions ended"));
    let mut shim = served.shim(&[]);
    let deadline = Instant::now() + TEST_TIMEOUT;
    loop {
        shim.send("xboard\nping 1\n");
        if shim.line().as_deref() == Some("pong 1") {
            break;
        }
        assert!(Instant::now() < deadline, "the user is still banned");
        shim = served.shim(&[]);
    }
    shim.send("quit\n");
    shim.rest();
    while served.answer("sessions").contains("alice") {
        assert!(Instant::now() < deadline, "the session does not end");
    }
    assert_eq!(served.order(&["kick", "127.0.0.1", "--for", "3600"]).as_deref().map(|_| ()), Ok(()));
    let said = served.client().rest().concat();
    assert!(said.contains("has ended your session"), "{said}");
    // The ban applies to clients of that address that are no users.
    let mut shim = served.shim(&[]);
    shim.send("xboard\nping 2\n");
    shim.until("pong 2");
}

#[test]
fn a_ban_applies_to_pending_logins() {
    for order in [&["drain"][..], &["kick", "alice", "--for", "90"]] {
        let served = Served::new(&format!("login-{}", order[0]));
        let key = UserKey::new("alice", Nonce([7; 32])).expect("a name");
        let mut login = ShimUserLogin::new(key, "127.0.0.1", Nonce([1; 32]), false);
        let mut client = Client::connect(served.address);
        client.send(login.first_line());
        let challenge = client.line().expect("a challenge");
        served.order(order).expect("it succeeds");
        let next = login.hear(challenge.as_bytes(), None).expect("a server that knows users");
        let Next::Say(proof) = next else { panic!("{next:?}") };
        client.send(proof + "xboard\nping 1\n");
        let said = client.rest().concat();
        assert!(said.contains("tellusererror") && !said.contains("pong"), "{said}");
    }
}

#[test]
fn a_message_is_sent_in_the_form_of_each_protocol() {
    let mut served = Served::new("message");
    let mut xboard = served.client();
    xboard.send("xboard\nprotover 2\n");
    xboard.ping(1);
    let mut uci = served.client();
    uci.send("uci\n");
    uci.until("uciok");
    let mut silent = served.client();
    let mut shim = served.shim(&[]);
    shim.send("xboard\nprotover 2\nping 1\n");
    shim.until("pong 1");
    // Until all are connected.
    let deadline = Instant::now() + TEST_TIMEOUT;
    while served.answer("sessions").lines().count() < 4 {
        assert!(Instant::now() < deadline, "not all are connected");
    }
    assert_eq!(
        served.order(&["message", "all", "The server", "ends at\nsix."]).as_deref(),
        Ok("3 sessions notified")
    );
    assert_eq!(xboard.until("telluser "), "telluser The server ends at six.");
    assert_eq!(uci.until("info string "), "info string The server ends at six.");
    shim.until("telluser The server ends at six.");
    silent.ping(2);
    assert_eq!(served.order(&["message", "alice", "hello"]).as_deref(), Ok("1 session notified"));
    shim.until("telluser hello");
    xboard.ping(3);
    let log = served.program.logged("audit: user");
    assert!(log.contains("ran message to all sessions (\"The server ends at\\nsix.\"): 3 sessions"), "{log}");
}

#[test]
fn a_drained_server_refuses_sessions_until_undrained() {
    let served = Served::new("drain");
    let mut before = served.client();
    before.ping(1);
    assert!(served.order(&["undrain"]).unwrap_err().contains("the server is not drained"));
    assert_eq!(served.order(&["drain"]).as_deref(), Ok("1 session left, new ones are refused"));
    let said = served.client().rest().concat();
    assert!(said.contains("accepts no new sessions for now"), "{said}");
    assert!(served.answer("overview").contains("\"drained\":true"));
    before.ping(2);
    assert_eq!(served.order(&["undrain"]).as_deref(), Ok("1 session running, new ones are accepted"));
    served.client().ping(3);
    // With all sessions: idle ones end.
    before.send("xboard\n");
    before.ping(4);
    let mut uci = served.client();
    uci.send("uci\n");
    uci.until("uciok");
    served.order(&["drain", "--sessions"]).expect("it succeeds");
    for client in [&mut before, &mut uci] {
        let said = client.rest().concat();
        assert!(said.contains("dministrator has taken this server out of service"), "{said}");
        assert!(!said.contains("shutting down"), "{said}");
    }
    served.order(&["undrain"]).expect("it succeeds");
    served.client().ping(5);
}

/// A session in the middle of a game after `drain --sessions`.
fn playing_and_drained(served: &Served) -> Client {
    let mut player = served.client();
    player.send("xboard\nprotover 2\noption Book=none\nnew\nst 3600\ngo\n");
    player.status();
    served.order(&["drain", "--sessions"]).expect("it succeeds");
    player
}

#[test]
fn a_session_about_to_end_with_its_game_continues_after_undrain() {
    let served = Served::new("undrain");
    let mut player = playing_and_drained(&served);
    assert_eq!(served.order(&["undrain"]).as_deref(), Ok("1 session running, new ones are accepted"));
    player.send("result 1-0 {Black resigns}\nnew\n");
    player.ping(1);
}

#[test]
fn a_shutdown_cannot_be_undrained() {
    let mut served = Served::new("no-undrain");
    let mut player = playing_and_drained(&served);
    served.program.signal(rustix::process::Signal::TERM);
    served.program.logged("shutdown: no new sessions");
    assert!(served.order(&["undrain"]).unwrap_err().contains("the server is shutting down"));
    player.send("result 1-0 {Black resigns}\n");
    player.until("tellusererror The server is shutting down");
    assert!(served.program.wait().success());
}

#[test]
fn a_weight_applies_to_present_and_later_sessions() {
    let mut served = Served::new("weight");
    let mut one = served.client();
    one.ping(1);
    let mut other = served.client();
    other.ping(1);
    assert!(served.order(&["weight", "127.0.0.1", "0"]).unwrap_err().contains("a weight is from 1 to 1024"));
    assert!(served.order(&["weight", "bob", "3"]).unwrap_err().contains("the user \"bob\" has no session"));
    // They share an address, and hence a source.
    let number = served
        .answer("sessions")
        .lines()
        .next()
        .and_then(|line| serde_json::from_str::<serde_json::Value>(line).ok()?["session"].as_u64());
    let number = number.expect("a session").to_string();
    let changed = Ok("2 sessions changed, from the next search of each");
    assert_eq!(served.order(&["weight", &number, "3"]).as_deref(), changed);
    assert_eq!(served.order(&["weight", &number]).as_deref(), changed);
    let log = served.program.logged("the configured weight");
    assert!(log.contains(&format!("ran weight 3 for session {number}: 2 sessions")), "{log}");
}

#[test]
fn invalid_commands_change_nothing() {
    let served = Served::new("wrong");
    let mut client = served.client();
    client.ping(1);
    let long = format!("{{\"message\":{{\"who\":\"all\",\"text\":\"{}\"}}}}", "x".repeat(600));
    for (line, said) in [
        ("{}", "not a command"),
        ("{\"kick\":{\"who\":\"all\"}}", "missing field"),
        ("{\"reboot\":{}}", "unknown variant"),
        ("{\"kick\":{\"who\":{\"session\":-1},\"seconds\":0,\"because\":\"\"}}", "not a command"),
        ("{\"kick\":{\"who\":\"all\",\"seconds\":99999999999,\"because\":\"\"}}", "at most"),
        ("{\"message\":{\"who\":\"all\",\"text\":\" \"}}", "message is empty"),
        ("kick all", "unknown request"),
        (&long, "at most 500 characters"),
    ] {
        let answer = served.answer(line);
        assert!(answer.starts_with("{\"error\":") && answer.contains(said), "{line}: {answer}");
    }
    client.ping(2);
    let gone = served.folder.join("nowhere");
    let output =
        Command::new(env!("CARGO_BIN_EXE_farboard")).args(["drain", "--control"]).arg(&gone).output();
    let error = String::from_utf8_lossy(&output.expect("it starts").stderr).into_owned();
    assert!(error.contains("no server answers at"), "{error}");
}
