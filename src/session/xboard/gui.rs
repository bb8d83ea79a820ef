//! The client's reports about itself, and its settings.

use crate::session::state::{Fields, StateError, describe};

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
    /// The number of interrupts.
    pub interrupts: u64,
    pub(super) dialogue: Dialogue,
}

/// The dialogue with the user, at a terminal or in windows. The fields are independent.
#[derive(Clone, Default, Debug)]
pub(super) struct Dialogue {
    /// Whether the board is shown after each move.
    pub(super) board_shown: bool,
    /// Whether the user was asked for the strength, and has not answered.
    pub(super) strength_asked: bool,
    /// Whether the last line was `depth`.
    pub(super) depth_follows: bool,
    /// Whether the user was informed that there is no search, and none has run since.
    pub(super) shortage_reported: bool,
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
    /// The first `new` was among them.
    Started,
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

impl Default for Gui {
    /// A client that has not sent anything yet.
    fn default() -> Gui {
        Gui {
            contact: Contact::Silent,
            kind: Kind::Terminal,
            protocol: 1,
            debug: None,
            thinking: ThinkingOutput::Unset,
            interrupts: 0,
            dialogue: Dialogue::default(),
        }
    }
}

impl Gui {
    /// Records a line. Returns true if it is the first one.
    pub(super) fn receive_line(&mut self) -> bool {
        let before = self.contact;
        self.contact = match before {
            Contact::Silent => Contact::FirstLine,
            Contact::FirstLine | Contact::Later => Contact::Later,
            Contact::Started => Contact::Started,
        };
        before == Contact::Silent
    }

    /// Records `new`. Returns true if it is the first one.
    pub(super) fn start(&mut self) -> bool {
        std::mem::replace(&mut self.contact, Contact::Started) != Contact::Started
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

    /// Writes or reads the state.
    pub(super) fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        describe!(fields, self => Gui {
            contact => fields.flags(["heard", "first-line", "banner-shown"], contact, &[
                (Contact::Silent, [false, false, false]),
                (Contact::FirstLine, [true, true, false]),
                (Contact::Later, [true, false, false]),
                (Contact::Started, [true, false, true]),
                // Earlier versions also kept that it was the first line.
                (Contact::Started, [true, true, true]),
            ])?,
            kind => fields.flags(["program", "fritz"], kind, &[
                (Kind::Terminal, [false, false]),
                (Kind::Program, [true, false]),
                (Kind::Fritz, [true, true]),
            ])?,
            protocol: "protocol",
            debug => fields.flags(["debug", "old-text"], debug, &[
                (None, [false, false]),
                (Some(Answer::Accepted), [true, false]),
                (Some(Answer::Rejected), [false, true]),
            ])?,
            interrupts: "interrupts" in 0..=MAX_INTERRUPTS,
            thinking => fields.flags(["post", "nopost"], thinking, &[
                (ThinkingOutput::Unset, [false, false]),
                (ThinkingOutput::Post, [true, false]),
                (ThinkingOutput::Nopost, [false, true]),
            ])?,
            dialogue => describe!(fields, dialogue => Dialogue {
                board_shown: "board-shown",
                strength_asked: "strength-asked",
                depth_follows: "depth-follows",
                shortage_reported: "told-busy",
            })?,
        })
    }
}
