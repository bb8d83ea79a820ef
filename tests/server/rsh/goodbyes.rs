//! The server's last output, to a window that is slow.

use super::test_server::TestServer;
use super::winboard::WinBoard;
use std::io::Write;
use std::time::Duration;

/// Longer than the timeout of other clients after all is sent, in tenths of a second.
const LONG: u32 = 30;

#[test]
fn a_busy_window_sees_why_it_is_refused() {
    let server = TestServer::start();
    let mut winboard = WinBoard::start(server.address, "gnuchess");
    winboard.stays_busy(LONG);
    let said = winboard.rest();
    assert!(said.len() == 2 && said[0].starts_with("tellusererror there is no profile"), "{said:?}");
}

#[test]
fn a_busy_window_sees_the_answers_that_were_due_at_the_termination_signal() {
    let server = TestServer::start();
    let mut winboard = WinBoard::introduced(server.address, "farboard", 2);
    winboard.send("new\nsd 3\n");
    winboard.send_move("e2e4");
    winboard.send("ping 1\n");
    winboard.signals().write_all(b"\x0f").expect("the server reads");
    winboard.stays_busy(LONG);
    winboard.until("move ");
    winboard.until("pong 1");
    assert_eq!(winboard.rest(), Vec::<String>::new());
}

/// The remaining output at the end of a session is sent no faster than before.
#[test]
fn the_last_output_is_paced() {
    const MANY: usize = 36;
    let server = TestServer::start();
    let mut winboard = WinBoard::introduced(server.address, "farboard", 2);
    winboard.send("ping 1\n");
    winboard.until("pong 1");
    winboard.busy = Some((Duration::from_millis(700), 12));
    winboard.send(&format!("{}quit\n", "option ShowSettings\n".repeat(MANY)));
    let said = winboard.rest();
    let settings = said.iter().filter(|line| line.starts_with("telluser Settings:")).count();
    let (corrupted, lines) = winboard.corrupted();
    assert!(corrupted.is_empty(), "of {lines} lines, corrupted: {corrupted:?}");
    assert_eq!(settings, MANY);
}
