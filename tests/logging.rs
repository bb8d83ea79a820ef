//! The log of a process: one line for each, a panic too, and the end of the process waits for what is queued.

#![cfg(unix)]

use farboard::logging::{self, LogFormat};
use farboard::server;
use std::io::{self, Write};
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

/// One test: a process has one log.
#[test]
fn panics_and_lines_are_written_before_the_end() {
    let memory = Memory::default();
    let filter = "info,logging::chatty=debug,logging::mute=off".parse().expect("a filter");
    let guard = logging::start(&filter, LogFormat::Text, memory.clone()).expect("a log");
    server::log_panics();
    log::info!("first\nsecond");
    log::debug!("not wanted");
    log::debug!(target: "logging::chatty", "wanted");
    log::error!(target: "logging::mute", "not wanted");
    let body = || panic!("on\npurpose\x1b[2J");
    let panicked = std::thread::Builder::new().name("tester".to_owned()).spawn(body).expect("a thread");
    assert!(panicked.join().is_err());
    drop(guard);
    let log = String::from_utf8(memory.0.lock().expect("no panic here").clone()).expect("text");
    let lines: Vec<&str> = log.lines().collect();
    // With RUST_BACKTRACE set, a backtrace follows.
    assert!(lines.len() >= 3 && !log.contains("not wanted"), "{log}");
    assert!(lines[0].ends_with(" INFO  logging] first second"), "{log}");
    assert!(lines[1].ends_with(" DEBUG logging::chatty] wanted"), "{log}");
    assert!(
        lines[2].contains(
            " ERROR farboard::server::os::panic_guard] panic in thread tester at tests/logging.rs:"
        ),
        "{log}"
    );
    assert!(lines[2].ends_with(": on purpose\\u{1b}[2J"), "{log}");
}
