//! WinBoard as seen by a remote shell server: its ports (`OpenRcmd`), its reader, its signals, its
//! way to disconnect (`DestroyChildProcess`), and its answers to features.

use super::reader::{BUFFER, FaultyReader, lines};
use super::test_server::TEST_TIMEOUT;
use socket2::{Domain, Socket, Type};
use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// Time that its window needs for a line.
const LINE: Duration = Duration::from_millis(1);

/// A socket bound to the highest free port below 1024, starting at `highest`.
pub fn reserved(highest: u16) -> (Socket, u16) {
    for port in (1..=highest).rev() {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
        match socket.bind(&SocketAddr::from((Ipv4Addr::UNSPECIFIED, port)).into()) {
            Ok(()) => return (socket, port),
            Err(error) if error.kind() == ErrorKind::AddrInUse => {}
            Err(error) => panic!(
                "port {port}: {error}. WinBoard's ports are below 1024: run these tests as root, or with \
                 CAP_NET_BIND_SERVICE"
            ),
        }
    }
    panic!("no port below 1024 is free");
}

/// A connection from a port below 1024.
pub fn connect(address: SocketAddr) -> TcpStream {
    let mut highest = 1023;
    loop {
        let (socket, port) = reserved(highest);
        match socket.connect_timeout(&address.into(), TEST_TIMEOUT) {
            Ok(()) => return socket.into(),
            // An earlier connection from there lingers.
            Err(error) if matches!(error.kind(), ErrorKind::AddrInUse | ErrorKind::AddrNotAvailable) => {
                highest = port - 1;
            }
            Err(error) => panic!("no connection: {error}"),
        }
    }
}

/// A listening socket for the connection back, and its port.
pub fn listen() -> (Socket, u16) {
    let (socket, port) = reserved(1023);
    socket.listen(1).expect("a free port");
    socket.set_read_timeout(Some(TEST_TIMEOUT)).expect("an option");
    (socket, port)
}

pub struct WinBoard {
    main: TcpStream,
    signals: TcpStream,
    reader: FaultyReader,
    /// All bytes received.
    received: Vec<u8>,
    /// All lines passed to the window.
    shown: Vec<String>,
    /// Lines passed to the window and not read by the test.
    news: VecDeque<String>,
    /// Whether `feature sigint` is set.
    sigint: bool,
    maybe_thinking: bool,
    /// How long the window is busy with something else, once in this many lines.
    pub busy: Option<(Duration, usize)>,
}

impl WinBoard {
    /// Connects as `-firstHost HOST -fcp COMMAND` does, and waits for the connection back.
    pub fn start(address: SocketAddr, command: &str) -> WinBoard {
        let mut main = connect(address);
        main.set_read_timeout(Some(TEST_TIMEOUT)).expect("an option");
        let (listener, port) = listen();
        for field in [&port.to_string(), "Garry K", "Garry K", command] {
            main.write_all(format!("{field}\0").as_bytes()).expect("the server reads");
        }
        let (signals, _) = listener.accept().expect("a connection back");
        WinBoard {
            main,
            signals: signals.into(),
            reader: FaultyReader::new(),
            received: Vec::new(),
            shown: Vec::new(),
            news: VecDeque::new(),
            sigint: true,
            maybe_thinking: false,
            busy: None,
        }
    }

    /// The same, up to the end of the features in this version of the protocol.
    pub fn introduced(address: SocketAddr, command: &str, version: u32) -> WinBoard {
        let mut winboard = WinBoard::start(address, command);
        if version == 1 {
            winboard.send("xboard\n");
            return winboard;
        }
        winboard.send("xboard\nprotover 2\n");
        winboard.until("feature done=1");
        winboard
    }

    /// The same, once the previous client is gone: until then the server is full.
    pub fn at_last(address: SocketAddr) -> WinBoard {
        loop {
            let mut winboard = WinBoard::start(address, "farboard");
            winboard.send("xboard\nprotover 2\n");
            if winboard.line().is_some_and(|line| line == "feature done=0") {
                winboard.until("feature done=1");
                return winboard;
            }
        }
    }

    /// Sends a command, after the interrupt that older engines need while they think (`Attention`).
    pub fn send(&mut self, text: &str) {
        if self.sigint && std::mem::take(&mut self.maybe_thinking) {
            self.interrupt();
        }
        self.main.write_all(text.as_bytes()).expect("the server reads");
    }

    pub fn interrupt(&mut self) {
        self.signals.write_all(b"\x02").expect("the server reads");
    }

    /// Sends a move in two pieces.
    pub fn send_move(&mut self, mv: &str) {
        self.send("usermove ");
        self.send(&format!("{mv}\n"));
        self.maybe_thinking = true;
    }

    pub fn go(&mut self) {
        self.send("go\n");
        self.maybe_thinking = true;
    }

    /// The window's next line; `None` at the end.
    pub fn line(&mut self) -> Option<String> {
        while self.news.is_empty() {
            let mut buffer = [0; BUFFER];
            let count = match self.main.read(&mut buffer) {
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::ConnectionReset => 0,
                // The test process may be suspended for a while.
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => panic!("waited for a line: {error}; the last: {:?}", self.shown.last()),
            };
            if count == 0 {
                return None;
            }
            self.received.extend_from_slice(&buffer[..count]);
            for line in self.reader.received(&buffer[..count]) {
                self.tell(line);
            }
        }
        self.news.pop_front()
    }

    /// Handles a line in the window. The next bytes are received only after that.
    fn tell(&mut self, line: String) {
        std::thread::sleep(LINE);
        self.shown.push(line.clone());
        if let Some((time, lines)) = self.busy
            && self.shown.len().is_multiple_of(lines)
        {
            std::thread::sleep(time);
        }
        if let Some(features) = line.strip_prefix("feature ") {
            for (name, value) in items(features) {
                if name == "sigint" {
                    self.sigint = value != "0";
                }
                self.send(&format!("accepted {name}\n"));
            }
        }
        self.news.push_back(line);
    }

    /// Reads up to the first line that begins so.
    pub fn until(&mut self, beginning: &str) -> String {
        let mut others = Vec::new();
        while let Some(line) = self.line() {
            if line.starts_with(beginning) {
                return line;
            }
            others.push(line);
        }
        panic!("the server closed before it said {beginning:?}; it said {others:?}");
    }

    /// Reads for this long.
    pub fn read_for(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while Instant::now() < end && self.line().is_some() {}
    }

    /// The window does not read for this many tenths of a second, while its user continues. Data
    /// sent to a connection that the server has closed causes a reset, at which Windows discards
    /// unread input.
    pub fn stays_busy(&mut self, tenths: u32) {
        let tenth = Duration::from_millis(100);
        // Few sleeps: each may last longer on a busy machine, and the server closes the connection
        // after its timeout.
        let end = Instant::now() + tenth * tenths;
        while Instant::now() < end {
            std::thread::sleep(tenth);
            self.main.write_all(b"nopost\n").expect("the server reads to the end");
        }
        let error = self.main.take_error().expect("a socket");
        assert!(error.is_none(), "the server closed before its last output was read: {error:?}");
    }

    /// Reads to the end.
    pub fn rest(&mut self) -> Vec<String> {
        // The pacer may ask at any time whether the window reads: that is no answer.
        std::iter::from_fn(|| self.line()).filter(|line| line != "feature debug=1").collect()
    }

    /// Disconnects: sends `quit` and the termination signal, and closes both connections at once.
    /// Returns the corrupted lines and the number of all lines.
    pub fn quit(mut self) -> (Vec<String>, usize) {
        self.send("quit\n");
        self.signals.write_all(b"\x0f").expect("the server reads");
        self.corrupted()
    }

    /// The window's lines that a correct reader would not have seen, and the number of all lines.
    pub fn corrupted(&self) -> (Vec<String>, usize) {
        let said = lines(&self.received);
        let mut rest = said.iter();
        let shown = self.shown.iter().filter(|shown| rest.next() != Some(shown)).cloned().collect();
        (shown, said.len())
    }

    pub fn signals(&self) -> &TcpStream {
        &self.signals
    }

    pub fn main(&self) -> &TcpStream {
        &self.main
    }
}

/// `NAME=VALUE` and `NAME="VALUE"`, with blanks between them.
fn items(features: &str) -> Vec<(&str, &str)> {
    let mut items = Vec::new();
    let mut rest = features;
    while let Some((name, value)) = rest.trim_start().split_once('=') {
        let (value, behind) = match value.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => value.split_once(' ').unwrap_or((value, "")),
        };
        items.push((name, value));
        rest = behind;
    }
    items
}
