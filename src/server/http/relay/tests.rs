use super::*;
use crate::server::connection::{ClientSocket, OutputLimits};
use crate::server::watch::WatchUpdate;
use proptest::prelude::*;

/// A relay between a page and a session, whose sides are here.
struct Bench {
    relay: Relay,
    page: WebSocket<UnixStream>,
    session: UnixStream,
    now: Instant,
    feed: Feed,
    buffer: Vec<u8>,
}

impl Bench {
    fn new() -> Bench {
        let (page, browser) = UnixStream::pair().expect("a pair");
        let (session, own) = UnixStream::pair().expect("a pair");
        Bench::before(Behind::Session(own), session, Feed::default(), (page, browser))
    }

    /// A relay between a page and the feed.
    fn watching() -> Bench {
        let (session, _) = UnixStream::pair().expect("a pair");
        let mut feed = Feed::default();
        let watcher = feed.join(false);
        Bench::before(Behind::Feed(watcher), session, feed, UnixStream::pair().expect("a pair"))
    }

    fn before(
        behind: Behind,
        session: UnixStream,
        feed: Feed,
        (page, browser): (UnixStream, UnixStream),
    ) -> Bench {
        let stream = ClientStream::new(ClientSocket::Pair(browser), None).expect("no TLS");
        let output = Output::new(OutputLimits { soft: usize::MAX, hard: usize::MAX });
        let (peer, now) = (SocketAddr::from(([127, 0, 0, 1], 1)), Instant::now());
        let relay = Relay::new((stream, output, Vec::new()), peer, behind, now);
        let page = WebSocket::from_raw_socket(page, Role::Client, None);
        Bench { relay, page, session, now, feed, buffer: vec![0; 16 << 10] }
    }

    /// Lets the relay have turns until it waits or ends.
    fn turns(&mut self) -> RelayEnd {
        loop {
            match self.relay.turn(&mut self.feed, &mut self.buffer, self.now) {
                Ok(RelayEnd::Continue) => {}
                Ok(end) => return end,
                Err(_) => return RelayEnd::Ended,
            }
        }
    }

    fn turns_after(&mut self, pause: Duration) -> RelayEnd {
        self.now += pause;
        self.turns()
    }

    /// The next message to the page, if there is one.
    fn message(&mut self) -> Option<Message> {
        self.page.read().ok()
    }

    /// The bytes that have come to the session.
    fn received(&mut self) -> Vec<u8> {
        let mut received = Vec::new();
        // It ends, or there is nothing more yet.
        let _ = self.session.read_to_end(&mut received);
        received
    }
}

#[test]
fn bytes_go_both_ways() {
    let mut bench = Bench::new();
    bench.page.send(Message::Binary(Bytes::from_static(b"from the page"))).expect("room");
    bench.session.write_all(b"from the session").expect("room");
    assert_eq!(bench.turns(), RelayEnd::Waiting);
    assert_eq!(bench.received(), b"from the page");
    assert_eq!(bench.message(), Some(Message::Binary(Bytes::from_static(b"from the session"))));
}

#[test]
fn a_watcher_gets_what_it_asks_for() {
    let mut bench = Bench::watching();
    bench.page.send(Message::Text(r#"{"watch":"wall","ids":[3]}"#.into())).expect("room");
    assert_eq!(bench.turns(), RelayEnd::Waiting);
    assert_eq!((bench.message(), bench.feed.interest().positions.len()), (None, 1));
    bench.feed.take(WatchUpdate::default());
    assert_eq!(bench.turns(), RelayEnd::Waiting);
    assert!(matches!(bench.message(), Some(Message::Text(text)) if text.contains("\"whole\":true")));
    assert_eq!((bench.turns(), bench.message()), (RelayEnd::Waiting, None));
}

#[test]
fn a_watcher_that_sends_something_else_is_dismissed() {
    for (message, code) in [
        (Message::Text("{}".into()), CloseCode::Policy),
        (Message::Text(r#"{"watch":"wall","ids":"all"}"#.into()), CloseCode::Policy),
        (Message::Binary(Bytes::from_static(b"new")), CloseCode::Unsupported),
    ] {
        let mut bench = Bench::watching();
        bench.page.send(message).expect("room");
        bench.turns();
        assert!(matches!(bench.message(), Some(Message::Close(Some(frame))) if frame.code == code));
    }
}

#[test]
fn a_silent_page_is_asked_and_then_given_up() {
    let mut bench = Bench::new();
    assert_eq!(bench.turns_after(SILENCE / 2), RelayEnd::Waiting);
    assert_eq!(bench.message(), None);
    assert_eq!(bench.turns_after(SILENCE / 2), RelayEnd::Waiting);
    assert_eq!(bench.message(), Some(Message::Ping(Bytes::new())));
    // Reading has answered.
    bench.page.flush().expect("room");
    assert_eq!(bench.turns_after(SILENCE / 2), RelayEnd::Waiting);
    assert_eq!(bench.turns_after(SILENCE / 2), RelayEnd::Waiting);
    assert_eq!(bench.turns_after(SILENCE), RelayEnd::Waiting, "asked once more");
    assert_eq!(bench.turns_after(SILENCE), RelayEnd::Ended);
}

#[test]
fn pings_of_a_page_are_answered_at_once() {
    let mut bench = Bench::new();
    bench.page.send(Message::Ping(Bytes::from_static(b"x"))).expect("room");
    assert_eq!(bench.turns(), RelayEnd::Waiting);
    assert_eq!(bench.message(), Some(Message::Pong(Bytes::from_static(b"x"))));
}

#[test]
fn the_last_words_of_a_session_precede_its_end() {
    let mut bench = Bench::new();
    bench.session.write_all(b"bye").expect("room");
    bench.session.shutdown(std::net::Shutdown::Write).expect("open");
    assert_eq!(bench.turns(), RelayEnd::Waiting);
    assert!(bench.relay.is_over());
    assert_eq!(bench.message(), Some(Message::Binary(Bytes::from_static(b"bye"))));
    assert!(matches!(bench.message(), Some(Message::Close(Some(frame))) if frame.code == CloseCode::Normal));
    bench.page.flush().expect("room");
    assert_eq!(bench.turns(), RelayEnd::Waiting, "the browser closes last");
    assert_eq!(bench.turns_after(LINGER), RelayEnd::Ended);
}

#[test]
fn a_page_that_does_not_close_is_left_behind() {
    let mut bench = Bench::new();
    bench.session.shutdown(std::net::Shutdown::Write).expect("open");
    assert_eq!(bench.turns(), RelayEnd::Waiting);
    assert_eq!(bench.turns_after(FAREWELL), RelayEnd::Ended);
}

#[test]
fn a_side_that_does_not_read_stops_the_other() {
    let mut bench = Bench::new();
    let portion = vec![b'x'; 8 << 10];
    // The session sends until nothing more fits.
    let mut sent = 0;
    while let Some(count) = nonblocking(|| bench.session.write(&portion)).expect("open") {
        sent += count;
        assert_eq!(bench.turns(), RelayEnd::Waiting);
        assert!(sent < 16 << 20, "there is no end of it");
    }
    assert!(bench.relay.page.get_ref().unsent() <= MAX_SENT + 16);
    // The page reads everything then.
    let mut read = 0;
    while read < sent {
        match bench.message() {
            Some(Message::Binary(bytes)) => read += bytes.len(),
            Some(other) => panic!("{other:?}"),
            None => assert_eq!(bench.turns(), RelayEnd::Waiting),
        }
    }
}

#[test]
fn a_session_that_does_not_read_stops_the_page() {
    let mut bench = Bench::new();
    let message = Message::Binary(vec![b'x'; 8 << 10].into());
    let mut sent = 0;
    while bench.page.send(message.clone()).is_ok() {
        assert_eq!(bench.turns(), RelayEnd::Waiting);
        sent += 8 << 10;
        assert!(sent < 16 << 20, "there is no end of it");
    }
    // It is the session's silence, not the page's.
    assert_eq!(bench.turns_after(SILENCE), RelayEnd::Waiting);
    assert_eq!(bench.turns_after(SILENCE), RelayEnd::Waiting);
    let mut received = 0;
    while received < sent {
        received += bench.received().len();
        let _ = bench.page.flush();
        assert_eq!(bench.turns(), RelayEnd::Waiting);
    }
}

/// A frame of a client, with a payload of zeros under this mask.
fn frame(head: u8, length: u16, mask: [u8; 4]) -> Vec<u8> {
    let payload = vec![0; usize::from(length)];
    match length {
        0..126 => [&[head, 0x80 | length as u8][..], &mask, &payload].concat(),
        126.. => [&[head, 0xFE][..], &length.to_be_bytes(), &mask, &payload].concat(),
    }
}

proptest! {
    #[test]
    fn whatever_a_page_sends_ends_or_waits(
        frames in proptest::collection::vec((any::<u8>(), 0..300_u16, any::<[u8; 4]>()), 0..8),
        broken in proptest::collection::vec(any::<u8>(), 0..32),
        cut in 1..64_usize,
        says in any::<bool>(),
    ) {
        let mut bench = Bench::new();
        let bytes: Vec<u8> = frames.iter().flat_map(|&(head, length, mask)| frame(head, length, mask)).collect();
        let bytes = [bytes, broken].concat();
        for part in bytes.chunks(cut) {
            if says {
                let _ = bench.session.write(b"x");
            }
            // The relay may have closed.
            let _ = bench.page.get_mut().write_all(part);
            bench.turns();
            bench.received();
        }
        bench.page.get_mut().shutdown(std::net::Shutdown::Both).expect("open");
        prop_assert_eq!(bench.turns(), RelayEnd::Ended);
        drop(bench.relay);
        // Input that was not read makes the system reset the connection.
        prop_assert!(!matches!(nonblocking(|| bench.session.read(&mut [0])), Ok(None | Some(1))));
    }
}
