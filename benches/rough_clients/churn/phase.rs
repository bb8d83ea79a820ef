//! Connections that come and go in every way, polite and not.

use farboard::engines::EngineEvent;
use farboard::engines::xboard::XboardEngine;
use farboard::load::connect_phase::ANSWER_TIMEOUT;
use farboard::load::phase::{Actions, ClientAction, ClientEvent, ClientId, Phase};
use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

/// Duration of a client that reads nothing.
const DEAF_TIME: Duration = Duration::from_millis(50);

/// The behaviour of a client. Connections take the behaviours in turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Behaviour {
    /// Greets, sends a few commands, and quits.
    Polite,
    /// Closes at once.
    Hasty,
    /// Closes during a search for a move.
    LeavesGame,
    /// Resets during a search for a move.
    ResetsGame,
    /// Starts an analysis, never reads, and resets.
    Deaf,
    /// Closes in the middle of a line.
    HalfLine,
    /// Sends many commands and closes before the answers.
    AsksAndLeaves,
    /// Closes during an analysis.
    LeavesAnalysis,
}

const BEHAVIOURS: [Behaviour; 8] = [
    Behaviour::Polite,
    Behaviour::Hasty,
    Behaviour::LeavesGame,
    Behaviour::ResetsGame,
    Behaviour::Deaf,
    Behaviour::HalfLine,
    Behaviour::AsksAndLeaves,
    Behaviour::LeavesAnalysis,
];

impl Behaviour {
    /// The client's commands.
    fn words(self) -> String {
        match self {
            Behaviour::Polite => "xboard\nprotover 2\nnew\nping 3\n".to_owned(),
            Behaviour::Hasty => String::new(),
            // The answer to `.` comes at once and shows that the search has begun. Thinking lines
            // are on, as in all GUIs: without output, a server cannot distinguish a client that
            // has disconnected from one that has only ended its input.
            Behaviour::LeavesGame | Behaviour::ResetsGame => {
                "xboard\noption Book=none\npost\nst 3600\ngo\n.\n".to_owned()
            }
            Behaviour::Deaf => "xboard\npost\nanalyze\n".to_owned(),
            Behaviour::HalfLine => "xboard\nproto".to_owned(),
            Behaviour::AsksAndLeaves => "protover 2\nping 3\n".repeat(8),
            Behaviour::LeavesAnalysis => "xboard\npost\nanalyze\n.\n".to_owned(),
        }
    }
}

/// Connections that come and go.
pub struct Churn {
    left: usize,
    at_once: usize,
    opened: usize,
    there: HashMap<ClientId, Behaviour>,
    /// When clients are to leave, or time out.
    due: BTreeSet<(Instant, ClientId)>,
    began: Option<Instant>,
    /// Clients that left as planned.
    pub done: usize,
    /// Duration.
    pub elapsed: Duration,
    /// Failures.
    pub failures: Vec<String>,
}

impl Churn {
    /// `connections` in total, `at_once` at a time.
    pub fn new(connections: usize, at_once: usize) -> Churn {
        Churn {
            left: connections,
            at_once: at_once.max(1),
            opened: 0,
            there: HashMap::new(),
            due: BTreeSet::new(),
            began: None,
            done: 0,
            elapsed: Duration::ZERO,
            failures: Vec::new(),
        }
    }

    fn leave(&mut self, id: ClientId, action: Option<ClientAction>, actions: &mut Actions) {
        if self.there.remove(&id).is_some() {
            self.done += 1;
            action.into_iter().for_each(|action| actions.push(action));
        }
    }

    fn fail(&mut self, id: ClientId, why: &str) {
        if let Some(behaviour) = self.there.remove(&id) {
            self.failures.push(format!("{behaviour:?}: {why}"));
        }
    }

    fn greet(&mut self, id: ClientId, behaviour: Behaviour, now: Instant, actions: &mut Actions) {
        if behaviour == Behaviour::Deaf {
            actions.push(ClientAction::StopReading(id));
            self.due.insert((now + DEAF_TIME, id));
        }
        actions.send(id, behaviour.words());
        if matches!(behaviour, Behaviour::Hasty | Behaviour::HalfLine | Behaviour::AsksAndLeaves) {
            self.leave(id, Some(ClientAction::Close(id)), actions);
        }
    }

    fn listen(&mut self, id: ClientId, behaviour: Behaviour, line: &str, actions: &mut Actions) {
        if behaviour == Behaviour::Polite && line.starts_with("pong ") {
            actions.send(id, "quit\n");
        }
        match (behaviour, XboardEngine::default().receive(line)) {
            (Behaviour::LeavesGame | Behaviour::LeavesAnalysis, EngineEvent::Nodes(_)) => {
                self.leave(id, Some(ClientAction::Close(id)), actions);
            }
            (Behaviour::ResetsGame, EngineEvent::Nodes(_)) => {
                self.leave(id, Some(ClientAction::Reset(id)), actions)
            }
            (_, EngineEvent::Error(text)) => {
                self.fail(id, text);
                actions.push(ClientAction::Close(id));
            }
            _ => {}
        }
    }

    /// Closes clients that read nothing, and clients that have waited too long.
    fn part(&mut self, now: Instant, actions: &mut Actions) {
        while let Some(&(at, id)) = self.due.first()
            && at <= now
        {
            self.due.pop_first();
            match self.there.get(&id) {
                Some(Behaviour::Deaf) => self.leave(id, Some(ClientAction::Reset(id)), actions),
                Some(_) => {
                    self.fail(id, "not answered in time");
                    actions.push(ClientAction::Close(id));
                }
                None => {}
            }
        }
    }
}

impl Phase for Churn {
    fn on_event(&mut self, id: ClientId, event: ClientEvent<'_>, now: Instant, actions: &mut Actions) {
        let Some(&behaviour) = self.there.get(&id) else { return };
        match event {
            ClientEvent::Open => self.greet(id, behaviour, now, actions),
            ClientEvent::Line(line) => self.listen(id, behaviour, line, actions),
            // Only a client that has quit expects to be closed.
            ClientEvent::Closed(_) if behaviour == Behaviour::Polite => self.leave(id, None, actions),
            ClientEvent::Closed(why) => self.fail(id, why),
        }
    }

    fn tick(&mut self, now: Instant, actions: &mut Actions) -> Option<Instant> {
        let began = *self.began.get_or_insert(now);
        self.part(now, actions);
        while self.left > 0 && self.there.len() < self.at_once {
            self.left -= 1;
            let id = actions.open();
            self.there.insert(id, BEHAVIOURS[self.opened % BEHAVIOURS.len()]);
            self.due.insert((now + ANSWER_TIMEOUT, id));
            self.opened += 1;
        }
        if !self.is_over() {
            self.elapsed = now.saturating_duration_since(began);
        }
        self.due.first().map(|&(at, _)| at)
    }

    fn is_over(&self) -> bool {
        self.left == 0 && self.there.is_empty()
    }
}
