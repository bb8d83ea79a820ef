//! Whole games of the built-in engine against the GUI of the protocol's time. Time is virtual.

use super::gui::{Gui, TICK};
use super::world::World;
use farboard::draughts::Move;
use farboard::search::{Gate, Report, Table, Verdict, draughts_move, search};
use farboard::session::checkers::Manners;
use std::time::Duration;

/// Nodes of a search.
const NODES: u64 = 1500;
/// Longest wait of the GUI for a move: the time per move, and a tick for every line.
const PATIENCE: Duration = Duration::from_secs(4);

/// A gate that stops a search after some nodes.
struct Counter;

impl Gate for Counter {
    fn poll(&mut self, nodes: u64) -> Verdict {
        if nodes < NODES { Verdict::Continue } else { Verdict::Stop }
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn past_optimum(&self, _: f32) -> bool {
        false
    }
}

/// The variations that the session's search finds, by depth.
fn found(world: &World, table: &Table) -> Vec<(u8, i32, u64, Vec<Move>)> {
    let mut all = Vec::new();
    let request = &world.search.as_ref().expect("a search").request();
    search(request, table, &mut Counter, &mut |report| {
        if let Report::Info(info) = report {
            let pv = info.pv.iter().map(|&mv| draughts_move(mv)).collect();
            all.push((info.depth, info.score.0, info.nodes, pv));
        }
    });
    all
}

/// The GUI, an engine, and pending reports of its search.
struct Fixture {
    gui: Gui,
    world: World,
    table: Table,
    reports: Vec<(u8, i32, u64, Vec<Move>)>,
    /// The search to which the reports belong.
    of: Option<farboard::pool::SearchId>,
}

impl Fixture {
    fn new() -> Fixture {
        let table = Table::new(1).expect("a table");
        Fixture {
            gui: Gui::default(),
            world: World::new(Manners::default()),
            table,
            reports: Vec::new(),
            of: None,
        }
    }

    /// Advances time by a tick, during which the search reports ten times.
    fn tick(&mut self) {
        for _ in 0..10 {
            self.world.wait(TICK / 10);
            self.report();
            for line in self.world.take() {
                self.gui.hear(&line);
            }
        }
        self.gui.tick();
        let written = std::mem::take(&mut self.gui.written);
        self.world.bytes(written.as_bytes());
    }

    fn report(&mut self) {
        let running = self.world.search.as_ref().map(|search| search.id);
        if self.of != running {
            self.of = running;
            self.reports = if running.is_some() { found(&self.world, &self.table) } else { Vec::new() };
            self.reports.reverse();
        }
        if let Some((depth, score, nodes, moves)) = self.reports.pop() {
            self.world.report(depth, score, nodes, &moves);
        }
    }

    fn until(&mut self, what: &str, is_so: impl Fn(&Gui) -> bool) {
        let end = self.world.now + PATIENCE;
        while !is_so(&self.gui) {
            assert!(self.world.now < end, "it hangs: {what}");
            self.tick();
        }
    }
}

#[test]
fn whole_games_without_a_hang() {
    let mut at = Fixture::new();
    at.until("no READY", |gui| gui.is_ready && gui.shown.len() == 6);
    for (name, value) in &at.gui.shown {
        assert!((0..=100).contains(value), "a spin box cannot show {name} {value}");
    }
    let mut choice = 1;
    for game in 0..6 {
        if game > 0 {
            at.gui.begin();
        }
        // The first game shows the orientation of the board; in later ones the engine may begin.
        if game % 2 == 1 {
            at.gui.ask();
            at.until("no first move", |gui| !gui.waits);
        }
        let mut plies = 0;
        while !at.gui.is_over() {
            choice = choice * 31 % 1009;
            at.gui.play(choice);
            at.until("no move", |gui| !gui.waits);
            plies += 1;
            assert!(plies < 300, "a game without an end");
        }
        at.tick();
        assert_eq!(at.gui.game.position(), at.world.session.game().position(), "game {game}");
    }
    at.gui.written.push_str("STOP\nQUIT\n");
    at.tick();
    assert!(at.world.closed);
}
