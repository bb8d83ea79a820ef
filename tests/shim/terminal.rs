//! `farboard-connect` at a terminal where a person types: a pseudoterminal as its three standard
//! streams.

use std::fs::File;
use std::io::Read;
use std::net::TcpListener;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus};

use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};

use super::child::SHIM;
use super::deadline::within_patience;
use super::link_server::LinkServer;
use crate::support::reserved_port;

/// A shim at a terminal; killed when dropped.
struct AtTerminal {
    child: Option<Child>,
    id: u32,
    terminal: File,
}

impl AtTerminal {
    fn start(arguments: &[&str]) -> AtTerminal {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
        let terminal = openpt(flags).expect("a pseudoterminal");
        grantpt(&terminal).and_then(|()| unlockpt(&terminal)).expect("a new pseudoterminal");
        let other_end = || ioctl_tiocgptpeer(&terminal, flags).expect("its other end");
        // Tests in the background of a shell have inherited an ignored SIGINT.
        let child = Command::new("env")
            .args(["--default-signal=INT", SHIM])
            .args(arguments)
            .env_remove("FARBOARD_SECRET")
            .stdin(other_end())
            .stdout(other_end())
            .stderr(other_end())
            .spawn()
            .expect("the built shim");
        AtTerminal { id: child.id(), child: Some(child), terminal: File::from(terminal) }
    }

    /// Waits for this text; returns the screen, or all output if it ends first.
    fn screen_until(&self, text: &'static str) -> String {
        let mut terminal = self.terminal.try_clone().expect("an open terminal");
        within_patience(text, move || {
            let (mut screen, mut chunk) = (Vec::new(), [0; 1024]);
            while !String::from_utf8_lossy(&screen).contains(text) {
                // Linux reports an error when the other end is closed.
                let Ok(size @ 1..) = terminal.read(&mut chunk) else { break };
                screen.extend_from_slice(&chunk[..size]);
            }
            String::from_utf8_lossy(&screen).into_owned()
        })
    }

    fn exit_status(&mut self) -> ExitStatus {
        let mut child = self.child.take().expect("a shim whose exit was not seen yet");
        within_patience("exit", move || child.wait()).expect("a child")
    }
}

impl Drop for AtTerminal {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            // Fails if it has exited.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn terminal_does_not_get_escape_sequences_of_a_server() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let address = listener.local_addr().expect("a bound socket").to_string();
    let shim = AtTerminal::start(&[&address]);
    let mut server = LinkServer::accept_new(&listener);
    server.say("# \x1b]0;title\x07\x1b[2J \u{9b}2J ♞\npong 1\n", "", "state\n");
    let screen = shim.screen_until("pong 1");
    assert!(screen.contains("# ^[]0;title^G^[[2J \\x9b2J ♞\r\n"), "{screen:?}");
    assert!(!screen.contains('\x1b') && !screen.contains('\x07'), "{screen:?}");
    assert!(screen.contains(&format!("connected to {address}; type help")), "{screen:?}");
}

#[test]
fn terminal_shows_one_line_where_there_is_no_server() {
    let port = reserved_port::reserve();
    let address = port.address.to_string();
    let mut shim = AtTerminal::start(&[&address]);
    let screen = shim.screen_until("\n");
    assert_eq!(screen, format!("farboard-connect: Cannot reach {address}: Connection refused\r\n"));
    assert_eq!(shim.screen_until("more"), "");
    assert_eq!(shim.exit_status().code(), Some(1));
}

#[test]
fn interrupt_at_a_terminal_ends_the_shim() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let address = listener.local_addr().expect("a bound socket").to_string();
    let mut shim = AtTerminal::start(&[&address]);
    let mut server = LinkServer::accept_new(&listener);
    let id = shim.id.to_string();
    assert!(Command::new("kill").args(["-s", "INT", &id]).status().expect("a kill command").success());
    assert_eq!(server.frame(), None, "the end of the stream");
    assert_eq!(shim.exit_status().signal(), Some(2));
}
