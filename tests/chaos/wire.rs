//! What a GUI writes to and reads from, a pipe or a socket: lines, and when they came.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// How long anything may take. Generous: a busy machine must not fail a test.
pub const TEST_TIMEOUT: Duration = Duration::from_secs(60);

/// What was heard.
#[derive(PartialEq, Eq, Debug)]
pub enum Heard {
    /// A whole line, without its end.
    Line(Vec<u8>),
    /// The end of all lines, and what stood behind the last of them.
    End(Vec<u8>),
}

/// Both directions of a conversation.
pub struct Wire {
    output: Option<Box<dyn Write + Send>>,
    heard: Receiver<(Instant, Heard)>,
}

impl Wire {
    /// A pipe to and one from a process.
    pub fn pipes(output: impl Write + Send + 'static, input: impl Read + Send + 'static) -> Wire {
        let (sender, heard) = mpsc::channel();
        thread::spawn(move || {
            let mut reader = BufReader::new(input);
            loop {
                let mut line = Vec::new();
                // A reset is an end like others.
                let whole = reader.read_until(b'\n', &mut line).is_ok()
                    && line.pop_if(|byte| *byte == b'\n').is_some();
                let heard = if whole { Heard::Line(line) } else { Heard::End(line) };
                if sender.send((Instant::now(), heard)).is_err() || !whole {
                    return;
                }
            }
        });
        Wire { output: Some(Box::new(output)), heard }
    }

    /// A connection.
    pub fn tcp(stream: TcpStream) -> Wire {
        stream.set_nodelay(true).expect("a socket");
        stream.set_write_timeout(Some(TEST_TIMEOUT)).expect("a socket");
        let input = stream.try_clone().expect("a socket");
        Wire::pipes(stream, input)
    }

    /// Whether it could be sent. A connection may be gone, and then reading tells.
    pub fn send(&mut self, line: &str) -> bool {
        let bytes = format!("{line}\n");
        self.output.as_mut().is_some_and(|output| output.write_all(bytes.as_bytes()).is_ok())
    }

    /// What is heard next, if that is before the deadline.
    pub fn next(&self, deadline: Instant) -> Option<(Instant, Heard)> {
        self.heard.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok()
    }
}
