//! The board: the game and the sides; new games, positions, take-backs.

use super::kriegspiel::Umpire;
use super::offers::Offers;
use super::{Mode, Session, Step};
use crate::chess::{AnyPosition, Color, Game, Move, MoveError, Variant};
use crate::protocol::xboard::{
    Command, ErrorReason, Reply, RootMoves, is_known_to_xboard, variant_name, variant_named,
};
use crate::session::player::{Player, Purpose};
use crate::session::state::{Fields, StateError, chess_game, describe};

/// The maximum length of a game in plies. The record of a game takes memory, and an `undo` takes
/// time, in proportion to its length; a client must not make them grow without bound.
pub(super) const MAX_GAME_PLIES: usize = 10_000;

/// The game on the board.
pub(super) struct Board {
    pub(super) game: Game,
    pub(super) mode: Mode,
    /// The side to move by `white` or `black`. It takes effect only when something depends on it,
    /// since GUIs send both in a row around `time` (protocol 1, section 13), and the record of the
    /// game must survive that.
    pub(super) turn_wanted: Option<Color>,
    /// Whether the game has ended: the engine claimed a result, or the client sent one.
    pub(super) over: bool,
    /// Root moves of the position that are not searched.
    pub(super) excluded: Vec<Move>,
}

impl Default for Board {
    /// A game that the engine plays as Black.
    fn default() -> Board {
        let (game, mode) = (Game::new(Variant::NORMAL), Mode::Play(Color::Black));
        Board { game, mode, turn_wanted: None, over: false, excluded: Vec::new() }
    }
}

impl Board {
    pub(super) fn position(&self) -> &AnyPosition {
        self.game.position()
    }

    /// Plies played.
    pub(super) fn plies(&self) -> usize {
        self.game.moves().len()
    }

    /// Returns true if it is the engine's turn.
    pub(super) fn is_engines_turn(&self) -> bool {
        self.mode == Mode::Play(self.position().turn())
    }

    /// Returns true if it is the turn of the engine's opponent.
    pub(super) fn is_opponents_turn(&self) -> bool {
        self.mode == Mode::Play(!self.position().turn())
    }

    /// Returns true if each side sees its own men only.
    pub(super) fn is_hidden(&self) -> bool {
        self.position().variant().rules().hidden
    }

    /// Takes the pending side to move, or the side to move of the position.
    pub(super) fn take_turn(&mut self) -> Color {
        self.turn_wanted.take().unwrap_or(self.position().turn())
    }

    /// Forgets what depends on the position, after a change other than a move.
    fn changed(&mut self) {
        self.turn_wanted = None;
        self.over = false;
        self.excluded.clear();
    }

    /// Returns true if the game has reached its maximum length.
    pub(super) fn is_too_long(&self) -> bool {
        self.plies() >= MAX_GAME_PLIES
    }

    /// Plays a move.
    pub(super) fn play(&mut self, mv: Move) {
        self.game.play(mv);
        self.over = false;
        self.excluded.clear();
    }

    /// Returns the legal move of a client's text, in the position on the board or the one before a
    /// pondered move. A refusal does not reveal hidden men.
    pub(super) fn parse_move(&self, before: &AnyPosition, text: &str) -> Result<Move, MoveError> {
        let is_hidden = self.is_hidden();
        before.parse_opponents_move(text).map_err(|error| {
            if is_hidden && error == MoveError::WrongTurn { MoveError::Illegal } else { error }
        })
    }

    /// Returns the legal moves that a command names.
    pub(super) fn root_moves(&self, moves: &RootMoves) -> Result<Vec<Move>, MoveError> {
        match moves {
            RootMoves::All => Ok(self.position().legal_moves().into_iter().collect()),
            RootMoves::One(text) => self.position().parse_move(text).map(|mv| vec![mv]),
        }
    }

    /// Returns true if all moves are excluded. Then nothing is analysed, and a move that is due is
    /// chosen from all moves.
    pub(super) fn excludes_all(&self) -> bool {
        !self.excluded.is_empty() && self.excluded.len() == self.position().legal_moves().len()
    }

    /// The excluded moves, unless that leaves none to search.
    pub(super) fn excluded_from_search(&self) -> Vec<Move> {
        if self.excludes_all() { Vec::new() } else { self.excluded.clone() }
    }

    /// Returns true if the player's search fits the mode.
    pub(super) fn fits(&self, player: &Player) -> bool {
        match player.purpose() {
            Some(Purpose::Move | Purpose::PonderOnBoard) => self.is_engines_turn(),
            Some(Purpose::Ponder(_) | Purpose::Expectation) => self.is_opponents_turn(),
            Some(Purpose::Analysis) => self.mode == Mode::Analyze,
            Some(Purpose::Hint) => true,
            Some(Purpose::Perft(_)) => false,
            None => self.mode == Mode::Analyze || !player.has_timer(),
        }
    }

    /// Writes or reads the state.
    pub(super) fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        describe!(fields, &mut *self => Board {
            game => chess_game(fields, "game", game)?,
            mode: "mode",
            turn_wanted: "turn-wanted",
            over: "over",
            excluded: "excluded",
        })?;
        let is_possible = |(index, &mv): (usize, &Move)| {
            self.position().is_legal(mv) && !self.excluded[..index].contains(&mv)
        };
        if fields.is_reading() && !self.excluded.iter().enumerate().all(is_possible) {
            return Err(StateError::Inconsistent);
        }
        Ok(())
    }
}

impl Session {
    /// `new`: the start position; the engine plays Black. Resets the clocks, the depth limit, `nps`
    /// and random mode. Pondering, thinking output, the time control, the table and analyze mode
    /// stay (protocol 1, section 12). The first one brings the profile's banner.
    pub(super) fn new_game(&mut self, step: &mut Step<'_>) {
        self.replace_game(Game::new(Variant::NORMAL), step);
        if self.board.mode != Mode::Analyze {
            self.board.mode = Mode::Play(Color::Black);
        }
        self.player.new_game();
        self.context.new_game();
        self.analyse(step);
        // Before the first `new` a GUI is busy with features and shows no dialog.
        if self.gui.start()
            && let Some(banner) = &self.player.engine.profile().banner
        {
            step.reply(Reply::Telluser(banner.clone()));
        }
    }

    /// `variant`: sets up its start position. An unknown variant leaves the board as it is. In
    /// protocol 2 the GUI knows the supported variants; in protocol 1 it ignores the error, so the
    /// user gets a message.
    pub(super) fn set_variant(&mut self, name: &str, step: &mut Step<'_>) {
        let Some(variant) = variant_named(name) else {
            let why = ErrorReason::Argument("unsupported variant".to_owned());
            self.refuse(why, format!("variant {name}"), step);
            if self.gui.protocol < 2 {
                let played = Variant::ALL.map(variant_name).join(", ");
                let what = format!("This engine does not play the variant {name}. It plays {played}.");
                step.reply(Reply::Tellusererror(what));
            }
            return;
        };
        if self.gui.protocol >= 2 && !is_known_to_xboard(variant) {
            step.reply(Reply::Setup(variant));
        }
        self.replace_game(Game::new(variant), step);
        self.analyse(step);
    }

    /// `setboard`. An illegal position is refused and changes nothing.
    pub(super) fn set_board(&mut self, fen: &str, step: &mut Step<'_>) {
        match Game::from_fen(self.board.position().variant(), fen) {
            Ok(game) => {
                self.replace_game(game, step);
                self.analyse(step);
            }
            Err(error) => step.reply(Reply::Tellusererror(format!("Illegal position: {error}"))),
        }
    }

    /// `undo` and `remove`: takes back 1 or 2 plies. If the engine's move was due and it is still
    /// its turn, it thinks again.
    pub(super) fn take_back(&mut self, plies: usize, command: &Command, step: &mut Step<'_>) {
        if self.board.plies() < plies {
            return self.refuse(ErrorReason::NotLegalNow, command.to_string(), step);
        }
        let due = self.player.owes_move();
        self.stop(step);
        for _ in 0..plies {
            self.board.game.undo();
        }
        self.board_changed();
        self.show_board(step);
        self.analyse(step);
        if due && self.board.is_engines_turn() {
            self.think(self.player.limits.sent(step.now), step);
        } else {
            self.begin_pondering(step);
        }
    }

    pub(super) fn replace_game(&mut self, game: Game, step: &mut Step<'_>) {
        self.stop(step);
        step.archive(self.take_game(step.now));
        self.recorder.clear();
        self.board.game = game;
        self.umpire = Umpire::default();
        self.board_changed();
        self.pondering.allowed = false;
        self.offers = Offers::default();
    }

    /// Forgets what depends on the position, after a change other than a move.
    pub(super) fn board_changed(&mut self) {
        self.board.changed();
        self.pondering.expected = None;
        self.umpire.rewind(self.board.plies());
        self.offers.board_changed();
        self.player.limits.clocks.rewound(self.board.plies());
    }
}
