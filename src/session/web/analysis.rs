//! `analyse` and `stop`.

use super::new_game::NORMAL;
use super::{Session, Step, Task, send};
use crate::pool::Class;
use crate::protocol::web::{Message, Mode};
use crate::search::Limits;
use crate::session::KeptGame;
use crate::session::player::{Purpose, untimed_budget};
use std::error::Error;

/// The most variations of an analysis.
const MAX_LINES: u8 = 10;

impl Session {
    /// `analyse`: sets up a position, and analyses it if `running`.
    pub(super) fn analyse(
        &mut self,
        (variant, fen, moves): (Option<&str>, Option<&str>, &[String]),
        lines: u8,
        running: bool,
        step: &mut Step<'_>,
    ) {
        match set_up(variant.unwrap_or(NORMAL), fen, moves, lines) {
            Ok(game) => {
                self.leave_game(step);
                self.players = Default::default();
                self.player.engine.options_mut().lines = lines;
                self.put_on_board(game, Mode::Analysis, step);
                if running {
                    self.task = Task::Analysis;
                    self.analyse_board(step);
                }
            }
            Err(error) => send(Message::error(Some("analyse"), error), step),
        }
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
fn set_up(variant: &str, fen: Option<&str>, moves: &[String], lines: u8) -> Result<KeptGame, Box<dyn Error>> {
    if !(1..=MAX_LINES).contains(&lines) {
        return Err(format!("lines must be from 1 to {MAX_LINES}").into());
    }
    let mut game = KeptGame::start(variant, fen, 0)?;
    for text in moves {
        let mv = game.parse_move(text)?;
        game.play(mv);
    }
    Ok(game)
}
