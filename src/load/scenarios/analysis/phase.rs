//! Concurrent analyses of different positions.

use crate::engines::{ChessEngine, EngineEvent};
use crate::load::client::{LoadClient, error_reply};
use crate::load::connect_phase::ANSWER_TIMEOUT;
use crate::load::openings::Openings;
use crate::load::phase::{Actions, ClientEvent, ClientId, Phase};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Timeout of the answers to the last request.
const LAST_ANSWERS: Duration = Duration::from_secs(3);

/// State of an analysis.
#[derive(Clone, Debug)]
struct Analysis {
    engine: ChessEngine,
    /// Whether its lines are about this position, and not about the analysis before.
    synchronised: bool,
    nodes: u64,
    has_output: bool,
    /// Whether it has reported its nodes, or was not asked.
    answered: bool,
    lost: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AnalysisState {
    NotBegun,
    Running,
    /// The time is over, and the analyses go on until the phase is run again.
    Paused,
    /// The engines have been asked for their nodes; the phase waits until then.
    Asked(Instant),
    /// Some analyses have no output yet; the phase waits until then.
    Starving(Instant),
    Over,
}

/// Concurrent analyses.
pub struct Analyses {
    list: BTreeMap<ClientId, Analysis>,
    lasting: Duration,
    began: Option<Instant>,
    state: AnalysisState,
    starts: Vec<(ClientId, String)>,
    elapsed: Duration,
    /// Analyses without output when the time was over.
    pub silent: usize,
    /// Whether the phase pauses when the time is over, while all analyses go on. The next run takes
    /// the figures and ends them.
    pub pauses: bool,
    /// Whether other phases decide when it is over.
    pub in_background: bool,
    /// Time to wait for analyses without output when the time is over.
    pub patience: Duration,
    /// Error messages of the server.
    pub errors: Vec<String>,
}

impl Analyses {
    /// An analysis for each client, all of different positions, for `lasting`.
    pub fn new(clients: &[LoadClient], openings: &mut Openings, lasting: Duration) -> Analyses {
        let mut list = BTreeMap::new();
        let mut starts = Vec::new();
        for client in clients {
            let (analysis, start) = Analysis::new(client, openings);
            list.insert(client.id, analysis);
            starts.push((client.id, start));
        }
        Analyses {
            list,
            lasting,
            began: None,
            state: AnalysisState::NotBegun,
            starts,
            elapsed: Duration::ZERO,
            silent: 0,
            pauses: false,
            in_background: false,
            patience: ANSWER_TIMEOUT,
            errors: Vec::new(),
        }
    }

    /// No analyses, for `lasting`.
    pub fn none(lasting: Duration) -> Analyses {
        Analyses::new(&[], &mut Openings::new(0), lasting)
    }

    /// Nodes of each analysis within its time.
    pub fn nodes(&self) -> impl Iterator<Item = u64> {
        self.list.values().map(|analysis| analysis.nodes)
    }

    /// Nodes per second of all analyses.
    pub fn rate(&self) -> f64 {
        self.nodes().sum::<u64>() as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// Analyses without output even after the wait.
    pub fn starved(&self) -> usize {
        self.list.values().filter(|analysis| !analysis.has_output && !analysis.lost).count()
    }

    /// Analyses whose connection ended.
    pub fn lost(&self) -> usize {
        self.list.values().filter(|analysis| analysis.lost).count()
    }

    fn all(&self, what: impl Fn(&Analysis) -> bool) -> bool {
        self.list.values().all(|analysis| analysis.lost || what(analysis))
    }

    fn finish(&mut self, actions: &mut Actions) {
        self.state = AnalysisState::Over;
        for (&id, analysis) in &self.list {
            actions.send(id, analysis.engine.end_analysis());
        }
    }

    /// Requests the nodes; the last lines must do where the request would end a search without
    /// output.
    fn request_nodes(&mut self, now: Instant, actions: &mut Actions) -> Instant {
        self.elapsed = now.saturating_duration_since(self.began.unwrap_or(now));
        for (&id, analysis) in &mut self.list {
            match &analysis.engine {
                ChessEngine::Xboard(_) => actions.send(id, ".\n"),
                // In UCI only the end of a search has all its nodes.
                ChessEngine::Uci(_) if analysis.has_output => {
                    actions.send(id, analysis.engine.end_analysis())
                }
                ChessEngine::Uci(_) => analysis.answered = true,
            }
        }
        let until = now + LAST_ANSWERS;
        self.state = AnalysisState::Asked(until);
        until
    }

    /// Takes the figures, and waits for analyses without output.
    fn settle(&mut self, now: Instant, actions: &mut Actions) {
        self.silent = self.starved();
        if self.silent > 0 && !self.patience.is_zero() {
            self.state = AnalysisState::Starving(now + self.patience);
        } else {
            self.finish(actions);
        }
    }
}

impl Analysis {
    /// An analysis of the next opening, and the commands that begin it.
    fn new(client: &LoadClient, openings: &mut Openings) -> (Analysis, String) {
        let mut engine = client.engine.clone();
        let opening = openings.another();
        let begin = engine.begin_analysis(opening.start()) + &engine.ping();
        let begin = begin + &engine.analyze(opening.start(), opening.moves());
        let synchronised = !engine.can_ping();
        (Analysis { engine, synchronised, nodes: 0, has_output: false, answered: false, lost: false }, begin)
    }
}

impl Phase for Analyses {
    fn on_event(&mut self, id: ClientId, event: ClientEvent<'_>, _: Instant, _: &mut Actions) {
        let Some(analysis) = self.list.get_mut(&id) else { return };
        // Later output does not count, or the slowest machine would have the most nodes.
        let asked = matches!(self.state, AnalysisState::Asked(_));
        let counts = asked || matches!(self.state, AnalysisState::Running | AnalysisState::Paused);
        match event {
            ClientEvent::Line(line) => {
                let event = analysis.engine.receive(line);
                match event {
                    EngineEvent::Ready => analysis.synchronised = true,
                    _ if error_reply(&event).is_some() => {
                        // Not all engines know the command for nodes.
                        if !asked {
                            self.errors.extend(error_reply(&event).map(str::to_owned));
                        } else if analysis.synchronised {
                            analysis.answered = true;
                        }
                    }
                    _ if !analysis.synchronised => {}
                    // Depth 0 is a quick move without a search.
                    EngineEvent::Thinking(thinking) if thinking.depth > 0 => {
                        analysis.has_output = true;
                        if counts {
                            analysis.nodes = analysis.nodes.max(thinking.nodes);
                        }
                    }
                    EngineEvent::Nodes(nodes) if counts => {
                        analysis.nodes = analysis.nodes.max(nodes);
                        analysis.answered = true;
                    }
                    EngineEvent::BestMove { .. } if asked => analysis.answered = true,
                    _ => {}
                }
            }
            ClientEvent::Closed(_) => analysis.lost = true,
            ClientEvent::Open => {}
        }
    }

    fn tick(&mut self, now: Instant, actions: &mut Actions) -> Option<Instant> {
        let until = match self.state {
            AnalysisState::NotBegun => {
                self.began = Some(now);
                self.state = AnalysisState::Running;
                for (id, text) in std::mem::take(&mut self.starts) {
                    actions.send(id, text);
                }
                now + self.lasting
            }
            AnalysisState::Running => {
                let end = self.began.unwrap_or(now) + self.lasting;
                if now < end {
                    return Some(end);
                }
                if self.pauses {
                    self.state = AnalysisState::Paused;
                    return None;
                }
                self.request_nodes(now, actions)
            }
            AnalysisState::Paused => self.request_nodes(now, actions),
            AnalysisState::Asked(until) => {
                if now >= until || self.all(|analysis| analysis.answered) {
                    self.settle(now, actions);
                }
                until
            }
            AnalysisState::Starving(until) => {
                if now >= until || self.all(|analysis| analysis.has_output) {
                    self.finish(actions);
                }
                until
            }
            AnalysisState::Over => return None,
        };
        Some(until)
    }

    fn is_over(&self) -> bool {
        self.in_background || matches!(self.state, AnalysisState::Over | AnalysisState::Paused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::EngineProtocol;
    use crate::load::phase::ClientAction;
    use crate::load::phase::tests::PhaseTester;

    const LASTING: Duration = Duration::from_secs(10);

    fn two() -> (PhaseTester, Analyses, Instant) {
        two_of(EngineProtocol::Xboard)
    }

    fn two_of(protocol: EngineProtocol) -> (PhaseTester, Analyses, Instant) {
        let mut engine = ChessEngine::new(protocol);
        if protocol == EngineProtocol::Xboard {
            engine.receive("feature usermove=1 done=1");
        }
        let clients = [1, 2].map(|number| LoadClient { id: ClientId(number), engine: engine.clone() });
        let mut openings = Openings::new(1);
        (PhaseTester::default(), Analyses::new(&clients, &mut openings, LASTING), Instant::now())
    }

    #[test]
    fn nodes_are_requested_at_the_end() {
        let (mut tester, mut analyses, now) = two();
        assert_eq!(tester.tick(&mut analyses, now), Some(now + LASTING));
        let begin = tester.sent(ClientId(1));
        assert!(
            begin.starts_with("new\neasy\npost\nforce\nusermove ") && begin.ends_with("\nanalyze\n"),
            "{begin}"
        );
        tester.receive(&mut analyses, ClientId(1), "1 20 0 50 e4", now);
        tester.receive(&mut analyses, ClientId(2), "1 20 0 70 e4", now);
        let end = now + LASTING;
        tester.tick(&mut analyses, end);
        assert_eq!(tester.sent(ClientId(2)), ".\n");
        tester.receive(&mut analyses, ClientId(1), "stat01: 1000 6000 8 3 30", end);
        tester.receive(&mut analyses, ClientId(2), "stat01: 1000 4000 8 3 30", end);
        tester.tick(&mut analyses, end);
        assert!(analyses.is_over());
        assert_eq!(tester.sent(ClientId(1)), "exit\n");
        assert_eq!(analyses.nodes().collect::<Vec<_>>(), [6000, 4000]);
        assert_eq!(analyses.rate(), 1000.0);
        assert_eq!((analyses.silent, analyses.starved(), analyses.lost()), (0, 0, 0));
    }

    #[test]
    fn nodes_of_uci_come_with_the_end() {
        let (mut tester, mut analyses, now) = two_of(EngineProtocol::Uci);
        tester.tick(&mut analyses, now);
        let begin = tester.sent(ClientId(1));
        let position = "ucinewgame\nisready\nposition fen ";
        assert!(begin.starts_with(position) && begin.ends_with("\ngo infinite\n"), "{begin}");
        let (first, second) = (ClientId(1), ClientId(2));
        for line in ["info depth 30 nodes 999999 pv e2e4", "bestmove e2e4"] {
            tester.receive(&mut analyses, first, line, now);
        }
        for id in [first, second] {
            tester.receive(&mut analyses, id, "readyok", now);
        }
        tester.receive(&mut analyses, first, "info depth 9 nodes 70 pv e2e4", now);
        let end = now + LASTING;
        tester.tick(&mut analyses, end);
        let told = [first, second].map(|id| ClientAction::Send(id, "stop\n".to_owned()));
        assert_eq!(tester.all(), told[..1], "an analysis without output goes on");
        tester.receive(&mut analyses, first, "info depth 9 nodes 6000 pv e2e4", end);
        tester.receive(&mut analyses, first, "bestmove e2e4", end);
        tester.tick(&mut analyses, end);
        assert!(!analyses.is_over());
        tester.receive(&mut analyses, second, "info depth 0 nodes 0 pv e2e4", end);
        tester.tick(&mut analyses, end + ANSWER_TIMEOUT);
        assert!(analyses.is_over());
        assert_eq!(tester.all(), told);
        assert_eq!(analyses.nodes().collect::<Vec<_>>(), [6000, 0]);
        assert_eq!(analyses.rate(), 600.0);
        assert_eq!((analyses.silent, analyses.starved(), analyses.lost()), (1, 1, 0));
    }

    #[test]
    fn a_pause_comes_before_the_last_request() {
        let (mut tester, mut analyses, now) = two();
        analyses.pauses = true;
        tester.tick(&mut analyses, now);
        tester.all();
        let end = now + LASTING;
        assert_eq!(tester.tick(&mut analyses, end), None);
        assert!(analyses.is_over() && tester.all().is_empty(), "all go on");
        tester.receive(&mut analyses, ClientId(1), "1 20 0 3000 e4", end);
        let later = end + LASTING / 2;
        tester.tick(&mut analyses, later);
        assert!(!analyses.is_over());
        assert_eq!(tester.sent(ClientId(2)), ".\n");
        for id in [ClientId(1), ClientId(2)] {
            tester.receive(&mut analyses, id, "stat01: 1000 6000 8 3 30", later);
        }
        tester.tick(&mut analyses, later);
        tester.tick(&mut analyses, later + ANSWER_TIMEOUT);
        assert!(analyses.is_over());
        assert_eq!(analyses.rate(), 800.0, "in 15 s");
        assert!(tester.sent(ClientId(1)).ends_with("exit\n"));
    }

    #[test]
    fn an_analysis_without_output_is_starved_after_a_wait() {
        let (mut tester, mut analyses, now) = two();
        tester.tick(&mut analyses, now);
        tester.receive(&mut analyses, ClientId(1), "1 20 0 50 e4", now);
        let mut at = now;
        while let Some(next) = tester.tick(&mut analyses, at) {
            at = next;
        }
        assert!(at >= now + LASTING + ANSWER_TIMEOUT);
        assert_eq!((analyses.silent, analyses.starved()), (1, 1));
        assert_eq!(analyses.nodes().collect::<Vec<_>>(), [50, 0]);
    }

    #[test]
    fn an_impatient_phase_waits_only_for_answers() {
        let (mut tester, mut analyses, now) = two();
        analyses.patience = Duration::ZERO;
        tester.tick(&mut analyses, now);
        let end = now + LASTING;
        tester.tick(&mut analyses, end);
        tester.tick(&mut analyses, end + LAST_ANSWERS);
        assert!(analyses.is_over());
        assert!(tester.sent(ClientId(1)).ends_with(".\nexit\n"));
    }

    #[test]
    fn late_output_is_silent_but_not_starved() {
        let (mut tester, mut analyses, now) = two();
        tester.tick(&mut analyses, now);
        analyses.on_event(ClientId(1), ClientEvent::Closed("reset"), now, &mut tester.actions);
        let end = now + LASTING;
        tester.tick(&mut analyses, end);
        tester.tick(&mut analyses, end + LAST_ANSWERS);
        tester.receive(&mut analyses, ClientId(2), "1 20 0 70 e4", end + ANSWER_TIMEOUT);
        tester.tick(&mut analyses, end + ANSWER_TIMEOUT);
        assert!(analyses.is_over());
        assert_eq!((analyses.silent, analyses.starved(), analyses.lost()), (1, 0, 1));
        assert_eq!(analyses.nodes().sum::<u64>(), 0, "too late to count");
    }
}
