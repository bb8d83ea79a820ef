//! `analyse` and `stop`.

use super::new_game::NORMAL;
use super::{Session, Step, Task, send};
use crate::pool::Class;
use crate::protocol::DEFAULT_PROFILE;
use crate::protocol::web::{Message, Mode};
use crate::search::Limits;
use crate::session::KeptGame;
use crate::session::closing::Closing;
use crate::session::player::{Purpose, untimed_budget};
use std::error::Error;

/// The most variations of an analysis.
const MAX_LINES: u8 = 10;

/// An `analyse` message.
pub(super) struct NewAnalysis {
    pub(super) variant: Option<String>,
    pub(super) fen: Option<String>,
    pub(super) moves: Vec<String>,
    pub(super) lines: Option<u8>,
    pub(super) running: Option<bool>,
    pub(super) profile: Option<String>,
}

impl Session {
    /// `analyse`: sets up a position, and analyses it if `running`.
    pub(super) fn analyse(&mut self, wanted: NewAnalysis, step: &mut Step<'_>) {
        if let Err(error) = self.begin_analysis(&wanted, step) {
            send(Message::error(Some("analyse"), error), step);
        }
    }

    /// Begins an analysis. On an error nothing changes.
    fn begin_analysis(&mut self, wanted: &NewAnalysis, step: &mut Step<'_>) -> Result<(), Box<dyn Error>> {
        let lines = wanted.lines.unwrap_or(1);
        if !(1..=MAX_LINES).contains(&lines) {
            return Err(format!("lines must be from 1 to {MAX_LINES}").into());
        }
        let game = set_up(wanted)?;
        let mut engine = self.player.engine.clone();
        engine.choose_profile(wanted.profile.as_deref().unwrap_or(DEFAULT_PROFILE))?;
        engine.options_mut().lines = lines;
        self.leave_game(step);
        self.player.engine = engine;
        self.players = Default::default();
        self.put_on_board(game, Mode::Analysis, step);
        if wanted.running.unwrap_or(true) {
            self.task = Task::Analysis;
            self.analyse_board(step);
        }
        Ok(())
    }

    /// Starts the analysis of the position on the board. Positions in quick succession wait until
    /// one has settled.
    pub(super) fn analyse_board(&mut self, step: &mut Step<'_>) {
        self.player.halt(step);
        if self.game.goes_on() && self.player.debounce_analysis(step) {
            self.start_task_search(step);
        }
    }

    /// Starts the search of an analysis or a review.
    pub(super) fn start_task_search(&mut self, step: &mut Step<'_>) {
        let limits = match self.task {
            Task::None => return,
            Task::Analysis => Limits::default(),
            Task::Review(review) => Limits { nodes: Some(review.nodes), ..Limits::default() },
        };
        let ask = self.search_of(Purpose::Analysis, limits, untimed_budget(Class::Analysis, step.now));
        self.player.start(ask, step);
        if self.closing == Closing::Owing {
            self.player.hurry_after_eof(step);
        }
    }

    /// `stop`: stops an analysis or a review.
    pub(super) fn stop_task(&mut self, step: &mut Step<'_>) {
        if self.task == Task::None {
            return send(Message::error(Some("stop"), "there is no analysis"), step);
        }
        self.player.stop(step);
        self.task = Task::None;
    }
}

/// Sets up a game.
fn set_up(wanted: &NewAnalysis) -> Result<KeptGame, Box<dyn Error>> {
    let variant = wanted.variant.as_deref().unwrap_or(NORMAL);
    let mut game = KeptGame::start(variant, wanted.fen.as_deref(), Some(0))?;
    for text in &wanted.moves {
        let mv = game.parse_move(text)?;
        game.play(mv);
    }
    Ok(game)
}
