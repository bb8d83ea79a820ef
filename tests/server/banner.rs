//! The program's banner: every command it suggests works.

use crate::tls::Certificate;
use crate::users::{Folder, key};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

const SHIM: &str = env!("CARGO_BIN_EXE_farboard-connect");

/// A server with a configuration, and its banner. Killed when dropped.
struct Served {
    child: Child,
    banner: String,
    _folder: Folder,
}

impl Served {
    fn start(test: &str, config: &str) -> Served {
        let folder = Folder::new(test);
        let config = folder.write("farboard.toml", &format!("table = 1\nlog = \"error\"\n{config}"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
        command.args(["serve", "--config", &config]).stdin(Stdio::null()).stdout(Stdio::piped());
        // Keeps away from the control socket of the user's own server.
        command.env_remove("XDG_RUNTIME_DIR");
        let child = command.spawn().expect("the built program");
        let mut served = Served { child, banner: String::new(), _folder: folder };
        let output = served.child.stdout.take().expect("a pipe");
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            served.banner.push_str(&line);
            served.banner.push('\n');
            if line.starts_with("Ctrl-C ") {
                return served;
            }
        }
        panic!("it ends: {}", served.banner);
    }

    /// Types all commands of the banner with these substitutions; returns their number.
    fn type_all(&self, instead: &[(&str, &str)]) -> usize {
        self.banner.split("\n\n").map(|paragraph| type_paragraph(paragraph, instead)).sum()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn type_paragraph(paragraph: &str, instead: &[(&str, &str)]) -> usize {
    let is_gui = paragraph.contains("xboard -fcp");
    let (mut typed, mut command, mut is_in_parts) = (0, None::<String>, false);
    for line in paragraph.lines() {
        let Some(line) = line.strip_prefix("    ") else {
            is_in_parts = line.ends_with("asks for a command and its arguments:");
            continue;
        };
        let mut line = instead.iter().fold(line.to_owned(), |line, (from, to)| line.replace(from, to));
        if is_in_parts && command.is_none() {
            command = Some(line);
            continue;
        }
        if let Some(command) = command.take() {
            line = format!("{command} {line}");
        }
        let (say, expected) = match () {
            () if paragraph.contains("To play checkers") => ("INIT\nQUIT\n", "READY"),
            () if line.starts_with("nc ") => ("help\nquit\n", " You can type:"),
            () if is_in_parts || !is_gui && paragraph.contains("A UCI GUI") => ("uci\nquit\n", "uciok"),
            () => ("xboard\nprotover 2\nquit\n", "feature done=1"),
        };
        let printed = answer(&line, say);
        assert!(printed.lines().any(|line| line == expected), "{line}: {printed}\n{paragraph}");
        typed += 1;
    }
    typed
}

/// The output of the program that a line starts.
fn answer(line: &str, say: &str) -> String {
    // The command that xboard starts.
    let line = line.strip_prefix("xboard -fcp \"").and_then(|line| line.strip_suffix('"')).unwrap_or(line);
    let words: Vec<&str> = line.split(' ').collect();
    let mut printed = String::new();
    if let ["nc", host, port] = words[..] {
        let mut stream = TcpStream::connect((host, port.parse().expect("a port"))).expect("a connection");
        stream.write_all(say.as_bytes()).expect("the server reads");
        stream.read_to_string(&mut printed).expect("text");
        return printed;
    }
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).env_remove("FARBOARD_SECRET").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{line}: {error}"));
    child.stdin.as_mut().expect("a pipe").write_all(say.as_bytes()).expect("it reads");
    child.stdout.take().expect("a pipe").read_to_string(&mut printed).expect("text");
    child.wait().expect("a child");
    printed
}

#[test]
fn lines_of_every_protocol_can_be_typed() {
    let listener = |more: &str| format!("[[listen]]\naddress = 0\n{more}\n");
    let all = ["auto", "xboard", "uci", "checkers"].map(|word| listener(&format!("protocol = \"{word}\"")));
    let served = Served::start("banner-protocols", &all.concat());
    assert_eq!(served.type_all(&[]), 4 + 3 + 3 + 3, "{}", served.banner);
}

#[test]
fn lines_of_listeners_that_ask_for_keys_can_be_typed() {
    let folder = Folder::new("banner-keys");
    let secret = folder.write("secret", "a secret of the club\n");
    let alice = key("alice");
    let (users, own) = (folder.write("users", &alice.public_line()), folder.key(&alice));
    let certificate = Certificate::new("localhost");
    let tls = certificate.own().display().to_string();
    let listener = |more: &str| format!("[[listen]]\naddress = 0\n{more}\n");
    let config = [
        listener(&format!("secret_file = '{secret}'")),
        listener(&format!("tls = '{tls}'")),
        listener(&format!("tls = '{tls}'\nsecret_file = '{secret}'\nprotocol = \"checkers\"")),
        listener(&format!("users = '{users}'\ntls = '{tls}'")),
    ];
    let served = Served::start("banner-with-keys", &config.concat());
    assert!(served.banner.contains(&format!("--tls {tls} localhost:")), "{}", served.banner);
    assert_eq!(
        served.type_all(&[("--key FILE", &format!("--key {own}"))]),
        3 + 3 + 2 + 3,
        "{}",
        served.banner
    );
}

#[test]
fn line_for_other_machines_can_be_typed_there() {
    let certificate = Certificate::new("localhost");
    let (tls, trust) = (certificate.own().display().to_string(), certificate.trust().display().to_string());
    let address = "address = \"0.0.0.0:0\"\nallow = [\"127.0.0.0/8\", \"192.0.2.0/24\"]\n";
    let config = format!("[[listen]]\n{address}[[listen]]\n{address}tls = '{tls}'\n");
    let served = Served::start("banner-elsewhere", &config);
    let machine = rustix::system::uname().nodename().to_string_lossy().into_owned();
    // As if typed on another machine, with its own paths of programs and files.
    let instead = [
        (format!("farboard-connect {machine}:"), format!("{SHIM} localhost:")),
        ("farboard-connect --tls FILE".to_owned(), format!("{SHIM} --tls {trust}")),
    ];
    let instead: Vec<(&str, &str)> = instead.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
    assert_eq!(served.type_all(&instead), 5 + 4, "{}", served.banner);
}
