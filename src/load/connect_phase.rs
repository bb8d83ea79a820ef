//! Opening sessions: connect, wait for the engine's introduction, prepare a position.

use super::client::{LoadClient, error_reply};
use super::phase::{Actions, ClientAction, ClientEvent, ClientId, Phase};
use crate::engines::{ChessEngine, EngineEvent, EngineProtocol};
use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

/// Time after which an answer counts as lost.
pub const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// Silence after which an engine of the xboard protocol counts as one that announces no features.
/// GUIs wait two seconds, but do not start as many processes at once.
const FEATURES_TIMEOUT: Duration = Duration::from_secs(8);
/// Sessions opened at the same time. Some servers accept few connections at once.
const MAX_CONNECTING: usize = 64;
/// Opens sessions.
pub struct ConnectPhase<'a> {
    /// Sessions still to be opened.
    left: usize,
    protocol: EngineProtocol,
    prepare: &'a dyn Fn(&mut ChessEngine) -> String,
    handshakes: HashMap<ClientId, Handshake>,
    /// When to check each handshake again.
    deadlines: BTreeSet<(Instant, ClientId)>,
    /// Sessions that are ready.
    pub clients: Vec<LoadClient>,
    /// Failures of other sessions.
    pub failures: Vec<String>,
    began: Option<Instant>,
    ended: Option<Instant>,
}

struct Handshake {
    since: Instant,
    engine: ChessEngine,
    state: HandshakeState,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum HandshakeState {
    Connecting,
    /// The engine has not announced all its features.
    AwaitingIntroduction,
    /// The preparation has been sent, and the engine is not ready yet.
    Preparing,
}

impl<'a> ConnectPhase<'a> {
    /// Opens sessions, and sends each the commands of `prepare`.
    pub fn new(
        sessions: usize,
        protocol: EngineProtocol,
        prepare: &'a dyn Fn(&mut ChessEngine) -> String,
    ) -> ConnectPhase<'a> {
        ConnectPhase {
            left: sessions,
            protocol,
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
        let text = (self.prepare)(&mut handshake.engine);
        handshake.state = HandshakeState::Preparing;
        actions.send(id, text + &handshake.engine.ping());
        if !handshake.engine.can_ping() {
            self.add_client(id);
        }
    }

    fn add_client(&mut self, id: ClientId) {
        if let Some(mut handshake) = self.handshakes.remove(&id) {
            // Each game and analysis has a copy, which does not know what the others have set.
            if let ChessEngine::Uci(uci) = &mut handshake.engine {
                uci.forget_values();
            }
            self.clients.push(LoadClient { id, engine: handshake.engine });
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
            let is_introduction = handshake.state == HandshakeState::AwaitingIntroduction;
            if is_introduction && handshake.engine.may_be_silent() {
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
                handshake.state = HandshakeState::AwaitingIntroduction;
                actions.send(id, handshake.engine.greeting());
            }
            ClientEvent::Closed(why) => self.fail(id, format!("a session was not opened: {why}")),
            ClientEvent::Line(line) => {
                let state = handshake.state;
                let event = handshake.engine.receive(line);
                match (state, event) {
                    (HandshakeState::AwaitingIntroduction, EngineEvent::Introduced) => {
                        self.prepare(id, actions)
                    }
                    (HandshakeState::Preparing, EngineEvent::Ready) => self.add_client(id),
                    (_, event) => {
                        if let Some(error) = error_reply(&event) {
                            self.fail(id, format!("a session was not opened: {error}"));
                            actions.push(ClientAction::Close(id));
                        }
                    }
                }
            }
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
            let engine = ChessEngine::new(self.protocol);
            let handshake = Handshake { since: now, engine, state: HandshakeState::Connecting };
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

    fn hello(_: &mut ChessEngine) -> String {
        "new\n".to_owned()
    }

    fn open(tester: &mut PhaseTester, connecting: &mut ConnectPhase<'_>, now: Instant) -> ClientId {
        let greeting = ChessEngine::new(connecting.protocol).greeting();
        tester.tick(connecting, now);
        let opened = tester.all();
        let [ClientAction::Open(id)] = opened[..] else { panic!("{opened:?}") };
        connecting.on_event(id, ClientEvent::Open, now, &mut tester.actions);
        assert_eq!(tester.sent(id), greeting);
        id
    }

    #[test]
    fn an_engine_introduces_itself_and_is_prepared() {
        let mut tester = PhaseTester::default();
        let mut connecting = ConnectPhase::new(1, EngineProtocol::Xboard, &hello);
        let now = Instant::now();
        let id = open(&mut tester, &mut connecting, now);
        assert_eq!(tester.receive(&mut connecting, id, "feature ping=1 done=0", now), "");
        assert_eq!(tester.receive(&mut connecting, id, "feature done=1", now), "new\nping 1\n");
        assert!(!connecting.is_over());
        tester.receive(&mut connecting, id, "pong 1", now + Duration::from_secs(2));
        assert!(connecting.is_over() && connecting.clients[0].engine.can_ping());
        assert_eq!(connecting.rate(), Some(0.5));
    }

    #[test]
    fn an_engine_of_uci_is_prepared_in_its_words() {
        let mut tester = PhaseTester::default();
        let mut connecting =
            ConnectPhase::new(1, EngineProtocol::Uci, &|engine| crate::load::client::prepare(engine, None));
        let now = Instant::now();
        let id = open(&mut tester, &mut connecting, now);
        for line in ["id name Farboard", "option name OwnBook type check default false", "readyok"] {
            assert_eq!(tester.receive(&mut connecting, id, line, now), "");
        }
        tester.tick(&mut connecting, now + FEATURES_TIMEOUT);
        assert_eq!(tester.sent(id), "", "an engine of UCI must send uciok");
        let said = tester.receive(&mut connecting, id, "uciok", now);
        assert!(said.starts_with("debug on\n") && said.ends_with("\nisready\n"), "{said}");
        assert!(!connecting.is_over());
        tester.receive(&mut connecting, id, "readyok", now);
        assert!(connecting.is_over() && connecting.failures.is_empty());
        let engine = &connecting.clients[0].engine;
        assert!(engine.has_option("OwnBook") && !engine.has_option("UCI_Variant"));
    }

    #[test]
    fn engines_without_features_are_prepared() {
        let now = Instant::now();
        let mut tester = PhaseTester::default();
        let mut connecting = ConnectPhase::new(1, EngineProtocol::Xboard, &hello);
        let id = open(&mut tester, &mut connecting, now);
        assert_eq!(tester.receive(&mut connecting, id, "Error (unknown command): protover", now), "new\n");
        assert!(connecting.is_over() && !connecting.clients[0].engine.can_ping());
        let mut connecting = ConnectPhase::new(1, EngineProtocol::Xboard, &hello);
        let id = open(&mut tester, &mut connecting, now);
        tester.tick(&mut connecting, now + FEATURES_TIMEOUT);
        assert_eq!(tester.sent(id), "new\n");
        assert!(connecting.is_over());
    }

    #[test]
    fn refused_and_silent_sessions_are_failures() {
        let now = Instant::now();
        let mut tester = PhaseTester::default();
        let mut connecting = ConnectPhase::new(1, EngineProtocol::Xboard, &hello);
        let id = open(&mut tester, &mut connecting, now);
        tester.receive(&mut connecting, id, "tellusererror The server is full", now);
        assert!(connecting.is_over() && connecting.failures[0].contains("full"));
        let mut connecting = ConnectPhase::new(1, EngineProtocol::Xboard, &hello);
        let id = open(&mut tester, &mut connecting, now);
        tester.receive(&mut connecting, id, "feature ping=1 done=1", now);
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
    fn not_all_connect_at_once() {
        let mut tester = PhaseTester::default();
        let mut connecting = ConnectPhase::new(100, EngineProtocol::Xboard, &hello);
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
