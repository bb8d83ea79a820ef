//! Bughouse: what the partner wants of our captures, and of our losses.

use super::searchable::Searchable;
use crate::chess::{Color, Role, Roles};

/// What the side on move at the root shall capture, and what it shall not lose.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Demands {
    /// Pieces that are worth more when captured.
    pub sought: Roles,
    /// Pieces whose loss costs more.
    pub spared: Roles,
    /// Whether captures of any piece are worth more, or losses cost more.
    pub trades: Option<bool>,
}

/// What the capture of a piece that is sought is worth besides, by role, in centipawns: a pawn that mates over there is worth a
/// pawn more.
const SOUGHT: [i32; 6] = [80, 150, 150, 150, 150, 0];
/// What the loss of a piece costs besides: the other board, more often than not.
const SPARED: [i32; 6] = [200, 400, 400, 400, 400, 0];
/// The same for any piece.
const TRADED: [i32; 6] = [20, 40, 40, 50, 80, 0];

/// How evaluations differ for a side with demands, by how many pieces each side has lost since the root.
#[derive(Clone, Copy)]
pub struct Appetite {
    us: Color,
    before: [[u8; 6]; 2],
    gains: [i32; 6],
    costs: [i32; 6],
}

impl Appetite {
    /// `None` without demands.
    pub fn of<P: Searchable>(demands: Demands, root: &P) -> Option<Appetite> {
        if demands == Demands::default() {
            return None;
        }
        let worth = |roles: Roles, table: [i32; 6], trades: bool| {
            Role::ALL.map(|role| {
                let index = role.index();
                let asked = if roles.has(role) { table[index] } else { 0 };
                asked + if demands.trades == Some(trades) { TRADED[index] } else { 0 }
            })
        };
        Some(Appetite {
            us: root.turn(),
            before: root.supply(),
            gains: worth(demands.sought, SOUGHT, true),
            costs: worth(demands.spared, SPARED, false),
        })
    }

    /// What is to be added to the evaluation of a position, from the view of the side on move.
    pub fn evaluate<P: Searchable>(&self, position: &P) -> i32 {
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
    use crate::search::{Limits, Request, Table, search};

    fn position(fen: &str) -> Position<Fairy> {
        Position::from_fen(Fairy::of(Variant::BUGHOUSE), fen).unwrap()
    }

    #[test]
    fn what_is_lost_counts_on_either_side() {
        let root = position("4k3/8/8/3n4/4P3/8/8/4KQ2[N] w - - 0 1");
        let knights = Roles::NONE.with(Role::Knight);
        let demands = Demands { sought: knights, spared: Roles::NONE.with(Role::Queen), trades: None };
        let appetite = Appetite::of(demands, &root).unwrap();
        for (fen, worth) in [
            ("4k3/8/8/3n4/4P3/8/8/4KQ2[N] w - - 0 1", 0),
            ("4k3/8/8/3n4/4P3/5N2/8/4KQ2[] b - - 0 1", 0),
            ("4k3/8/8/3P4/8/8/8/4KQ2[N] b - - 0 1", -SOUGHT[1]),
            ("4k3/8/8/8/4P3/8/8/4K3[Nn] w - - 0 1", -SPARED[4]),
        ] {
            assert_eq!(appetite.evaluate(&position(fen)), worth, "{fen}");
        }
        assert!(Appetite::of(Demands::default(), &root).is_none());
    }

    #[test]
    fn the_search_wants_what_the_partner_wants() {
        let best = |demands: Demands| {
            let fen = "rnbqkb1r/pppp1ppp/8/4p3/2n1P3/1P6/P1PPNPPP/RNBQKB1R[] w KQkq - 0 1";
            let limits = Limits { depth: Some(3), ..Limits::default() };
            let any = AnyPosition::from_fen(Variant::BUGHOUSE, fen).unwrap();
            let request = Request { limits, demands, ..Request::of(any) };
            let table = Table::private(1).unwrap();
            let done = search(&request, &table, &mut OpenGate::new(), &mut |_| {});
            (any.coordinates(done.best.unwrap()), done.score)
        };
        let sought = |role| Demands { sought: Roles::NONE.with(role), ..Demands::default() };
        let plain = best(Demands::default());
        let (mv, score) = best(sought(Role::Knight));
        assert!(mv == "b3c4" && score > plain.1, "{mv} {score:?}");
        assert_eq!(best(sought(Role::Queen)), plain, "no queen is to be had");
    }
}
