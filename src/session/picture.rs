//! A session as a watcher sees it.

use super::finished_game::{KeptGame, MoveNote};
use super::status::Activity;
use crate::chess::{Color, Ending, Game, Move, Outcome};
use crate::draughts;
use crate::search::{RootPosition, Score, draughts_move, move_word};

/// The use that a client makes of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Occasion {
    /// A game in which the engine plays a side.
    Game,
    /// An analysis, or a board on which the client moves for both sides.
    Analysis,
}

/// The part of the game in a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// The position on the board and the last move.
    Position,
    /// All moves as well.
    Game,
}

/// A session at one instant.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The use of the engine.
    pub occasion: Occasion,
    /// The position on the board.
    pub position: RootPosition,
    /// The move that led to it.
    pub last: Option<Move>,
    /// Plies played.
    pub plies: usize,
    /// The game, if it was asked for ([`Extent::Game`]).
    pub game: Option<KeptGame>,
    /// Notes on the engine's moves in it.
    pub notes: Vec<MoveNote>,
    /// The names of White and Black; empty if unknown.
    pub players: [String; 2],
    /// The clocks of White and Black in milliseconds, as far as they are known.
    pub clocks: [Option<i64>; 2],
    /// The side whose clock runs.
    pub running: Option<Color>,
    /// The current activity.
    pub activity: Activity,
    /// The variations of the search, the best one first.
    pub lines: Vec<PicturedLine>,
    /// Depth of the search in plies.
    pub depth: Option<u8>,
    /// Nodes of the search.
    pub nodes: u64,
    /// Nodes per second.
    pub speed: Option<u64>,
    /// The end of the game, if it is over.
    pub end: Option<GameEnd>,
    /// Whether people who have the key may move.
    pub admits_guests: bool,
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// By the rules of chess or a variant.
    Chess(Outcome, Ending),
    /// By the rules of draughts.
    Draughts(Outcome, draughts::Ending),
    /// Otherwise, for this reason in words.
    Verdict(Outcome, &'static str),
}

impl GameEnd {
    /// Returns the outcome.
    pub fn outcome(self) -> Outcome {
        match self {
            GameEnd::Chess(outcome, _) | GameEnd::Draughts(outcome, _) | GameEnd::Verdict(outcome, _) => {
                outcome
            }
        }
    }
}

/// A variation from the position on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PicturedLine {
    /// The score from the view of `side`.
    pub score: Score,
    /// The side on move where the search began.
    pub side: Color,
    /// Depth in plies.
    pub depth: u8,
    /// The moves.
    pub moves: Vec<Move>,
}

/// The game on a session's board.
#[derive(Clone, Copy, Debug)]
pub(super) enum GameOnBoard<'a> {
    /// Of chess or a variant.
    Chess(&'a Game),
    /// Of English draughts.
    Draughts(&'a draughts::Game),
}

impl KeptGame {
    pub(super) fn on_board(&self) -> GameOnBoard<'_> {
        match self {
            KeptGame::Chess(game) => GameOnBoard::Chess(game),
            KeptGame::Draughts(game) => GameOnBoard::Draughts(game),
        }
    }
}

impl GameOnBoard<'_> {
    pub(super) fn position(self) -> RootPosition {
        match self {
            GameOnBoard::Chess(game) => (*game.position()).into(),
            GameOnBoard::Draughts(game) => (*game.position()).into(),
        }
    }

    pub(super) fn last(self) -> Option<Move> {
        match self {
            GameOnBoard::Chess(game) => game.moves().last().copied(),
            GameOnBoard::Draughts(game) => game.moves().last().copied().map(move_word),
        }
    }

    pub(super) fn plies(self) -> usize {
        match self {
            GameOnBoard::Chess(game) => game.moves().len(),
            GameOnBoard::Draughts(game) => game.moves().len(),
        }
    }

    /// Returns the end by the rules, after one more move if there is one. `claims`: whether draws
    /// by claim end the game.
    pub(super) fn end(self, answered: Option<Move>, claims: bool) -> Option<GameEnd> {
        if answered.is_some() {
            return self.kept(answered).on_board().end(None, claims);
        }
        match self {
            GameOnBoard::Chess(game) => {
                let ended = if claims { game.ending() } else { game.position().outcome() };
                ended.map(|(outcome, ending)| GameEnd::Chess(outcome, ending))
            }
            GameOnBoard::Draughts(game) => {
                let ended = game.ending().filter(|_| claims || game.position().outcome().is_some());
                ended.map(|(outcome, ending)| GameEnd::Draughts(outcome, ending))
            }
        }
    }

    /// Returns a copy, with one more move if there is one.
    pub(super) fn kept(self, answered: Option<Move>) -> KeptGame {
        match self {
            GameOnBoard::Chess(game) => {
                let mut game = Box::new(game.clone());
                answered.into_iter().for_each(|mv| game.play(mv));
                KeptGame::Chess(game)
            }
            GameOnBoard::Draughts(game) => {
                let mut game = game.clone();
                answered.into_iter().for_each(|mv| game.play(draughts_move(mv)));
                KeptGame::Draughts(game)
            }
        }
    }
}

/// A session's game, without the search.
pub(super) struct Scene<'a> {
    pub(super) game: GameOnBoard<'a>,
    /// The engine's side, if it plays one.
    pub(super) engine: Option<Color>,
    /// The engine's move, if it is not on the board yet.
    pub(super) answered: Option<Move>,
    /// Notes on the engine's moves, some of which may have been taken back.
    pub(super) notes: &'a [MoveNote],
    /// The opponent's name; empty if unknown.
    pub(super) opponent: &'a str,
    /// The clocks of White and Black in milliseconds, as far as they are known.
    pub(super) clocks: [Option<i64>; 2],
    /// Whether the clock of the side on move runs until the game is over.
    pub(super) clocks_run: bool,
    /// Whether draws by claim end the game.
    pub(super) claims: bool,
    /// The result and its reason, if the game has ended otherwise than by rule.
    pub(super) verdict: Option<(Outcome, &'static str)>,
    /// Whether people who have the key may move.
    pub(super) admits_guests: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::Visibility;
    use crate::book::Books;
    use crate::session::{Conversation, Input, Profile, Protocol, Setup, checkers};
    use std::sync::Arc;
    use std::time::Instant;

    /// Returns the picture of a session after these lines.
    fn picture(protocol: Protocol, lines: &str) -> Option<Picture> {
        let watch = Visibility::Everybody;
        let profile = Arc::new(Profile { watch, ..Profile::new("Farboard", Books::default()) });
        let setup = Setup { seed: 1, identity: 1, profile };
        let (mut conversation, now) = (Conversation::new(protocol, setup, Arc::default()), Instant::now());
        for line in lines.lines() {
            conversation.handle(Input::Line(line.as_bytes()), now, &mut Vec::new());
        }
        conversation.picture(Extent::Game, now)
    }

    #[test]
    fn a_game_shows_players_clocks_and_moves() {
        let lines = "xboard\nprotover 2\nnew\nlevel 0 5 2\nname Anna\ntime 12000\notim 30000\ne2e4";
        let seen = picture(Protocol::Auto, lines).expect("a game");
        assert_eq!(seen.occasion, Occasion::Game);
        assert_eq!(seen.players, ["Anna", "Farboard"]);
        assert_eq!((seen.clocks, seen.running), ([Some(300_000), Some(120_000)], Some(Color::Black)));
        assert_eq!((seen.plies, seen.activity), (1, Activity::Thinking));
        assert_eq!(seen.last.map(|mv| mv.to().to_string()).as_deref(), Some("e4"));
        assert!(matches!(seen.game, Some(KeptGame::Chess(game)) if game.moves().len() == 1));
    }

    #[test]
    fn an_analysis_has_no_players() {
        for (protocol, lines) in [
            (Protocol::Xboard, "xboard\nprotover 2\nanalyze\ne2e4"),
            (Protocol::Uci, "uci\nposition startpos moves e2e4\ngo infinite"),
        ] {
            let seen = picture(protocol, lines).expect("an analysis");
            assert_eq!((seen.occasion, seen.plies), (Occasion::Analysis, 1), "{protocol:?}");
            assert_eq!((seen.players, seen.running), (Default::default(), None));
            assert_eq!(seen.activity, Activity::Analysing);
        }
    }

    #[test]
    fn the_engines_move_is_seen_before_the_client_sends_it_back() {
        let lines = "uci\nposition startpos moves e2e4\ngo wtime 9000 btime 8000";
        let thinking = picture(Protocol::Uci, lines).expect("a game");
        assert_eq!((thinking.plies, thinking.running), (1, Some(Color::Black)));
        let answered = picture(Protocol::Uci, &format!("{lines}\nstop")).expect("a game");
        assert_eq!((answered.plies, answered.running), (2, Some(Color::White)));
        assert_eq!(answered.position.turn(), Color::White);
        assert!(matches!(answered.game, Some(KeptGame::Chess(game)) if game.moves().len() == 2));
        assert_eq!(answered.players[1], "Farboard");
    }

    #[test]
    fn a_game_has_notes_on_the_moves_that_it_still_has() {
        let lines = "uci\nposition startpos moves e2e4\ngo wtime 9000 btime 8000\nstop";
        let noted = |more: &str| {
            let seen = picture(Protocol::Uci, &format!("{lines}\n{more}")).expect("a game");
            seen.notes.iter().map(|note| note.ply).collect::<Vec<_>>()
        };
        assert_eq!(noted(""), [1]);
        assert_eq!(noted("position startpos moves d2d4\ngo wtime 9000 btime 8000"), [0; 0]);
    }

    #[test]
    fn draughts_are_seen_as_well() {
        let lines = "INIT\nNEWGAME\n11-15\nGO";
        let seen = picture(Protocol::Checkers(checkers::Manners::default()), lines).expect("a game");
        assert!(matches!(seen.position, RootPosition::Draughts(_)));
    }

    #[test]
    fn an_analysis_goes_on_after_a_draw_by_claim() {
        let moves = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        let end = |go: &str| {
            let lines = format!("uci\nposition startpos moves {moves}\n{go}");
            picture(Protocol::Uci, &lines).expect("a position").end
        };
        assert_eq!(end("go infinite"), None);
        let draw = GameEnd::Chess(Outcome::Draw, Ending::Repetition);
        assert_eq!(end("go wtime 9000 btime 8000"), Some(draw));
    }

    #[cfg(feature = "server")]
    #[test]
    fn clocks_stand_before_the_persons_first_move() {
        let start = r#"{"type":"new_game","color":"white","clock":{"initial_ms":60000,"increment_ms":0}}"#;
        let running = |lines: &str| picture(Protocol::Web, lines).expect("a game").running;
        assert_eq!(running(start), None);
        let e4 = r#"{"type":"move","move":"e4","ply":0}"#;
        assert_eq!(running(&format!("{start}\n{e4}")), Some(Color::Black));
    }

    #[test]
    fn secret_games_are_seen_when_they_are_over() {
        let lines = "xboard\nprotover 2\nnew\nvariant bughouse\ne2e4\nresult 1-0 {Black resigns}";
        assert!(picture(Protocol::Auto, lines).is_some());
    }

    #[test]
    fn hidden_games_and_silent_clients_are_not_seen() {
        for (protocol, lines) in [
            (Protocol::Auto, ""),
            (Protocol::Uci, ""),
            (Protocol::Auto, "xboard\nprotover 2\nnew\nvariant kriegspiel\ne2e4"),
            (Protocol::Auto, "xboard\nprotover 2\nnew\nvariant bughouse\ne2e4"),
            (Protocol::Uci, "uci\nposition startpos moves e2e5"),
        ] {
            assert!(picture(protocol, lines).is_none(), "{lines}");
        }
    }
}
