//! What a transcript's directives do.

use crate::world::World;
use farboard::book::Books;
use farboard::draughts::{Move, Position};
use farboard::pool::{Class, SearchEvent, Shortage};
use farboard::protocol::checkers::Dialect;
use farboard::session::checkers::{Manners, Orientation};
use farboard::session::{Input, Profile};
use std::fmt::Display;
use std::time::Duration;

/// What happens:
///
/// * `late`, `rotated`, `pdn`: the listener has this dialect or orientation; first of all.
/// * `move-time MS`: the program was started with so much time for each move; first of all.
/// * `wait MS`: time passes; timers fire.
/// * `info DEPTH SCORE NODES MOVES…`: the search reports. Squares are PDN's, whatever the client's are.
/// * `done MOVE|none SCORE`: the search ends. `stale MOVE`: one that was stopped ends.
/// * `refused N`, `refused threads`, `fails`: the search does not begin, or ends by a defect.
/// * `eof`, `drain`
///
/// What must be so:
///
/// * `fen FEN`: that is on the board, in PDN's squares. `closed`: the session has ended.
/// * `search clock|untimed|none`: it runs on these terms, or there is none.
/// * `maximum MS|none`, `depth N|none`, `strength ELO|none`, `memory MIB|none`, `helpers N`, `noise N`: of the search.
/// * `table same|other`: the last two searches share what they have learnt, or not.
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
        "wait" => world.wait(Duration::from_millis(rest.parse().expect("milliseconds"))),
        "info" => info(world, rest),
        "done" => {
            let search = world.search.clone().expect("a search");
            let (best, score) = rest.split_once(' ').expect("a move and a score");
            world.done(&search, search.root().parse_move(best).ok(), score.parse().expect("a score"));
        }
        "stale" => {
            let search = world.old.last().cloned().expect("a search that was stopped");
            world.done(&search, search.root().parse_move(rest).ok(), 0);
        }
        "refused" => world.event(SearchEvent::Refused(match rest {
            "threads" => Shortage::Threads,
            count => Shortage::Searches(count.parse().expect("a count")),
        })),
        "fails" => world.event(SearchEvent::Failed),
        "eof" => world.input(Input::Eof),
        "drain" => world.input(Input::Drain),
        "fen" => assert_eq!(world.session.game().position().fen(), rest),
        "closed" => assert!(world.closed),
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
    let (request, terms) = (&search.request, &search.terms);
    match what {
        "search" if terms.class == Class::Clock => "clock".to_owned(),
        "search" => "untimed".to_owned(),
        "maximum" => shown(terms.allotment.map(|allotment| allotment.maximum.as_millis())),
        "depth" => shown(request.limits.depth),
        "strength" => shown(request.strength.map(|strength| strength.elo())),
        "memory" => shown(request.memory),
        "helpers" => request.helpers.to_string(),
        "noise" => request.noise.to_string(),
        "table" => {
            let before = world.old.last().expect("a search before").request.salt;
            if before == request.salt { "same" } else { "other" }.to_owned()
        }
        _ => panic!("no such directive: {what}"),
    }
}

fn shown(value: Option<impl Display>) -> String {
    value.map_or("none".to_owned(), |value| value.to_string())
}
