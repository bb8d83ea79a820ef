//! The real shim and a server that requires keys.

use crate::keys::secret;
use crate::test_server::{TEST_TIMEOUT, TestServer};
use crate::tls::Certificate;
use farboard::server::ListenerPolicy;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};

/// A shim between pipes; killed when dropped.
pub struct Shim {
    child: Child,
    lines: Receiver<String>,
}

impl Shim {
    pub fn start(arguments: &[&str], environment: Option<&str>) -> Shim {
        let mut command = Command::new(env!("CARGO_BIN_EXE_farboard-connect"));
        command.args(arguments).env_remove("FARBOARD_SECRET");
        command.envs(environment.map(|secret| ("FARBOARD_SECRET", secret)));
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = piped.spawn().expect("the shim starts");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Shim { child, lines }
    }

    pub fn send(&mut self, text: &str) {
        self.child.stdin.as_mut().expect("a pipe").write_all(text.as_bytes()).expect("the shim reads");
    }

    pub fn line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(TEST_TIMEOUT) {
            Ok(line) => Some(line),
            Err(mpsc::RecvTimeoutError::Disconnected) => None,
            Err(error) => panic!("waited for a line: {error}"),
        }
    }

    pub fn until(&mut self, beginning: &str) {
        let found = std::iter::from_fn(|| self.line()).any(|line| line.starts_with(beginning));
        assert!(found, "the shim ends before it says {beginning}");
    }

    pub fn rest(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.line()).collect()
    }

    /// The shim's reason for having no server; the line after it makes a GUI drop the engine.
    fn reason(&mut self) -> String {
        match &self.rest()[..] {
            [reason, end] if reason.starts_with("tellusererror ") && end.contains("not found") => {
                reason.clone()
            }
            other => panic!("{other:?}"),
        }
    }
}

impl Drop for Shim {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A private file; removed with the certificate in whose folder it is.
fn secret_file(certificate: &Certificate, secret: &str) -> PathBuf {
    use std::os::unix::fs::OpenOptionsExt;
    let path = certificate.trust().with_file_name(format!("secret-{}", secret.len()));
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(0o600).open(&path).expect("a file");
    writeln!(file, "{secret}").expect("a file");
    path
}

fn name(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

const OURS: &str = "the secret of these tests";

/// A server with all kinds of keys, and the shim's arguments for it.
fn server_with_keys() -> (TestServer, Certificate, PathBuf) {
    let certificate = Certificate::new("127.0.0.1");
    let file = secret_file(&certificate, OURS);
    let policy = ListenerPolicy { secret: Some(secret()), ..certificate.policy() };
    (TestServer::behind(policy, |_| {}), certificate, file)
}

#[test]
fn with_the_keys_a_session_goes_on_as_without() {
    let (server, certificate, file) = server_with_keys();
    let address = server.address.to_string();
    let trust = certificate.trust();
    let keys = ["--tls", name(&trust), "--secret-file", name(&file), &address];
    for (arguments, environment) in [(&keys[..], None), (&["--tls", name(&trust), &address], Some(OURS))] {
        let mut shim = Shim::start(arguments, environment);
        shim.send("xboard\nprotover 2\nnew\nsd 1\ngo\n");
        shim.until("move ");
        shim.send("ping 1\n");
        drop(shim.child.stdin.take());
        assert_eq!(shim.rest(), ["pong 1"], "the end of input is not the end of output");
        assert!(shim.child.wait().expect("our child").success());
    }
}

#[test]
fn large_output_arrives_complete() {
    let (server, certificate, file) = server_with_keys();
    let (address, trust) = (server.address.to_string(), certificate.trust());
    let mut shim = Shim::start(&["--tls", name(&trust), "--secret-file", name(&file), &address], None);
    let count = 50_000;
    let pings: String = (0..count).map(|number| format!("ping {number}\n")).collect();
    let mut input = shim.child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || input.write_all(pings.as_bytes()));
    for number in 0..count {
        assert_eq!(shim.line(), Some(format!("pong {number}")));
    }
    writer.join().expect("no panic").expect("the shim reads");
    assert!(shim.rest().is_empty());
}

#[test]
fn another_server_with_the_same_keys_takes_over() {
    let certificate = Certificate::new("127.0.0.1");
    let file = secret_file(&certificate, OURS);
    let start = || {
        let policy = ListenerPolicy { secret: Some(secret()), ..certificate.policy() };
        TestServer::behind(policy, |_| {})
    };
    let (first, second) = (start(), start());
    let hosts = format!("{},{}", first.address, second.address);
    let trust = certificate.trust();
    let mut shim = Shim::start(&["--tls", name(&trust), "--secret-file", name(&file), &hosts], None);
    shim.send("xboard\nprotover 2\nnew\nforce\ne2e4\nping 1\n");
    shim.until("pong 1");
    drop(first);
    // The pawn has already left this square.
    shim.send("e2e4\nping 2\n");
    shim.until("Illegal move");
    shim.until("pong 2");
    shim.send("quit\n");
    assert!(shim.rest().is_empty());
}

#[test]
fn without_the_keys_the_user_sees_why() {
    let (server, certificate, file) = server_with_keys();
    let stranger = Certificate::new("127.0.0.1");
    let address = server.address.to_string();
    let [trust, strangers] = [&certificate, &stranger].map(Certificate::trust);
    let other = secret_file(&stranger, "another secret");
    let reason = |arguments: &[&str]| {
        let mut shim = Shim::start(&[arguments, &[address.as_str()]].concat(), None);
        shim.reason()
    };
    let said = reason(&["--tls", name(&strangers), "--secret-file", name(&file)]);
    assert!(said.contains("not to be trusted"), "{said}");
    let said = reason(&["--tls", name(&trust), "--secret-file", name(&other)]);
    assert!(said.contains("at least 16"), "{said}");
    let other = secret_file(&stranger, "another secret of tests");
    let said = reason(&["--tls", name(&trust), "--secret-file", name(&other)]);
    assert!(said.contains("another secret: compare"), "{said}");
    let said = reason(&["--secret-file", name(&file)]);
    assert!(said.contains("farboard-connect --tls FILE --secret-file FILE"), "{said}");
    let said = reason(&["--tls", "no-such-file"]);
    assert!(said.contains("no-such-file"), "{said}");
}

#[test]
fn a_shim_without_keys_shows_the_servers_message() {
    let (server, certificate, _) = server_with_keys();
    for (server, keys) in [
        (server, "--tls FILE --secret-file FILE"),
        (
            TestServer::behind(ListenerPolicy { secret: Some(secret()), ..ListenerPolicy::open() }, |_| {}),
            "--secret-file FILE",
        ),
    ] {
        let mut shim = Shim::start(&[&server.address.to_string()], None);
        shim.send("xboard\nprotover 2\n");
        let said = shim.rest().concat();
        assert!(said.contains("tellusererror ") && said.contains(keys), "{said}");
    }
    // TLS without the secret: the server's own message arrives, too.
    let policy = ListenerPolicy { secret: Some(secret()), ..certificate.policy() };
    let server = TestServer::behind(policy, |_| {});
    let mut shim = Shim::start(&["--tls", name(&certificate.trust()), &server.address.to_string()], None);
    shim.send("xboard\nprotover 2\n");
    let said = shim.rest().concat();
    assert!(said.contains("this server requires a secret"), "{said}");
}

#[test]
fn a_shim_with_a_secret_refuses_a_server_without_it() {
    let server = TestServer::start();
    let mut shim = Shim::start(&[&server.address.to_string()], Some(OURS));
    let said = shim.reason();
    assert!(said.contains("does not prove that it knows the secret"), "{said}");
}

#[test]
fn a_silent_server_is_given_up() {
    let silent = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let address = silent.local_addr().expect("a bound socket").to_string();
    let mut shim = Shim::start(&[&address], Some(OURS));
    let (mut stream, _) = silent.accept().expect("a connection");
    let said = shim.reason();
    assert!(said.contains("does not answer"), "{said}");
    let mut received = String::new();
    stream.read_to_string(&mut received).expect("the end");
    assert!(received.starts_with("farboard-connect 1 ") && received.lines().count() == 1, "{received}");
}
