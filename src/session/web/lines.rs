//! Variations of a search.

use super::record::words;
use super::{Session, Step, Task, send};
use crate::chess::{Color, Move};
use crate::protocol::web::{self, Message};
use crate::search::{Bound, Info, RootPosition, Score};
use crate::session::player::{Purpose, Search};
use std::time::Duration;

/// Bounds are shown after this time only: at low depths the search soon resolves them.
const BOUNDS_AFTER: Duration = Duration::from_secs(3);
/// The most moves of a variation.
const MAX_PV: usize = 40;

impl Session {
    /// Shows a new variation of the engine's thinking or of an analysis; several of them once all
    /// of one depth are complete.
    pub(super) fn show_lines(&self, info: &Info, step: &mut Step<'_>) {
        let Some(search) = self.player.search().filter(|search| self.is_shown(search)) else { return };
        let variations = &search.findings.variations;
        if variations.are_several() {
            if let Some(set) = variations.completed() {
                self.send_lines(search, set, step);
            }
        } else if !info.again && (info.bound == Bound::Exact || info.elapsed >= BOUNDS_AFTER) {
            self.send_lines(search, std::slice::from_ref(info), step);
        }
    }

    /// Shows again what the search of the position on the board has found.
    pub(super) fn show_last_lines(&self, step: &mut Step<'_>) {
        let is_of_board = |search: &&Search| search.root.key() == self.game.root().key();
        let search = self.player.search().filter(|search| self.is_shown(search)).filter(is_of_board);
        let Some(search) = search else { return };
        let findings = &search.findings;
        match &findings.best {
            _ if findings.variations.are_several() => {
                self.send_lines(search, findings.variations.last_set(), step);
            }
            Some(best) => self.send_lines(search, std::slice::from_ref(best), step),
            None => {}
        }
    }

    fn is_shown(&self, search: &Search) -> bool {
        search.purpose == Purpose::Move || search.purpose == Purpose::Analysis && self.task == Task::Analysis
    }

    fn send_lines(&self, search: &Search, infos: &[Info], step: &mut Step<'_>) {
        let lines: Vec<web::Line> =
            infos.iter().map(|info| line(&search.root, info)).filter(|line| !line.pv.is_empty()).collect();
        let Some(depth) = lines.iter().map(|line| line.depth).max() else { return };
        let (nodes, elapsed) = infos.iter().fold((0, Duration::ZERO), |(nodes, elapsed), info| {
            (info.nodes.max(nodes), info.elapsed.max(elapsed))
        });
        let nps = u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1);
        send(
            Message::Lines {
                ply: self.game.plies(),
                depth,
                nodes,
                nps: u64::try_from(nps).unwrap_or(u64::MAX),
                ms: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
                lines,
            },
            step,
        );
    }
}

/// A variation for the client, up to its first illegal move.
fn line(root: &RootPosition, info: &Info) -> web::Line {
    let (pv, san) = variation_words(*root, &info.pv, MAX_PV);
    let turn = root.turn();
    web::Line {
        score: of_white(info.score, turn),
        depth: info.depth,
        bound: bound(info.bound, turn),
        pv,
        san,
    }
}

/// At most `most` moves of a variation in coordinates and in SAN, up to the first illegal one.
pub(crate) fn variation_words(
    mut position: RootPosition,
    moves: &[Move],
    most: usize,
) -> (Vec<String>, Vec<String>) {
    let words = moves.iter().take(most).map_while(|&mv| {
        let words = position.is_legal(mv).then(|| words(&position, mv))?;
        position.play(mv);
        Some((words.uci, words.san))
    });
    words.unzip()
}

/// A score of the side on move from White's point of view.
pub(crate) fn of_white(score: Score, turn: Color) -> web::Score {
    let sign = if turn == Color::White { 1 } else { -1 };
    match score.mate_distance() {
        Some(moves) => web::Score::Mate(sign * moves),
        None => web::Score::Cp(sign * score.0),
    }
}

fn bound(bound: Bound, turn: Color) -> Option<web::Bound> {
    match (bound, turn) {
        (Bound::Exact, _) => None,
        (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => Some(web::Bound::Lower),
        (Bound::Upper, Color::White) | (Bound::Lower, Color::Black) => Some(web::Bound::Upper),
    }
}
