//! Questions to an engine that speaks the xboard protocol.
//!
//! Its clock would run while it is suspended, so it gets none: it analyses, for moves as well,
//! until the budget is used up, and the first move of its last variation is the best. An engine
//! that cannot analyse gets `?`.

use super::{Question, Unsupported};
use crate::chess::{AnyPosition, Move, Variant};
use crate::engines::xboard::{Features, XboardEngine};
use crate::hosting::question::MAX_MOVES;
use crate::protocol::xboard::move_text;

/// Plies of the longest game that is sent from its start: all of it fits into a pipe that the
/// engine may not read.
pub(super) const MAX_PLIES: usize = 3000;

/// A game that an engine knows.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct KnownGame {
    variant: Variant,
    /// Key of its first position.
    start: u64,
    moves: Vec<Move>,
}

impl KnownGame {
    /// The game of a question, if it is known and can go on: excluded moves would have to be
    /// included again.
    fn of(question: &Question) -> Option<KnownGame> {
        let played = question.played().filter(|_| question.request.first_moves.excluded.is_empty())?;
        let variant = question.position.variant();
        Some(KnownGame { variant, start: played.start.key(), moves: played.moves.clone() })
    }

    /// The number of moves after which this game goes on as the other one; `None` if it does not.
    fn leads_to(&self, other: &KnownGame) -> Option<usize> {
        let same = self.variant == other.variant && self.start == other.start;
        (same && other.moves.starts_with(&self.moves)).then_some(self.moves.len())
    }
}

/// The parts of the question that an engine with these features does not support.
pub(super) fn unsupported(features: &Features, question: &Question) -> Vec<Unsupported> {
    let mut found = Vec::new();
    if !features.has("setboard") && moves_from_start(question).is_none() {
        found.push(Unsupported::Position);
    }
    if !question.request.first_moves.excluded.is_empty() && !features.has("exclude") {
        found.push(Unsupported::Exclude);
    }
    found
}

/// Sets up the position of a question, or continues the game that the engine knows: an engine that
/// receives a game again from its start may take its positions for repetitions, as fairymax does.
pub(super) fn prepare(
    engine: &mut XboardEngine,
    known_game: &mut Option<KnownGame>,
    question: &Question,
) -> String {
    let (setboard, analyze) = (engine.features().has("setboard"), engine.features().can_analyze());
    let (before, game) = (known_game.take(), KnownGame::of(question));
    let known = before.zip(game.as_ref()).and_then(|(before, game)| before.leads_to(game));
    // The new moves may be a whole game; its position is shorter then.
    let new = |known| question.played().map_or(0, |played| played.moves.len() - known);
    let known = known.filter(|&known| new(known) <= MAX_MOVES || !setboard);
    *known_game = game.filter(|_| analyze);
    if let Some((known, played)) = known.zip(question.played()) {
        return "force\n".to_owned() + &engine.moves(&played.start, &played.moves, known);
    }
    let mut text = engine.begin(question.position.variant(), None, true);
    text += &match moves_from_start(question) {
        Some((start, moves)) if !setboard => engine.moves(&start, moves, 0),
        _ => {
            format!("setboard {}\n", question.from.fen()) + &engine.moves(&question.from, &question.moves, 0)
        }
    };
    for &mv in &question.request.first_moves.excluded {
        text += &format!("exclude {}\n", move_text(&question.position, mv));
    }
    text
}

/// Begins the search.
pub(super) fn go(features: &Features) -> &'static str {
    if features.can_analyze() { "analyze\n" } else { "level 0 600 0\ngo\n" }
}

/// The whole game from the variant's start position, if it is known, began there and is short
/// enough.
fn moves_from_start(question: &Question) -> Option<(AnyPosition, &[Move])> {
    let start = AnyPosition::start(question.position.variant());
    let played = question.played().filter(|played| played.start.key() == start.key());
    match played {
        Some(played) => (played.moves.len() <= MAX_PLIES).then_some((start, &played.moves[..])),
        None => (question.position.key() == start.key()).then_some((start, &[][..])),
    }
}
