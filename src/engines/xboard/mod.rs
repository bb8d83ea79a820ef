//! The GUI's side of the xboard protocol, sans-io: methods return the commands to send, and
//! [`XboardEngine::receive`] says what a line of the engine means.

mod features;

pub use features::Features;

use super::Account;
use super::event::{EngineEvent, Thinking, centipawns, mate};
use super::time_control::TimeControl;
use crate::chess::{AnyPosition, Move, Variant};
use crate::protocol::xboard::{move_text, variant_name};
use crate::search::Bound;
use std::fmt::Write;
use std::time::Duration;

/// A mate in N moves is this many points and N.
const MATE: i64 = 100_000;

/// An engine that speaks the xboard protocol: what it has announced, and what it knows of the game.
#[derive(Clone, Default, Debug)]
pub struct XboardEngine {
    features: Features,
    /// Whether all features have been announced.
    introduced: bool,
    /// The number of the last `ping`.
    pings: u64,
    /// Moves of the game that the engine knows.
    known_moves: usize,
    /// Whether it has received `go` in this game, and so answers each move.
    playing: bool,
    /// Whether castling in Chess960 is sent as the king's move to its rook.
    castling_takes_rook: bool,
}

impl XboardEngine {
    /// The name that the engine announces.
    pub fn name(&self) -> Option<&str> {
        self.features.value("myname")
    }

    /// The features announced so far.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// Returns true if the engine declares an option.
    pub fn has_option(&self, name: &str) -> bool {
        self.features.option(name).is_some()
    }

    /// Returns true if the engine plays a variant; `None` if it announces no variants.
    pub fn plays(&self, variant: Variant) -> Option<bool> {
        let name = variant_name(variant);
        let known =
            self.features.value("variants").map(|list| list.split(',').any(|known| known.trim() == name));
        if variant == Variant::NORMAL { Some(true) } else { known }
    }

    /// Interprets a line.
    pub fn receive<'a>(&mut self, line: &'a str) -> EngineEvent<'a> {
        let line = line.trim();
        let (word, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        let best = |mv| EngineEvent::BestMove { best: Some(mv), ponder: None };
        match word {
            "feature" if self.announce(rest) => EngineEvent::Introduced,
            "pong" if rest.trim().parse() == Ok(self.pings) => EngineEvent::Ready,
            "move" => best(rest.trim()),
            // GNU Chess writes `My move is : e2e4`.
            "My" => rest
                .strip_prefix("move is")
                .map_or(EngineEvent::Other, |rest| best(rest.trim_start_matches([' ', ':']))),
            "resign" => EngineEvent::Resigned,
            "1-0" | "0-1" | "1/2-1/2" => EngineEvent::Result(line),
            "Error" | "Illegal" | "tellusererror" => self.error(line),
            "stat01:" => nodes_of(rest).map_or(EngineEvent::Other, EngineEvent::Nodes),
            "#" => Account::parse(rest).map_or(EngineEvent::Other, EngineEvent::Account),
            _ if word.starts_with(|first: char| first.is_ascii_digit()) => thinking(line),
            _ => EngineEvent::Other,
        }
    }

    /// Takes announced features. Returns true if they are complete, once.
    fn announce(&mut self, text: &str) -> bool {
        self.features.take(text);
        self.features.has("done") && !std::mem::replace(&mut self.introduced, true)
    }

    fn error<'a>(&mut self, line: &'a str) -> EngineEvent<'a> {
        // An engine that does not know `protover` has no features to announce.
        if !self.introduced && line.contains("protover") {
            self.introduced = true;
            return EngineEvent::Introduced;
        }
        EngineEvent::Error(line)
    }

    /// Requests [`EngineEvent::Ready`], if the engine knows `ping`.
    pub fn ping(&mut self) -> String {
        if !self.features.has("ping") {
            return String::new();
        }
        self.pings += 1;
        format!("ping {}\n", self.pings)
    }

    /// Begins a game, with a time control or for an analysis, with thinking output or without. The
    /// engine neither ponders nor moves.
    pub fn begin(&mut self, variant: Variant, control: Option<TimeControl>, post: bool) -> String {
        self.new_game(variant, control, post) + "force\n"
    }

    /// Begins a game in which the engine plays Black until it receives `go`.
    pub fn begin_as_black(&mut self, variant: Variant, control: TimeControl) -> String {
        self.new_game(variant, Some(control), false)
    }

    /// Begins a game without a clock, in which the engine does not move. Changes no setting: not
    /// every engine knows `easy` and `nopost`.
    pub fn begin_plain(&mut self, variant: Variant) -> String {
        self.new_board(variant) + "force\n"
    }

    fn new_board(&mut self, variant: Variant) -> String {
        (self.known_moves, self.playing) = (0, false);
        match variant {
            Variant::NORMAL => "new\n".to_owned(),
            other => format!("new\nvariant {}\n", variant_name(other)),
        }
    }

    fn new_game(&mut self, variant: Variant, control: Option<TimeControl>, post: bool) -> String {
        let mut text = self.new_board(variant);
        match control {
            Some(TimeControl::Game(clock)) => {
                let (seconds, increment) = (clock.base.as_secs(), clock.increment.as_secs_f64());
                let _ = writeln!(text, "level 0 {}:{:02} {increment}", seconds / 60, seconds % 60);
            }
            Some(TimeControl::Move(each)) => {
                let _ = writeln!(text, "st {}", each.as_secs_f64());
            }
            // The protocol has no command for nodes.
            Some(TimeControl::Nodes(_)) | None => {}
        }
        text + if post { "easy\npost\n" } else { "easy\nnopost\n" }
    }

    /// Sends a move.
    pub fn usermove(&self, mv: &str) -> String {
        if self.features.has("usermove") { format!("usermove {mv}\n") } else { format!("{mv}\n") }
    }

    fn move_command(&self, position: &AnyPosition, mv: Move) -> String {
        if self.castling_takes_rook {
            self.usermove(&position.coordinates(mv))
        } else {
            self.usermove(&move_text(position, mv))
        }
    }

    /// Sends the moves of a game after the first `known` ones.
    pub fn moves(&self, start: &AnyPosition, moves: &[Move], known: usize) -> String {
        let (mut text, mut position) = (String::new(), *start);
        for (ply, &mv) in moves.iter().enumerate() {
            if ply >= known {
                text += &self.move_command(&position, mv);
            }
            position.play(mv);
        }
        text
    }

    /// Sends the last move again, as the king's move to its rook. To be called once, after a
    /// castling move in Chess960 that the engine has refused; returns `None` the second time.
    pub fn retry_castling(&mut self, position: &AnyPosition, mv: Move) -> Option<String> {
        let is_first = !std::mem::replace(&mut self.castling_takes_rook, true);
        is_first.then(|| self.move_command(position, mv))
    }

    /// Requests a move; `left` is the time of White and Black.
    pub(super) fn ask_for_move(
        &mut self,
        start: &AnyPosition,
        moves: &[Move],
        control: TimeControl,
        left: [Duration; 2],
    ) -> String {
        let mut position = *start;
        moves.iter().for_each(|&mv| position.play(mv));
        let turn = position.turn();
        let clocks = match control {
            TimeControl::Game(_) => {
                let centiseconds = |side: crate::chess::Color| left[side.index()].as_millis() / 10;
                format!("time {}\notim {}\n", centiseconds(turn), centiseconds(!turn))
            }
            TimeControl::Move(_) | TimeControl::Nodes(_) => String::new(),
        };
        let new = self.moves(start, moves, self.known_moves);
        // The engine knows the move that it answers with.
        self.known_moves = moves.len() + 1;
        if std::mem::replace(&mut self.playing, true) {
            // Nothing may follow the move: some engines move at once at any further input.
            clocks + &new
        } else {
            new + &clocks + "go\n"
        }
    }

    /// Analyses the position after these moves.
    pub(super) fn analyze(&mut self, start: &AnyPosition, moves: &[Move]) -> String {
        let text = self.moves(start, moves, self.known_moves);
        self.known_moves = moves.len();
        text + "analyze\n"
    }
}

/// The nodes in the text after `stat01:`.
fn nodes_of(text: &str) -> Option<u64> {
    text.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// `ply score time nodes pv`. A mark may follow the ply; book moves have ply 0.
fn thinking(line: &str) -> EngineEvent<'_> {
    let mut rest = line;
    let mut next = || {
        let (word, behind) = rest.trim_start().split_once(|c: char| c.is_ascii_whitespace())?;
        rest = behind;
        Some(word)
    };
    let mut head = || {
        let depth: u64 = next()?.trim_end_matches(|mark: char| !mark.is_ascii_digit()).parse().ok()?;
        let score: i64 = next()?.parse().ok()?;
        // Some engines have a fraction.
        let _time: f64 = next()?.parse().ok()?;
        let nodes: u64 = next()?.parse().ok()?;
        (depth > 0).then_some((u8::try_from(depth).unwrap_or(u8::MAX), score, nodes))
    };
    let Some((depth, score, nodes)) = head() else { return EngineEvent::Other };
    // More numbers may precede a tab.
    let pv = rest.split_once('\t').map_or(rest, |(_, pv)| pv).trim();
    let distance = i64::try_from(score.unsigned_abs()).unwrap_or(i64::MAX).saturating_sub(MATE);
    let score =
        if distance > 0 && distance < MATE { mate(score.signum() * distance) } else { centipawns(score) };
    EngineEvent::Thinking(Thinking {
        depth,
        selective_depth: depth,
        line: 1,
        score,
        bound: Bound::Exact,
        nodes,
        pv,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Game;
    use crate::search::Score;

    fn engine(features: &str) -> XboardEngine {
        let mut engine = XboardEngine::default();
        assert_eq!(engine.receive("feature done=0"), EngineEvent::Other);
        assert_eq!(engine.receive(&format!("feature {features}")), EngineEvent::Other);
        assert_eq!(engine.receive("feature done=1"), EngineEvent::Introduced);
        assert_eq!(engine.receive("feature option=\"Later -check 1\""), EngineEvent::Other);
        engine
    }

    fn game(moves: &str) -> Game {
        let mut game = Game::new(Variant::NORMAL);
        for text in moves.split_whitespace() {
            game.play(game.position().parse_move(text).unwrap());
        }
        game
    }

    #[test]
    fn each_line_has_its_meaning() {
        let mut engine = engine("ping=1");
        let best = |mv| EngineEvent::BestMove { best: Some(mv), ponder: None };
        assert_eq!(engine.receive("move e7e8q\r"), best("e7e8q"));
        assert_eq!(engine.receive("My move is : e2e4"), best("e2e4"));
        assert_eq!(engine.receive("1/2-1/2 {Draw}"), EngineEvent::Result("1/2-1/2 {Draw}"));
        assert_eq!(engine.receive("resign"), EngineEvent::Resigned);
        let error = "Illegal move (in check): e2e4";
        assert_eq!(engine.receive(error), EngineEvent::Error(error));
        assert_eq!(engine.receive("stat01: 120 34567 8 3 30 Nf3"), EngineEvent::Nodes(34567));
        let account = Account { nodes: Some(1000), used: 120, maximum: Some(4950) };
        let line =
            "# depth 5, score mate in 3, 1000 nodes; 120 ms used of 300 to 4950 ms; lag 0 ms, at worst 0 ms";
        assert_eq!(engine.receive(line), EngineEvent::Account(account));
        for other in ["", "pong", "pong 7", "stat01:", "TellUser: hello", "# hello"] {
            assert_eq!(engine.receive(other), EngineEvent::Other, "{other}");
        }
    }

    #[test]
    fn only_the_last_ping_counts() {
        let mut engine = engine("ping=1");
        assert_eq!((engine.ping().as_str(), engine.ping().as_str()), ("ping 1\n", "ping 2\n"));
        assert_eq!(engine.receive("pong 1"), EngineEvent::Other);
        assert_eq!(engine.receive("pong 2"), EngineEvent::Ready);
        assert_eq!(XboardEngine::default().ping(), "");
    }

    #[test]
    fn an_engine_of_the_first_version_is_introduced_by_its_error() {
        let mut old = XboardEngine::default();
        assert_eq!(old.receive("Error (unknown command): protover"), EngineEvent::Introduced);
        assert!(old.features().can_analyze() && old.features().value("done").is_none());
    }

    #[test]
    fn thinking_lines_of_several_engines() {
        let mut engine = engine("");
        let mut parse = |line| match engine.receive(line) {
            EngineEvent::Thinking(found) => (found.depth, found.score, found.nodes, found.pv.to_owned()),
            other => panic!("{line}: {other:?}"),
        };
        let line = "12 31 250 1234567 20 493826 0\te4 e5 Nf3 !";
        assert_eq!(parse(line), (12, Score(31), 1_234_567, "e4 e5 Nf3 !".to_owned()));
        assert_eq!(parse("  5.   -31   12   4321  Nc6 Bb5"), (5, Score(-31), 4321, "Nc6 Bb5".to_owned()));
        assert_eq!(parse("3 100002 1 7 Qh5").1.mate_distance(), Some(2));
        assert_eq!(parse("3 -100002 1 7 Qh5").1.mate_distance(), Some(-2));
        for other in ["0 0 0 0 (e4 64%, d4 24%)", "1. ... e7e5", "5 31 12", "5 31 12 x e4", "1"] {
            assert_eq!(engine.receive(other), EngineEvent::Other, "{other}");
        }
    }

    #[test]
    fn an_engine_receives_only_moves_that_it_does_not_know() {
        let mut engine = engine("usermove=1");
        let control = TimeControl::Game("75+0.5".parse().unwrap());
        let begin = engine.begin(Variant::FISCHERANDOM, Some(control), false);
        assert_eq!(begin, "new\nvariant fischerandom\nlevel 0 1:15 0.5\neasy\nnopost\nforce\n");
        let left = [Duration::from_secs(9), Duration::from_secs(8)];
        let mut ask = |moves: &str| {
            let game = game(moves);
            engine.ask_for_move(game.start(), game.moves(), control, left)
        };
        assert_eq!(ask("e4"), "usermove e2e4\ntime 800\notim 900\ngo\n");
        assert_eq!(ask("e4 e5 Nf3"), "time 800\notim 900\nusermove g1f3\n");
        let each = engine.begin(Variant::NORMAL, Some(TimeControl::Move(Duration::from_millis(500))), true);
        assert_eq!(each, "new\nst 0.5\neasy\npost\nforce\n");
        let game = game("e4 e5");
        assert_eq!(engine.analyze(game.start(), game.moves()), "usermove e2e4\nusermove e7e5\nanalyze\n");
    }
}
