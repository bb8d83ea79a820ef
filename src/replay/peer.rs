//! The other side of a replay: a session in this process, or a server.

use crate::auth::Keys;
use crate::server::Setup;
use crate::server::local_session::{LocalEvent, LocalSession};
use crate::session::checkers::Manners;
use crate::session::{Profile, Protocol};
use crate::shim::address::Address;
use crate::shim::client_protocol::ClientProtocol;
use crate::shim::dial::dial;
use crate::shim::server_link::{self, Link};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Instant;

/// Output of the other side.
#[derive(Debug, PartialEq, Eq)]
pub enum PeerOutput {
    /// It sent these bytes.
    Bytes(Vec<u8>),
    /// It has ended, for this reason.
    End(String),
    /// Nothing until the deadline.
    Nothing,
}

enum Raw {
    Words(Vec<u8>),
    Ended,
    Link(server_link::LinkEvent),
}

enum Way {
    Session(Sender<LocalEvent>),
    Server(Link),
}

/// An engine to talk to.
pub struct Peer {
    way: Way,
    reports: Receiver<Raw>,
}

impl Peer {
    /// A session in this process, as on a server. It is not local: a foreign record must not access the files
    /// of this machine.
    ///
    /// # Errors
    /// The system has no thread for it.
    pub fn session(
        spoken: ClientProtocol,
        setup: Setup,
        named: Arc<BTreeMap<String, Arc<Profile>>>,
    ) -> io::Result<Peer> {
        let (reporter, reports) = channel();
        let (single, news) = LocalSession::new(protocol(spoken), setup, named);
        thread::Builder::new().name("session".to_owned()).spawn(move || {
            // Fails when the replay has ended.
            let _ = single.run(&mut Reporter(&reporter), || ());
            let _ = reporter.send(Raw::Ended);
        })?;
        Ok(Peer { way: Way::Session(news), reports })
    }

    /// A server, with these keys.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub fn server(address: &Address, keys: &Keys) -> io::Result<Peer> {
        let (reporter, reports) = channel();
        let report = move |news| drop(reporter.send(Raw::Link(news)));
        let link = Link::start(dial(address, keys)?, report)?;
        Ok(Peer { way: Way::Server(link), reports })
    }

    /// Sends bytes. If that fails, [`Peer::hear`] reports the end.
    pub fn say(&mut self, bytes: Vec<u8>) {
        match &mut self.way {
            Way::Session(news) => drop(news.send(LocalEvent::Bytes(bytes, Instant::now()))),
            Way::Server(link) => link.send(&bytes),
        }
    }

    /// Waits for output until `until`.
    pub fn hear(&mut self, until: Instant) -> PeerOutput {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let raw = match self.reports.recv_timeout(left) {
                Ok(raw) => raw,
                Err(RecvTimeoutError::Timeout) => return PeerOutput::Nothing,
                Err(RecvTimeoutError::Disconnected) => return PeerOutput::End("it is gone".to_owned()),
            };
            match (raw, &mut self.way) {
                (Raw::Words(bytes), _) => return PeerOutput::Bytes(bytes),
                (Raw::Link(server_link::LinkEvent::Received(bytes)), Way::Server(link)) => {
                    match link.received(bytes) {
                        Ok(words) => return PeerOutput::Bytes(words),
                        Err(error) => return PeerOutput::End(error.to_string()),
                    }
                }
                (Raw::Link(server_link::LinkEvent::Ended(Err(error))), _) => {
                    return PeerOutput::End(error.to_string());
                }
                (Raw::Link(server_link::LinkEvent::Ended(Ok(()))) | Raw::Ended, _) => {
                    return PeerOutput::End("it has closed the connection".to_owned());
                }
                (Raw::Link(_), _) => {}
            }
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        if let Way::Session(news) = &self.way {
            let _ = news.send(LocalEvent::End);
        }
    }
}

/// The first line of a client of the Checkers Protocol does not always tell what it speaks.
fn protocol(spoken: ClientProtocol) -> Protocol {
    match spoken {
        ClientProtocol::Checkers => Protocol::Checkers(Manners::default()),
        ClientProtocol::Xboard | ClientProtocol::Uci => Protocol::Auto,
    }
}

/// Passes on what is written to it.
struct Reporter<'a>(&'a Sender<Raw>);

impl Write for Reporter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let sent = self.0.send(Raw::Words(bytes.to_owned()));
        sent.map(|()| bytes.len()).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
