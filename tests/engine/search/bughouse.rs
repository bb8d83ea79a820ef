//! Bughouse: positions that are not drawn, the value of waiting, and the effect of the partner's
//! pieces.

use super::untimed;
use farboard::chess::{AnyPosition, Move, Roles, Variant};
use farboard::search::bench::OpenGate;
use farboard::search::{Done, Limits, PartnerNeeds, Report, Request, Style, Table, search};

fn position(fen: &str) -> AnyPosition {
    AnyPosition::from_fen(Variant::BUGHOUSE, fen).unwrap()
}

fn request(fen: &str, depth: u8) -> Request {
    Request { limits: Limits { depth: Some(depth), ..Limits::default() }, ..Request::of(position(fen)) }
}

fn run(request: &Request) -> (Done, Roles) {
    let table = Table::private(4).unwrap();
    let mut saved_by = Roles::NONE;
    let done = search(request, &table, &mut OpenGate::new(), &mut |report| {
        if let Report::SavingDrops(roles) = report {
            saved_by = roles;
        }
    });
    (untimed(done), saved_by)
}

#[test]
fn neither_repetition_nor_fifty_moves_draw() {
    let fen = "4k3/8/8/8/8/8/8/QQ2K3[] w - - 99 80";
    assert!(run(&request(fen, 3)).0.score.0 > 500);
    let normal = AnyPosition::from_fen(Variant::NORMAL, &fen.replace("[]", "")).unwrap();
    let drawn = Request { position: normal.into(), ..request(fen, 2) };
    assert_eq!(run(&drawn).0.score.0, 0);
}

#[test]
fn a_side_that_must_wait_stands_badly_and_is_not_mated() {
    let attacker = "6k1/5ppp/8/8/8/8/5PPP/R5K1[] w - - 0 1";
    let (done, _) = run(&request(attacker, 4));
    let ra8: Move = position(attacker).parse_move("Ra8+").unwrap();
    assert_eq!(done.best, Some(ra8));
    assert!(done.score.0 >= 500 && done.score.mate_distance().is_none(), "{:?}", done.score);
}

#[test]
fn a_smothered_king_is_mated() {
    let (done, _) = run(&request("6rk/6pp/8/8/8/8/6PP/6RK[N] w - - 0 1", 3));
    assert_eq!(done.score.mate_distance(), Some(1));
}

#[test]
fn requesting_pieces_does_not_change_the_move() {
    let mated = "8/p7/8/5B2/8/1K6/7Q/k7[] b - - 0 1";
    let (alone, none) = run(&request(mated, 8));
    let (helped, saved_by) = run(&Request {
        style: Style { partner: Some(PartnerNeeds::default()), ..Style::default() },
        ..request(mated, 8)
    });
    assert_eq!(alone, helped);
    assert!(none.is_empty() && !saved_by.is_empty());
}
