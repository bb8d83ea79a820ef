//! From `go` to `bestmove`: `ponderhit`, search events, and the answer.

use super::board::Board;
use super::go::Terms;
use super::lines::Lines;
use super::{Closing, Session, Step, remark};
use crate::chess::{AnyPosition, Move};
use crate::pool::{SearchEvent, SearchId};
use crate::protocol::uci::{Go, Reply, move_text};
use crate::search::{Bound, Info, Notice, static_best_move};
use crate::session::player::{
    BEST_KNOWN_MOVE, BestMove, Due, Purpose, QUICK_MOVE, Search, SearchUpdate, Unavailable,
};
use std::time::Duration;

/// A pending `go`.
#[derive(Debug)]
pub(super) struct Thinking {
    pub(super) work: Work,
    /// When the answer may go out.
    pub(super) release: Release,
    /// The root position. The board may have another one already.
    pub(super) root: AnyPosition,
    /// Plies of the game before the root.
    pub(super) ply: usize,
    /// First moves that are not searched.
    pub(super) excluded: Vec<Move>,
    /// Whether castling is written as king takes rook.
    pub(super) king_takes_rook: bool,
    /// The last output.
    pub(super) lines: Lines,
    /// First moves whose leaf counts were shown.
    pub(super) counted: Vec<Move>,
}

/// The work for a `go`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Work {
    /// A search: running, ended, or refused.
    Search(Terms),
    /// A perft.
    Perft,
    /// Nothing: there is no move.
    Nothing,
}

/// When a `bestmove` may go out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Release {
    /// As soon as it is known.
    AtOnce,
    /// Not before `ponderhit` or `stop`.
    OnHit,
    /// Not before `stop`.
    OnStop,
}

impl Release {
    /// When the answer to this `go` may go out.
    pub(super) fn of(go: &Go) -> Release {
        match (go.infinite, go.ponder) {
            (true, _) => Release::OnStop,
            (false, true) => Release::OnHit,
            (false, false) => Release::AtOnce,
        }
    }
}

impl Thinking {
    /// A `go` about the position on the board.
    pub(super) fn new(work: Work, release: Release, board: &Board) -> Box<Thinking> {
        Box::new(Thinking {
            work,
            release,
            root: *board.game().position(),
            ply: board.game().moves().len(),
            excluded: Vec::new(),
            king_takes_rook: board.king_takes_rook(),
            lines: Lines { shown: None, current: None, shows_wdl: false },
            counted: Vec::new(),
        })
    }

    pub(super) fn is_perft(&self) -> bool {
        self.work == Work::Perft
    }
}

impl Session {
    /// Answers the pending `go`, if any, with the best move known.
    pub(super) fn answer(&mut self, step: &mut Step<'_>) {
        let Some(mut thinking) = self.thinking.take() else { return };
        let search = self.player.halt(step);
        match thinking.work {
            Work::Perft => {
                return match search.and_then(|search| search.findings.done) {
                    Some(done) => step.reply(Reply::PerftTotal(done.nodes)),
                    None => remark("the perft was stopped", step),
                };
            }
            Work::Nothing => return step.reply(Reply::Bestmove { best: None, ponder: None }),
            Work::Search(_) => {}
        }
        let careful = self.player.engine.options.strength().is_none();
        let chosen = search.as_ref().and_then(|search| search.choose(&thinking.excluded, careful, None));
        // The search was refused.
        let chosen = chosen.or_else(|| {
            let mv = static_best_move(&thinking.root.into(), &thinking.excluded, None)?;
            Some(BestMove { mv, reply: None })
        });
        if let Some(chosen) = chosen {
            if let Some(search) = &search {
                self.show_last(search, chosen.mv, &mut thinking, step);
            }
            self.show_glance(chosen.mv, &mut thinking, step);
        }
        self.answer_with(chosen, &thinking, search.as_ref(), step);
    }

    /// Sends the answer to a `go`, found by `search`.
    pub(super) fn answer_with(
        &mut self,
        chosen: Option<BestMove>,
        thinking: &Thinking,
        search: Option<&Search>,
        step: &mut Step<'_>,
    ) {
        let mut spent = Duration::ZERO;
        if let Some(search) = search.filter(|search| search.purpose == Purpose::Move) {
            let used = self.player.limits.used(search, step.now);
            self.player.limits.clocks.moved(used, thinking.ply);
            spent = used;
            if self.debug {
                remark(self.player.account(search, used), step);
            }
        }
        if let Some(chosen) = chosen {
            self.note_move(chosen.mv, thinking, search, spent, step);
        }
        if self.in_game {
            let is_on_board = self.game().position().key() == thinking.root.key();
            self.answered = chosen.map(|chosen| chosen.mv).filter(|_| is_on_board);
            self.player.moved(search, step);
        }
        let king_takes_rook = thinking.king_takes_rook;
        let ponder = chosen.and_then(|BestMove { mv, reply }| {
            let mut after = thinking.root;
            after.play(mv);
            reply
                .filter(|&reply| after.is_legal(reply))
                .map(|reply| move_text(&after, reply, king_takes_rook))
        });
        let best = chosen.map(|chosen| move_text(&thinking.root, chosen.mv, king_takes_rook));
        step.reply(Reply::Bestmove { best, ponder });
    }

    /// `ponderhit`: turns the search into the one for the engine's move, whose clock runs from now
    /// on.
    pub(super) fn ponder_hit(&mut self, step: &mut Step<'_>) {
        let Some(thinking) = self.thinking.as_mut().filter(|thinking| thinking.release == Release::OnHit)
        else {
            if self.debug {
                remark("not pondering", step);
            }
            return;
        };
        thinking.release = Release::AtOnce;
        let Work::Search(terms) = thinking.work else { return self.answer(step) };
        if self.player.search().is_none_or(|search| search.refused_or_failed) {
            // The search was refused, or has failed.
            return self.begin_search(step);
        }
        let (limits, budget) = self.limits_and_budget(terms, self.ply(), step.now);
        if self.player.go_on_as_move(limits, budget, step) {
            self.answer(step);
        }
    }

    /// Handles an event of a search.
    pub(super) fn search_event(&mut self, id: SearchId, event: SearchEvent, step: &mut Step<'_>) {
        match self.player.search_event(id, event, step) {
            SearchUpdate::Stale => {}
            SearchUpdate::Progress => self.show_current_move(step),
            SearchUpdate::Notice(Notice(text)) => remark(text, step),
            SearchUpdate::Variation(info) => self.variation(info, step),
            SearchUpdate::Leaves(mv, leaves) => self.show_leaves(mv, leaves, step),
            SearchUpdate::Done(_) => self.search_done(step),
            SearchUpdate::Unavailable(why) => self.do_without_search(why, step),
        }
    }

    /// Handles the timer.
    pub(super) fn timer(&mut self, step: &mut Step<'_>) {
        match self.player.timer(step) {
            Due::Nothing => {}
            // The search was refused before.
            Due::Analysis => self.begin_search(step),
            Due::Move => self.answer(step),
        }
    }

    /// Handles a new variation of the current search.
    fn variation(&mut self, info: Info, step: &mut Step<'_>) {
        let Some(mut thinking) = self.thinking.take() else { return };
        self.show(&info, &mut thinking, step);
        let found = |moves: u8| {
            let distance = info.score.mate_distance();
            let is_short = distance.is_some_and(|distance| (1..=i32::from(moves)).contains(&distance));
            info.bound == Bound::Exact && info.line <= 1 && is_short
        };
        let wanted = self.player.search().and_then(|search| search.limits.mate);
        let is_found = wanted.is_some_and(found) && thinking.release == Release::AtOnce;
        self.thinking = Some(thinking);
        self.player.keep_variation(info);
        if is_found {
            self.answer(step);
        }
    }

    /// Handles the end of the search. Its result is kept until the client wants it.
    fn search_done(&mut self, step: &mut Step<'_>) {
        if self.thinking.as_ref().is_some_and(|thinking| thinking.release == Release::AtOnce) {
            self.answer(step);
        }
    }

    /// Handles a search that was refused or has failed. A move that is due is made nevertheless; an
    /// analysis is requested again.
    fn do_without_search(&mut self, why: Unavailable, step: &mut Step<'_>) {
        let Some(thinking) = &self.thinking else { return };
        let is_due = thinking.release == Release::AtOnce;
        remark(why.message(consequence(why, thinking.work, thinking.release)), step);
        if why != Unavailable::Defect && !is_due {
            self.player.without_search(why, step);
            return;
        }
        // The findings are the answer, now or when the client wants it.
        if let Some(search) = self.player.search_mut() {
            search.refused_or_failed = true;
        }
        if is_due {
            self.answer(step);
        }
    }

    /// Plies before the root position.
    fn ply(&self) -> usize {
        self.thinking.as_ref().map_or(0, |thinking| thinking.ply)
    }

    fn show_leaves(&mut self, mv: Move, leaves: u64, step: &mut Step<'_>) {
        // A perft that was restarted on another server finds some counts again.
        let is_news = |thinking: &&mut Thinking| thinking.is_perft() && !thinking.counted.contains(&mv);
        if let Some(thinking) = self.thinking.as_deref_mut().filter(is_news) {
            thinking.counted.push(mv);
            let text = move_text(&thinking.root, mv, thinking.king_takes_rook);
            step.reply(Reply::PerftMove(text, leaves));
        }
    }

    /// Returns true if the search ends by itself and is answered then.
    pub(super) fn is_answer_certain(&self) -> bool {
        self.thinking.as_ref().is_some_and(|thinking| {
            thinking.release == Release::AtOnce && thinking.work != Work::Search(Terms::Endless)
        }) && self.closing != Closing::Closed
    }
}

/// The substitute for the search, as part of a message.
fn consequence(why: Unavailable, work: Work, release: Release) -> &'static str {
    if work == Work::Perft {
        return "nothing is counted";
    }
    match (release, why) {
        (Release::AtOnce, Unavailable::NoRoom(_)) => QUICK_MOVE,
        (Release::AtOnce, Unavailable::Defect) => BEST_KNOWN_MOVE,
        (Release::OnHit | Release::OnStop, Unavailable::Defect) => "this position is not searched further",
        (Release::OnHit, Unavailable::NoRoom(_)) => "this search will start with ponderhit",
        (Release::OnStop, Unavailable::NoRoom(_)) => "this search will start as soon as possible",
    }
}
