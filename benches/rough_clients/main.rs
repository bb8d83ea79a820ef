//! The cost of rough clients to a server and its other clients. A scenario fails if anything is
//! lost, starved or leaked.
//!
//! ```sh
//! cargo bench --bench rough_clients -- churn --connections 1000000
//! cargo bench --bench rough_clients -- --help
//! cargo test --bench rough_clients                       # all scenarios for a moment
//! ```

mod churn;
mod flood;
mod handshakes;
mod neighbours;
mod scroll;
mod start;
mod strangers;
mod tls_files;

use clap::{Parser, ValueEnum};
use farboard::load::target::{Capacity, TargetError};
use farboard::load::{self, LoadError, Plan, Report};
use flood::deaf;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use strangers::SecretFile;
use tls_files::TlsFiles;

/// The behaviour of the clients.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Scenario {
    /// A game alone, and beside many fast games from another address, which have one share together
    Neighbours,
    /// Users who scroll through games in an analysis, a hundred positions a second, and stop
    Scroll,
    /// Ping times during TLS handshakes
    Handshakes,
    /// Connections that come and go in every way, and what they leave behind
    Churn,
    /// Ping times beside clients that flood the server with costly commands
    Flood,
    /// Clients that send many commands and read nothing: memory of the server, and ping times of
    /// others
    Deaf,
    /// Silent connections to a listener with a secret, and clients that know the secret
    Strangers,
    /// Nodes of a server's first half second, and of half a second later
    Start,
}

#[derive(Parser)]
struct Arguments {
    /// The behaviour of the clients
    scenario: Scenario,
    #[command(flatten)]
    options: Options,
}

#[derive(Parser)]
struct Options {
    /// Total connections of `churn`, or concurrent handshakes of `handshakes` [default: 10000 and
    /// 64]
    #[arg(long, value_name = "N")]
    connections: Option<NonZeroUsize>,
    /// Certificate and key for `handshakes` [default: RSA with 4096 bits, made by `openssl`]
    #[arg(long, value_name = "FILE", conflicts_with = "server")]
    tls_file: Option<PathBuf>,
    #[command(flatten)]
    plan: Plan,
}

/// The program whose server is measured.
const FARBOARD: &str = env!("CARGO_BIN_EXE_farboard");

/// All scenarios for a moment, with flags that make them short.
const MOMENTS: [(Scenario, &str); 8] = [
    (Scenario::Neighbours, "--games 6 --seconds 2 --table 4 --clock 20+0.1"),
    (Scenario::Scroll, "--sessions 20 --seconds 1 --table 1"),
    (Scenario::Handshakes, "--connections 8 --seconds 1 --table 1 --tls-file tests/data/rsa-4096.pem"),
    (Scenario::Churn, "--connections 800 --sessions 8 --seconds 1 --table 1"),
    (Scenario::Flood, "--sessions 5 --seconds 1 --table 4"),
    (Scenario::Deaf, "--sessions 5 --seconds 2 --table 4"),
    (Scenario::Strangers, "--sessions 600 --seconds 1 --table 4"),
    (Scenario::Start, "--sessions 3 --seconds 1 --table 64"),
];

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().collect();
    let is_bench = arguments.iter().any(|argument| argument == "--bench");
    arguments.retain(|argument| argument != "--bench");
    let good = if is_bench {
        let Arguments { scenario, options } = Arguments::parse_from(arguments);
        shown(scenario, &options)
    } else {
        test(&arguments[1..])
    };
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs for a moment the scenarios whose names contain one of these words, or all. Returns true if
/// there were no problems.
fn test(arguments: &[String]) -> bool {
    let mut filters = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if matches!(argument.as_str(), "--test-threads" | "--skip" | "--format" | "--color") {
            arguments.next();
        } else if !argument.starts_with('-') {
            filters.push(argument);
        }
    }
    let mut good = true;
    for (scenario, flags) in MOMENTS {
        let name = format!("{scenario:?}").to_lowercase();
        if filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str())) {
            let options = Options::parse_from(std::iter::once("moment").chain(flags.split(' ')));
            good &= shown(scenario, &options);
        }
    }
    good
}

/// Runs a scenario and prints its report. Returns true if there were no problems.
fn shown(scenario: Scenario, options: &Options) -> bool {
    match run(scenario, options) {
        Ok(report) => {
            print!("{}", report.table());
            report.problems.is_empty()
        }
        Err(error) => {
            eprintln!("{scenario:?}: {}", farboard::config::with_causes(&error));
            false
        }
    }
}

fn run(scenario: Scenario, options: &Options) -> Result<Report, LoadError> {
    let mut plan = options.plan.clone();
    let connections = |default: usize| options.connections.map_or(default, NonZeroUsize::get);
    let sessions = |default| options.plan.sessions_or(default);
    let capacity = |sessions, searches| Capacity { sessions, searches };
    let program = Path::new(FARBOARD);
    match scenario {
        Scenario::Neighbours => {
            if !plan.serve.iter().any(|flag| flag.starts_with("--share-by")) {
                plan.serve.extend(["--share-by", "address"].map(str::to_owned));
            }
            let games = plan.games_or(neighbours::GAMES);
            load::measure(
                "neighbours",
                capacity(2 + 2 * games, 2 * (1 + games)),
                &plan,
                program,
                neighbours::run,
            )
        }
        Scenario::Scroll => {
            let count = sessions(scroll::SESSIONS);
            load::measure("scroll", capacity(count, count), &plan, program, scroll::run)
        }
        Scenario::Handshakes => {
            let count = connections(handshakes::AT_ONCE);
            let files = TlsFiles::make(options.tls_file.as_deref()).map_err(TargetError::Start)?;
            plan.serve.extend(files.flags(count));
            let run = |runner: &mut _, plan: &_, report: &mut _| handshakes::run(runner, plan, count, report);
            load::measure("handshakes", capacity(handshakes::BYSTANDERS + count, 0), &plan, program, run)
        }
        Scenario::Churn => {
            let count = connections(churn::CONNECTIONS);
            let room = churn::capacity(&plan, count);
            let run = |runner: &mut _, plan: &_, report: &mut _| churn::run(runner, plan, count, report);
            load::measure("churn", capacity(room, 0), &plan, program, run)
        }
        Scenario::Flood => {
            let count = sessions(flood::SESSIONS);
            load::measure("flood", capacity(flood::BYSTANDERS + 2 * count, count), &plan, program, flood::run)
        }
        Scenario::Deaf => {
            let room = deaf::BYSTANDERS + 2 * sessions(deaf::SESSIONS);
            load::measure("deaf", capacity(room, 0), &plan, program, deaf::run)
        }
        Scenario::Strangers => {
            let file = SecretFile::new().map_err(TargetError::Start)?;
            plan.serve.extend(file.flags());
            let room = 2 * sessions(strangers::SESSIONS);
            load::measure("strangers", capacity(room, 0), &plan, program, strangers::run)
        }
        Scenario::Start => {
            let room = capacity(start::capacity(&plan), start::sessions(&plan));
            load::measure("start", room, &plan, program, start::run)
        }
    }
}
