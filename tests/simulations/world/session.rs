//! One connection of a server: the link's end, the line splitter, and the session behind them.

use crate::world::archive::Archive;
use crate::world::defects::Defects;
use crate::world::gui::Poison;
use crate::world::pool::Pool;
use farboard::book::Books;
use farboard::link::{ClientFrame, GREETING, Pending, ServerEnd, ServerFrame};
use farboard::pool::{JobId, SearchEvent, SearchId, SearchOrder};
use farboard::protocol::framing::{Frame, LineSplitter};
use farboard::session::{
    Conversation, Effect, FileRequest, FinishedGame, Input, Profile, Protocol, SendTime, SessionState, Setup,
    StateKey, Takeover,
};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The parts of a server that a session needs.
pub struct Surroundings<'a> {
    pub pool: &'a mut Pool,
    pub archive: &'a mut Archive,
    pub defects: &'a mut Defects,
    pub now: Instant,
}

/// The phase of a connection.
enum Phase {
    /// The part of the greeting received so far.
    Greeting(Vec<u8>),
    Linked,
    /// The server has closed.
    Closed,
}

/// Consequences for the rest of the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    GoesOn,
    /// A line has crashed the process.
    Dies,
}

pub struct Session {
    pub client: usize,
    /// The session's number at the pool.
    pub owner: u64,
    protocol: Protocol,
    setup_seed: u64,
    phase: Phase,
    end: ServerEnd,
    lines: LineSplitter,
    conversation: Option<Conversation>,
    /// Output that is in no frame yet.
    output: Vec<u8>,
    only_thinking: bool,
    pub timer: Option<Instant>,
    /// When the client sent the last input.
    sent_at: Instant,
    /// The instant of the last input.
    handled_at: Instant,
    input_ended: bool,
    /// Whether the session wants to end.
    closes: bool,
    nonces: u64,
    /// Bytes for the socket, ahead of the next frame.
    pub to_send: Vec<u8>,
    pub sends_end: bool,
    /// Whether the session has begun or was resumed.
    pub has_begun: bool,
    poison: Poison,
}

fn key() -> StateKey {
    StateKey::new([7; 32])
}

fn line_limit(protocol: Protocol) -> usize {
    protocol.line_limit(4000)
}

impl Session {
    pub fn new(
        client: usize,
        owner: u64,
        protocol: Protocol,
        seed: u64,
        poison: Poison,
        now: Instant,
    ) -> Session {
        Session {
            client,
            owner,
            protocol,
            setup_seed: seed ^ owner << 8,
            phase: Phase::Greeting(Vec::new()),
            end: ServerEnd::default(),
            lines: LineSplitter::new(line_limit(protocol)),
            conversation: None,
            output: Vec::new(),
            only_thinking: true,
            timer: None,
            sent_at: now,
            handled_at: now,
            input_ended: false,
            closes: false,
            nonces: 0,
            to_send: Vec::new(),
            sends_end: false,
            has_begun: false,
            poison,
        }
    }

    fn setup(&self) -> Setup {
        let mut profile = Profile::new("Farboard", Books::default());
        profile.archives = true;
        Setup { seed: self.setup_seed, identity: self.setup_seed, profile: Arc::new(profile) }
    }

    pub fn is_closed(&self) -> bool {
        matches!(self.phase, Phase::Closed)
    }

    /// The engine's clock in the session.
    pub fn clock(&self, now: Instant) -> Option<i64> {
        self.conversation.as_ref().and_then(|conversation| conversation.status_at(now).clock)
    }

    pub fn may_move(&self, now: Instant) -> bool {
        self.has_begun && !self.closes && self.conversation.as_ref().is_some_and(|talk| talk.may_move(now))
    }

    /// Handles bytes of the shim.
    pub fn receive(&mut self, bytes: &[u8], with: &mut Surroundings<'_>) -> Verdict {
        match &mut self.phase {
            Phase::Closed => return Verdict::GoesOn,
            Phase::Linked => self.end.push(bytes),
            Phase::Greeting(held) => {
                held.extend_from_slice(bytes);
                let Some(end) = held.iter().position(|&byte| byte == b'\n') else { return Verdict::GoesOn };
                assert_eq!(&held[..end], GREETING.as_bytes(), "the shim's first line");
                let rest = held.split_off(end + 1);
                self.end.push(&rest);
                self.phase = Phase::Linked;
                self.to_send.extend_from_slice(format!("{GREETING}\n").as_bytes());
            }
        }
        self.read_frames(with)
    }

    fn read_frames(&mut self, with: &mut Surroundings<'_>) -> Verdict {
        while !self.is_closed() && !self.closes {
            if self.lines(with) == Verdict::Dies {
                return Verdict::Dies;
            }
            let frame = self.end.next(&mut self.lines);
            match frame.unwrap_or_else(|error| panic!("the shim's frame: {error}")) {
                None => break,
                Some(ClientFrame::New) => self.begin(with),
                Some(ClientFrame::Resume { state, warm, age, away, calm }) => {
                    let warm = (!warm.is_empty()).then(|| warm.into());
                    self.resume(&state, age, Takeover { away, calm, warm }, with);
                }
                Some(ClientFrame::Input { bytes, age }) => {
                    self.note_sent(with.now.checked_sub(age).expect("an age"));
                    self.lines.push(&with.defects.input(self.client, bytes));
                }
                Some(ClientFrame::Refuse { bytes, age }) => {
                    self.note_sent(with.now.checked_sub(age).expect("an age"));
                    let line = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
                    self.input(Input::Refused(line), with);
                }
            }
        }
        Verdict::GoesOn
    }

    /// Handles complete lines.
    fn lines(&mut self, with: &mut Surroundings<'_>) -> Verdict {
        loop {
            if self.closes {
                return Verdict::GoesOn;
            }
            let line = match self.lines.next_line() {
                None => return Verdict::GoesOn,
                Some(Frame::Line(line)) => Some(line.to_vec()),
                Some(Frame::TooLong) => None,
                Some(Frame::Interrupt) => panic!("an interrupt that was not sent"),
            };
            match line {
                Some(line) if self.poison.is_in(&line) => return Verdict::Dies,
                Some(line) => self.input(Input::Line(&line), with),
                None => self.input(Input::LineTooLong(self.lines.limit()), with),
            }
        }
    }

    fn begin(&mut self, with: &mut Surroundings<'_>) {
        let mut conversation = Conversation::new(self.protocol, self.setup(), Arc::default());
        let mut effects = Vec::new();
        conversation.open(&mut effects);
        self.conversation = Some(conversation);
        self.has_begun = true;
        self.execute(effects, with);
    }

    fn resume(&mut self, state: &str, age: Duration, takeover: Takeover, with: &mut Surroundings<'_>) {
        with.defects.note_resumed(self.client);
        let (state, restored_age) = (with.defects.state(self.client, state), with.defects.age(age));
        let restored = SessionState::parse(&state, &key()).and_then(|state| {
            Conversation::restore(&state, self.setup(), Arc::default(), restored_age, with.now)
        });
        let conversation = restored.unwrap_or_else(|error| panic!("{error}: {state}"));
        self.lines.raise_limit(line_limit(conversation.protocol()));
        self.conversation = Some(conversation);
        self.has_begun = true;
        let written = with.now.checked_sub(age).expect("an age");
        self.handled_at = written;
        self.input_now(Input::Resumed(takeover), with);
    }

    /// Handles the end of the shim's output.
    pub fn input_over(&mut self, with: &mut Surroundings<'_>) {
        if !std::mem::replace(&mut self.input_ended, true) && self.conversation.is_some() {
            self.input_now(Input::Eof, with);
        }
    }

    pub fn timer_fired(&mut self, with: &mut Surroundings<'_>) {
        self.timer = None;
        self.input_now(Input::Timer, with);
    }

    pub fn news(&mut self, search: SearchId, event: SearchEvent, with: &mut Surroundings<'_>) {
        if let SearchEvent::Done(done) = &event {
            with.defects.note_end(self.owner, *done);
        }
        self.input_now(Input::Search(search, event), with);
    }

    /// Handles an input that is not in the client's stream.
    fn input_now(&mut self, input: Input<'_>, with: &mut Surroundings<'_>) {
        self.handle(input, SendTime::at(with.now), with);
    }

    fn note_sent(&mut self, sent: Instant) {
        self.sent_at = sent;
        self.handled_at = self.handled_at.max(sent);
    }

    fn input(&mut self, input: Input<'_>, with: &mut Surroundings<'_>) {
        self.handle(input, SendTime { sent: self.sent_at, handled: self.handled_at }, with);
    }

    fn handle(&mut self, input: Input<'_>, sent: SendTime, with: &mut Surroundings<'_>) {
        let Some(conversation) = self.conversation.as_mut().filter(|_| !self.closes) else { return };
        let mut effects = Vec::new();
        conversation.handle_late(input, sent, with.now, &mut effects);
        self.lines.raise_limit(line_limit(conversation.protocol()));
        self.execute(effects, with);
    }

    fn board(&self) -> Option<farboard::chess::AnyPosition> {
        match self.conversation.as_ref()? {
            Conversation::Xboard(session) => Some(*session.game().position()),
            Conversation::Undecided(_)
            | Conversation::Checkers(_)
            | Conversation::Uci(_)
            | Conversation::Web(_) => None,
        }
    }

    fn execute(&mut self, effects: Vec<Effect>, with: &mut Surroundings<'_>) {
        for effect in effects {
            match effect {
                Effect::Send(line) => {
                    self.output.extend_from_slice(line.text.as_bytes());
                    self.only_thinking &= line.key.is_some();
                }
                Effect::Search(id, order) => {
                    let is_start = matches!(order, SearchOrder::Start(..));
                    let board = self.board();
                    let refused = with.pool.order(self.owner, id, order, board, with.now);
                    if let Some((job, event)) = refused {
                        self.news(job.search, event, with);
                    }
                    if let Some(done) = with.defects.late_end(self.owner).filter(|_| is_start) {
                        with.pool
                            .late
                            .push((JobId { owner: self.owner, search: id }, SearchEvent::Done(done)));
                    }
                }
                Effect::Timer(at) => self.timer = at,
                Effect::FileRequest(FileRequest::Archive(game)) => self.archive(&game, with),
                Effect::FileRequest(request) => panic!("{request:?}"),
                Effect::SolveEndgames(_) => {}
                Effect::Close => self.closes = true,
            }
        }
    }

    /// The connection ends: archives the game that the session leaves.
    pub fn leave_game(&mut self, with: &mut Surroundings<'_>) {
        self.input_ended = true;
        if let Some(game) =
            self.conversation.as_mut().and_then(|conversation| conversation.take_game(with.now))
        {
            self.archive(&game, with);
        }
    }

    /// Without the client's `quit` an unfinished game may continue on another server.
    fn archive(&self, game: &FinishedGame, with: &mut Surroundings<'_>) {
        if game.outcome.is_some() || !self.input_ended {
            with.archive.put(format!("{:?}", game.identity), self.client, game.game.plies());
        }
    }

    /// Makes the next frame, if there is anything to send.
    pub fn make_frame(&mut self, defects: &mut Defects, now: Instant) {
        let Some(conversation) = &mut self.conversation else { return };
        if self.closes {
            let output = std::mem::take(&mut self.output);
            let end = self.end.end(output, &self.lines);
            return self.close_with(&[end]);
        }
        let pending = Pending {
            output: std::mem::take(&mut self.output),
            only_thinking: std::mem::replace(&mut self.only_thinking, true),
            due: conversation.is_due(),
        };
        let nonces = &mut self.nonces;
        let (owner, client) = (self.owner, self.client);
        let frame = self.end.frame(pending, &self.lines, || {
            *nonces += 1;
            let mut nonce = [0; 12];
            nonce[..8].copy_from_slice(&(owner << 32 | *nonces).to_le_bytes());
            let state = conversation.state(now).text(&key(), nonce);
            defects.note_state(client, &state);
            state
        });
        if let Some(frame) = frame.filter(|frame| !defects.loses(frame)) {
            frame.write(&mut self.to_send);
        }
    }

    /// Sends these last frames.
    pub fn close_with(&mut self, frames: &[ServerFrame]) {
        for frame in frames {
            frame.write(&mut self.to_send);
        }
        self.phase = Phase::Closed;
        self.sends_end = true;
    }

    /// Returns true if all output is in frames.
    pub fn is_idle(&self) -> bool {
        self.output.is_empty()
    }

    pub fn ask_to_move(&mut self) {
        ServerFrame::Move.write(&mut self.to_send);
    }
}
