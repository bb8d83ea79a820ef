//! All games of a match, some at the same time.

use super::engine::OwnServer;
use super::error::MatchError;
use super::openings::ballots::ballots;
use super::openings::{OpeningsError, openings};
use super::pairing::{Pairing, PlayedPair};
use super::report::Report;
use super::sprt::Verdict;
use super::{EngineSpec, Plan, bughouse};
use crate::chess::{self, AnyPosition, Variant};
use crate::draughts;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};

/// Plays a match. `each` is called with the report after each pair.
///
/// # Errors
/// There are no openings, an engine cannot be started, or games cannot be written.
pub fn run(plan: &Plan, mut each: impl FnMut(&Report)) -> Result<Report, MatchError> {
    let openings = Openings::of(plan)?;
    plan.check(openings.len())?;
    let mut pgn = plan.pgn.as_ref().map(open).transpose()?;
    let mut report = Report::new(plan);
    let server = needs_session(plan.variant).then(|| OwnServer::start(plan.hash, plan.seed)).transpose();
    let server = server.map_err(|reason| MatchError::Engine { engine: EngineSpec::InProcess, reason })?;
    let reached = &reached_at(plan, server.as_ref());
    let (next, stop) = (AtomicU32::new(0), AtomicBool::new(false));
    let (sender, played) = channel();
    std::thread::scope(|scope| {
        for _ in 0..plan.concurrency.max(1) {
            let sender = sender.clone();
            let table = Games { plan: reached, openings: &openings, next: &next, stop: &stop };
            scope.spawn(move || table.play_all(&sender));
        }
        drop(sender);
        let mut failed = None;
        for pair in played {
            // Games that were running when the test decided do not count.
            if report.verdict() != Verdict::Undecided {
                continue;
            }
            let added = pair.and_then(|pair: PlayedPair| {
                report.add(&pair);
                pgn.as_mut().map_or(Ok(()), |pgn| write_games(pgn, plan, &pair))
            });
            if let Err(error) = added {
                stop.store(true, Relaxed);
                failed.get_or_insert(error);
                continue;
            }
            if report.verdict() != Verdict::Undecided {
                stop.store(true, Relaxed);
            }
            each(&report);
        }
        failed.map_or(Ok(()), Err)
    })?;
    Ok(report)
}

/// Returns true if a game needs a session, for its partners or its umpire.
fn needs_session(variant: Variant) -> bool {
    variant.has_partner() || variant.rules().hidden
}

/// The plan with the server's address instead of engines in this process, if there is a server.
fn reached_at(plan: &Plan, server: Option<&OwnServer>) -> Plan {
    let mut plan = plan.clone();
    for spec in [&mut plan.first, &mut plan.second] {
        if let Some(server) = server.filter(|_| *spec == EngineSpec::InProcess) {
            *spec = EngineSpec::Tcp(server.address());
        }
    }
    plan
}

fn open(path: &PathBuf) -> Result<File, MatchError> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.map_err(|error| MatchError::Pgn { path: path.clone(), error })
}

fn write_games(file: &mut File, plan: &Plan, pair: &PlayedPair) -> Result<(), MatchError> {
    let games: String = (0..2).map(|game| super::report::pgn(plan, pair, game)).collect();
    let path = || plan.pgn.clone().unwrap_or_default();
    file.write_all(games.as_bytes()).map_err(|error| MatchError::Pgn { path: path(), error })
}

/// State shared by the playing threads.
struct Games<'a> {
    plan: &'a Plan,
    openings: &'a Openings,
    next: &'a AtomicU32,
    stop: &'a AtomicBool,
}

impl Games<'_> {
    /// Plays its part of the pairs.
    fn play_all(&self, sender: &Sender<Result<PlayedPair, MatchError>>) {
        let plan = self.plan;
        match self.openings {
            Openings::Chess(_) if plan.variant.has_partner() => {
                self.play_pairs(sender, |number| bughouse::play_pair(plan, number));
            }
            Openings::Chess(openings) => {
                let mut pairing = Pairing::<chess::Game>::new(plan, openings);
                self.play_pairs(sender, |number| pairing.play(number));
            }
            Openings::Draughts(openings) => {
                let mut pairing = Pairing::<draughts::Game>::new(plan, openings);
                self.play_pairs(sender, |number| pairing.play(number));
            }
        }
    }

    /// Plays pairs until there are enough.
    fn play_pairs(
        &self,
        sender: &Sender<Result<PlayedPair, MatchError>>,
        mut play: impl FnMut(u32) -> Result<PlayedPair, MatchError>,
    ) {
        while !self.stop.load(Relaxed) {
            let number = self.next.fetch_add(1, Relaxed);
            if number >= self.plan.pairs() {
                return;
            }
            let pair = play(number);
            let failed = pair.is_err();
            // There is no receiver when the match is over.
            if sender.send(pair).is_err() || failed {
                return;
            }
        }
    }
}

/// The openings of a match.
enum Openings {
    Chess(Vec<AnyPosition>),
    Draughts(Vec<draughts::Position>),
}

impl Openings {
    fn of(plan: &Plan) -> Result<Openings, OpeningsError> {
        let file = plan.openings.as_deref();
        if plan.draughts {
            ballots(file).map(Openings::Draughts)
        } else {
            openings(plan.variant, file).map(Openings::Chess)
        }
    }

    fn len(&self) -> usize {
        match self {
            Openings::Chess(openings) => openings.len(),
            Openings::Draughts(openings) => openings.len(),
        }
    }
}
