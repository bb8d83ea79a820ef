//! Users who scroll through games during an analysis: the position changes a hundred times a
//! second, then stops.

use farboard::chess::{AnyPosition, Game, Move, MoveError};
use farboard::engines::xboard::XboardEngine;
use farboard::engines::{ChessEngine, EngineEvent};
use farboard::load::Plan;
use farboard::load::Report;
use farboard::load::client::LoadClient;
use farboard::load::connect_phase::ANSWER_TIMEOUT;
use farboard::load::openings::Openings;
use farboard::load::phase::{Actions, ClientEvent, ClientId, Phase};
use farboard::load::runner::Runner;
use farboard::load::statistics::Samples;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::time::{Duration, Instant};

/// Users by default.
pub const SESSIONS: usize = 200;
/// Threads of a new server besides one per search: the event loop, one per core whose search is
/// ending, and a few spare ones.
const SPARE_THREADS: u64 = 16;

/// Scrolls, stops, and measures when analyses of the last positions appear.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(runner: &mut Runner, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let clients = runner.open(plan.sessions_or(SESSIONS), report)?.clients;
    let able = clients.iter().all(|client| client.engine.can_ping() && client.engine.can_analyze());
    let clients = if able { &clients[..] } else { &[] };
    let mut scroll = Scroll::new(clients, &mut Openings::new(plan.seed), plan.lasting());
    runner.run(&mut scroll, plan.lasting(), report)?;
    let usage = runner.target.usage().filter(|_| runner.target.is_own());

    report.count("sessions", clients.len());
    let seconds = scroll.elapsed.as_secs_f64();
    let answers = &scroll.answers;
    report.add("changes", able.then(|| scroll.changes as f64 / seconds), "changes/s");
    report.add_times("first line of the last position", "", answers);
    let threads = usage.map(|usage| usage.threads);
    report.add("threads of the server", threads.map(|threads| threads as f64), "");
    let most = clients.len() as u64 + 2 * plan.workers() as u64 + SPARE_THREADS;
    if let Some(threads) = threads.filter(|&threads| threads > most) {
        report.problem(format!("{threads} threads: more than the last positions were searched"));
    }
    report.must_be_none("lines about another position", scroll.stale);
    report.must_be_none("starved", scroll.starved());
    report.must_be_none("sessions lost", scroll.lost());
    report.must_be_none("errors", scroll.errors.len());
    report.problems.append(&mut scroll.errors);
    Ok(())
}

/// Time between two changes of a position.
const PERIOD: Duration = Duration::from_millis(10);
/// Plies of the games.
const PLIES: usize = 60;
/// Time in which further lines are read about the last positions.
const LISTEN_TIME: Duration = Duration::from_millis(500);

/// A user who scrolls through a game.
struct Reader {
    engine: XboardEngine,
    /// Moves of the game; the position before each and after the last.
    moves: Vec<Move>,
    positions: Vec<AnyPosition>,
    ply: usize,
    forward: bool,
    /// Sends positions instead of moves.
    by_position: bool,
    /// Changes still to be made.
    left: usize,
    /// When the last change was made.
    stopped: Option<Instant>,
    /// Whether the last ping has been answered: further lines are about the last position.
    settled: bool,
    spoken: bool,
    lost: bool,
}

/// The phase in which users scroll.
pub struct Scroll {
    readers: BTreeMap<ClientId, Reader>,
    /// The next change of each user, and when.
    due: VecDeque<(Instant, ClientId)>,
    /// When the phase ends at the latest.
    until: Option<Instant>,
    began: Option<Instant>,
    over: bool,
    /// Number of changes.
    pub changes: usize,
    /// Duration of all changes.
    pub elapsed: Duration,
    /// Time from the last change to the first line about it.
    pub answers: Samples,
    /// Lines after the last change that cannot be about its position.
    pub stale: usize,
    /// Error messages of the server.
    pub errors: Vec<String>,
}

impl Scroll {
    /// Each client scrolls through a game of its own for `lasting`.
    pub fn new(clients: &[LoadClient], openings: &mut Openings, lasting: Duration) -> Scroll {
        let changes = (lasting.as_millis() / PERIOD.as_millis()) as usize;
        let readers = clients.iter().enumerate().filter_map(|(index, client)| {
            let ChessEngine::Xboard(engine) = &client.engine else { return None };
            // Clients stop at different positions.
            let game = openings.game(PLIES);
            Some((client.id, Reader::new(engine.clone(), index, changes + index % 23, &game)))
        });
        Scroll {
            readers: readers.collect(),
            due: VecDeque::new(),
            until: None,
            began: None,
            over: false,
            changes: 0,
            elapsed: Duration::ZERO,
            answers: Samples::default(),
            stale: 0,
            errors: Vec::new(),
        }
    }

    /// Users who got no line about their last position.
    pub fn starved(&self) -> usize {
        self.readers.values().filter(|reader| !reader.spoken && !reader.lost).count()
    }

    /// Connections that ended.
    pub fn lost(&self) -> usize {
        self.readers.values().filter(|reader| reader.lost).count()
    }

    fn begin(&mut self, now: Instant, actions: &mut Actions) {
        self.began = Some(now);
        let count = self.readers.len().max(1) as u32;
        for (index, &id) in self.readers.keys().enumerate() {
            actions.send(id, "new\nforce\npost\nanalyze\n");
            // Users start spread over one period.
            self.due.push_back((now + PERIOD * index as u32 / count, id));
        }
    }

    fn make_changes(&mut self, now: Instant, actions: &mut Actions) {
        while let Some(&(at, id)) = self.due.front()
            && at <= now
        {
            self.due.pop_front();
            let Some(reader) = self.readers.get_mut(&id).filter(|reader| !reader.lost) else { continue };
            let text = reader.next_change();
            self.changes += 1;
            if reader.left == 0 {
                reader.stopped = Some(now);
                actions.send(id, text + &reader.engine.ping());
            } else {
                actions.send(id, text);
                // A user who is late catches up, as the event queue of a GUI would.
                self.due.push_back((at + PERIOD, id));
            }
        }
        if self.due.is_empty() && self.until.is_none() {
            self.elapsed = now.saturating_duration_since(self.began.unwrap_or(now));
            self.until = Some(now + ANSWER_TIMEOUT);
        }
    }
}

impl Reader {
    fn new(engine: XboardEngine, index: usize, left: usize, game: &Game) -> Reader {
        let mut position = *game.start();
        let mut positions = vec![position];
        for &mv in game.moves() {
            position.play(mv);
            positions.push(position);
        }
        Reader {
            by_position: engine.features().has("setboard") && index % 2 == 1,
            engine,
            moves: game.moves().to_vec(),
            positions,
            ply: 0,
            forward: true,
            left,
            stopped: None,
            settled: false,
            spoken: false,
            lost: false,
        }
    }

    /// The command for the next change.
    fn next_change(&mut self) -> String {
        self.left = self.left.saturating_sub(1);
        self.forward = if self.ply == 0 { true } else { self.forward && self.ply < self.moves.len() };
        if !self.forward {
            self.ply -= 1;
            return if self.by_position { self.setboard() } else { "undo\n".to_owned() };
        }
        self.ply += 1;
        let (before, mv) = (&self.positions[self.ply - 1], self.moves[self.ply - 1]);
        if self.by_position { self.setboard() } else { self.engine.moves(before, &[mv], 0) }
    }

    fn setboard(&self) -> String {
        format!("setboard {}\n", self.positions[self.ply].fen())
    }
}

/// Returns true if the moves of `pv`, up to the first word that is not a move, are legal.
fn follows(mut position: AnyPosition, pv: &str) -> bool {
    let mut played = false;
    for word in pv.split_ascii_whitespace() {
        match position.parse_move(word) {
            Ok(mv) => position.play(mv),
            Err(MoveError::Syntax) => break,
            Err(_) => return false,
        }
        played = true;
    }
    played
}

impl Phase for Scroll {
    fn on_event(&mut self, id: ClientId, event: ClientEvent<'_>, now: Instant, _: &mut Actions) {
        let Some(reader) = self.readers.get_mut(&id) else { return };
        match event {
            ClientEvent::Line(line) => match reader.engine.receive(line) {
                EngineEvent::Ready => reader.settled = reader.stopped.is_some(),
                EngineEvent::Thinking(thinking) if reader.settled => {
                    if !follows(reader.positions[reader.ply], thinking.pv) {
                        self.stale += 1;
                    } else if !std::mem::replace(&mut reader.spoken, true) {
                        let stopped = reader.stopped.unwrap_or(now);
                        self.answers.add(now.saturating_duration_since(stopped));
                    }
                }
                EngineEvent::Error(text) => self.errors.push(text.to_owned()),
                _ => {}
            },
            ClientEvent::Closed(_) => reader.lost = true,
            ClientEvent::Open => {}
        }
    }

    fn tick(&mut self, now: Instant, actions: &mut Actions) -> Option<Instant> {
        if self.over {
            return None;
        }
        if self.began.is_none() {
            self.begin(now, actions);
        }
        self.make_changes(now, actions);
        let Some(until) = self.until else { return self.due.front().map(|&(at, _)| at) };
        let all_spoken = self.readers.values().all(|reader| reader.spoken || reader.lost);
        if all_spoken && until > now + LISTEN_TIME {
            self.until = Some(now + LISTEN_TIME);
        } else if now >= until {
            self.over = true;
            self.readers.keys().for_each(|&id| actions.send(id, "exit\n"));
        }
        self.until
    }

    fn is_over(&self) -> bool {
        self.over
    }
}
