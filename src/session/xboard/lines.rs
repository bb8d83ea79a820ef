//! Thinking lines.

use super::{Mode, Session, Step};
use crate::chess::{AnyPosition, Move};
use crate::protocol::xboard::{Columns, Reply, ThinkingLine, move_text};
use crate::search::{Bound, Info};
use crate::session::player::{Purpose, Search, variation_text};
use std::time::Duration;

/// Lines of a pondering search are shown after this time only. The first ones are worthless, and a
/// client that waits for the `pong` after the engine's move would take them for lines about that
/// move (python-chess).
const PONDER_LINES_AFTER: Duration = Duration::from_millis(200);

impl Session {
    /// Returns the thinking line for a principal variation; `None` if it is not shown.
    pub(super) fn show(&self, info: &Info) -> Option<ThinkingLine> {
        let search = self.player.search()?;
        let is_shown = match search.purpose {
            Purpose::Analysis => self.gui.shows_analysis(),
            // In kriegspiel nothing is shown before the move itself.
            Purpose::Move => self.gui.shows_thinking() && !self.is_hidden(),
            // The line does not begin with the expected move, which was sent as `Hint:` (protocol
            // 1, section 10).
            Purpose::Ponder(_) | Purpose::PonderOnBoard => {
                self.gui.shows_thinking() && info.elapsed >= PONDER_LINES_AFTER
            }
            Purpose::Expectation | Purpose::Hint | Purpose::Perft(_) => false,
        };
        if !is_shown {
            return None;
        }
        let pv = self.format_variation(search, &info.pv);
        (!pv.is_empty()).then(|| self.thinking_line(info, pv))
    }

    /// Shows the last lines of a search for a move. Where nodes count as time (`nps`), the GUI
    /// measures no time and must learn the cost of a move before the move. In kriegspiel this is
    /// the only line, and shows only the move that follows.
    pub(super) fn show_chosen(&self, search: &Search, step: &mut Step<'_>) {
        let is_wanted = self.player.limits.nps.is_some() || self.is_hidden() || are_mixed(search);
        if is_wanted && self.gui.shows_thinking() {
            self.show_last(search, step);
        }
    }

    /// Shows the last lines of an analysis that ends.
    pub(super) fn show_last_of_analysis(&self, step: &mut Step<'_>) {
        let analysis = self.player.search().filter(|search| search.purpose == Purpose::Analysis);
        if let Some(search) = analysis.filter(|search| are_mixed(search) && self.gui.shows_analysis()) {
            self.show_last(search, step);
        }
    }

    /// Shows the best variation again, and the others if several are shown: each move begins one
    /// line only.
    pub(super) fn show_last(&self, search: &Search, step: &mut Step<'_>) {
        let Some(best) = search.findings.best.as_ref() else { return };
        for info in search.findings.variations.last(best.clone()) {
            let info = Info { nodes: search.nodes(), elapsed: search.elapsed(), ..info };
            let pv = self.format_variation(search, &info.pv);
            if !pv.is_empty() {
                step.reply(Reply::Thinking(self.thinking_line(&info, pv)));
            }
        }
    }

    /// Sends `++` and `--`, for GUIs of protocol 1, which do not know the marks at the end of
    /// thinking lines.
    pub(super) fn show_failure(&self, bound: Bound, step: &mut Step<'_>) {
        if self.gui.protocol > 1 || self.mode != Mode::Analyze {
            return;
        }
        match bound {
            Bound::Exact => {}
            Bound::Lower => step.reply(Reply::FailHigh),
            Bound::Upper => step.reply(Reply::FailLow),
        }
    }

    /// Formats a variation as set by the option `PVNotation`, up to its first illegal move.
    pub(super) fn format_variation(&self, search: &Search, pv: &[Move]) -> Vec<String> {
        let Some(root) = search.chess_root() else { return Vec::new() };
        let text = if self.player.engine.options.coordinates { move_text } else { AnyPosition::san };
        variation_text(root, pv, text).collect()
    }

    fn thinking_line(&self, info: &Info, pv: Vec<String>) -> ThinkingLine {
        let mate = if self.gui.is_fritz() { ThinkingLine::mate_of_epd } else { ThinkingLine::mate };
        let micros = info.elapsed.as_micros().max(1);
        ThinkingLine {
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
        }
    }
}

/// Returns true if the last lines shown are of two depths, or out of order.
fn are_mixed(search: &Search) -> bool {
    search.findings.variations.are_several() && !search.findings.variations.is_settled()
}
