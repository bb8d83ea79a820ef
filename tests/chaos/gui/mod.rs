//! A model of a GUI: it speaks the protocol as xboard does, keeps the board and the clock itself, and believes nothing that it
//! hears before it has looked at it.
//!
//! * here: what it says, and what that changes.
//! * `hearing`: what it hears, and what of that is a fault.
//! * `clock`: the clock it keeps for the engine. `lines`: what is in a thinking line.

mod clock;
mod hearing;
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

/// Who moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// The GUI moves for both sides.
    Force,
    /// The engine plays this side.
    Play(Color),
    /// The GUI moves for both sides, and the engine shows what it thinks.
    Analyze,
}

/// The GUI.
pub struct Gui {
    wire: Wire,
    run: Run,
    began: Instant,
    transcript: Vec<String>,
    pub game: Game,
    pub mode: Mode,
    pub clock: Clock,
    /// The engine's move is awaited since then.
    pub due: Option<Instant>,
    /// How many moves were due so far.
    dues: u64,
    /// The result that the engine has to claim.
    claim: Option<&'static str>,
    /// Not answered yet.
    pings: VecDeque<Ping>,
    last_ping: u32,
    /// What was said last before this ping may cross with what the engine said before it knew.
    unsettled: Option<u32>,
    /// A move may have crossed with `force`.
    crossing: bool,
    pub post: bool,
    pub hard: bool,
    /// There is a partner, to whom the engine may talk.
    pub partner: bool,
    features: Features,
    /// What the engine last said that it expects.
    pub hint: Option<String>,
    /// Depth and first move of the thinking lines since the last settled ping or the last move, oldest first.
    pub thoughts: Vec<(u32, Move)>,
    /// There is no more to think about in this position, so no more lines may come.
    pub exhausted: bool,
    /// Moves of the engine.
    pub moves_heard: u32,
    /// Everything has been said.
    pub ended: bool,
    /// Delays of the tester itself besides what the metronome sees.
    pub own_lateness: Box<dyn Fn(Instant, Instant) -> Duration + Send>,
}

/// A `ping`.
#[derive(Clone, Copy)]
struct Ping {
    number: u32,
    /// The number of the move that was due when it was sent: it is answered after that.
    due: Option<u64>,
    /// A result had to be claimed then.
    claim: bool,
}

/// How far the engine has introduced itself.
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
            moves_heard: 0,
            ended: false,
            own_lateness: Box::new(|_, _| Duration::ZERO),
        }
    }

    /// Says a line that needs no model.
    pub fn say(&mut self, line: impl Display) {
        let line = line.to_string();
        self.note(format!("> {line}"));
        self.wire.send(&line);
    }

    /// Writes a line for the report of a failure.
    pub fn note(&mut self, what: impl Display) {
        let line = format!("{:9.3} {what}", self.began.elapsed().as_secs_f64());
        if self.run.loud {
            eprintln!("{line}");
        }
        self.transcript.push(line);
    }

    /// Ends the test.
    pub fn fail(&self, what: impl Display) -> ! {
        let last = self.transcript.len().saturating_sub(60);
        let fen = self.game.position().fen();
        panic!("seed {}: {what}\n{fen}\n{}", self.run.seed, self.transcript[last..].join("\n"));
    }

    /// `xboard`, `protover 2`.
    pub fn introduce(&mut self) {
        self.features = Features::Asked;
        self.say("xboard");
        self.say("protover 2");
    }

    /// Waits until the engine has introduced itself.
    pub fn until_introduced(&mut self) {
        self.until("the features", |gui| gui.features == Features::Done);
    }

    /// Whether it has.
    pub fn is_introduced(&self) -> bool {
        self.features == Features::Done
    }

    /// `new`
    pub fn new_game(&mut self) {
        self.say("new");
        self.set_up(Game::new(Variant::NORMAL));
        if self.mode != Mode::Analyze {
            self.mode = Mode::Play(Color::Black);
        }
        self.clock.reset();
        // `new` takes the limit of the depth away.
        if let Some(depth) = self.clock.depth() {
            self.say(depth);
        }
    }

    /// `level`, `st` or `sd`.
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

    /// `setboard`
    pub fn set_board(&mut self, fen: &str) {
        self.say(format!("setboard {fen}"));
        let game = Game::from_fen(Variant::NORMAL, fen).unwrap_or_else(|error| self.fail(error));
        self.set_up(game);
    }

    /// A board has been set up, by whatever command.
    pub fn set_up(&mut self, game: Game) {
        self.game = game;
        self.changed();
    }

    /// `force`. A move may cross with it.
    pub fn force(&mut self) {
        self.say("force");
        self.crossing |= self.due.take().is_some();
        self.mode = Mode::Force;
        self.changed();
    }

    /// `go`: the engine plays the side on move.
    pub fn go(&mut self) {
        self.tell_clocks();
        self.mode = Mode::Play(self.game.position().turn());
        self.say("go");
        self.now_due();
    }

    /// `playother`: the engine plays the side not on move.
    pub fn play_other(&mut self) {
        self.mode = Mode::Play(!self.game.position().turn());
        self.say("playother");
        self.changed();
    }

    /// A move of the user, or of the other side when the engine does not play.
    pub fn user_move(&mut self, mv: Move) {
        let text = move_text(self.game.position(), mv);
        let answered = self.mode == Mode::Play(!self.game.position().turn());
        if answered {
            self.tell_clocks();
        }
        self.game.play(mv);
        self.changed();
        self.say(format!("usermove {text}"));
        if answered {
            match self.game.ending() {
                Some((outcome, ending)) => self.claim = Some(hearing::claim(outcome, ending)),
                None => self.now_due(),
            }
        }
    }

    /// `undo`: one ply. Only where nothing is due.
    pub fn undo(&mut self) {
        self.say("undo");
        self.game.undo();
        self.changed();
    }

    /// `remove`: two plies.
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

    /// `exit`, from analysis.
    pub fn exit(&mut self) {
        self.say("exit");
        self.mode = Mode::Force;
        self.changed();
    }

    /// `ping`, answered later.
    pub fn ping(&mut self) -> u32 {
        self.last_ping += 1;
        self.say(format!("ping {}", self.last_ping));
        let (due, claim) = (self.due.map(|_| self.dues), self.claim.is_some());
        self.pings.push_back(Ping { number: self.last_ping, due, claim });
        self.last_ping
    }

    /// Waits until the engine has done all it was told. What it says of a position from now on is about this one.
    pub fn settle(&mut self) {
        let ping = self.ping();
        self.unsettled = Some(ping);
        self.until("a pong", |gui| gui.pings.is_empty());
    }

    /// Whether a ping is not answered yet.
    pub fn awaits_pong(&self) -> bool {
        !self.pings.is_empty()
    }

    /// Waits for the engine's move and what it claims with it.
    pub fn until_moved(&mut self) {
        self.until("a move", |gui| gui.due.is_none() && gui.claim.is_none());
    }

    /// Whether a result has been claimed, or could be.
    pub fn is_over(&self) -> bool {
        self.game.ending().is_some()
    }

    /// `quit`, and listens to the end.
    pub fn quit(&mut self) {
        self.say("quit");
        self.until("the end", |gui| gui.ended);
    }

    /// Listens until something is so.
    pub fn until(&mut self, what: &str, done: impl Fn(&Gui) -> bool) {
        let deadline = Instant::now() + TEST_TIMEOUT;
        while !done(self) {
            if self.ended {
                self.fail(format!("it ended while {what} was awaited"));
            }
            match self.wire.next(deadline) {
                Some((at, heard)) => self.hear(at, heard),
                None => self.fail(format!("no sign of {what}")),
            }
        }
    }

    /// Listens for that long.
    pub fn listen(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while !self.ended
            && let Some((at, heard)) = self.wire.next(deadline)
        {
            self.hear(at, heard);
        }
    }

    /// The clocks, as before every move.
    fn tell_clocks(&mut self) {
        for line in self.clock.lines() {
            self.say(line);
        }
    }

    fn now_due(&mut self) {
        self.dues += 1;
        self.due = Some(Instant::now());
    }

    /// What the engine says may be about what was before, until a ping.
    fn changed(&mut self) {
        self.hint = None;
        self.thoughts.clear();
        self.exhausted = false;
        self.unsettled = Some(self.last_ping + 1);
        self.claim = None;
    }
}
