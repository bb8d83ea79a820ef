//! All games of a match, some at the same time.

use super::engine::{Engine, EngineError, OwnServer, start};
use super::game::{Finished, Termination, play};
use super::openings::{OpeningsError, openings};
use super::report::Report;
use super::sprt::Verdict;
use super::{EngineSpec, Plan, bughouse};
use crate::chess::zobrist::mix;
use crate::chess::{AnyPosition, Color, Outcome, Variant};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};

/// Why a match was not played to its end.
#[derive(Debug)]
pub enum MatchError {
    /// There are no openings.
    Openings(OpeningsError),
    /// An engine cannot be started.
    Engine(EngineSpec, EngineError),
    /// With fixed nodes the same openings give the same games again: there are only so many.
    TooFewOpenings(usize),
    /// An argument that means nothing in this game.
    Argument(&'static str),
    /// Games cannot be written to this file.
    Pgn(PathBuf, io::Error),
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::Openings(error) => write!(f, "{error}"),
            MatchError::Engine(spec, error) => write!(f, "{spec}: {error}"),
            MatchError::TooFewOpenings(count) => write!(
                f,
                "with --nodes there are {} different games of {count} openings: play no more, or make openings with \
                 `farboard openings` and name them with --openings",
                2 * count
            ),
            MatchError::Argument(what) => f.write_str(what),
            MatchError::Pgn(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for MatchError {}

/// Two games with one opening: the first engine has White in the first.
pub(super) struct PlayedPair {
    pub number: u32,
    pub games: [Finished; 2],
}

impl PlayedPair {
    /// The result of one of the games for the first engine, in half points.
    pub fn half_points(&self, game: usize) -> usize {
        let ours = if game == 0 { Color::White } else { Color::Black };
        match self.games[game].outcome {
            Outcome::Draw => 1,
            Outcome::Win(winner) => 2 * usize::from(winner == ours),
        }
    }
}

/// Plays a match. `each` is called with the report after each pair.
///
/// # Errors
/// There are no openings, an engine cannot be started, or games cannot be written.
pub fn run(plan: &Plan, mut each: impl FnMut(&Report)) -> Result<Report, MatchError> {
    let openings = openings(plan.variant, plan.openings.as_deref()).map_err(MatchError::Openings)?;
    plan.check(openings.len())?;
    let mut pgn = plan.pgn.as_ref().map(open).transpose()?;
    let mut report = Report::new(plan);
    let server = needs_session(plan.variant).then(|| OwnServer::start(plan.hash, plan.seed)).transpose();
    let server = server.map_err(|error| MatchError::Engine(EngineSpec::InProcess, error))?;
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
            // What was under way when the test had decided changes nothing any more.
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

/// Whether a game is more than positions and moves: there are partners, or an umpire.
fn needs_session(variant: Variant) -> bool {
    variant.has_partner() || variant.rules().hidden
}

/// The plan with our server's address where an engine in this process is wanted, if there is such a server.
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
    file.map_err(|error| MatchError::Pgn(path.clone(), error))
}

fn write_games(file: &mut File, plan: &Plan, pair: &PlayedPair) -> Result<(), MatchError> {
    let games: String = (0..2).map(|game| super::report::pgn(plan, pair, game)).collect();
    let path = || plan.pgn.clone().unwrap_or_default();
    file.write_all(games.as_bytes()).map_err(|error| MatchError::Pgn(path(), error))
}

/// What the threads share that play.
struct Games<'a> {
    plan: &'a Plan,
    openings: &'a [AnyPosition],
    next: &'a AtomicU32,
    stop: &'a AtomicBool,
}

impl Games<'_> {
    /// Plays pairs until there are enough.
    fn play_all(&self, sender: &Sender<Result<PlayedPair, MatchError>>) {
        let mut engines = [None, None];
        while !self.stop.load(Relaxed) {
            let number = self.next.fetch_add(1, Relaxed);
            if number >= self.plan.pairs() {
                return;
            }
            let pair = self.play_pair(number, &mut engines);
            let failed = pair.is_err();
            // Nobody receives when the match is over.
            if sender.send(pair).is_err() || failed {
                return;
            }
        }
    }

    fn play_pair(
        &self,
        number: u32,
        engines: &mut [Option<Box<dyn Engine>>; 2],
    ) -> Result<PlayedPair, MatchError> {
        let plan = self.plan;
        if plan.variant.has_partner() {
            let games = [bughouse::play(plan, false)?, bughouse::play(plan, true)?];
            return Ok(PlayedPair { number, games });
        }
        let first = mix(plan.seed) as usize % self.openings.len();
        let opening = self.openings[(first + number as usize) % self.openings.len()];
        let games = [
            self.play_game(opening, Color::White, engines)?,
            self.play_game(opening, Color::Black, engines)?,
        ];
        Ok(PlayedPair { number, games })
    }

    /// Plays a game in which the first engine has this colour.
    fn play_game(
        &self,
        opening: AnyPosition,
        color: Color,
        engines: &mut [Option<Box<dyn Engine>>; 2],
    ) -> Result<Finished, MatchError> {
        let plan = self.plan;
        let [mut one, mut other] = self.engines(engines)?;
        let players: [&mut dyn Engine; 2] = match color {
            Color::White => [one.as_mut(), other.as_mut()],
            Color::Black => [other.as_mut(), one.as_mut()],
        };
        let mut finished = play(opening, players, plan.timing(), plan.max_plies);
        let result = super::report::result(finished.outcome);
        one.game_over(result);
        other.game_over(result);
        // An engine that has failed is started again for the next game.
        let loser = match (&finished.termination, finished.outcome) {
            (Termination::Failure(_), Outcome::Win(winner)) => Some(!winner),
            _ => None,
        };
        if let (Termination::Failure(error), Some(loser)) = (&mut finished.termination, loser)
            && error.ends_match()
        {
            let spec = if loser == color { &plan.first } else { &plan.second };
            return Err(MatchError::Engine(spec.clone(), std::mem::replace(error, EngineError::Gone)));
        }
        *engines = [Some(one), Some(other)];
        if let Some(loser) = loser {
            engines[usize::from(loser != color)] = None;
        }
        Ok(finished)
    }

    /// Both engines, started if they do not run.
    fn engines(
        &self,
        engines: &mut [Option<Box<dyn Engine>>; 2],
    ) -> Result<[Box<dyn Engine>; 2], MatchError> {
        let Plan { first, second, first_option, second_option, .. } = self.plan;
        let [one, other] = engines;
        let started = |engine: &mut Option<Box<dyn Engine>>, spec: &EngineSpec, options| match engine.take() {
            Some(running) => Ok(running),
            None => start(spec, options, self.plan).map_err(|error| MatchError::Engine(spec.clone(), error)),
        };
        Ok([started(one, first, first_option)?, started(other, second, second_option)?])
    }
}
