//! The results of one engine against another.

use super::note::Spent;
use super::pairing::PlayedPair;
use super::pairs::{Estimate, Pairs};
use std::fmt;

/// The results of the first engine against one or more opponents.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Standing {
    pub(super) pairs: Pairs,
    /// Games won, drawn and lost by the first engine.
    pub(super) games: [u32; 3],
    /// The time used by both engines.
    spent: [Spent; 2],
}

impl Standing {
    pub(super) fn add(&mut self, pair: &PlayedPair) {
        let points = [0, 1].map(|number| pair.half_points(number));
        points.iter().for_each(|half_points| self.games[2 - half_points] += 1);
        self.pairs.add(points.iter().sum());
        self.spent.iter_mut().zip(pair.spent()).for_each(|(spent, more)| spent.add(more));
    }

    pub(super) fn append(&mut self, other: &Standing) {
        self.pairs.append(other.pairs);
        self.games.iter_mut().zip(other.games).for_each(|(count, more)| *count += more);
        self.spent.iter_mut().zip(other.spent).for_each(|(spent, more)| spent.add(more));
    }

    /// The number of games.
    pub(super) fn len(&self) -> u32 {
        self.games.iter().sum()
    }

    /// Normalized Elo as text; `None` while all pairs are equal.
    pub(super) fn normalized(&self) -> Option<String> {
        self.pairs.normalized_elo().map(|elo| difference(&elo))
    }

    /// CPU time of a move of both engines, if it is known.
    pub(super) fn cpu_time(&self) -> Option<String> {
        let [first, second] = self.spent.map(|spent| spent.per_move().map(|seconds| 1000.0 * seconds));
        Some(format!("{:.3} and {:.3} ms a move", first?, second?))
    }
}

impl fmt::Display for Standing {
    /// Writes games, score and difference in a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [won, drawn, lost] = self.games;
        let estimates = (self.pairs.score(), self.pairs.elo(), self.pairs.superiority());
        let (Some(share), Some(elo), Some(superiority)) = estimates else {
            return f.write_str("no games yet");
        };
        let (share, error) = (100.0 * share.value, 100.0 * share.error());
        let (elo, superiority) = (difference(&elo), 100.0 * superiority);
        write!(f, "+{won} ={drawn} -{lost}, {share:.1} % ± {error:.1}, Elo {elo}, LOS {superiority:.1} %")
    }
}

/// A difference with its error; of an infinite one, its finite bound.
fn difference(elo: &Estimate) -> String {
    let whole = |elo: f64| elo.round() + 0.0;
    match (elo.low.is_finite(), elo.high.is_finite()) {
        (true, true) => format!("{:+.0} ± {:.0}", whole(elo.value), elo.error()),
        (true, false) => format!("above {:+.0}", whole(elo.low)),
        (false, _) => format!("below {:+.0}", whole(elo.high)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(counts: &[usize], games: [u32; 3]) -> Standing {
        let mut standing = Standing { games, ..Standing::default() };
        counts.iter().for_each(|&half_points| standing.pairs.add(half_points));
        standing
    }

    #[test]
    fn a_standing_has_errors_and_the_likelihood_of_superiority() {
        let text = standing(&[4, 3, 2, 2, 1], [4, 4, 2]).to_string();
        assert_eq!(text, "+4 =4 -2, 60.0 % ± 22.8, Elo +70 ± 181, LOS 81.9 %");
        assert_eq!(Standing::default().to_string(), "no games yet");
    }

    #[test]
    fn won_or_lost_throughout_is_a_bound() {
        let lost = standing(&[0, 0, 0], [0, 0, 6]);
        assert_eq!(lost.to_string(), "+0 =0 -6, 0.0 % ± 23.7, Elo below -18, LOS 2.1 %");
        let won = standing(&[4, 4, 4], [6, 0, 0]);
        assert_eq!(won.to_string(), "+6 =0 -0, 100.0 % ± 23.7, Elo above +18, LOS 97.9 %");
        assert_eq!((lost.normalized(), won.normalized()), (None, None));
    }

    #[test]
    fn standings_add_up() {
        let mut sum = standing(&[4], [2, 0, 0]);
        sum.append(&standing(&[0, 2], [1, 0, 3]));
        assert_eq!((sum.pairs.counts(), sum.games, sum.len()), ([1, 0, 1, 0, 1], [3, 0, 3], 6));
        assert_eq!(sum.cpu_time(), None);
        assert!(sum.normalized().unwrap().starts_with("+0 ± "));
    }
}
