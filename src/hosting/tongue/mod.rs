//! What is said to an engine and heard from it: strings in, values out, whatever the protocol.

mod uci;
mod xboard;

use super::question::{MOST_TOLD, Question};
use super::{EngineProtocol, EngineSpec};
use crate::search::{Bound, Score};
pub use uci::MANAGED_OPTIONS;
use uci::Uci;
use xboard::Xboard;

/// What a line of an engine means.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Heard<'a> {
    /// The greeting is complete.
    Greeted,
    /// It has obeyed all it was told.
    Ready,
    /// A variation.
    Variation(Variation<'a>),
    /// It searches this first move now: depth, move, number from 1.
    Current(u8, &'a str, u16),
    /// The search has ended.
    Ended {
        /// The best move, if it says one.
        best: Option<&'a str>,
        /// The expected reply.
        ponder: Option<&'a str>,
    },
    /// It complains of what it was told.
    Complaint(&'a str),
    /// Nothing of interest.
    Nothing,
}

/// A variation as an engine says it. No move is checked yet.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Variation<'a> {
    pub depth: u8,
    pub selective_depth: u8,
    /// From 1.
    pub line: u8,
    pub score: Score,
    pub bound: Bound,
    /// Nodes of this search.
    pub nodes: u64,
    /// The moves, separated by blanks.
    pub pv: &'a str,
    /// Whether an illegal first move is a defect, and not a leftover of an earlier search.
    pub binding: bool,
}

/// What an engine cannot do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Inability {
    /// It does not play this variant.
    Variant(&'static str),
    /// It takes no position but the start of a game.
    Position,
    /// It cannot leave moves out.
    Exclude,
    /// It shows no more lines than this.
    Lines(u8),
    /// It plays at full strength only.
    Strength,
    /// It takes a draw for worth nothing.
    Contempt,
    /// It takes no scores that the user has set.
    Scores,
}

impl Inability {
    /// Whether another engine must do the search.
    pub fn prevents_search(&self) -> bool {
        matches!(self, Inability::Variant(_) | Inability::Position | Inability::Exclude)
    }

    /// What it cannot do, as the end of a sentence about it.
    pub fn words(&self) -> String {
        match self {
            Inability::Variant(name) => format!("does not play {name}"),
            Inability::Position => "cannot be given this position".to_owned(),
            Inability::Exclude => "cannot leave out moves".to_owned(),
            Inability::Lines(1) => "shows one line only".to_owned(),
            Inability::Lines(most) => format!("shows no more than {most} lines"),
            Inability::Strength => "plays at full strength only".to_owned(),
            Inability::Contempt => "knows no contempt".to_owned(),
            Inability::Scores => "takes no scores that the user sets".to_owned(),
        }
    }
}

/// The protocol of an engine, and what it has said of itself.
#[derive(Debug)]
pub(super) enum Tongue {
    Uci(Uci),
    Xboard(Xboard),
}

impl Tongue {
    pub fn new(protocol: EngineProtocol) -> Tongue {
        match protocol {
            EngineProtocol::Uci => Tongue::Uci(Uci::default()),
            EngineProtocol::Xboard => Tongue::Xboard(Xboard::default()),
        }
    }

    /// The first words.
    pub fn greeting(&self) -> &'static str {
        match self {
            Tongue::Uci(_) => "uci\n",
            Tongue::Xboard(_) => "xboard\nprotover 2\n",
        }
    }

    /// Whether it may know no greeting: those of xboard's first version say nothing.
    pub fn may_be_silent(&self) -> bool {
        matches!(self, Tongue::Xboard(xboard) if xboard.announces_nothing())
    }

    /// The name by which the engine calls itself.
    pub fn name(&self) -> Option<&str> {
        match self {
            Tongue::Uci(uci) => uci.name(),
            Tongue::Xboard(xboard) => xboard.name(),
        }
    }

    /// Sets the options of the configuration, after the greeting. The engine is ready when it says so, if [`Tongue::answers`].
    pub fn set_up(&mut self, spec: &EngineSpec) -> String {
        match self {
            Tongue::Uci(uci) => uci.set_up(&spec.options),
            Tongue::Xboard(xboard) => xboard.set_up(&spec.options),
        }
    }

    /// Options of the configuration that the engine does not have.
    pub fn unknown_options<'a>(&self, spec: &'a EngineSpec) -> Vec<&'a str> {
        match self {
            Tongue::Uci(uci) => uci.unknown_options(&spec.options),
            Tongue::Xboard(xboard) => xboard.unknown_options(&spec.options),
        }
    }

    /// Whether the engine says when it is ready.
    pub fn answers(&self) -> bool {
        match self {
            Tongue::Uci(_) => true,
            Tongue::Xboard(xboard) => xboard.answers(),
        }
    }

    /// Whether the engine says that a search which was stopped has ended.
    pub fn tells_end(&self) -> bool {
        match self {
            Tongue::Uci(_) => true,
            Tongue::Xboard(xboard) => xboard.tells_end(),
        }
    }

    /// Whether a process can forget what it has searched. Another one must be started otherwise.
    pub fn forgets(&self) -> bool {
        matches!(self, Tongue::Uci(_))
    }

    /// Whether the engine was told the limit of plies, and ends by itself when it is reached.
    pub fn heeds_depth(&self) -> bool {
        matches!(self, Tongue::Uci(_))
    }

    /// How many lines the engine shows in answer to a question.
    pub fn lines(&self, question: &Question) -> u8 {
        let most = match self {
            Tongue::Uci(uci) => uci.most_lines(),
            Tongue::Xboard(_) => 1,
        };
        let moves = u8::try_from(question.allowed.len()).unwrap_or(u8::MAX);
        question.lines.min(most).min(moves)
    }

    /// What of the question the engine cannot do.
    pub fn inabilities(&self, question: &Question) -> Vec<Inability> {
        let mut found = match self {
            Tongue::Uci(uci) => uci.inabilities(question),
            Tongue::Xboard(xboard) => xboard.inabilities(question),
        };
        let of_either = [(question.contempt, Inability::Contempt), (question.scores, Inability::Scores)];
        found.extend(of_either.into_iter().filter_map(|(asked, inability)| asked.then_some(inability)));
        found
    }

    /// Everything before the search; with `clear`, the engine also forgets what it has searched. The engine is ready when it
    /// says so, if [`Tongue::answers`].
    pub fn prepare(&mut self, question: &Question, clear: bool) -> String {
        match self {
            Tongue::Uci(uci) => uci.prepare(question, clear),
            Tongue::Xboard(xboard) => xboard.prepare(question),
        }
    }

    /// The command that begins the search. `nodes_left` is what is left of its limit of nodes, if it has one.
    pub fn go(&mut self, question: &Question, nodes_left: Option<u64>) -> String {
        match self {
            Tongue::Uci(_) => Uci::go(question, nodes_left),
            Tongue::Xboard(xboard) => xboard.go(),
        }
    }

    /// Ends the search.
    pub fn stop(&mut self) -> String {
        match self {
            Tongue::Uci(_) => "stop\n".to_owned(),
            Tongue::Xboard(xboard) => xboard.stop(),
        }
    }

    /// The meaning of a line.
    pub fn hear<'a>(&mut self, line: &'a str) -> Heard<'a> {
        match self {
            Tongue::Uci(uci) => uci.hear(line),
            Tongue::Xboard(xboard) => xboard.hear(line),
        }
    }
}

/// A score in centipawns that is no mate.
fn centipawns(score: i64) -> Score {
    let most = i64::from(Score::MATE_BOUND.0 - 1);
    Score(score.clamp(-most, most) as i32)
}

/// The score of a mate in a number of moves, from the view of the side on move.
fn mate(moves: i64) -> Score {
    let plies = |moves: i64| (2 * moves.unsigned_abs() as usize).min(crate::search::MAX_PLY);
    if moves > 0 { Score::mate_in(plies(moves) - 1) } else { Score::mated_in(plies(moves)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{AnyPosition, Variant};
    use crate::search::{KnownScore, Request};

    #[test]
    fn what_no_engine_is_told_is_known() {
        let start = Request::of(AnyPosition::start(Variant::NORMAL));
        let known = vec![KnownScore { key: 1, score: Score(7), depth: 3 }];
        let ask = Request { contempt: -20, known, ..start.clone() };
        for protocol in [EngineProtocol::Uci, EngineProtocol::Xboard] {
            let tongue = Tongue::new(protocol);
            let found = tongue.inabilities(&Question::of(&ask).unwrap());
            assert_eq!(found, [Inability::Contempt, Inability::Scores]);
            assert!(!found.iter().any(Inability::prevents_search));
            assert_eq!(tongue.inabilities(&Question::of(&start).unwrap()), []);
        }
    }

    #[test]
    fn mates_are_counted_in_moves() {
        for moves in [-30, -2, -1, 1, 2, 30] {
            assert_eq!(mate(moves).mate_distance(), Some(moves as i32));
        }
        assert_eq!(mate(0), Score::mated_in(0));
        assert!(mate(i64::MAX / 4).mate_distance().is_some() && mate(-1000).mate_distance().is_some());
        assert_eq!(centipawns(99_999).mate_distance(), None);
        assert_eq!(centipawns(-31), Score(-31));
    }
}
