//! `load`: a game or a position from text.

use super::new_game::NORMAL;
use super::record::{PlayError, StartError};
use super::{Session, Step, send};
use crate::chess::{GameStart, GameTextError, Unfinished, read_games};
use crate::protocol::web::{CHECKERS, Message, Mode, named_in_pgn};
use crate::session::KeptGame;
use crate::session::web::match_terms::person_name;

/// PDN's number of English draughts in the tag `GameType`.
const ENGLISH_DRAUGHTS: &str = "21";

/// The reason that a text cannot be loaded.
#[derive(Debug, thiserror::Error)]
enum LoadError {
    /// The game or its start is impossible.
    #[error("{0}")]
    Start(#[from] StartError),
    /// A move is impossible.
    #[error("{0}")]
    Play(#[from] PlayError),
    /// A part of the text has no end.
    #[error("{0}")]
    Unfinished(#[from] Unfinished),
    /// There is neither a move nor a position.
    #[error("there is no game and no position in this text")]
    Nothing,
}

/// A game from text.
struct Loaded {
    game: KeptGame,
    /// The names of White and Black.
    players: [String; 2],
}

impl Session {
    /// `load`: sets up the first game of a text after all of its moves, or a position.
    pub(super) fn load(&mut self, text: &str, variant: Option<&str>, step: &mut Step<'_>) {
        match read(text, variant) {
            Ok(Loaded { game, players }) => {
                self.leave_game(step);
                self.players = players;
                self.put_on_board(game, Mode::Analysis, step);
            }
            Err(error) => send(Message::error(Some("load"), error), step),
        }
    }
}

fn read(text: &str, variant: Option<&str>) -> Result<Loaded, GameTextError<LoadError>> {
    let text = text.trim_start_matches('\u{feff}');
    if let Some(named) = position_in(text) {
        let game = KeptGame::start(variant.unwrap_or(named), Some(text.trim()), None)
            .map_err(|error| GameTextError { line: 1, error: error.into() })?;
        return Ok(Loaded { game, players: Default::default() });
    }
    let begin = |start: GameStart<'_>| -> Result<Loaded, LoadError> {
        let game = KeptGame::start(variant.unwrap_or(game_of(start)?), start.fen, None)?;
        let players = [start.white, start.black].map(|name| name.map(|name| person_name(Some(name))));
        Ok(Loaded { game, players: players.map(Option::unwrap_or_default) })
    };
    let play = |loaded: &mut Loaded, word: &str| {
        let mv = loaded.game.parse_move(word)?;
        loaded.game.play(mv);
        Ok(())
    };
    let games = read_games(text, (1, None), begin, play)?;
    games.into_iter().next().ok_or(GameTextError { line: 1, error: LoadError::Nothing })
}

/// The game of a text that is a position in FEN: chess has slashes between ranks, checkers a colon
/// behind the side to move.
fn position_in(text: &str) -> Option<&'static str> {
    let text = text.trim();
    let board = text.split_whitespace().next()?;
    if text.lines().count() > 1 {
        None
    } else if board.matches('/').count() >= 7 {
        Some(NORMAL)
    } else if board.get(1..2) == Some(":") {
        Some(CHECKERS)
    } else {
        None
    }
}

/// The name of the game that tags describe.
fn game_of(start: GameStart<'_>) -> Result<&'static str, StartError> {
    let is_draughts = start.game_type.and_then(|value| value.split(',').next()) == Some(ENGLISH_DRAUGHTS);
    match start.variant {
        _ if is_draughts => Ok(CHECKERS),
        None => Ok(NORMAL),
        Some(name) => named_in_pgn(name).ok_or_else(|| StartError::Unknown(person_name(Some(name)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loaded(text: &str, variant: Option<&str>) -> Result<(String, usize, [String; 2]), String> {
        let loaded = read(text, variant).map_err(|error| error.to_string())?;
        Ok((loaded.game.name().to_owned(), loaded.game.plies(), loaded.players))
    }

    #[test]
    fn games_and_positions_are_recognised() {
        for (text, game, plies) in [
            ("[Event \"?\"]\n[White \"Anna\"]\n\n1. e4 {best} e5 (1... c5) 2. Nf3 *", "normal", 3),
            ("1. e4 e5 2. Nf3", "normal", 3),
            ("e2e4 e7e5", "normal", 2),
            ("[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. @e4", "crazyhouse", 5),
            ("[Variant \"Chess960\"]\n\n1. e4 e5 2. Nf3 *", "fischerandom", 3),
            ("[GameType \"21\"]\n\n1. 11-15 23-19 *", "checkers", 2),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "normal", 0),
            ("\u{feff}B:W21,22:B1,2\n", "checkers", 0),
            ("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n*\n", "normal", 0),
        ] {
            let text = text.replace("@e4", "P@e4");
            let (name, count, _) = loaded(&text, None).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((name.as_str(), count), (game, plies), "{text}");
        }
        let (name, ..) = loaded("4k3/8/8/8/8/8/8/4K2R w K - 0 1", Some("atomic")).expect("a position");
        assert_eq!(name, "atomic");
        let (.., players) = loaded("[White \"Anna\"]\n1. e4", None).expect("a game");
        assert_eq!(players, ["Anna", ""]);
    }

    #[test]
    fn an_error_names_line_and_word() {
        for (text, error) in [
            ("[Event \"?\"]\n\n1. e4 e5\n2. Ke3 *", "line 4: Ke3: illegal move"),
            ("[Event \"?\"]\n[Variant \"Shogi\"]\n1. e4", "line 2: there is no game named \"Shogi\""),
            ("[FEN \"x\"]\n1. e4", "line 1: illegal position"),
            ("1. e4 {open", "line 1: a tag, comment or variation has no end"),
            ("8/8/8/8/8/8/8/8 w - - 0 1", "line 1: illegal position"),
            ("", "line 1: there is no game"),
            ("[Event \"?\"]\n*", "line 1: there is no game"),
            ("hello world", "line 1: hello: "),
        ] {
            let found = loaded(text, None).expect_err(text);
            assert!(found.starts_with(error), "{text}: {found}");
        }
        let long = "Nf3 Nf6 Ng1 Ng8 ".repeat(1000);
        assert!(loaded(&long, None).expect_err("long").contains("too long"));
    }
}
