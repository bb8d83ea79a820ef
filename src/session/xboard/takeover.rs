//! Restored sessions, and lines that crashed several servers.

use super::edit::Editor;
use super::search::consequence;
use super::{Mode, Session, Step};
use crate::chess::MoveError;
use crate::protocol::xboard::{Command, CommandKind, EditCommand, Reply};
use crate::session::closing::Closing;
use crate::session::player::{Purpose, Unavailable};
use crate::session::takeover::{FATAL_SEARCH, Takeover, refusal};
use std::sync::Arc;
use std::time::Instant;

impl Session {
    /// Continues a restored session.
    pub(super) fn resumed(&mut self, takeover: Takeover, step: &mut Step<'_>) {
        // It was another server that was about to end.
        self.closing.undrain();
        let ran = self.player.wake(step);
        if let Some(seconds) =
            takeover.announced().filter(|_| self.gui.has_spoken() && self.gui.shows_analysis())
        {
            step.reply(Reply::Resumed(seconds));
        }
        match ran {
            None => {}
            Some(purpose) if takeover.calm => self.do_without_fatal_search(purpose, step),
            Some(purpose) => self.restart_lost_search(purpose, takeover.warm, step),
        }
    }

    fn restart_lost_search(&mut self, purpose: Purpose, warm: Option<Arc<[u8]>>, step: &mut Step<'_>) {
        let Some(search) = self.player.search() else { return };
        if purpose == Purpose::Analysis && self.gui.shows_analysis() {
            self.display().show_last(search, step);
        }
        let ask = self.search_of(purpose, search.limits, search.budget);
        self.player.restart(&ask, warm, step);
    }

    fn do_without_fatal_search(&mut self, purpose: Purpose, step: &mut Step<'_>) {
        match consequence(Unavailable::Defect, purpose) {
            Some(consequence) => step.reply(Reply::Tellusererror(format!("{FATAL_SEARCH}; {consequence}"))),
            None => self.pondering.allowed = false,
        }
        if self.player.without_search(Unavailable::Defect, step) {
            self.move_without_engine(step);
        }
    }

    /// Makes the engine's move with a known one, without a search or an evaluation.
    fn move_without_engine(&mut self, step: &mut Step<'_>) {
        if self.board.is_hidden() {
            return self.make_move(step);
        }
        let Some(search) = self.player.halt(step) else { return };
        let first = || Some((search.root.legal_moves().first().copied()?, None));
        let Some((mv, reply)) = search.found().or_else(first) else { return };
        let used = self.player.limits.used(&search, step.now);
        self.player.limits.clocks.moved(used, self.board.plies());
        self.commit(mv, reply, Some(&search), step);
    }

    /// Resigns the game, since no server can search for the engine's move.
    fn resign_for(&mut self, why: &str, step: &mut Step<'_>) {
        self.stop(step);
        self.resign(step);
        step.reply(Reply::Tellusererror(why.to_owned()));
    }

    /// Refuses a line after which two servers were lost.
    pub(super) fn refuse_fatal(&mut self, line: &[u8], step: &mut Step<'_>) {
        self.gui.receive_unread_line();
        let why = refusal(line);
        if let Some(editor) = &mut self.editor {
            // Later lines are still part of the edit, not commands.
            editor.is_refused = true;
            if matches!(EditCommand::parse(line), EditCommand::Leave) {
                self.editor = None;
            }
            return step.reply(Reply::Tellusererror(format!("Illegal position: {why}")));
        }
        let Ok(command) = Command::parse(line) else { return step.reply(Reply::Tellusererror(why)) };
        match command.kind() {
            CommandKind::Position => {
                if command == Command::Edit {
                    self.stop(step);
                    self.editor = Some(Box::new(Editor::refused(self.board.position())));
                }
                step.reply(Reply::Tellusererror(format!("Illegal position: {why}")));
            }
            CommandKind::Move(text) => {
                step.reply(Reply::Tellusererror(why));
                step.reply(Reply::IllegalMove(MoveError::Illegal, text.to_owned()));
            }
            CommandKind::Demand if command == Command::Go => {
                let turn = self.board.take_turn();
                self.resign_for(&why, step);
                self.board.mode = Mode::Play(turn);
            }
            CommandKind::Restart if command == Command::Quit => self.close(step),
            CommandKind::Query => {
                step.reply(Reply::Tellusererror(why));
                self.end_answer(&command, step);
            }
            CommandKind::Blank
            | CommandKind::Restart
            | CommandKind::Demand
            | CommandKind::Release
            | CommandKind::Setting
            | CommandKind::Notice
            | CommandKind::Unknown => step.reply(Reply::Tellusererror(why)),
        }
    }

    /// Sends the last line of an answer for which a client may wait.
    fn end_answer(&mut self, query: &Command, step: &mut Step<'_>) {
        if let Command::Ping(number) = *query {
            self.pings.push(number);
        } else if let Command::Protover(_) = query {
            step.reply(Reply::FeaturesDone(true));
        } else if let Command::Bk = query {
            step.reply(Reply::BookEnd);
        }
    }

    /// Returns true if the client waits for a move, a hint or a `pong`.
    pub(in crate::session) fn is_due(&self) -> bool {
        self.owes_answer() || !self.pings.is_empty()
    }

    /// Returns true if the session may continue on another server.
    pub(in crate::session) fn may_move(&self, now: Instant) -> bool {
        let is_open = matches!(self.closing, Closing::No | Closing::Draining(_));
        is_open && !self.is_due() && !self.player.is_scrolling(now)
    }
}
