//! The first checks of every node, and conversion of scores for the table.

use super::score::{MAX_PLY, Score};
use super::searchable::{BestPlay, Searchable};
use super::table::Entry;
use super::window::{Window, decides};
use super::worker::Worker;
use crate::chess::{Color, Outcome};

/// Number of plies before the fifty-move draw at which it is imminent.
const NEARLY: u32 = 10;

/// Cost of waiting for a piece that stops a check, in centipawns: more than a bughouse queen, since
/// the clock runs and the piece is spent on it.
const WAITING_COST: i32 = 500;

impl Worker<'_> {
    /// Counts a node and begins its line. Returns a score if nothing needs searching: the search is
    /// stopped (any score will do), the game is over or won by the next move, the line has the
    /// maximum length, or the client has set a score that a search `depth` plies deep does not
    /// override.
    #[inline]
    pub(super) fn enter<P: Searchable>(&mut self, position: &P, ply: usize, depth: i32) -> Option<i32> {
        if self.visit() {
            return Some(0);
        }
        self.scratch.lines.clear(ply);
        self.root.selective_depth = self.root.selective_depth.max(ply);
        if let Some(outcome) = self.outcome(position, ply) {
            return Some(self.outcome_score(outcome, position.turn(), ply));
        }
        if let Some(BestPlay { outcome, plies }) = position.with_best_play()
            && !is_in_doubt(position, plies)
        {
            // Longer wins are reported as the longest representable ones.
            return Some(self.outcome_score(outcome, position.turn(), (ply + plies).min(2 * MAX_PLY)));
        }
        if ply >= MAX_PLY - 1 {
            return Some(self.adjustment.evaluate(position));
        }
        if let Some(mv) = position.winning_move() {
            self.scratch.lines.set(ply, [mv]);
            return Some(Score::mate_in(ply + 1).0);
        }
        self.known.score(position.key(), depth).map(|score| from_table(score.0, ply))
    }

    /// Returns the score of an outcome for the side on move.
    #[inline]
    pub(super) fn outcome_score(&self, outcome: Outcome, turn: Color, ply: usize) -> i32 {
        match outcome {
            Outcome::Draw => self.adjustment.draw(turn),
            Outcome::Win(winner) if winner == turn => Score::mate_in(ply).0,
            Outcome::Win(_) => Score::mated_in(ply).0,
        }
    }

    /// Returns the score of a position without a legal move. Waiting for a piece loses time, if not
    /// the game.
    pub(super) fn score_without_moves<P: Searchable>(&self, position: &P, ply: usize) -> i32 {
        if position.waits() {
            return self.adjustment.evaluate(position).min(0) - WAITING_COST;
        }
        self.outcome_score(position.outcome_without_moves(), position.turn(), ply)
    }

    /// Returns the score by which a table entry settles a node. None does when the fifty-move draw
    /// is imminent: entries ignore it.
    #[inline]
    pub(super) fn settled<P: Searchable>(
        &self,
        position: &P,
        entry: &Entry,
        ply: usize,
        window: Window,
    ) -> Option<i32> {
        let score = from_table(entry.score, ply);
        let has_time = || position.reversible_plies() < P::DRAWN_PLIES - NEARLY || !position.may_be_drawn();
        (decides(entry.bound, score, window) && has_time()).then_some(score)
    }

    /// Returns the outcome regardless of the moves that follow: decided by rule; or drawn as the
    /// position repeats one of this line, or occurs for the third time in the game; or drawn by the
    /// fifty-move rule, unless the last move mates.
    pub(super) fn outcome<P: Searchable>(&self, position: &P, ply: usize) -> Option<Outcome> {
        let drawn = || self.path.is_draw(position, ply).then_some(Outcome::Draw);
        position.decided().or_else(drawn)
    }
}

/// Returns true if the game may be drawn before a win `plies` away: best play ignores the ply
/// count.
fn is_in_doubt<P: Searchable>(position: &P, plies: usize) -> bool {
    let reversible = position.reversible_plies();
    reversible >= P::DRAWN_PLIES - 2 * NEARLY && reversible as usize + plies >= P::DRAWN_PLIES as usize
}

/// Converts a mate score for the table: counted from the position instead of the root.
#[inline]
pub(super) fn to_table(score: i32, ply: usize) -> i32 {
    if score >= Score::MATE_BOUND.0 {
        score + ply as i32
    } else if score <= -Score::MATE_BOUND.0 {
        score - ply as i32
    } else {
        score
    }
}

/// Reverses [`to_table`].
#[inline]
pub(super) fn from_table(score: i32, ply: usize) -> i32 {
    if score >= Score::MATE_BOUND.0 {
        score - ply as i32
    } else if score <= -Score::MATE_BOUND.0 {
        score + ply as i32
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{AnyPosition, Fairy, Position, Ruleset, Standard, Variant};
    use crate::search::bench::OpenGate;
    use crate::search::{Bound, Request, Table};

    /// Runs `act` with a worker that searches this position.
    fn with_worker<T>(fen: &str, act: impl FnOnce(&mut Worker<'_>, &Position<Standard>) -> T) -> T {
        let position = Position::from_fen(Standard::NORMAL, fen).unwrap();
        with_worker_on(AnyPosition::Standard(position), position, act)
    }

    /// Like [`with_worker`], in a variant.
    fn with_fairy_worker<T>(
        variant: &str,
        fen: &str,
        act: impl FnOnce(&mut Worker<'_>, &Position<Fairy>) -> T,
    ) -> T {
        let variant = Variant::from_name(variant).unwrap();
        let position = Position::from_fen(Fairy::of(variant), fen).unwrap();
        with_worker_on(AnyPosition::Fairy(position), position, act)
    }

    fn with_worker_on<R: Ruleset, T>(
        any: AnyPosition,
        position: Position<R>,
        act: impl FnOnce(&mut Worker<'_>, &Position<R>) -> T,
    ) -> T {
        let request = Request::of(any);
        let (table, mut gate) = (Table::private(1).unwrap(), OpenGate::new());
        let mut reports = |_| {};
        let mut worker = Worker::new(&request, &table, &mut gate, &mut reports);
        worker.scratch.histories.fit::<Position<R>>();
        act(&mut worker, &position)
    }

    /// Plays a move, or passes.
    fn step(
        worker: &mut Worker<'_>,
        position: Position<Standard>,
        ply: usize,
        text: &str,
    ) -> Position<Standard> {
        if text == "null" {
            return worker.path.pass(&position, ply).0;
        }
        let any = AnyPosition::Standard(position);
        let mv = any.parse_move(text).unwrap();
        worker.play(&position, ply, mv)
    }

    #[test]
    fn a_null_move_repeats_nothing() {
        let fen = "r3k3/8/8/8/8/8/8/4K2R w - - 20 40";
        for (line, drawn) in [
            (&["h1g1", "a8b8", "g1h1", "b8a8"][..], true),
            (&["null", "a8b8", "null", "b8a8"], false),
            (&["h1g1", "null", "g1h1", "null"], false),
            (&["null", "a8b8", "h1g1", "b8a8", "g1h1"], true),
        ] {
            with_worker(fen, |worker, &position| {
                let at =
                    line.iter().enumerate().fold(position, |at, (ply, text)| step(worker, at, ply, text));
                assert_eq!(worker.path.is_draw(&at, line.len()), drawn, "{line:?}");
            });
        }
    }

    #[test]
    fn taking_back_a_null_move_restores_the_worker() {
        with_worker("r3k3/8/8/8/8/8/8/4K2R w - - 20 40", |worker, &position| {
            let (_, before) = worker.path.pass(&position, 0);
            worker.path.take_back_pass(before);
            let line = ["h1g1", "a8b8", "g1h1", "b8a8"];
            let at = line.iter().enumerate().fold(position, |at, (ply, text)| step(worker, at, ply, text));
            assert!(worker.path.is_draw(&at, line.len()));
        });
    }

    #[test]
    fn a_side_that_wins_without_a_move_wins_at_once() {
        // A win in three plies is known, and one in two is searched for.
        let window = Window { alpha: Score::mate_in(3).0, beta: Score::mate_in(2).0, cut: true };
        for variant in ["giveaway", "suicide"] {
            with_fairy_worker(variant, "8/8/8/p7/P7/8/8/7B b - - 0 1", |worker, position| {
                assert_eq!(worker.search(position, 3, 2, window, true), Score::mate_in(2).0, "{variant}");
            });
        }
    }

    #[test]
    fn table_entries_do_not_hide_the_fifty_move_draw() {
        // In check, and only the king can move: the hundredth ply is a draw.
        for (clock, expected) in [(0, 500), (80, 500), (99, 0)] {
            with_worker(&format!("4k3/4r3/8/8/8/8/8/3QK3 w - - {clock} 80"), |worker, position| {
                let [quiet, score] = with_known_score(worker, position, 500);
                assert_eq!(quiet.min(500), expected, "quiescence after {clock} plies");
                assert_eq!(score.min(500), expected, "after {clock} plies");
            });
        }
    }

    #[test]
    fn the_table_settles_nodes_far_from_the_fifty_move_draw() {
        for clock in [0, 90, 99, 120] {
            let fen = format!("4k3/4r3/8/8/8/8/8/3QK3[] w - - {clock} 80");
            with_fairy_worker("bughouse", &fen, |worker, position| {
                assert_eq!(with_known_score(worker, position, 4321), [4321; 2], "after {clock} plies");
            });
        }
    }

    /// Returns the scores of quiescence and of a one-ply search of a position with an entry above
    /// the window.
    fn with_known_score<R: Ruleset>(worker: &mut Worker<'_>, position: &Position<R>, score: i32) -> [i32; 2] {
        let entry = Entry { mv: None, score, evaluation: 0, depth: 9, bound: Bound::Lower, pv: false };
        worker.table.store(worker.table_key(position), entry);
        let window = Window { alpha: 100, beta: 101, cut: true };
        [worker.quiescence(position, 1, window), worker.search(position, 1, 1, window, true)]
    }
}
