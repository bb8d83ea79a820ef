//! Plays games in several threads and writes them in the order of their numbers.

use super::player::Player;
use crate::progress_bar::ProgressBar;
use crate::training::games::{Contents, GameWriter, GamesError, Recorded};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver};
use std::time::Instant;

/// When a file is complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    /// With this number of games.
    Games(u64),
    /// With at least this number of quiet positions.
    Positions(u64),
}

impl Goal {
    fn is_reached(self, contents: Contents) -> bool {
        self.done(contents) >= self.total()
    }

    fn done(self, contents: Contents) -> u64 {
        match self {
            Goal::Games(_) => contents.games,
            Goal::Positions(_) => contents.positions,
        }
    }

    fn total(self) -> u64 {
        match self {
            Goal::Games(total) | Goal::Positions(total) => total,
        }
    }

    /// Returns true if a game with this number may be needed.
    fn may_need(self, number: u64) -> bool {
        match self {
            Goal::Games(total) => number < total,
            Goal::Positions(_) => true,
        }
    }

    fn unit(self) -> &'static str {
        match self {
            Goal::Games(_) => "games",
            Goal::Positions(_) => "positions",
        }
    }
}

/// Plays games until the file is complete.
///
/// # Errors
/// The file cannot be written, or there is no memory for the tables.
pub(super) fn complete(
    writer: &mut GameWriter,
    goal: Goal,
    threads: usize,
    player: &Player<'_>,
) -> Result<(), GamesError> {
    if goal.is_reached(writer.contents()) {
        return Ok(());
    }
    let next = AtomicU64::new(writer.contents().games);
    let (sender, finished) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    // The receiver is gone if no more games are needed or can be written.
                    if !goal.may_need(number) || sender.send((number, player.play(number))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        write_in_order(writer, goal, finished)
    })
}

/// Writes games as soon as all earlier ones are finished.
fn write_in_order(
    writer: &mut GameWriter,
    goal: Goal,
    finished: Receiver<(u64, Result<Recorded, GamesError>)>,
) -> Result<(), GamesError> {
    let before = writer.contents();
    let mut progress = ProgressBar::new(goal.unit(), goal.done(before), goal.total());
    let began = Instant::now();
    let mut waiting = BTreeMap::new();
    for (number, game) in finished {
        waiting.insert(number, game?);
        while let Some(game) = waiting.remove(&writer.contents().games) {
            writer.append(&game)?;
            let contents = writer.contents();
            let rate = (contents.positions - before.positions) as f64 / began.elapsed().as_secs_f64();
            progress.show(goal.done(contents), &format!("{rate:.0} positions/s"));
            if goal.is_reached(contents) {
                return Ok(());
            }
        }
    }
    Ok(())
}
