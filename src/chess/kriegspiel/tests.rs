use super::*;
use crate::chess::{AnyPosition, Color, Game, Move, Piece, Role, Square, Variant};
use crate::random::mix;
use crate::with_position;
use std::collections::BTreeSet;

fn position(fen: &str) -> AnyPosition {
    AnyPosition::from_fen(Variant::KRIEGSPIEL, fen).unwrap()
}

fn said(fen: &str) -> String {
    with_position!(&position(fen), position => Announcement::of(position).to_string())
}

fn said_after(fen: &str, text: &str) -> String {
    let any = position(fen);
    let mv = any.parse_move(text).unwrap();
    heard(&any, mv).to_string()
}

fn heard(any: &AnyPosition, mv: Move) -> Announcement {
    with_position!(any, before => {
        let mut after = *before;
        after.play(mv);
        Announcement::after(before, mv, &after)
    })
}

#[test]
fn there_are_34_tries_in_the_start_position() {
    let game = Game::new(Variant::KRIEGSPIEL);
    let view = View::of(&game, Color::White, &Refusals::default());
    assert_eq!(view.men_now().attempts().len(), 34);
    let black = View::of(&game, Color::Black, &Refusals::default());
    assert_eq!(black.men_now().attempts().len(), 34);
}

#[test]
fn checks_are_announced_with_their_direction() {
    for (fen, expected) in [
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "White on turn"),
        ("4k2R/8/8/8/8/8/8/4K3 b - - 0 1", "Black on turn, rank check"),
        ("4k3/8/8/8/8/8/4R3/3K4 b - - 0 1", "Black on turn, file check"),
        ("4k3/8/8/1B6/8/8/8/4K3 b - - 0 1", "Black on turn, long diagonal check"),
        ("4k3/8/8/7B/8/8/8/4K3 b - - 0 1", "Black on turn, short diagonal check"),
        ("4k3/8/3N4/8/8/8/8/4K3 b - - 0 1", "Black on turn, knight check"),
        ("4k3/3P4/8/8/8/8/8/4K3 b - - 0 1", "Black on turn, long diagonal check"),
        ("4k3/8/3N4/8/8/8/4R3/3K4 b - - 0 1", "Black on turn, file check, knight check"),
    ] {
        assert_eq!(said(fen), expected, "{fen}");
    }
}

#[test]
fn legal_captures_of_pawns_are_counted() {
    for (fen, expected) in [
        ("4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1", "White on turn, 2 pawn tries"),
        ("4k3/8/8/8/1b1p4/2P5/8/4K3 w - - 0 1", "White on turn, 1 pawn try"),
        ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "White on turn, 1 pawn try"),
        ("4k3/8/8/8/4r3/3p4/4P3/4K3 w - - 0 1", "White on turn"),
        ("4k3/8/8/8/1p5b/2P3P1/3p4/4K3 w - - 0 1", "White on turn, long diagonal check"),
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "White on turn, 1 pawn try"),
    ] {
        assert_eq!(said(fen), expected, "{fen}");
    }
}

#[test]
fn captures_are_announced_with_their_square() {
    for (fen, mv, expected) in [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "Black on turn, pawn at d5 captured"),
        ("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5", "Black on turn, piece at d5 captured"),
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", "Black on turn, pawn at c5 captured"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "Black on turn"),
        ("3nk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "Black on turn, piece at d8 captured, rank check"),
    ] {
        assert_eq!(said_after(fen, mv), expected, "{fen} {mv}");
    }
}

/// Computes the announcement naively, by looking at every square and trying every move: capture,
/// directions of checks, and number of pawn tries.
fn naively(before: &AnyPosition, mv: Move) -> (Option<Captured>, BTreeSet<String>, usize) {
    let mut after = *before;
    after.play(mv);
    let men = |position: &AnyPosition, color: Color| -> BTreeSet<(Square, Role)> {
        let man = |square| position.piece_at(square).map(|Piece { color, role }| (color, square, role));
        let all = Square::all().filter_map(man);
        all.filter(|&(owner, ..)| owner == color).map(|(_, square, role)| (square, role)).collect()
    };
    let turn = after.turn();
    let lost = men(before, turn).difference(&men(&after, turn)).next().copied();
    let captured = lost.map(|(square, role)| Captured { square, pawn: role == Role::Pawn });
    let king = men(&after, turn).into_iter().find(|&(_, role)| role == Role::King).unwrap().0;
    let checkers = men(&after, !turn).into_iter();
    let checkers = checkers.filter(|&(square, role)| attacks_naively(&after, square, role, !turn, king));
    let checks = checkers.map(|(square, role)| direction_naively(king, square, role).to_owned()).collect();
    let pawn = |mv: &Move| after.piece_at(mv.from()).is_some_and(|piece| piece.role == Role::Pawn);
    let tries: BTreeSet<(Square, Square)> = after
        .legal_moves()
        .into_iter()
        .filter(|mv| pawn(mv) && mv.from().file() != mv.to().file())
        .map(|mv| (mv.from(), mv.to()))
        .collect();
    (captured, checks, tries.len())
}

/// Names the direction of a check naively: of two diagonals the one with more squares is the long
/// one.
fn direction_naively(king: Square, from: Square, role: Role) -> &'static str {
    let rising = |square: Square| i32::from(square.file()) - i32::from(square.rank());
    let falling = |square: Square| i32::from(square.file()) + i32::from(square.rank());
    let squares_like =
        |line: &dyn Fn(Square) -> i32| Square::all().filter(|&square| line(square) == line(king)).count();
    let (rising_squares, falling_squares) = (squares_like(&rising), squares_like(&falling));
    match role {
        Role::Knight => "knight check",
        _ if from.rank() == king.rank() => "rank check",
        _ if from.file() == king.file() => "file check",
        _ if (rising(from) == rising(king)) == (rising_squares > falling_squares) => "long diagonal check",
        _ => "short diagonal check",
    }
}

/// Returns true if a man attacks a square, by walking there.
fn attacks_naively(position: &AnyPosition, from: Square, role: Role, color: Color, to: Square) -> bool {
    let files = i32::from(to.file()) - i32::from(from.file());
    let ranks = i32::from(to.rank()) - i32::from(from.rank());
    let forward = if color == Color::White { 1 } else { -1 };
    let straight = files == 0 || ranks == 0;
    let diagonal = files.abs() == ranks.abs();
    let clear = || {
        let steps = files.abs().max(ranks.abs());
        (1..steps).all(|step| {
            let file = i32::from(from.file()) + files / steps * step;
            let rank = i32::from(from.rank()) + ranks / steps * step;
            position.piece_at(Square::at(file as u8, rank as u8)).is_none()
        })
    };
    match role {
        Role::Pawn => ranks == forward && files.abs() == 1,
        Role::Knight => files.abs() * ranks.abs() == 2,
        Role::King => files.abs().max(ranks.abs()) == 1,
        Role::Rook => straight && clear(),
        Role::Bishop => diagonal && clear(),
        Role::Queen => (straight || diagonal) && clear(),
    }
}

fn random_game(seed: u64, plies: u64) -> Game {
    let mut game = Game::new(Variant::KRIEGSPIEL);
    for ply in 0..plies {
        let moves = game.position().legal_moves();
        if moves.is_empty() {
            break;
        }
        game.play(moves[mix(seed << 16 | ply) as usize % moves.len()]);
    }
    game
}

#[test]
fn announcements_match_a_naive_computation() {
    let mut seen = [0; 4];
    for seed in 0..60 {
        let game = random_game(seed, 200);
        let mut position = *game.start();
        for &mv in game.moves() {
            let heard = heard(&position, mv);
            let checks = heard.checks.iter().map(|direction| direction.to_string()).collect();
            let found = (heard.captured, checks, usize::from(heard.pawn_tries));
            assert_eq!(found, naively(&position, mv), "{} {mv:?}", position.fen());
            assert_eq!(heard.turn, !position.turn());
            seen[0] += u32::from(heard.captured.is_some());
            seen[1] += u32::from(heard.checks.any());
            seen[2] += u32::from(heard.pawn_tries > 0);
            seen[3] += u32::from(heard.checks.has(Direction::Knight));
            position.play(mv);
        }
    }
    assert!(seen.into_iter().all(|count| count > 20), "{seen:?}");
}

#[test]
fn a_side_keeps_track_of_its_men_and_no_legal_move_is_missing() {
    for seed in 0..40 {
        let game = random_game(seed, 160);
        let mut so_far = Game::new(Variant::KRIEGSPIEL);
        for &mv in game.moves() {
            let turn = so_far.position().turn();
            let men = View::of(&so_far, turn, &Refusals::default()).men_now();
            with_position!(so_far.position(), position => {
                assert_eq!(men, Men::of(position, turn));
                let attempts = men.attempts();
                let legal = position.legal_moves();
                for &mv in &legal {
                    let attempt = Attempt::of(position, mv);
                    assert!(attempts.contains(&attempt), "{attempt}");
                    assert_eq!(attempt.resolve(position), Some(mv));
                }
                let accepted = attempts.iter().filter(|attempt| attempt.resolve(position).is_some()).count();
                assert_eq!(accepted, legal.len());
            });
            so_far.play(mv);
        }
    }
}

#[test]
fn positions_that_sound_alike_have_equal_views() {
    let games = ["a7a6", "h7h6", "b8c6", "b8a6"].map(|reply| {
        let mut game = Game::new(Variant::KRIEGSPIEL);
        for text in ["e2e4", reply, "d2d4"] {
            game.play(game.position().parse_move(text).unwrap());
        }
        View::of(&game, Color::White, &Refusals::default())
    });
    assert!(games.iter().all(|view| *view == games[0]));
    let set_up = ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "8/8/1k6/8/8/8/8/4K2R w K - 0 1"].map(|fen| {
        View::of(&Game::from_fen(Variant::KRIEGSPIEL, fen).unwrap(), Color::White, &Refusals::default())
    });
    assert_eq!(set_up[0], set_up[1]);
}

#[test]
fn refusals_belong_to_their_ply() {
    let attempt = |text: &str| Attempt {
        from: Square::parse(&text[..2]).unwrap(),
        to: Square::parse(&text[2..]).unwrap(),
        promotion: None,
    };
    let mut refusals = Refusals::default();
    refusals.add(0, attempt("e2d3"));
    refusals.add(2, attempt("e4d5"));
    refusals.add(2, attempt("e4f5"));
    assert_eq!(refusals.at(2), [attempt("e4d5"), attempt("e4f5")]);
    assert_eq!(refusals.at(1), []);
    refusals.rewind(1);
    assert_eq!((refusals.at(0).len(), refusals.at(2).len()), (1, 0));
}
