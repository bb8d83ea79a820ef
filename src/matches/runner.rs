//! All games of a match, some at the same time.

use super::engine::OwnServer;
use super::error::MatchError;
use super::openings::ballots::ballots;
use super::openings::{OpeningsError, openings};
use super::pairing::{Pairing, PlayedPair};
use super::player::{Encounter, Player};
use super::report::Report;
use super::sprt::Verdict;
use super::{EngineSpec, Plan, bughouse, cpu_equal, game_text};
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
    let server = needs_session(plan.variant).then(|| OwnServer::start(plan.hash, plan.seed)).transpose();
    let server = server.map_err(|reason| MatchError::Engine { engine: EngineSpec::InProcess, reason })?;
    let mut players = reached_at(plan, server.as_ref());
    if let (true, Openings::Chess(openings)) = (plan.cpu_equal, &openings) {
        cpu_equal::equalize(plan, &mut players, openings)?;
    }
    let (players, mut report) = (&players, Report::new(plan, &players));
    let (next, stop) = (AtomicU32::new(0), AtomicBool::new(false));
    let (sender, played) = channel();
    std::thread::scope(|scope| {
        for _ in 0..plan.concurrency.max(1) {
            let sender = sender.clone();
            let table = Games { plan, players, openings: &openings, next: &next, stop: &stop };
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
                let Some(pgn) = &mut pgn else { return Ok(()) };
                write_games(pgn, plan, &game_text::games(plan, players, &report, &pair))
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

/// The players, with the server's address instead of engines in this process, if there is a server.
fn reached_at(plan: &Plan, server: Option<&OwnServer>) -> Vec<Player> {
    let mut players = plan.players();
    for Player { spec, .. } in &mut players {
        if let Some(server) = server.filter(|_| *spec == EngineSpec::InProcess) {
            *spec = EngineSpec::Tcp(server.address());
        }
    }
    players
}

fn open(path: &PathBuf) -> Result<File, MatchError> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.map_err(|error| MatchError::Pgn { path: path.clone(), error })
}

fn write_games(file: &mut File, plan: &Plan, games: &str) -> Result<(), MatchError> {
    let path = || plan.pgn.clone().unwrap_or_default();
    file.write_all(games.as_bytes()).map_err(|error| MatchError::Pgn { path: path(), error })
}

/// State shared by the playing threads.
struct Games<'a> {
    plan: &'a Plan,
    players: &'a [Player],
    openings: &'a Openings,
    next: &'a AtomicU32,
    stop: &'a AtomicBool,
}

impl<'a> Games<'a> {
    /// Plays its part of the pairs.
    fn play_all(&self, sender: &Sender<Result<PlayedPair, MatchError>>) {
        match self.openings {
            Openings::Chess(_) if self.plan.variant.has_partner() => {
                let play = |encounter: &mut _, number| bughouse::play_pair(*encounter, number);
                self.play_pairs(sender, |encounter| encounter, play);
            }
            Openings::Chess(openings) => {
                let meet = |encounter| Pairing::<chess::Game>::new(encounter, openings);
                self.play_pairs(sender, meet, Pairing::play);
            }
            Openings::Draughts(openings) => {
                let meet = |encounter| Pairing::<draughts::Game>::new(encounter, openings);
                self.play_pairs(sender, meet, Pairing::play);
            }
        }
    }

    /// Plays pairs until there are enough, against one opponent after another.
    fn play_pairs<P>(
        &self,
        sender: &Sender<Result<PlayedPair, MatchError>>,
        meet: impl Fn(Encounter<'a>) -> P,
        play: impl Fn(&mut P, u32) -> Result<PlayedPair, MatchError>,
    ) {
        let mut met: Option<(usize, P)> = None;
        while !self.stop.load(Relaxed) {
            let index = self.next.fetch_add(1, Relaxed);
            let (opponent, number) = ((index / self.plan.pairs()) as usize, index % self.plan.pairs());
            if opponent >= self.plan.opponents.len() {
                return;
            }
            let (_, pairing) = match met.take_if(|(latest, _)| *latest == opponent) {
                Some(same) => met.insert(same),
                // The engines of the one before end first.
                None => {
                    met = None;
                    met.insert((opponent, meet(Encounter::new(self.plan, self.players, opponent))))
                }
            };
            let pair = play(pairing, number);
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
            ballots(file, plan.plies).map(Openings::Draughts)
        } else {
            openings(plan.variant, file, plan.plies).map(Openings::Chess)
        }
    }

    fn len(&self) -> usize {
        match self {
            Openings::Chess(openings) => openings.len(),
            Openings::Draughts(openings) => openings.len(),
        }
    }
}
