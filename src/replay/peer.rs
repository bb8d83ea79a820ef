//! The other side of a replay: a session in this process, or a server.

use crate::auth::Keys;
use crate::server::Setup;
use crate::server::local_session::{LocalEvent, LocalSession};
use crate::session::checkers::Manners;
use crate::session::{Profile, Protocol};
use crate::shim::address::Address;
use crate::shim::client_protocol::ClientProtocol;
use crate::shim::server_link::{Link, LinkEvent};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Instant;

/// Output of the other side.
#[derive(Debug, PartialEq, Eq)]
pub enum PeerOutput {
    /// Bytes.
    Bytes(Vec<u8>),
    /// The end, for this reason.
    End(String),
    /// Nothing before the deadline.
    Nothing,
}

/// Report of a thread.
enum PeerReport {
    Output(Vec<u8>),
    Ended,
    Link(LinkEvent),
}

enum Transport {
    Session(Sender<LocalEvent>),
    Server(Link),
}

/// A session or a server.
pub struct Peer {
    transport: Transport,
    reports: Receiver<PeerReport>,
    /// Thread of the session in this process, which ends its hosted engines.
    thread: Option<JoinHandle<()>>,
}

impl Peer {
    /// Starts a session in this process, as on a server. It is not local: a foreign record must not
    /// access the files of this machine.
    ///
    /// # Errors
    /// The system has no thread for it.
    pub fn session(
        protocol: ClientProtocol,
        setup: Setup,
        named: Arc<BTreeMap<String, Arc<Profile>>>,
    ) -> io::Result<Peer> {
        let (reporter, reports) = channel();
        // The first line of a client of the Checkers Protocol does not always show the protocol.
        let protocol = match protocol {
            ClientProtocol::Checkers => Protocol::Checkers(Manners::default()),
            ClientProtocol::Xboard | ClientProtocol::Uci => Protocol::Auto,
        };
        let (session, events) = LocalSession::new(protocol, setup, named);
        let thread = thread::Builder::new().name("session".to_owned()).spawn(move || {
            // Both fail if the replay has ended.
            let _ = session.run(&mut Reporter(&reporter), || ());
            let _ = reporter.send(PeerReport::Ended);
        })?;
        Ok(Peer { transport: Transport::Session(events), reports, thread: Some(thread) })
    }

    /// Connects to a server.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub fn server(address: &Address, keys: &Keys) -> io::Result<Peer> {
        let (reporter, reports) = channel();
        let output = reporter.clone();
        let report = move |event| reporter.send(PeerReport::Link(event)).is_ok();
        let (link, early, reader) = Link::dial(address, keys, report.clone())?;
        // Cannot fail yet.
        let _ = output.send(PeerReport::Output(early));
        thread::Builder::new().name("reader".to_owned()).spawn(move || reader.run(report))?;
        Ok(Peer { transport: Transport::Server(link), reports, thread: None })
    }

    /// Sends bytes. If that fails, [`Peer::receive`] returns the end.
    pub fn send(&mut self, bytes: Vec<u8>) {
        match &mut self.transport {
            Transport::Session(events) => drop(events.send(LocalEvent::Bytes(bytes, Instant::now()))),
            Transport::Server(link) => link.send(&bytes),
        }
    }

    /// Waits for output until `until`.
    pub fn receive(&mut self, until: Instant) -> PeerOutput {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let report = match self.reports.recv_timeout(left) {
                Ok(report) => report,
                Err(RecvTimeoutError::Timeout) => return PeerOutput::Nothing,
                Err(RecvTimeoutError::Disconnected) => return PeerOutput::End("it has exited".to_owned()),
            };
            match (report, &mut self.transport) {
                (PeerReport::Output(bytes), _) => return PeerOutput::Bytes(bytes),
                (PeerReport::Link(LinkEvent::Received(bytes)), Transport::Server(link)) => {
                    return match link.received(bytes) {
                        Ok(bytes) => PeerOutput::Bytes(bytes),
                        Err(error) => PeerOutput::End(error.to_string()),
                    };
                }
                (PeerReport::Link(LinkEvent::Ended(Err(error))), _) => {
                    return PeerOutput::End(error.to_string());
                }
                (PeerReport::Link(LinkEvent::Ended(Ok(()))) | PeerReport::Ended, _) => {
                    return PeerOutput::End("it has closed the connection".to_owned());
                }
                (PeerReport::Link(_), _) => {}
            }
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        if let Transport::Session(events) = &self.transport {
            let _ = events.send(LocalEvent::End);
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Writer that reports every write.
struct Reporter<'a>(&'a Sender<PeerReport>);

impl Write for Reporter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let sent = self.0.send(PeerReport::Output(bytes.to_owned()));
        sent.map(|()| bytes.len()).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
