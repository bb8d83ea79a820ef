//! Messages of the server.

use super::{Clocks, GameInfo, Line, Move, PlayedMove, Position, Result, Score, Side};
use crate::protocol::{self, LineKey};
use serde::{Deserialize, Serialize};

/// A message of the server: one JSON object, whose member `type` names it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Message {
    /// The server's games and engines.
    Hello {
        /// Name and version.
        server: String,
        /// Games that can be played.
        variants: Vec<GameInfo>,
        /// Profiles besides the listener's own.
        profiles: Vec<ProfileInfo>,
        /// Elo ratings that the engine can be limited to.
        elo: Elo,
        /// The highest skill level; the lowest is 0.
        levels: u8,
        /// A message of the administrator.
        banner: Option<String>,
    },
    /// Everything about the game on the board.
    Game {
        /// The session's number on this server, under which others can watch it (`/game/17`); none
        /// if they may not.
        id: Option<u64>,
        /// The activity of the session.
        mode: Mode,
        /// The game's name.
        variant: String,
        /// The start position.
        start: String,
        /// The person's side, in play.
        color: Option<Side>,
        /// White's player.
        white: String,
        /// Black's player.
        black: String,
        /// All moves.
        moves: Vec<PlayedMove>,
        /// The position after them.
        position: Position,
        /// The clocks, if any.
        clocks: Option<Clocks>,
        /// True if a guest has moved: the message answers none of the client.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_guest: bool,
    },
    /// A move was made.
    Moved {
        /// The move.
        #[serde(rename = "move")]
        mv: PlayedMove,
        /// Its mover.
        by: Mover,
        /// The position after it.
        position: Position,
        /// The clocks, if any.
        clocks: Option<Clocks>,
    },
    /// Moves were taken back.
    TakenBack {
        /// The position now.
        position: Position,
        /// The clocks, if any.
        clocks: Option<Clocks>,
    },
    /// The clocks have changed.
    Clocks {
        /// Both.
        clocks: Clocks,
    },
    /// Findings of the engine in a position, replaced by the next such message.
    Lines {
        /// The position: plies played.
        ply: usize,
        /// The depth in plies.
        depth: u8,
        /// Nodes searched.
        nodes: u64,
        /// Nodes per second.
        nps: u64,
        /// Time in milliseconds.
        ms: u64,
        /// The variations, the best one first.
        lines: Vec<Line>,
    },
    /// A good move, as asked for.
    Hint {
        /// The move.
        #[serde(rename = "move")]
        mv: Move,
    },
    /// The answer to a draw offer.
    Draw {
        /// Whether the engine accepts it.
        accepted: bool,
    },
    /// The game is over.
    Over {
        /// The result.
        result: Result,
    },
    /// Findings of a review in a position.
    Reviewed {
        /// The position: plies played.
        ply: usize,
        /// The score; a mate in 0 if the game is won there.
        score: Score,
        /// The best move; none if the game is over there.
        best: Option<Move>,
        /// Whether this was the last position.
        done: bool,
    },
    /// The game as text.
    Pgn {
        /// PGN, or PDN in checkers.
        text: String,
    },
    /// A remark for the person.
    Note {
        /// A sentence.
        text: String,
    },
    /// A message that was not executed.
    Error {
        /// The type of the message, if it could be read.
        about: Option<String>,
        /// The reason.
        text: String,
    },
}

/// The activity of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Nothing yet.
    Idle,
    /// A game against the engine.
    Play,
    /// An analysis.
    Analysis,
}

/// The mover of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mover {
    /// The person.
    You,
    /// The engine.
    Engine,
}

/// A profile of the server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileInfo {
    /// Its name in `new_game`.
    pub name: String,
    /// The engine's name.
    pub engine: String,
}

/// A range of Elo ratings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Elo {
    /// The lowest.
    pub min: u16,
    /// The highest.
    pub max: u16,
}

/// A reply of a session.
#[derive(Clone, PartialEq, Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all are messages, written at once and never kept")]
pub enum Reply {
    /// A message.
    Message(Message),
    /// A line of the answer to an HTTP request ([`crate::protocol::http`]).
    Http(&'static str),
}

impl Message {
    /// An error about a message of this type.
    pub fn error(about: Option<&str>, text: impl ToString) -> Message {
        Message::Error { about: about.map(str::to_owned), text: text.to_string() }
    }

    /// The message as a line with its LF.
    pub fn line(&self) -> String {
        // No value of a message is a map with other keys than strings: this cannot fail.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// The key of a message that a later one with the same key replaces.
    fn key(&self) -> Option<LineKey> {
        match self {
            Message::Lines { .. } => Some(LineKey(1, 0)),
            Message::Clocks { .. } => Some(LineKey(0, 0)),
            Message::Hello { .. }
            | Message::Game { .. }
            | Message::Moved { .. }
            | Message::TakenBack { .. }
            | Message::Hint { .. }
            | Message::Draw { .. }
            | Message::Over { .. }
            | Message::Reviewed { .. }
            | Message::Pgn { .. }
            | Message::Note { .. }
            | Message::Error { .. } => None,
        }
    }
}

impl From<&Message> for protocol::Line {
    fn from(message: &Message) -> protocol::Line {
        protocol::Line { text: message.line(), key: message.key() }
    }
}

impl From<&Reply> for protocol::Line {
    fn from(reply: &Reply) -> protocol::Line {
        match reply {
            Reply::Message(message) => message.into(),
            Reply::Http(text) => protocol::Line::lasting(format!("{text}\n")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Game, Variant};
    use crate::protocol::web::{Bound, chess_position, games};

    fn all() -> Vec<Message> {
        let game = Game::new(Variant::NORMAL);
        let position = chess_position(&game, None, true);
        let clocks = Clocks { white_ms: Some(1), black_ms: None, running: Some(Side::White) };
        let mv = Move { uci: "e2e4".into(), san: "e4".into() };
        let played = PlayedMove { uci: "e2e4".into(), san: "e4".into(), fen: position.fen.clone() };
        let line = Line {
            score: Score::Cp(35),
            depth: 3,
            bound: Some(Bound::Lower),
            pv: vec!["e2e4".into()],
            san: vec!["e4".into()],
        };
        let result = Result { score: "1-0".into(), reason: "checkmate".into() };
        vec![
            Message::Hello {
                server: "Farboard".into(),
                variants: games().collect(),
                profiles: vec![ProfileInfo { name: "stockfish".into(), engine: "Stockfish 15.1".into() }],
                elo: Elo { min: 400, max: 2550 },
                levels: 20,
                banner: None,
            },
            Message::Game {
                id: Some(17),
                mode: Mode::Play,
                variant: "normal".into(),
                start: position.fen.clone(),
                color: Some(Side::Black),
                white: "Farboard".into(),
                black: "Anna".into(),
                moves: vec![played.clone()],
                position: position.clone(),
                clocks: Some(clocks),
                by_guest: false,
            },
            Message::Moved { mv: played, by: Mover::You, position: position.clone(), clocks: None },
            Message::TakenBack { position, clocks: Some(clocks) },
            Message::Clocks { clocks },
            Message::Lines { ply: 1, depth: 2, nodes: 3, nps: 4, ms: 5, lines: vec![line] },
            Message::Hint { mv: mv.clone() },
            Message::Draw { accepted: false },
            Message::Over { result },
            Message::Reviewed { ply: 1, score: Score::Mate(-3), best: Some(mv), done: true },
            Message::Pgn { text: "[Event \"?\"]\n\n1. e4 *\n".into() },
            Message::Note { text: "a remark".into() },
            Message::error(Some("move"), "illegal move"),
        ]
    }

    #[test]
    fn every_message_is_one_line_and_comes_back() {
        for message in all() {
            let line = message.line();
            assert_eq!(line.matches('\n').count(), 1, "{line}");
            assert_eq!(serde_json::from_str::<Message>(&line).expect(&line), message);
        }
    }

    #[test]
    fn only_what_a_later_message_replaces_has_a_key() {
        let keyed = all().into_iter().filter(|message| message.key().is_some()).count();
        assert_eq!(keyed, 2);
    }

    #[test]
    fn scores_are_centipawns_or_a_mate() {
        for (score, text) in [(Score::Cp(-35), r#"{"cp":-35}"#), (Score::Mate(5), r#"{"mate":5}"#)] {
            assert_eq!(serde_json::to_string(&score).unwrap(), text);
        }
    }
}
