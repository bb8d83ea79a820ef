//! The commands for a hosted engine, and the meaning of its lines: text in, values out.

mod uci;
mod unsupported;
mod xboard;

pub use uci::MANAGED_OPTIONS;
pub(super) use unsupported::Unsupported;

use super::EngineSpec;
use super::question::Question;
use crate::engines::{ChessEngine, EngineEvent, EngineProtocol};
use xboard::KnownGame;

/// An engine of either protocol, as it is used to search positions of many sessions.
#[derive(Debug)]
pub(super) struct Dialect {
    engine: ChessEngine,
    /// The game that an engine of the xboard protocol knows.
    game: Option<KnownGame>,
    /// Whether the next `pong` ends a search, rather than its preparation.
    stopping: bool,
}

impl Dialect {
    pub(super) fn new(protocol: EngineProtocol) -> Dialect {
        Dialect { engine: ChessEngine::new(protocol), game: None, stopping: false }
    }

    /// The first commands.
    pub(super) fn greeting(&self) -> &'static str {
        self.engine.greeting()
    }

    /// Returns true if the engine may never report that its introduction is complete.
    pub(super) fn may_be_silent(&self) -> bool {
        self.engine.may_be_silent()
    }

    /// The name that the engine announces.
    pub(super) fn name(&self) -> Option<&str> {
        self.engine.name()
    }

    /// Sets the options of the configuration, after the greeting. The engine reports that it is
    /// ready if [`Dialect::can_ping`].
    pub(super) fn set_up(&mut self, spec: &EngineSpec) -> String {
        let mut text = String::new();
        for (name, value) in &spec.options {
            text += &match &self.engine {
                ChessEngine::Uci(uci) if !uci.options().has(name) => String::new(),
                ChessEngine::Xboard(_) if name == "memory" => format!("memory {value}\n"),
                engine => engine.set_option(name, value),
            };
        }
        text + &self.engine.ping()
    }

    /// Options of the configuration that the engine does not have.
    pub(super) fn unknown_options<'a>(&self, spec: &'a EngineSpec) -> Vec<&'a str> {
        let knows = |name: &str| match &self.engine {
            ChessEngine::Xboard(xboard) if name == "memory" && xboard.features().has("memory") => true,
            engine => engine.has_option(name),
        };
        spec.options.iter().map(|(name, _)| name.as_str()).filter(|name| !knows(name)).collect()
    }

    /// Returns true if the engine reports when it is ready.
    pub(super) fn can_ping(&self) -> bool {
        self.engine.can_ping()
    }

    /// Returns true if the engine can analyse. If not, only a command makes it move in time.
    pub(super) fn can_analyze(&self) -> bool {
        self.engine.can_analyze()
    }

    /// Returns true if the engine reports the end of a search that was stopped.
    pub(super) fn reports_end(&self) -> bool {
        self.can_ping() || !self.can_analyze()
    }

    /// Returns true if a process can forget what it has searched. If not, a new process must be
    /// started.
    pub(super) fn forgets(&self) -> bool {
        self.is_uci()
    }

    /// Returns true if the engine knows the limit of plies, and ends by itself when it is reached.
    pub(super) fn heeds_depth(&self) -> bool {
        self.is_uci()
    }

    /// Returns true if an illegal first move of a variation is a defect. In the xboard protocol it
    /// may be left over from an earlier search.
    pub(super) fn binds_variations(&self) -> bool {
        self.is_uci()
    }

    fn is_uci(&self) -> bool {
        matches!(self.engine, ChessEngine::Uci(_))
    }

    /// The number of lines that the engine can show at once.
    fn most_lines(&self) -> u8 {
        match &self.engine {
            ChessEngine::Uci(engine) => uci::most_lines(engine),
            ChessEngine::Xboard(_) => 1,
        }
    }

    /// The number of lines that the engine shows in answer to a question.
    pub(super) fn lines(&self, question: &Question) -> u8 {
        let moves = u8::try_from(question.allowed.len()).unwrap_or(u8::MAX);
        question.lines().min(self.most_lines()).min(moves)
    }

    /// The parts of the question that the engine does not support.
    pub(super) fn unsupported(&self, question: &Question) -> Vec<Unsupported> {
        let mut found = Vec::new();
        let variant = question.position.variant();
        if !self.engine.plays(variant).unwrap_or(false) {
            found.push(Unsupported::Variant(variant.name()));
        }
        if let ChessEngine::Xboard(engine) = &self.engine {
            found.extend(xboard::unsupported(engine.features(), question));
        }
        if question.lines() > self.most_lines() {
            found.push(Unsupported::Lines(self.most_lines()));
        }
        let weakens = match &self.engine {
            ChessEngine::Uci(engine) => uci::weakens(engine),
            ChessEngine::Xboard(_) => false,
        };
        let requested = [
            (question.request.style.strength.is_some() && !weakens, Unsupported::Strength),
            (question.request.style.contempt != 0, Unsupported::Contempt),
            (!question.request.knowledge.scores.is_empty(), Unsupported::Scores),
        ];
        found.extend(requested.into_iter().filter_map(|(is_requested, what)| is_requested.then_some(what)));
        found
    }

    /// Everything before the search; with `clear`, the engine also forgets what it has searched if
    /// it can. The engine reports that it is ready if [`Dialect::can_ping`].
    pub(super) fn prepare(&mut self, question: &Question, clear: bool) -> String {
        self.stopping = false;
        let text = match &mut self.engine {
            ChessEngine::Uci(engine) => uci::prepare(engine, question, clear),
            ChessEngine::Xboard(engine) => xboard::prepare(engine, &mut self.game, question),
        };
        text + &self.engine.ping()
    }

    /// Begins the search. `nodes_left` is what is left of its limit of nodes, if it has one.
    pub(super) fn go(&self, question: &Question, nodes_left: Option<u64>) -> String {
        match &self.engine {
            ChessEngine::Uci(_) => uci::go(question, nodes_left),
            ChessEngine::Xboard(engine) => xboard::go(engine.features()).to_owned(),
        }
    }

    /// Ends the search.
    pub(super) fn stop(&mut self) -> String {
        if !self.can_analyze() {
            return "?\n".to_owned();
        }
        if self.is_uci() {
            return self.engine.end_analysis().to_owned();
        }
        self.stopping = true;
        self.engine.end_analysis().to_owned() + &self.engine.ping()
    }

    /// Interprets a line.
    pub(super) fn receive<'a>(&mut self, line: &'a str) -> EngineEvent<'a> {
        let event = self.engine.receive(line);
        let ChessEngine::Xboard(engine) = &self.engine else {
            return if matches!(event, EngineEvent::Error(_)) { EngineEvent::Other } else { event };
        };
        match event {
            EngineEvent::Ready if std::mem::take(&mut self.stopping) => {
                EngineEvent::BestMove { best: None, ponder: None }
            }
            EngineEvent::BestMove { .. } if engine.features().can_analyze() => EngineEvent::Other,
            EngineEvent::Thinking(thinking) if thinking.pv.is_empty() => EngineEvent::Other,
            // Other errors are about commands that an engine need not know.
            EngineEvent::Error(text) if text.starts_with("Error") => EngineEvent::Other,
            event => event,
        }
    }
}

#[cfg(test)]
mod tests;
