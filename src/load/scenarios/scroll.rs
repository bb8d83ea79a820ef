//! Users who scroll through games during an analysis: the position changes a hundred times a second, then
//! stops.

use crate::chess::{AnyPosition, Game, MoveError};
use crate::engines::xboard::EngineLine;
use crate::load::connect_phase::{ANSWER_TIMEOUT, Client};
use crate::load::openings::{Openings, coordinates};
use crate::load::phase::{Actions, ClientEvent, ClientId, Phase};
use crate::load::plan::Plan;
use crate::load::report::Report;
use crate::load::runner::Runner;
use crate::load::statistics::Samples;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::time::{Duration, Instant};

/// Users by default.
pub const SESSIONS: usize = 200;
/// Threads of a new server besides one for each search: the event loop, for each core one whose search is
/// about to end, and a few to spare.
const SPARE_THREADS: u64 = 16;

/// Scrolls, stops, and measures when analyses of the last positions appear.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(runner: &mut Runner, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let clients = runner.open(plan.sessions_or(SESSIONS), report)?.clients;
    let able = clients.iter().all(|client| client.features().ping && client.features().analyze);
    let clients = if able { &clients[..] } else { &[] };
    let mut scroll = Scroll::new(clients, &mut Openings::new(plan.seed), plan.lasting());
    runner.run(&mut scroll, plan.lasting(), report)?;
    let usage = runner.target.usage().filter(|_| runner.target.is_ours());

    report.count("sessions", clients.len());
    let seconds = scroll.elapsed.as_secs_f64();
    let answers = &mut scroll.answers;
    report.add("changes", able.then(|| scroll.changes as f64 / seconds), "changes/s");
    report.add("first line of the last position p50", answers.percentile(50.0), "ms");
    report.add("first line of the last position p99", answers.percentile(99.0), "ms");
    report.add("first line of the last position worst", answers.worst(), "ms");
    let threads = usage.map(|usage| usage.threads);
    report.add("threads of the server", threads.map(|threads| threads as f64), "");
    let most = clients.len() as u64 + 2 * plan.workers() as u64 + SPARE_THREADS;
    if let Some(threads) = threads.filter(|&threads| threads > most) {
        report.problem(format!("{threads} threads, as if more than the last positions were searched"));
    }
    report.must_be_none("lines about another position", scroll.stale);
    report.must_be_none("starved", scroll.starved());
    report.must_be_none("sessions lost", scroll.lost());
    report.must_be_none("errors", scroll.complaints.len());
    report.problems.append(&mut scroll.complaints);
    Ok(())
}

/// Time between two changes of a position.
const PERIOD: Duration = Duration::from_millis(10);
/// Plies of the games.
const PLIES: usize = 60;
/// How long to listen for further lines about the last positions.
const LISTEN_TIME: Duration = Duration::from_millis(500);
/// Number of the ping after the last change.
const LAST_PING: u64 = 7;

/// A user.
struct Reader {
    client: Client,
    /// Moves of the game; the position before each and after the last.
    moves: Vec<String>,
    positions: Vec<AnyPosition>,
    ply: usize,
    forward: bool,
    /// Sends positions instead of moves.
    by_position: bool,
    /// Changes still to be made.
    left: usize,
    /// When the last change was made.
    stopped: Option<Instant>,
    /// The last ping has been answered: further lines are about the last position.
    settled: bool,
    spoken: bool,
    lost: bool,
}

/// Users who scroll.
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
    pub complaints: Vec<String>,
}

impl Scroll {
    /// Each client scrolls through a game of its own for `lasting`.
    pub fn new(clients: &[Client], openings: &mut Openings, lasting: Duration) -> Scroll {
        let changes = (lasting.as_millis() / PERIOD.as_millis()) as usize;
        let readers = clients.iter().enumerate().map(|(index, &client)| {
            // Clients stop at different positions.
            (client.id, Reader::new(client, index, changes + index % 23, &openings.game(PLIES)))
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
            complaints: Vec::new(),
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
            // Spread over one period.
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
                actions.send(id, format!("{text}ping {LAST_PING}\n"));
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
    fn new(client: Client, index: usize, left: usize, game: &Game) -> Reader {
        let mut position = *game.start();
        let mut positions = vec![position];
        for &mv in game.moves() {
            position.play(mv);
            positions.push(position);
        }
        Reader {
            client,
            moves: coordinates(game),
            positions,
            ply: 0,
            forward: true,
            by_position: client.features().setboard && index % 2 == 1,
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
        let mv = &self.moves[self.ply - 1];
        match (self.by_position, self.client.features().usermove) {
            (true, _) => self.setboard(),
            (false, true) => format!("usermove {mv}\n"),
            (false, false) => format!("{mv}\n"),
        }
    }

    fn setboard(&self) -> String {
        format!("setboard {}\n", self.positions[self.ply].fen())
    }
}

/// Whether the moves of `pv` can be played; they end at the first word that is no move.
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
            ClientEvent::Line(line) => match EngineLine::parse(line) {
                EngineLine::Pong(LAST_PING) => reader.settled = reader.stopped.is_some(),
                EngineLine::Thinking { pv, .. } if reader.settled => {
                    if !follows(reader.positions[reader.ply], pv) {
                        self.stale += 1;
                    } else if !std::mem::replace(&mut reader.spoken, true) {
                        let stopped = reader.stopped.unwrap_or(now);
                        self.answers.add(now.saturating_duration_since(stopped));
                    }
                }
                EngineLine::Complaint(text) => self.complaints.push(text.to_owned()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::xboard::Features;
    use crate::load::dialect::Dialect;
    use crate::load::phase::tests::PhaseTester;

    /// Two users, one with moves and one with positions, with three and four changes.
    fn two() -> (PhaseTester, Scroll, Instant) {
        let dialect =
            Dialect::Xboard(Features { ping: true, setboard: true, usermove: true, ..Features::unknown() });
        let clients = [1, 2].map(|number| Client { id: ClientId(number), dialect });
        let scroll = Scroll::new(&clients, &mut Openings::new(1), 3 * PERIOD);
        (PhaseTester::default(), scroll, Instant::now())
    }

    fn scrolled() -> (PhaseTester, Scroll, Instant) {
        let (mut tester, mut scroll, now) = two();
        tester.tick(&mut scroll, now);
        let end = now + 4 * PERIOD;
        tester.tick(&mut scroll, end);
        (tester, scroll, end)
    }

    #[test]
    fn positions_change_and_the_last_is_asked_about() {
        let (mut tester, mut scroll, now) = two();
        let (mut said, mut at) = (String::new(), now);
        while scroll.until.is_none() {
            at = tester.tick(&mut scroll, at).expect("more to come");
            said += &tester.said(ClientId(2));
        }
        let lines: Vec<_> = said.lines().collect();
        assert_eq!(lines[..4], ["new", "force", "post", "analyze"]);
        assert!(lines[4..8].iter().all(|line| line.starts_with("setboard ")), "{lines:?}");
        assert_eq!(lines[8..], ["ping 7"]);
        assert_eq!(scroll.changes, 7);
    }

    #[test]
    fn only_lines_about_the_last_position_count() {
        let (mut tester, mut scroll, end) = scrolled();
        for id in [ClientId(1), ClientId(2)] {
            let position = scroll.readers[&id].positions[scroll.readers[&id].ply];
            let good = format!("1 20 0 50 {} !", position.san(position.legal_moves()[0]));
            tester.hear(&mut scroll, id, &good, end);
            assert!(!scroll.readers[&id].spoken, "it may be about the position before");
            tester.hear(&mut scroll, id, "pong 7", end);
            tester.hear(&mut scroll, id, "1 20 0 50 a1a1", end);
            tester.hear(&mut scroll, id, &good, end + Duration::from_millis(id.0 as u64));
        }
        assert_eq!((scroll.stale, scroll.starved(), scroll.answers.len()), (2, 0, 2));
        assert_eq!(scroll.answers.worst(), Some(2.0));
        let until = tester.tick(&mut scroll, end).expect("it listens on");
        tester.tick(&mut scroll, until);
        assert!(scroll.is_over() && until < end + ANSWER_TIMEOUT);
    }

    #[test]
    fn silence_ends_as_well() {
        let (mut tester, mut scroll, end) = scrolled();
        scroll.on_event(ClientId(1), ClientEvent::Closed("reset"), end, &mut tester.actions);
        tester.hear(&mut scroll, ClientId(2), "Error (bad FEN): setboard", end);
        tester.tick(&mut scroll, end + ANSWER_TIMEOUT);
        assert!(scroll.is_over());
        assert_eq!((scroll.starved(), scroll.lost(), scroll.complaints.len()), (1, 1, 1));
    }

    #[test]
    fn pages_turn_to_the_end_and_back() {
        let (_, mut scroll, _) = two();
        let reader = scroll.readers.get_mut(&ClientId(1)).unwrap();
        let plies = reader.moves.len();
        let mut game = Game::from_position(reader.positions[0]);
        for _ in 0..3 * plies {
            match reader.next_change().trim() {
                "undo" => drop(game.undo().expect("something to undo")),
                text => {
                    let mv = text.strip_prefix("usermove ").expect("a move");
                    game.play(game.position().parse_move(mv).expect("a legal one"));
                }
            }
            assert_eq!(game.position().key(), reader.positions[reader.ply].key());
        }
        assert_eq!(reader.ply, plies, "there, back, and there again");
    }
}
