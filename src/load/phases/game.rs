//! A game between two sessions, with the clocks that a GUI would keep.

use super::Guest;
use crate::chess::{Color, Game as Record};
use crate::load::heard::{Account, Heard};
use crate::load::openings::coordinates;
use crate::load::phase::{Id, Orders};
use crate::load::statistics::Samples;
use crate::protocol::xboard::move_text;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// How much longer than its clock an engine may think before its move counts as lost.
const GRACE: Duration = Duration::from_secs(20);
/// Plies after which a game is a draw. Engines that play on for ever would never end a measurement.
const LONGEST: usize = 600;
/// The ping behind what sets up a game.
const SET_UP: u64 = 8;

/// A time control: what is on the clock, and what each move adds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// On the clock.
    pub base: Duration,
    /// Added after each move.
    pub increment: Duration,
}

impl FromStr for Clock {
    type Err = String;

    fn from_str(text: &str) -> Result<Clock, String> {
        let wrong = || format!("{text:?} is not SECONDS+INCREMENT such as 10+0.1");
        let (base, increment) = text.split_once('+').ok_or_else(wrong)?;
        let seconds = |text: &str| {
            let seconds = text.trim().parse().ok().filter(|seconds| (0.0..=36_000.0).contains(seconds));
            seconds.map(Duration::from_secs_f64).ok_or_else(wrong)
        };
        let clock = Clock { base: seconds(base)?, increment: seconds(increment)? };
        if clock.base.as_secs() == 0 {
            return Err(format!("{text:?}: a game needs a second on the clock at least"));
        }
        Ok(clock)
    }
}

/// What games have shown.
#[derive(Clone, Default, Debug)]
pub struct Faults {
    /// Games that have ended, in whatever way.
    pub games: usize,
    /// Moves.
    pub moves: usize,
    /// Nodes of these moves, as far as they were told.
    pub nodes: u64,
    /// Moves after the flag had fallen, and moves that did not come.
    pub lost_on_time: usize,
    /// Moves that are not legal, or that nobody had asked for.
    pub illegal: usize,
    /// Results that the rules do not know.
    pub false_claims: usize,
    /// Games that ended because a connection did.
    pub broken: usize,
    /// Other complaints.
    pub complaints: usize,
    /// Moves that the server made without having found any.
    pub blind: usize,
    /// How far a move took more than was on the clock, at worst. Milliseconds.
    pub overrun_of_clock: f64,
    /// How far a move took more than the server had allowed itself, at worst, as it says. Milliseconds; `None` if it does not
    /// say.
    pub overrun_of_maximum: Option<f64>,
    /// What moves cost the clock besides what the server says that it used.
    pub beside_thinking: Samples,
    /// What was wrong, in words.
    pub stories: Vec<String>,
}

/// A side.
#[derive(Clone, Copy, Debug)]
struct Side {
    guest: Guest,
    /// What it says is about this game: the one before may have ended while it still had something to say.
    here: bool,
    /// What is left on the clock, milliseconds.
    left: f64,
    /// It has been told `go`, and moves when its opponent has.
    plays: bool,
    /// Nodes of the move it thinks about.
    nodes: u64,
    /// What it says of that move.
    account: Option<Account>,
}

/// A game that is played.
pub struct Game {
    record: Record,
    sides: [Side; 2],
    clock: Clock,
    /// Since when the side on move thinks.
    since: Instant,
    over: bool,
}

impl Game {
    /// Begins a game from there.
    pub fn begin(
        guests: [Guest; 2],
        opening: Record,
        clock: Clock,
        now: Instant,
        orders: &mut Orders,
    ) -> Game {
        let left = clock.base.as_secs_f64() * 1000.0;
        let side = |guest: Guest| {
            let here = !guest.features.ping;
            Side { guest, here, left, plays: false, nodes: 0, account: None }
        };
        let mut game = Game { record: opening, sides: guests.map(side), clock, since: now, over: false };
        for side in &game.sides {
            orders.say(side.guest.id, game.setting_up(&side.guest));
        }
        game.ask(None, now, orders);
        game
    }

    fn setting_up(&self, guest: &Guest) -> String {
        let mut text = "new\nforce\npost\neasy\n".to_owned();
        if guest.features.book {
            text += "option Book=none\n";
        }
        let (minutes, seconds) = (self.clock.base.as_secs() / 60, self.clock.base.as_secs() % 60);
        let increment = self.clock.increment.as_secs_f64();
        text += &format!("level 0 {minutes}:{seconds:02} {increment}\n");
        for mv in coordinates(&self.record) {
            text += &written(guest, &mv);
        }
        if guest.features.ping {
            text += &format!("ping {SET_UP}\n");
        }
        text
    }

    fn on_move(&self) -> usize {
        usize::from(self.record.position().turn() == Color::Black)
    }

    /// Asks the side on move for its move, the opponent having played this one.
    fn ask(&mut self, last: Option<&str>, now: Instant, orders: &mut Orders) {
        let mover = self.on_move();
        let other = self.sides[1 - mover].left;
        let side = &mut self.sides[mover];
        let centiseconds = |left: f64| (left / 10.0).round() as i64;
        let mut text = format!("time {}\notim {}\n", centiseconds(side.left), centiseconds(other));
        text += &last.map(|mv| written(&side.guest, mv)).unwrap_or_default();
        if !std::mem::replace(&mut side.plays, true) {
            text += "go\n";
        }
        (side.nodes, side.account) = (0, None);
        orders.say(side.guest.id, text);
        self.since = now;
    }

    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// When the move that is due is given up.
    pub fn given_up(&self) -> Instant {
        let left = self.sides[self.on_move()].left.max(0.0);
        self.since + Duration::from_secs_f64(left / 1000.0) + GRACE
    }

    /// An engine said this.
    pub fn hear(&mut self, id: Id, line: &str, now: Instant, faults: &mut Faults, orders: &mut Orders) {
        let Some(speaker) = self.sides.iter().position(|side| side.guest.id == id) else { return };
        if self.over {
            return;
        }
        let thinks = speaker == self.on_move();
        let side = &mut self.sides[speaker];
        match Heard::in_line(line) {
            Heard::Pong(SET_UP) => side.here = true,
            _ if !side.here => {}
            Heard::Thinking { nodes, .. } if thinks => side.nodes = side.nodes.max(nodes),
            Heard::Account(account) if thinks => side.account = Some(account),
            Heard::Move(mv) => self.moved(speaker, mv, now, faults, orders),
            Heard::Resign => self.end("resignation", orders, faults),
            Heard::Result(text) => {
                // A resignation is a result, too; and a draw may be agreed on.
                if self.record.ending().is_none() && !text.contains("resign") {
                    faults.false_claims += 1;
                    faults.stories.push(format!("{text} claimed in {}", self.record.position().fen()));
                }
                self.end("claimed", orders, faults);
            }
            Heard::Complaint(text) => {
                faults.complaints += 1;
                faults.stories.push(format!("{text} in {}", self.record.position().fen()));
            }
            _ => {}
        }
    }

    fn moved(&mut self, mover: usize, text: &str, now: Instant, faults: &mut Faults, orders: &mut Orders) {
        let position = *self.record.position();
        let played = position.parse_move(text).ok().filter(|_| mover == self.on_move());
        let Some(mv) = played else {
            faults.illegal += 1;
            faults.stories.push(format!("illegal move {text} in {}", position.fen()));
            return self.end("illegal move", orders, faults);
        };
        self.charge(mover, now, faults);
        let text = move_text(&position, mv);
        self.record.play(mv);
        if self.sides[mover].left < 0.0 {
            faults.lost_on_time += 1;
            faults.stories.push(format!(
                "{:.0} ms too late: {text} in {}",
                -self.sides[mover].left,
                position.fen()
            ));
            return self.end("time", orders, faults);
        }
        self.sides[mover].left += self.clock.increment.as_secs_f64() * 1000.0;
        if self.record.ending().is_some() || self.record.moves().len() >= LONGEST {
            return self.end("the rules", orders, faults);
        }
        self.ask(Some(&text), now, orders);
    }

    /// A move was made: its time is charged and its figures are noted.
    fn charge(&mut self, mover: usize, now: Instant, faults: &mut Faults) {
        let side = &mut self.sides[mover];
        let took = now.saturating_duration_since(self.since);
        side.left -= took.as_secs_f64() * 1000.0;
        faults.moves += 1;
        faults.overrun_of_clock = faults.overrun_of_clock.max(-side.left);
        let Some(account) = side.account else {
            faults.nodes += side.nodes;
            return;
        };
        faults.nodes += side.nodes.max(account.nodes.unwrap_or(0));
        faults.blind += usize::from(account.nodes.is_none());
        faults.beside_thinking.add(took.saturating_sub(Duration::from_millis(account.used)));
        if let Some(maximum) = account.maximum {
            let overrun = account.used.saturating_sub(maximum) as f64;
            faults.overrun_of_maximum =
                Some(faults.overrun_of_maximum.map_or(overrun, |worst| worst.max(overrun)));
        }
    }

    /// The move that is due does not come any more.
    pub fn give_up(&mut self, faults: &mut Faults, orders: &mut Orders) {
        faults.lost_on_time += 1;
        faults.stories.push(format!("no move in {}", self.record.position().fen()));
        self.end("time", orders, faults);
    }

    /// A connection has ended.
    pub fn break_off(&mut self, why: &str, faults: &mut Faults, orders: &mut Orders) {
        if !self.over {
            faults.broken += 1;
            faults.stories.push(format!("a connection of a game: {why}"));
            self.end("connection", orders, faults);
        }
    }

    /// Ends it in the middle of a move. What was searched for it counts.
    pub fn stop(&mut self, faults: &mut Faults, orders: &mut Orders) {
        self.over = true;
        faults.nodes += self.sides[self.on_move()].nodes;
        for side in &self.sides {
            orders.say(side.guest.id, "force\n");
        }
    }

    fn end(&mut self, why: &str, orders: &mut Orders, faults: &mut Faults) {
        self.over = true;
        faults.games += 1;
        let result = match self.record.ending() {
            Some((crate::chess::Outcome::Win(Color::White), _)) => "1-0",
            Some((crate::chess::Outcome::Win(Color::Black), _)) => "0-1",
            Some((crate::chess::Outcome::Draw, _)) => "1/2-1/2",
            None => "*",
        };
        for side in &self.sides {
            orders.say(side.guest.id, format!("result {result} {{{why}}}\nforce\n"));
        }
    }
}

fn written(guest: &Guest, mv: &str) -> String {
    if guest.features.usermove { format!("usermove {mv}\n") } else { format!("{mv}\n") }
}

#[cfg(test)]
mod tests;
