//! Kriegspiel: the session is the umpire between the engine and the client.
//!
//! The session's game holds all pieces. It judges the client's moves as in chess. The engine is
//! asked without any position, and answers with a list of attempts, of which the first legal one is
//! its move.

use super::{Mode, Session, Step};
use crate::chess::kriegspiel::{Announcement, Refusals, View};
use crate::chess::{AnyPosition, Move};
use crate::kriegspiel::{Belief, Question, quick_order};
use crate::protocol::xboard::Reply;
use crate::search::{Bound, Info, Score};
use crate::session::player::{Announcements, BestMove, Purpose, Search};
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
}

impl Umpire {
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

impl Session {
    /// Returns true if each side sees its own men only.
    pub(super) fn is_hidden(&self) -> bool {
        self.game.position().variant().rules().hidden
    }

    /// Returns true if the engine may suggest a move to the client: not in a game of kriegspiel
    /// against it, as a suggestion would reveal the engine's men.
    pub(super) fn may_suggest(&self) -> bool {
        !self.is_hidden() || !matches!(self.mode, Mode::Play(_))
    }

    /// The question to the engine, for a search in kriegspiel.
    pub(super) fn question(&self, purpose: Purpose) -> Option<Question> {
        let asked = self.is_hidden() && purpose == Purpose::Move;
        asked.then(|| Question { view: self.view(), belief: self.umpire.belief.clone() })
    }

    /// The part of the game that the side to move may know.
    fn view(&self) -> View {
        View::of(&self.game, self.game.position().turn(), &self.umpire.refusals)
    }

    /// Proposes the engine's attempts to the umpire, up to the first legal one that the client has
    /// not excluded. It becomes the search's variation; the attempts before it are remembered as
    /// refused.
    pub(super) fn propose(&mut self, search: &mut Search, excluded: &[Move]) -> Option<BestMove> {
        let answer = search.findings.proposal.take();
        let thought = answer.is_some();
        let (score, depth) =
            (search.score().unwrap_or(Score::DRAW), search.findings.done.map_or(1, |done| done.depth.max(1)));
        let attempts = match answer {
            Some(answer) => {
                self.umpire.belief = answer.belief;
                answer.attempts
            }
            None => quick_order(&self.view()),
        };
        let ply = self.game.moves().len();
        let position = *self.game.position();
        let mut refused = Vec::new();
        let legal = attempts.into_iter().find_map(|attempt| {
            let mv = with_position!(&position, position => attempt.resolve(position));
            if mv.is_none() {
                refused.push(attempt);
            }
            mv.filter(|mv| !excluded.contains(mv))
        });
        refused.into_iter().for_each(|attempt| self.umpire.refusals.add(ply, attempt));
        let mv = legal?;
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
        search.findings.best = thought.then_some(info);
        Some(BestMove { mv, reply: None })
    }

    /// Announces the move that was made in `before`, as set by the option
    /// `KriegspielAnnouncements`. Only in play: a client that moves for both sides needs no umpire.
    pub(super) fn umpire_says(&self, before: &AnyPosition, mv: Move, step: &mut Step<'_>) {
        if !self.is_hidden() || !matches!(self.mode, Mode::Play(_)) {
            return;
        }
        let text = || format!("Umpire: {}", announcement(before, mv));
        match self.player.engine.options.announcements {
            Announcements::Comments => step.reply(Reply::Comment(text())),
            Announcements::Windows => step.reply(Reply::Telluser(text())),
            Announcements::None => {}
        }
    }
}

fn announcement(before: &AnyPosition, mv: Move) -> Announcement {
    with_position!(before, before => {
        let mut after = *before;
        after.play(mv);
        Announcement::after(before, mv, &after)
    })
}
