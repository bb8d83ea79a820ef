//! The log of a process: one line per record, panics included, and queued records are written
//! before exit.

use farboard::logging::{self, LogFormat};
use farboard::server;
use std::io::{self, Write};
use std::process::Command;
use std::sync::{Arc, Mutex};

#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic here").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn panics_and_lines_are_written_before_the_end() {
    let program = std::env::current_exe().expect("this program");
    let test = ["--ignored", "--exact", "logging::in_a_process_of_its_own"];
    let output = Command::new(program).args(test).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
#[ignore = "run by the test above: a process has one log"]
fn in_a_process_of_its_own() {
    let memory = Memory::default();
    let filter = "info,commands::chatty=debug,commands::mute=off".parse().expect("a filter");
    let guard = logging::start(&filter, LogFormat::Text, memory.clone()).expect("a log");
    server::log_panics();
    log::info!("first\nsecond");
    log::debug!("not wanted");
    log::debug!(target: "commands::chatty", "wanted");
    log::error!(target: "commands::mute", "not wanted");
    let body = || panic!("on\npurpose\x1b[2J");
    let panicked = std::thread::Builder::new().name("tester".to_owned()).spawn(body).expect("a thread");
    assert!(panicked.join().is_err());
    drop(guard);
    let log = String::from_utf8(memory.0.lock().expect("no panic here").clone()).expect("text");
    let lines: Vec<&str> = log.lines().collect();
    // With RUST_BACKTRACE set, a backtrace follows.
    assert!(lines.len() >= 3 && !log.contains("not wanted"), "{log}");
    assert!(lines[0].ends_with(" INFO  commands::logging] first second"), "{log}");
    assert!(lines[1].ends_with(" DEBUG commands::chatty] wanted"), "{log}");
    assert!(
        lines[2].contains(
            " ERROR farboard::server::os::panic_guard] panic in thread tester at tests/commands/logging.rs:"
        ),
        "{log}"
    );
    assert!(lines[2].ends_with(": on purpose\\u{1b}[2J"), "{log}");
}
