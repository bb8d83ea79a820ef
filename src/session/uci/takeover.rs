//! Restored sessions, and lines that crashed several servers.

use super::lines::show_all;
use super::thinking::{Release, Work};
use super::{Session, Step, remark};
use crate::protocol::uci::{Command, Reply};
use crate::session::closing::Closing;
use crate::session::player::{BestMove, Purpose, Search};
use crate::session::takeover::{FATAL_SEARCH, Takeover, refusal};
use std::time::Instant;

impl Session {
    /// Continues a restored session.
    pub(super) fn resumed(&mut self, takeover: Takeover, step: &mut Step<'_>) {
        // It was another server that was about to end.
        self.closing.undrain();
        let ran = self.player.wake(step);
        if let Some(seconds) = takeover.announced().filter(|_| self.heard) {
            remark(format!("the session goes on here, {seconds:.1} seconds later"), step);
        }
        match ran {
            None => {}
            Some(_) if takeover.calm => self.do_without_fatal_search(step),
            Some(purpose) => {
                if purpose == Purpose::Analysis {
                    self.show_again(step);
                }
                let ask = self.player.search().zip(self.thinking.as_ref()).map(|(search, thinking)| {
                    self.search_of(thinking, purpose, search.limits, search.budget)
                });
                if let Some(ask) = ask {
                    self.player.restart(&ask, takeover.warm, step);
                }
            }
        }
    }

    /// Shows the findings of the search again.
    fn show_again(&mut self, step: &mut Step<'_>) {
        let (Some(search), Some(thinking)) = (self.player.search(), &mut self.thinking) else { return };
        if let Some(best) = &search.findings.best {
            // Several lines are shown together, all of one depth.
            let lines = if search.findings.variations.are_several() {
                search.findings.variations.last_set().to_vec()
            } else {
                vec![best.clone()]
            };
            show_all(&lines, search.nodes(), search.elapsed(), thinking, step);
        }
    }

    fn do_without_fatal_search(&mut self, step: &mut Step<'_>) {
        self.player.abandon_search();
        remark(format!("ERROR: {FATAL_SEARCH}"), step);
        if self.thinking.as_ref().is_some_and(|thinking| thinking.release == Release::AtOnce) {
            self.answer_without_engine(step);
        }
    }

    /// Answers the pending `go` with a known move, without a search or an evaluation.
    fn answer_without_engine(&mut self, step: &mut Step<'_>) {
        let Some(thinking) = self.thinking.take_if(|thinking| matches!(thinking.work, Work::Search(_)))
        else {
            return self.answer(step);
        };
        let search = self.player.halt(step);
        let chosen = search.as_ref().and_then(Search::found).map(|(mv, reply)| BestMove { mv, reply });
        self.answer_with(chosen, &thinking, search.as_ref(), step);
    }

    /// Refuses a line after which two servers were lost.
    pub(super) fn refuse_fatal(&mut self, line: &[u8], step: &mut Step<'_>) {
        self.heard = true;
        remark(format!("ERROR: {}", refusal(line)), step);
        match Command::parse(line) {
            Ok(Command::Go(go)) => {
                self.answer_without_engine(step);
                if go.perft.is_none() {
                    self.have_nothing(Release::of(&go), step);
                }
            }
            Err(error) if error.is_of_go() => {
                self.answer_without_engine(step);
                step.reply(Reply::Bestmove { best: None, ponder: None });
            }
            Ok(Command::Position { .. }) => self.board.forget(),
            Err(error) if error.is_of_position() => self.board.forget(),
            Ok(Command::Stop | Command::Ponderhit) => self.answer_without_engine(step),
            Ok(Command::Isready) => step.reply(Reply::Readyok),
            Ok(Command::Uci) => step.reply(Reply::Uciok),
            Ok(Command::Quit) => {
                self.answer_without_engine(step);
                self.close(step);
            }
            Ok(
                Command::Empty
                | Command::Debug(_)
                | Command::Register(_)
                | Command::Setoption { .. }
                | Command::Ucinewgame
                | Command::D
                | Command::Eval
                | Command::Help,
            )
            | Err(_) => {}
        }
    }

    /// Returns true if the client waits for a best move or the result of a perft.
    pub(in crate::session) fn is_due(&self) -> bool {
        self.is_answer_certain()
    }

    /// Returns true if the session may continue on another server.
    pub(in crate::session) fn may_move(&self, _now: Instant) -> bool {
        matches!(self.closing, Closing::No | Closing::Draining(_)) && !self.is_due()
    }
}
