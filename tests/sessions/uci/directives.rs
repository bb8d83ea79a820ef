//! Directives of transcripts of UCI.

use super::world::{ChessSearch, World};
use crate::driver_directives::{self, shown};
use farboard::chess::{AnyPosition, Move};
use farboard::pool::SearchEvent;
use farboard::search::{Bound, Progress, Report};

/// Executes a directive. Events:
///
/// * `book MOVES…`: a line of the book; at the beginning.
/// * `info DEPTH SCORE NODES MOVES…`: the search reports its best variation. `line N …`: the Nth
///   best. `lower …`, `upper …`: its score is a bound.
/// * `progress DEPTH LEFT TOTAL MOVE`: it reports its progress. `leaves MOVE N`: perft reports.
/// * `done MOVE|none SCORE NODES [PONDER]`: the search ends. `stale MOVE`: a stopped search ends.
///
/// Conditions:
///
/// * `fen FEN`: the position of the next `go`.
/// * `search clock|reply|analysis|ponder|none`: the class of the search, if any.
/// * `root FEN`, `time OPTIMUM MAXIMUM|none`, `nodes N|none`, `mate N|none`, `lines N`, `first
///   MOVES…`, `contempt N`: parameters of the search.
///
/// Other directives are common to all protocols: [`driver_directives`].
pub fn follow(world: &mut World, text: &str) {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    match word {
        "book" => world.add_to_book(rest),
        "info" => info(world, 1, Bound::Exact, rest),
        "lower" => info(world, 1, Bound::Lower, rest),
        "upper" => info(world, 1, Bound::Upper, rest),
        "line" => {
            let (line, rest) = rest.split_once(' ').expect("the number of a line");
            info(world, line.parse().expect("a number"), Bound::Exact, rest);
        }
        "progress" => progress(world, rest),
        "leaves" => {
            let (mv, leaves) = rest.split_once(' ').expect("a move and a number");
            let mv = world.search.as_ref().expect("a search").root().parse_move(mv).expect("a move");
            world.event(SearchEvent::Leaves(mv, leaves.parse().expect("a number")));
        }
        "done" => done(world, rest),
        "stale" => {
            let search = world.old.last().cloned().expect("a stopped search");
            world.done(&search, search.root().parse_move(rest).ok(), None, 0, 1);
        }
        "fen" => assert_eq!(world.session.game().position().fen(), rest),
        _ if driver_directives::follow(world, word, rest) => {}
        _ => assert_eq!(asked_for(world, word), rest),
    }
}

fn info(world: &mut World, line: u8, bound: Bound, text: &str) {
    let mut words = text.split_whitespace();
    let mut number = || words.next().expect("a number").parse::<i64>().expect("a number");
    let (depth, score, nodes) = (number(), number(), number());
    let moves = variation(world.search.as_ref().expect("a search").root(), words);
    world.report(line, bound, depth as u8, score as i32, nodes as u64, moves);
}

fn variation<'a>(mut position: AnyPosition, words: impl Iterator<Item = &'a str>) -> Vec<Move> {
    let play = |word: &str| {
        let mv = position.parse_move(word).unwrap_or_else(|error| panic!("{word}: {error}"));
        position.play(mv);
        mv
    };
    words.map(play).collect()
}

fn progress(world: &mut World, text: &str) {
    let words: Vec<&str> = text.split(' ').collect();
    let search = world.search.as_ref().expect("a search");
    let number = |place: usize| words[place].parse::<u16>().expect("a number");
    let progress = Progress {
        depth: number(0) as u8,
        nodes: 1000,
        elapsed: search.elapsed(world.now),
        moves_left: number(1),
        moves_total: number(2),
        current: search.root().parse_move(words[3]).ok(),
    };
    world.event(SearchEvent::Report(Report::Progress(progress)));
}

fn done(world: &mut World, text: &str) {
    let search = world.search.clone().expect("a search");
    let words: Vec<&str> = text.split(' ').collect();
    let best = search.root().parse_move(words[0]).ok();
    let mut after = search.root();
    best.into_iter().for_each(|mv| after.play(mv));
    let ponder = words.get(3).and_then(|word| after.parse_move(word).ok());
    let (score, nodes) = (words[1].parse().expect("a score"), words[2].parse().expect("nodes"));
    world.done(&search, best, ponder, score, nodes);
}

fn asked_for(world: &World, what: &str) -> String {
    let search = match (&world.search, what) {
        (None, "search") => return "none".to_owned(),
        (search, _) => search.as_ref().expect("a search"),
    };
    let (limits, terms) = (search.task.limits(), search.terms);
    let request = || search.request();
    match what {
        "search" => terms.class.word().to_owned(),
        "root" => search.root().fen(),
        "time" => shown(
            terms.allotment.map(|time| format!("{} {}", time.optimum.as_millis(), time.maximum.as_millis())),
        ),
        "nodes" => shown(terms.limits.unwrap_or(limits).nodes),
        "mate" => shown(terms.limits.unwrap_or(limits).mate),
        "lines" => request().first_moves.lines.to_string(),
        "contempt" => request().style.contempt.to_string(),
        "first" => {
            let moves = search.first_moves();
            moves.iter().map(|&mv| search.root().coordinates(mv)).collect::<Vec<_>>().join(" ")
        }
        _ => driver_directives::asked_for(world, what),
    }
}
