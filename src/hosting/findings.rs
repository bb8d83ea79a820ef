//! The results of a hosted search so far, over all processes on which it began anew: a pure
//! value.
//!
//! A process that begins anew starts from depth 1: lines shallower than those already shown are
//! hidden, and its nodes are added to the earlier ones.

use super::question::Question;
use crate::chess::{AnyPosition, Move};
use crate::engines::Thinking;
use crate::search::{Bound, Info};
use std::time::Duration;

/// The number of iterations after which an unchanged best move counts as stable.
const STABLE: usize = 4;
/// The part of the optimum time after which to move, by the number of iterations that the best move
/// has survived.
const TIME_SCALE: [f32; STABLE + 1] = [1.5, 1.2, 1.0, 0.85, 0.7];

/// Reason to refuse a variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    /// Its first move is illegal: its text.
    Illegal(String),
    /// Its first move is one of the excluded moves.
    Excluded,
}

/// The results of a search so far.
#[derive(Clone, Default, Debug)]
pub(super) struct Findings {
    /// Nodes on earlier processes.
    earlier_nodes: u64,
    /// Nodes on this process.
    nodes: u64,
    /// The deepest iteration whose best line was shown.
    shown: u8,
    /// The deepest iteration of the best line on this process.
    reached: u8,
    /// The deepest iteration with an exact score, for each line.
    finished: Vec<u8>,
    /// The last variation of the best line.
    pub(super) best: Option<Info>,
    /// Iterations that the best move has survived.
    stable: usize,
    /// Variations received.
    pub(super) received: u64,
    /// Variations received from earlier processes.
    received_earlier: u64,
}

impl Findings {
    /// Takes a variation. Returns it if it is to be shown.
    ///
    /// # Errors
    /// Its first move is illegal or excluded.
    pub(super) fn take(
        &mut self,
        said: &Thinking<'_>,
        question: &Question,
        elapsed: Duration,
    ) -> Result<Option<Info>, Refusal> {
        self.nodes = self.nodes.max(said.nodes);
        let pv = legal_moves(&question.position, said.pv);
        let Some(first) = pv.first() else {
            let first = said.pv.split_ascii_whitespace().next().unwrap_or_default();
            return Err(Refusal::Illegal(first.to_owned()));
        };
        if !question.allowed.contains(first) {
            return Err(Refusal::Excluded);
        }
        self.received += 1;
        if said.line == 1 {
            self.reached = self.reached.max(said.depth.max(1));
        }
        if said.depth < self.shown || said.line > question.lines() {
            return Ok(None);
        }
        let info = Info {
            depth: said.depth.max(1),
            selective_depth: said.selective_depth,
            score: said.score,
            bound: said.bound,
            elapsed,
            nodes: self.nodes(),
            line: said.line,
            pv,
            again: false,
            table_usage: None,
        };
        if said.bound == Bound::Exact {
            self.finish(info.line, info.depth);
        }
        if said.line == 1 {
            self.take_best(info.clone());
        }
        Ok(Some(info))
    }

    fn finish(&mut self, line: u8, depth: u8) {
        let line = usize::from(line.max(1));
        if self.finished.len() < line {
            self.finished.resize(line, 0);
        }
        self.finished[line - 1] = self.finished[line - 1].max(depth);
    }

    fn take_best(&mut self, info: Info) {
        let same = self.best.as_ref().is_some_and(|best| best.pv[0] == info.pv[0]);
        if !same {
            self.stable = 0;
        } else if info.depth > self.shown {
            self.stable = (self.stable + 1).min(STABLE);
        }
        if info.bound == Bound::Exact {
            self.shown = self.shown.max(info.depth);
        }
        self.best = Some(info);
    }

    /// Records that the search begins anew.
    pub(super) fn begin_anew(&mut self) {
        self.earlier_nodes += std::mem::take(&mut self.nodes);
        self.received_earlier = self.received;
        self.reached = 0;
    }

    /// Nodes on all processes.
    pub(super) fn nodes(&self) -> u64 {
        self.earlier_nodes.saturating_add(self.nodes)
    }

    /// Returns true if this process has reported neither nodes nor a variation.
    pub(super) fn is_mute(&self) -> bool {
        self.received == self.received_earlier && self.nodes == 0
    }

    /// Returns true if this process has searched as deep as the ones before.
    pub(super) fn has_caught_up(&self) -> bool {
        self.reached >= self.shown
    }

    /// Plies of the deepest iteration in which a line, numbered from 1, has an exact score.
    pub(super) fn finished_depth(&self, line: u8) -> u8 {
        self.finished.get(usize::from(line).saturating_sub(1)).copied().unwrap_or(0)
    }

    /// Plies of the deepest iteration with a variation.
    pub(super) fn depth(&self) -> u8 {
        self.best.as_ref().map_or(0, |best| best.depth)
    }

    /// The part of the optimum time after which to move: 0 for a forced move or a mate. `None` as
    /// long as there is no move.
    pub(super) fn time_scale(&self, question: &Question) -> Option<f32> {
        let best = self.best.as_ref()?;
        let forced = question.allowed.len() == 1;
        let mate =
            best.score.mate_distance().is_some_and(|moves| i32::from(best.depth) > 2 * moves.abs() + 2);
        Some(if forced || mate { 0.0 } else { TIME_SCALE[self.stable] })
    }
}

/// The moves of a variation up to the first illegal one.
fn legal_moves(position: &AnyPosition, pv: &str) -> Vec<Move> {
    let mut position = *position;
    let words = pv.split_ascii_whitespace().map(|word| word.trim_matches(['<', '>', '(', ')']));
    let moves = words.map_while(|word| {
        let mv = position.parse_move(word).ok()?;
        position.play(mv);
        Some(mv)
    });
    moves.take(crate::search::MAX_PLY).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Variant;
    use crate::search::{FirstMoves, Request, Score};

    fn said(depth: u8, nodes: u64, pv: &str) -> Thinking<'_> {
        Thinking { depth, selective_depth: depth, line: 1, score: Score(10), bound: Bound::Exact, nodes, pv }
    }

    fn question() -> Question {
        Question::of(&Request::of(AnyPosition::start(Variant::NORMAL))).unwrap()
    }

    #[test]
    fn shown_depths_are_not_shown_again() {
        let (mut findings, question) = (Findings::default(), question());
        let shown = |findings: &mut Findings, said: Thinking| {
            findings.take(&said, &question, Duration::ZERO).unwrap().map(|info| (info.depth, info.nodes))
        };
        assert_eq!(shown(&mut findings, said(1, 100, "e2e4")), Some((1, 100)));
        assert_eq!(shown(&mut findings, said(2, 300, "e2e4 e7e5")), Some((2, 300)));
        findings.begin_anew();
        assert_eq!(shown(&mut findings, said(1, 90, "d2d4")), None);
        assert_eq!(findings.best.as_ref().unwrap().pv.len(), 2);
        assert_eq!(shown(&mut findings, said(2, 200, "d2d4")), Some((2, 500)));
        assert_eq!(shown(&mut findings, said(3, 400, "d2d4 d7d5")), Some((3, 700)));
        assert_eq!((findings.nodes(), findings.depth(), findings.received), (700, 3, 5));
    }

    #[test]
    fn a_process_that_begins_anew_is_behind_until_it_has_searched_as_deep() {
        let (mut findings, question) = (Findings::default(), question());
        let mut state = |said: Option<Thinking>| {
            match said {
                None => findings.begin_anew(),
                Some(said) => drop(findings.take(&said, &question, Duration::ZERO).unwrap()),
            }
            (findings.is_mute(), findings.has_caught_up())
        };
        assert_eq!(state(None), (true, true));
        assert_eq!(state(Some(said(2, 0, "e2e4"))), (false, true));
        assert_eq!(state(None), (true, false));
        assert_eq!(state(Some(said(1, 0, "d2d4"))), (false, false));
        assert_eq!(state(Some(said(2, 0, "d2d4"))), (false, true));
    }

    #[test]
    fn an_iteration_is_finished_with_its_last_line() {
        let start = AnyPosition::start(Variant::NORMAL);
        let question = Question::of(&Request {
            first_moves: FirstMoves { lines: 2, excluded: Vec::new() },
            ..Request::of(start)
        })
        .unwrap();
        let mut findings = Findings::default();
        let mut finished = |said: Thinking| {
            findings.take(&said, &question, Duration::ZERO).unwrap();
            (findings.finished_depth(1), findings.finished_depth(2), findings.finished_depth(3))
        };
        assert_eq!(finished(said(3, 1, "e2e4")), (3, 0, 0));
        assert_eq!(finished(Thinking { line: 2, ..said(3, 1, "d2d4") }), (3, 3, 0));
        assert_eq!(finished(Thinking { bound: Bound::Lower, ..said(4, 1, "e2e4") }), (3, 3, 0));
        assert_eq!(finished(said(4, 1, "e2e4")), (4, 3, 0));
        assert_eq!(finished(Thinking { line: 2, ..said(3, 1, "d2d4") }), (4, 3, 0));
    }

    #[test]
    fn moves_are_checked() {
        let (mut findings, question) = (Findings::default(), question());
        let mut take = |said: Thinking| findings.take(&said, &question, Duration::ZERO);
        assert_eq!(take(said(3, 1, "e2e5 e7e5")).unwrap_err(), Refusal::Illegal("e2e5".to_owned()));
        assert_eq!(take(said(3, 1, "Nf3 <Nf6> ! e4")).unwrap().unwrap().pv.len(), 2);
        assert_eq!(take(said(3, 1, "e2e4 e7e5 e4e5 a2a3")).unwrap().unwrap().pv.len(), 2);
        assert!(
            take(Thinking { line: 2, ..said(3, 1, "e2e4") }).unwrap().is_none(),
            "a line that was not requested"
        );
        assert!(findings.best.is_some());
    }

    #[test]
    fn an_excluded_move_is_not_illegal() {
        let start = AnyPosition::start(Variant::NORMAL);
        let excluded = vec![start.parse_move("e2e4").unwrap()];
        let question =
            Question::of(&Request { first_moves: FirstMoves { lines: 1, excluded }, ..Request::of(start) })
                .unwrap();
        let mut findings = Findings::default();
        let mut take = |said: Thinking| findings.take(&said, &question, Duration::ZERO);
        assert!(take(said(1, 1, "d2d4 e7e5")).unwrap().is_some());
        assert_eq!(take(said(2, 1, "e2e4 e7e5")).unwrap_err(), Refusal::Excluded);
    }

    #[test]
    fn a_move_that_stays_takes_less_time() {
        let (mut findings, question) = (Findings::default(), question());
        assert_eq!(findings.time_scale(&question), None);
        let mut scale = |depth, pv| {
            findings.take(&said(depth, 1, pv), &question, Duration::ZERO).unwrap();
            findings.time_scale(&question).unwrap()
        };
        let first = scale(1, "e2e4");
        assert!((2..9).map(|depth| scale(depth, "e2e4")).last().unwrap() < first);
        assert_eq!(scale(9, "d2d4"), first);
    }
}
