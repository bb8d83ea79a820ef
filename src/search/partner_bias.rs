//! Bughouse: evaluation bias for the pieces that the partner needs, or must not face.

use super::searchable::Searchable;
use crate::chess::{Color, Role, Roles};

/// The needs of the partner of the side on move at the root.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PartnerNeeds {
    /// Roles whose capture is worth more.
    pub sought: Roles,
    /// Roles whose loss costs more.
    pub spared: Roles,
    /// `Some(true)` if any capture is worth more, `Some(false)` if any loss costs more.
    pub trades: Option<bool>,
}

/// Bonus for capturing a sought piece, by role, in centipawns: a pawn that mates on the other board
/// is worth a pawn more.
const SOUGHT: [i32; 6] = [80, 150, 150, 150, 150, 0];
/// Penalty for losing a spared piece: more often than not, the game on the other board.
const SPARED: [i32; 6] = [200, 400, 400, 400, 400, 0];
/// Bonus or penalty for any piece, if the partner wants trades or none.
const TRADED: [i32; 6] = [20, 40, 40, 50, 80, 0];

/// Evaluation bias by the number of pieces each side has lost since the root.
#[derive(Clone, Copy)]
pub(super) struct PartnerBias {
    us: Color,
    before: [[u8; 6]; 2],
    gains: [i32; 6],
    costs: [i32; 6],
}

impl PartnerBias {
    /// Returns `None` if the partner needs nothing.
    pub(super) fn of<P: Searchable>(needs: PartnerNeeds, root: &P) -> Option<PartnerBias> {
        if needs == PartnerNeeds::default() {
            return None;
        }
        let worth = |roles: Roles, table: [i32; 6], trades: bool| {
            Role::ALL.map(|role| {
                let index = role.index();
                let asked = if roles.has(role) { table[index] } else { 0 };
                asked + if needs.trades == Some(trades) { TRADED[index] } else { 0 }
            })
        };
        Some(PartnerBias {
            us: root.turn(),
            before: root.supply(),
            gains: worth(needs.sought, SOUGHT, true),
            costs: worth(needs.spared, SPARED, false),
        })
    }

    /// Returns the value to add to a position's evaluation, from the view of the side on move.
    pub(super) fn evaluate<P: Searchable>(&self, position: &P) -> i32 {
        let now = position.supply();
        let lost = |color: Color, role: usize| {
            i32::from(self.before[color.index()][role]) - i32::from(now[color.index()][role])
        };
        let total: i32 = (0..6)
            .map(|role| self.gains[role] * lost(!self.us, role) - self.costs[role] * lost(self.us, role))
            .sum();
        if position.turn() == self.us { total } else { -total }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{AnyPosition, Fairy, Position, Variant};
    use crate::search::bench::OpenGate;
    use crate::search::{Limits, Request, Style, Table, search};

    fn position(fen: &str) -> Position<Fairy> {
        Position::from_fen(Fairy::of(Variant::BUGHOUSE), fen).unwrap()
    }

    #[test]
    fn losses_of_either_side_count() {
        let root = position("4k3/8/8/3n4/4P3/8/8/4KQ2[N] w - - 0 1");
        let knights = Roles::NONE.with(Role::Knight);
        let needs = PartnerNeeds { sought: knights, spared: Roles::NONE.with(Role::Queen), trades: None };
        let bias = PartnerBias::of(needs, &root).unwrap();
        for (fen, worth) in [
            ("4k3/8/8/3n4/4P3/8/8/4KQ2[N] w - - 0 1", 0),
            ("4k3/8/8/3n4/4P3/5N2/8/4KQ2[] b - - 0 1", 0),
            ("4k3/8/8/3P4/8/8/8/4KQ2[N] b - - 0 1", -SOUGHT[1]),
            ("4k3/8/8/8/4P3/8/8/4K3[Nn] w - - 0 1", -SPARED[4]),
        ] {
            assert_eq!(bias.evaluate(&position(fen)), worth, "{fen}");
        }
        assert!(PartnerBias::of(PartnerNeeds::default(), &root).is_none());
    }

    #[test]
    fn the_search_captures_what_the_partner_needs() {
        let best = |needs: Option<PartnerNeeds>| {
            let fen = "rnbqkb1r/pppp1ppp/8/4p3/2n1P3/1P6/P1PPNPPP/RNBQKB1R[] w KQkq - 0 1";
            let limits = Limits { depth: Some(3), ..Limits::default() };
            let any = AnyPosition::from_fen(Variant::BUGHOUSE, fen).unwrap();
            let request =
                Request { limits, style: Style { partner: needs, ..Style::default() }, ..Request::of(any) };
            let table = Table::private(1).unwrap();
            let done = search(&request, &table, &mut OpenGate::new(), &mut |_| {});
            (any.coordinates(done.best.unwrap()), done.score)
        };
        let sought = |role| Some(PartnerNeeds { sought: Roles::NONE.with(role), ..PartnerNeeds::default() });
        let plain = best(None);
        let (mv, score) = best(sought(Role::Knight));
        assert!(mv == "b3c4" && score > plain.1, "{mv} {score:?}");
        assert_eq!(best(sought(Role::Queen)), plain, "no queen can be captured");
    }
}
