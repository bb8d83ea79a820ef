//! Messages of the client.

use serde::{Deserialize, Deserializer, Serialize};

/// The longest echo of a message type in an error.
const MAX_ECHO: usize = 40;

/// A message of the client: one JSON object, whose member `type` names it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Asks for the games and engines of the server.
    Hello {},
    /// Begins a game against the engine.
    NewGame {
        /// The game's name; the default is `normal`.
        variant: Option<String>,
        /// The start position; `None` for the game's own.
        fen: Option<String>,
        /// The person's side.
        #[serde(default, deserialize_with = "or_default")]
        color: Seat,
        /// The clocks; `None` to play without.
        clock: Option<ClockTerms>,
        /// The engine's strength.
        #[serde(default, deserialize_with = "or_default")]
        opponent: Opponent,
        /// The profile that plays; `None` for the listener's.
        profile: Option<String>,
        /// The person's name.
        name: Option<String>,
    },
    /// Plays a move.
    Move {
        /// The move in coordinates or SAN; in checkers in PDN.
        #[serde(rename = "move")]
        mv: String,
        /// The number of plies before it.
        ply: usize,
    },
    /// Takes back the person's last move.
    TakeBack {},
    /// Resigns the game.
    Resign {},
    /// Offers a draw.
    OfferDraw {},
    /// Begins another game on the same terms, with the other colours.
    Rematch {},
    /// Asks for a good move.
    Hint {},
    /// Makes the engine move at once.
    MoveNow {},
    /// Sets up a position, and analyses it.
    Analyse {
        /// The game's name; the default is `normal`.
        variant: Option<String>,
        /// The start position; `None` for the game's own.
        fen: Option<String>,
        /// Moves from there.
        #[serde(default, deserialize_with = "or_default")]
        moves: Vec<String>,
        /// The number of variations; the default is 1.
        lines: Option<u8>,
        /// Whether to analyse; the default is true.
        running: Option<bool>,
        /// The profile that analyses; `None` for the listener's.
        profile: Option<String>,
    },
    /// Sets up a game or a position from text.
    Load {
        /// A game in PGN or PDN, or a position in FEN.
        text: String,
        /// The game's name; the default is the one in the text, or `normal`.
        variant: Option<String>,
    },
    /// Analyses every position of the game on the board.
    Review {
        /// Nodes for each position.
        nodes: u64,
    },
    /// Stops an analysis or a review.
    Stop {},
    /// Lets everybody who has the key move in the analysis.
    Share {
        /// 16 to 64 ASCII letters, digits, `-` and `_`; `None` ends it.
        key: Option<String>,
    },
    /// Sets the board of the analysis after these moves, for a person with the key.
    GuestMoves {
        /// The key.
        key: String,
        /// All moves from the start position, in coordinates or SAN.
        moves: Vec<String>,
    },
    /// Asks for the game as text.
    Pgn {},
    /// Ends the session.
    Quit {},
}

/// Reads a member that may be `null`.
fn or_default<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

/// The person's side in a new game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// White.
    White,
    /// Black.
    Black,
    /// Either, at random.
    #[default]
    Random,
}

/// The terms of the clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged, expecting = "a clock is {\"initial_ms\":…,\"increment_ms\":…} or {\"move_ms\":…}")]
pub enum ClockTerms {
    /// A clock for the game.
    Game(GameClock),
    /// A time for each move.
    Move(MoveClock),
}

/// A clock for the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameClock {
    /// Time at the start, in milliseconds.
    pub initial_ms: u64,
    /// Added after each move, in milliseconds.
    pub increment_ms: u64,
}

/// A time for each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveClock {
    /// Milliseconds.
    pub move_ms: u64,
}

/// The engine's strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Opponent {
    /// An Elo rating.
    Elo(u16),
    /// A skill level, from 0.
    Level(u8),
    /// Full strength; only `true` has a meaning.
    Full(bool),
}

impl Default for Opponent {
    fn default() -> Opponent {
        Opponent::Full(true)
    }
}

/// A line that is no message.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text}")]
pub struct ParseError {
    /// The member `type`, as far as it can be read.
    pub about: Option<String>,
    /// The reason.
    pub text: String,
}

impl Request {
    /// Reads a line.
    ///
    /// # Errors
    /// The line is no JSON object, its type is unknown, or a member is missing, unknown or invalid.
    pub fn parse(line: &[u8]) -> Result<Request, ParseError> {
        serde_json::from_slice(line).map_err(|error| ParseError {
            about: type_of(line),
            // The position in the line helps a person who writes messages by hand.
            text: error.to_string(),
        })
    }

    /// The message as a line with its LF.
    pub fn line(&self) -> String {
        // No value of a message is a map with other keys than strings: this cannot fail.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// The member `type`.
    pub fn name(&self) -> &'static str {
        match self {
            Request::Hello {} => "hello",
            Request::NewGame { .. } => "new_game",
            Request::Move { .. } => "move",
            Request::TakeBack {} => "take_back",
            Request::Resign {} => "resign",
            Request::OfferDraw {} => "offer_draw",
            Request::Rematch {} => "rematch",
            Request::Hint {} => "hint",
            Request::MoveNow {} => "move_now",
            Request::Analyse { .. } => "analyse",
            Request::Load { .. } => "load",
            Request::Review { .. } => "review",
            Request::Stop {} => "stop",
            Request::Share { .. } => "share",
            Request::GuestMoves { .. } => "guest_moves",
            Request::Pgn {} => "pgn",
            Request::Quit {} => "quit",
        }
    }
}

/// The member `type` of a line that is no message.
fn type_of(line: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Typed {
        r#type: String,
    }
    let typed: Typed = serde_json::from_slice(line).ok()?;
    Some(typed.r#type.chars().take(MAX_ECHO).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every kind of message, as a client writes it.
    const ALL: [&str; 21] = [
        r#"{"type":"hello"}"#,
        r#"{"type":"new_game","variant":"normal","fen":null,"color":"white","clock":{"initial_ms":300000,"increment_ms":2000},"opponent":{"elo":1500},"profile":null,"name":"Anna"}"#,
        r#"{"type":"new_game","variant":null,"fen":null,"color":"black","clock":{"move_ms":1000},"opponent":{"level":12},"profile":"stockfish","name":null}"#,
        r#"{"type":"new_game","variant":null,"fen":null,"color":"random","clock":null,"opponent":{"full":true},"profile":null,"name":null}"#,
        r#"{"type":"move","move":"e2e4","ply":12}"#,
        r#"{"type":"take_back"}"#,
        r#"{"type":"resign"}"#,
        r#"{"type":"offer_draw"}"#,
        r#"{"type":"rematch"}"#,
        r#"{"type":"hint"}"#,
        r#"{"type":"move_now"}"#,
        r#"{"type":"analyse","variant":"normal","fen":null,"moves":["e2e4"],"lines":3,"running":true,"profile":"stockfish"}"#,
        r#"{"type":"analyse","variant":null,"fen":null,"moves":[],"lines":null,"running":null,"profile":null}"#,
        r#"{"type":"load","text":"1. e4 e5","variant":null}"#,
        r#"{"type":"review","nodes":200000}"#,
        r#"{"type":"stop"}"#,
        r#"{"type":"share","key":"0123456789abcdef"}"#,
        r#"{"type":"guest_moves","key":"0123456789abcdef","moves":["e2e4"]}"#,
        r#"{"type":"pgn"}"#,
        r#"{"type":"quit"}"#,
        r#"{"type":"load","text":"a\nb \"c\"","variant":"checkers"}"#,
    ];

    #[test]
    fn every_message_comes_back() {
        for text in ALL {
            let request = Request::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(request.line(), format!("{text}\n"));
            assert!(text.contains(&format!("\"type\":\"{}\"", request.name())));
        }
    }

    #[test]
    fn members_with_a_default_may_be_left_out() {
        let nulls: &[u8] = br#"{"type":"new_game","color":null,"opponent":null}"#;
        assert_eq!(Request::parse(nulls).unwrap(), Request::parse(br#"{"type":"new_game"}"#).unwrap());
        assert!(Request::parse(br#"{"type":"analyse","moves":null}"#).is_ok());
        let game = Request::parse(br#"{"type":"new_game"}"#);
        let expected = Request::NewGame {
            variant: None,
            fen: None,
            color: Seat::Random,
            clock: None,
            opponent: Opponent::Full(true),
            profile: None,
            name: None,
        };
        assert_eq!(game, Ok(expected));
        assert!(Request::parse(br#"{"type":"analyse"}"#).is_ok());
    }

    #[test]
    fn anything_else_is_refused() {
        for (text, about) in [
            ("", None),
            ("GET / HTTP/1.1", None),
            ("[1]", None),
            (r#"{"type":5}"#, None),
            (r#"{"type":"hello"} {"type":"hello"}"#, None),
            (r#"{"move":"e2e4","ply":0}"#, None),
            (r#"{"type":"nonsense"}"#, Some("nonsense")),
            (r#"{"type":"hello","more":1}"#, Some("hello")),
            (r#"{"type":"resign","ply":1}"#, Some("resign")),
            (r#"{"type":"move","move":"e2e4"}"#, Some("move")),
            (r#"{"type":"move","move":"e2e4","ply":-1}"#, Some("move")),
            (r#"{"type":"move","move":"e2e4","ply":1,"ply":2}"#, Some("move")),
            (r#"{"type":"new_game","clock":{"move_ms":1,"x":2}}"#, Some("new_game")),
            (r#"{"type":"new_game","clock":{"initial_ms":1}}"#, Some("new_game")),
            (r#"{"type":"new_game","opponent":{"elo":99999}}"#, Some("new_game")),
            (r#"{"type":"new_game","opponent":{"elo":900,"level":1}}"#, Some("new_game")),
            (r#"{"type":"new_game","color":"red"}"#, Some("new_game")),
            (r#"{"type":"analyse","lines":300}"#, Some("analyse")),
        ] {
            let error = Request::parse(text.as_bytes()).expect_err(text);
            assert_eq!(error.about.as_deref(), about, "{text}");
            assert!(!error.text.is_empty());
        }
        let deep = "[".repeat(100_000);
        assert!(Request::parse(deep.as_bytes()).is_err(), "no stack overflow");
        let long = format!(r#"{{"type":"{}"}}"#, "é".repeat(1000));
        assert_eq!(Request::parse(long.as_bytes()).unwrap_err().about.unwrap().chars().count(), MAX_ECHO);
    }
}
