use super::*;
use crate::link::apply;
use crate::protocol::framing::Frame;
use proptest::prelude::*;
use std::time::Duration;

const LIMIT: usize = 6;

/// A session that repeats everything, and whose state is everything that it has handled.
#[derive(Default)]
struct Server {
    end: ServerEnd,
    lines: Option<LineSplitter>,
    handled: String,
    output: Vec<u8>,
}

/// State of a shim.
#[derive(Default)]
struct Shim {
    state: String,
    accounted: usize,
    output: String,
}

fn name(frame: Frame<'_>) -> String {
    match frame {
        Frame::Line(line) => format!("line {line:?}\n"),
        Frame::TooLong => "long\n".to_owned(),
        Frame::Interrupt => "interrupt\n".to_owned(),
    }
}

fn written(frame: &ClientFrame) -> Vec<u8> {
    let mut bytes = Vec::new();
    frame.write(&mut bytes);
    bytes
}

fn input(bytes: &[u8]) -> ClientFrame {
    ClientFrame::Input { bytes: bytes.to_vec(), age: Duration::ZERO }
}

fn resume(state: &str) -> ClientFrame {
    ClientFrame::Resume {
        state: state.to_owned(),
        warm: Vec::new(),
        age: Duration::ZERO,
        away: Duration::ZERO,
        calm: false,
    }
}

impl Server {
    fn new() -> Server {
        Server { lines: Some(LineSplitter::new(LIMIT)), ..Server::default() }
    }

    fn resumed(shim: &Shim) -> Server {
        let mut server = Server::new();
        let first = if shim.state.is_empty() { ClientFrame::New } else { resume(&shim.state) };
        server.take(&written(&first)).expect("it begins");
        server
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.end.push(bytes);
        let lines = self.lines.as_mut().expect("it has one");
        while let Some(frame) = self.end.next(lines)? {
            match frame {
                ClientFrame::New => {}
                ClientFrame::Resume { state, .. } => self.handled = state,
                ClientFrame::Input { bytes, .. } => lines.push(&bytes),
                ClientFrame::Refuse { bytes, .. } => self.handled += &format!("refused {bytes:?}\n"),
            }
            while let Some(frame) = lines.next_line() {
                self.handled += &name(frame);
                self.output.extend_from_slice(name(frame).as_bytes());
            }
        }
        Ok(())
    }

    fn frame(&mut self) -> Option<ServerFrame> {
        let lines = self.lines.as_ref().expect("it has one");
        let pending = Pending { output: std::mem::take(&mut self.output), ..Pending::default() };
        self.end.frame(pending, lines, || self.handled.clone())
    }
}

impl Shim {
    fn take(&mut self, frame: ServerFrame) {
        let ServerFrame::Output { accounted, output, edits, .. } = frame else { panic!("{frame:?}") };
        self.state = apply(&self.state, &edits, 1 << 20).expect("edits of this state");
        self.accounted += usize::try_from(accounted).expect("few");
        self.output += std::str::from_utf8(&output).expect("text");
    }
}

fn byte() -> impl Strategy<Value = u8> {
    prop_oneof![8 => Just(b'a'), 4 => Just(b'\n'), 2 => Just(b'\r'), 2 => Just(3)]
}

/// A step of a test.
#[derive(Clone, Debug)]
enum Step {
    /// The client sends this many bytes, which arrive in two pieces.
    Send(usize, usize),
    /// The server sends a frame, which arrives.
    Frame,
    /// The server sends a frame, which is lost with the server.
    Loss,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (1usize..12, 0usize..30).prop_map(|(count, cut)| Step::Send(count, cut)),
        2 => Just(Step::Frame),
        1 => Just(Step::Loss),
    ]
}

proptest! {
    #[test]
    fn losses_neither_lose_nor_repeat_a_byte(
        stream in proptest::collection::vec(byte(), 0..150),
        steps in proptest::collection::vec(step(), 0..60),
    ) {
        let mut whole = Server::new();
        whole.take(&[written(&ClientFrame::New), written(&input(&stream))].concat()).expect("frames");
        let (mut shim, mut sent) = (Shim::default(), 0);
        let mut server = Server::resumed(&shim);
        for step in steps.into_iter().chain([Step::Send(stream.len(), 0)]) {
            match step {
                Step::Send(count, cut) => {
                    let end = stream.len().min(sent + count);
                    let bytes = written(&input(&stream[sent..end]));
                    let (first, second) = bytes.split_at(cut.min(bytes.len()));
                    server.take(first).expect("a piece");
                    server.take(second).expect("a piece");
                    sent = end;
                }
                Step::Frame => {
                    if let Some(frame) = server.frame() {
                        shim.take(frame);
                    }
                }
                Step::Loss => {
                    server.frame();
                    server = Server::resumed(&shim);
                    sent = shim.accounted;
                }
            }
            prop_assert!(shim.accounted <= sent);
        }
        if let Some(frame) = server.frame() {
            shim.take(frame);
        }
        let complete = whole.frame().expect("it has begun");
        let mut expected = Shim::default();
        expected.take(complete);
        prop_assert_eq!(&shim.output, &expected.output);
        prop_assert_eq!(shim.accounted, expected.accounted);
        prop_assert_eq!(shim.state, expected.state);
    }

    #[test]
    fn any_bytes_are_frames_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let mut server = Server::new();
        let _ = server.take(&bytes);
    }
}

/// A server that has begun and sent its state.
fn begun() -> Server {
    let mut server = Server::resumed(&Shim::default());
    assert!(server.frame().is_some());
    server
}

#[test]
fn the_first_frame_comes_without_output_and_then_only_what_is_new() {
    let mut server = Server::new();
    server.take(b"new\n").expect("a frame");
    server.handled = "state\n".to_owned();
    let first = ServerFrame::Output {
        accounted: 0,
        output: Vec::new(),
        edits: "0 0 6\nstate\n".to_owned(),
        due: false,
    };
    assert_eq!(server.frame(), Some(first));
    assert_eq!(server.frame(), None);
    server.take(&written(&input(b"ab"))).expect("a frame");
    assert_eq!(server.frame(), None, "the line is not complete");
}

#[test]
fn lines_of_thinking_alone_account_for_nothing() {
    let mut server = begun();
    let thinking = Pending { output: b"1 2 3\n".to_vec(), only_thinking: true, due: true };
    let lines = LineSplitter::new(LIMIT);
    let frame = server.end.frame(thinking.clone(), &lines, || panic!("the state is not needed"));
    let output = thinking.output.clone();
    let expected = ServerFrame::Output { accounted: 0, output, edits: String::new(), due: true };
    assert_eq!(frame, Some(expected));
    server.take(&written(&input(b"go\n"))).expect("a frame");
    let frame = server.end.frame(thinking, &lines, || "went\n".to_owned());
    assert!(matches!(frame, Some(ServerFrame::Output { accounted: 3, edits, .. }) if !edits.is_empty()));
}

#[test]
fn the_rest_of_a_long_line_is_discarded_after_a_loss_too() {
    let (mut server, mut shim) = (begun(), Shim::default());
    server.take(&written(&input(b"aaaaaaaaaaaa"))).expect("a frame");
    shim.take(server.frame().expect("the bytes are discarded"));
    assert_eq!(shim.accounted, 12);
    assert_eq!(shim.state, "discarding\nlong\n");
    let mut server = Server::resumed(&shim);
    server
        .take(&written(&ClientFrame::Refuse { bytes: b"aa\n".to_vec(), age: Duration::ZERO }))
        .expect("a rest");
    server.take(&written(&input(b"b\n"))).expect("a frame");
    assert_eq!(server.handled, "long\nline [98]\n");
}

#[test]
fn a_refused_line_is_accounted_for() {
    let mut server = begun();
    server.take(b"refuse 3 0\ngo\n").expect("a frame");
    assert!(matches!(server.frame(), Some(ServerFrame::Output { accounted: 3, .. })));
    server.take(b"input 2 0\ngo").expect("a frame");
    assert_eq!(server.take(b"refuse 3 0\ngo\n"), Err(LinkError::Order));
}

#[test]
fn the_end_accounts_for_what_was_handled() {
    let mut server = begun();
    server.take(&written(&input(b"quit\nab"))).expect("a frame");
    let lines = server.lines.take().expect("it has one");
    let end = server.end.end(b"bye\n".to_vec(), &lines);
    assert_eq!(end, ServerFrame::End { accounted: 5, output: b"bye\n".to_vec() });
}

#[test]
fn frames_at_the_wrong_time_are_errors() {
    for wrong in [&b"input 1 0\na"[..], b"refuse 1 0\n\n", b"new\nnew\n", b"new\nresume 0 0 0 0 calm\n"] {
        assert_eq!(Server::new().take(wrong), Err(LinkError::Order), "{wrong:?}");
    }
    assert_eq!(Server::new().take(&written(&resume("interrupts x\n"))), Err(LinkError::Content));
}
