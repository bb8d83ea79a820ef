//! What a client must show before its session begins: that it speaks TLS, and that it knows the secret.
//!
//! It has some seconds for that, and nothing here searches or keeps more than a line. A client that does not know what
//! is asked of it, as a GUI or a netcat, is told in one line, the first it gets.

use super::Door;
use super::access_log::{self, Refusal};
use super::census::Full;
use super::handshakes::{Step, Taken};
use super::tenants::Tenants;
use crate::keys::greeting::{GreetingError, Next, ServerGreeting};
use crate::keys::{NoRandomness, Nonce};
use crate::protocol::framing::Frame;
use crate::protocol::http;
use crate::session::http_refusal;
use std::io;
use std::time::{Duration, Instant};

/// How long a client of the program may take to show all that is asked of it: far longer than a shim does.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// What is still to be shown.
pub(super) struct Entrance {
    /// Comes after TLS; `None` where no secret is asked for.
    greeting: Option<ServerGreeting>,
}

impl Entrance {
    /// Whether the client was told the server's proof, and has not answered.
    pub(super) fn is_challenged(&self) -> bool {
        self.greeting.as_ref().is_some_and(|greeting| !greeting.is_of_stranger())
    }

    /// What is asked of those who come there; `None` if nothing is.
    ///
    /// # Errors
    /// There is no random number for a challenge.
    pub(super) fn new(door: &Door) -> Result<Option<Entrance>, NoRandomness> {
        if door.secret.is_none() && door.tls.is_none() {
            return Ok(None);
        }
        let greeting = door.secret.as_ref().map(|_| Nonce::random().map(ServerGreeting::new));
        Ok(Some(Entrance { greeting: greeting.transpose()? }))
    }
}

/// How to connect to this door with the shim.
fn how_to_connect(door: &Door) -> String {
    let tls = if door.tls.is_some() { " --tls FILE" } else { "" };
    let secret = if door.secret.is_some() { " --secret-file FILE" } else { "" };
    format!("connect with farboard-connect{tls}{secret} HOST")
}

/// What a client is told that has not shown what was asked of it.
fn complaint(error: &GreetingError, is_stranger: bool, door: &Door) -> String {
    match error {
        GreetingError::Version => {
            "this server knows only version 1 of the greeting, farboard-connect another: update the older"
                .to_owned()
        }
        GreetingError::Proof => {
            "the secret is not the one of this server: compare the first lines of the files given \
                                 with --secret-file"
                .to_owned()
        }
        GreetingError::Malformed | GreetingError::Refused(_) if is_stranger => {
            format!("this server asks for a secret: {}", how_to_connect(door))
        }
        GreetingError::Malformed | GreetingError::Refused(_) => {
            "this line is no proof of the secret".to_owned()
        }
    }
}

fn refusal(error: &GreetingError) -> Refusal {
    match error {
        GreetingError::Version => Refusal::OtherVersion,
        GreetingError::Proof => Refusal::WrongSecret,
        GreetingError::Malformed | GreetingError::Refused(_) => Refusal::NoSecret,
    }
}

impl Tenants {
    /// Asks a newcomer what its door asks.
    pub(super) fn examine(&mut self, slot: usize, entrance: Entrance, now: Instant) {
        let connection = &mut self.connections[slot];
        connection.entrance = Some(Box::new(entrance));
        let peer = connection.peer;
        self.timers.set(slot, Some(now + self.limits.entrance));
        let dice = self.seed();
        if let Some(loser) = self.unproven.enter(slot, peer.ip(), dice, now) {
            access_log::refused(self.connections[loser].peer, Refusal::Unproven, &Full::Unproven);
            self.say_full(loser, Full::Unproven, now);
        }
    }

    /// Has a step of a TLS handshake taken beside the loop.
    pub(super) fn begin_step(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.connections[slot];
        let (owner, address) = (connection.owner, connection.peer.ip());
        let Some((tls, wanted)) = connection.wire.take_step() else { return };
        if let Err(owner) = self.handshakes.begin(Step { owner, address, tls, wanted }) {
            self.end_busy(owner, now);
        }
    }

    /// There are too many handshakes at once for this one. There is no way to tell the client, but that it ends.
    fn end_busy(&mut self, owner: u64, now: Instant) {
        let slot = owner as u32 as usize;
        let Some(connection) = self.connections.get(slot).filter(|connection| connection.owner == owner)
        else {
            return;
        };
        access_log::refused(connection.peer, Refusal::Busy, &"too many TLS handshakes at once");
        self.close_refused(slot, now);
        self.settle(slot, now);
    }

    /// Goes on with those of whose handshake a step was taken.
    pub(super) fn serve_handshakes(&mut self) {
        while let Some(Taken { owner, tls, outcome }) = self.handshakes.take() {
            let slot = owner as u32 as usize;
            let connection = self.connections.get_mut(slot);
            let Some(connection) = connection.filter(|connection| connection.owner == owner) else {
                continue;
            };
            connection.wire.put_back(tls);
            self.turn_of(slot, |tenants| tenants.end_step(slot, outcome, Instant::now()));
        }
    }

    fn end_step(&mut self, slot: usize, outcome: Result<(), rustls::Error>, now: Instant) {
        match outcome {
            Ok(()) => {
                if !self.connections[slot].wire.is_handshaking() {
                    self.unproven.come_further(slot, now);
                }
                self.list(slot);
                self.settle(slot, now);
            }
            Err(error) => {
                // TLS has a word for it, which is worth a try.
                let _ = self.connections[slot].write(now);
                self.lost(slot, &io::Error::new(io::ErrorKind::InvalidData, error));
            }
        }
    }

    /// Takes what a client has shown so far. What it has said after that is the session's.
    pub(super) fn greet(&mut self, slot: usize, now: Instant) {
        while let Some(connection) = self.connections.get_mut(slot)
            && let Some(entrance) = &mut connection.entrance
            && !connection.wire.is_handshaking()
        {
            let (Some(greeting), Some(secret)) = (&mut entrance.greeting, &connection.door.secret) else {
                return self.let_in(slot, now);
            };
            let is_stranger = greeting.is_of_stranger();
            let next = match connection.lines.next_line() {
                Some(Frame::Line(line)) if http::is_request(line, is_stranger) => {
                    return self.refuse_http(slot, now);
                }
                Some(Frame::Line(line)) => greeting.hear(line, secret),
                Some(Frame::TooLong) => Err(GreetingError::Malformed),
                // There is no session yet whose input it could want looked at.
                Some(Frame::Interrupt) => continue,
                None => return,
            };
            match next {
                Ok(Next::Say(line)) => connection.output.push(&line, None),
                Ok(Next::Begin(line)) => {
                    connection.output.push(line, None);
                    self.let_in(slot, now);
                }
                Err(error) => {
                    let complaint = complaint(&error, is_stranger, &connection.door);
                    self.refuse(slot, refusal(&error), complaint, now);
                }
            }
        }
    }

    fn let_in(&mut self, slot: usize, now: Instant) {
        self.unproven.leave(slot);
        let connection = &mut self.connections[slot];
        connection.entrance = None;
        // Others may have taken the last place meanwhile.
        let peer = connection.peer.ip();
        match self.census.enter(peer, self.sources.most_sessions(peer)) {
            Ok(()) => {
                connection.counted = true;
                self.timers.set(slot, None);
                self.begin_session(slot, now);
            }
            Err(full) => {
                access_log::refused(connection.peer, full.into(), &full);
                self.say_full(slot, full, now);
            }
        }
    }

    /// Tells a client in a line why its session does not begin, and closes.
    fn refuse(&mut self, slot: usize, refusal: Refusal, complaint: String, now: Instant) {
        access_log::refused(self.connections[slot].peer, refusal, &complaint);
        self.send_away(slot, complaint, now);
    }

    /// Tells a client of HTTP in its own way that it has come to the wrong place, and closes.
    fn refuse_http(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.connections[slot];
        access_log::refused(connection.peer, Refusal::Http, &"a request of HTTP");
        http_refusal().for_each(|line| connection.output.push(&line.text, None));
        self.close_refused(slot, now);
    }

    /// A client speaks plainly where TLS is asked for: it is told so, as plainly.
    pub(super) fn refuse_plain_text(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.connections[slot];
        connection.wire.give_tls_up();
        if connection.is_over() {
            // It was told already why it is turned away.
            return;
        }
        let complaint = format!("this server asks for TLS: {}", how_to_connect(&connection.door));
        self.refuse(slot, Refusal::NoTls, complaint, now);
    }

    /// A client has sent its last before it was let in. The beginning of a line shows that it waits for something.
    pub(super) fn refuse_end(&mut self, slot: usize, now: Instant) {
        let connection = &self.connections[slot];
        if connection.lines.held() == 0 {
            connection.say_gone();
            return self.close(slot, now);
        }
        let complaint = format!("this server asks for a secret: {}", how_to_connect(&connection.door));
        self.refuse(slot, Refusal::NoSecret, complaint, now);
    }

    /// The time is over in which a client could show what is asked of it.
    pub(super) fn close_late(&mut self, slot: usize, now: Instant) {
        let connection = &self.connections[slot];
        if connection.wire.is_handshaking() {
            access_log::refused(connection.peer, Refusal::Late, &"it did not agree on TLS in time");
            return self.lost(slot, &io::ErrorKind::TimedOut.into());
        }
        let complaint =
            format!("this server asks for a secret at once: {}", how_to_connect(&connection.door));
        self.refuse(slot, Refusal::Late, complaint, now);
        self.settle(slot, now);
    }
}
