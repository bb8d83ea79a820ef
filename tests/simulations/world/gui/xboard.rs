//! A GUI that speaks version 2 of xboard's protocol: games with clocks, analyses, positions, and
//! questions in between.

use super::answer::{Answer, POISON};
use super::clock::{Due, GameClock};
use super::{Gui, Seen, Trouble, is_expected, pause};
use crate::support::dice::Dice;
use farboard::chess::{Color, Game, Outcome, Variant};
use farboard::protocol::xboard::move_text;
use farboard::search::RootPosition;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Plies after which a game is a draw.
const MAX_PLIES: usize = 80;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Start,
    Features,
    Playing,
    Analysing,
    Quit,
}

pub struct Xboard {
    seed: u64,
    dice: Dice,
    stage: Stage,
    game: Game,
    /// The engine's side.
    engine: Color,
    clock: Option<GameClock>,
    /// Whether the GUI sends the clock before each move.
    sends_clock: bool,
    due: Option<Due>,
    /// Whether the engine must move at once, and may not have searched.
    is_hurried: bool,
    answers: VecDeque<Answer>,
    /// Since when the first answer has been due.
    asked: Option<Due>,
    /// Moves are ignored until this ping is answered.
    ignores_until: Option<u64>,
    /// Whether the previous game has ended by the rules, so that the engine's claim may cross the
    /// result.
    claim_may_cross: bool,
    pings: u64,
    next: Instant,
    settles: bool,
    /// Whether the GUI sends lines that crash servers.
    is_poisonous: bool,
    engine_moves: usize,
    /// Moves in the current game.
    moves_of_game: usize,
    finished: usize,
    begun: usize,
    received: usize,
    /// Analysis lines since this position was set.
    shown: Option<(Instant, Trouble, usize)>,
}

impl Xboard {
    pub fn new(seed: u64, is_poisonous: bool, dice: Dice, now: Instant) -> Xboard {
        Xboard {
            seed,
            dice,
            stage: Stage::Start,
            game: Game::new(Variant::NORMAL),
            engine: Color::Black,
            clock: None,
            sends_clock: true,
            due: None,
            is_hurried: false,
            answers: VecDeque::new(),
            asked: None,
            ignores_until: None,
            claim_may_cross: false,
            pings: 0,
            next: now,
            settles: false,
            is_poisonous,
            engine_moves: 0,
            moves_of_game: 0,
            finished: 0,
            begun: 0,
            received: 0,
            shown: None,
        }
    }

    fn root(&self) -> RootPosition {
        (*self.game.position()).into()
    }

    fn expect(&mut self, answer: Answer, seen: &Seen) {
        if self.answers.is_empty() {
            self.asked = Some(Due::new(seen, None));
        }
        self.answers.push_back(answer);
    }

    fn ping(&mut self, seen: &Seen) -> String {
        self.pings += 1;
        self.expect(Answer::Pong(self.pings), seen);
        format!("ping {}\n", self.pings)
    }

    /// Ends the game.
    fn end_game(&mut self, outcome: Option<Outcome>) -> String {
        self.finished += usize::from(self.moves_of_game > 0);
        self.moves_of_game = 0;
        self.claim_may_cross = outcome.is_some();
        format!("result {} {{over}}\n", Outcome::code(outcome))
    }

    fn begin_game(&mut self, seen: &Seen) -> String {
        self.begun += 1;
        let mut commands = "new\n".to_owned();
        let playable = |variant: &Variant| *variant != Variant::BUGHOUSE;
        let variants: Vec<Variant> = Variant::ALL.into_iter().filter(playable).collect();
        let is_plain = self.dice.once_in(2);
        let variant = if is_plain { Variant::NORMAL } else { *self.dice.pick(&variants) };
        self.game = Game::new(variant);
        if variant != Variant::NORMAL {
            commands += &format!("variant {}\n", variant.name());
        }
        commands += if self.dice.once_in(3) { "nopost\n" } else { "post\n" };
        commands += if self.dice.once_in(2) { "hard\n" } else { "easy\n" };
        let (minutes, increment) = *self.dice.pick(&[(1, 1), (5, 0), (2, 3), (15, 10), (1, 0)]);
        commands += &format!("level 0 {minutes} {increment}\n");
        self.clock = Some(GameClock::new(minutes * 60_000, increment * 1000));
        self.sends_clock = !self.dice.once_in(3);
        self.engine = Color::Black;
        self.stage = Stage::Playing;
        if self.dice.once_in(2) {
            self.engine = Color::White;
            commands += &self.send_clock();
            commands += "go\n";
            self.expect_move(seen);
        }
        commands
    }

    fn send_clock(&mut self) -> String {
        let Some(clock) = self.clock.as_mut().filter(|_| self.sends_clock) else { return String::new() };
        clock.sent();
        clock.left -= clock.left % 10;
        format!("time {}\notim {}\n", clock.left / 10, 6000)
    }

    fn expect_move(&mut self, seen: &Seen) {
        let left = self.clock.as_ref().map(|clock| Duration::from_millis(clock.left.max(0) as u64));
        self.expect(Answer::Move, seen);
        self.due = Some(Due::new(seen, left));
        self.is_hurried = false;
    }

    /// Plays a move of the user.
    fn play(&mut self, seen: &Seen) -> String {
        let position = *self.game.position();
        let moves = position.legal_moves();
        let mv = *self.dice.pick(&moves);
        let commands = format!("usermove {}\n", move_text(&position, mv));
        self.game.play(mv);
        if self.game.ending().is_some() {
            return commands;
        }
        let clock = self.send_clock();
        self.expect_move(seen);
        clock + &commands
    }

    /// Sends something other than a move on the user's turn.
    fn aside(&mut self, seen: &Seen) -> String {
        match self.dice.roll(9) {
            0 if self.is_poisonous && self.dice.once_in(3) => {
                self.expect(Answer::Pong(POISON), seen);
                format!("ping {POISON}\n")
            }
            0 | 1 => self.ping(seen),
            2 => {
                self.expect(Answer::Illegal("a1a1".to_owned()), seen);
                "usermove a1a1\n".to_owned()
            }
            3 => {
                self.expect(Answer::Error("frobnicate".to_owned()), seen);
                "frobnicate\n".to_owned()
            }
            4 if self.game.moves().len() >= 2 => {
                self.game.undo();
                self.game.undo();
                "remove\n".to_owned()
            }
            5 if self.game.position().variant() == Variant::NORMAL => {
                self.expect(Answer::BadPosition, seen);
                "setboard 8/8/8/8/8/8/8/8 w - - 0 1\n".to_owned()
            }
            6 if self.game.ending().is_none() && self.game.position().variant() == Variant::NORMAL => {
                self.stage = Stage::Analysing;
                self.shown = Some((seen.now, seen.trouble, 0));
                "post\nanalyze\n".to_owned()
            }
            7 => "draw\n".to_owned(),
            _ => (*self.dice.pick(&[
                "name Somebody\n",
                "hint\n",
                "hard\n",
                "easy\n",
                "rating 2000 2100\n",
                "bk\n",
            ]))
            .to_owned(),
        }
    }

    /// Sends something while the engine thinks.
    fn interrupt(&mut self, seen: &Seen) -> String {
        match self.dice.roll(8) {
            0 => {
                self.is_hurried = true;
                "?\n".to_owned()
            }
            1 => {
                // A move may be under way: moves do not count until the pong.
                self.answers.retain(|answer| *answer != Answer::Move);
                self.due = None;
                let ping = self.ping(seen);
                self.ignores_until = Some(self.pings);
                format!("force\n{ping}")
            }
            2 => ".\n".to_owned(),
            _ => self.ping(seen),
        }
    }

    fn analyse(&mut self, seen: &Seen) -> String {
        if let Some((since, before, lines)) = self.shown {
            let quiet = seen.now - since > Duration::from_secs(5) + seen.trouble.allowance(&before);
            assert!(lines > 0 || !quiet || seen.trouble.is_on, "an analysis without a line");
        }
        let moves = self.game.position().legal_moves();
        match self.dice.roll(6) {
            0..3 if !moves.is_empty() && self.game.ending().is_none() => {
                let position = *self.game.position();
                let mv = *self.dice.pick(&moves);
                self.game.play(mv);
                self.shown = self.game.ending().is_none().then_some((seen.now, seen.trouble, 0));
                format!("{}\n", move_text(&position, mv))
            }
            3 => ".\n".to_owned(),
            4 => self.ping(seen),
            _ => {
                self.stage = Stage::Playing;
                self.shown = None;
                self.end_game(None) + "exit\n" + &self.begin_game(seen)
            }
        }
    }

    fn next_step(&mut self, seen: &Seen) -> String {
        match self.stage {
            Stage::Start => {
                self.stage = Stage::Features;
                "xboard\nprotover 2\n".to_owned()
            }
            Stage::Features | Stage::Quit => String::new(),
            _ if self.settles && self.answers.is_empty() && self.ignores_until.is_none() => {
                self.stage = Stage::Quit;
                "quit\n".to_owned()
            }
            _ if self.settles || self.ignores_until.is_some() => String::new(),
            Stage::Analysing => self.analyse(seen),
            Stage::Playing if self.due.is_some() && self.dice.once_in(3) => self.interrupt(seen),
            Stage::Playing if self.due.is_some() => String::new(),
            Stage::Playing if self.game.ending().is_some() || self.game.moves().len() >= MAX_PLIES => {
                let outcome = self.game.ending().map(|(outcome, _)| outcome);
                self.end_game(outcome) + &self.begin_game(seen)
            }
            Stage::Playing if self.begun == 0 || self.game.position().turn() == self.engine => {
                self.end_game(None) + &self.begin_game(seen)
            }
            Stage::Playing if self.dice.once_in(4) => self.aside(seen),
            Stage::Playing => self.play(seen),
        }
    }

    fn engine_moves(&mut self, text: &str, seen: &Seen) {
        if self.ignores_until.is_some() {
            return;
        }
        self.answered(&Answer::Move, seen);
        let due = self.due.take().expect("a move that is due");
        assert!(!due.is_late(seen), "a move after {:?}", seen.now - due.since);
        let mv = self.game.position().parse_move(text).expect("a legal move");
        let is_meant = self.is_hurried || is_expected(self.seed, &self.root(), mv);
        assert!(is_meant, "{text} of another position");
        self.game.play(mv);
        self.engine_moves += 1;
        self.moves_of_game += 1;
        if let Some(clock) = &mut self.clock {
            clock.moved(&due, seen);
        }
        self.next = seen.now + pause(&mut self.dice);
    }

    /// Handles the required answer.
    fn answered(&mut self, answer: &Answer, seen: &Seen) {
        assert_eq!(self.answers.pop_front().as_ref(), Some(answer), "out of turn");
        self.asked = (!self.answers.is_empty()).then(|| Due::new(seen, None));
    }
}

impl Gui for Xboard {
    fn wake(&self) -> Instant {
        self.next
    }

    fn act(&mut self, seen: &Seen) -> Vec<u8> {
        assert!(!self.due.is_some_and(|due| due.is_late(seen)), "no move");
        assert!(
            self.due.is_some() || !self.asked.is_some_and(|due| due.is_late(seen)),
            "no {:?}",
            self.answers
        );
        let commands = self.next_step(seen);
        self.next = seen.now + pause(&mut self.dice);
        if let Some(due) = self.due {
            self.next = self.next.min(due.alarm().max(seen.now + Duration::from_secs(1)));
        }
        commands.into_bytes()
    }

    fn hear(&mut self, line: &str, seen: &Seen) {
        assert_ne!(self.stage, Stage::Start, "the engine speaks first: {line}");
        self.received += 1;
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "feature" => {
                if rest.contains("done=1") && self.stage == Stage::Features {
                    self.stage = Stage::Playing;
                }
            }
            "move" => {
                self.claim_may_cross = false;
                self.engine_moves(rest, seen);
            }
            "pong" => {
                let number = rest.parse().expect("a number");
                self.answered(&Answer::Pong(number), seen);
                if self.ignores_until == Some(number) {
                    self.ignores_until = None;
                }
            }
            "Illegal" => {
                let text = rest.rsplit(": ").next().unwrap_or("").to_owned();
                self.answered(&Answer::Illegal(text), seen);
            }
            "Error" => {
                let word = rest.rsplit(": ").next().unwrap_or("").to_owned();
                self.answered(&Answer::Error(word), seen);
            }
            "tellusererror"
                if rest.contains("two servers were lost") || rest.contains("lost again and again") =>
            {
                assert!(self.is_poisonous, "{line}")
            }
            "tellusererror" => self.answered(&Answer::BadPosition, seen),
            "1-0" | "0-1" | "1/2-1/2" => {
                let is_over = self.game.ending().is_some() || self.ignores_until.is_some();
                assert!(is_over || std::mem::take(&mut self.claim_may_cross), "{line}, which is too early");
            }
            "resign" => panic!("resigned"),
            "offer" | "Hint:" | "telluser" | "#" | "setup" => {}
            _ if word.starts_with("stat01") => {}
            _ if word.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                if let Some((_, _, lines)) = &mut self.shown {
                    *lines += 1;
                }
            }
            _ => assert!(line.is_empty() || line.starts_with([' ', '\t']), "unknown line: {line}"),
        }
    }

    fn settle(&mut self) {
        self.settles = true;
    }

    fn has_quit(&self) -> bool {
        self.stage == Stage::Quit
    }

    fn finished_games(&self) -> usize {
        self.finished
    }

    fn begun_games(&self) -> usize {
        self.begun
    }

    fn answers(&self) -> usize {
        self.engine_moves
    }
}
