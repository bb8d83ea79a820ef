//! Static evaluation of English draughts, by a net.

use super::net::{Domain, net_of};
use crate::draughts::Position;

/// Returns the value of a position in centipawns, about a hundred for a man, from the view of the
/// side on move. Never near a mate score.
pub(in crate::search) fn evaluate(position: &Position) -> i32 {
    net_of(Domain::Draughts).evaluate(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extra_man_counts_and_the_start_is_nearly_level() {
        assert!(evaluate(&Position::start()).abs() < 40, "{}", evaluate(&Position::start()));
        let less = Position::from_fen("B:W21-31:B1-12").unwrap();
        assert!((40..400).contains(&evaluate(&less)), "{}", evaluate(&less));
    }
}
