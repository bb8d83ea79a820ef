//! A model of a GUI: it speaks the protocol as xboard does, keeps the board and the clock itself,
//! and verifies every line it receives.
//!
//! * here: the commands it sends and how they change its state.
//! * `incoming`: the lines it receives and which of them are faults.
//! * `clock`: the engine's clock. `lines`: thinking lines.

mod clock;
mod incoming;
mod lines;

pub use clock::{Clock, Control};

use crate::metronome;
use crate::seeds::Run;
use crate::wire::{TEST_TIMEOUT, Wire};
use farboard::chess::{Color, Game, Move, Variant};
use farboard::protocol::xboard::move_text;
use std::collections::VecDeque;
use std::fmt::Display;
use std::time::{Duration, Instant};

/// Which side the engine plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// The GUI moves for both sides.
    Force,
    /// The engine plays this side.
    Play(Color),
    /// The GUI moves for both sides, and the engine shows its thinking.
    Analyze,
}

pub struct Gui {
    wire: Wire,
    run: Run,
    began: Instant,
    transcript: Vec<String>,
    pub game: Game,
    pub mode: Mode,
    pub clock: Clock,
    /// Since when the engine's move has been awaited.
    pub due: Option<Instant>,
    /// Number of moves awaited so far.
    dues: u64,
    /// The result that the engine must claim.
    claim: Option<&'static str>,
    /// Pings without an answer.
    pings: VecDeque<Ping>,
    last_ping: u32,
    /// The ping before which the engine may still answer to the state before the last command.
    unsettled: Option<u32>,
    /// Whether a move may have crossed with `force`.
    crossing: bool,
    pub post: bool,
    pub hard: bool,
    /// Whether there is a partner, to whom the engine may send messages.
    pub partner: bool,
    features: Features,
    /// The engine's latest hint.
    pub hint: Option<String>,
    /// Depth and first move of the thinking lines since the last settled ping or the last move,
    /// oldest first.
    pub thoughts: Vec<(u32, Move)>,
    /// Whether the search of the position is complete, so that no more lines may come.
    pub exhausted: bool,
    /// Number of moves received from the engine.
    pub moves_received: u32,
    /// Whether the conversation has ended.
    pub ended: bool,
    /// The test's own delays besides what the metronome measures.
    pub own_lateness: Box<dyn Fn(Instant, Instant) -> Duration + Send>,
}

/// A `ping`.
#[derive(Clone, Copy)]
struct Ping {
    number: u32,
    /// The number of the move awaited when the ping was sent: the ping is answered after it.
    due: Option<u64>,
    /// Whether a result had to be claimed at that time.
    claim: bool,
}

/// Progress of the engine's introduction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Features {
    NotAsked,
    Asked,
    Done,
}

impl Gui {
    pub fn new(wire: Wire, run: Run) -> Gui {
        metronome::start();
        Gui {
            wire,
            run,
            began: Instant::now(),
            transcript: Vec::new(),
            game: Game::new(Variant::NORMAL),
            mode: Mode::Play(Color::Black),
            clock: Clock::default(),
            due: None,
            dues: 0,
            claim: None,
            pings: VecDeque::new(),
            last_ping: 0,
            unsettled: None,
            crossing: false,
            post: false,
            hard: false,
            partner: false,
            features: Features::NotAsked,
            hint: None,
            thoughts: Vec::new(),
            exhausted: false,
            moves_received: 0,
            ended: false,
            own_lateness: Box::new(|_, _| Duration::ZERO),
        }
    }

    /// Sends a line that needs no model.
    pub fn say(&mut self, line: impl Display) {
        let line = line.to_string();
        self.note(format!("> {line}"));
        self.wire.send(&line);
    }

    /// Records a line for the failure report.
    pub fn note(&mut self, what: impl Display) {
        let line = format!("{:9.3} {what}", self.began.elapsed().as_secs_f64());
        if self.run.loud {
            eprintln!("{line}");
        }
        self.transcript.push(line);
    }

    /// Fails the test.
    pub fn fail(&self, what: impl Display) -> ! {
        let last = self.transcript.len().saturating_sub(60);
        let fen = self.game.position().fen();
        panic!("seed {}: {what}\n{fen}\n{}", self.run.seed, self.transcript[last..].join("\n"));
    }

    /// Sends `xboard` and `protover 2`.
    pub fn introduce(&mut self) {
        self.features = Features::Asked;
        self.say("xboard");
        self.say("protover 2");
    }

    /// Waits until the engine has announced its features.
    pub fn until_introduced(&mut self) {
        self.until("the features", |gui| gui.features == Features::Done);
    }

    /// Returns true if the engine has announced its features.
    pub fn is_introduced(&self) -> bool {
        self.features == Features::Done
    }

    /// Sends `new`.
    pub fn new_game(&mut self) {
        self.say("new");
        self.set_up(Game::new(Variant::NORMAL));
        if self.mode != Mode::Analyze {
            self.mode = Mode::Play(Color::Black);
        }
        self.clock.reset();
        // `new` resets the depth limit.
        if let Some(depth) = self.clock.depth() {
            self.say(depth);
        }
    }

    /// Sends `level`, `st` or `sd`.
    pub fn set_control(&mut self, control: Control) {
        if !matches!(control, Control::Depth(_)) {
            self.say("sd 0");
        }
        self.say(control);
        self.clock = Clock::new(control);
    }

    pub fn set_post(&mut self, post: bool) {
        self.post = post;
        self.say(if post { "post" } else { "nopost" });
    }

    pub fn set_hard(&mut self, hard: bool) {
        self.hard = hard;
        self.say(if hard { "hard" } else { "easy" });
    }

    /// Sends `setboard`.
    pub fn set_board(&mut self, fen: &str) {
        self.say(format!("setboard {fen}"));
        let game = Game::from_fen(Variant::NORMAL, fen).unwrap_or_else(|error| self.fail(error));
        self.set_up(game);
    }

    /// Records that some command has set up a board.
    pub fn set_up(&mut self, game: Game) {
        self.game = game;
        self.changed();
    }

    /// Sends `force`, with which a move may cross.
    pub fn force(&mut self) {
        self.say("force");
        self.crossing |= self.due.take().is_some();
        self.mode = Mode::Force;
        self.changed();
    }

    /// Sends `go`: the engine plays the side to move.
    pub fn go(&mut self) {
        self.send_clocks();
        self.mode = Mode::Play(self.game.position().turn());
        self.say("go");
        self.now_due();
    }

    /// Sends `playother`: the engine plays the side not to move.
    pub fn play_other(&mut self) {
        self.mode = Mode::Play(!self.game.position().turn());
        self.say("playother");
        self.changed();
    }

    /// Sends a move of the user, or of either side when the engine does not play.
    pub fn user_move(&mut self, mv: Move) {
        let text = move_text(self.game.position(), mv);
        let answered = self.mode == Mode::Play(!self.game.position().turn());
        if answered {
            self.send_clocks();
        }
        self.game.play(mv);
        self.changed();
        self.say(format!("usermove {text}"));
        if answered {
            match self.game.ending() {
                Some((outcome, ending)) => self.claim = Some(incoming::claim(outcome, ending)),
                None => self.now_due(),
            }
        }
    }

    /// Sends `undo`: one ply. Only where no move is due.
    pub fn undo(&mut self) {
        self.say("undo");
        self.game.undo();
        self.changed();
    }

    /// Sends `remove`: two plies.
    pub fn remove(&mut self) {
        self.say("remove");
        self.game.undo();
        self.game.undo();
        self.changed();
    }

    pub fn analyze(&mut self) {
        self.say("analyze");
        self.mode = Mode::Analyze;
        self.changed();
    }

    /// Sends `exit` to leave analysis.
    pub fn exit(&mut self) {
        self.say("exit");
        self.mode = Mode::Force;
        self.changed();
    }

    /// Sends `ping` without waiting for the answer.
    pub fn ping(&mut self) -> u32 {
        self.last_ping += 1;
        self.say(format!("ping {}", self.last_ping));
        let (due, claim) = (self.due.map(|_| self.dues), self.claim.is_some());
        self.pings.push_back(Ping { number: self.last_ping, due, claim });
        self.last_ping
    }

    /// Waits until the engine has handled everything. Its later thinking is about the current
    /// position.
    pub fn settle(&mut self) {
        let ping = self.ping();
        self.unsettled = Some(ping);
        self.until("a pong", |gui| gui.pings.is_empty());
    }

    /// Returns true if a ping has not been answered.
    pub fn awaits_pong(&self) -> bool {
        !self.pings.is_empty()
    }

    /// Waits for the engine's move and any claim that comes with it.
    pub fn until_moved(&mut self) {
        self.until("a move", |gui| gui.due.is_none() && gui.claim.is_none());
    }

    /// Returns true if a result has been claimed or could be.
    pub fn is_over(&self) -> bool {
        self.game.ending().is_some()
    }

    /// Sends `quit` and reads to the end.
    pub fn quit(&mut self) {
        self.say("quit");
        self.until("the end", |gui| gui.ended);
    }

    /// Reads until `done` returns true.
    pub fn until(&mut self, what: &str, done: impl Fn(&Gui) -> bool) {
        let deadline = Instant::now() + TEST_TIMEOUT;
        while !done(self) {
            if self.ended {
                self.fail(format!("it ended while {what} was awaited"));
            }
            match self.wire.next(deadline) {
                Some((at, received)) => self.receive(at, received),
                None => self.fail(format!("no {what}")),
            }
        }
    }

    /// Reads for this long.
    pub fn listen(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while !self.ended
            && let Some((at, received)) = self.wire.next(deadline)
        {
            self.receive(at, received);
        }
    }

    /// Sends both clocks, as before every move.
    fn send_clocks(&mut self) {
        for line in self.clock.lines() {
            self.say(line);
        }
    }

    fn now_due(&mut self) {
        self.dues += 1;
        self.due = Some(Instant::now());
    }

    /// Until the next ping, the engine's output may be about the earlier state.
    fn changed(&mut self) {
        self.hint = None;
        self.thoughts.clear();
        self.exhausted = false;
        self.unsettled = Some(self.last_ping + 1);
        self.claim = None;
    }
}
