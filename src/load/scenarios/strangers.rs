//! Strangers who take up the places in front of a door that asks for a secret, and those who know it.

use crate::connect::opened::Opened;
use crate::keys::{Keys, Secret};
use crate::load::phases::Strangers;
use crate::load::plan::Plan;
use crate::load::report::Report;
use crate::load::stage::Stage;
use crate::load::statistics::{Samples, ratio};
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Strangers, if the plan says nothing: more than a server of ours has places for.
pub const SESSIONS: usize = 550;
/// How often somebody comes in a second who knows the secret.
const EACH_SECOND: u32 = 50;
/// How long those are waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// What server and clients know.
const SECRET: &[u8] = b"what farboard load tells its server alone";

/// A file with the secret, for a server of our own. Removed when dropped.
pub struct SecretFile(PathBuf);

impl SecretFile {
    /// Writes it.
    ///
    /// # Errors
    /// There is no place for it.
    pub fn new() -> io::Result<SecretFile> {
        use std::os::unix::fs::OpenOptionsExt;
        let path = std::env::temp_dir().join(format!("farboard-load-{}.secret", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        file.write_all(SECRET)?;
        Ok(SecretFile(path))
    }

    /// What the server is to be given.
    pub fn flags(&self) -> [String; 2] {
        ["--secret-file".to_owned(), self.0.display().to_string()]
    }
}

impl Drop for SecretFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Lets both come.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(stage: &mut Stage, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let mut strangers = Strangers::new(plan.sessions_or(SESSIONS), plan.lasting());
    let (address, lasting) = (stage.target.address, plan.lasting());
    let knowing = std::thread::Builder::new().name("knowing".to_owned());
    let knowing = knowing.spawn(move || come(address, lasting))?;
    stage.run(&mut strangers, lasting, report)?;
    let Ok((mut times, mut failures)) = knowing.join() else {
        report.problem("those who know the secret were not measured");
        return Ok(());
    };
    let came = times.len() + failures.len();
    report.count("strangers at one time", plan.sessions_or(SESSIONS));
    report.add("strangers", ratio(strangers.came as f64, lasting.as_secs_f64()), "connections/s");
    report.count("clients that know the secret", came);
    report.add("of these let in", ratio(times.len() as f64 * 100.0, came as f64), "%");
    report.add("until the first answer p50", times.percentile(50.0), "ms");
    report.add("until the first answer p99", times.percentile(99.0), "ms");
    if failures.len() * 100 > came {
        report.problems.extend(failures.drain(..).take(3));
        report.problem("more than one of a hundred that know the secret was kept out");
    }
    Ok(())
}

/// One after another; how long each took to its first answer, or why there was none.
fn come(address: SocketAddr, lasting: Duration) -> (Samples, Vec<String>) {
    let (mut times, mut failures) = (Samples::default(), Vec::new());
    let end = Instant::now() + lasting;
    while Instant::now() < end {
        let began = Instant::now();
        match first_answer(address) {
            Ok(()) => times.add(began.elapsed()),
            Err(error) => failures.push(error.to_string()),
        }
        let pause = (Duration::from_secs(1) / EACH_SECOND).saturating_sub(began.elapsed());
        std::thread::sleep(pause);
    }
    (times, failures)
}

fn first_answer(address: SocketAddr) -> io::Result<()> {
    let keys = Keys { secret: Some(Secret::new(SECRET).map_err(io::Error::other)?), tls: None };
    let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    let mut opened = Opened::new(stream, "localhost", &keys)?;
    opened.stream.set_read_timeout(Some(PATIENCE))?;
    opened.stream.write_all(b"ping 1\n")?;
    let mut line = String::new();
    BufReader::new(&opened.stream).read_line(&mut line)?;
    if line == "pong 1\n" { Ok(()) } else { Err(io::Error::other(format!("no answer but {line:?}"))) }
}
