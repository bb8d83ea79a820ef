//! Which protocol a client speaks, and the session of that protocol.
//!
//! This is the seam between the server and the protocols: the server knows a [`Conversation`], the [`Line`]s and
//! other [`Effect`]s that come out of it, and no protocol's words. A new protocol is one more variant here, and one
//! more [`Protocol`] if listeners can ask for it.

use super::{Effect, Input, LagSeen, Profile, Status, xboard};
use crate::protocol::xboard::Reply;
use crate::protocol::{Line, http};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// What is spoken at a listener.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "server", derive(serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Protocol {
    /// Whatever the first line of the client is a line of.
    #[default]
    Auto,
    /// The protocol of xboard and WinBoard.
    Xboard,
    /// For tests: see [`toy`].
    #[cfg(test)]
    #[cfg_attr(feature = "server", serde(skip))]
    Toy,
}

impl Protocol {
    /// As the configuration has it.
    pub fn word(self) -> &'static str {
        match self {
            Protocol::Auto => "auto",
            Protocol::Xboard => "xboard",
            #[cfg(test)]
            Protocol::Toy => "toy",
        }
    }

    /// What a client is told that gets no session, or none any more, so that its user sees it.
    pub fn refusal(self, why: &str) -> Line {
        match self {
            // A client that has said nothing is most likely a GUI of xboard: it waits for nothing before it speaks.
            Protocol::Auto | Protocol::Xboard => Line::from(&Reply::Tellusererror(why.to_owned())),
            #[cfg(test)]
            Protocol::Toy => Line::lasting(format!("NO {why}\n")),
        }
    }

    /// A remark that changes nothing, and that users do not see unless they look for it.
    pub fn remark(self, text: &str) -> Line {
        match self {
            Protocol::Auto | Protocol::Xboard => Line::from(&Reply::Comment(text.to_owned())),
            #[cfg(test)]
            Protocol::Toy => Line::lasting(format!("REMARK {text}\n")),
        }
    }
}

/// What a client of HTTP is told in its own way: it has come to the wrong place.
pub fn http_refusal() -> impl Iterator<Item = Line> {
    http::REFUSAL.into_iter().map(|line| Line::from(&Reply::Http(line)))
}

/// What a session is created with.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Makes the salts of this session's table keys and its choices among equals; different for every session of a
    /// process.
    pub seed: u64,
    /// What it has in common with others.
    pub profile: Arc<Profile>,
}

/// A client that has said nothing yet.
pub struct Undecided {
    setup: Setup,
    profiles: Arc<BTreeMap<String, Arc<Profile>>>,
}

/// What a client and the engine say to each other.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all are sessions, and a box would cost each of them memory"
)]
pub enum Conversation {
    /// The first line will tell which protocol it is.
    Undecided(Undecided),
    /// The protocol of xboard and WinBoard.
    Xboard(xboard::Session),
    /// For tests.
    #[cfg(test)]
    Toy(toy::Session),
}

impl Conversation {
    /// A conversation in which nothing has been said, on a server that has these profiles besides that of the setup.
    pub fn new(
        protocol: Protocol,
        setup: Setup,
        profiles: Arc<BTreeMap<String, Arc<Profile>>>,
    ) -> Conversation {
        match protocol {
            Protocol::Auto => Conversation::Undecided(Undecided { setup, profiles }),
            Protocol::Xboard => Conversation::Xboard(xboard::Session::new(setup).among(profiles)),
            #[cfg(test)]
            Protocol::Toy => Conversation::Toy(toy::Session),
        }
    }

    /// What is spoken.
    pub fn protocol(&self) -> Protocol {
        match self {
            Conversation::Undecided(_) => Protocol::Auto,
            Conversation::Xboard(_) => Protocol::Xboard,
            #[cfg(test)]
            Conversation::Toy(_) => Protocol::Toy,
        }
    }

    /// Says what is to be said before the client has said anything. To be called once, before all input.
    pub fn open(&mut self, effects: &mut Vec<Effect>) {
        let first: &[&str] = match self {
            // Engines of xboard are silent until they are spoken to.
            Conversation::Undecided(_) | Conversation::Xboard(_) => &[],
            #[cfg(test)]
            Conversation::Toy(_) => &["HELLO"],
        };
        effects.extend(first.iter().map(|text| Effect::Send(Line::lasting(format!("{text}\n")))));
    }

    /// Takes one input at the instant `now` and appends what is to be done, in order.
    pub fn handle(&mut self, input: Input<'_>, now: Instant, effects: &mut Vec<Effect>) {
        if let Conversation::Undecided(undecided) = self {
            *self =
                Conversation::new(protocol_of(&input), undecided.setup.clone(), undecided.profiles.clone());
            self.open(effects);
        }
        match self {
            Conversation::Undecided(_) => {}
            Conversation::Xboard(session) => {
                let mut said = Vec::new();
                session.handle(input, now, &mut said);
                effects.extend(said.into_iter().map(|effect| effect.map(|reply| Line::from(&reply))));
            }
            #[cfg(test)]
            Conversation::Toy(session) => session.handle(&input, effects),
        }
    }

    /// How it stands at the instant `now`.
    pub fn status_at(&self, now: Instant) -> Status<'_> {
        match self {
            Conversation::Undecided(_) => Status::silent(),
            Conversation::Xboard(session) => session.status_at(now),
            #[cfg(test)]
            Conversation::Toy(_) => Status::silent(),
        }
    }

    /// What moves have cost besides thinking, since the session began.
    pub fn lag(&self) -> LagSeen {
        match self {
            Conversation::Undecided(_) => LagSeen::default(),
            Conversation::Xboard(session) => session.lag(),
            #[cfg(test)]
            Conversation::Toy(_) => LagSeen::default(),
        }
    }
}

/// What a client speaks whose first input this is: the protocol of xboard unless another one knows its line.
fn protocol_of(input: &Input<'_>) -> Protocol {
    match input {
        #[cfg(test)]
        Input::Line(b"TOY") => Protocol::Toy,
        _ => Protocol::Xboard,
    }
}

#[cfg(test)]
pub(crate) mod toy;
