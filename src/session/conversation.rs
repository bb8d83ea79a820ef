//! The protocol of a client, and the session of that protocol.
//!
//! The server knows a [`Conversation`] and its [`Line`]s and other [`Effect`]s, but no protocol. A
//! new protocol is one more variant here, and one more [`Protocol`] if listeners can select it.

use super::state::{SessionState, StateError};
use super::takeover::{Lateness, SendTime};
#[cfg(feature = "server")]
use super::web;
use super::{
    Effect, Extent, FinishedGame, Input, LagSeen, Measured, Picture, Profile, Status, checkers, uci, xboard,
};
use crate::auth::Visibility;
use crate::protocol::xboard::Reply;
use crate::protocol::{self, Line, http};
use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The protocol of a listener.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "server", derive(serde::Deserialize), serde(try_from = "String"))]
pub enum Protocol {
    /// Determined by the client's first line.
    #[default]
    Auto,
    /// The protocol of xboard and WinBoard.
    Xboard,
    /// The Checkers Protocol.
    Checkers(checkers::Manners),
    /// The Universal Chess Interface.
    Uci,
    /// The web protocol.
    #[cfg(feature = "server")]
    Web,
    /// For tests: see [`toy`].
    #[cfg(test)]
    Toy,
}

impl FromStr for Protocol {
    type Err = String;

    fn from_str(word: &str) -> Result<Protocol, String> {
        let all = [
            Protocol::Auto,
            Protocol::Xboard,
            Protocol::Checkers(Default::default()),
            Protocol::Uci,
            #[cfg(feature = "server")]
            Protocol::Web,
        ];
        let named = all.into_iter().find(|protocol| protocol.word() == word);
        named
            .ok_or_else(|| format!("there is no protocol {word:?}: it is auto, xboard, uci, checkers or web"))
    }
}

impl TryFrom<String> for Protocol {
    type Error = String;

    fn try_from(word: String) -> Result<Protocol, String> {
        word.parse()
    }
}

impl Protocol {
    /// The name in the configuration.
    pub fn word(self) -> &'static str {
        match self {
            Protocol::Auto => "auto",
            Protocol::Xboard => "xboard",
            Protocol::Checkers(_) => "checkers",
            Protocol::Uci => "uci",
            #[cfg(feature = "server")]
            Protocol::Web => "web",
            #[cfg(test)]
            Protocol::Toy => "toy",
        }
    }

    /// The longest line in bytes from a client of this protocol; `configured` is the server's
    /// limit.
    pub fn line_limit(self, configured: usize) -> usize {
        match self {
            Protocol::Checkers(_) => configured.max(protocol::checkers::MAX_LINE),
            Protocol::Uci => configured.max(protocol::uci::MAX_LINE),
            #[cfg(feature = "server")]
            Protocol::Web => configured.max(protocol::web::MAX_LINE),
            Protocol::Auto | Protocol::Xboard => configured,
            #[cfg(test)]
            Protocol::Toy => configured,
        }
    }

    /// The line that informs the user of a client that is refused or disconnected.
    pub fn refusal(self, why: &str) -> Line {
        // A client that has not sent anything is most likely an xboard GUI, which speaks first.
        self.words(why, Reply::Tellusererror)
    }

    /// A message for the user. GUIs show it; UCI GUIs only if they show remarks.
    pub fn message(self, text: &str) -> Line {
        self.words(text, Reply::Telluser)
    }

    /// A remark for the logs of GUIs.
    pub fn remark(self, text: &str) -> Line {
        self.words(text, Reply::Comment)
    }

    /// A line for people; only xboard distinguishes kinds.
    fn words(self, text: &str, in_xboard: fn(String) -> Reply) -> Line {
        let text = text.to_owned();
        match self {
            Protocol::Auto | Protocol::Xboard => Line::from(&in_xboard(text)),
            Protocol::Checkers(_) => Line::from(&protocol::checkers::Reply::Alert(text)),
            Protocol::Uci => Line::from(&protocol::uci::Reply::Remark(text)),
            #[cfg(feature = "server")]
            Protocol::Web => Line::from(&protocol::web::Message::Note { text }),
            #[cfg(test)]
            Protocol::Toy => Line::lasting(format!("NO {text}\n")),
        }
    }
}

/// The answer to an HTTP request: an HTTP error.
pub fn http_refusal() -> impl Iterator<Item = Line> {
    http::REFUSAL.into_iter().map(|line| Line::from(&Reply::Http(line)))
}

/// The parameters of a new session.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The seed of the salts of table keys and of choices among equals; different for every session
    /// of a process.
    pub seed: u64,
    /// Identifies the games of this session among all servers' games; random, and not derived
    /// from the seed.
    pub identity: u64,
    /// The shared profile.
    pub profile: Arc<Profile>,
}

/// A client that has not sent anything yet.
pub struct Undecided {
    setup: Setup,
    profiles: Arc<BTreeMap<String, Arc<Profile>>>,
}

/// The session of one client, in its protocol.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all are sessions, and a box would cost each of them memory"
)]
pub enum Conversation {
    /// The first line will determine the protocol.
    Undecided(Undecided),
    /// The protocol of xboard and WinBoard.
    Xboard(xboard::Session),
    /// The Checkers Protocol.
    Checkers(Box<checkers::Session>),
    /// The Universal Chess Interface.
    Uci(Box<uci::Session>),
    /// The web protocol.
    #[cfg(feature = "server")]
    Web(Box<web::Session>),
    /// For tests.
    #[cfg(test)]
    Toy(toy::Session),
}

/// Evaluates an expression with the session of a conversation; the default where there is none.
macro_rules! with_session {
    ($conversation:expr, $default:expr, $session:ident => $value:expr) => {
        match $conversation {
            Conversation::Undecided(_) => $default,
            Conversation::Xboard($session) => $value,
            Conversation::Checkers($session) => $value,
            Conversation::Uci($session) => $value,
            #[cfg(feature = "server")]
            Conversation::Web($session) => $value,
            #[cfg(test)]
            Conversation::Toy(_) => $default,
        }
    };
}

impl Conversation {
    /// A new conversation. `profiles` are the server's profiles besides the one in `setup`.
    pub fn new(
        protocol: Protocol,
        setup: Setup,
        profiles: Arc<BTreeMap<String, Arc<Profile>>>,
    ) -> Conversation {
        let mut conversation = match protocol {
            Protocol::Auto => return Conversation::Undecided(Undecided { setup, profiles }),
            Protocol::Xboard => Conversation::Xboard(xboard::Session::new(setup)),
            Protocol::Checkers(manners) => {
                Conversation::Checkers(Box::new(checkers::Session::new(setup, manners)))
            }
            Protocol::Uci => Conversation::Uci(Box::new(uci::Session::new(setup))),
            #[cfg(feature = "server")]
            Protocol::Web => Conversation::Web(Box::new(web::Session::new(setup))),
            #[cfg(test)]
            Protocol::Toy => Conversation::Toy(toy::Session),
        };
        with_session!(&mut conversation, (), session => session.player.engine.set_profiles(profiles));
        conversation
    }

    /// The protocol, as far as it is known.
    pub fn protocol(&self) -> Protocol {
        match self {
            Conversation::Undecided(_) => Protocol::Auto,
            Conversation::Xboard(_) => Protocol::Xboard,
            Conversation::Checkers(session) => Protocol::Checkers(session.manners()),
            Conversation::Uci(_) => Protocol::Uci,
            #[cfg(feature = "server")]
            Conversation::Web(_) => Protocol::Web,
            #[cfg(test)]
            Conversation::Toy(_) => Protocol::Toy,
        }
    }

    /// Sends the greeting of the protocol, if any. Must be called once, before all input.
    pub fn open(&mut self, effects: &mut Vec<Effect>) {
        match self {
            // Engines of xboard and UCI do not speak first.
            Conversation::Undecided(_) | Conversation::Xboard(_) | Conversation::Uci(_) => {}
            #[cfg(feature = "server")]
            Conversation::Web(_) => {}
            Conversation::Checkers(session) => {
                let mut said = Vec::new();
                session.open(&mut said);
                effects.extend(said.into_iter().map(|effect| effect.map(|reply| Line::from(&reply))));
            }
            #[cfg(test)]
            Conversation::Toy(_) => effects.push(Effect::Send(Line::lasting("HELLO\n".to_owned()))),
        }
    }

    /// Handles one input at the instant `now` and appends the effects, in order.
    pub fn handle(&mut self, input: Input<'_>, now: Instant, effects: &mut Vec<Effect>) {
        if let Conversation::Undecided(Undecided { setup, profiles }) = self {
            if matches!(input, Input::Resumed(_)) {
                return;
            }
            *self = Conversation::new(protocol_of(&input), setup.clone(), profiles.clone());
            self.open(effects);
        }
        #[cfg(test)]
        if let Conversation::Toy(session) = self {
            return session.handle(&input, effects);
        }
        with_session!(self, (), session => {
            let mut said = Vec::new();
            session.handle(input, now, &mut said);
            effects.extend(said.into_iter().map(|effect| effect.map(|reply| Line::from(&reply))));
        });
    }

    /// Handles an input that was sent before `now`, during an outage, as if it had arrived then.
    /// Moves are made now.
    pub fn handle_late(&mut self, input: Input<'_>, sent: SendTime, now: Instant, effects: &mut Vec<Effect>) {
        self.set_lateness(sent.lateness(now));
        self.handle(input, sent.handled, effects);
        self.set_lateness(Lateness::default());
    }

    fn set_lateness(&mut self, lateness: Lateness) {
        // Clients of UCI send the engine's clock before each move, and the Checkers Protocol has
        // none.
        with_session!(self, (), session => session.player.limits.lateness = lateness);
    }

    /// The state at the instant `now`, for [`Conversation::restore`]. Nothing changes: `&mut`
    /// because one description of the fields writes and reads them.
    pub fn state(&mut self, now: Instant) -> SessionState {
        let protocol = self.protocol();
        with_session!(self, SessionState::empty(protocol.word()), session => session.state(now))
    }

    /// Restores a session from a state that was written `age` ago; `profiles` are the server's
    /// profiles besides the one in `setup`. Clocks that ran then have been running since.
    ///
    /// # Errors
    /// Commands cannot have led to that state on this server.
    pub fn restore(
        state: &SessionState,
        setup: Setup,
        profiles: Arc<BTreeMap<String, Arc<Profile>>>,
        age: Duration,
        now: Instant,
    ) -> Result<Conversation, StateError> {
        let protocol = state.protocol().and_then(|word| word.parse().ok()).ok_or(StateError::Header)?;
        let written = now.checked_sub(age).ok_or(StateError::Inconsistent)?;
        Ok(match Conversation::new(protocol, setup, profiles) {
            Conversation::Xboard(session) => Conversation::Xboard(session.restored(state, written)?),
            Conversation::Checkers(session) => {
                Conversation::Checkers(Box::new(session.restored(state, written)?))
            }
            Conversation::Uci(session) => Conversation::Uci(Box::new(session.restored(state, written)?)),
            #[cfg(feature = "server")]
            Conversation::Web(session) => Conversation::Web(Box::new(session.restored(state, written)?)),
            undecided @ Conversation::Undecided(_) => {
                state.read(written, |_| Ok(()))?;
                undecided
            }
            #[cfg(test)]
            toy @ Conversation::Toy(_) => toy,
        })
    }

    /// Returns the finished game that is not archived yet, where the session does not end by
    /// itself.
    pub fn take_game(&mut self, now: Instant) -> Option<Box<FinishedGame>> {
        with_session!(self, None, session => session.take_game(now))
    }

    /// Bytes of memory that grow with the length of the game.
    pub fn game_bytes(&self) -> usize {
        with_session!(self, 0, session => session.game_bytes())
    }

    /// The status at the instant `now`.
    pub fn status_at(&self, now: Instant) -> Status {
        with_session!(self, Status::silent(), session => session.status_at(now))
    }

    /// The session as a watcher sees it at the instant `now`. `None` if there is nothing to see, or
    /// if the players must not see each other's men.
    pub fn picture(&self, extent: Extent, now: Instant) -> Option<Picture> {
        let status = self.status_at(now);
        with_session!(self, None, session => {
            session.scene(now).map(|scene| session.player.picture(scene, &status, extent))
        })
    }

    /// The number under which the session can be watched, on whatever server it goes on; `None`
    /// before the client has sent anything.
    pub fn watch_number(&self) -> Option<u64> {
        with_session!(self, None, session => Some(session.player.watch_number()))
    }

    /// The audience of the session.
    pub fn visibility(&self) -> Visibility {
        with_session!(self, Visibility::Nobody, session => session.player.engine.profile().watch)
    }

    /// Whether a guest with this key may move on the session's board.
    #[cfg(feature = "server")]
    pub fn admits_guest(&self, key: &str) -> bool {
        match self {
            Conversation::Web(session) => session.admits_guest(key),
            Conversation::Undecided(_)
            | Conversation::Xboard(_)
            | Conversation::Checkers(_)
            | Conversation::Uci(_) => false,
            #[cfg(test)]
            Conversation::Toy(_) => false,
        }
    }

    /// Returns true if the client waits for the result of a search: a move, a hint, a perft, or the
    /// `pong` after one of these. Not in a pause, and not during an analysis, whose end is up to
    /// the client.
    pub fn is_due(&self) -> bool {
        with_session!(self, false, session => session.is_due())
    }

    /// Returns true if the session can continue on another server at the instant `now` without a
    /// disadvantage: nothing [is due](Conversation::is_due), the client's input has not ended, and
    /// no analysis waits for the position to settle.
    pub fn may_move(&self, now: Instant) -> bool {
        with_session!(self, true, session => session.may_move(now))
    }

    /// Takes the session's measurements since the last call.
    pub fn take_measured(&mut self) -> Measured {
        with_session!(self, Measured::default(), session => session.player.take_measured())
    }

    /// The lag of moves since the session began: their cost besides thinking.
    pub fn lag(&self) -> LagSeen {
        with_session!(self, LagSeen::default(), session => session.player.lag())
    }
}

/// The protocol of a client's first input: xboard's unless another one recognises its line. A
/// client of the Checkers Protocol that waits for `READY`, as its text asks, is never recognised:
/// it sends nothing.
fn protocol_of(input: &Input<'_>) -> Protocol {
    let (Input::Line(line) | Input::Refused(line)) = input else { return Protocol::Xboard };
    #[cfg(test)]
    if *line == b"TOY" {
        return Protocol::Toy;
    }
    if protocol::checkers::is_spoken(line) {
        Protocol::Checkers(checkers::Manners::default())
    } else if protocol::uci::is_spoken(line) {
        Protocol::Uci
    } else {
        Protocol::Xboard
    }
}

#[cfg(test)]
pub(crate) mod toy;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Books;

    #[test]
    fn a_client_of_draughts_gets_endgames_also_where_its_first_line_decides() {
        let checkers = Protocol::Checkers(checkers::Manners::default());
        for (protocol, first) in [(checkers, None), (Protocol::Auto, Some(b"INIT".as_slice()))] {
            let setup =
                Setup { seed: 1, identity: 1, profile: Arc::new(Profile::new("test", Books::default())) };
            let mut effects = Vec::new();
            let mut conversation = Conversation::new(protocol, setup, Arc::default());
            conversation.open(&mut effects);
            if let Some(line) = first {
                assert!(effects.is_empty());
                conversation.handle(Input::Line(line), Instant::now(), &mut effects);
            }
            assert!(effects.iter().any(|effect| matches!(effect, Effect::SolveEndgames(_))), "{protocol:?}");
        }
    }
}
