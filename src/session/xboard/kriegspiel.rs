//! Kriegspiel: the session is the umpire between its player and the client.
//!
//! The game on the board is the true one. The client's moves are judged by it as in chess. Our player gets a question without any
//! position in it, and its answer is a list of attempts, of which the first that is legal is our move.

use super::{Mode, Session, Step};
use crate::chess::kriegspiel::{Announcement, Refusals, View};
use crate::chess::{AnyPosition, Move};
use crate::kriegspiel::{Belief, Question, quick_order};
use crate::protocol::xboard::Reply;
use crate::search::{Bound, Info, Score};
use crate::session::player::{Announcements, BestMove, Purpose, Search};
use crate::with_position;
use std::sync::Arc;

/// What the umpire remembers besides the game.
#[derive(Clone, Default, Debug)]
pub(super) struct Umpire {
    /// What was refused to our player.
    pub(super) refusals: Refusals,
    /// What our player believed at its last move; some 30 KiB, and only a means to save time.
    belief: Option<Arc<Belief>>,
}

impl Umpire {
    /// Moves were taken back, and `ply` plies are left.
    pub(super) fn rewind(&mut self, ply: usize) {
        self.refusals.rewind(ply);
    }
}

impl Session {
    /// Whether each side sees its own men only.
    pub(super) fn is_hidden(&self) -> bool {
        self.game.position().variant().rules().hidden
    }

    /// Whether we may suggest a move to the client: not in a game of kriegspiel that it plays against us, as we know where our
    /// men are.
    pub(super) fn may_suggest(&self) -> bool {
        !self.is_hidden() || !matches!(self.mode, Mode::Play(_))
    }

    /// What a search for our move asks in kriegspiel.
    pub(super) fn question(&self, purpose: Purpose) -> Option<Question> {
        let asked = self.is_hidden() && purpose == Purpose::Move;
        asked.then(|| Question { view: self.view(), belief: self.umpire.belief.clone() })
    }

    /// What the side on move may know of the game.
    fn view(&self) -> View {
        View::of(&self.game, self.game.position().turn(), &self.umpire.refusals)
    }

    /// Proposes the attempts of our player to the umpire, until one is legal. The move becomes the search's variation; the
    /// others are remembered as refused. Leaves out moves that the client has excluded.
    pub(super) fn propose(&mut self, search: &mut Search, excluded: &[Move]) -> Option<BestMove> {
        let answer = search.proposal.take();
        let thought = answer.is_some();
        let (score, depth) =
            (search.score().unwrap_or(Score::DRAW), search.done.map_or(1, |done| done.depth.max(1)));
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
        search.best = thought.then_some(info);
        Some(BestMove { mv, reply: None })
    }

    /// Says what the umpire says of the move that was made in `before`, as the option `KriegspielAnnouncements` wants it. Only
    /// in play: where the client moves for both sides it needs no umpire.
    pub(super) fn umpire_says(&self, before: &AnyPosition, mv: Move, step: &mut Step<'_>) {
        if !self.is_hidden() || !matches!(self.mode, Mode::Play(_)) {
            return;
        }
        let text = || format!("Umpire: {}", heard(before, mv));
        match self.player.engine.options.announcements {
            Announcements::Comments => step.reply(Reply::Comment(text())),
            Announcements::Windows => step.reply(Reply::Telluser(text())),
            Announcements::None => {}
        }
    }
}

fn heard(before: &AnyPosition, mv: Move) -> Announcement {
    with_position!(before, before => {
        let mut after = *before;
        after.play(mv);
        Announcement::after(before, mv, &after)
    })
}
