//! Clients that say without end what costs a server much, and how long others wait meanwhile.

use super::idle::{Answers, answering};
use crate::load::disturbance::{Flood, Manner};
use crate::load::phases::Pings;
use crate::load::plan::Plan;
use crate::load::report::Report;
use crate::load::stage::Stage;
use std::io;
use std::time::{Duration, Instant};

/// Clients that flood, if the plan says nothing.
pub const SESSIONS: usize = 50;
/// Bystanders, who are asked in turn.
pub const ASKED: usize = 4;
/// Between an answer and the next question.
const GAP: Duration = Duration::from_millis(5);
/// Questions in a second at most.
const EACH_SECOND: usize = 200;
/// How long a server may go on with what was sent by clients that are gone.
const SETTLING: Duration = Duration::from_secs(30);

/// What is said without end: a name, how it begins, and what follows again and again.
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

/// Asks bystanders during one flood after another, and waits after each until the server is idle.
///
/// # Errors
/// The system fails to wait for events, or has no more connections.
pub fn run(stage: &mut Stage, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let flooders = plan.sessions_or(SESSIONS);
    let guests = stage.open(ASKED, report)?.guests;
    let lasting = plan.lasting() / FLOODS.len() as u32;
    let count = (lasting.as_secs_f64() * EACH_SECOND as f64) as usize;
    report.count("clients that flood", flooders);
    for (name, first, again) in FLOODS {
        let flood = Flood::begin(stage.target.address, flooders, first, again, Manner::Reads)?;
        let mut pings = Pings::new(answering(&guests), count.max(1), GAP, lasting);
        stage.run(&mut pings, lasting, report)?;
        let sent = flood.sent() as f64 / lasting.as_secs_f64() / f64::from(1 << 20);
        drop(flood);
        let idle = idle_after(stage);
        let answers = Answers::of(&mut pings);
        answers.tell(&format!("beside {name}"), report);
        report.add(format!("sent of {name}"), sent, "MiB/s");
        report.add(format!("idle after {name}"), idle.map(|time| time.as_secs_f64()), "s");
        if stage.target.is_ours() && idle.is_none() {
            report.problem(format!("the server goes on with {name} of clients that are gone"));
        }
        report.must_be_none(&format!("pings lost beside {name}"), answers.lost);
    }
    Ok(())
}

/// How long it takes until only the bystanders are there, and nothing is searched; `None` if that is not seen.
fn idle_after(stage: &Stage) -> Option<Duration> {
    let began = Instant::now();
    while began.elapsed() < SETTLING {
        let overview = stage.target.snapshot()?.overview;
        if overview.sessions <= ASKED && overview.searches.values().sum::<usize>() == 0 {
            return Some(began.elapsed());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    None
}
