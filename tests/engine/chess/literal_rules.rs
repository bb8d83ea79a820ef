//! Rules given by a literal alone: a toy variant with hands and without check, and rules whose
//! counts and endings are known from other programs. No session plays them.

use super::reference;
use farboard::chess::{
    AnyPosition, Drops, Ending, Game, MoveKind, NORMAL, NoMoves, Outcome, Role, Royal, Rules, Variant,
    shuffled,
};
use farboard::random::mix;
use farboard::search::bench::OpenGate;
use farboard::search::{Limits, Request, Score, Table, search, static_best_move};
use std::collections::BTreeSet;

/// Captured pieces can be dropped, kings are ordinary pieces, and a side without a move loses.
const TOY: Variant = Variant::of(&Rules {
    name: "toy",
    id: 255,
    start: "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3[] w - - 0 1",
    royal: Royal::Nothing,
    drops: Drops::Captured,
    no_moves: NoMoves::Loses,
    ..NORMAL
});

fn toy(fen: &str) -> AnyPosition {
    AnyPosition::from_fen(TOY, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn the_toy_has_the_moves_of_its_literal() {
    // A king has three moves, a queen 62 empty squares; then Black has a king's moves, also onto
    // the queen.
    let queen = toy("k7/8/8/8/8/8/8/K7[Q] w - - 0 1");
    assert_eq!(queen.perft(1), 3 + 62);
    assert_eq!(queen.perft(2), 65 * 3);
    // A pawn can be dropped on 48 squares less the occupied ones, and there is no check.
    let pawn = toy("4k3/8/8/8/8/8/4r3/4K3[P] w - - 0 1");
    assert!(!pawn.in_check());
    assert_eq!(pawn.perft(1), 5 + 47);
    assert!(pawn.parse_move("e1d1").is_ok(), "the king may move into check");
    assert_eq!(pawn.parse_move("P@e3").map(|mv| mv.kind()), Ok(MoveKind::Drop(Role::Pawn)));
    assert!(pawn.parse_move("P@e8").is_err() && pawn.parse_move("Q@e3").is_err());
}

#[test]
fn every_position_of_a_random_game_reads_back_from_its_text() {
    for variant in Variant::known().chain([TOY]) {
        for seed in 0..6u64 {
            let mut position = AnyPosition::start(variant);
            for ply in 0..80 {
                let read = AnyPosition::from_fen(variant, &position.fen()).unwrap();
                assert_eq!((read.fen(), read.key()), (position.fen(), position.key()));
                let moves = position.legal_moves();
                assert_eq!(position.has_legal_move(), !moves.is_empty());
                if moves.is_empty() {
                    break;
                }
                let mv = moves[mix(seed << 32 | ply) as usize % moves.len()];
                assert!(position.is_legal(mv));
                for text in [position.coordinates(mv), position.san(mv)] {
                    assert_eq!(position.parse_move(&text), Ok(mv), "{text} in {}", position.fen());
                }
                position.play(mv);
            }
        }
    }
}

#[test]
fn an_obvious_generator_finds_the_same_moves_in_random_games() {
    for variant in Variant::known() {
        (0..8).for_each(|seed| compare_in_a_random_game(AnyPosition::start(variant), seed, 120));
    }
}

#[test]
fn an_obvious_generator_finds_the_same_moves_after_every_truth_position() {
    let mut known = BTreeSet::new();
    for (number, line) in include_str!("../../data/perft-variants.epd").lines().enumerate() {
        let mut fields = line.split(';');
        let Some(variant) = fields.next().and_then(Variant::from_name) else { panic!("{line}") };
        let position = AnyPosition::from_fen(variant, fields.next().expect("a FEN")).expect(line);
        known.insert(variant.name());
        (0..3).for_each(|seed| compare_in_a_random_game(position, (number as u64) << 8 | seed, 30));
    }
    assert_eq!(
        known.len(),
        Variant::known().count() - 2,
        "all but kriegspiel, which is chess to a generator, and losers960"
    );
}

#[test]
fn an_obvious_generator_finds_the_same_moves_from_shuffled_back_ranks() {
    let mut kings_on_d = 0;
    for seed in 0..12u64 {
        let mut state = seed << 40;
        let mut dice = |sides: usize| {
            state += 1;
            mix(state) as usize % sides
        };
        let nocastle: String = shuffle(&mut "rnbqkbnr".chars().collect(), &mut dice);
        let [white, black] = [wild_rank(&mut dice), wild_rank(&mut dice)];
        kings_on_d += [&white, &black].into_iter().filter(|rank| rank.find('k') == Some(3)).count();
        for (name, fen) in [
            ("fischerandom", shuffled(&mut dice)),
            ("crazyhouse960", shuffled(&mut dice)),
            ("losers960", shuffled(&mut dice)),
            ("atomic960", shuffled(&mut dice)),
            ("nocastle", start_fen(&nocastle, &nocastle, "-")),
            ("wildcastle", start_fen(&white, &black, "KQkq")),
        ] {
            let variant = Variant::from_name(name).unwrap();
            compare_in_a_random_game(AnyPosition::from_fen(variant, &fen).expect(&fen), seed, 100);
        }
    }
    assert!((4..=20).contains(&kings_on_d), "{kings_on_d} of 24 kings are on d");
}

/// A back rank of ICS wild 1: rooks in the corners, the king on d or e, bishops on both colours.
fn wild_rank(dice: &mut impl FnMut(usize) -> usize) -> String {
    let king = 3 + dice(2);
    loop {
        let mut others = shuffle(&mut "nbqbn".chars().collect(), dice);
        others.insert(king - 1, 'k');
        let rank = format!("r{others}r");
        if rank.find('b').zip(rank.rfind('b')).is_some_and(|(first, second)| (second - first) % 2 == 1) {
            return rank;
        }
    }
}

fn shuffle(letters: &mut Vec<char>, dice: &mut impl FnMut(usize) -> usize) -> String {
    (0..letters.len()).map(|_| letters.remove(dice(letters.len()))).collect()
}

/// The start position with these back ranks.
fn start_fen(white: &str, black: &str, castling: &str) -> String {
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{} w {castling} - 0 1", white.to_uppercase())
}

/// Plays random moves and compares the legal moves of every position with the reference.
fn compare_in_a_random_game(mut position: AnyPosition, seed: u64, plies: u64) {
    let variant = position.variant();
    for ply in 0..plies {
        let moves = position.legal_moves();
        let found: BTreeSet<String> = moves.iter().map(|&mv| position.coordinates(mv)).collect();
        assert_eq!(found.len(), moves.len(), "a duplicate move in {}", position.fen());
        let expected = reference::legal_moves(variant.name(), &position.fen());
        let differs: Vec<_> = found.symmetric_difference(&expected).collect();
        assert!(differs.is_empty(), "{differs:?} in {} of {}", position.fen(), variant.name());
        if moves.is_empty() {
            break;
        }
        position.play(moves[mix(seed << 32 | ply) as usize % moves.len()]);
    }
}

#[test]
fn a_hand_holds_pawns_for_promoted_men_and_more_than_a_stack_holds_moves() {
    let mut game = toy("4k3/8/8/8/8/8/4q~3/4K3[] w - - 0 1");
    game.play(game.parse_move("e1e2").unwrap());
    assert_eq!(game.fen(), "4k3/8/8/8/8/8/4K3/8[P] b - - 0 1");
    let full = toy("4k3/8/8/8/8/8/8/QQQQQQQQ[QRBNPK] w - - 0 1");
    let moves = full.legal_moves();
    assert!(moves.len() > 400, "{}", moves.len());
    assert!(moves.iter().all(|&mv| full.is_legal(mv)));
    assert!(find(&full, 1).best.is_some());
}

fn find(position: &AnyPosition, depth: u8) -> farboard::search::Done {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let request = Request { limits, ..Request::of(*position) };
    search(&request, &Table::private(1).unwrap(), &mut OpenGate::new(), &mut |_| {})
}

#[test]
fn the_search_plays_the_toy() {
    for (fen, best) in [
        // Kings can be captured, and the last capture wins.
        ("4k3/4R3/8/8/8/8/8/4K3[] w - - 0 1", "e7e8"),
        ("k7/8/8/8/8/8/8/3qK3[] w - - 0 1", "e1d1"),
        // The rook in hand is no better: the rook on the board captures the queen.
        ("3q3k/8/8/8/8/8/8/3R3K[R] w - - 0 1", "d1d8"),
    ] {
        let position = toy(fen);
        let expected = position.parse_move(best).unwrap();
        assert_eq!(find(&position, 4).best, Some(expected), "{fen}");
        assert_eq!(static_best_move(&position.into(), &[], None), Some(expected), "{fen}");
    }
    let won = find(&toy("4k3/4R3/8/8/8/8/8/4K3[] w - - 0 1"), 3);
    assert_eq!(won.score, Score::mate_in(1), "the last man is captured");
}

#[test]
fn a_game_of_the_toy_that_the_search_plays_ends() {
    let mut game = Game::from_fen(TOY, "4k3/3pp3/8/8/8/8/3PPP2/4K3[] w - - 0 1").unwrap();
    while game.ending().is_none() && game.moves().len() < 300 {
        let mv = find(game.position(), 3).best.expect("the game goes on");
        assert!(game.position().is_legal(mv));
        game.play(mv);
    }
    let (outcome, ending) = game.ending().expect("an end");
    let decided = matches!(outcome, Outcome::Win(_)) && ending == Ending::VariantRule;
    assert!(
        decided || ending == Ending::Repetition || ending == Ending::FiftyMoves,
        "{outcome:?} {ending:?}"
    );
}

#[test]
fn forced_captures_and_counted_checks_are_searched() {
    // By giveaway's rules White must capture, and loses nothing by it: whether Black's last piece
    // disappears is White's choice.
    let giveaway =
        AnyPosition::from_fen(Variant::from_name("giveaway").unwrap(), "8/8/8/8/1p6/8/P7/8 w - - 0 1")
            .unwrap();
    let done = find(&giveaway, 6);
    assert_eq!(
        done.best.map(|mv| giveaway.coordinates(mv)).as_deref(),
        Some("a2a3"),
        "it gives the pawn away"
    );
    assert!(done.score.mate_distance().is_some_and(|moves| moves > 0), "{:?}", done.score);
    let three =
        AnyPosition::from_fen(Variant::from_name("3check").unwrap(), "4k3/8/8/8/8/8/3PP3/3QK3 w - - 1+3 0 1")
            .unwrap();
    assert_eq!(find(&three, 3).score, Score::mate_in(1), "one check is left");
}
