//! Dispatch of commands.

use super::help::help;
use super::{Session, Step, remark};
use crate::protocol::uci::{Command, MoveWords, Reply, Start};

/// Said by `id author`.
const AUTHOR: &str = "the authors of Farboard";

impl Session {
    /// A line of the client. One that cannot be obeyed is answered by a remark; if it was a `go`, by `bestmove (none)`, too,
    /// since clients wait for one.
    pub(super) fn line(&mut self, line: &[u8], step: &mut Step<'_>) {
        match Command::parse(line) {
            Ok(command) => self.obey(command, step),
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

    /// All commands are obeyed at once, whether or not something is searched. A search keeps the position and the options that
    /// it began with.
    fn obey(&mut self, command: Command, step: &mut Step<'_>) {
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

    /// `ucinewgame`: what is known of the last game is forgotten, as UCI's users expect of matches that are to be repeated.
    fn new_game(&mut self, step: &mut Step<'_>) {
        self.archive_played(None, step);
        // Every `go` sets the limits anew; one that is not answered keeps its own, for its `ponderhit`.
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

    /// `stop`: the best move is due now.
    fn stop(&mut self, step: &mut Step<'_>) {
        if self.thinking.is_some() {
            self.answer(step);
        } else if self.debug {
            remark("nothing is searched", step);
        }
    }
}
