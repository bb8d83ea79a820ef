//! A game between two sessions, with the clocks that a GUI would keep.

use crate::chess::{Color, Game as Record};
use crate::engines::time_control::{Clock, TimeControl};
use crate::engines::{Account, EngineEvent};
use crate::load::client::{LoadClient, error_reply, leave_book};
use crate::load::phase::{Actions, ClientId};
use crate::load::statistics::Samples;
use std::time::{Duration, Instant};

/// Time beyond its clock after which an engine's move counts as lost.
const GRACE: Duration = Duration::from_secs(20);
/// Plies after which a game is a draw: some engines would never end.
const MAX_PLIES: usize = 600;
/// Moves of a side from which on the lowest value of its clock shows how much it leaves unused.
const LONG_GAME: usize = 60;

/// Results of games.
#[derive(Clone, Default, Debug)]
pub struct GameStats {
    /// Games that have ended, for any reason.
    pub games: usize,
    /// Moves.
    pub moves: usize,
    /// Nodes of the moves, as far as the engines report them.
    pub nodes: u64,
    /// Moves after the flag fell, and moves that never came.
    pub lost_on_time: usize,
    /// Illegal moves, and moves out of turn.
    pub illegal: usize,
    /// Results that the rules do not justify.
    pub false_claims: usize,
    /// Games that ended with a connection.
    pub aborted: usize,
    /// Other error messages.
    pub errors: usize,
    /// Moves without a search result.
    pub without_search: usize,
    /// Searches that the built-in engine took over from a hosted one that would have been late,
    /// since the server's start, as the server reports.
    pub too_late: Option<u64>,
    /// Worst time that a move took beyond its clock, in milliseconds.
    pub overrun_of_clock: f64,
    /// Worst time that a move took beyond the server's own maximum, in milliseconds; `None` if the
    /// server does not report it.
    pub overrun_of_maximum: Option<f64>,
    /// Clock time of moves beyond the time that the server reports as used.
    pub overhead: Samples,
    /// Lowest value of a clock after a move, as a part of the base; of sides with at least 60
    /// moves.
    pub unused: Vec<f64>,
    /// Largest part of a clock that a move has used while at least a quarter of the base was left.
    pub largest_part: f64,
    /// Descriptions of what was wrong.
    pub descriptions: Vec<String>,
}

/// One side of the game.
#[derive(Clone, Debug)]
struct Side {
    client: LoadClient,
    /// Whether its lines are about this game, and not about the game before.
    synchronised: bool,
    /// Time left on the clock, in milliseconds.
    left: f64,
    /// The lowest value of its clock, in milliseconds.
    lowest: f64,
    /// Moves it has made.
    moves: usize,
    /// Nodes of the current search.
    nodes: u64,
    /// Statistics of the current search, from the server.
    account: Option<Account>,
}

/// A running game.
pub(super) struct Game {
    record: Record,
    sides: [Side; 2],
    clock: Clock,
    /// When the current move became due.
    since: Instant,
    over: bool,
}

impl Game {
    /// Starts a game from the opening.
    pub(super) fn begin(
        clients: [LoadClient; 2],
        opening: Record,
        clock: Clock,
        now: Instant,
        actions: &mut Actions,
    ) -> Game {
        let left = clock.base.as_secs_f64() * 1000.0;
        let side = |client: LoadClient| {
            let synchronised = !client.engine.can_ping();
            Side { client, synchronised, left, lowest: left, moves: 0, nodes: 0, account: None }
        };
        let mut game = Game { record: opening, sides: clients.map(side), clock, since: now, over: false };
        for Side { client: LoadClient { id, engine }, .. } in &mut game.sides {
            let begin = engine.begin_game(game.record.start(), TimeControl::Game(clock), true);
            actions.send(*id, begin + &leave_book(engine) + &engine.ping());
        }
        game.ask(now, actions);
        game
    }

    fn on_move(&self) -> usize {
        usize::from(self.record.position().turn() == Color::Black)
    }

    /// Requests a move of the side to move.
    fn ask(&mut self, now: Instant, actions: &mut Actions) {
        let mover = self.on_move();
        let left = [0, 1].map(|side| Duration::from_secs_f64(self.sides[side].left.max(0.0) / 1000.0));
        let (record, control) = (&self.record, TimeControl::Game(self.clock));
        let side = &mut self.sides[mover];
        let text = side.client.engine.ask_for_move(record.start(), record.moves(), control, left);
        actions.send(side.client.id, text);
        (side.nodes, side.account) = (0, None);
        self.since = now;
    }

    /// Returns true if the game has ended.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// When the side to move forfeits the game.
    pub(super) fn forfeit_at(&self) -> Instant {
        let left = self.sides[self.on_move()].left.max(0.0);
        self.since + Duration::from_secs_f64(left / 1000.0) + GRACE
    }

    /// Handles a line of an engine.
    pub(super) fn receive(
        &mut self,
        id: ClientId,
        line: &str,
        now: Instant,
        stats: &mut GameStats,
        actions: &mut Actions,
    ) {
        let Some(speaker) = self.sides.iter().position(|side| side.client.id == id) else { return };
        if self.over {
            return;
        }
        let thinks = speaker == self.on_move();
        let side = &mut self.sides[speaker];
        let event = side.client.engine.receive(line);
        if event == EngineEvent::Ready {
            side.synchronised = true;
        }
        if !side.synchronised {
            return;
        }
        if let Some(error) = error_reply(&event) {
            stats.errors += 1;
            stats.descriptions.push(format!("{error} in {}", self.record.position().fen()));
            return;
        }
        match event {
            EngineEvent::Thinking(thinking) if thinks => side.nodes = side.nodes.max(thinking.nodes),
            EngineEvent::Account(account) if thinks => side.account = Some(account),
            EngineEvent::BestMove { best: Some(mv), .. } => self.moved(speaker, mv, now, stats, actions),
            EngineEvent::BestMove { best: None, .. } => self.claimed("that there is no move", stats, actions),
            EngineEvent::Resigned => self.end("resignation", actions, stats),
            EngineEvent::Result(text) => self.claimed(text, stats, actions),
            _ => {}
        }
    }

    /// Ends the game by an engine's claim.
    fn claimed(&mut self, what: &str, stats: &mut GameStats, actions: &mut Actions) {
        // A resignation is a result, too, and a draw may be agreed.
        if self.record.ending().is_none() && !what.contains("resign") {
            stats.false_claims += 1;
            stats.descriptions.push(format!("{what} claimed in {}", self.record.position().fen()));
        }
        self.end("claimed", actions, stats);
    }

    fn moved(
        &mut self,
        mover: usize,
        text: &str,
        now: Instant,
        stats: &mut GameStats,
        actions: &mut Actions,
    ) {
        let position = *self.record.position();
        let played = position.parse_move(text).ok().filter(|_| mover == self.on_move());
        let Some(mv) = played else {
            stats.illegal += 1;
            stats.descriptions.push(format!("illegal move {text} in {}", position.fen()));
            return self.end("illegal move", actions, stats);
        };
        self.charge(mover, now, stats);
        self.record.play(mv);
        if self.sides[mover].left < 0.0 {
            stats.lost_on_time += 1;
            stats.descriptions.push(format!(
                "{:.0} ms too late: {text} in {}",
                -self.sides[mover].left,
                position.fen()
            ));
            return self.end("time", actions, stats);
        }
        self.sides[mover].left += self.clock.increment.as_secs_f64() * 1000.0;
        if self.record.ending().is_some() || self.record.moves().len() >= MAX_PLIES {
            return self.end("the rules", actions, stats);
        }
        self.ask(now, actions);
    }

    /// Charges the time of a move and adds its figures.
    fn charge(&mut self, mover: usize, now: Instant, stats: &mut GameStats) {
        let side = &mut self.sides[mover];
        let took = now.saturating_duration_since(self.since);
        let used = took.as_secs_f64() * 1000.0;
        if side.left >= self.clock.base.as_secs_f64() * 250.0 {
            stats.largest_part = stats.largest_part.max(used / side.left);
        }
        side.left -= used;
        side.lowest = side.lowest.min(side.left);
        side.moves += 1;
        stats.moves += 1;
        stats.overrun_of_clock = stats.overrun_of_clock.max(-side.left);
        let Some(account) = side.account else {
            stats.nodes += side.nodes;
            return;
        };
        stats.nodes += side.nodes.max(account.nodes.unwrap_or(0));
        stats.without_search += usize::from(account.nodes.is_none());
        stats.overhead.add(took.saturating_sub(Duration::from_millis(account.used)));
        if let Some(maximum) = account.maximum {
            let overrun = account.used.saturating_sub(maximum) as f64;
            stats.overrun_of_maximum =
                Some(stats.overrun_of_maximum.map_or(overrun, |worst| worst.max(overrun)));
        }
    }

    /// Ends the game because no move came in time.
    pub(super) fn forfeit(&mut self, stats: &mut GameStats, actions: &mut Actions) {
        stats.lost_on_time += 1;
        stats.descriptions.push(format!("no move in {}", self.record.position().fen()));
        self.end("time", actions, stats);
    }

    /// Ends the game because a connection has ended.
    pub(super) fn abort(&mut self, why: &str, stats: &mut GameStats, actions: &mut Actions) {
        if !self.over {
            stats.aborted += 1;
            stats.descriptions.push(format!("a connection of a game: {why}"));
            self.end("connection", actions, stats);
        }
    }

    /// Stops the game during a move. The nodes searched for it count.
    pub(super) fn stop(&mut self, stats: &mut GameStats, actions: &mut Actions) {
        self.over = true;
        stats.nodes += self.sides[self.on_move()].nodes;
        for side in &self.sides {
            actions.send(side.client.id, side.client.engine.stop_game());
        }
    }

    fn end(&mut self, why: &str, actions: &mut Actions, stats: &mut GameStats) {
        self.over = true;
        stats.games += 1;
        let base = self.clock.base.as_secs_f64() * 1000.0;
        let long = self.sides.iter().filter(|side| side.moves >= LONG_GAME && base > 0.0);
        stats.unused.extend(long.map(|side| side.lowest / base));
        let result = crate::chess::Outcome::code(self.record.ending().map(|(outcome, _)| outcome));
        for side in &self.sides {
            actions.send(side.client.id, side.client.engine.end_game(result, why));
        }
    }
}

#[cfg(test)]
mod tests;
