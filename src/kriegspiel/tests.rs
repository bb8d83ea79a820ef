use super::*;
use crate::chess::kriegspiel::{Announcement, Men, Refusals};
use crate::chess::{AnyPosition, Color, Game, Move, Outcome, Position, Standard, Variant};
use crate::random::mix;
use crate::search::bench::OpenGate;
use crate::search::{POLL_NODES, Verdict};
use std::time::Duration;

fn ask(view: View, belief: Option<Arc<Belief>>, seed: u64, limits: Limits) -> (Proposal, Done) {
    let mut last = None;
    let question = Question { view, belief };
    let done = answer(&question, seed, limits, &mut OpenGate::new(), &mut |proposal| last = Some(proposal));
    (last.expect("a proposal"), Done { elapsed: Duration::ZERO, ..done })
}

fn standard(game: &Game) -> &Position<Standard> {
    match game.position() {
        AnyPosition::Standard(position) => position,
        AnyPosition::Fairy(_) => unreachable!("kriegspiel is played by the rules of chess"),
    }
}

/// A player that remembers refused attempts.
struct Player {
    color: Color,
    refusals: Refusals,
    belief: Option<Arc<Belief>>,
    limits: Limits,
}

impl Player {
    fn new(color: Color) -> Player {
        Player { color, refusals: Refusals::default(), belief: None, limits: Limits::default() }
    }

    fn view(&self, game: &Game) -> View {
        View::of(game, self.color, &self.refusals)
    }

    fn play(&mut self, game: &mut Game, seed: u64) -> Proposal {
        let (answer, _) = ask(self.view(game), self.belief.take(), seed, self.limits);
        let ply = game.moves().len();
        let mut mv = None;
        for attempt in &answer.attempts {
            mv = attempt.resolve(standard(game));
            if mv.is_some() {
                break;
            }
            self.refusals.add(ply, *attempt);
        }
        game.play(mv.expect("one of the attempts is legal"));
        self.belief.clone_from(&answer.belief);
        answer
    }
}

fn random_move(game: &Game, seed: u64) -> Move {
    let moves = game.position().legal_moves();
    moves[mix(seed << 20 ^ game.moves().len() as u64) as usize % moves.len()]
}

/// Returns the outcome of a game against random legal moves of at most `plies`.
fn against_random_moves(fen: &str, us: Color, seed: u64, plies: usize) -> Option<Outcome> {
    let mut game = Game::from_fen(Variant::KRIEGSPIEL, fen).unwrap();
    let mut player = Player::new(us);
    while game.moves().len() < plies {
        if let Some((outcome, _)) = game.ending() {
            return Some(outcome);
        }
        if game.position().turn() == us {
            player.play(&mut game, seed);
        } else {
            game.play(random_move(&game, seed));
        }
    }
    None
}

#[test]
fn an_unseen_lone_king_is_mated_with_a_queen() {
    let fen = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1";
    let won = (0..8)
        .filter(|&seed| {
            against_random_moves(fen, Color::White, seed, 200)
                .is_some_and(|outcome| outcome == Outcome::Win(Color::White))
        })
        .count();
    assert!(won >= 6, "{won}");
}

#[test]
fn beliefs_agree_with_the_announcements() {
    let (mut boards, mut turns, mut complete) = (0, 0, 0);
    for seed in 0..10 {
        let us = if seed % 2 == 0 { Color::White } else { Color::Black };
        let mut game = Game::new(Variant::KRIEGSPIEL);
        let mut player = Player::new(us);
        while game.ending().is_none() && game.moves().len() < 120 {
            if game.position().turn() != us {
                game.play(random_move(&game, seed));
                continue;
            }
            let view = player.view(&game);
            let (men, heard) = (view.men_now(), view.heard_now());
            assert_eq!(men, Men::of(standard(&game), us));
            let before = standard(&game).to_owned();
            let belief = player.play(&mut game, seed).belief.expect("a belief");
            turns += 1;
            boards += u32::from(!belief.boards.is_empty());
            for board in &belief.boards {
                let position = &board.position;
                assert_eq!(Men::of(position, us).squares(), men.squares());
                assert_eq!(position.color(!us).count(), u32::from(belief.enemies));
                let sounds = Announcement { captured: heard.captured, ..Announcement::of(position) };
                assert_eq!(sounds, heard);
            }
            if belief.complete {
                complete += 1;
                assert!(
                    belief.boards.iter().any(|board| board.position.key() == before.key()),
                    "{}",
                    before.fen()
                );
            }
        }
    }
    assert!(complete >= 10, "{complete}");
    assert!(boards * 100 >= turns * 98, "a belief without boards at {} of {turns} turns", turns - boards);
}

/// In two games in which the other side moves differently and the umpire says the same, the player
/// makes the same proposals.
#[test]
fn hidden_squares_do_not_influence_the_choice() {
    let (mut compared, mut different) = (0, 0);
    for seed in 0..40 {
        let us = if seed % 2 == 0 { Color::White } else { Color::Black };
        let mut games = [Game::new(Variant::KRIEGSPIEL), Game::new(Variant::KRIEGSPIEL)];
        let mut players = [Player::new(us), Player::new(us)];
        while games.iter().all(|game| game.ending().is_none()) && games[0].moves().len() < 80 {
            if games[0].position().turn() == us {
                let views = [players[0].view(&games[0]), players[1].view(&games[1])];
                if views[0] != views[1] {
                    break;
                }
                let answers =
                    [0, 1].map(|which| format!("{:?}", players[which].play(&mut games[which], seed)));
                assert_eq!(answers[0], answers[1]);
                compared += 1;
                different += u32::from(games[0].position().key() != games[1].position().key());
                continue;
            }
            let mv = random_move(&games[0], seed);
            let heard = heard(&games[0], mv);
            let same: Vec<Move> = games[1].position().legal_moves().into_iter().collect();
            let same: Vec<Move> =
                same.into_iter().filter(|&mv| self::heard(&games[1], mv) == heard).collect();
            let other: Vec<Move> = same.iter().copied().filter(|&other| other != mv).collect();
            let from = if other.is_empty() { same } else { other };
            if from.is_empty() {
                break;
            }
            games[0].play(mv);
            let chosen = from[mix(seed ^ games[0].position().key()) as usize % from.len()];
            games[1].play(chosen);
        }
    }
    assert!(compared >= 120 && different * 10 >= compared * 7, "{different} of {compared}");
}

fn heard(game: &Game, mv: Move) -> Announcement {
    let before = standard(game);
    let mut after = *before;
    after.play(mv);
    Announcement::after(before, mv, &after)
}

#[test]
fn a_kept_belief_equals_a_recomputed_one() {
    let mut game = Game::new(Variant::KRIEGSPIEL);
    let mut player = Player::new(Color::White);
    while game.ending().is_none() && game.moves().len() < 60 {
        if game.position().turn() == Color::Black {
            game.play(random_move(&game, 5));
            continue;
        }
        let anew = ask(player.view(&game), None, 5, Limits::default()).0;
        let kept = ask(player.view(&game), player.belief.clone(), 5, Limits::default()).0;
        assert_eq!(format!("{anew:?}"), format!("{kept:?}"));
        player.play(&mut game, 5);
    }
    assert!(game.moves().len() > 20);
}

#[test]
fn a_belief_of_another_game_is_not_used() {
    let mut first = Game::new(Variant::KRIEGSPIEL);
    let mut player = Player::new(Color::White);
    player.play(&mut first, 1);
    let mut second = Game::new(Variant::KRIEGSPIEL);
    ["h2h4", "a7a5"].iter().for_each(|text| second.play(second.position().parse_move(text).unwrap()));
    first.play(random_move(&first, 1));
    player.play(&mut first, 1);
    let view = View::of(&second, Color::White, &Refusals::default());
    let kept = ask(view.clone(), player.belief.clone(), 1, Limits::default());
    assert_eq!(format!("{kept:?}"), format!("{:?}", ask(view, None, 1, Limits::default())));
}

#[test]
fn node_limits_hold_and_every_attempt_is_proposed() {
    let mut game = Game::new(Variant::KRIEGSPIEL);
    for ply in 0..31 {
        game.play(random_move(&game, ply));
    }
    let view = View::of(&game, game.position().turn(), &Refusals::default());
    let mut attempts = view.men_now().attempts();
    attempts.sort();
    for nodes in [0, 1, 10, 1000, 3000, 100_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let (answer, done) = ask(view.clone(), None, 1, limits);
        assert!(done.nodes <= nodes);
        assert_eq!(
            format!("{answer:?} {done:?}"),
            format!("{:?} {:?}", ask(view.clone(), None, 1, limits).0, done)
        );
        let mut listed = answer.attempts;
        listed.sort();
        assert_eq!(listed, attempts, "{nodes}");
    }
}

/// A gate that stops at once and counts its polls.
struct Shut(u32);

impl Gate for Shut {
    fn poll(&mut self, _: u64) -> Verdict {
        self.0 += 1;
        Verdict::Stop
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn past_optimum(&self, _: f32) -> bool {
        false
    }
}

#[test]
fn the_player_stops_at_the_next_poll_with_a_proposal() {
    let mut game = Game::new(Variant::KRIEGSPIEL);
    for ply in 0..200 {
        if game.position().has_legal_move() {
            game.play(random_move(&game, ply));
        }
    }
    let view = View::of(&game, game.position().turn(), &Refusals::default());
    let (mut shut, mut answers) = (Shut(0), 0);
    let question = Question { view, belief: None };
    let done = answer(&question, 1, Limits::default(), &mut shut, &mut |_| answers += 1);
    assert_eq!(answers, 1);
    assert!((1..=3).contains(&shut.0) && done.nodes < 4 * POLL_NODES, "{} {}", shut.0, done.nodes);
}
