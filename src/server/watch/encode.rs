//! Pictures of sessions as messages for pages.

use super::Watched;
use crate::chess::{Move, Tags};
use crate::draughts;
use crate::protocol::web::{
    CHECKERS, CHECKERS_TITLE, Checks, Clocks, Hands, LastMove, Line, ListedSession, Result as GameResult,
    SessionKind, WatchedGame, WatchedSession, board_square, checked_king, checks_of, chess_legal,
    chess_pieces, chess_reason, draughts_legal, draughts_pieces, draughts_reason, hands_of, squares_of_move,
    title,
};
use crate::search::{RootPosition, draughts_move};
use crate::session::web::{of_white, variation_words};
use crate::session::{GameEnd, KeptGame, MoveNote, Occasion, Picture, PicturedLine};
use std::collections::BTreeMap;

/// Most moves of a variation that are sent.
const PV_MOVES: usize = 24;

/// Returns the entry of a session in the list.
pub(super) fn listed(id: u64, picture: &Picture) -> ListedSession {
    let [white, black] = picture.players.clone();
    let kind = match picture.occasion {
        Occasion::Game => SessionKind::Game,
        Occasion::Analysis => SessionKind::Analysis,
    };
    let (variant, title) = match &picture.position {
        RootPosition::Chess(position) => (position.variant().name(), title(position.variant())),
        RootPosition::Draughts(_) => (CHECKERS, CHECKERS_TITLE),
    };
    ListedSession { id, kind, variant: variant.to_owned(), title: title.to_owned(), white, black }
}

/// Returns a session as a small board shows it.
pub(super) fn session(id: u64, watched: &Watched) -> WatchedSession {
    let Watched { waits, picture, .. } = watched;
    let Board { fen, pieces, hands, checks_left, last, check } = board(&picture.position, picture.last);
    let [white_ms, black_ms] = picture.clocks;
    let running = picture.running.map(Into::into);
    WatchedSession {
        listed: listed(id, picture),
        fen,
        pieces,
        hands,
        checks_left,
        ply: picture.plies,
        turn: picture.position.turn().into(),
        last,
        check,
        clocks: (picture.occasion == Occasion::Game).then_some(Clocks { white_ms, black_ms, running }),
        activity: if *waits { "waiting" } else { picture.activity.word() }.to_owned(),
        score: picture.lines.first().map(|line| of_white(line.score, line.side)),
        depth: picture.depth,
        nps: picture.speed,
        result: picture.end.map(|end| result(end, &picture.position)),
    }
}

/// Returns a session with its game; `None` if the picture has none.
pub(super) fn game(id: u64, watched: &Watched) -> Option<WatchedGame> {
    let picture = &watched.picture;
    let game = picture.game.as_ref()?;
    let (start, moves) = (game.start_fen(), game.shown_moves());
    let lines = picture.lines.iter().map(|line| variation(picture.position, line)).collect();
    let legal = match &picture.position {
        _ if picture.occasion == Occasion::Game || picture.end.is_some() => Vec::new(),
        RootPosition::Chess(position) => chess_legal(position),
        RootPosition::Draughts(position) => draughts_legal(position),
    };
    let turn = picture.position.turn();
    let mover = |ply| if picture.plies.abs_diff(ply) % 2 == 0 { turn } else { !turn };
    let score = |note: &MoveNote| Some((note.ply, of_white(note.score?, mover(note.ply))));
    let scores = picture.notes.iter().filter_map(score).collect();
    let guests = picture.admits_guests;
    Some(WatchedGame { session: session(id, watched), start, moves, scores, legal, lines, guests })
}

/// Returns the game as PGN or PDN; `None` if the picture has none.
pub(super) fn pgn(picture: &Picture) -> Option<String> {
    let [white, black] = picture.players.clone();
    let tags = Tags { white, black, ..Tags::default() };
    let outcome = picture.end.map(GameEnd::outcome);
    Some(match picture.game.as_ref()? {
        KeptGame::Chess(game) => game.annotated_pgn(&tags, outcome, &[], |ply, turn| {
            let note = picture.notes.iter().find(|note| note.ply == ply)?;
            Some(format!(" {} ", note.comment(turn)))
        }),
        KeptGame::Draughts(game) => game.pdn(&tags, outcome),
    })
}

struct Board {
    fen: String,
    pieces: BTreeMap<String, String>,
    hands: Option<Hands>,
    checks_left: Option<Checks>,
    last: Option<LastMove>,
    check: Option<String>,
}

fn board(position: &RootPosition, last: Option<Move>) -> Board {
    match position {
        RootPosition::Chess(position) => Board {
            fen: position.fen(),
            pieces: chess_pieces(position),
            hands: position.hands().map(|hands| hands_of(&hands)),
            checks_left: checks_of(position),
            last: last.map(|mv| squares_of_move(&position.coordinates(mv))),
            check: checked_king(position).map(|square| square.to_string()),
        },
        RootPosition::Draughts(position) => {
            let squares = |mv: draughts::Move| LastMove {
                from: Some(board_square(mv.from())),
                to: board_square(mv.to()),
            };
            Board {
                fen: position.fen(),
                pieces: draughts_pieces(position),
                hands: None,
                checks_left: None,
                last: last.map(|mv| squares(draughts_move(mv))),
                check: None,
            }
        }
    }
}

fn variation(position: RootPosition, line: &PicturedLine) -> Line {
    let (pv, san) = variation_words(position, &line.moves, PV_MOVES);
    Line { score: of_white(line.score, line.side), depth: line.depth, bound: None, pv, san }
}

fn result(end: GameEnd, position: &RootPosition) -> GameResult {
    match (end, position) {
        (GameEnd::Chess(outcome, ending), RootPosition::Chess(position)) => {
            GameResult::new(outcome, chess_reason(position.variant().rules(), ending))
        }
        (GameEnd::Draughts(outcome, ending), RootPosition::Draughts(position)) => {
            GameResult::new(outcome, draughts_reason(position, ending))
        }
        (GameEnd::Verdict(outcome, reason), _) => GameResult::new(outcome, reason),
        // A game has the rules of its position.
        (GameEnd::Chess(outcome, _) | GameEnd::Draughts(outcome, _), _) => GameResult::new(outcome, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Color, Game, Variant};
    use crate::protocol::web::Score as Shown;
    use crate::search::Score;

    /// Moves until a mate are counted from the view of the side on move: from the other one, plies
    /// would be rounded differently.
    #[test]
    fn mates_by_either_side_are_counted_alike() {
        let position = (*Game::new(Variant::NORMAL).position()).into();
        let shown = |plies, side| {
            let line = PicturedLine { score: Score::mate_in(plies), side, depth: 1, moves: Vec::new() };
            variation(position, &line).score
        };
        for (plies, moves) in [(1, 1), (3, 2), (5, 3)] {
            assert_eq!(shown(plies, Color::White), Shown::Mate(moves));
            assert_eq!(shown(plies, Color::Black), Shown::Mate(-moves));
        }
    }
}
