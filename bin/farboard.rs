//! The chess engine server.

// These macros panic if the terminal or the reader has closed: see `output`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

#[cfg(not(unix))]
compile_error!(
    "the server needs a system like Unix; build the shim with: cargo build --no-default-features --bin farboard-connect"
);

mod admin;
mod bench;
mod book;
mod check;
mod control_socket;
mod endgames;
mod keygen;
#[cfg(feature = "load")]
mod load;
mod man_pages;
#[cfg(feature = "matches")]
mod matches;

mod output;
mod replay;
mod sessions;
mod short_help;
mod started_by;
mod top;
#[cfg(feature = "training")]
mod train;
mod with_net;

use clap::{CommandFactory, Parser, Subcommand};
use farboard::config::{self, Config, ConfigError, Count, Listen, Settings, with_causes};
use farboard::engines::run_launched;
use farboard::hosting::Hosts;
use farboard::logging::{self, LogFilter, LogFormat};
use farboard::pool::{SearchFn, engine, engine_of_one_session};
use farboard::protocol::checkers::Dialect;
use farboard::protocol::xboard;
use farboard::search::{SizedTable, Table};
use farboard::server::control::{ControlError, ControlPaths};
use farboard::server::reload::ReloadedConfig;
use farboard::server::{self, BindError, InheritError, InheritedSockets, Server, Setup};
use farboard::session::checkers::{Manners, Orientation};
use farboard::session::{Profile, Protocol};
use farboard::shim;
use log::LevelFilter;
use output::report_error;
use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::io::{ErrorKind, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use with_net::WithNet;

/// A chess engine server: every TCP connection gets an engine of its own, for xboard, UCI and the
/// Checkers Protocol
#[derive(Parser)]
#[command(name = "farboard", version, args_conflicts_with_subcommands = true, after_long_help = config::LOG_LEVELS)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: Settings,
}

#[derive(Subcommand)]
enum Command {
    /// Serve many sessions over TCP (the default)
    #[command(mut_args = config::in_short, after_long_help = config::LOG_LEVELS)]
    Serve(Settings),
    /// Serve one session on standard input and output, as an engine for a GUI (xboard, UCI,
    /// checkers)
    #[command(mut_args = config::of_one_session, after_long_help = config::LOG_LEVELS)]
    Stdio(StdioArguments),
    /// Check a configuration without starting: the file and the keys, users, books and engines it
    /// names
    #[command(mut_args = config::in_short, after_long_help = config::LOG_LEVELS)]
    Check(Settings),
    /// Play on a server, like farboard-connect
    Connect(shim::arguments::Arguments),
    /// List the sessions of a running server
    Sessions(sessions::Arguments),
    /// Watch a running server: sessions and searches, live
    Top(top::Arguments),
    /// End sessions of a running server
    Kick(admin::Kick),
    /// Show a message to users of a running server
    Message(admin::Message),
    /// Make a running server refuse new sessions
    Drain(admin::Drain),
    /// Accept new sessions again
    Undrain(admin::Undrain),
    /// Change a user's or an address's share of the cores
    Weight(admin::Weight),
    /// Replay a session recorded by farboard-connect and compare the answers
    #[command(
        after_help = "Exit code: 0 if all answers agree, 1 if some differ, 2 if nothing could be replayed"
    )]
    Replay(replay::Arguments),
    /// Show the moves of an opening book in a position
    Book(book::Arguments),
    /// Solve the endgames of English draughts and write them to files
    Endgames(endgames::Arguments),
    /// Generate a named user's key and print the line for the server's file of users
    Keygen(keygen::Arguments),
    /// Load-test a server: sessions, pings, analyses, games
    #[cfg(feature = "load")]
    Load(farboard::load::LoadArguments),
    /// Count the leaves of the tree of legal moves
    Perft(bench::Perft),
    /// Search fixed positions: the node count is a checksum of the engine's behaviour
    Bench(WithNet<bench::Bench>),
    /// Play a match between two engines and estimate their difference in strength
    #[cfg(feature = "matches")]
    Match(WithNet<farboard::matches::Plan>),
    /// Generate even start positions for matches, after random plies
    #[cfg(feature = "matches")]
    Openings(farboard::matches::openings::OpeningsArguments),
    /// Play games of a variant against itself, for `train`
    #[cfg(feature = "training")]
    Generate(farboard::training::GenerateArguments),
    /// Describe files of games made by `generate`: origin, draws, lengths, scores
    #[cfg(feature = "training")]
    Games(train::Games),
    /// Train a net on games, the same on every machine
    #[cfg(feature = "training")]
    Train(farboard::training::net::TrainArguments),
    /// Write manual pages
    Man(man_pages::Man),
    /// Generate shell completions
    Completions(man_pages::Completions),
}

#[derive(clap::Args)]
struct StdioArguments {
    /// Seconds per move until the GUI sets a time; xboard appends them for a fixed time per move
    #[arg(value_name = "SECONDS", value_parser = seconds)]
    move_time: Option<Duration>,
    /// Protocol: auto (decided by the first line, else xboard), xboard, uci, checkers or web
    #[arg(long, value_name = "PROTOCOL", default_value = "auto")]
    protocol: Protocol,
    /// Dialect of the Checkers Protocol: seed (August 2024) or late (since October 2024)
    #[arg(long, value_name = "DIALECT", default_value = "seed")]
    dialect: Dialect,
    /// Numbering of squares in the Checkers Protocol: auto, pdn (Black on 1 to 12) or rotated
    #[arg(long, value_name = "WAY", default_value = "auto")]
    orientation: Orientation,
    #[command(flatten)]
    settings: Settings,
}

/// Parses a time as in the command `st` (protocol 1, section 13).
fn seconds(text: &str) -> Result<Duration, String> {
    match xboard::Command::parse(format!("st {text}").as_bytes()) {
        Ok(xboard::Command::St(time)) => Ok(time),
        Ok(_) => Err("not a number of seconds".to_owned()),
        Err(error) => Err(error.problem.to_string()),
    }
}

type Outcome = Result<(), Box<dyn Error>>;

/// Exit code for a wrong configuration or command line.
const WRONG: u8 = 2;
/// Exit code for an address that cannot be opened, `EX_UNAVAILABLE` of `sysexits.h`.
const TAKEN: u8 = 69;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    if let Some(error) = run_launched(&arguments) {
        report_error(&format!("the engine cannot be started: {error}"));
        return ExitCode::FAILURE;
    }
    let words = shim::arguments::without_empty_end(std::env::args_os());
    if started_by::is_gui(&words) {
        return started_by::explain_to_gui();
    }
    if short_help::is_wanted(&words) {
        output::print(&short_help::text());
        return ExitCode::SUCCESS;
    }
    let Arguments { command, serve } = match Arguments::try_parse_from(&words) {
        Ok(arguments) => arguments,
        // A GUI has started it and needs the error in its protocol.
        Err(error) if words.get(1).is_some_and(|word| word == "connect") => {
            return shim::arguments::explain(&error, words);
        }
        Err(error) => error.exit(),
    };
    let outcome = match command.unwrap_or(Command::Serve(serve)) {
        Command::Connect(arguments) => return shim::run(&arguments),
        Command::Replay(arguments) => return replay::run(&arguments),
        Command::Serve(settings) => run_server(settings),
        Command::Check(settings) => check::check(settings),
        Command::Stdio(arguments) => run_stdio(arguments),
        Command::Sessions(arguments) => sessions::show(&arguments),
        Command::Top(arguments) => top::show(&arguments),
        Command::Kick(arguments) => admin::kick(arguments),
        Command::Message(arguments) => admin::message(arguments),
        Command::Drain(arguments) => admin::drain(&arguments),
        Command::Undrain(arguments) => admin::undrain(&arguments),
        Command::Weight(arguments) => admin::set_weight(arguments),
        Command::Book(arguments) => book::show(&arguments),
        #[cfg(feature = "load")]
        Command::Load(plan) => match load::measure(&plan) {
            Ok(true) => Ok(()),
            Ok(false) => return ExitCode::FAILURE,
            Err(error) => Err(error),
        },
        Command::Endgames(arguments) => endgames::make(&arguments),
        Command::Keygen(arguments) => keygen::make(&arguments),
        Command::Perft(arguments) => bench::perft(&arguments),
        Command::Bench(arguments) => arguments.load().and_then(|arguments| bench::bench(&arguments)),
        #[cfg(feature = "matches")]
        Command::Match(plan) => plan.load().and_then(|plan| matches::play(&plan)),
        #[cfg(feature = "matches")]
        Command::Openings(arguments) => matches::print_openings(&arguments),
        #[cfg(feature = "training")]
        Command::Generate(arguments) => train::play(&arguments),
        #[cfg(feature = "training")]
        Command::Games(arguments) => train::print_census(&arguments),
        #[cfg(feature = "training")]
        Command::Train(arguments) => train::train_net(&arguments),
        Command::Man(arguments) => man_pages::write_manual(&arguments, Arguments::command()),
        Command::Completions(arguments) => man_pages::print_completions(&arguments, Arguments::command()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report_error(&with_causes(error.as_ref()));
            ExitCode::from(exit_code(error.as_ref()))
        }
    }
}

/// Returns an exit code that shows a service manager whether a restart can succeed without a change
/// of the configuration.
fn exit_code(error: &(dyn Error + 'static)) -> u8 {
    match error.downcast_ref::<BindError>() {
        // The address may exist once a network is up.
        Some(error) if error.error.kind() == ErrorKind::AddrNotAvailable => 1,
        Some(_) => TAKEN,
        None if error.is::<ConfigError>() || error.is::<InheritError>() || error.is::<ControlError>() => {
            WRONG
        }
        None => 1,
    }
}

fn run_server(settings: Settings) -> Outcome {
    if settings.end_with_parent {
        server::end_with_parent()?;
    }
    let inherited = InheritedSockets::from_environment()?;
    let settings = with_environment(settings)?;
    let mut config = settings.clone().with_file()?.resolve()?;
    let _log = start_log(&config.log, config.log_format)?;
    server::log_panics();
    server::provide_descriptors(&config);
    let inherited = inherited.matched_to(&config.listen)?;
    // Before opening ports: a mistake is more likely here, and is reported even if a port is taken.
    match farboard::engines::remove_abandoned_homes() {
        0 => {}
        count => log::info!("engine directories left by a killed server removed: {count}"),
    }
    let engines = Arc::new(hosts());
    let initial = ReloadedConfig::new(&config, &engines)?;
    let archive = config.open_archive()?;
    let state_key = config.open_state_key()?;
    let (sockets, inherited): (Vec<_>, Vec<_>) =
        open_sockets(&mut config.listen, inherited)?.into_iter().unzip();
    let http = open_http(&mut config.http)?;
    // Optional listeners whose address is taken have no socket.
    let is_open = |address: &SocketAddr| config.listen.iter().any(|listen| listen.address == *address);
    let policies = initial.policies.into_iter().filter(|(address, _)| is_open(address));
    let listeners = sockets.into_iter().zip(policies.map(|(_, policy)| policy)).collect();
    let table = Arc::new(Table::new(config.table)?);
    table.fetch_pages();
    let mut setup = setup(&config, engine(table), initial.profile);
    setup.size.niceness = server::raise_loop_priority();
    let server =
        Server::new(listeners, setup)?.with_profiles(initial.named).with_engines(Arc::clone(&engines));
    let mut server = server.with_archive(archive).with_state_key(state_key);
    let configured = config.listen.iter().map(|listen| listen.address);
    let running = config.clone();
    server.let_reload(configured, Arc::new(move || read_again(&settings, &running, &engines)));
    server.set_shared_sockets(inherited);
    server.watch_signals()?;
    server.notify(server::Notifier::from_environment()?);
    make_control(&mut server, config.control.as_deref())?;
    let http = match (http, initial.http) {
        (Some(socket), Some((configured, policy))) => {
            let table = (config.table as u64) << 20;
            Some(server.serve_http(socket, configured, policy, table)?)
        }
        _ => None,
    };
    greet(&config, &server, http)?;
    Ok(server.run()?)
}

/// Returns the socket of each listener, and whether it was inherited. Optional listeners whose
/// address is taken are left out.
///
/// # Errors
/// The address of a required listener cannot be opened.
fn open_sockets(
    listen: &mut Vec<Listen>,
    inherited: Vec<Option<TcpListener>>,
) -> Result<Vec<(TcpListener, bool)>, BindError> {
    let mut sockets = Vec::new();
    let mut open = Vec::new();
    let all: Vec<SocketAddr> = listen.iter().map(|one| one.address).collect();
    for (one, inherited) in listen.drain(..).zip(inherited) {
        let is_inherited = inherited.is_some();
        match inherited.map_or_else(|| server::bind_beside(one.address, &all), Ok) {
            Ok(socket) => {
                sockets.push((socket, is_inherited));
                open.push(one);
            }
            Err(BindError { address, error, .. }) if one.is_optional => {
                log::warn!("no {} on {address}: {error}", one.protocol.word());
            }
            Err(error) => return Err(error),
        }
    }
    *listen = open;
    Ok(sockets)
}

/// Returns the socket of the HTTP listener. An optional one whose address is taken is left out.
///
/// # Errors
/// The address of a required one cannot be opened.
fn open_http(http: &mut Option<Listen>) -> Result<Option<TcpListener>, BindError> {
    let Some(listen) = http else { return Ok(None) };
    match server::bind(listen.address) {
        Ok(socket) => Ok(Some(socket)),
        Err(BindError { address, error, .. }) if listen.is_optional => {
            log::warn!("no pages for browsers on {address}: {error}");
            *http = None;
            Ok(None)
        }
        Err(error) => Err(BindError { flag: "--http", ..error }),
    }
}

/// Creates the control socket at the configured path, or else at the default one if possible.
fn make_control(server: &mut Server, configured: Option<&Path>) -> Result<(), ControlError> {
    if let Some(path) = configured {
        return server.make_control(path);
    }
    let Some(path) = ControlPaths::from_environment().for_server() else {
        log::debug!(
            "no control socket: there is neither $XDG_RUNTIME_DIR nor /run/farboard; --control PATH creates one"
        );
        return Ok(());
    };
    match server.make_control(&path) {
        Ok(()) => log::debug!("control socket at {}", path.display()),
        Err(error @ ControlError::Taken(_)) => log::info!("no control socket: {error}"),
        Err(error) => log::warn!("no control socket: {error}"),
    }
    Ok(())
}

/// Reports the server's addresses: with instructions on a terminal, in one line to the log of a
/// service.
fn greet(config: &Config, server: &Server, http: Option<SocketAddr>) -> Outcome {
    let addresses = server.addresses()?;
    let list: Vec<String> = addresses.iter().map(ToString::to_string).collect();
    log::info!("{} listens on {}", server::NAME, list.join(" and "));
    if let Some(http) = http {
        log::info!("pages, metrics and health checks by HTTP on {http}");
    }
    if !started_by::is_service() {
        let (program, directory) = (std::env::current_exe()?, std::env::current_dir()?);
        let banner = server::banner(config, &addresses, http, &program, &directory);
        // The reader may have closed the output.
        let _ = std::io::stdout().write_all(banner.as_bytes());
    }
    Ok(())
}

/// Reads the configuration again.
fn read_again(settings: &Settings, running: &Config, engines: &Hosts) -> Result<ReloadedConfig, String> {
    let read = || {
        let config = settings.clone().with_file()?.resolve()?;
        for setting in config.needing_restart(running) {
            log::warn!("{setting} has changed: takes effect at the next start");
        }
        Ok(ReloadedConfig { state_key: config.open_state_key()?, ..ReloadedConfig::new(&config, engines)? })
    };
    read().map_err(|error: ConfigError| with_causes(&error))
}

fn run_stdio(arguments: StdioArguments) -> Outcome {
    let mut settings = with_environment(arguments.settings)?.with_file()?;
    // GUIs show an engine's stderr as if it were part of the game.
    settings.log = settings.log.or(Some(LevelFilter::Error.into()));
    // A GUI that wants another size says so.
    settings.table = settings.table.or(Some(Count(256)));
    let config = settings.resolve()?;
    let _log = start_log(&config.log, config.log_format)?;
    server::log_panics();
    let profile = Profile { move_time: arguments.move_time, ..config.profile(server::NAME)?.local() };
    // Pages are mapped with the first search: many GUIs start an engine only to read its options.
    let table = SizedTable::new(config.table)?;
    let protocol = match arguments.protocol {
        Protocol::Checkers(_) => {
            Protocol::Checkers(Manners { dialect: arguments.dialect, orientation: arguments.orientation })
        }
        other => other,
    };
    let named = config.named_profiles(&profile, &hosts())?;
    let setup = setup(&config, engine_of_one_session(table), Arc::new(profile));
    Ok(server::stdio::serve(protocol, setup, named)?)
}

/// Returns the hosts of external engines, none yet. This program launches them, so that the system
/// ends them with it.
fn hosts() -> Hosts {
    // Works even if the file has been replaced since.
    Hosts::new(cfg!(target_os = "linux").then(|| "/proc/self/exe".into()))
}

fn setup(config: &Config, search: Box<SearchFn>, profile: Arc<Profile>) -> Setup {
    Setup::new(config, search, profile, RandomState::new().hash_one(0))
}

/// Completes the flags with the log filter of the environment.
fn with_environment(settings: Settings) -> Result<Settings, ConfigError> {
    let log = match settings.log {
        Some(filter) => Some(filter),
        None => LogFilter::from_environment().map_err(ConfigError::LogVariable)?,
    };
    Ok(Settings { log, ..settings })
}

/// Starts logging until the guard is dropped.
fn start_log(filter: &LogFilter, format: LogFormat) -> std::io::Result<logging::Guard> {
    logging::start(filter, format, std::io::stderr())
}
