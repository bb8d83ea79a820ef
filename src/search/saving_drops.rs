//! Bughouse: which pieces from the partner would save a side that is mated soon.

use super::{
    Done, FirstMoves, Gate, Knowledge, Limits, Report, Request, Resumption, RootPosition, Score, Table,
    ThreadRole, Verdict,
};
use crate::chess::{AnyPosition, Fairy, Position, Role, Roles};
use std::time::Duration;

/// Maximum length of a mate in moves. Longer ones are too uncertain to wait for help: much will
/// happen on the other board.
const MAX_MOVES: i32 = 3;

/// Limits of each probe: whether there is a mate in a few moves is known in far less than 0.1 s.
const LIMITS: Limits = Limits { depth: Some(16), nodes: Some(6_000), optimum_nodes: None, mate: None };

/// Returns the roles any of which in hand would save the side on move, if the search found that it
/// is mated soon and the request asks for them. Searches some ten thousand nodes.
pub(super) fn saving_drops(request: &Request, done: &Done, table: &Table, gate: &mut dyn Gate) -> Roles {
    let RootPosition::Chess(AnyPosition::Fairy(position)) = &request.position else { return Roles::NONE };
    let asks = request.style.partner.is_some() && matches!(request.thread, ThreadRole::Main { .. });
    if !asks || !is_mated_soon(done.score) {
        return Roles::NONE;
    }
    let mut helps = |roles: Roles| helps(request, position, roles, table, gate);
    if !helps(Roles::DROPPED) {
        return Roles::NONE;
    }
    Roles::DROPPED.iter().filter(|&role: &Role| helps(Roles::NONE.with(role))).collect()
}

/// Returns true if the side on move is mated in a few moves.
pub fn is_mated_soon(score: Score) -> bool {
    score.mate_distance().is_some_and(|moves| (-MAX_MOVES..=0).contains(&moves))
}

/// Returns true if one more piece of each of these roles saves the side on move; false if the
/// search is stopped.
fn helps(
    request: &Request,
    position: &Position<Fairy>,
    roles: Roles,
    table: &Table,
    gate: &mut dyn Gate,
) -> bool {
    let helped = Request {
        limits: LIMITS,
        first_moves: FirstMoves::default(),
        knowledge: Knowledge::default(),
        resumption: Resumption::default(),
        position: AnyPosition::Fairy(position.with_more_in_hand(roles)).into(),
        ..request.clone()
    };
    let mut gate = Untimed { gate, stopped: false };
    let done = super::search_once(&helped, table, &mut gate, &mut |_: Report| {});
    !gate.stopped && done.score.0 > -Score::MATE_BOUND.0
}

/// The gate of the main search without its optimum: a probe ends at its own limits or when that
/// gate stops it.
struct Untimed<'a> {
    gate: &'a mut dyn Gate,
    stopped: bool,
}

impl Gate for Untimed<'_> {
    fn poll(&mut self, nodes: u64) -> Verdict {
        let verdict = if self.stopped { Verdict::Stop } else { self.gate.poll(nodes) };
        self.stopped = verdict == Verdict::Stop;
        verdict
    }

    fn elapsed(&self) -> Duration {
        self.gate.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Variant;
    use crate::search::bench::OpenGate;
    use crate::search::{PartnerNeeds, Style};

    fn saved_by(fen: &str, partner: Option<PartnerNeeds>, thread: ThreadRole) -> (Score, Option<String>) {
        let position = AnyPosition::from_fen(Variant::BUGHOUSE, fen).unwrap();
        let limits = Limits { depth: Some(8), ..Limits::default() };
        let style = Style { partner, ..Style::default() };
        let request = Request { limits, style, thread, ..Request::of(position) };
        let mut saved_by = None;
        let table = Table::private(1).unwrap();
        let done = super::super::search(&request, &table, &mut OpenGate::new(), &mut |report| {
            if let Report::SavingDrops(roles) = report {
                saved_by = Some(roles.to_string());
            }
        });
        (done.score, saved_by)
    }

    #[test]
    fn a_side_that_is_mated_soon_learns_which_drops_save_it() {
        let (main, partner) = (ThreadRole::default(), Some(PartnerNeeds::default()));
        let mated = "8/p7/8/5B2/8/1K6/7Q/k7[] b - - 0 1";
        let (score, saved) = saved_by(mated, None, main);
        assert!(is_mated_soon(score));
        assert_eq!(saved, None);
        assert_eq!(saved_by(mated, partner, ThreadRole::Helper(1)).1, None, "helpers do not look for drops");
        let saved = saved_by(mated, partner, main).1.unwrap();
        assert!(saved.contains('q') && !saved.contains('p'), "{saved}");
        let (score, saved) = saved_by("4k3/8/8/8/8/8/8/4K3[P] b - - 0 1", partner, main);
        assert!(!is_mated_soon(score));
        assert_eq!(saved, None);
    }

    #[test]
    fn soon_is_three_moves() {
        assert!(is_mated_soon(Score::mated_in(2)) && is_mated_soon(Score::mated_in(6)));
        assert!(!is_mated_soon(Score::mated_in(8)) && !is_mated_soon(Score::mate_in(1)));
        assert!(!is_mated_soon(Score(-900)));
    }
}
