//! The course of a game to each moment, and the conditions after the outage.

use super::moment::Moment;
use super::positions::{EDITED, ORDINARY};
use super::story::Story;
use crate::gui::Control;
use farboard::chess::{Game, Variant};
use std::time::Duration;

/// A time control with moves long enough to be interrupted.
const LONG: Control = Control::PerMove(Duration::from_millis(300));

impl Story {
    /// Plays up to the moment, through the outage, and to the end of the affected exchange.
    pub fn act(&mut self, moment: Moment) {
        self.gui.note(format!("-- {moment:?}"));
        self.user_to_move();
        match moment {
            Moment::Handshake | Moment::Idle => self.idle(),
            Moment::Thinking | Moment::Moved | Moment::PingOpen => self.thinking(moment),
            Moment::ShortOfTime => self.short_of_time(),
            Moment::Forced => self.forced(),
            Moment::Pondering => self.pondering(),
            Moment::Analysing => self.analysing(),
            Moment::Editing => self.editing(),
            Moment::SetUp => self.set_up(),
            Moment::TakenBack => self.taken_back(),
            Moment::Replaying => self.replaying(),
            Moment::Repeating => self.repeating(),
            Moment::Counting => self.counting(),
            Moment::NearTheEnd | Moment::Over => self.near_the_end(moment),
        }
    }

    pub fn handshake(&mut self) {
        // A client that never reached a server is refused at once, as it should be.
        self.farm.until_used();
        self.gui.listen(Duration::from_millis(10));
        // Before the first line, unanswered, or partly answered.
        let spoken = !self.dice.once_in(4);
        if spoken && self.deadly && self.dice.once_in(2) {
            self.farm.hold();
        }
        if spoken {
            self.gui.introduce();
            self.gui.listen(self.dice.delay(1));
        }
        self.hit_now(Moment::Handshake, |story| !story.gui.is_introduced());
        if !spoken {
            self.gui.introduce();
        }
        self.recover();
    }

    /// Strikes, and records whether the moment still held once everything before it was received.
    fn hit_now(&mut self, moment: Moment, still: impl Fn(&Story) -> bool) {
        self.strike();
        let really = still(self);
        self.hit(moment, really);
    }

    fn idle(&mut self) {
        self.perhaps_settle();
        self.hit_now(Moment::Idle, |_| true);
        let during = self.dice.once_in(2);
        if during {
            self.random_move();
        }
        self.recover();
        if !during {
            self.gui.listen(self.dice.delay(200));
            self.random_move();
        }
        self.gui.until_moved();
    }

    fn thinking(&mut self, moment: Moment) {
        self.gui.set_control(LONG);
        self.random_move();
        match moment {
            Moment::Thinking => self.gui.listen(self.dice.delay(250)),
            Moment::PingOpen => {
                self.gui.ping();
                if self.dice.once_in(2) {
                    self.gui.ping();
                }
                self.gui.listen(self.dice.delay(250));
            }
            _ => self.gui.listen(self.dice.delay(2)),
        }
        self.hit_now(moment, |story| story.gui.due.is_some());
        if moment != Moment::Moved && self.dice.once_in(4) && self.gui.due.is_some() {
            self.gui.say("?");
        }
        self.recover();
        self.gui.until_moved();
        self.gui.settle();
        self.choose_control();
    }

    /// One move in two seconds, nearly all of which would be used without the outage.
    fn short_of_time(&mut self) {
        let base = Duration::from_secs(2);
        self.gui.set_control(Control::Level { moves: 1, base, increment: Duration::ZERO });
        self.random_move();
        self.gui.listen(Duration::from_millis(300) + self.dice.delay(300));
        self.hit_now(Moment::ShortOfTime, |story| story.gui.due.is_some());
        self.gui.listen(self.dice.delay(300));
        self.recover();
        self.gui.until_moved();
        self.choose_control();
    }

    /// Sends `force` while a move is due: no move may follow.
    fn forced(&mut self) {
        self.gui.set_control(LONG);
        self.random_move();
        self.gui.listen(self.dice.delay(40));
        self.hit_now(Moment::Forced, |story| story.gui.due.is_some());
        self.gui.force();
        self.recover();
        self.gui.settle();
        self.gui.listen(Duration::from_millis(400));
        self.choose_control();
        if !self.gui.is_over() {
            self.engine_joins();
        }
    }

    fn pondering(&mut self) {
        self.gui.set_hard(true);
        self.random_move();
        self.gui.until_moved();
        for _ in 0..200 {
            if self.gui.hint.is_none() {
                self.gui.listen(Duration::from_millis(10));
            }
        }
        self.gui.listen(self.dice.delay(60));
        let hint = self.gui.hint.clone();
        self.hit_now(Moment::Pondering, |story| story.gui.hint.is_some());
        self.recover();
        if self.dice.once_in(2) {
            self.gui.listen(self.dice.delay(300));
        }
        self.user_to_move();
        // The expected move, half of the time.
        match hint.and_then(|hint| self.gui.game.position().parse_move(&hint).ok()) {
            Some(mv) if self.dice.once_in(2) => self.gui.user_move(mv),
            _ => self.random_move(),
        }
        self.gui.until_moved();
    }

    fn analysing(&mut self) {
        self.gui.set_post(true);
        self.gui.analyze();
        self.gui.settle();
        self.until_shown();
        if self.dice.once_in(2) {
            self.random_move();
        }
        self.perhaps_settle();
        self.gui.listen(self.dice.delay(60));
        self.hit_now(Moment::Analysing, |_| true);
        if self.dice.once_in(2) && !self.gui.is_over() {
            self.random_move();
        }
        self.recover();
        for _ in 0..2 {
            self.gui.settle();
            if self.gui.is_over() {
                break;
            }
            self.until_shown();
            self.random_move();
        }
        self.gui.exit();
        self.gui.settle();
        if !self.gui.is_over() {
            self.engine_joins();
        }
    }

    /// Waits for thinking lines about the board, as many of each depth as were requested.
    fn until_shown(&mut self) {
        let moves = self.gui.game.position().legal_moves().len();
        let lines = self.lines.min(moves);
        self.gui.until("thinking lines", |gui| {
            // At each depth the two lines show different moves.
            let shown = gui.thoughts.last().is_some_and(|&(_, best)| {
                let other = |&(depth, mv): &(u32, _)| mv != best && gui.thoughts.contains(&(depth, best));
                lines == 1 && gui.thoughts.len() > 2 || gui.thoughts.iter().any(other)
            });
            shown || gui.exhausted || lines == 0
        });
    }

    fn editing(&mut self) {
        let (fen, lines) = *self.dice.pick(&EDITED);
        self.gui.force();
        self.gui.new_game();
        self.gui.force();
        self.gui.say("edit");
        let before = self.dice.roll(lines.len() + 1);
        let during = before + self.dice.roll(lines.len() + 1 - before);
        lines[..before].iter().for_each(|line| self.gui.say(line));
        self.perhaps_settle();
        self.gui.listen(self.dice.delay(3));
        self.hit_now(Moment::Editing, |_| true);
        lines[before..during].iter().for_each(|line| self.gui.say(line));
        self.recover();
        lines[during..].iter().for_each(|line| self.gui.say(line));
        self.gui.say(".");
        let game = Game::from_fen(Variant::NORMAL, fen).expect("a legal position");
        self.gui.set_up(game);
        self.perhaps_settle();
        self.engine_joins();
    }

    fn set_up(&mut self) {
        self.gui.force();
        let fen = *self.dice.pick(&ORDINARY);
        self.gui.set_board(fen);
        self.perhaps_settle();
        self.gui.listen(self.dice.delay(2));
        self.hit_now(Moment::SetUp, |_| true);
        self.recover();
        self.perhaps_settle();
        self.engine_joins();
        self.plies(1);
    }

    fn taken_back(&mut self) {
        self.plies(1);
        self.user_to_move();
        if self.gui.game.moves().len() < 2 {
            return;
        }
        if self.dice.once_in(3) {
            self.gui.remove();
        } else {
            self.gui.force();
            self.gui.undo();
            if self.dice.once_in(2) {
                self.gui.undo();
            }
        }
        self.perhaps_settle();
        self.gui.listen(self.dice.delay(2));
        self.hit_now(Moment::TakenBack, |_| true);
        self.recover();
        self.perhaps_settle();
        self.user_to_move();
        self.plies(1);
    }

    /// Kills the second server during the replay of what the first one knew. It is held until the
    /// shim is connected, then released for an instant or not at all.
    fn replaying(&mut self) {
        self.gui.settle();
        self.strike();
        if self.dice.once_in(2) {
            self.random_move();
        }
        self.gui.ping();
        if self.deadly {
            self.farm.recover_held(&mut self.dice);
            if self.dice.once_in(2) {
                self.farm.resume();
                std::thread::sleep(self.dice.delay(2));
            }
        }
        self.hit_now(Moment::Replaying, |story| story.gui.awaits_pong());
        self.recover();
        self.gui.until_moved();
        self.gui.settle();
        self.plies(1);
    }
}
