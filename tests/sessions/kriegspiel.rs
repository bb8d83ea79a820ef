//! Kriegspiel through a session: the session is the umpire, and its player does not see the
//! client's pieces.

use farboard::book::Books;
use farboard::chess::kriegspiel::{Announcement, Attempt, Captured};
use farboard::chess::{AnyPosition, Color, Ending, Game, Move, Outcome};
use farboard::kriegspiel::answer;
use farboard::pool::{SearchEvent, SearchId, SearchOrder, Task};
use farboard::protocol::xboard::move_text;
use farboard::random::mix;
use farboard::search::Done;
use farboard::search::bench::OpenGate;
use farboard::session::xboard::Session;
use farboard::session::{Effect, Input, Profile, Setup};
use farboard::with_position;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A session with the real engine, which searches when nothing else is due.
struct Client {
    session: Session,
    now: Instant,
    searches: Vec<(SearchId, Task)>,
    /// All tasks as text.
    asked: Vec<String>,
    /// The proposed attempts of the latest search, best first.
    attempts: Vec<Attempt>,
    /// Output not yet taken.
    output: Vec<String>,
}

impl Client {
    fn new(seed: u64) -> Client {
        let profile = Arc::new(Profile::new("Farboard", Books::default()));
        let mut client = Client {
            session: Session::new(Setup { seed, identity: 1, profile }),
            now: Instant::now(),
            searches: Vec::new(),
            asked: Vec::new(),
            attempts: Vec::new(),
            output: Vec::new(),
        };
        for line in ["xboard", "protover 2", "new", "variant kriegspiel", "post", "easy"] {
            client.send(line);
        }
        client.output.clear();
        client
    }

    /// Sends a line and returns the output until the session is idle.
    fn send(&mut self, line: &str) -> Vec<String> {
        self.input(Input::Line(line.as_bytes()));
        while let Some((id, task)) = self.searches.pop() {
            let Task::Kriegspiel { question, limits, seed } = task else { panic!("no kriegspiel") };
            let mut proposals = Vec::new();
            let done = answer(&question, seed, limits, &mut OpenGate::new(), &mut |proposal| {
                proposals.push(proposal);
            });
            for proposal in proposals {
                self.attempts.clone_from(&proposal.attempts);
                self.input(Input::Search(id, SearchEvent::Attempts(Box::new(proposal))));
            }
            self.input(Input::Search(id, SearchEvent::Done(Done { elapsed: Duration::ZERO, ..done })));
        }
        std::mem::take(&mut self.output)
    }

    fn input(&mut self, input: Input<'_>) {
        let mut effects = Vec::new();
        self.session.handle(input, self.now, &mut effects);
        for effect in effects {
            match effect {
                Effect::Send(reply) => self.output.push(reply.line().trim_end().to_owned()),
                Effect::Search(id, SearchOrder::Start(task, _)) => {
                    self.asked.push(format!("{task:?}"));
                    self.searches.push((id, *task));
                }
                Effect::Search(id, SearchOrder::Stop) => self.searches.retain(|(other, _)| *other != id),
                _ => {}
            }
        }
    }

    fn game(&self) -> &Game {
        self.session.game()
    }

    /// A random legal move.
    fn random_move(&self, seed: u64) -> Move {
        let moves = self.game().position().legal_moves();
        moves[mix(seed << 20 ^ self.game().moves().len() as u64) as usize % moves.len()]
    }

    fn play(&mut self, mv: Move) -> Vec<String> {
        let text = move_text(self.game().position(), mv);
        self.send(&format!("usermove {text}"))
    }
}

fn announced(position: &AnyPosition, mv: Move) -> Announcement {
    with_position!(position, before => {
        let mut after = *before;
        after.play(mv);
        Announcement::after(before, mv, &after)
    })
}

/// The result of a game against random moves; a draw after 400 plies.
fn against_random_moves(seed: u64) -> Outcome {
    let engine_side = if seed.is_multiple_of(2) { Color::White } else { Color::Black };
    let mut client = Client::new(seed);
    if engine_side == Color::White {
        client.send("go");
    }
    while client.game().moves().len() < 400 {
        if let Some((outcome, _)) = client.game().ending() {
            return outcome;
        }
        assert_eq!(client.game().position().turn(), !engine_side, "a move is due");
        let mv = client.random_move(seed);
        client.play(mv);
    }
    Outcome::Draw
}

fn won(games: u64) -> u64 {
    (0..games)
        .filter(|&seed| {
            let engine_side = if seed.is_multiple_of(2) { Color::White } else { Color::Black };
            against_random_moves(seed) == Outcome::Win(engine_side)
        })
        .count() as u64
}

#[test]
fn random_moves_are_beaten() {
    let won = won(20);
    assert!(won >= 18, "{won} of 20");
}

#[test]
#[ignore = "takes a minute: cargo test --release --test sessions kriegspiel -- --ignored"]
fn random_moves_are_beaten_in_95_of_100_games() {
    let won = won(100);
    println!("{won} of 100 games won");
    assert!(won >= 95, "{won} of 100");
}

/// Clients whose moves differ but lead to the same announcements get byte-identical requests and
/// attempts, and so the same moves, unless an attempt is legal on only one board.
#[test]
fn hidden_squares_do_not_influence_the_move() {
    let (mut compared, mut different, mut refused) = (0, 0, 0);
    for seed in 0..30 {
        let mut clients = [Client::new(7), Client::new(7)];
        for ply in 0..40 {
            let mv = clients[0].random_move(seed ^ ply << 8);
            let wanted = announced(clients[0].game().position(), mv);
            let other = *clients[1].game().position();
            let mut same: Vec<Move> =
                other.legal_moves().into_iter().filter(|&mv| announced(&other, mv) == wanted).collect();
            if same.len() > 1 {
                same.retain(|&other| other != mv);
            }
            if same.is_empty() {
                break;
            }
            let twin = same[mix(seed << 8 ^ ply) as usize % same.len()];
            let [between, others] = [(&clients[0], mv), (&clients[1], twin)].map(|(client, mv)| {
                let mut after = *client.game().position();
                after.play(mv);
                after
            });
            let (first, second) = (clients[0].play(mv), clients[1].play(twin));
            assert_eq!(clients[0].asked.last(), clients[1].asked.last());
            if between.outcome().is_some() || others.outcome().is_some() {
                break;
            }
            assert_eq!(
                clients[0].attempts,
                clients[1].attempts,
                "after {} and {}",
                between.fen(),
                others.fen()
            );
            let chosen = [&between, &others].map(|board| first_legal(&clients[0].attempts, board));
            for (client, (_, mv)) in clients.iter().zip(chosen) {
                assert_eq!(client.game().moves().last(), Some(&mv), "the first legal attempt");
            }
            compared += 1;
            different += u32::from(between.key() != others.key());
            // Once an attempt is legal on only one board, or a move captures, their knowledge
            // differs.
            if chosen[0].0 != chosen[1].0 {
                refused += 1;
                break;
            }
            assert_eq!(moves(&first), moves(&second));
            if first != second || clients.iter().any(|client| client.game().ending().is_some()) {
                break;
            }
        }
    }
    assert!(compared >= 60 && different * 10 >= compared * 8, "{different} of {compared}");
    assert!(refused > 0, "no attempt was legal on one board only");
}

/// The index of the first legal attempt, and its move.
fn first_legal(attempts: &[Attempt], board: &AnyPosition) -> (usize, Move) {
    let legal = |(number, attempt): (usize, &Attempt)| {
        with_position!(board, board => attempt.resolve(board)).map(|mv| (number, mv))
    };
    attempts.iter().enumerate().find_map(legal).expect("an attempt is legal")
}

/// The moves in this output.
fn moves(output: &[String]) -> Vec<&String> {
    output.iter().filter(|line| line.starts_with("move ")).collect()
}

/// Output names no squares except the engine's move and the squares of captures.
#[test]
fn no_output_names_a_square_of_the_opponent() {
    let mut lines = 0;
    for seed in 0..6 {
        let mut client = Client::new(seed);
        client.send("option Kibitz=kibitz");
        client.send("accepted debug");
        for ply in 0..60 {
            if client.game().ending().is_some() {
                break;
            }
            let before = *client.game().position();
            let mv = client.random_move(seed ^ ply << 8);
            let mut allowed = captured(&before, mv);
            let output = client.play(mv);
            let mut between = before;
            between.play(mv);
            if let Some(&reply) =
                client.game().moves().last().filter(|_| client.game().position().turn() == before.turn())
            {
                allowed.extend(captured(&between, reply));
                allowed.extend(squares(&move_text(&between, reply)));
            }
            for line in output {
                lines += 1;
                let named = squares(&line);
                assert!(named.is_subset(&allowed), "{line}: {named:?} of {allowed:?}");
            }
            for quiet in ["hint", "bk", "."] {
                for line in client.send(quiet) {
                    assert_eq!(squares(&line), BTreeSet::new(), "{line}");
                }
            }
        }
    }
    assert!(lines > 300, "{lines}");
}

fn captured(position: &AnyPosition, mv: Move) -> BTreeSet<String> {
    let captured = with_position!(position, position => Captured::by(position, mv));
    captured.into_iter().map(|captured| captured.square.to_string()).collect()
}

fn squares(line: &str) -> BTreeSet<String> {
    let bytes = line.as_bytes();
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    bytes
        .windows(2)
        .filter(|pair| is_square(pair))
        .map(|pair| String::from_utf8_lossy(pair).into_owned())
        .collect()
}

#[test]
fn a_refused_try_of_the_client_is_answered_and_changes_nothing() {
    let mut client = Client::new(3);
    let output = client.send("usermove e2d3");
    assert_eq!(output, ["Illegal move: e2d3"]);
    assert!(client.game().moves().is_empty() && client.asked.is_empty());
    let output = client.send("usermove e2e4");
    assert_eq!(output.iter().filter(|line| line.starts_with("move ")).count(), 1);
    assert_eq!(output.iter().filter(|line| line.starts_with("# Umpire: ")).count(), 2);
}

#[test]
fn a_mate_is_claimed_by_the_umpire() {
    let mut client = Client::new(3);
    client.send("setboard 4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
    let mut output = client.send("go");
    for _ in 0..100 {
        if client.game().ending().is_some() {
            break;
        }
        output = client.play(client.random_move(3));
    }
    assert_eq!(client.game().ending(), Some((Outcome::Win(Color::White), Ending::Checkmate)));
    assert!(output.last().is_some_and(|line| line.starts_with("1-0 {")), "{output:?}");
}
