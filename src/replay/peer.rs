//! Whom a record is said to again: a session in this process, or a server.

use crate::connect::address::Address;
use crate::connect::dial::dial;
use crate::connect::link::{self, Link};
use crate::keys::Keys;
use crate::server::Setup;
use crate::server::local_session::{LocalEvent, LocalSession};
use crate::session::Profile;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Instant;

/// What comes of the other side.
#[derive(Debug, PartialEq, Eq)]
pub enum Told {
    /// It says this.
    Bytes(Vec<u8>),
    /// It says no more: why.
    End(String),
    /// Nothing, until the time was over.
    Nothing,
}

enum Raw {
    Words(Vec<u8>),
    Ended,
    Link(link::News),
}

enum Way {
    Session(Sender<LocalEvent>),
    Server(Link),
}

/// Somebody who speaks the engine's side of the protocol.
pub struct Peer {
    way: Way,
    reports: Receiver<Raw>,
}

impl Peer {
    /// A session in this process, as a server has it. It is not local: a record of somebody else must not reach the
    /// files of this machine.
    ///
    /// # Errors
    /// If there is no thread to be had.
    pub fn session(setup: Setup, named: Arc<BTreeMap<String, Arc<Profile>>>) -> io::Result<Peer> {
        let (reporter, reports) = channel();
        let (single, news) = LocalSession::new(setup, named);
        thread::Builder::new().name("session".to_owned()).spawn(move || {
            // Fails when nobody listens any more.
            let _ = single.run(&mut Reporter(&reporter), || ());
            let _ = reporter.send(Raw::Ended);
        })?;
        Ok(Peer { way: Way::Session(news), reports })
    }

    /// A server, which is shown these keys.
    ///
    /// # Errors
    /// If it cannot be reached.
    pub fn server(address: &Address, keys: &Keys) -> io::Result<Peer> {
        let (reporter, reports) = channel();
        let report = move |news| drop(reporter.send(Raw::Link(news)));
        let link = Link::start(0, address.clone(), dial(address, keys)?, report)?;
        Ok(Peer { way: Way::Server(link), reports })
    }

    /// Says this. What cannot be said is the end, which [`Peer::hear`] tells.
    pub fn say(&mut self, bytes: Vec<u8>) {
        match &mut self.way {
            Way::Session(news) => drop(news.send(LocalEvent::Bytes(bytes, Instant::now()))),
            Way::Server(link) => drop(link.send(&bytes)),
        }
    }

    /// Waits until it says something, or until then.
    pub fn hear(&mut self, until: Instant) -> Told {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let raw = match self.reports.recv_timeout(left) {
                Ok(raw) => raw,
                Err(RecvTimeoutError::Timeout) => return Told::Nothing,
                Err(RecvTimeoutError::Disconnected) => return Told::End("it is gone".to_owned()),
            };
            match (raw, &mut self.way) {
                (Raw::Words(bytes), _) => return Told::Bytes(bytes),
                (Raw::Link(link::News::Received(bytes)), Way::Server(link)) => match link.received(bytes) {
                    Ok(words) => return Told::Bytes(words),
                    Err(error) => return Told::End(error.to_string()),
                },
                (Raw::Link(link::News::Ended(Err(error))), _) => return Told::End(error.to_string()),
                (Raw::Link(link::News::Ended(Ok(()))) | Raw::Ended, _) => {
                    return Told::End("it has closed the connection".to_owned());
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

/// What is written to it is reported.
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
