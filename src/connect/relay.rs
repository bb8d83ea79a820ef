//! Both directions of the relay, and the ways in which it ends.
//!
//! One thread waits for input and forwards it, one copies the server's bytes to the output, and the
//! caller's thread waits for the first of them to report an end. Termination is served by a thread
//! of its own, so a server that does not read and a GUI that does not read cannot delay the exit.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::platform::{self, Watch};

/// Time from the request to terminate to the exit, unless the server closes first. xboard is
/// frozen while it waits and kills after a second.
const FAREWELL: Duration = Duration::from_millis(180);

/// A Linux pipe holds this much, so one read takes all that was written.
const CHUNK: usize = 64 * 1024;

/// Why a relay is over.
#[derive(Debug)]
pub enum Ending {
    /// The server closed the connection, having said all it had to say.
    ServerClosed,
    /// The process was asked to terminate; the server has been told.
    Dismissed,
    /// Nobody reads the output any more.
    OutputClosed,
    /// The connection broke.
    ConnectionLost(io::Error),
}

enum Event {
    Over(Ending),
    AskedToTerminate,
}

/// Relays until the server closes, the output closes, or the process is asked to terminate.
///
/// The end of `input` is passed on and ends nothing here: answers may still be due.
///
/// # Errors
///
/// If threads, descriptors or signal handlers cannot be had.
pub fn relay(input: File, output: File, server: TcpStream) -> io::Result<Ending> {
    let (events, reports) = mpsc::channel();
    let watch = Watch::new(&input)?;
    let last_watch = Watch::new(&input)?;
    let uplink = Arc::new(Mutex::new(Uplink::new(input, server.try_clone()?)));

    // Before any byte is relayed: whoever sees the relay work may send a signal.
    let (leaving, requests) = (Arc::clone(&uplink), events.clone());
    platform::on_termination(move || {
        // Fails only when the relay is over anyway.
        let _ = requests.send(Event::AskedToTerminate);
        lock(&leaving).take_leave(&last_watch);
    })?;

    spawn("server to output", move || copy_down(server, output, &events))?;
    spawn("input to server", move || {
        loop {
            // Not under the lock: the input may stay silent for hours, and a request to terminate
            // needs the uplink.
            watch.wait();
            if lock(&uplink).forward() == Input::Ended {
                return;
            }
        }
    })?;
    Ok(wait_for_the_end(&reports))
}

fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(body).map(drop)
}

fn lock(uplink: &Mutex<Uplink>) -> MutexGuard<'_, Uplink> {
    uplink.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wait_for_the_end(reports: &Receiver<Event>) -> Ending {
    if let Ok(Event::Over(ending)) = reports.recv() {
        return ending;
    }
    let limit = Instant::now() + FAREWELL;
    while let Ok(event) = reports.recv_timeout(limit.saturating_duration_since(Instant::now())) {
        if matches!(event, Event::Over(_)) {
            break;
        }
    }
    Ending::Dismissed
}

fn copy_down(mut server: TcpStream, mut output: File, events: &Sender<Event>) {
    let mut chunk = vec![0; CHUNK];
    let ending = loop {
        let size = match server.read(&mut chunk) {
            Ok(0) => break Ending::ServerClosed,
            Ok(size) => size,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => break Ending::ConnectionLost(error),
        };
        if output.write_all(&chunk[..size]).is_err() {
            break Ending::OutputClosed;
        }
    };
    // Fails only when the relay is over anyway.
    let _ = events.send(Event::Over(ending));
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input {
    Open,
    Ended,
}

/// The way from the input to the server.
struct Uplink {
    input: File,
    server: TcpStream,
    chunk: Vec<u8>,
    sent: LastWords,
    state: Input,
}

impl Uplink {
    fn new(input: File, server: TcpStream) -> Self {
        Self { input, server, chunk: vec![0; CHUNK], sent: LastWords::default(), state: Input::Open }
    }

    /// Passes on what one read gives, in one write.
    fn forward(&mut self) -> Input {
        if self.state == Input::Ended {
            return Input::Ended;
        }
        match self.input.read(&mut self.chunk) {
            Ok(0) => self.finish(),
            Ok(size) => {
                self.sent.note(&self.chunk[..size]);
                if self.server.write_all(&self.chunk[..size]).is_err() {
                    // The other direction finds out why, and still has the server's last words.
                    self.state = Input::Ended;
                }
            }
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
            Err(_) => self.finish(),
        }
        self.state
    }

    /// Passes on what is already in the pipe, then says goodbye for a client that had no time to.
    fn take_leave(&mut self, watch: &Watch) {
        while self.state == Input::Open && watch.is_ready_now() {
            self.forward();
        }
        if self.state == Input::Open {
            // Fails only when there is nobody to say it to.
            let _ = self.server.write_all(self.sent.goodbye());
            self.finish();
        }
    }

    /// Tells the server that no more will come; its answers still may.
    fn finish(&mut self) {
        // Fails only when the connection is gone already.
        let _ = self.server.shutdown(Shutdown::Write);
        self.state = Input::Ended;
    }
}

/// The end of what was sent: enough to see a `quit`.
#[derive(Debug, Default)]
struct LastWords {
    tail: Vec<u8>,
}

impl LastWords {
    /// A line break, `quit`, and a line break of two bytes.
    const ENOUGH: usize = 7;

    fn note(&mut self, bytes: &[u8]) {
        self.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(Self::ENOUGH)..]);
        let excess = self.tail.len().saturating_sub(Self::ENOUGH);
        self.tail.drain(..excess);
    }

    /// What still has to be sent for `quit` to be the last line.
    fn goodbye(&self) -> &'static [u8] {
        let Some(line) = self.tail.strip_suffix(b"\n") else {
            return if self.tail.is_empty() { b"quit\n" } else { b"\nquit\n" };
        };
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match line.strip_suffix(b"quit") {
            Some([]) | Some([.., b'\n']) => b"",
            _ => b"quit\n",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goodbye_after(pieces: &[&str]) -> &'static str {
        let mut sent = LastWords::default();
        for piece in pieces {
            sent.note(piece.as_bytes());
        }
        str::from_utf8(sent.goodbye()).expect("ASCII")
    }

    #[test]
    fn goodbye_completes_the_last_line_and_is_not_said_twice() {
        assert_eq!(goodbye_after(&[]), "quit\n");
        assert_eq!(goodbye_after(&["result 1-0 {Mate}\nforce\n"]), "quit\n");
        assert_eq!(goodbye_after(&["usermove "]), "\nquit\n");
        assert_eq!(goodbye_after(&["force\nquit\n"]), "");
        assert_eq!(goodbye_after(&["force\r\nquit\r\n"]), "");
        assert_eq!(goodbye_after(&["quit\n"]), "");
        assert_eq!(goodbye_after(&["force\nqu", "it", "\n"]), "");
        assert_eq!(goodbye_after(&["tell me to quit\n"]), "quit\n");
        assert_eq!(goodbye_after(&["force\nquit"]), "\nquit\n");
    }
}
