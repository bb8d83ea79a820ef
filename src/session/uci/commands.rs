//! Dispatch of commands.

use super::help::help;
use super::{Session, Step, remark};
use crate::protocol::uci::{Command, MoveWords, Reply, Start};

/// The text of `id author`.
const AUTHOR: &str = "the authors of Farboard";

impl Session {
    /// Handles a line from the client. An invalid one is answered with a remark; an invalid `go`
    /// also with `bestmove (none)`, for which clients wait.
    pub(super) fn line(&mut self, line: &[u8], step: &mut Step<'_>) {
        match Command::parse(line) {
            Ok(command) => self.execute(command, step),
            Err(error) => {
                remark(&error, step);
                if error.is_of_position() {
                    self.board.forget();
                }
                if error.is_of_go() {
                    self.answer(step);
                    step.reply(Reply::Bestmove { best: None, ponder: None });
                }
            }
        }
    }

    /// Executes a command, also during a search, which keeps its position and options.
    fn execute(&mut self, command: Command, step: &mut Step<'_>) {
        match command {
            // There is nothing to register.
            Command::Empty | Command::Register(_) => {}
            Command::Uci => self.introduce(step),
            Command::Debug(on) => self.debug = on,
            Command::Isready => step.reply(Reply::Readyok),
            Command::Setoption { name, value } => self.set_option(&name, value.as_deref(), step),
            Command::Ucinewgame => self.new_game(step),
            Command::Position { start, moves } => self.set_position(start, moves, step),
            Command::Go(go) => self.go(&go, step),
            Command::Stop => self.stop(step),
            Command::Ponderhit => self.ponder_hit(step),
            Command::D => self.show_board(step),
            Command::Eval => self.show_evaluation(step),
            Command::Help => help(step),
            Command::Quit => self.quit(step),
        }
    }

    fn introduce(&self, step: &mut Step<'_>) {
        step.reply(Reply::Name(self.player.engine.profile().name.clone()));
        step.reply(Reply::Author(AUTHOR.to_owned()));
        self.declare_options(step);
        step.reply(Reply::Uciok);
        if let Some(banner) = &self.player.engine.profile().banner {
            remark(banner, step);
        }
    }

    /// `ucinewgame`: forgets the last game, so that matches can be reproduced.
    fn new_game(&mut self, step: &mut Step<'_>) {
        self.archive_played(None, step);
        // Every `go` sets the limits anew; a pending one keeps its own for its `ponderhit`.
        let limits = self.thinking.is_some().then(|| self.player.limits.clone());
        self.player.new_game();
        if let Some(limits) = limits {
            self.player.limits = limits;
        }
        self.player.clear_table();
        self.clocked_ply = None;
        self.in_game = false;
    }

    fn set_position(&mut self, start: Start, moves: MoveWords, step: &mut Step<'_>) {
        self.board.set(start, moves);
        if let Some(error) = self.board.error() {
            remark(error, step);
        }
    }

    /// `stop`: sends the best move now.
    fn stop(&mut self, step: &mut Step<'_>) {
        if self.thinking.is_some() {
            self.answer(step);
        } else if self.debug {
            remark("no search is running", step);
        }
    }
}
