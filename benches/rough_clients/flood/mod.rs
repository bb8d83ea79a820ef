//! Ping times beside clients that flood the server with costly commands.

pub mod deaf;
mod flooders;

use farboard::load::Plan;
use farboard::load::Report;
use farboard::load::runner::Runner;
use farboard::load::scenarios::pings::{Pings, with_ping};
use flooders::{Flood, ReadMode};
use std::io;
use std::time::{Duration, Instant};

/// Clients that flood, by default.
pub const SESSIONS: usize = 50;
/// Sessions that are pinged in turn.
pub const BYSTANDERS: usize = 4;
/// Pause between an answer and the next ping.
const GAP: Duration = Duration::from_millis(5);
/// Maximum number of pings per second.
const PER_SECOND: usize = 200;
/// Time in which a server must drop the commands of disconnected clients.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(30);

/// The floods: a name, the first commands, and the repeated ones.
const FLOODS: [(&str, &str, &str); 4] = [
    ("force", "xboard\nnew\n", "force\n"),
    ("go, force", "xboard\nnew\npost\n", "go\nforce\n"),
    ("exclude, include", "xboard\nnew\npost\nanalyze\n", "exclude e2e4\ninclude e2e4\n"),
    (
        "setboard",
        "xboard\nnew\npost\nanalyze\n",
        "setboard rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\
         setboard rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n",
    ),
];

/// Pings bystanders during one flood after another, and waits after each until the server is idle.
///
/// # Errors
/// The system fails to wait for events, or has no more connections.
pub fn run(runner: &mut Runner, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let flooders = plan.sessions_or(SESSIONS);
    let clients = runner.open(BYSTANDERS, report)?.clients;
    let lasting = plan.lasting() / FLOODS.len() as u32;
    let count = (lasting.as_secs_f64() * PER_SECOND as f64) as usize;
    report.count("clients that flood", flooders);
    for (name, first, again) in FLOODS {
        let flood = Flood::begin(runner.target.address, flooders, first, again, ReadMode::Discard)?;
        let mut pings = Pings::new(with_ping(&clients), count.max(1), GAP, lasting);
        runner.run(&mut pings, lasting, report)?;
        let sent = flood.sent() as f64 / lasting.as_secs_f64() / f64::from(1 << 20);
        drop(flood);
        let idle = idle_after(runner);
        report.add_times("ping", &format!(" beside {name}"), &pings.samples);
        report.add(format!("sent of {name}"), sent, "MiB/s");
        report.add(format!("idle after {name}"), idle.map(|time| time.as_secs_f64()), "s");
        if runner.target.is_own() && idle.is_none() {
            report.problem(format!("the server still executes {name} of disconnected clients"));
        }
        report.must_be_none(&format!("pings lost beside {name}"), pings.lost);
    }
    Ok(())
}

/// Time until only the bystanders are left and nothing is searched; `None` after a timeout.
fn idle_after(runner: &Runner) -> Option<Duration> {
    let began = Instant::now();
    while began.elapsed() < SETTLE_TIMEOUT {
        let overview = runner.target.snapshot()?.overview;
        if overview.sessions <= BYSTANDERS && overview.searches.values().sum::<usize>() == 0 {
            return Some(began.elapsed());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    None
}
