//! The control socket of a server without a configured one.

use crate::control::leave_socket;
use crate::program::Program;
use rustix::process::Signal;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const FLAGS: [&str; 6] = ["--listen", "127.0.0.1:0", "--table", "1", "--log", "debug"];

/// A runtime folder for one test; removed when dropped.
struct Runtime(PathBuf);

impl Runtime {
    fn new(test: &str) -> Runtime {
        let folder = std::env::temp_dir().join(format!("farboard-runtime-{}-{test}", std::process::id()));
        fs::create_dir_all(&folder).expect("a scratch folder");
        Runtime(folder)
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
        command.args(words).env("XDG_RUNTIME_DIR", &self.0);
        command
    }

    fn server(&self) -> Program {
        Program::start(&mut self.command(&FLAGS))
    }

    fn ask(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("it runs")
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns true if the service runs on this machine, which would be ambiguous.
fn is_service_here() -> bool {
    Path::new("/run/farboard/control").exists()
}

#[test]
fn commands_find_a_server_without_a_flag() {
    let runtime = Runtime::new("found");
    let mut server = runtime.server();
    server.logged("listens on");
    let socket = runtime.0.join("farboard/control");
    assert!(socket.exists(), "there is a socket");
    if is_service_here() {
        return;
    }
    for words in [&["sessions"][..], &["top", "--times", "1"], &["drain"], &["undrain"]] {
        let done = runtime.ask(words);
        assert!(done.status.success(), "{words:?}: {done:?}");
    }
    let done = runtime.ask(&["kick", "nobody"]);
    let error = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(1), "{error}");
    assert!(error.contains("\"nobody\""), "{error}");
    server.signal(Signal::TERM);
    assert!(server.wait().success());
    assert!(!socket.exists(), "it is removed with the server");
    let done = runtime.ask(&["sessions"]);
    let error = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(error.contains(&socket.display().to_string()) && error.contains("--control PATH"), "{error}");
}

#[test]
fn a_second_server_leaves_the_first_ones_socket_alone() {
    let runtime = Runtime::new("second");
    let mut first = runtime.server();
    first.logged("listens on");
    let mut second = runtime.server();
    let log = second.logged("listens on");
    assert!(log.contains("no control socket: another server answers"), "{log}");
    let socket = runtime.0.join("farboard/control");
    let overview = |runtime: &Runtime| {
        let socket = socket.display().to_string();
        let done = runtime.ask(&["top", "--json", "--control", &socket]);
        String::from_utf8_lossy(&done.stdout).into_owned()
    };
    let process = |server: &Program| format!("\"process\":{}", server.id());
    let said = overview(&runtime);
    assert!(said.contains(&process(&first)), "{said}");
    second.signal(Signal::TERM);
    assert!(second.wait().success());
    let said = overview(&runtime);
    assert!(said.contains(&process(&first)), "{said}");
    // The socket of a killed server is replaced.
    first.signal(Signal::KILL);
    first.wait();
    assert!(socket.exists());
    let mut third = runtime.server();
    third.logged("listens on");
    let said = overview(&runtime);
    assert!(said.contains(&process(&third)), "{said}");
}

#[test]
fn of_many_servers_that_start_at_once_exactly_one_has_the_socket() {
    let runtime = Runtime::new("many");
    // A killed server's socket, which all of them find.
    fs::create_dir_all(runtime.0.join("farboard")).expect("a folder");
    leave_socket(&runtime.0.join("farboard/control"));
    let mut servers: Vec<Program> = (0..8).map(|_| runtime.server()).collect();
    let logs: Vec<String> = servers.iter_mut().map(|server| server.logged("listens on")).collect();
    let with = logs.iter().filter(|log| log.contains("control socket at")).count();
    assert_eq!(with, 1, "{logs:#?}");
}

#[test]
fn without_a_folder_there_is_no_socket() {
    let missing = std::env::temp_dir().join(format!("farboard-runtime-{}-missing", std::process::id()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
    let mut server = Program::start(command.args(FLAGS).env("XDG_RUNTIME_DIR", &missing));
    let log = server.logged("listens on");
    assert!(log.contains("control socket") || Path::new("/run/farboard").exists(), "{log}");
    assert!(!missing.exists(), "Farboard does not create it");
}
