//! What our moves cost besides thinking: the network's time there and back, the GUI's, and that of a busy machine.
//!
//! It is measured where it hurts: the clock that the GUI shows before our next move, less what it should show. Times
//! are in milliseconds.

/// More than this is no lag: the user has changed the clock, or the machine slept.
const MAX_LAG: i64 = 5_000;

/// Moves that are remembered.
const REMEMBERED: usize = 16;

/// With fewer moves seen nothing is an outlier.
const FEW: usize = 4;

/// Mean and worst of some moves. Milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LagSeen {
    /// How many moves.
    pub moves: u64,
    /// What they cost on average.
    pub mean: u64,
    /// What the worst of them cost.
    pub worst: u64,
}

/// What the moves of a session have cost. Games come and go; the line stays the same.
#[derive(Clone, Debug, Default)]
pub(in crate::session) struct Lag {
    recent: [u32; REMEMBERED],
    moves: u64,
    total: u64,
    worst: u32,
}

impl Lag {
    /// A move cost so much. Clocks are shown in hundredths of a second, so it may be less than nothing.
    pub(in crate::session) fn observe(&mut self, lag: i64) {
        if lag > MAX_LAG {
            return;
        }
        let lag = lag.max(0) as u32;
        self.recent[self.moves as usize % REMEMBERED] = lag;
        self.moves += 1;
        self.total += u64::from(lag);
        self.worst = self.worst.max(lag);
    }

    /// All moves of the session.
    pub(in crate::session) fn overall(&self) -> LagSeen {
        let mean = self.total.checked_div(self.moves).unwrap_or(0);
        LagSeen { moves: self.moves, mean, worst: self.worst.into() }
    }

    /// The moves that tell what the next one will cost: the last ones, but for one that stands out. One bad moment shall
    /// not spoil the following moves; a second one is no accident.
    pub(in crate::session) fn recent(&self) -> LagSeen {
        let count = REMEMBERED.min(self.moves as usize);
        let mut sorted = self.recent;
        let mut seen = &mut sorted[..count];
        seen.sort_unstable();
        if let [.., second, worst] = *seen
            && count >= FEW
            && worst > 2 * second + 100
        {
            seen = &mut sorted[..count - 1];
        }
        let total: u64 = seen.iter().map(|&lag| u64::from(lag)).sum();
        let worst = seen.last().map_or(0, |&worst| worst.into());
        LagSeen { moves: seen.len() as u64, mean: total.checked_div(seen.len() as u64).unwrap_or(0), worst }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lag(seen: &[i64]) -> Lag {
        let mut lag = Lag::default();
        seen.iter().for_each(|&one| lag.observe(one));
        lag
    }

    #[test]
    fn mean_and_worst_of_all_and_of_the_recent_moves() {
        assert_eq!(Lag::default().recent(), LagSeen::default());
        assert_eq!(Lag::default().overall(), LagSeen::default());
        let seen = lag(&[200, 0, -10, 100]);
        assert_eq!(seen.recent(), LagSeen { moves: 4, mean: 75, worst: 200 });
        let later = lag(&[&[400][..], &[160; 99]].concat());
        assert_eq!(later.recent(), LagSeen { moves: 16, mean: 160, worst: 160 });
        assert_eq!(later.overall(), LagSeen { moves: 100, mean: 162, worst: 400 });
    }

    #[test]
    fn one_bad_moment_is_forgotten_and_two_are_not() {
        assert_eq!(lag(&[160, 150, 2000, 140]).recent(), LagSeen { moves: 3, mean: 150, worst: 160 });
        assert_eq!(lag(&[160, 150, 2000, 1900, 140]).recent(), LagSeen { moves: 5, mean: 870, worst: 2000 });
        assert_eq!(lag(&[60_000]).overall().moves, 0, "no lag is that long");
    }
}
