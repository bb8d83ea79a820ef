//! Directives of transcripts of the Checkers Protocol.

use super::world::{DraughtsSearch, World};
use crate::driver_directives::{self, shown};
use farboard::book::Books;
use farboard::draughts::{Move, Position};
use farboard::pool::Class;
use farboard::protocol::checkers::Dialect;
use farboard::session::Profile;
use farboard::session::checkers::{Manners, Orientation};
use std::time::Duration;

/// Executes a directive. Events:
///
/// * `late`, `rotated`, `pdn`: the listener's dialect or orientation; at the beginning.
/// * `move-time MS`: the program was started with this time per move; at the beginning.
/// * `info DEPTH SCORE NODES MOVES…`: the search reports. Squares are PDN's, whatever the client's
///   are.
/// * `done MOVE|none SCORE`: the search ends. `stale MOVE`: a stopped search ends.
///
/// Conditions:
///
/// * `fen FEN`: the position on the board, in PDN's squares.
/// * `search clock|untimed|none`: the terms of the search, if any.
/// * `maximum MS|none`: its maximum time.
///
/// Other directives are common to all protocols: [`driver_directives`].
pub fn follow(world: &mut World, text: &str) {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    match word {
        "late" => begin(world, |manners| manners.dialect = Dialect::Late),
        "rotated" => begin(world, |manners| manners.orientation = Orientation::Rotated),
        "pdn" => begin(world, |manners| manners.orientation = Orientation::Pdn),
        "move-time" => {
            let move_time = Some(Duration::from_millis(rest.parse().expect("milliseconds")));
            let profile = Profile { move_time, ..Profile::new("Farboard", Books::default()) };
            *world = World::of(Manners::default(), profile);
        }
        "info" => info(world, rest),
        "done" => {
            let search = world.search.clone().expect("a search");
            let (best, score) = rest.split_once(' ').expect("a move and a score");
            world.done(&search, search.root().parse_move(best).ok(), score.parse().expect("a score"));
        }
        "stale" => {
            let search = world.old.last().cloned().expect("a stopped search");
            world.done(&search, search.root().parse_move(rest).ok(), 0);
        }
        "fen" => assert_eq!(world.session.game().position().fen(), rest),
        _ if driver_directives::follow(world, word, rest) => {}
        _ => assert_eq!(asked_for(world, word), rest),
    }
}

fn begin(world: &mut World, change: impl FnOnce(&mut Manners)) {
    let mut manners = world.session.manners();
    change(&mut manners);
    *world = World::new(manners);
}

fn info(world: &mut World, text: &str) {
    let mut words = text.split_whitespace();
    let mut number = || words.next().expect("a number").parse::<i64>().expect("a number");
    let (depth, score, nodes) = (number(), number(), number());
    let moves = variation(world.search.as_ref().expect("a search").root(), words);
    world.report(depth as u8, score as i32, nodes as u64, &moves);
}

fn variation<'a>(mut position: Position, words: impl Iterator<Item = &'a str>) -> Vec<Move> {
    let play = |word: &str| {
        let mv = position.parse_move(word).unwrap_or_else(|error| panic!("{word}: {error}"));
        position.play(mv);
        mv
    };
    words.map(play).collect()
}

fn asked_for(world: &World, what: &str) -> String {
    let search = match (&world.search, what) {
        (None, "search") => return "none".to_owned(),
        (search, _) => search.as_ref().expect("a search"),
    };
    let terms = &search.terms;
    match what {
        "search" if terms.class == Class::Clock => "clock".to_owned(),
        "search" => "untimed".to_owned(),
        "maximum" => shown(terms.allotment.map(|allotment| allotment.maximum.as_millis())),
        _ => driver_directives::asked_for(world, what),
    }
}
