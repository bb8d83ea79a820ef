//! Silent connections that occupy the slots of a listener with a secret, beside clients that know
//! the secret.

use farboard::auth::{Keys, Secret};
use farboard::load::Plan;
use farboard::load::Report;
use farboard::load::phase::{Actions, ClientEvent, ClientId, Phase};
use farboard::load::runner::Runner;
use farboard::load::statistics::{Samples, ratio};
use farboard::shim::dial::admit;
use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Silent connections by default: more than a new server has slots.
pub const SESSIONS: usize = 550;
/// Clients per second that know the secret.
const PER_SECOND: u32 = 50;
/// Timeout of a client that knows the secret.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The secret of server and clients.
const SECRET: &[u8] = b"what farboard load tells its server alone";

/// A file with the secret, for a new server. Removed when dropped.
pub struct SecretFile(PathBuf);

impl SecretFile {
    /// Writes the file.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn new() -> io::Result<SecretFile> {
        use std::os::unix::fs::OpenOptionsExt;
        let path = std::env::temp_dir().join(format!("farboard-load-{}.secret", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        file.write_all(SECRET)?;
        Ok(SecretFile(path))
    }

    /// Flags for the server.
    pub fn flags(&self) -> [String; 2] {
        ["--secret-file".to_owned(), self.0.display().to_string()]
    }
}

impl Drop for SecretFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Opens silent connections, and clients with the secret beside them.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(runner: &mut Runner, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let mut strangers = Strangers::new(plan.sessions_or(SESSIONS), plan.lasting());
    let (address, lasting) = (runner.target.address, plan.lasting());
    let knowing = std::thread::Builder::new().name("knowing".to_owned());
    let knowing = knowing.spawn(move || come(address, lasting))?;
    runner.run(&mut strangers, lasting, report)?;
    let Ok((times, mut failures)) = knowing.join() else {
        report.problem("no client with the secret was measured");
        return Ok(());
    };
    let came = times.len() as usize + failures.len();
    report.count("silent connections at one time", plan.sessions_or(SESSIONS));
    report.add("strangers", ratio(strangers.came as f64, lasting.as_secs_f64()), "connections/s");
    report.count("clients that know the secret", came);
    report.add("of these accepted", ratio(times.len() as f64 * 100.0, came as f64), "%");
    report.add("until the first answer p50", times.percentile(50.0), "ms");
    report.add("until the first answer p99", times.percentile(99.0), "ms");
    if failures.len() * 100 > came {
        report.problems.extend(failures.drain(..).take(3));
        report.problem("more than 1 % of the clients that know the secret were refused");
    }
    Ok(())
}

/// Connects clients one after another. Returns the time to each first answer, and the reasons of
/// failures.
fn come(address: SocketAddr, lasting: Duration) -> (Samples, Vec<String>) {
    let (mut times, mut failures) = (Samples::default(), Vec::new());
    let end = Instant::now() + lasting;
    while Instant::now() < end {
        let began = Instant::now();
        match first_answer(address) {
            Ok(()) => times.add(began.elapsed()),
            Err(error) => failures.push(error.to_string()),
        }
        let pause = (Duration::from_secs(1) / PER_SECOND).saturating_sub(began.elapsed());
        std::thread::sleep(pause);
    }
    (times, failures)
}

fn first_answer(address: SocketAddr) -> io::Result<()> {
    let keys = Keys { secret: Some(Secret::new(SECRET).map_err(io::Error::other)?), ..Keys::default() };
    let mut stream = TcpStream::connect_timeout(&address, CONNECT_TIMEOUT)?;
    admit(&mut stream, "localhost", &keys)?;
    stream.set_read_timeout(Some(CONNECT_TIMEOUT))?;
    stream.write_all(b"ping 1\n")?;
    let mut line = String::new();
    BufReader::new(&stream).read_line(&mut line)?;
    if line == "pong 1\n" { Ok(()) } else { Err(io::Error::other(format!("no answer but {line:?}"))) }
}

/// Silent connections, reopened when closed.
pub struct Strangers {
    count: usize,
    lasting: Duration,
    end: Option<Instant>,
    here: BTreeSet<ClientId>,
    /// Connections opened so far.
    pub came: usize,
    over: bool,
}

impl Strangers {
    /// `count` connections at a time, for `lasting`.
    pub fn new(count: usize, lasting: Duration) -> Strangers {
        Strangers { count, lasting, end: None, here: BTreeSet::new(), came: 0, over: false }
    }

    fn come(&mut self, actions: &mut Actions) {
        self.here.insert(actions.open());
        self.came += 1;
    }
}

impl Phase for Strangers {
    fn on_event(&mut self, id: ClientId, event: ClientEvent<'_>, _: Instant, actions: &mut Actions) {
        if matches!(event, ClientEvent::Closed(_)) && self.here.remove(&id) {
            self.come(actions);
        }
    }

    fn tick(&mut self, now: Instant, actions: &mut Actions) -> Option<Instant> {
        if self.end.is_none() {
            (0..self.count).for_each(|_| self.come(actions));
        }
        let end = *self.end.get_or_insert(now + self.lasting);
        self.over = now >= end;
        Some(end)
    }

    fn is_over(&self) -> bool {
        self.over
    }
}
