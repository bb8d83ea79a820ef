//! `farboard match` and `farboard openings`.

use crate::output::{print, say};
use crate::with_net::Searches;
use farboard::engines::kill_all;
use farboard::matches::openings::{self, OpeningsArguments, ballots};
use farboard::matches::{Plan, run};
use farboard::progress_bar::ProgressBar;
use farboard::search::net::Domain;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::error::Error;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

impl Searches for Plan {
    fn game(&self) -> Option<Domain> {
        Some(if self.draughts { Domain::Draughts } else { Domain::of(self.variant) })
    }
}

/// Plays a match and prints its report.
pub fn play(plan: &Plan) -> Result<(), Box<dyn Error>> {
    let mut bar = ProgressBar::new("games", 0, plan.all_games().into());
    let latest = Arc::new(Mutex::new(String::new()));
    end_by_signal(Arc::clone(&latest))?;
    let played = run(plan, |report| {
        bar.show(report.progress().0.into(), &report.score());
        *latest.lock().unwrap_or_else(PoisonError::into_inner) = report.to_string();
    });
    // The report of a match that an engine has ended is printed, too.
    let latest = latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
    print(&played.as_ref().map_or(latest, ToString::to_string));
    played?;
    Ok(())
}

/// Lets SIGINT and SIGTERM end the match with its report so far, and with its engines.
fn end_by_signal(latest: Arc<Mutex<String>>) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let end = move || {
        if let Some(signal) = signals.forever().next() {
            print(&latest.lock().unwrap_or_else(PoisonError::into_inner));
            kill_all();
            std::process::exit(128 + signal);
        }
    };
    std::thread::Builder::new().name("signals".into()).spawn(end).map(drop)
}

/// Makes openings and prints them as EPD, or as ballots.
pub fn print_openings(arguments: &OpeningsArguments) -> Result<(), Box<dyn Error>> {
    let OpeningsArguments { variant, count, plies, nodes, margin, seed, .. } = arguments;
    let Some(variant) = *variant else { return print_ballots(*nodes, *margin) };
    say(format_args!(
        "# {}: {plies} random plies, at most {margin} centipawns after {nodes} nodes, seed {seed}.",
        variant.name()
    ));
    let mut bar = ProgressBar::new("openings", 0, *count as u64);
    let mut done = 0;
    openings::make(variant, arguments, |line| {
        say(format_args!("{line}"));
        done += 1;
        bar.show(done, "");
    })?;
    Ok(())
}

/// Searches all ballots of three moves. Prints the even ones as openings and the others as
/// comments.
fn print_ballots(nodes: u64, margin: i32) -> Result<(), Box<dyn Error>> {
    say(format_args!(
        "# Three-move ballots of English draughts: farboard openings --draughts --nodes {nodes} --margin {margin}\n\
         # All {} positions after three legal moves, each with what {nodes} nodes make of it, in centipawns from the view of the\n\
         # side on move. Those beyond {margin} are barred, with # before them. The order is random.",
        ballots::ALL
    ));
    let mut bar = ProgressBar::new("ballots", 0, ballots::ALL as u64);
    let mut done = 0;
    ballots::make(nodes, margin, |ballot, even| {
        say(format_args!("{}{}", if even { "" } else { "# " }, ballot.line()));
        done += 1;
        bar.show(done, "");
    })?;
    Ok(())
}
