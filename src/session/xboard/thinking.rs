//! The one search that may run: starting, stopping, hearing it.

use super::busy::Want;
use super::{Effect, Mode, Session, Step};
use crate::chess::{AnyPosition, Color, Game, Move};
use crate::pool::{SearchBudget, SearchEvent, SearchId, SearchOrder};
use crate::protocol::xboard::Reply;
use crate::search::{Done, Info, Limits, Progress, Report, Request, Score};
use std::time::{Duration, Instant};

/// The search that runs, or a pondering one that has ended and waits for the opponent's move.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) id: SearchId,
    pub(super) purpose: Purpose,
    /// The position searched.
    pub(super) root: AnyPosition,
    /// On what terms it runs.
    pub(super) terms: SearchBudget,
    /// When it ends although nobody says so.
    pub(super) limits: Limits,
    /// When it was asked for.
    pub(super) began: Instant,
    /// When our clock started: that, or when the opponent played the expected move.
    pub(super) since: Instant,
    /// When the best move known is played.
    pub(super) deadline: Option<Instant>,
    /// The best move that was known before it searched.
    pub(super) known: Option<Move>,
    /// The newest principal variation of the best line.
    pub(super) best: Option<Info>,
    pub(super) progress: Option<Progress>,
    pub(super) done: Option<Done>,
    /// It was not begun or has failed: there is nothing to stop.
    pub(super) gone: bool,
    /// `hint` was asked before it knew a move.
    pub(super) hint_wanted: bool,
    /// A draw was agreed, and our move is kept back until `deadline`.
    pub(super) agreed: bool,
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// Our move is due.
    Move,
    /// The opponent thinks, and we expect this move.
    Ponder(Move),
    /// The opponent thinks about the move that is on the board already, by order of the client.
    Ordered,
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
            Purpose::Move | Purpose::Ordered => mode == Mode::Play(turn),
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

impl Search {
    /// The move of the opponent that it is about, and that is not on the board.
    pub(super) fn expected(&self) -> Option<Move> {
        match self.purpose {
            Purpose::Ponder(expected) => Some(expected),
            _ => None,
        }
    }

    /// The score of the position, as far as it is known.
    pub(super) fn score(&self) -> Option<Score> {
        self.done.map(|done| done.score).or(self.best.as_ref().map(|info| info.score))
    }

    /// Nodes searched, as far as it has said.
    pub(super) fn nodes(&self) -> u64 {
        let known = [
            self.best.as_ref().map(|info| info.nodes),
            self.progress.map(|progress| progress.nodes),
            self.done.map(|done| done.nodes),
        ];
        known.into_iter().flatten().max().unwrap_or(0)
    }

    /// How long it has taken, as far as it has said.
    pub(super) fn elapsed(&self) -> Duration {
        let known = [
            self.best.as_ref().map(|info| info.elapsed),
            self.progress.map(|progress| progress.elapsed),
            self.done.map(|done| done.elapsed),
        ];
        known.into_iter().flatten().max().unwrap_or(Duration::ZERO)
    }

    /// It did nothing for so long, and its clock stood still.
    pub(super) fn postpone(&mut self, pause: Duration) {
        let later = |at: Instant| at.checked_add(pause).unwrap_or(at);
        self.began = later(self.began);
        self.since = later(self.since);
        self.deadline = self.deadline.map(later);
        self.terms.since = self.since;
    }
}

impl Session {
    /// Our move is due since then.
    pub(super) fn think(&mut self, since: Instant, step: &mut Step<'_>) {
        if !self.play_from_book(since, step) {
            self.search_for_move(since, step);
        }
    }

    /// Our move is due since then, and the book has none.
    pub(super) fn search_for_move(&mut self, since: Instant, step: &mut Step<'_>) {
        let (limits, terms) = self.budget(since);
        let game = self.game.clone();
        self.start(Purpose::Move, &game, limits, terms, step);
    }

    /// Starts a search of this game's position, in place of any other.
    pub(super) fn start(
        &mut self,
        purpose: Purpose,
        game: &Game,
        limits: Limits,
        terms: SearchBudget,
        step: &mut Step<'_>,
    ) {
        self.halt(step);
        self.last_search += 1;
        let id = SearchId(self.last_search);
        let root = *game.position();
        let request =
            Request { resume: resumes(purpose, limits, &terms), ..self.request(purpose, game, limits) };
        step.effect(Effect::Search(id, SearchOrder::Start(Box::new(request), terms)));
        let (since, deadline) = (terms.since, terms.deadline());
        self.search = Some(Search {
            id,
            purpose,
            root,
            terms,
            limits,
            began: since,
            since,
            deadline,
            known: None,
            best: None,
            progress: None,
            done: None,
            gone: false,
            hint_wanted: false,
            agreed: false,
        });
        self.set_timer(deadline, step);
    }

    /// What to ask of the engine. Only where we play do we play in a manner: an analysis tells what is so.
    fn request(&self, purpose: Purpose, game: &Game, limits: Limits) -> Request {
        let ours = matches!(purpose, Purpose::Move | Purpose::Ponder(_) | Purpose::Ordered);
        let shown = ours || purpose == Purpose::Analysis;
        let here = matches!(purpose, Purpose::Move | Purpose::Ordered | Purpose::Analysis | Purpose::Hint);
        let excluded = if here && !self.excludes_all() { self.excluded.clone() } else { Vec::new() };
        let random = ours && self.client.random;
        let strength = self.options.strength().filter(|_| ours);
        // Where nodes count, others must not search for us.
        let alone = strength.is_some() || self.nps.is_some() || !shown;
        Request {
            history: game.history(),
            limits,
            lines: if shown { self.options.lines } else { 1 },
            excluded,
            salt: self.salt,
            contempt: if ours { self.options.contempt } else { 0 },
            noise: if random { self.options.randomness } else { 0 },
            strength,
            seed: self.game_seed,
            known: self.known.clone(),
            memory: self.memory,
            game: ours || purpose == Purpose::Expectation,
            helpers: if alone { 0 } else { self.cores - 1 },
            ..Request::of(*game.position())
        }
    }

    /// Stops whatever search runs, or is about to, and takes what is known of it.
    pub(super) fn halt(&mut self, step: &mut Step<'_>) -> Option<Search> {
        if self.scrolling.due.take().is_some() {
            self.set_timer(None, step);
        }
        let search = self.search.take()?;
        self.tally.searched(&search);
        if search.done.is_none() && !search.gone {
            step.effect(Effect::Search(search.id, SearchOrder::Stop));
        }
        self.set_timer(None, step);
        Some(search)
    }

    /// Stops whatever search runs; if it was for our move, our clock stops too.
    pub(super) fn stop(&mut self, step: &mut Step<'_>) {
        self.pondered = None;
        if let Some(used) = self.paused.take().and_then(|paused| paused.owed) {
            self.clocks.stopped(used);
        }
        if let Some(search) = self.halt(step)
            && search.purpose == Purpose::Move
        {
            let used = self.used(&search, step.now);
            self.clocks.stopped(used);
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
        self.busy &= matches!(event, SearchEvent::Refused(_) | SearchEvent::Failed);
        match event {
            SearchEvent::Refused(shortage) => self.do_without_search(Want::Room(shortage), step),
            SearchEvent::Failed => self.do_without_search(Want::Defect, step),
            SearchEvent::Report(Report::Known(mv)) => search.known = Some(mv),
            SearchEvent::Report(Report::Progress(progress)) => search.progress = Some(progress),
            SearchEvent::Report(Report::Info(info)) => self.heard(info, step),
            SearchEvent::Done(done) => {
                search.done = Some(done);
                // What ended before it could be held waits for `resume`.
                match &mut self.paused {
                    None => self.search_done(done, step),
                    Some(paused) => {
                        paused.until = None;
                        self.set_timer(None, step);
                    }
                }
            }
        }
    }

    /// A new variation of the current search.
    fn heard(&mut self, info: Info, step: &mut Step<'_>) {
        // The user has read it: GUIs order lines by their scores.
        if let Some(line) = self.show(&info).filter(|_| !info.again) {
            step.reply(Reply::Thinking(line));
            self.show_failure(info.bound, step);
        }
        let Some(search) = self.search.as_mut().filter(|_| info.line <= 1) else { return };
        search.best = Some(info);
        if std::mem::take(&mut search.hint_wanted) {
            self.hint(step);
        }
    }

    /// The current search has ended.
    pub(super) fn search_done(&mut self, done: Done, step: &mut Step<'_>) {
        let Some(purpose) = self.purpose() else { return };
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
            Purpose::Ponder(_) | Purpose::Ordered | Purpose::Analysis => {}
        }
    }

    /// The timer has come.
    pub(super) fn timer(&mut self, step: &mut Step<'_>) {
        let Some(deadline) = self.timer else { return };
        if step.now < deadline {
            step.effect(Effect::Timer(Some(deadline)));
        } else if self.paused.is_some() {
            self.let_go(step);
        } else if self.scrolling.due.is_some() {
            self.come_to_rest(step);
        } else {
            self.make_move(step);
        }
    }
}

/// Whether a search goes on where an earlier one of the position stood: none that has to spend its time or nodes well.
fn resumes(purpose: Purpose, limits: Limits, terms: &SearchBudget) -> bool {
    match purpose {
        Purpose::Analysis | Purpose::Hint => true,
        Purpose::Move => terms.allotment.is_none() && limits.nodes.is_none(),
        Purpose::Ponder(_) | Purpose::Ordered | Purpose::Expectation => false,
    }
}
