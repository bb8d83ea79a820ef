//! Thinking lines.

use super::{Gui, Mode, Session, Step};
use crate::chess::{AnyPosition, Move};
use crate::protocol::xboard::{Columns, Reply, ThinkingLine, move_text};
use crate::search::{Bound, Info};
use crate::session::player::{Options, Purpose, Search, variation_text};
use std::time::Duration;

/// Lines of a pondering search are shown after this time only. The first ones are worthless, and a
/// client that waits for the `pong` after the engine's move would take them for lines about that
/// move (python-chess).
const PONDER_LINES_AFTER: Duration = Duration::from_millis(200);

/// Thinking lines as the client and its options want them.
pub(super) struct Display<'a> {
    pub(super) gui: &'a Gui,
    pub(super) options: &'a Options,
}

impl Display<'_> {
    /// Returns the thinking line for a new principal variation; `None` if it is not shown.
    pub(super) fn line(&self, search: &Search, info: &Info) -> Option<ThinkingLine> {
        let is_shown = match search.purpose {
            Purpose::Analysis => self.gui.shows_analysis(),
            Purpose::Move => self.gui.shows_thinking(),
            // The line does not begin with the expected move, which was sent as `Hint:` (protocol
            // 1, section 10).
            Purpose::Ponder(_) | Purpose::PonderOnBoard => {
                self.gui.shows_thinking() && info.elapsed >= PONDER_LINES_AFTER
            }
            Purpose::Expectation | Purpose::Hint | Purpose::Perft(_) => false,
        };
        if is_shown { self.thinking_line(search, info) } else { None }
    }

    /// Shows the best variation again, and the others if several are shown: each move begins one
    /// line only.
    pub(super) fn show_last(&self, search: &Search, step: &mut Step<'_>) {
        let Some(best) = search.findings.best.as_ref() else { return };
        for info in search.findings.variations.last(best.clone()) {
            let info = Info { nodes: search.nodes(), elapsed: search.elapsed(), ..info };
            self.thinking_line(search, &info).into_iter().for_each(|line| step.reply(Reply::Thinking(line)));
        }
    }

    /// The line for a variation, unless it has no legal move.
    fn thinking_line(&self, search: &Search, info: &Info) -> Option<ThinkingLine> {
        let pv = format_variation(search, &info.pv, self.options);
        let mate = if self.gui.is_fritz() { ThinkingLine::mate_of_epd } else { ThinkingLine::mate };
        let micros = info.elapsed.as_micros().max(1);
        (!pv.is_empty()).then(|| ThinkingLine {
            depth: info.depth.into(),
            score: info.score.mate_distance().map_or(info.score.0, mate),
            time: (info.elapsed.as_millis() / 10) as u64,
            nodes: info.nodes,
            columns: self.gui.reads_columns().then(|| Columns {
                selective_depth: info.selective_depth.into(),
                speed: u64::try_from(u128::from(info.nodes) * 1_000_000 / micros).unwrap_or(u64::MAX),
                table_hits: 0,
            }),
            pv,
            mark: match info.bound {
                Bound::Exact => None,
                Bound::Lower => Some('!'),
                Bound::Upper => Some('?'),
            },
            line: info.line.into(),
        })
    }
}

impl Session {
    pub(super) fn display(&self) -> Display<'_> {
        Display { gui: &self.gui, options: &self.player.engine.options }
    }

    /// Shows a new variation of the current search. In kriegspiel nothing is shown before the
    /// engine's move.
    pub(super) fn show(&self, info: &Info, step: &mut Step<'_>) {
        let search = self.player.search();
        let search = search.filter(|search| search.purpose != Purpose::Move || !self.board.is_hidden());
        // A line that only changes places was shown before: GUIs order lines by their scores.
        let line = search.filter(|_| !info.again).and_then(|search| self.display().line(search, info));
        let Some(line) = line else { return };
        step.reply(Reply::Thinking(line));
        // GUIs of protocol 1 do not know the marks at the end of thinking lines.
        if self.gui.protocol <= 1 && self.board.mode == Mode::Analyze {
            match info.bound {
                Bound::Exact => {}
                Bound::Lower => step.reply(Reply::FailHigh),
                Bound::Upper => step.reply(Reply::FailLow),
            }
        }
    }

    /// Shows the last lines of a search for a move. Where nodes count as time (`nps`), the GUI
    /// measures no time and must learn the cost of a move before the move. In kriegspiel this is
    /// the only line, and shows only the move that follows.
    pub(super) fn show_chosen(&self, search: &Search, step: &mut Step<'_>) {
        let is_wanted = self.player.limits.nps.is_some() || self.board.is_hidden() || are_mixed(search);
        if is_wanted && self.gui.shows_thinking() {
            self.display().show_last(search, step);
        }
    }
}

/// Formats a variation as set by the option `PVNotation`, up to its first illegal move.
pub(super) fn format_variation(search: &Search, pv: &[Move], options: &Options) -> Vec<String> {
    let Some(root) = search.chess_root() else { return Vec::new() };
    let text = if options.coordinates { move_text } else { AnyPosition::san };
    variation_text(root, pv, text).collect()
}

/// Returns true if the last lines shown are of two depths, or out of order.
pub(super) fn are_mixed(search: &Search) -> bool {
    search.findings.variations.are_several() && !search.findings.variations.is_settled()
}
