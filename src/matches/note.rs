//! The time of a move in a match, and the engine's report about it.

use crate::search::Score;
use std::fmt;
use std::time::Duration;

/// A move's time and its engine's report.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Note {
    /// Time used, by the clock that counts.
    pub(super) used: Duration,
    /// CPU time used; `None` for a server.
    pub(super) cpu: Option<Duration>,
    /// The engine's last report; `None` for a book move, or from an engine without reports.
    pub(super) found: Option<Found>,
}

/// The last report of an engine before its move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Found {
    /// From the view of the engine.
    pub(super) score: Score,
    /// In plies; 0 if unknown.
    pub(super) depth: u8,
    pub(super) nodes: u64,
}

impl fmt::Display for Note {
    /// Writes `+0.25/12 0.31s, n=45678`, as other programs for matches write and read it; mates as
    /// `+M5`, in plies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.used.as_secs_f64();
        let Some(Found { score, depth, nodes }) = self.found else { return write!(f, "{seconds:.3}s") };
        match score.mate_distance() {
            Some(moves) if moves > 0 => write!(f, "+M{}", 2 * moves - 1)?,
            Some(moves) => write!(f, "-M{}", -2 * moves)?,
            None => write!(f, "{:+.2}", f64::from(score.0) / 100.0 + 0.0)?,
        }
        write!(f, "/{depth} {seconds:.3}s, n={nodes}")
    }
}

/// The time that a side has used in a game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Spent {
    /// Moves whose CPU time is known.
    pub(super) moves: u32,
    /// Their CPU time.
    pub(super) cpu: Duration,
}

impl Spent {
    pub(super) fn add(&mut self, other: Spent) {
        self.moves += other.moves;
        self.cpu += other.cpu;
    }

    pub(super) fn add_move(&mut self, note: &Note) {
        if let Some(cpu) = note.cpu {
            self.add(Spent { moves: 1, cpu });
        }
    }

    /// CPU time of a move on average, in seconds; `None` without moves.
    pub(super) fn per_move(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.cpu.as_secs_f64() / f64::from(self.moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_written_as_other_programs_read_them() {
        let used = Duration::from_millis(310);
        let text = |score| {
            let found = Some(Found { score, depth: 12, nodes: 45_678 });
            Note { used, cpu: None, found }.to_string()
        };
        assert_eq!(text(Score(25)), "+0.25/12 0.310s, n=45678");
        assert_eq!(text(Score(-1234)), "-12.34/12 0.310s, n=45678");
        assert_eq!(text(Score(0)), "+0.00/12 0.310s, n=45678");
        assert_eq!(text(Score::mate_in(5)), "+M5/12 0.310s, n=45678");
        assert_eq!(text(Score::mated_in(4)), "-M4/12 0.310s, n=45678");
        assert_eq!(Note { used, cpu: None, found: None }.to_string(), "0.310s");
    }

    #[test]
    fn only_moves_with_known_time_count() {
        let mut spent = Spent::default();
        assert_eq!(spent.per_move(), None);
        for cpu in [Some(20), None, Some(40)] {
            spent.add_move(&Note { cpu: cpu.map(Duration::from_millis), ..Note::default() });
        }
        assert_eq!(spent.per_move(), Some(0.03));
    }
}
