//! The client's reports about the game: the opponent, the chess server, the partner, the result.

use super::board::Board;
use super::repetition::is_counted_by_xboard;
use super::result::is_believed;
use super::{Mode, Partner};
use crate::chess::{Color, Ending, Game, Outcome, Tags};
use crate::protocol::xboard::Rating;
use crate::session::finished_game::by_color;
use crate::session::state::{Fields, StateError, describe, record, text};

/// The game as the client describes it.
#[derive(Clone, Default, Debug)]
pub struct GameContext {
    /// The opponent.
    pub opponent: Opponent,
    /// The chess server on which the game is played.
    pub ics: Option<String>,
    /// The partner and the pieces in hand, once the client has mentioned either.
    pub partner: Option<Box<Partner>>,
    /// The result of the last game, which may be unfinished, and its comment.
    pub result: Option<(Option<Outcome>, String)>,
    /// Whether `random` was toggled on.
    pub(super) random: bool,
}

/// The opponent, as reported by the client.
#[derive(Clone, Default, Debug)]
pub struct Opponent {
    /// The name; empty if unknown.
    pub name: String,
    /// Whether it is a computer.
    pub is_computer: bool,
    /// Both players' ratings.
    pub rating: Option<Rating>,
    /// The last clock in milliseconds.
    pub clock: Option<i64>,
}

/// A result in a state: its code as a word.
struct Code(Option<Outcome>);

text!(Code, word, |code| Outcome::code(code.0), |word: &str| Outcome::from_code(word).map(Code));

record!(Rating { own, opponent });

impl GameContext {
    /// Forgets what concerns the last game. The opponent's name and the partner stay.
    pub(super) fn new_game(&mut self) {
        self.random = false;
        self.opponent.is_computer = false;
        self.opponent.clock = None;
        self.result = None;
        let partner = self.partner.take().filter(|partner| partner.name.is_some());
        self.partner = partner.map(|partner| Box::new(partner.in_new_game()));
    }

    /// Returns true if the client plays on a chess server.
    pub(super) fn is_on_server(&self) -> bool {
        self.ics.is_some()
    }

    /// Returns true if this end of the game might not be believed if the engine claimed it. GUIs
    /// verify the claims of engines that play each other: there the opponent must admit a win, and
    /// a draw can be agreed. A chess server plays atomic chess by rules of its own, and gets a
    /// claimed draw as an offer: by ICC's rules there may be a move.
    pub(super) fn doubts(&self, game: &Game, mode: Mode, end: (Outcome, Ending)) -> bool {
        let Mode::Play(side) = mode else { return false };
        let may_go_on = game.position().variant().rules().explodes && end.1 == Ending::Stalemate;
        self.opponent.is_computer && !is_believed(game.position(), end, side)
            || may_go_on && self.is_on_server()
    }

    /// Returns true if the game goes on after a repetition, which the client would not count.
    pub(super) fn plays_on(&self, board: &Board) -> bool {
        self.opponent.is_computer && board.mode.plays() && !is_counted_by_xboard(&board.game)
    }

    /// The tags of a saved game that the engine played as `side` by this name.
    pub(super) fn tags(&self, side: Color, name: &str) -> Tags {
        let [white, black] = by_color(side, name.to_owned(), self.opponent.name.clone());
        let rating = self.opponent.rating.unwrap_or(Rating { own: 0, opponent: 0 });
        let elo = by_color(side, rating.own, rating.opponent).map(|elo| (elo > 0).then_some(elo));
        let program = by_color(side, true, self.opponent.is_computer);
        Tags { site: self.ics.clone().unwrap_or_default(), white, black, elo, program, ..Tags::default() }
    }

    /// Writes or reads the state.
    pub(super) fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        fields.section("client", |fields| {
            describe!(fields, &mut *self => GameContext {
                opponent => describe!(fields, opponent => Opponent {
                    name: "opponent",
                    is_computer: "computer",
                    rating: "rating",
                    clock: "opponent-clock",
                })?,
                ics: "ics",
                random: "random",
                result => {
                    let (outcome, comment) = result.take().unzip();
                    let (mut code, mut comment) = (outcome.map(Code), comment.unwrap_or_default());
                    fields.field("result", &mut code)?;
                    fields.field("result-comment", &mut comment)?;
                    *result = code.map(|Code(outcome)| (outcome, comment));
                },
                partner,
            })
        })?;
        fields.secret(true, |fields| {
            fields.optional("partner", &mut self.partner, Box::default, |partner, fields| {
                Partner::state(partner, fields)
            })
        })
    }
}
