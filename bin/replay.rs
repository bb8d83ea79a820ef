//! `farboard replay`: replays a record of the shim.

use crate::output::report_error;
use clap::Args;
use farboard::config::{Config, Settings};
use farboard::logging::LogFormat;
use farboard::pool::engine;
use farboard::replay::dialogue::Pace;
use farboard::replay::peer::Peer;
use farboard::replay::record::Record;
use farboard::replay::{self, language, verdict::Verdict};
use farboard::search::Table;
use farboard::server::NAME;
use farboard::shim::address::Address;
use farboard::shim::arguments::KeyFiles;
use farboard::shim::client_protocol::ClientProtocol;
use log::LevelFilter;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Arguments of `farboard replay`.
#[derive(Args)]
pub struct Arguments {
    /// The record, made by farboard-connect --record FILE, or a transcript
    #[arg(value_name = "FILE")]
    record: PathBuf,
    /// A running server to replay against, instead of a session in this program
    #[arg(long, value_name = "HOST[:PORT]")]
    server: Option<Address>,
    /// Send lines at their times in the record, not as soon as the answers have come
    #[arg(long)]
    realtime: bool,
    /// Configuration of the session in this program: options, books, profiles
    #[arg(long, value_name = "FILE", conflicts_with = "server")]
    config: Option<PathBuf>,
    /// File with the certificates of servers to trust (PEM), as for farboard-connect
    #[arg(long, value_name = "FILE", requires = "server")]
    tls: Option<PathBuf>,
    /// File whose first line is the server's secret, as for farboard-connect
    #[arg(long, value_name = "FILE", requires = "server")]
    secret_file: Option<PathBuf>,
}

/// Replays the record, and prints the verdict. The exit code is 0 if all answers agree, 1 if some
/// differ, and 2 if nothing could be replayed.
pub fn run(arguments: &Arguments) -> ExitCode {
    match replay(arguments) {
        Ok(verdict) => ExitCode::from(u8::from(!verdict.agrees())),
        Err(error) => {
            report_error(&farboard::config::with_causes(error.as_ref()));
            ExitCode::from(2)
        }
    }
}

fn replay(arguments: &Arguments) -> Result<Verdict, Box<dyn Error>> {
    let path = arguments.record.display();
    let record = Record::open(&arguments.record).map_err(|error| format!("cannot replay {path}: {error}"))?;
    let mut log = None;
    let peer = match &arguments.server {
        None => {
            let settings = Settings { config: arguments.config.clone(), ..Settings::default() };
            let config = settings.with_file()?.resolve()?;
            log = Some(super::start_log(&LevelFilter::Warn.into(), LogFormat::default())?);
            session(&config, language::protocol_of(&record))?
        }
        Some(address) => {
            let (secret_file, tls) = (arguments.secret_file.clone(), arguments.tls.clone());
            let keys = KeyFiles { secret_file, tls, ..KeyFiles::default() }.load()?;
            Peer::server(address, &keys).map_err(|error| format!("cannot reach {address}: {error}"))?
        }
    };
    let pace = if arguments.realtime { Pace::Recorded } else { Pace::Fast };
    let verdict = replay::run(&record, pace, peer, &mut std::io::stdout().lock())?;
    drop(log);
    Ok(verdict)
}

fn session(config: &Config, protocol: ClientProtocol) -> Result<Peer, Box<dyn Error>> {
    let profile = config.profile(NAME)?;
    let named = config.named_profiles(&profile, &super::hosts())?;
    let table = Table::new(config.table)?;
    Ok(Peer::session(protocol, super::setup(config, engine(table), Arc::new(profile)), Arc::new(named))?)
}
