//! One game and its referee.

use super::adjudication::{Adjudication, Adjudicator, Reason};
use super::clock::{Clocks, Timing};
use super::engine::{Decision, Engine};
use super::error::EngineError;
use super::match_game::{MatchGame, Record};
use super::note::{Note, Spent};
use crate::chess::{Color, Outcome};

/// The end of a game.
#[derive(Debug)]
pub(super) enum Termination {
    /// By a rule of the game.
    Rules(&'static str),
    /// A side has resigned, or claimed its own loss.
    Resignation,
    /// A side has used more than its time.
    Time,
    /// A rule of the match has ended it.
    Adjudicated(Reason),
    /// A side has failed.
    Failure(EngineError),
}

impl Termination {
    /// A word or two for reports and PGN.
    pub(super) fn text(&self) -> String {
        match self {
            Termination::Rules(rule) => (*rule).to_owned(),
            Termination::Resignation => "resignation".to_owned(),
            Termination::Time => "loss on time".to_owned(),
            Termination::Adjudicated(reason) => {
                let why = match reason {
                    Reason::EvenScores => "even scores",
                    Reason::DecisiveScores => "decisive scores",
                    Reason::KnownEnding => "known ending",
                    Reason::Length => "too long",
                };
                format!("adjudication: {why}")
            }
            Termination::Failure(error) => error.to_string(),
        }
    }
}

/// A finished game.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) record: Record,
    pub(super) outcome: Outcome,
    pub(super) termination: Termination,
    /// Of each move.
    pub(super) notes: Vec<Note>,
    /// By White and Black.
    pub(super) spent: [Spent; 2],
}

/// Plays a game. `players` are White and Black.
pub(super) fn play<G: MatchGame>(
    opening: G::Opening,
    players: [&mut dyn Engine<G>; 2],
    timing: Timing,
    rules: Adjudication,
) -> Finished {
    let mut game = G::begin(opening);
    let (mut notes, mut spent) = (Vec::new(), [Spent::default(); 2]);
    let mut note = |side: Color, note: Note| {
        notes.push(note);
        spent[side.index()].add_move(&note);
    };
    let (outcome, termination) = decide(&mut game, players, timing, rules, &mut note);
    Finished { record: game.into_record(), outcome, termination, notes, spent }
}

/// Plays a game to its end, and passes the note of each move to `each`.
fn decide<G: MatchGame>(
    game: &mut G,
    players: [&mut dyn Engine<G>; 2],
    timing: Timing,
    rules: Adjudication,
    each: &mut dyn FnMut(Color, Note),
) -> (Outcome, Termination) {
    let (mut clocks, mut adjudicator) = (Clocks::new(timing), Adjudicator::new(rules));
    for side in [Color::White, Color::Black] {
        if let Err(error) = players[side.index()].new_game(game, clocks.control(side)) {
            return (Outcome::Win(!side), Termination::Failure(error));
        }
    }
    loop {
        if let Some((outcome, rule)) = game.ended() {
            return (outcome, Termination::Rules(rule));
        }
        if let Some((outcome, reason)) = adjudicator.verdict(game) {
            return (outcome, Termination::Adjudicated(reason));
        }
        let side = game.turn();
        let thought = match players[side.index()].think(game, &clocks) {
            Ok(thought) => thought,
            Err(error) => return (Outcome::Win(!side), Termination::Failure(error)),
        };
        if !clocks.uses(side, thought.note.used) {
            return (Outcome::Win(!side), Termination::Time);
        }
        match thought.decision {
            Decision::Resign => return (Outcome::Win(!side), Termination::Resignation),
            Decision::Move(mv) => {
                game.play_move(mv);
                adjudicator.note(side, thought.note.found.map(|found| found.score));
                each(side, thought.note);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{AnyPosition, Game, Move, Variant};
    use crate::draughts;
    use crate::engines::time_control::TimeControl;
    use crate::matches::engine::Thought;
    use crate::matches::note::Found;
    use crate::search::Score;
    use std::collections::VecDeque;
    use std::time::Duration;

    /// Makes moves from a script.
    struct Scripted(VecDeque<&'static str>);

    impl Scripted {
        fn of(words: &[&'static str]) -> Scripted {
            Scripted(words.iter().copied().collect())
        }

        fn next<M>(&mut self, read: impl Fn(&str) -> Option<M>) -> Result<Thought<M>, EngineError> {
            let word = self.0.pop_front().ok_or(EngineError::Exited)?;
            if word == "resign" {
                return Ok(Thought { decision: Decision::Resign, note: Note::default() });
            }
            let (word, score) = word
                .split_once(" = ")
                .map_or((word, 300), |(word, score)| (word, score.parse().expect("a score")));
            let (word, used) = match word.strip_prefix("slow ") {
                Some(word) => (word, Duration::from_secs(2)),
                None => (word, Duration::from_millis(10)),
            };
            let mv = read(word).ok_or_else(|| EngineError::Illegal(word.to_owned()))?;
            let found = Some(Found { score: Score(score), depth: 7, nodes: 70 });
            let note = Note { used, cpu: Some(used), found };
            Ok(Thought { decision: Decision::Move(mv), note })
        }
    }

    impl Engine<Game> for Scripted {
        fn name(&self) -> Option<&str> {
            None
        }

        fn new_game(&mut self, _: &Game, _: TimeControl) -> Result<(), EngineError> {
            Ok(())
        }

        fn think(&mut self, game: &Game, _: &Clocks) -> Result<Thought<Move>, EngineError> {
            self.next(|word| game.position().parse_move(word).ok())
        }

        fn game_over(&mut self, _: &str) {}
    }

    impl Engine<draughts::Game> for Scripted {
        fn name(&self) -> Option<&str> {
            None
        }

        fn new_game(&mut self, _: &draughts::Game, _: TimeControl) -> Result<(), EngineError> {
            Ok(())
        }

        fn think(
            &mut self,
            game: &draughts::Game,
            _: &Clocks,
        ) -> Result<Thought<draughts::Move>, EngineError> {
            self.next(|word| game.position().parse_move(word).ok())
        }

        fn game_over(&mut self, _: &str) {}
    }

    fn timing() -> Timing {
        let controls = [TimeControl::Move(Duration::from_secs(1)); 2];
        Timing { controls, cpu_time: false, margin: Duration::ZERO }
    }

    fn rules(max_plies: usize) -> Adjudication {
        Adjudication { draw: None, resign: None, known_endings: false, max_plies }
    }

    fn game(white: &[&'static str], black: &[&'static str]) -> Finished {
        let [mut white, mut black] = [white, black].map(Scripted::of);
        play::<Game>(AnyPosition::start(Variant::NORMAL), [&mut white, &mut black], timing(), rules(6))
    }

    /// The outcome of a game of draughts, and its reason.
    fn draughts_game(start: &str, white: &[&'static str], black: &[&'static str]) -> (Outcome, String) {
        let [mut white, mut black] = [white, black].map(Scripted::of);
        let start = draughts::Position::from_fen(start).unwrap();
        let finished = play::<draughts::Game>(start, [&mut white, &mut black], timing(), rules(100));
        (finished.outcome, finished.termination.text())
    }

    #[test]
    fn a_side_without_moves_loses_at_draughts() {
        let lost = draughts_game("B:W5,10:B1", &["10x1"], &["1-6"]);
        assert_eq!(lost, (Outcome::Win(Color::White), "no moves".to_owned()));
        let won = draughts_game("W:W22:B3,11,18", &["22x15x8"], &["3x12"]);
        assert_eq!(won, (Outcome::Win(Color::Black), "no moves".to_owned()));
    }

    #[test]
    fn draughts_is_drawn_by_the_third_occurrence_and_by_forty_moves() {
        let to_and_fro =
            draughts_game("W:WK32:BK1", &["32-28", "28-32"].repeat(2), &["1-5", "5-1"].repeat(2));
        assert_eq!(to_and_fro, (Outcome::Draw, "repetition".to_owned()));
        let white = [
            "25-22", "22-26", "26-31", "31-27", "27-24", "24-28", "28-32", "32-27", "27-23", "23-26",
            "26-30", "30-25",
        ];
        let black = ["1-5", "5-9", "9-14", "14-10", "10-15", "15-11", "11-7", "7-2", "2-6", "6-1"];
        let rounds = draughts_game("W:WK25:BK1", &white.repeat(4)[..40], &black.repeat(4));
        assert_eq!(rounds, (Outcome::Draw, "forty moves".to_owned()));
    }

    #[test]
    fn a_failure_loses_at_draughts() {
        for (black, why) in [("1-5", "illegal: 1-5"), ("resign", "resignation"), ("slow 1-6", "loss on time")]
        {
            let finished = draughts_game("B:W5,10:B1", &[], &[black]);
            assert_eq!(finished, (Outcome::Win(Color::White), why.to_owned()));
        }
        for white in ["22-17", "22x15"] {
            let finished = draughts_game("W:W22:B3,11,18", &[white], &[]);
            assert_eq!(finished, (Outcome::Win(Color::Black), format!("illegal: {white}")));
        }
    }

    #[test]
    fn rules_of_the_match_end_a_game_and_each_move_has_its_note() {
        let [mut white, mut black] =
            [["e2e4 = 700", "d2d4 = 720"], ["e7e5 = -690", "d7d5 = -900"]].map(|words| Scripted::of(&words));
        let rules = Adjudication { resign: Some("2,600".parse().unwrap()), ..rules(100) };
        let start = AnyPosition::start(Variant::NORMAL);
        let finished = play::<Game>(start, [&mut white, &mut black], timing(), rules);
        assert_eq!(finished.outcome, Outcome::Win(Color::White));
        assert_eq!(finished.termination.text(), "adjudication: decisive scores");
        let scores: Vec<i32> = finished.notes.iter().filter_map(|note| Some(note.found?.score.0)).collect();
        assert_eq!(scores, [700, -690, 720, -900]);
        assert_eq!(finished.spent, [Spent { moves: 2, cpu: Duration::from_millis(20) }; 2]);
    }

    #[test]
    fn a_known_ending_is_not_played() {
        let [mut white, mut black] = [Scripted::of(&[]), Scripted::of(&[])];
        let rules = Adjudication { known_endings: true, ..rules(100) };
        let start = AnyPosition::from_fen(Variant::NORMAL, "8/8/8/3k4/8/8/8/R3K3 w - - 0 1").unwrap();
        let finished = play::<Game>(start, [&mut white, &mut black], timing(), rules);
        assert_eq!(finished.outcome, Outcome::Win(Color::White));
        assert_eq!(finished.termination.text(), "adjudication: known ending");
    }

    #[test]
    fn the_rules_end_a_game() {
        let mate = game(&["f2f3", "g2g4"], &["e7e5", "d8h4"]);
        assert_eq!((mate.outcome, mate.termination.text().as_str()), (Outcome::Win(Color::Black), "mate"));
        assert!(matches!(mate.record, Record::Chess(game) if game.moves().len() == 4));
    }

    #[test]
    fn a_failure_loses() {
        for (white, black, winner, why) in [
            (&["e2e4", "resign"][..], &["e7e5"][..], Color::Black, "resignation"),
            (&["e2e4"], &["slow e7e5"], Color::White, "loss on time"),
            (&["e2e5"], &[], Color::Black, "illegal: e2e5"),
            (&["e2e4"], &[], Color::White, "it has exited"),
        ] {
            let finished = game(white, black);
            assert_eq!(finished.outcome, Outcome::Win(winner));
            assert_eq!(finished.termination.text(), why);
        }
    }

    #[test]
    fn a_long_game_is_a_draw() {
        let long = game(&["g1f3", "f3g1", "g1f3"], &["g8f6", "f6g8", "b8c6"]);
        assert_eq!(
            (long.outcome, long.termination.text().as_str()),
            (Outcome::Draw, "adjudication: too long")
        );
    }
}
