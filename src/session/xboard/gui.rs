//! The client's reports about itself and the opponent, and its settings.

use super::Partner;
use crate::chess::Outcome;
use crate::protocol::xboard::Rating;
use crate::session::state::{Fields, StateError, describe, text};

/// A result in a state: its code as a word.
struct Code(Option<Outcome>);

text!(Code, word, |code| Outcome::code(code.0), |word: &str| Outcome::from_code(word).map(Code));

/// The greatest count of interrupts in a state.
const MAX_INTERRUPTS: u64 = 1_000_000_000;

/// The client, as far as it has introduced itself, and its settings.
#[derive(Clone, Debug)]
pub struct Gui {
    contact: Contact,
    kind: Kind,
    /// The protocol version; 1 until `protover`.
    pub protocol: u32,
    /// The answer to `feature debug`, if any.
    debug: Option<Answer>,
    thinking: ThinkingOutput,
    /// The opponent in the current game.
    pub opponent: Opponent,
    /// The chess server on which the game is played.
    pub ics: Option<String>,
    /// The partner and the pieces in hand, once the client has mentioned either.
    pub partner: Option<Box<Partner>>,
    /// The result of the last game, which may be unfinished, and its comment.
    pub result: Option<(Option<Outcome>, String)>,
    /// The number of interrupts.
    pub interrupts: u64,
    /// Whether `random` was toggled on.
    pub(super) random: bool,
    /// Whether the board is shown after each move.
    pub(super) board_shown: bool,
    /// Whether the user was asked for the strength, and has not answered.
    pub(super) strength_asked: bool,
    /// Whether the first `new` was received, and the banner shown, if there is one.
    pub(super) banner_shown: bool,
    /// Whether the last line was `depth`.
    pub(super) depth_follows: bool,
    /// Whether the user was informed that there is no search, and none has run since.
    pub(super) told_busy: bool,
}

/// The lines received so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Contact {
    /// None.
    Silent,
    /// One, the current one.
    FirstLine,
    /// The current line is not the first, or the first was not read.
    Later,
}

/// The kind of client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Perhaps a user at a terminal: it has not announced itself as a program.
    Terminal,
    /// A GUI.
    Program,
    /// One of ChessBase's programs.
    Fritz,
}

/// The answer to a feature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Accepted,
    Rejected,
}

/// Whether the client wants thinking lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ThinkingOutput {
    /// Neither `post` nor `nopost` was received.
    Unset,
    Post,
    Nopost,
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

impl Default for Gui {
    /// A client that has not sent anything yet.
    fn default() -> Gui {
        Gui {
            contact: Contact::Silent,
            kind: Kind::Terminal,
            protocol: 1,
            debug: None,
            thinking: ThinkingOutput::Unset,
            opponent: Opponent::default(),
            ics: None,
            partner: None,
            result: None,
            interrupts: 0,
            random: false,
            board_shown: false,
            strength_asked: false,
            banner_shown: false,
            depth_follows: false,
            told_busy: false,
        }
    }
}

impl Gui {
    /// Records a line. Returns true if it is the first one.
    pub(super) fn receive_line(&mut self) -> bool {
        let is_first = self.contact == Contact::Silent;
        self.contact = if is_first { Contact::FirstLine } else { Contact::Later };
        is_first
    }

    /// Records a line that is not read.
    pub(super) fn receive_unread_line(&mut self) {
        if self.contact == Contact::Silent {
            self.contact = Contact::Later;
        }
    }

    /// Returns true once the client has sent anything.
    pub fn has_spoken(&self) -> bool {
        self.contact != Contact::Silent
    }

    /// Records that the client has announced itself as a program, which a user has no reason to.
    pub(super) fn announce_program(&mut self) {
        if self.kind == Kind::Terminal {
            self.kind = Kind::Program;
        }
    }

    /// `fritz`: one of ChessBase's programs, if it is the first line.
    pub(super) fn announce_fritz(&mut self) {
        self.announce_program();
        if self.contact == Contact::FirstLine {
            self.kind = Kind::Fritz;
        }
    }

    /// Returns true if the client has announced itself as a program.
    pub(super) fn is_program(&self) -> bool {
        self.kind != Kind::Terminal
    }

    /// Returns true for ChessBase's programs.
    pub(super) fn is_fritz(&self) -> bool {
        self.kind == Kind::Fritz
    }

    /// `accepted` and `rejected`
    pub(super) fn answer_feature(&mut self, feature: &str, is_accepted: bool) {
        if feature == "debug" {
            self.debug = Some(if is_accepted { Answer::Accepted } else { Answer::Rejected });
        }
    }

    /// Returns true if `#` lines appear only in the client's log.
    pub(super) fn logs_comments(&self) -> bool {
        self.debug == Some(Answer::Accepted)
    }

    /// Returns true if thinking lines may have further columns before the moves. Version 1,
    /// ChessBase's programs and the text of version 2 before `feature debug` have none: clients
    /// written by that text, such as cutechess, reject the feature and take everything after the
    /// nodes for moves.
    pub(super) fn reads_columns(&self) -> bool {
        self.protocol >= 2 && !self.is_fritz() && self.debug != Some(Answer::Rejected)
    }

    /// `post` and `nopost`
    pub(super) fn set_thinking_output(&mut self, is_wanted: bool) {
        self.thinking = if is_wanted { ThinkingOutput::Post } else { ThinkingOutput::Nopost };
    }

    /// Returns true if the client wants thinking lines.
    pub(super) fn shows_thinking(&self) -> bool {
        self.thinking == ThinkingOutput::Post
    }

    /// Returns true if an analysis is shown. Without `post` it is shown at a terminal, where it has
    /// no other effect.
    pub(super) fn shows_analysis(&self) -> bool {
        match self.thinking {
            ThinkingOutput::Post => true,
            ThinkingOutput::Unset => !self.is_program(),
            ThinkingOutput::Nopost => false,
        }
    }

    /// Returns true if the client plays on a chess server.
    pub(super) fn is_on_server(&self) -> bool {
        self.ics.is_some()
    }

    /// Forgets what concerns the last game, except for its partner.
    pub(super) fn new_game(&mut self) {
        self.random = false;
        self.opponent.is_computer = false;
        self.opponent.clock = None;
        self.result = None;
    }

    /// Writes or reads the state.
    pub(super) fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        fields.section("client", |fields| {
            describe!(fields, &mut *self => Gui {
                contact => {
                    let flags = [
                        (Contact::Silent, [false, false]),
                        (Contact::FirstLine, [true, true]),
                        (Contact::Later, [true, false]),
                    ];
                    fields.flags(["heard", "first-line"], contact, &flags)?;
                },
                kind => {
                    let flags = [
                        (Kind::Terminal, [false, false]),
                        (Kind::Program, [true, false]),
                        (Kind::Fritz, [true, true]),
                    ];
                    fields.flags(["program", "fritz"], kind, &flags)?;
                },
                protocol: "protocol",
                debug => {
                    let flags = [
                        (None, [false, false]),
                        (Some(Answer::Accepted), [true, false]),
                        (Some(Answer::Rejected), [false, true]),
                    ];
                    fields.flags(["debug", "old-text"], debug, &flags)?;
                },
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
                interrupts: "interrupts" in 0..=MAX_INTERRUPTS,
                thinking => {
                    let flags = [
                        (ThinkingOutput::Unset, [false, false]),
                        (ThinkingOutput::Post, [true, false]),
                        (ThinkingOutput::Nopost, [false, true]),
                    ];
                    fields.flags(["post", "nopost"], thinking, &flags)?;
                },
                board_shown: "board-shown",
                strength_asked: "strength-asked",
                banner_shown: "banner-shown",
                depth_follows: "depth-follows",
                told_busy: "told-busy",
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
