//! The board: new games, positions, take-backs.

use super::kriegspiel::Umpire;
use super::offers::Offers;
use super::{Mode, Session, Step};
use crate::chess::{Color, Game, Variant};
use crate::protocol::xboard::{Command, ErrorReason, Reply, is_known_to_xboard, variant_name, variant_named};

impl Session {
    /// `new`: the start position; the engine plays Black. Resets the clocks, the depth limit, `nps`
    /// and random mode. Pondering, thinking output, the time control, the table and analyze mode
    /// stay (protocol 1, section 12).
    pub(super) fn new_game(&mut self, step: &mut Step<'_>) {
        self.replace_game(Game::new(Variant::NORMAL), step);
        if self.mode != Mode::Analyze {
            self.mode = Mode::Play(Color::Black);
        }
        self.player.new_game();
        self.gui.new_game();
        self.reset_partner();
        self.analyse(step);
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
        match Game::from_fen(self.game.position().variant(), fen) {
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
        if self.game.moves().len() < plies {
            return self.refuse(ErrorReason::NotLegalNow, command.to_string(), step);
        }
        let due = self.player.owes_move();
        self.stop(step);
        for _ in 0..plies {
            self.game.undo();
        }
        self.board_changed();
        self.show_board(step);
        self.analyse(step);
        if due && self.mode == Mode::Play(self.game.position().turn()) {
            self.think(self.player.limits.sent(step.now), step);
        } else {
            self.begin_pondering(step);
        }
    }

    pub(super) fn replace_game(&mut self, game: Game, step: &mut Step<'_>) {
        self.stop(step);
        self.archive_claimed(step);
        self.recorder.clear();
        self.game = game;
        self.umpire = Umpire::default();
        self.board_changed();
        self.pondering.allowed = false;
        self.offers = Offers::default();
    }

    /// Forgets what depends on the position, after a change other than a move.
    pub(super) fn board_changed(&mut self) {
        self.turn_wanted = None;
        self.over = false;
        self.pondering.expected = None;
        self.excluded.clear();
        self.umpire.rewind(self.game.moves().len());
        self.offers.board_changed();
        self.player.limits.clocks.rewound(self.game.moves().len());
    }
}
