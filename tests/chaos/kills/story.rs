//! A game around the moments at which its server is killed.

use super::moment::Moment;
use super::positions::ORDINARY;
use crate::farm::Farm;
use crate::gui::{Control, Gui, Mode};
use crate::opponent::random_move;
use crate::seeds::Run;
use crate::support::dice::Dice;
use crate::wire::Wire;
use std::time::Duration;

/// With less than this left when a server is back, a move in time is not required.
const ENOUGH: Duration = Duration::from_millis(800);

/// A GUI, its servers, and their history.
pub struct Story {
    pub gui: Gui,
    pub dice: Dice,
    pub farm: Farm,
    /// Whether servers are killed at the moments; otherwise the game goes on undisturbed.
    pub deadly: bool,
    /// Whether the GUI keeps clocks.
    pub timed: bool,
    /// The moments at which a server was really killed.
    pub hits: Vec<Moment>,
    /// Number of lines shown at each depth.
    pub lines: usize,
}

impl Story {
    pub fn new(run: Run, dice: Dice, wire: Wire, farm: Farm, deadly: bool) -> Story {
        Story { gui: Gui::new(wire, run), dice, farm, deadly, timed: true, hits: Vec::new(), lines: 1 }
    }

    /// Plays from the first line to the last.
    pub fn play(&mut self, moments: &[Moment]) {
        self.gui.note(format!("moments: {moments:?}"));
        self.begin(moments);
        for &moment in moments {
            self.plies(1 + moment as usize % 3);
            if moment != Moment::Handshake {
                self.act(moment);
            }
        }
        self.gui.settle();
        self.plies(3);
        self.gui.settle();
        self.gui.quit();
    }

    /// Runs the handshake, the settings, and the first board.
    fn begin(&mut self, moments: &[Moment]) {
        let shown = moments.contains(&Moment::Analysing);
        if moments[0] == Moment::Handshake {
            self.handshake();
        } else {
            self.gui.introduce();
        }
        self.gui.until_introduced();
        self.gui.say("option Book=none");
        if shown || self.dice.once_in(3) {
            self.lines = 2;
            self.gui.say("option MultiPV=2");
        }
        self.gui.new_game();
        self.choose_control();
        let (post, hard) = (!self.dice.once_in(4), self.dice.once_in(5));
        self.gui.set_post(post);
        self.gui.set_hard(hard);
        match self.dice.roll(4) {
            0 => self.engine_to_move(),
            1 => self.new_board(),
            _ => {}
        }
    }

    /// Chooses a time control of short moves.
    pub fn choose_control(&mut self) {
        let level = |moves, seconds, increment| Control::Level {
            moves,
            base: Duration::from_secs(seconds),
            increment: Duration::from_millis(increment),
        };
        let short = Control::PerMove(Duration::from_millis(40));
        let controls = [short, Control::Depth(4), level(0, 3, 50), level(40, 5, 0)];
        let control = *self.dice.pick(if self.timed { &controls } else { &controls[..2] });
        self.gui.set_control(control);
    }

    /// Sets up another board, where the engine plays either side.
    pub fn new_board(&mut self) {
        let fen = *self.dice.pick(&ORDINARY);
        self.gui.force();
        self.gui.set_board(fen);
        self.engine_joins();
    }

    /// Leaves force mode: the engine plays either side.
    pub fn engine_joins(&mut self) {
        if self.dice.once_in(2) {
            self.engine_to_move();
        } else {
            self.gui.play_other();
        }
    }

    /// Sends `go` and waits for the move.
    pub fn engine_to_move(&mut self) {
        self.gui.go();
        self.gui.until_moved();
    }

    /// Plays a number of user moves with their answers; starts a new game when one is over.
    pub fn plies(&mut self, count: usize) {
        for _ in 0..count {
            self.user_to_move();
            self.random_move();
            self.gui.until_moved();
        }
    }

    /// Plays a legal move of the user, if there is one.
    pub fn random_move(&mut self) {
        if !self.gui.is_over() {
            random_move(&mut self.gui, &mut self.dice);
        }
    }

    /// Ensures that the user is to move in a game that the engine plays.
    pub fn user_to_move(&mut self) {
        if self.gui.is_over() {
            self.gui.say("result * {game over}");
            self.gui.new_game();
        }
        let turn = self.gui.game.position().turn();
        match self.gui.mode {
            Mode::Play(engine) if engine == turn => {
                self.engine_to_move();
                return self.user_to_move();
            }
            Mode::Play(_) => {}
            Mode::Analyze => self.gui.exit(),
            Mode::Force => {}
        }
        if !matches!(self.gui.mode, Mode::Play(_)) {
            self.gui.play_other();
        }
    }

    /// Half of the time, waits until everything was executed and the shim knows it.
    pub fn perhaps_settle(&mut self) {
        if self.dice.once_in(2) {
            self.gui.settle();
        }
    }

    /// Kills the server. Afterwards the GUI has received its last output.
    pub fn strike(&mut self) {
        if self.deadly {
            self.farm.kill();
            self.gui.note("(killed)");
        }
        self.gui.listen(Duration::from_millis(4));
    }

    /// Makes a server available again.
    pub fn recover(&mut self) {
        if !self.deadly {
            return;
        }
        let there = self.farm.recover(&mut self.dice);
        self.gui.note("(recovered)");
        let left =
            self.gui.clock.left().zip(self.gui.due).map(|(left, since)| left.saturating_sub(there - since));
        if left.is_some_and(|left| left < ENOUGH) {
            self.gui.clock.excuse();
        }
    }

    /// Records that a server was killed at this moment, if `really`.
    pub fn hit(&mut self, moment: Moment, really: bool) {
        if really && self.deadly {
            self.hits.push(moment);
        }
    }
}
