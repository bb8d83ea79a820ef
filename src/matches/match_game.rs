//! The games of matches, as the referee, the engine in this process and the records need them.

use super::Plan;
use super::engine::{self, Engine};
use super::error::EngineError;
use super::known_ending;
use super::player::Player;
use crate::chess::{self, AnyPosition, Color, Outcome};
use crate::draughts;
use crate::search::{GameRecord, draughts_move};
use std::fmt;

/// A game from its opening to the position on the board.
pub(super) trait MatchGame: GameRecord + Clone {
    /// The start of a game.
    type Opening: Copy;
    /// A move.
    type Move: Copy + PartialEq + fmt::Debug;

    /// Begins a game from an opening.
    fn begin(opening: Self::Opening) -> Self;
    /// Plays a legal move.
    fn play_move(&mut self, mv: Self::Move);
    /// Converts a move from its representation in the search.
    fn move_of(word: chess::Move) -> Self::Move;
    /// The outcome by the rules, and the rule in a word or two.
    fn ended(&self) -> Option<(Outcome, &'static str)>;
    /// The outcome with best play, if it is known.
    fn known_outcome(&self) -> Option<Outcome>;
    /// Starts an engine that plays the game.
    ///
    /// # Errors
    /// It cannot be started, does not complete its greeting, or does not play this game.
    fn start_engine(player: &Player, plan: &Plan) -> Result<Box<dyn Engine<Self>>, EngineError>;
    /// The moves of the game.
    fn into_record(self) -> Record;

    /// The side to move.
    fn turn(&self) -> Color {
        self.root().turn()
    }
}

/// The moves of a finished game.
#[derive(Clone, Debug)]
pub(super) enum Record {
    Chess(Box<chess::Game>),
    /// Both boards of bughouse.
    Bughouse(Box<[chess::Game; 2]>),
    Draughts(draughts::Game),
}

impl MatchGame for chess::Game {
    type Opening = AnyPosition;
    type Move = chess::Move;

    fn begin(opening: AnyPosition) -> chess::Game {
        chess::Game::from_position(opening)
    }

    fn play_move(&mut self, mv: chess::Move) {
        self.play(mv);
    }

    fn move_of(word: chess::Move) -> chess::Move {
        word
    }

    fn ended(&self) -> Option<(Outcome, &'static str)> {
        self.ending().map(|(outcome, ending)| {
            let text = match ending {
                chess::Ending::Checkmate => "mate",
                chess::Ending::Stalemate => "stalemate",
                chess::Ending::InsufficientMaterial => "insufficient material",
                chess::Ending::Repetition => "repetition",
                chess::Ending::FiftyMoves => "fifty moves",
                chess::Ending::VariantRule => "rule of the variant",
            };
            (outcome, text)
        })
    }

    fn known_outcome(&self) -> Option<Outcome> {
        known_ending::of_chess(self.position())
    }

    fn start_engine(player: &Player, plan: &Plan) -> Result<Box<dyn Engine<chess::Game>>, EngineError> {
        engine::start_chess(player, plan)
    }

    fn into_record(self) -> Record {
        Record::Chess(Box::new(self))
    }
}

impl MatchGame for draughts::Game {
    type Opening = draughts::Position;
    type Move = draughts::Move;

    fn begin(opening: draughts::Position) -> draughts::Game {
        draughts::Game::from_position(opening)
    }

    fn play_move(&mut self, mv: draughts::Move) {
        self.play(mv);
    }

    fn move_of(word: chess::Move) -> draughts::Move {
        draughts_move(word)
    }

    fn ended(&self) -> Option<(Outcome, &'static str)> {
        self.ending().map(|(outcome, ending)| {
            let text = match ending {
                draughts::Ending::NoMoves => "no moves",
                draughts::Ending::Repetition => "repetition",
                draughts::Ending::FortyMoves => "forty moves",
            };
            (outcome, text)
        })
    }

    fn known_outcome(&self) -> Option<Outcome> {
        known_ending::of_draughts(self.position())
    }

    fn start_engine(player: &Player, plan: &Plan) -> Result<Box<dyn Engine<draughts::Game>>, EngineError> {
        engine::start_draughts(player, plan)
    }

    fn into_record(self) -> Record {
        Record::Draughts(self)
    }
}
