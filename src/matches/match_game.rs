//! Games that matches are played in: what the referee, the engine in this process and the records need to know of one.

use super::Plan;
use super::engine::{self, Engine};
use super::error::EngineError;
use crate::chess::{self, AnyPosition, Color, Outcome};
use crate::draughts;
use crate::search::{GameRecord, RootPosition};
use std::fmt;

/// A game from its opening to the position on the board.
pub(super) trait MatchGame: GameRecord + Clone {
    /// Where a game can begin.
    type Opening: Copy;
    /// A move.
    type Move: Copy + PartialEq + fmt::Debug;

    /// A game from this opening.
    fn begin(opening: Self::Opening) -> Self;
    /// Plays a legal move.
    fn play_move(&mut self, mv: Self::Move);
    /// The move that is this word to the search.
    fn move_of(word: chess::Move) -> Self::Move;
    /// How the game has ended by rule, if it has, and by which: a word or two.
    fn ended(&self) -> Option<(Outcome, &'static str)>;
    /// Starts an engine that plays it.
    ///
    /// # Errors
    /// It cannot be started, does not complete its greeting, or does not play this game.
    fn start_engine(
        spec: &super::EngineSpec,
        options: &[(String, String)],
        plan: &Plan,
    ) -> Result<Box<dyn Engine<Self>>, EngineError>;
    /// The game as it is kept.
    fn into_record(self) -> Record;

    /// The side on move.
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

    fn start_engine(
        spec: &super::EngineSpec,
        options: &[(String, String)],
        plan: &Plan,
    ) -> Result<Box<dyn Engine<chess::Game>>, EngineError> {
        engine::start_chess(spec, options, plan)
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
        RootPosition::draughts_move(word)
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

    fn start_engine(
        spec: &super::EngineSpec,
        options: &[(String, String)],
        plan: &Plan,
    ) -> Result<Box<dyn Engine<draughts::Game>>, EngineError> {
        engine::start_draughts(spec, options, plan)
    }

    fn into_record(self) -> Record {
        Record::Draughts(self)
    }
}
