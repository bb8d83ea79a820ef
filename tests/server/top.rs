//! `farboard top` on a terminal that is closed, and its end by a signal.

use crate::test_server::{TEST_TIMEOUT, TestServer};
use farboard::server::ListenerPolicy;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Action, Winsize, tcflow, tcsetwinsize};
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixListener;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// The two ends of a terminal: the window's, and the programs'.
fn terminal() -> (File, File) {
    let window =
        openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a pseudo-terminal");
    grantpt(&window).expect("a private terminal");
    unlockpt(&window).expect("a private terminal");
    let name = ptsname(&window, Vec::new()).expect("it has a name").into_string().expect("UTF-8");
    let size = Winsize { ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&window, size).expect("a size");
    let no_control = OpenptFlags::NOCTTY.bits().try_into().expect("a flag");
    let programs = File::options().read(true).write(true).custom_flags(no_control).open(name);
    (window.into(), programs.expect("the other end"))
}

/// How the program was started.
#[derive(Clone, Copy, Debug)]
struct Start {
    /// Whether SIGHUP is ignored, as under `nohup`.
    ignores_hangups: bool,
    /// Whether the terminal is the controlling one, so that closing it sends SIGHUP.
    is_controlling: bool,
}

const STARTS: [Start; 4] = [
    Start { ignores_hangups: false, is_controlling: false },
    Start { ignores_hangups: false, is_controlling: true },
    Start { ignores_hangups: true, is_controlling: false },
    Start { ignores_hangups: true, is_controlling: true },
];

/// `farboard top` on a terminal. Killed when dropped.
struct Top {
    window: File,
    child: Child,
}

impl Top {
    fn start(start: Start, control: &Path) -> Top {
        let (window, programs) = terminal();
        let trap = if start.ignores_hangups { "trap '' HUP; " } else { "" };
        let session = if start.is_controlling { "setsid --ctty " } else { "" };
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("{trap}exec {session}\"$0\" top --interval 0.1 --control \"$1\""));
        command.arg(env!("CARGO_BIN_EXE_farboard")).arg(control).env("TERM", "xterm");
        let end = || programs.try_clone().expect("a descriptor");
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().expect("it starts");
        Top { window, child }
    }

    /// Reads its output until this has occurred `count` times. Returns all of it.
    fn until(&mut self, text: &str, count: usize) -> String {
        let deadline = Instant::now() + TEST_TIMEOUT;
        let mut drawn = String::new();
        while drawn.matches(text).count() < count {
            assert!(Instant::now() < deadline, "no {text:?} in {drawn:?}");
            let mut ready = [PollFd::new(&self.window, PollFlags::IN)];
            let second = Timespec { tv_sec: 1, tv_nsec: 0 };
            if poll(&mut ready, Some(&second)).is_ok_and(|ready| ready > 0) {
                let mut bytes = [0; 4096];
                let read = self.window.read(&mut bytes).unwrap_or_else(|error| panic!("{error}: {drawn:?}"));
                drawn.push_str(&String::from_utf8_lossy(&bytes[..read]));
            }
        }
        drawn
    }

    /// Closes the window and waits for the program's exit.
    fn close(mut self) -> ExitStatus {
        let (window, _) = terminal();
        drop(std::mem::replace(&mut self.window, window));
        self.wait()
    }

    fn wait(&mut self) -> ExitStatus {
        let deadline = Instant::now() + TEST_TIMEOUT;
        loop {
            if let Some(status) = self.child.try_wait().expect("our own child") {
                return status;
            }
            assert!(Instant::now() < deadline, "it does not end");
            std::thread::yield_now();
        }
    }
}

impl Drop for Top {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn path(test: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("farboard-top-{}-{test}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

fn server(path: &Path) -> TestServer {
    let control = path.to_owned();
    TestServer::prepared(
        ListenerPolicy::open(),
        |_| {},
        move |server| server.make_control(&control).expect("a socket"),
    )
}

#[test]
fn it_ends_when_its_terminal_is_closed_at_any_moment() {
    let path = path("closed");
    let _server = server(&path);
    for start in STARTS {
        for frames in 1..=4 {
            let mut top = Top::start(start, &path);
            top.until("q quit", frames);
            let status = top.close();
            assert_eq!(status.code(), Some(0), "{start:?} after {frames} frames: {status}");
        }
        // In the middle of a frame.
        let mut top = Top::start(start, &path);
        top.until("\x1b[?1049h", 1);
        let status = top.close();
        assert_eq!(status.code(), Some(0), "{start:?} as the screen changes: {status}");
    }
}

#[test]
fn it_ends_when_its_terminal_is_closed_before_the_server_answers() {
    let path = path("mute");
    let server = UnixListener::bind(&path).expect("a socket");
    for start in STARTS {
        let top = Top::start(start, &path);
        // It is connected and gets no answer.
        let _asking = server.accept().expect("a connection");
        let status = top.close();
        assert_eq!(status.code(), Some(0), "{start:?}: {status}");
    }
    std::fs::remove_file(&path).expect("our own file");
}

#[test]
fn it_ends_when_its_terminal_is_closed_as_it_starts() {
    let path = path("start");
    let _server = server(&path);
    for round in 0..20 {
        let start = STARTS[if round % 2 == 0 { 0 } else { 2 }];
        let status = Top::start(start, &path).close();
        assert_eq!(status.code(), Some(0), "{start:?}: {status}");
    }
}

#[test]
fn a_signal_ends_it_and_leaves_the_terminal_in_order() {
    let path = path("signal");
    let _server = server(&path);
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let mut top = Top::start(STARTS[0], &path);
        top.until("q quit", 1);
        kill_process(Pid::from_child(&top.child), signal).expect("it runs");
        top.until("\x1b[?1049l", 1);
        assert_eq!(top.wait().code(), Some(0), "{signal:?}");
    }
    let mute = self::path("mute-signal");
    let server = UnixListener::bind(&mute).expect("a socket");
    let mut top = Top::start(STARTS[0], &mute);
    let _asking = server.accept().expect("a connection");
    kill_process(Pid::from_child(&top.child), Signal::TERM).expect("it runs");
    assert_eq!(top.wait().code(), Some(0));
    std::fs::remove_file(&mute).expect("our own file");
}

#[test]
fn a_signal_ends_it_while_its_terminal_is_stopped() {
    let path = path("stopped");
    let _server = server(&path);
    let mut top = Top::start(STARTS[0], &path);
    top.until("q quit", 1);
    let name = ptsname(&top.window, Vec::new()).expect("it has a name").into_string().expect("UTF-8");
    let programs = File::options().read(true).write(true).open(name).expect("the other end");
    // As Ctrl-S does. It draws ten times a second, so it soon blocks in a write; if not, the test
    // shows less.
    tcflow(&programs, Action::OOff).expect("it stops");
    std::thread::sleep(Duration::from_millis(400));
    kill_process(Pid::from_child(&top.child), Signal::TERM).expect("it runs");
    assert_eq!(top.wait().code(), Some(0));
}

/// `eprintln!` panics there.
#[test]
fn an_error_that_cannot_be_printed_has_its_exit_code() {
    let missing = path("missing");
    for command in ["top", "sessions"] {
        let (window, programs) = terminal();
        drop(window);
        let end = || programs.try_clone().expect("a descriptor");
        let mut program = Command::new(env!("CARGO_BIN_EXE_farboard"));
        program.arg(command).arg("--control").arg(&missing).stdin(end()).stdout(end()).stderr(end());
        let status = program.status().expect("it starts");
        assert_eq!((status.code(), status.signal()), (Some(1), None), "{command}");
    }
    // The output of other programs has no reader either.
    let (window, programs) = terminal();
    drop(window);
    let end = || programs.try_clone().expect("a descriptor");
    let mut perft = Command::new(env!("CARGO_BIN_EXE_farboard"));
    perft.args(["perft", "1", "--divide"]).stdout(end()).stderr(end());
    assert_eq!(perft.status().expect("it starts").code(), Some(0));
}
