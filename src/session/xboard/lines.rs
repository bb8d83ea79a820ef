//! What a search says, as lines for the user.

use super::{Mode, Session, Step};
use crate::chess::{AnyPosition, Move};
use crate::protocol::xboard::{Columns, Reply, ThinkingLine, move_text};
use crate::search::{Bound, Info};
use crate::session::player::{Purpose, Search};
use std::time::Duration;

/// A pondering search is shown only when it has run for so long. Its first lines are of no worth, and a
/// client that waits for the `pong` behind our move would take them for lines about that move (python-chess).
const PONDER_LINES_FROM: Duration = Duration::from_millis(200);

impl Session {
    /// The thinking line for a principal variation, if it is to be shown.
    pub(super) fn show(&self, info: &Info) -> Option<ThinkingLine> {
        let search = self.player.search().filter(|_| self.client.post)?;
        match search.purpose {
            Purpose::Move | Purpose::Analysis => {}
            // The expected move is left out, since it was sent as `Hint:` (protocol 1, section 10).
            Purpose::Ponder(_) | Purpose::Ordered if info.elapsed >= PONDER_LINES_FROM => {}
            _ => return None,
        }
        let pv = self.written(search.root, &info.pv);
        (!pv.is_empty()).then(|| self.thinking_line(info, pv))
    }

    /// Where the GUI does not measure time (`nps`) it has to know what the move cost before it comes.
    pub(super) fn show_nodes(&self, search: &Search, step: &mut Step<'_>) {
        let Some(info) =
            search.best.as_ref().filter(|_| self.client.post && self.player.limits.nps.is_some())
        else {
            return;
        };
        let info = Info { nodes: search.nodes(), elapsed: search.elapsed(), ..info.clone() };
        let pv = self.written(search.root, &info.pv);
        if !pv.is_empty() {
            step.reply(Reply::Thinking(self.thinking_line(&info, pv)));
        }
    }

    /// `++` and `--`: for GUIs of protocol 1, to which the marks of thinking lines say nothing.
    pub(super) fn show_failure(&self, bound: Bound, step: &mut Step<'_>) {
        if self.client.protocol > 1 || self.mode != Mode::Analyze {
            return;
        }
        match bound {
            Bound::Exact => {}
            Bound::Lower => step.reply(Reply::FailHigh),
            Bound::Upper => step.reply(Reply::FailLow),
        }
    }

    /// A variation as the user wants to read it, as far as it can be played.
    pub(super) fn written(&self, mut position: AnyPosition, pv: &[Move]) -> Vec<String> {
        let mut line = Vec::with_capacity(pv.len());
        for &mv in pv {
            if !position.is_legal(mv) {
                break;
            }
            let coordinates = self.player.engine.options.coordinates;
            line.push(if coordinates { move_text(&position, mv) } else { position.san(mv) });
            position.play(mv);
        }
        line
    }

    fn thinking_line(&self, info: &Info, pv: Vec<String>) -> ThinkingLine {
        let mate = if self.client.fritz { ThinkingLine::mate_of_epd } else { ThinkingLine::mate };
        let micros = info.elapsed.as_micros().max(1);
        ThinkingLine {
            depth: info.depth.into(),
            score: info.score.mate_distance().map_or(info.score.0, mate),
            time: (info.elapsed.as_millis() / 10) as u64,
            nodes: info.nodes,
            columns: self.client.reads_columns().then(|| Columns {
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
