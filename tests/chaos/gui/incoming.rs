//! The GUI's input: anything unexpected fails the test.

use super::lines::Thought;
use super::{Features, Gui, Mode, Ping};
use crate::metronome;
use crate::wire::Received;
use farboard::chess::{Color, Ending, Outcome};
use farboard::protocol::xboard::move_text;
use std::time::Instant;

/// Plies after which a game has had every kind of moment.
const EXHAUSTED: u32 = 40;

/// The comment with which a result is claimed.
pub fn claim(outcome: Outcome, ending: Ending) -> &'static str {
    match (outcome, ending) {
        (Outcome::Win(Color::White), _) => "1-0 {White mates}",
        (Outcome::Win(Color::Black), _) => "0-1 {Black mates}",
        (_, Ending::Repetition) => "1/2-1/2 {Draw by repetition}",
        (_, Ending::FiftyMoves) => "1/2-1/2 {Draw by fifty move rule}",
        (_, Ending::InsufficientMaterial) => "1/2-1/2 {Draw by insufficient material}",
        (_, Ending::Stalemate | Ending::Checkmate | Ending::VariantRule) => "1/2-1/2 {Stalemate}",
    }
}

impl Gui {
    pub(super) fn receive(&mut self, at: Instant, received: Received) {
        let line = match received {
            Received::Line(line) => line,
            Received::End(rest) => {
                self.note("(end)");
                self.ended = true;
                if !rest.is_empty() {
                    self.fail(format!("half a line: {}", rest.escape_ascii()));
                }
                return;
            }
        };
        self.note(format!("< {}", line.escape_ascii()));
        let clean = |&byte: &u8| byte == b'\t' || (b' '..=b'~').contains(&byte);
        if !line.iter().all(clean) {
            self.fail("not plain text");
        }
        let line = String::from_utf8(line).expect("ASCII");
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        if line.starts_with("0 0 0 0 (The session goes on ") && line.ends_with(')') {
            if !self.post {
                self.fail("a remark although thinking lines are off");
            }
            return;
        }
        match word {
            "move" => self.hear_move(at, rest),
            "pong" => self.hear_pong(rest),
            "Hint:" => self.hear_hint(rest),
            "feature" => self.hear_feature(rest),
            "1-0" | "0-1" | "1/2-1/2" => self.hear_result(&line),
            "tellics" if self.partner && rest.starts_with("ptell ") => {}
            "offer" if rest == "draw" && matches!(self.mode, Mode::Play(_)) => {}
            _ => match Thought::parse(&line) {
                Some(thought) => self.hear_thought(&thought),
                None => self.fail("unexpected line"),
            },
        }
    }

    fn hear_move(&mut self, at: Instant, text: &str) {
        if std::mem::take(&mut self.crossing) {
            // The move crossed with `force`; xboard takes it back as well.
            self.say("undo");
            let mut game = self.game.clone();
            let Ok(mv) = game.position().parse_move(text) else { self.fail("an illegal move") };
            game.play(mv);
            self.claim = game.ending().map(|(outcome, ending)| claim(outcome, ending));
            return;
        }
        let Some(since) = self.due.take() else { self.fail("an unexpected move") };
        if self.claim.is_some() {
            self.fail("a move instead of a result");
        }
        let Ok(mv) = self.game.position().parse_move(text) else { self.fail("an illegal move") };
        if move_text(self.game.position(), mv) != text {
            self.fail("a move in a wrong notation");
        }
        let forgiven = metronome::lateness(since, at) + (self.own_lateness)(since, at);
        if let Err(problem) = self.clock.charge(at - since, forgiven) {
            self.fail(problem);
        }
        self.game.play(mv);
        self.moves_received += 1;
        self.hint = None;
        self.thoughts.clear();
        self.unsettled = Some(self.last_ping + 1);
        self.claim = self.game.ending().map(|(outcome, ending)| claim(outcome, ending));
    }

    fn hear_pong(&mut self, text: &str) {
        let Some(Ping { number, due, claim }) = self.pings.pop_front() else {
            self.fail("an unexpected pong")
        };
        if text != number.to_string() {
            self.fail(format!("a pong other than {number}"));
        }
        if due.is_some_and(|due| due == self.dues) && self.due.is_some() {
            self.fail("a pong before the move that was due");
        }
        if claim && self.claim.is_some() {
            self.fail("a pong instead of a result");
        }
        if self.unsettled.is_some_and(|ping| ping <= number) {
            self.unsettled = None;
            self.crossing = false;
            self.thoughts.clear();
        }
    }

    fn hear_result(&mut self, line: &str) {
        if self.claim.take() != Some(line) {
            self.fail("a wrong or repeated result");
        }
    }

    fn hear_hint(&mut self, text: &str) {
        if !self.hard {
            self.fail("an unsolicited hint");
        }
        let waits = self.mode == Mode::Play(!self.game.position().turn());
        if waits && self.due.is_none() {
            let legal = self.game.position().parse_move(text).is_ok();
            if !legal && self.unsettled.is_none() {
                self.fail("a hint that is not a legal move");
            }
            self.hint = legal.then(|| text.to_owned());
        }
    }

    fn hear_feature(&mut self, text: &str) {
        if self.features != Features::Asked {
            self.fail("features at the wrong time");
        }
        for feature in text.split(' ').filter(|word| word.contains('=') && !word.contains('"')) {
            let name = feature.split('=').next().unwrap_or_default();
            if name == "done" {
                if feature == "done=1" {
                    self.features = Features::Done;
                }
                continue;
            }
            // Debug comments are of no use without a log.
            let verdict = if name == "debug" { "rejected" } else { "accepted" };
            self.say(format!("{verdict} {name}"));
        }
        if self.features == Features::Done {
            self.say("accepted done");
        }
    }

    fn hear_thought(&mut self, thought: &Thought) {
        if !self.post {
            self.fail("an unwanted thinking line");
        }
        self.exhausted |= thought.depth >= EXHAUSTED;
        let current = self.unsettled.is_none();
        // The last lines before a move agree with it; pondering begins with another move.
        let shown = self.mode == Mode::Analyze || self.due.is_some();
        if current && !shown && !self.hard {
            self.fail("a thinking line without a position");
        }
        let pondering_may_cross = self.hard && !current;
        let at_stake =
            if self.mode == Mode::Analyze { current } else { self.due.is_some() && !pondering_may_cross };
        if !at_stake {
            return;
        }
        let Some(first) = &thought.first else { return };
        match self.game.position().parse_move(first) {
            Ok(mv) => self.thoughts.push((thought.depth, mv)),
            Err(_) => self.fail("a variation of another position"),
        }
    }
}
