//! A server played by a test: one connection of the shim, speaking the link protocol.

use super::deadline::accept;
use farboard::link::{ClientFrame, FrameReader, GREETING, ServerFrame, edits};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

/// One connection, after the greeting.
pub struct LinkServer {
    pub stream: TcpStream,
    reader: FrameReader,
    /// Client bytes that no call has taken yet.
    input: Vec<u8>,
    /// The ages of the input frames, oldest first.
    pub ages: Vec<Duration>,
    state: String,
}

/// How a session arrives at a server.
#[derive(Debug, PartialEq, Eq)]
pub enum Begun {
    New,
    Resumed { state: String, calm: bool },
}

impl LinkServer {
    /// Accepts a shim and answers its greeting.
    pub fn accept(listener: &TcpListener) -> LinkServer {
        LinkServer::over(accept(listener))
    }

    /// The same on an existing connection.
    pub fn over(stream: TcpStream) -> LinkServer {
        let mut server = LinkServer {
            stream,
            reader: FrameReader::default(),
            input: Vec::new(),
            ages: Vec::new(),
            state: String::new(),
        };
        let mut greeting = vec![0; GREETING.len() + 1];
        server.stream.read_exact(&mut greeting).expect("a greeting");
        assert_eq!(greeting, format!("{GREETING}\n").as_bytes());
        server.write(&greeting);
        server
    }

    /// Accepts a shim with a new session.
    pub fn accept_new(listener: &TcpListener) -> LinkServer {
        let mut server = LinkServer::accept(listener);
        assert_eq!(server.begun(), Begun::New);
        server
    }

    /// Accepts a shim with a resumed session; returns its state.
    pub fn accept_resumed(listener: &TcpListener) -> (LinkServer, String) {
        let mut server = LinkServer::accept(listener);
        match server.begun() {
            Begun::Resumed { state, calm: false } => (server, state),
            other => panic!("{other:?}"),
        }
    }

    /// Reads the first frame.
    pub fn begun(&mut self) -> Begun {
        match self.frame().expect("a first frame") {
            ClientFrame::New => Begun::New,
            ClientFrame::Resume { state, calm, .. } => {
                self.state.clone_from(&state);
                Begun::Resumed { state, calm }
            }
            other => panic!("the first frame is {other:?}"),
        }
    }

    /// Reads the next frame; returns `None` at the end of the stream.
    pub fn frame(&mut self) -> Option<ClientFrame> {
        loop {
            if let Some(frame) = ClientFrame::read(&mut self.reader).expect("a frame") {
                return Some(frame);
            }
            let mut chunk = [0; 4096];
            match self.stream.read(&mut chunk).expect("an open connection") {
                0 => return None,
                size => self.reader.push(&chunk[..size]),
            }
        }
    }

    /// Takes the next input frame; returns false at the end of the stream.
    fn more(&mut self) -> bool {
        match self.frame() {
            Some(ClientFrame::Input { bytes, age }) => {
                self.input.extend(bytes);
                self.ages.push(age);
                true
            }
            Some(other) => panic!("{other:?} instead of input"),
            None => false,
        }
    }

    /// The next line of the client, without its ending; empty at the end of the stream.
    pub fn line(&mut self) -> String {
        loop {
            if let Some(end) = self.input.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.input.drain(..=end).collect();
                return String::from_utf8_lossy(&line[..end]).into_owned();
            }
            if !self.more() {
                assert_eq!(self.input.escape_ascii().to_string(), "", "half a line at the end");
                return String::new();
            }
        }
    }

    /// Waits for exactly these bytes, which may be part of a line.
    pub fn wait_for_bytes(&mut self, bytes: &[u8]) {
        while self.input.len() < bytes.len() {
            assert!(self.more(), "the end of the stream");
        }
        assert_eq!(self.input.escape_ascii().to_string(), bytes.escape_ascii().to_string());
        self.input.clear();
    }

    /// Checks the next lines.
    pub fn expect(&mut self, lines: &[&str]) {
        for expected in lines {
            assert_eq!(self.line(), *expected);
        }
    }

    /// Reads lines up to this one.
    pub fn wait_for(&mut self, expected: &str) {
        loop {
            let line = self.line();
            assert_ne!(line, "", "the end of the stream");
            if line == expected {
                return;
            }
        }
    }

    /// Encodes an output frame, after which the session has this state.
    pub fn bytes_of(&mut self, output: &str, accounted: &str, state: &str, due: bool) -> Vec<u8> {
        let frame = ServerFrame::Output {
            accounted: accounted.len() as u64,
            output: output.as_bytes().to_vec(),
            edits: edits(&self.state, state),
            due,
        };
        state.clone_into(&mut self.state);
        let mut bytes = Vec::new();
        frame.write(&mut bytes);
        bytes
    }

    /// Sends an output frame; `accounted` is the input that it accounts for.
    pub fn say(&mut self, output: &str, accounted: &str, state: &str) {
        let bytes = self.bytes_of(output, accounted, state, false);
        self.write(&bytes);
    }

    /// The same while the client waits for a move.
    pub fn say_due(&mut self, output: &str, accounted: &str, state: &str) {
        let bytes = self.bytes_of(output, accounted, state, true);
        self.write(&bytes);
    }

    /// Sends another frame.
    pub fn send(&mut self, frame: &ServerFrame) {
        let mut bytes = Vec::new();
        frame.write(&mut bytes);
        self.write(&bytes);
    }

    pub fn write(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("an open connection");
    }
}
