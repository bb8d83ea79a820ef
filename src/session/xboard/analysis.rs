//! Analyze mode.

use super::lines::are_mixed;
use super::{Mode, Session, Step};
use crate::pool::Class;
use crate::protocol::xboard::{Reply, Stat01};
use crate::search::Limits;
use crate::session::player::{Purpose, Search, untimed_budget};
use std::time::Duration;

impl Session {
    /// `analyze`
    pub(super) fn begin_analysis(&mut self, step: &mut Step<'_>) {
        if self.settle_turn(step) && self.board.mode != Mode::Analyze {
            self.stop(step);
            self.board.mode = Mode::Analyze;
            self.offers.drop_offer();
            self.analyse(step);
        }
    }

    /// `exit`: leaves analyze mode.
    pub(super) fn exit_analysis(&mut self, step: &mut Step<'_>) {
        if self.board.mode == Mode::Analyze {
            let analysis = self.player.search().filter(|search| search.purpose == Purpose::Analysis);
            if let Some(search) = analysis.filter(|search| are_mixed(search) && self.gui.shows_analysis()) {
                self.display().show_last(search, step);
            }
            self.force(step);
        }
    }

    /// In analyze mode, starts the search of the position on the board, unless the session is
    /// paused or the position has no legal move that is not excluded. Positions in quick succession
    /// wait until one has settled.
    pub(super) fn analyse(&mut self, step: &mut Step<'_>) {
        if self.board.mode != Mode::Analyze {
            return;
        }
        self.player.halt(step);
        let wanted =
            !self.player.is_paused() && self.board.position().has_legal_move() && !self.board.excludes_all();
        if wanted && self.player.debounce_analysis(step) {
            self.search_on_board(step);
        }
    }

    /// Starts the search for an analysis.
    pub(super) fn search_on_board(&mut self, step: &mut Step<'_>) {
        let budget = untimed_budget(Class::Analysis, step.now);
        self.start_search(Purpose::Analysis, Limits::default(), budget, step);
    }

    /// `.`: xboard asks every two seconds until an answer fails to come.
    pub(super) fn status(&mut self, step: &mut Step<'_>) {
        // In version 1 the line ends before the move (section 12).
        let shows_move = self.gui.protocol >= 2 && !self.gui.is_fritz();
        match self.player.search() {
            Some(search) => {
                let elapsed = self.player.clock_instant(step.now).saturating_duration_since(search.began);
                step.reply(Reply::Stat01(progress_of(search, elapsed, shows_move)));
            }
            None if self.board.mode == Mode::Analyze => step.reply(Reply::Stat01(Stat01::default())),
            None => {}
        }
    }
}

fn progress_of(search: &Search, elapsed: Duration, shows_move: bool) -> Stat01 {
    let mut status = Stat01 { time: (elapsed.as_millis() / 10) as u64, ..Stat01::default() };
    if let Some(info) = &search.findings.best {
        status.depth = info.depth.into();
        status.nodes = info.nodes;
    }
    if let Some(progress) = &search.findings.progress {
        status.depth = status.depth.max(progress.depth.into());
        status.nodes = status.nodes.max(progress.nodes);
        status.moves_left = progress.moves_left.into();
        status.moves_total = progress.moves_total.into();
        let current = progress.current.filter(|&mv| shows_move && search.root.is_legal(mv));
        status.current = search.chess_root().zip(current).map(|(root, mv)| root.san(mv));
    }
    if let Some(done) = &search.findings.done {
        status.nodes = status.nodes.max(done.nodes);
        status.moves_left = 0;
    }
    status
}
