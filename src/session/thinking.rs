//! The one search that may run: starting, stopping, hearing it.

use super::{Effect, Mode, Session, Step};
use crate::chess::{AnyPosition, Color, Game, Move};
use crate::pool::{Class, SearchEvent, SearchId, Terms};
use crate::protocol::xboard::{Reply, ThinkingLine};
use crate::search::{Bound, Done, Info, Limits, Progress, Report, Request};
use std::time::{Duration, Instant};

/// A pondering search is shown only when it has run for so long. Its first lines are of no worth, and a
/// client that waits for the `pong` behind our move would take them for lines about that move (python-chess).
const PONDER_LINES_FROM: Duration = Duration::from_millis(200);

/// The search that runs, or a pondering one that has ended and waits for the opponent's move.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) id: SearchId,
    pub(super) purpose: Purpose,
    /// The position searched.
    pub(super) root: AnyPosition,
    /// When it was asked for.
    pub(super) began: Instant,
    /// When our clock started: that, or when the opponent played the expected move.
    pub(super) since: Instant,
    /// When the best move known is played.
    pub(super) deadline: Option<Instant>,
    /// The newest principal variation of the best line.
    pub(super) best: Option<Info>,
    pub(super) progress: Option<Progress>,
    pub(super) done: Option<Done>,
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// Our move is due.
    Move,
    /// The opponent thinks, and we expect this move.
    Ponder(Move),
    /// The opponent thinks, and we look for the move to expect.
    Expectation,
    /// `analyze`
    Analysis,
    /// `hint`
    Hint,
}

impl Search {
    /// Whether the state of the session allows this search.
    pub(super) fn fits(&self, mode: Mode, turn: Color) -> bool {
        match self.purpose {
            Purpose::Move => mode == Mode::Play(turn),
            Purpose::Ponder(_) | Purpose::Expectation => mode == Mode::Play(!turn),
            Purpose::Analysis => mode == Mode::Analyze,
            Purpose::Hint => true,
        }
    }

    /// The best variation known, as far as it can be played.
    pub(super) fn variation(&self) -> impl Iterator<Item = Move> {
        let mut position = self.root;
        let pv = self.best.as_ref().map_or(&[][..], |info| &info.pv);
        pv.iter().copied().map_while(move |mv| {
            position.is_legal(mv).then(|| {
                position.play(mv);
                mv
            })
        })
    }
}

impl Session {
    /// Our move is due since then.
    pub(super) fn think(&mut self, since: Instant, step: &mut Step<'_>) {
        let allotment = self.allotment();
        let class = if allotment.is_some() { Class::Clock } else { Class::Analysis };
        let terms = Terms { class, since, allotment };
        let limits = Limits { depth: self.depth, nodes: None };
        let game = self.game.clone();
        self.start(Purpose::Move, &game, limits, terms, step);
    }

    /// Starts a search of this game's position, in place of any other.
    pub(super) fn start(
        &mut self,
        purpose: Purpose,
        game: &Game,
        limits: Limits,
        terms: Terms,
        step: &mut Step<'_>,
    ) {
        self.halt(step);
        self.last_search += 1;
        let id = SearchId(self.last_search);
        let root = *game.position();
        let shows_lines = matches!(purpose, Purpose::Move | Purpose::Ponder(_) | Purpose::Analysis);
        let request = Request {
            position: root,
            history: game.history(),
            limits,
            lines: if shows_lines { self.options.lines } else { 1 },
            excluded: Vec::new(),
            salt: self.salt,
        };
        step.effect(Effect::Start(id, Box::new(request), terms));
        let (since, deadline) = (terms.since, terms.deadline());
        self.search = Some(Search {
            id,
            purpose,
            root,
            began: since,
            since,
            deadline,
            best: None,
            progress: None,
            done: None,
        });
        self.set_timer(deadline, step);
    }

    /// The terms of a search without a clock.
    pub(super) fn unhurried(&self, step: &Step<'_>) -> Terms {
        Terms { class: Class::Analysis, since: step.now, allotment: None }
    }

    /// How long the move that is due may take.
    pub(super) fn allotment(&self) -> Option<crate::search::Allotment> {
        let ply = self.game.moves().len();
        self.clocks.allotment(ply, self.options.move_overhead, self.depth.is_some())
    }

    /// Stops whatever search runs and takes what is known of it.
    pub(super) fn halt(&mut self, step: &mut Step<'_>) -> Option<Search> {
        let search = self.search.take()?;
        if search.done.is_none() {
            step.effect(Effect::Stop(search.id));
        }
        self.set_timer(None, step);
        Some(search)
    }

    /// Stops whatever search runs; if it was for our move, our clock stops too.
    pub(super) fn stop(&mut self, step: &mut Step<'_>) {
        self.paused = None;
        if let Some(search) = self.halt(step)
            && search.purpose == Purpose::Move
        {
            self.clocks.stopped(step.now.saturating_duration_since(search.since));
        }
    }

    pub(super) fn set_timer(&mut self, at: Option<Instant>, step: &mut Step<'_>) {
        if self.timer != at {
            self.timer = at;
            step.effect(Effect::Timer(at));
        }
    }

    /// What the running search is for.
    pub(super) fn purpose(&self) -> Option<Purpose> {
        self.search.as_ref().map(|search| search.purpose)
    }

    /// An event of a search: dropped unless it is the current one.
    pub(super) fn search_event(&mut self, id: SearchId, event: SearchEvent, step: &mut Step<'_>) {
        let Some(search) = self.search.as_mut().filter(|search| search.id == id && search.done.is_none())
        else {
            return;
        };
        match event {
            SearchEvent::Report(Report::Progress(progress)) => search.progress = Some(progress),
            SearchEvent::Report(Report::Info(info)) => {
                if let Some(line) = self.show(&info) {
                    step.reply(Reply::Thinking(line));
                }
                if let Some(search) = self.search.as_mut().filter(|_| info.line <= 1) {
                    search.best = Some(info);
                }
            }
            SearchEvent::Done(done) => {
                search.done = Some(done);
                let purpose = search.purpose;
                self.search_done(purpose, done, step);
            }
        }
    }

    fn search_done(&mut self, purpose: Purpose, done: Done, step: &mut Step<'_>) {
        match purpose {
            Purpose::Move => self.make_move(step),
            Purpose::Hint => self.give_hint(done.best, step),
            Purpose::Expectation => {
                self.halt(step);
                self.expected = done.best;
                // One that found nothing would find nothing again.
                self.may_ponder &= done.best.is_some();
                self.begin_pondering(step);
            }
            // What they found is kept until it is wanted.
            Purpose::Ponder(_) | Purpose::Analysis => {}
        }
    }

    /// The thinking line for a principal variation, if it is to be shown.
    fn show(&self, info: &Info) -> Option<ThinkingLine> {
        let search = self.search.as_ref().filter(|_| self.post)?;
        match search.purpose {
            Purpose::Move | Purpose::Analysis => {}
            // The expected move is left out, since it was sent as `Hint:` (protocol 1, section 10).
            Purpose::Ponder(_) if info.elapsed >= PONDER_LINES_FROM => {}
            _ => return None,
        }
        let pv = san_line(search.root, &info.pv);
        (!pv.is_empty()).then(|| thinking_line(info, pv))
    }

    /// The timer has come.
    pub(super) fn timer(&mut self, step: &mut Step<'_>) {
        let Some(deadline) = self.timer else { return };
        if step.now < deadline {
            step.effect(Effect::Timer(Some(deadline)));
        } else {
            self.make_move(step);
        }
    }
}

fn san_line(mut position: AnyPosition, pv: &[Move]) -> Vec<String> {
    let mut line = Vec::with_capacity(pv.len());
    for &mv in pv {
        if !position.is_legal(mv) {
            break;
        }
        line.push(position.san(mv));
        position.play(mv);
    }
    line
}

fn thinking_line(info: &Info, pv: Vec<String>) -> ThinkingLine {
    let score = info.score.mate_distance().map_or(info.score.0, ThinkingLine::mate);
    let micros = info.elapsed.as_micros().max(1);
    ThinkingLine {
        depth: info.depth.into(),
        score,
        time: (info.elapsed.as_millis() / 10) as u64,
        nodes: info.nodes,
        selective_depth: info.selective_depth.into(),
        speed: u64::try_from(u128::from(info.nodes) * 1_000_000 / micros).unwrap_or(u64::MAX),
        table_hits: 0,
        pv,
        mark: match info.bound {
            Bound::Exact => None,
            Bound::Lower => Some('!'),
            Bound::Upper => Some('?'),
        },
        line: info.line.into(),
    }
}
