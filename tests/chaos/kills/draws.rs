//! Moments near the end of a game, where claims after the outage depend on the history before it.

use super::moment::Moment;
use super::positions::{NEAR_FIFTY, NEAR_THE_END};
use super::story::Story;
use crate::gui::{Control, Mode};
use farboard::chess::{Game, Move};
use farboard::protocol::xboard::move_text;

impl Story {
    /// Both sides shuffle; the outage comes before the position occurs for the third time.
    pub fn repeating(&mut self) {
        self.gui.force();
        let Some(shuffle) = shuffle(&self.gui.game) else { return };
        let at = self.dice.roll(7);
        for (ply, &mv) in shuffle.iter().cycle().take(7).enumerate() {
            if ply == at {
                self.perhaps_settle();
                self.strike();
                self.hit(Moment::Repeating, true);
                self.recover();
            }
            self.gui.user_move(mv);
        }
        self.gui.play_other();
        self.last_move(shuffle[3]);
    }

    /// Either side makes the fiftieth move.
    pub fn counting(&mut self) {
        self.gui.force();
        let fen = *self.dice.pick(&NEAR_FIFTY);
        self.gui.set_board(fen);
        let at = self.dice.roll(4);
        for ply in 0..4 {
            if ply == at {
                self.perhaps_settle();
                self.strike();
                self.hit(Moment::Counting, true);
                self.recover();
            }
            if ply < 3 {
                let mv = self.quiet_move();
                self.gui.user_move(mv);
            }
        }
        if self.dice.once_in(2) {
            self.gui.set_control(Control::Depth(3));
            self.engine_to_move();
        } else {
            self.gui.play_other();
            let mv = self.quiet_move();
            self.last_move(mv);
        }
        self.gui.settle();
        self.choose_control();
    }

    /// The user or the engine ends the game.
    pub fn near_the_end(&mut self, moment: Moment) {
        let (fen, last) = *self.dice.pick(&NEAR_THE_END);
        self.gui.force();
        self.gui.set_board(fen);
        let mv = self.gui.game.position().parse_move(last).expect("a legal move");
        let user = self.dice.once_in(2);
        if moment == Moment::NearTheEnd {
            self.perhaps_settle();
            self.strike();
            self.hit(moment, true);
            if self.dice.once_in(2) {
                self.recover();
                self.end_it(user, mv);
            } else {
                self.begin_to_end_it(user, mv);
                self.recover();
            }
        } else {
            self.end_it(user, mv);
            let over = self.gui.is_over();
            self.perhaps_settle();
            self.strike();
            self.hit(moment, over);
            self.recover();
        }
        self.gui.until_moved();
        // A repeated claim would come before the answer to this.
        self.gui.settle();
        self.choose_control();
    }

    fn end_it(&mut self, user: bool, mv: Move) {
        self.begin_to_end_it(user, mv);
        self.gui.until_moved();
    }

    fn begin_to_end_it(&mut self, user: bool, mv: Move) {
        if user {
            self.gui.play_other();
            self.gui.user_move(mv);
        } else {
            self.gui.set_control(Control::Depth(5));
            self.gui.go();
        }
    }

    /// Plays the move after which the engine must claim.
    fn last_move(&mut self, mv: Move) {
        assert!(matches!(self.gui.mode, Mode::Play(_)));
        self.gui.user_move(mv);
        if !self.gui.is_over() {
            self.gui.fail("the test should have ended the game");
        }
        self.gui.until_moved();
        self.gui.settle();
    }

    /// Returns a move that neither ends the game nor resets the count.
    fn quiet_move(&mut self) -> Move {
        let game = &self.gui.game;
        let clock = game.position().halfmove_clock();
        let quiet: Vec<Move> = game
            .position()
            .legal_moves()
            .iter()
            .copied()
            .filter(|&mv| {
                let mut after = game.position().to_owned();
                after.play(mv);
                after.halfmove_clock() == clock + 1 && after.has_legal_move()
            })
            .collect();
        *self.dice.pick(&quiet)
    }
}

/// Two moves and their way back, which restore the position.
fn shuffle(game: &Game) -> Option<[Move; 4]> {
    let here = game.position();
    for &first in &here.legal_moves() {
        let mut after = *here;
        after.play(first);
        for &second in &after.legal_moves() {
            let mut there = after;
            there.play(second);
            let back = |position: &farboard::chess::AnyPosition, mv: Move| {
                let text = move_text(here, mv);
                let reverse = format!("{}{}", text.get(2..4)?, text.get(0..2)?);
                position.parse_move(&reverse).ok()
            };
            let Some(third) = back(&there, first) else { continue };
            there.play(third);
            let Some(fourth) = back(&there, second) else { continue };
            there.play(fourth);
            if there.key() == here.key() && there.halfmove_clock() == here.halfmove_clock() + 4 {
                return Some([first, second, third, fourth]);
            }
        }
    }
    None
}
