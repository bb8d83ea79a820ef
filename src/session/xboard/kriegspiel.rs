//! Kriegspiel: the session is the umpire between the engine and the client.
//!
//! The session's game holds all pieces. It judges the client's moves as in chess. The engine is
//! asked without any position, and answers with a list of attempts, of which the first legal one is
//! its move.

use super::{Board, Step};
use crate::chess::kriegspiel::{Announcement, Refusals, View};
use crate::chess::{AnyPosition, Move};
use crate::kriegspiel::{Belief, Question, quick_order};
use crate::protocol::xboard::Reply;
use crate::search::{Bound, Info, Score};
use crate::session::player::{Announcements, BestMove, Search};
use crate::session::state::{Fields, StateError};
use crate::with_position;
use std::sync::Arc;

/// The umpire's memory besides the game.
#[derive(Clone, Default, Debug)]
pub(super) struct Umpire {
    /// Attempts of the engine that were refused.
    refusals: Refusals,
    /// The engine's belief at its last move; some 30 KiB, kept to save time only.
    belief: Option<Arc<Belief>>,
}

impl Umpire {
    /// Forgets refusals after the first `ply` plies.
    pub(super) fn rewind(&mut self, ply: usize) {
        self.refusals.rewind(ply);
    }

    /// The question to the engine about its move.
    pub(super) fn question(&self, board: &Board) -> Question {
        Question { view: self.view(board), belief: self.belief.clone() }
    }

    /// The part of the game that the side to move may know.
    fn view(&self, board: &Board) -> View {
        View::of(&board.game, board.position().turn(), &self.refusals)
    }

    /// Judges the attempts that a search proposes, up to the first legal one that the client has
    /// not excluded. It becomes the search's variation; the attempts before it are remembered as
    /// refused.
    pub(super) fn choose(&mut self, search: &mut Search, board: &Board) -> Option<BestMove> {
        let proposal = search.findings.proposal.take();
        let was_searched = proposal.is_some();
        let score = search.score().unwrap_or(Score::DRAW);
        let depth = search.findings.done.map_or(1, |done| done.depth.max(1));
        let attempts = match proposal {
            Some(proposal) => {
                self.belief = proposal.belief;
                proposal.attempts
            }
            None => quick_order(&self.view(board)),
        };
        let excluded = board.excluded_from_search();
        let mv = attempts.into_iter().find_map(|attempt| {
            let mv = with_position!(board.position(), position => attempt.resolve(position));
            if mv.is_none() {
                self.refusals.add(board.plies(), attempt);
            }
            mv.filter(|mv| !excluded.contains(mv))
        })?;
        let info = Info {
            depth,
            selective_depth: depth,
            score,
            bound: Bound::Exact,
            elapsed: search.elapsed(),
            nodes: search.nodes(),
            line: 1,
            pv: vec![mv],
            again: false,
            table_usage: None,
        };
        search.findings.best = was_searched.then_some(info);
        Some(BestMove { mv, reply: None })
    }

    /// Writes or reads the state.
    pub(super) fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        let mut refused = self.refusals.all().to_vec();
        fields.list("refused", &mut refused, 100_000)?;
        if fields.is_reading() {
            if !refused.is_sorted_by_key(|&(ply, _)| ply) {
                return Err(fields.wrong("refused"));
            }
            self.refusals = refused.into_iter().collect();
        }
        Ok(())
    }
}

/// Announces the move that was made in `before`, in the form of the option
/// `KriegspielAnnouncements`. Only in play: a client that moves for both sides needs no umpire.
pub(super) fn announce(
    board: &Board,
    before: &AnyPosition,
    mv: Move,
    form: Announcements,
    step: &mut Step<'_>,
) {
    if !board.is_hidden() || !board.mode.plays() {
        return;
    }
    let text = || format!("Umpire: {}", announcement(before, mv));
    match form {
        Announcements::Comments => step.reply(Reply::Comment(text())),
        Announcements::Windows => step.reply(Reply::Telluser(text())),
        Announcements::None => {}
    }
}

fn announcement(before: &AnyPosition, mv: Move) -> Announcement {
    with_position!(before, before => {
        let mut after = *before;
        after.play(mv);
        Announcement::after(before, mv, &after)
    })
}
