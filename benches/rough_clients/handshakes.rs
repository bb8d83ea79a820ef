//! Ping times during TLS handshakes.
//!
//! A server signs as soon as it has a client's first message. So a thread repeatedly sends the same
//! message over many connections at once, waits for the answers and resets the connections: costly
//! for the server, cheap for the load generator.

use farboard::load::Plan;
use farboard::load::Report;
use farboard::load::connect_phase::ANSWER_TIMEOUT;
use farboard::load::runner::Runner;
use farboard::load::scenarios::pings::{Pings, with_ping};
use farboard::load::statistics::ratio;
use rustls::crypto::ring::default_provider;
use rustls::{ClientConfig, ClientConnection, RootCertStore};
use socket2::SockRef;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Sessions that are pinged.
pub const BYSTANDERS: usize = 10;
/// Concurrent handshakes by default.
pub const AT_ONCE: usize = 64;
/// Pause between an answer and the next ping.
const GAP: Duration = Duration::from_millis(1);
/// Pings per second of the plan.
const PER_SECOND: usize = 400;

/// Pings an idle server, then one that is busy with handshakes.
///
/// # Errors
/// The system fails to wait for events, or has no thread.
pub fn run(runner: &mut Runner, plan: &Plan, at_once: usize, report: &mut Report) -> io::Result<()> {
    let Some(&address) = runner.target.others.first() else {
        report.problem("the server has no listener with TLS");
        return Ok(());
    };
    let asked = runner.open(BYSTANDERS, report)?.clients;
    let count = plan.seconds.max(1) as usize * PER_SECOND;
    let pings = || Pings::new(with_ping(&asked), count, GAP, plan.lasting());
    let (mut quiet, mut busy) = (pings(), pings());
    runner.run(&mut quiet, plan.lasting(), report)?;
    let (began, handshakes) = (Instant::now(), Handshakes::begin(address, at_once)?);
    let outcome = runner.run(&mut busy, plan.lasting(), report);
    let done = handshakes.end();
    let took = began.elapsed().as_secs_f64();
    outcome?;

    report.count("handshakes at once", at_once);
    report.add("handshakes", ratio(done.answered as f64, took), "handshakes/s");
    report.add_times("ping", " of an idle server", &quiet.samples);
    report.add_times("ping", " during handshakes", &busy.samples);
    report.must_be_none("pings lost", quiet.lost + busy.lost);
    report.must_be_none("handshakes that failed", done.failed);
    Ok(())
}

/// Outcome of the handshakes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct HandshakeCounts {
    /// Connections that the server answered.
    pub answered: usize,
    /// Connections that the server closed or did not answer in time.
    pub failed: usize,
}

/// Handshakes that continue until [`end`](Handshakes::end).
pub struct Handshakes {
    end: Arc<AtomicBool>,
    thread: JoinHandle<HandshakeCounts>,
}

impl Handshakes {
    /// Starts `at_once` concurrent handshakes.
    ///
    /// # Errors
    /// The system has no thread for it.
    pub fn begin(address: SocketAddr, at_once: usize) -> io::Result<Handshakes> {
        let hello = client_hello().map_err(io::Error::other)?;
        let end = Arc::new(AtomicBool::new(false));
        let is_over = Arc::clone(&end);
        let body = move || {
            let mut done = HandshakeCounts::default();
            while !is_over.load(Ordering::Relaxed) {
                wave(address, at_once, &hello, &mut done);
            }
            done
        };
        let thread = thread::Builder::new().name("handshakes".to_owned()).spawn(body)?;
        Ok(Handshakes { end, thread })
    }

    /// Ends when the current handshakes are answered.
    pub fn end(self) -> HandshakeCounts {
        self.end.store(true, Ordering::Relaxed);
        self.thread.join().unwrap_or_default()
    }
}

/// One round of `at_once` connections.
fn wave(address: SocketAddr, at_once: usize, hello: &[u8], done: &mut HandshakeCounts) {
    let begin = || {
        let mut stream = TcpStream::connect_timeout(&address, ANSWER_TIMEOUT)?;
        // Without a reset, the ports would run out.
        SockRef::from(&stream).set_linger(Some(Duration::ZERO))?;
        stream.set_read_timeout(Some(ANSWER_TIMEOUT))?;
        stream.write_all(hello)?;
        Ok::<_, io::Error>(stream)
    };
    let begun: Vec<_> = (0..at_once).map(|_| begin()).collect();
    for stream in begun {
        match stream.and_then(|mut stream| stream.read(&mut [0; 64])) {
            Ok(count) if count > 0 => done.answered += 1,
            _ => done.failed += 1,
        }
    }
}

/// The first message of a client to an unknown server.
fn client_hello() -> Result<Vec<u8>, rustls::Error> {
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth();
    let name = "localhost"
        .try_into()
        .map_err(|_| rustls::Error::General("localhost is not a valid name".to_owned()))?;
    let mut connection = ClientConnection::new(Arc::new(config), name)?;
    let mut hello = Vec::new();
    // Writing to memory cannot block.
    while connection.wants_write() && connection.write_tls(&mut hello).is_ok() {}
    Ok(hello)
}
