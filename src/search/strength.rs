//! Limited playing strength.

/// A playing strength in Elo.
///
/// The scale is the `UCI_Elo` of Stockfish 15.1; below its least, 1350, it is what neighbours score
/// against each other. Accurate to about 50 from 1350 to 2230 and at 2500, less so from 1570 to
/// 1930, which was measured with an earlier evaluation, and between 2230 and 2500, which was not
/// measured. Level 2500 searches two million nodes, for which a clock may leave no time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Strength(u16);

/// The handicap of a strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct HandicapLevel {
    /// Nodes for a move; more if the first ply takes more. Not time, so that strength does not
    /// depend on the machine.
    pub nodes: u64,
    /// Maximum error in judging a first move, in centipawns.
    pub error: i32,
    /// Number of first moves in 1000 whose replies are overlooked.
    pub overlooked: i32,
}

/// Measured handicaps, from `benches/strength_fit`; values in between are interpolated. The last
/// limits only long thought.
const MEASURED: [(u16, HandicapLevel); 19] = [
    (400, HandicapLevel { nodes: 60, error: 310, overlooked: 380 }),
    (630, HandicapLevel { nodes: 80, error: 240, overlooked: 200 }),
    (880, HandicapLevel { nodes: 120, error: 200, overlooked: 80 }),
    (1090, HandicapLevel { nodes: 160, error: 175, overlooked: 45 }),
    (1230, HandicapLevel { nodes: 200, error: 150, overlooked: 20 }),
    (1400, HandicapLevel { nodes: 250, error: 130, overlooked: 8 }),
    (1570, HandicapLevel { nodes: 300, error: 110, overlooked: 0 }),
    (1680, HandicapLevel { nodes: 600, error: 80, overlooked: 0 }),
    (1790, HandicapLevel { nodes: 1200, error: 60, overlooked: 0 }),
    (1840, HandicapLevel { nodes: 2500, error: 42, overlooked: 0 }),
    (1930, HandicapLevel { nodes: 5000, error: 30, overlooked: 0 }),
    (2010, HandicapLevel { nodes: 10_000, error: 22, overlooked: 0 }),
    (2060, HandicapLevel { nodes: 20_000, error: 16, overlooked: 0 }),
    (2140, HandicapLevel { nodes: 40_000, error: 11, overlooked: 0 }),
    (2230, HandicapLevel { nodes: 80_000, error: 8, overlooked: 0 }),
    (2270, HandicapLevel { nodes: 160_000, error: 5, overlooked: 0 }),
    (2310, HandicapLevel { nodes: 320_000, error: 3, overlooked: 0 }),
    (2350, HandicapLevel { nodes: 640_000, error: 1, overlooked: 0 }),
    (2550, HandicapLevel { nodes: 2_400_000, error: 0, overlooked: 0 }),
];

impl Strength {
    /// The lowest strength.
    pub const WEAKEST: u16 = MEASURED[0].0;
    /// The highest limited strength.
    pub const STRONGEST: u16 = MEASURED[MEASURED.len() - 1].0;
    /// The highest skill level, at full strength.
    pub const LEVELS: u8 = 20;

    /// The nearest available strength to this Elo.
    pub fn of_elo(elo: u16) -> Strength {
        Strength(elo.clamp(Strength::WEAKEST, Strength::STRONGEST))
    }

    /// The strength of a skill level from 0, the weakest; `None` at [`Strength::LEVELS`] and above.
    pub fn of_level(level: u8) -> Option<Strength> {
        let range = u32::from(Strength::STRONGEST - Strength::WEAKEST);
        let above = range * u32::from(level) / u32::from(Strength::LEVELS - 1);
        (level < Strength::LEVELS).then(|| Strength::of_elo(Strength::WEAKEST + above as u16))
    }

    /// Returns the strength in Elo.
    pub fn elo(self) -> u16 {
        self.0
    }

    /// Returns the handicap.
    pub(super) fn means(self) -> HandicapLevel {
        let above = MEASURED.partition_point(|&(elo, _)| elo < self.0).clamp(1, MEASURED.len() - 1);
        let ((weaker, from), (stronger, to)) = (MEASURED[above - 1], MEASURED[above]);
        let between = |from: i64, to: i64| {
            from + (to - from) * i64::from(self.0 - weaker) / i64::from(stronger - weaker)
        };
        HandicapLevel {
            nodes: between(from.nodes as i64, to.nodes as i64) as u64,
            error: between(from.error.into(), to.error.into()) as i32,
            overlooked: between(from.overlooked.into(), to.overlooked.into()) as i32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_elo_means_more_nodes_and_fewer_mistakes() {
        let means = |elo| Strength::of_elo(elo).means();
        for elo in Strength::WEAKEST..Strength::STRONGEST {
            let (weaker, stronger) = (means(elo), means(elo + 1));
            assert!(weaker.nodes <= stronger.nodes, "{elo}");
            assert!(weaker.error >= stronger.error && weaker.overlooked >= stronger.overlooked, "{elo}");
        }
        for (elo, measured) in MEASURED {
            assert_eq!(means(elo), measured);
        }
    }

    #[test]
    fn strengths_out_of_range_are_clamped() {
        assert_eq!(Strength::of_elo(0).elo(), Strength::WEAKEST);
        assert_eq!(Strength::of_elo(u16::MAX).elo(), Strength::STRONGEST);
    }

    #[test]
    fn levels_reach_from_the_weakest_to_the_strongest() {
        let levels: Vec<Strength> = (0..Strength::LEVELS).filter_map(Strength::of_level).collect();
        assert_eq!(levels.len(), 20);
        assert!(levels.is_sorted_by(|weaker, stronger| weaker < stronger), "{levels:?}");
        assert_eq!(levels[0].elo(), Strength::WEAKEST);
        assert_eq!(levels[19].elo(), Strength::STRONGEST);
        assert_eq!(Strength::of_level(20), None);
        assert_eq!(Strength::of_level(u8::MAX), None);
    }
}
