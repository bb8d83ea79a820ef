//! Dispatch of commands, and `help` for a user at a terminal.

use super::{Session, Step, remark};
use crate::protocol::uci::{Command, MoveWords, Reply, Start};

/// The text of `id author`.
const AUTHOR: &str = "the authors of Farboard";

/// The commands that a user needs. No word may be one that a GUI looks for.
const HELP_LINES: [&str; 12] = [
    "You can type:",
    "position startpos moves e2e4 e7e5   the start position, and moves from there",
    "position fen FEN moves e2e4         another position",
    "go movetime 5000, go depth 20       think for 5 seconds, or 20 plies deep",
    "go infinite, stop                   think until the move is wanted",
    "go perft 4                          count the leaves of the tree of legal moves",
    "d, eval                             show the position; show its static evaluation",
    "uci                                 show the settings",
    "setoption name MultiPV value 3      change one of them",
    "ucinewgame                          forget the last game",
    "quit                                end the session",
    "Commands for programs are described in docs/uci.md",
];

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
            Command::Help => HELP_LINES.iter().for_each(|line| step.reply(Reply::Help(line))),
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
        self.answered = None;
    }

    fn set_position(&mut self, start: Start, moves: MoveWords, step: &mut Step<'_>) {
        self.answered = None;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guis_find_nothing_in_the_help_lines() {
        let replies = "id uciok readyok bestmove copyprotection registration info option string pv score currmove ponder";
        for text in HELP_LINES {
            let line = Reply::Help(text).line();
            assert!(line.len() <= 100 && line.is_ascii() && line.starts_with(' '), "{line}");
            assert!(
                line.split_whitespace().all(|word| !replies.split(' ').any(|reply| reply == word)),
                "{line}"
            );
        }
    }

    #[test]
    fn every_listed_command_exists() {
        for words in HELP_LINES[1..HELP_LINES.len() - 1].iter().map(|line| line.split_at(36).0) {
            for word in words.split(", ").map(|word| word.replace("FEN", "8/8/8/8/8/8/8/8 w - - 0 1")) {
                assert!(Command::parse(word.as_bytes()).is_ok(), "{word}");
            }
        }
    }
}
