//! The chess engine server. `farboard --help` says how to use it.

mod measure;

use clap::{Parser, Subcommand};
use farboard::config::{Config, Settings};
use farboard::connect;
use farboard::pool::engine;
use farboard::search::Table;
use farboard::server::{self, Server, Setup};
use log::LevelFilter;
use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::process::ExitCode;

/// A chess engine server: every TCP connection gets its own xboard engine
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: Settings,
}

#[derive(Subcommand)]
enum Command {
    /// Serve many sessions over TCP (the default)
    Serve(Settings),
    /// Serve one session on standard input and output, as an ordinary xboard engine
    Stdio(Settings),
    /// Play on a server: what farboard-connect does, where only this program is at hand
    Connect(connect::arguments::Arguments),
    /// Count the leaves of the tree of legal moves
    Perft(measure::Perft),
    /// Search fixed positions: the node count is the checksum of the engine's behaviour
    Bench(measure::Bench),
}

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> ExitCode {
    let words = connect::arguments::as_meant(std::env::args_os());
    let Arguments { command, serve } = match Arguments::try_parse_from(&words) {
        Ok(arguments) => arguments,
        // A GUI has started it, and must be told in its own way.
        Err(error) if words.get(1).is_some_and(|word| word == "connect") => {
            return connect::arguments::explain(&error);
        }
        Err(error) => error.exit(),
    };
    let outcome = match command.unwrap_or(Command::Serve(serve)) {
        Command::Connect(arguments) => return connect::run(&arguments),
        Command::Serve(settings) => run_server(settings),
        Command::Stdio(settings) => run_stdio(settings),
        Command::Perft(arguments) => measure::perft(&arguments),
        Command::Bench(arguments) => measure::bench(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("farboard: {}", with_causes(error.as_ref()));
            ExitCode::from(if error.is::<farboard::config::ConfigError>() { 2 } else { 1 })
        }
    }
}

fn run_server(settings: Settings) -> Outcome {
    let config = settings.with_file()?.resolve()?;
    start_log(config.log);
    server::warn_of_few_descriptors(config.max_sessions);
    let addresses = config.listen.iter().map(|listen| listen.address);
    let listeners = addresses.map(server::bind).collect::<Result<Vec<_>, _>>()?;
    let mut server = Server::new(listeners, setup(&config)?)?;
    server.watch_signals()?;
    let (program, directory) = (std::env::current_exe()?, std::env::current_dir()?);
    let banner = server::banner(&config, &server.addresses()?, &program, &directory);
    // Whoever has closed our output does not want to read it.
    let _ = std::io::stdout().write_all(banner.as_bytes());
    Ok(server.run()?)
}

fn run_stdio(mut settings: Settings) -> Outcome {
    settings = settings.with_file()?;
    // GUIs show what an engine writes to stderr as if it were part of the game.
    settings.log = settings.log.or(Some(LevelFilter::Error));
    let config = settings.resolve()?;
    start_log(config.log);
    Ok(server::stdio::serve(setup(&config)?)?)
}

fn setup(config: &Config) -> std::io::Result<Setup> {
    Ok(Setup::new(config, engine(Table::new(config.table)?), RandomState::new().hash_one(0)))
}

fn start_log(level: LevelFilter) {
    env_logger::Builder::new().filter_level(level).format_target(false).init();
}

fn with_causes(error: &dyn Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}\n  because: {}", with_causes(cause)),
        None => error.to_string(),
    }
}
