//! Users who scroll through games while they are analysed: the position changes a hundred times a second, and then stops.

use super::{Guest, PATIENCE};
use crate::chess::{AnyPosition, Game, MoveError};
use crate::load::heard::Heard;
use crate::load::openings::{Openings, coordinates};
use crate::load::phase::{Event, Id, Orders, Phase};
use crate::load::statistics::Samples;
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

/// Between two changes of a position.
const PERIOD: Duration = Duration::from_millis(10);
/// Plies of the games.
const PLIES: usize = 60;
/// How long it is listened to what else is said of the last positions.
const LISTENING: Duration = Duration::from_millis(500);
/// The ping behind the last change.
const LAST: u64 = 7;

/// A user.
struct Reader {
    guest: Guest,
    /// The moves of the game, and the position before each and after the last.
    moves: Vec<String>,
    positions: Vec<AnyPosition>,
    ply: usize,
    forward: bool,
    /// Positions are sent, instead of moves.
    by_position: bool,
    /// Changes still to be made.
    left: usize,
    /// When the last one was made.
    stopped: Option<Instant>,
    /// All before it has been heard: what comes now is about the last position.
    settled: bool,
    spoken: bool,
    lost: bool,
}

/// Users who scroll.
pub struct Scroll {
    readers: BTreeMap<Id, Reader>,
    /// Who turns the next page, and when.
    due: VecDeque<(Instant, Id)>,
    /// No later than this.
    until: Option<Instant>,
    began: Option<Instant>,
    over: bool,
    /// Changes made.
    pub changes: usize,
    /// How long these took.
    pub elapsed: Duration,
    /// From the last change to the first line about it.
    pub answers: Samples,
    /// Lines that cannot be about the last position although they came after it.
    pub stale: usize,
    /// What was refused.
    pub complaints: Vec<String>,
}

impl Scroll {
    /// Each guest scrolls through a game of its own for so long.
    pub fn new(guests: &[Guest], openings: &mut Openings, lasting: Duration) -> Scroll {
        let changes = (lasting.as_millis() / PERIOD.as_millis()) as usize;
        let readers = guests.iter().enumerate().map(|(index, &guest)| {
            // They stop at different places.
            (guest.id, Reader::new(guest, index, changes + index % 23, &openings.game(PLIES)))
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

    /// How many have heard nothing of their last position.
    pub fn starved(&self) -> usize {
        self.readers.values().filter(|reader| !reader.spoken && !reader.lost).count()
    }

    /// How many connections ended.
    pub fn lost(&self) -> usize {
        self.readers.values().filter(|reader| reader.lost).count()
    }

    fn begin(&mut self, now: Instant, orders: &mut Orders) {
        self.began = Some(now);
        let count = self.readers.len().max(1) as u32;
        for (index, &id) in self.readers.keys().enumerate() {
            orders.say(id, "new\nforce\npost\nanalyze\n");
            // Not all at the same moment.
            self.due.push_back((now + PERIOD * index as u32 / count, id));
        }
    }

    fn turn_pages(&mut self, now: Instant, orders: &mut Orders) {
        while let Some(&(at, id)) = self.due.front()
            && at <= now
        {
            self.due.pop_front();
            let Some(reader) = self.readers.get_mut(&id).filter(|reader| !reader.lost) else { continue };
            let text = reader.turn_page();
            self.changes += 1;
            if reader.left == 0 {
                reader.stopped = Some(now);
                orders.say(id, format!("{text}ping {LAST}\n"));
            } else {
                orders.say(id, text);
                // Who is late catches up, as a GUI's queue of events would.
                self.due.push_back((at + PERIOD, id));
            }
        }
        if self.due.is_empty() && self.until.is_none() {
            self.elapsed = now.saturating_duration_since(self.began.unwrap_or(now));
            self.until = Some(now + PATIENCE);
        }
    }
}

impl Reader {
    fn new(guest: Guest, index: usize, left: usize, game: &Game) -> Reader {
        let mut position = *game.start();
        let mut positions = vec![position];
        for &mv in game.moves() {
            position.play(mv);
            positions.push(position);
        }
        Reader {
            guest,
            moves: coordinates(game),
            positions,
            ply: 0,
            forward: true,
            by_position: guest.features.setboard && index % 2 == 1,
            left,
            stopped: None,
            settled: false,
            spoken: false,
            lost: false,
        }
    }

    /// What the next change is to be said with.
    fn turn_page(&mut self) -> String {
        self.left = self.left.saturating_sub(1);
        self.forward = if self.ply == 0 { true } else { self.forward && self.ply < self.moves.len() };
        if !self.forward {
            self.ply -= 1;
            return if self.by_position { self.setboard() } else { "undo\n".to_owned() };
        }
        self.ply += 1;
        let mv = &self.moves[self.ply - 1];
        match (self.by_position, self.guest.features.usermove) {
            (true, _) => self.setboard(),
            (false, true) => format!("usermove {mv}\n"),
            (false, false) => format!("{mv}\n"),
        }
    }

    fn setboard(&self) -> String {
        format!("setboard {}\n", self.positions[self.ply].fen())
    }
}

/// Whether these moves can be played from there; what is no move ends them.
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
    fn heard(&mut self, id: Id, event: Event<'_>, now: Instant, _: &mut Orders) {
        let Some(reader) = self.readers.get_mut(&id) else { return };
        match event {
            Event::Line(line) => match Heard::in_line(line) {
                Heard::Pong(LAST) => reader.settled = reader.stopped.is_some(),
                Heard::Thinking { pv, .. } if reader.settled => {
                    if !follows(reader.positions[reader.ply], pv) {
                        self.stale += 1;
                    } else if !std::mem::replace(&mut reader.spoken, true) {
                        let stopped = reader.stopped.unwrap_or(now);
                        self.answers.add(now.saturating_duration_since(stopped));
                    }
                }
                Heard::Complaint(text) => self.complaints.push(text.to_owned()),
                _ => {}
            },
            Event::Closed(_) => reader.lost = true,
            Event::Open => {}
        }
    }

    fn tick(&mut self, now: Instant, orders: &mut Orders) -> Option<Instant> {
        if self.over {
            return None;
        }
        if self.began.is_none() {
            self.begin(now, orders);
        }
        self.turn_pages(now, orders);
        let Some(until) = self.until else { return self.due.front().map(|&(at, _)| at) };
        let all_spoken = self.readers.values().all(|reader| reader.spoken || reader.lost);
        if all_spoken && until > now + LISTENING {
            self.until = Some(now + LISTENING);
        } else if now >= until {
            self.over = true;
            self.readers.keys().for_each(|&id| orders.say(id, "exit\n"));
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
    use crate::load::features::Features;
    use crate::load::phase::tests::Stage;

    /// Two users, one with moves and one with positions, for three changes and four.
    fn two() -> (Stage, Scroll, Instant) {
        let features = Features { ping: true, setboard: true, usermove: true, ..Features::unknown() };
        let guests = [1, 2].map(|number| Guest { id: Id(number), features });
        let scroll = Scroll::new(&guests, &mut Openings::new(1), 3 * PERIOD);
        (Stage::default(), scroll, Instant::now())
    }

    fn scrolled() -> (Stage, Scroll, Instant) {
        let (mut stage, mut scroll, now) = two();
        stage.tick(&mut scroll, now);
        let end = now + 4 * PERIOD;
        stage.tick(&mut scroll, end);
        (stage, scroll, end)
    }

    #[test]
    fn positions_change_and_the_last_is_asked_about() {
        let (mut stage, mut scroll, now) = two();
        let (mut said, mut at) = (String::new(), now);
        while scroll.until.is_none() {
            at = stage.tick(&mut scroll, at).expect("more to come");
            said += &stage.said(Id(2));
        }
        let lines: Vec<_> = said.lines().collect();
        assert_eq!(lines[..4], ["new", "force", "post", "analyze"]);
        assert!(lines[4..8].iter().all(|line| line.starts_with("setboard ")), "{lines:?}");
        assert_eq!(lines[8..], ["ping 7"]);
        assert_eq!(scroll.changes, 7);
    }

    #[test]
    fn only_lines_about_the_last_position_count() {
        let (mut stage, mut scroll, end) = scrolled();
        for id in [Id(1), Id(2)] {
            let position = scroll.readers[&id].positions[scroll.readers[&id].ply];
            let good = format!("1 20 0 50 {} !", position.san(position.legal_moves()[0]));
            stage.hear(&mut scroll, id, &good, end);
            assert!(!scroll.readers[&id].spoken, "it may be about the position before");
            stage.hear(&mut scroll, id, "pong 7", end);
            stage.hear(&mut scroll, id, "1 20 0 50 a1a1", end);
            stage.hear(&mut scroll, id, &good, end + Duration::from_millis(id.0 as u64));
        }
        assert_eq!((scroll.stale, scroll.starved(), scroll.answers.len()), (2, 0, 2));
        assert_eq!(scroll.answers.worst(), Some(2.0));
        let until = stage.tick(&mut scroll, end).expect("it listens on");
        stage.tick(&mut scroll, until);
        assert!(scroll.is_over() && until < end + PATIENCE);
    }

    #[test]
    fn silence_ends_as_well() {
        let (mut stage, mut scroll, end) = scrolled();
        scroll.heard(Id(1), Event::Closed("reset"), end, &mut stage.orders);
        stage.hear(&mut scroll, Id(2), "Error (bad FEN): setboard", end);
        stage.tick(&mut scroll, end + PATIENCE);
        assert!(scroll.is_over());
        assert_eq!((scroll.starved(), scroll.lost(), scroll.complaints.len()), (1, 1, 1));
    }

    #[test]
    fn pages_turn_to_the_end_and_back() {
        let (_, mut scroll, _) = two();
        let reader = scroll.readers.get_mut(&Id(1)).unwrap();
        let plies = reader.moves.len();
        let mut game = Game::from_position(reader.positions[0]);
        for _ in 0..3 * plies {
            match reader.turn_page().trim() {
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
