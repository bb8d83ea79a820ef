//! Opening sessions: connect, say `protover`, read the features, prepare a position.

use super::phase::{Actions, ClientAction, ClientEvent, ClientId, Phase};
use crate::engines::xboard::EngineLine;
use crate::engines::xboard::Features;
use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

/// How long an answer may take before it counts as lost.
pub const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// Silence after which an engine counts as one that announces no features. GUIs wait two seconds, but do not
/// start this many processes at once.
const FEATURES_TIMEOUT: Duration = Duration::from_secs(8);
/// Sessions opened at the same time. Some servers have a short queue of connections to be accepted.
const MAX_CONNECTING: usize = 64;
/// Number of the ping after the preparation.
const PREPARED_PING: u64 = 1;

/// An opened session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Client {
    /// Connection of the session.
    pub id: ClientId,
    /// Features of the engine.
    pub features: Features,
}

/// Opens sessions.
pub struct ConnectPhase<'a> {
    /// Sessions still to be opened.
    left: usize,
    prepare: &'a dyn Fn(&Features) -> String,
    handshakes: HashMap<ClientId, Handshake>,
    /// When to check each handshake again.
    deadlines: BTreeSet<(Instant, ClientId)>,
    /// Sessions that are ready.
    pub clients: Vec<Client>,
    /// Why other sessions failed.
    pub failures: Vec<String>,
    began: Option<Instant>,
    ended: Option<Instant>,
}

struct Handshake {
    since: Instant,
    features: Features,
    state: HandshakeState,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum HandshakeState {
    Connecting,
    /// Waits for features.
    AwaitingFeatures,
    /// Waits for the answer to the ping.
    AwaitingPong,
}

impl<'a> ConnectPhase<'a> {
    /// Opens `sessions` sessions and sends each the text of `prepare`, which must end with a newline.
    pub fn new(sessions: usize, prepare: &'a dyn Fn(&Features) -> String) -> ConnectPhase<'a> {
        ConnectPhase {
            left: sessions,
            prepare,
            handshakes: HashMap::new(),
            deadlines: BTreeSet::new(),
            clients: Vec::new(),
            failures: Vec::new(),
            began: None,
            ended: None,
        }
    }

    /// Sessions opened per second; `None` if none was.
    pub fn rate(&self) -> Option<f64> {
        let elapsed = self.ended?.duration_since(self.began?).as_secs_f64();
        (elapsed > 0.0 && !self.clients.is_empty()).then(|| self.clients.len() as f64 / elapsed)
    }

    fn prepare(&mut self, id: ClientId, actions: &mut Actions) {
        let Some(handshake) = self.handshakes.get_mut(&id) else { return };
        let text = (self.prepare)(&handshake.features);
        if handshake.features.ping {
            handshake.state = HandshakeState::AwaitingPong;
            actions.send(id, format!("{text}ping {PREPARED_PING}\n"));
        } else {
            actions.send(id, text);
            self.add_client(id);
        }
    }

    fn add_client(&mut self, id: ClientId) {
        if let Some(handshake) = self.handshakes.remove(&id) {
            self.clients.push(Client { id, features: handshake.features });
        }
    }

    fn fail(&mut self, id: ClientId, why: String) {
        if self.handshakes.remove(&id).is_some() {
            self.failures.push(why);
        }
    }

    /// Handles sessions whose deadline has passed.
    fn give_up(&mut self, now: Instant, actions: &mut Actions) {
        while let Some(&(at, id)) = self.deadlines.first()
            && at <= now
        {
            self.deadlines.pop_first();
            let Some(handshake) = self.handshakes.get(&id) else { continue };
            let silent =
                handshake.state == HandshakeState::AwaitingFeatures && handshake.features.done.is_none();
            if silent && !handshake.features.ping {
                self.prepare(id, actions);
            } else if now >= handshake.since + ANSWER_TIMEOUT {
                let state = handshake.state;
                self.fail(id, format!("a session was not opened in time ({state:?})"));
                actions.push(ClientAction::Close(id));
            } else {
                // Late, but not lost yet.
                self.deadlines.insert((handshake.since + ANSWER_TIMEOUT, id));
            }
        }
    }
}

impl Phase for ConnectPhase<'_> {
    fn on_event(&mut self, id: ClientId, event: ClientEvent<'_>, now: Instant, actions: &mut Actions) {
        let Some(handshake) = self.handshakes.get_mut(&id) else { return };
        match event {
            ClientEvent::Open => {
                handshake.state = HandshakeState::AwaitingFeatures;
                actions.send(id, "xboard\nprotover 2\n");
            }
            ClientEvent::Closed(why) => self.fail(id, format!("a session was not opened: {why}")),
            ClientEvent::Line(line) => match (EngineLine::parse(line), handshake.state) {
                (EngineLine::Feature(text), HandshakeState::AwaitingFeatures) => {
                    handshake.features.take(text);
                    if handshake.features.done == Some(true) {
                        self.prepare(id, actions);
                    }
                }
                // This engine does not know `protover`, so it has no features.
                (EngineLine::Complaint(_), HandshakeState::AwaitingFeatures) if line.contains("protover") => {
                    self.prepare(id, actions)
                }
                (EngineLine::Complaint(text), _) => {
                    self.fail(id, format!("a session was not opened: {text}"));
                    actions.push(ClientAction::Close(id));
                }
                (EngineLine::Pong(PREPARED_PING), HandshakeState::AwaitingPong) => self.add_client(id),
                _ => {}
            },
        }
        if self.is_over() {
            self.ended = Some(now);
        }
    }

    fn tick(&mut self, now: Instant, actions: &mut Actions) -> Option<Instant> {
        self.began.get_or_insert(now);
        self.give_up(now, actions);
        while self.left > 0 && self.handshakes.len() < MAX_CONNECTING {
            self.left -= 1;
            let id = actions.open();
            let handshake =
                Handshake { since: now, features: Features::unknown(), state: HandshakeState::Connecting };
            self.handshakes.insert(id, handshake);
            self.deadlines.insert((now + FEATURES_TIMEOUT, id));
        }
        if self.is_over() {
            self.ended.get_or_insert(now);
        }
        self.deadlines.first().map(|&(at, _)| at)
    }

    fn is_over(&self) -> bool {
        self.left == 0 && self.handshakes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::phase::tests::PhaseTester;

    fn hello(_: &Features) -> String {
        "new\n".to_owned()
    }

    fn open(tester: &mut PhaseTester, connecting: &mut ConnectPhase<'_>, now: Instant) -> ClientId {
        tester.tick(connecting, now);
        let opened = tester.all();
        let [ClientAction::Open(id)] = opened[..] else { panic!("{opened:?}") };
        connecting.on_event(id, ClientEvent::Open, now, &mut tester.actions);
        assert_eq!(tester.said(id), "xboard\nprotover 2\n");
        id
    }

    #[test]
    fn an_engine_is_asked_what_it_can_and_prepared() {
        let (mut tester, mut connecting) = (PhaseTester::default(), ConnectPhase::new(1, &hello));
        let now = Instant::now();
        let id = open(&mut tester, &mut connecting, now);
        assert_eq!(tester.hear(&mut connecting, id, "feature ping=1 done=0", now), "");
        assert_eq!(tester.hear(&mut connecting, id, "feature done=1", now), "new\nping 1\n");
        assert!(!connecting.is_over());
        tester.hear(&mut connecting, id, "pong 1", now + Duration::from_secs(2));
        assert!(connecting.is_over() && connecting.clients[0].features.ping);
        assert_eq!(connecting.rate(), Some(0.5));
    }

    #[test]
    fn engines_without_features_are_understood() {
        let now = Instant::now();
        let (mut tester, mut connecting) = (PhaseTester::default(), ConnectPhase::new(1, &hello));
        let id = open(&mut tester, &mut connecting, now);
        assert_eq!(tester.hear(&mut connecting, id, "Error (unknown command): protover", now), "new\n");
        assert!(connecting.is_over() && !connecting.clients[0].features.ping);
        let mut connecting = ConnectPhase::new(1, &hello);
        let id = open(&mut tester, &mut connecting, now);
        tester.tick(&mut connecting, now + FEATURES_TIMEOUT);
        assert_eq!(tester.said(id), "new\n");
        assert!(connecting.is_over());
    }

    #[test]
    fn what_does_not_come_or_is_refused_is_told() {
        let now = Instant::now();
        let (mut tester, mut connecting) = (PhaseTester::default(), ConnectPhase::new(1, &hello));
        let id = open(&mut tester, &mut connecting, now);
        tester.hear(&mut connecting, id, "tellusererror The server is full", now);
        assert!(connecting.is_over() && connecting.failures[0].contains("full"));
        let mut connecting = ConnectPhase::new(1, &hello);
        let id = open(&mut tester, &mut connecting, now);
        tester.hear(&mut connecting, id, "feature ping=1 done=1", now);
        let (mut at, mut asked) = (now, 0);
        while let Some(next) = tester.tick(&mut connecting, at) {
            at = next;
            asked += 1;
            assert!(asked < 10, "it is never given up");
        }
        assert!(connecting.is_over() && at == now + ANSWER_TIMEOUT, "{:?}", connecting.failures);
        assert_eq!((connecting.clients.len(), connecting.failures.len()), (0, 1));
        assert_eq!(connecting.rate(), None);
    }

    #[test]
    fn not_all_come_at_once() {
        let (mut tester, mut connecting) = (PhaseTester::default(), ConnectPhase::new(100, &hello));
        let now = Instant::now();
        tester.tick(&mut connecting, now);
        let opened = tester.all();
        assert_eq!(opened.len(), MAX_CONNECTING);
        let ClientAction::Open(first) = opened[0] else { panic!("{opened:?}") };
        connecting.on_event(first, ClientEvent::Closed("refused"), now, &mut tester.actions);
        tester.tick(&mut connecting, now);
        assert_eq!(tester.all().len(), 1);
        assert_eq!(connecting.failures, ["a session was not opened: refused"]);
    }
}
