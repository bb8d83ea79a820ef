//! `farboard check`, and the order in which a start detects errors.

use crate::program::Program;
use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;

/// A configuration file; removed when dropped.
struct Settings(PathBuf);

impl Settings {
    fn new(test: &str, text: &str) -> Settings {
        let path = std::env::temp_dir().join(format!("farboard-check-{}-{test}.toml", std::process::id()));
        fs::write(&path, text).expect("a file");
        Settings(path)
    }

    /// Exit code and output of a command with this file.
    fn output(&self, command: &str) -> (Option<i32>, String) {
        let mut program = Command::new(env!("CARGO_BIN_EXE_farboard"));
        let done = program.arg(command).arg("--config").arg(&self.0).output().expect("it runs");
        (done.status.code(), String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned())
    }
}

impl Drop for Settings {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// A UCI engine as a line of shell.
const ENGINE: &str = "[engine.tiny]\ncommand = [\"/bin/sh\", \"-c\", \"while read line; do case $line in uci) echo id name Tiny 7; \
                      echo uciok;; isready) echo readyok;; quit) exit;; esac; done\"]\n";

#[test]
fn a_configuration_is_checked_without_listening() {
    // Another server uses the address.
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address");
    let right =
        format!("workers = 1\n[[listen]]\naddress = \"{address}\"\n{ENGINE}options = {{ Hash = 16 }}\n");
    let (code, output) = Settings::new("right", &right).output("check");
    assert_eq!(code, Some(0), "{output}");
    assert!(output.contains("[engine.tiny] is Tiny 7"), "{output}");
    assert!(output.contains("has no option \"Hash\""), "{output}");
    assert!(output.contains(&format!("the configuration is right; it listens on {address}")), "{output}");
}

#[test]
fn all_that_a_start_reads_is_checked() {
    for (test, text, said) in [
        ("key", "worksers = 1\n", "line 1: there is no setting `worksers`: did you mean `workers`?"),
        ("users", "users = \"no-such-users\"\n", "line 1: cannot use the users in no-such-users"),
        ("secret", "secret_file = \"no-such-secret\"\n", "line 1: cannot use the secret"),
        ("tls", "tls = \"no-such.pem\"\n", "line 1: cannot use the certificate and key"),
        ("book", "\nbook = [\"no-such.bin\"]\n", "line 2: "),
        ("option", "[option]\nElo = 9\n", "line 2: the option Elo cannot be set"),
        ("archive", "archive = \"/no/such/folder\"\n", "line 1: "),
        (
            "engine",
            "workers = 1\n[engine.broken]\ncommand = [\"/bin/false\"]\n",
            "[engine.broken] cannot be used: it has exited",
        ),
    ] {
        let settings = Settings::new(test, text);
        for command in if test == "engine" { &["check"][..] } else { &["check", "serve"] } {
            let (code, output) = settings.output(command);
            assert_eq!(code, Some(2), "{command} {test}: {output}");
            assert!(output.contains(said), "{command} {test}: {output}");
        }
    }
}

#[test]
fn a_start_finds_mistakes_before_binding_a_port() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    for (flag, value, said) in [
        ("--option", "Elo=9", "the option Elo cannot be set"),
        ("--book", "no-such.bin", "no-such.bin"),
        ("--users", "no-such-users", "no-such-users"),
    ] {
        let mut program = Program::farboard(&["--listen", &address, "--table", "1", flag, value]);
        assert_eq!(program.wait().code(), Some(2), "{flag}");
        let output = program.stderr();
        assert!(output.contains(said), "{output}");
    }
}

#[test]
fn a_free_port_is_suggested_for_one_in_use() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let mut program = Program::farboard(&["--listen", &address, "--table", "1"]);
    assert_eq!(program.wait().code(), Some(69));
    let output = program.stderr();
    let proposed = output.split_once("such as --listen 127.0.0.1:").map(|(_, rest)| rest);
    let proposed = proposed.and_then(|rest| rest.split_whitespace().next()?.parse::<u16>().ok());
    assert!(
        proposed.is_some_and(|port| port != taken.local_addr().map_or(0, |address| address.port())),
        "{output}"
    );
}

#[test]
fn a_server_listens_by_the_name_of_a_host() {
    let mut program = Program::farboard(&["--listen", "localhost:0", "--table", "1", "--log", "warn"]);
    assert!(program.address().ip().is_loopback());
}
