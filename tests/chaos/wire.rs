//! A GUI's pipes or socket: lines and when they arrived.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// Generous: a busy machine must not fail a test.
pub const TEST_TIMEOUT: Duration = Duration::from_secs(60);

/// Received data.
#[derive(PartialEq, Eq, Debug)]
pub enum Received {
    /// A whole line, without its end.
    Line(Vec<u8>),
    /// The end of the stream, with the incomplete last line.
    End(Vec<u8>),
}

/// Both directions of a connection.
pub struct Wire {
    output: Option<Box<dyn Write + Send>>,
    received: Receiver<(Instant, Received)>,
}

impl Wire {
    /// A pair of pipes to a process.
    pub fn pipes(output: impl Write + Send + 'static, input: impl Read + Send + 'static) -> Wire {
        let (sender, received) = mpsc::channel();
        thread::spawn(move || {
            let mut reader = BufReader::new(input);
            loop {
                let mut line = Vec::new();
                // A reset ends the stream as well.
                let whole = reader.read_until(b'\n', &mut line).is_ok()
                    && line.pop_if(|byte| *byte == b'\n').is_some();
                let received = if whole { Received::Line(line) } else { Received::End(line) };
                if sender.send((Instant::now(), received)).is_err() || !whole {
                    return;
                }
            }
        });
        Wire { output: Some(Box::new(output)), received }
    }

    /// A TCP connection.
    pub fn tcp(stream: TcpStream) -> Wire {
        stream.set_nodelay(true).expect("a socket");
        stream.set_write_timeout(Some(TEST_TIMEOUT)).expect("a socket");
        let input = stream.try_clone().expect("a socket");
        Wire::pipes(stream, input)
    }

    /// Returns true if the line could be sent. If the connection is lost, reading reports it.
    pub fn send(&mut self, line: &str) -> bool {
        let bytes = format!("{line}\n");
        self.output.as_mut().is_some_and(|output| output.write_all(bytes.as_bytes()).is_ok())
    }

    /// Returns what arrives next, if that is before the deadline.
    pub fn next(&self, deadline: Instant) -> Option<(Instant, Received)> {
        self.received.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok()
    }
}
