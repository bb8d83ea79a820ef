//! How the game stands, and what follows: draws offered and accepted, games resigned.

use super::{Closing, Mode, Session, Step};
use crate::chess::{Color, Ending, Move, Outcome, Square};
use crate::protocol::xboard::Reply;
use crate::search::Score;
use crate::session::player::Purpose;
use std::time::Duration;

/// Moves of each side in which no draw is agreed, while so many men are on the board. GUIs number the moves of set-up
/// positions from 1.
const OPENING: u32 = 15;
const MEN_OF_AN_OPENING: usize = 24;
/// Moves of each side before which we offer none while more than so many men are left, and moves between two offers.
const LATE: u32 = 35;
const MEN_OF_AN_ENDING: usize = 10;
/// So many moves of ours in a row must have been level, or lost, before we say so.
const LEVEL_MOVES: u32 = 8;
const LOST_MOVES: u32 = 3;
/// Centipawns that are nothing.
const LEVEL: i32 = 8;
/// Plies without capture or pawn move after which nothing is likely to happen any more.
const QUIET: u32 = 16;
/// How long our move is kept back after we have accepted a draw: long enough for a chess server far away to end the
/// game. If the offer was withdrawn meanwhile nobody will, and then our clock runs; so it is a part of that at most.
const CONSENT: Duration = Duration::from_secs(5);
const CONSENT_OF_CLOCK: u32 = 10;

/// What we think of the game, and what was said about it.
#[derive(Clone, Default, Debug)]
pub(super) struct Offers {
    /// Our last score, from our view, and which side we were.
    score: Option<(Score, Color)>,
    /// The opponent's offer waits for our move.
    pub(super) draw_offered: bool,
    /// It was made in force mode: then `go` follows whatever we say, as from python-chess.
    offered_before_go: bool,
    /// Which side it was whose level and lost moves in a row are counted.
    counted: Option<Color>,
    level_moves: u32,
    lost_moves: u32,
    /// The move on which we offered a draw.
    offered_on: Option<u32>,
    resigned: bool,
    /// The opponent was greeted.
    pub(super) greeted: bool,
}

impl Offers {
    /// Moves were made while we played neither side. It may go on as before all the same: python-chess sends every move of
    /// the opponent so.
    pub(super) fn unsure(&mut self) {
        self.score = None;
    }

    /// The board changed otherwise than by moves: what was counted says nothing of it.
    pub(super) fn interrupted(&mut self) {
        self.draw_offered = false;
        self.score = None;
        self.level_moves = 0;
        self.lost_moves = 0;
    }
}

impl Session {
    /// Our move has this score.
    pub(super) fn judge(&mut self, score: Option<Score>) {
        let side = self.game.position().turn();
        if self.offers.counted.replace(side).is_some_and(|before| before != side) {
            self.offers.level_moves = 0;
            self.offers.lost_moves = 0;
        }
        self.offers.score = score.map(|score| (score, side));
        let Some(Score(score)) = score else { return };
        let count = |on: bool, count: u32| if on { count + 1 } else { 0 };
        let level = (score + i32::from(self.player.engine.options.contempt)).abs() <= LEVEL;
        self.offers.level_moves = count(level, self.offers.level_moves);
        let lost = score <= -self.player.engine.options.resign_score;
        self.offers.lost_moves = count(lost, self.offers.lost_moves);
    }

    /// Resigns instead of moving, if the user wants that and the game is lost. Once: who is told to go on all the same
    /// gets a move.
    pub(super) fn resigns(&mut self, step: &mut Step<'_>) -> bool {
        let offers = &mut self.offers;
        let lost = offers.lost_moves >= LOST_MOVES && self.player.engine.options.resign && !offers.resigned;
        if lost {
            offers.resigned = true;
            offers.draw_offered = false;
            self.over = true;
            step.reply(Reply::Resign);
        }
        lost
    }

    /// `draw`. Accepted when we are not better by our last score. While we think, or when nothing has been
    /// searched yet, the answer comes with our move: python-chess offers before it says `go`, and takes
    /// an answer before the move for an answer instead of the move.
    pub(super) fn offered_draw(&mut self, step: &mut Step<'_>) {
        let playing = matches!(self.mode, Mode::Play(_)) && self.player.purpose() != Some(Purpose::Move);
        match self.score().filter(|_| playing) {
            Some(score) if !self.over => {
                if self.acceptable(score) {
                    step.reply(Reply::OfferDraw);
                }
            }
            Some(_) => {}
            None if self.player.search().is_some_and(|search| search.draw_agreed) => {
                step.reply(Reply::OfferDraw)
            }
            None => {
                self.offers.draw_offered = self.mode != Mode::Analyze;
                self.offers.offered_before_go = self.mode == Mode::Force;
            }
        }
    }

    /// Our move is due, and this is its score. Accepts an offer that waits; then the move is kept back for a while, since
    /// after an agreed draw none follows. "Don't assume the game is over because you accept a draw offer" (protocol 1,
    /// section 8): who wants to go on gets the move in the end. True if it is kept back.
    pub(super) fn agrees_to_draw(&mut self, score: Option<Score>, step: &mut Step<'_>) -> bool {
        let Some(search) = self.player.search() else { return false };
        if search.draw_agreed {
            let deadline = search.deadline;
            self.player.await_deadline(step);
            return deadline.is_some_and(|deadline| step.now < deadline);
        }
        let offered = std::mem::take(&mut self.offers.draw_offered);
        if !offered || !score.is_some_and(|score| self.acceptable(score)) {
            return false;
        }
        step.reply(Reply::OfferDraw);
        if self.offers.offered_before_go {
            return false;
        }
        let Some(search) = self.player.search() else { return false };
        // A time for this move alone is used up by now, and was given for it.
        let used = if self.player.limits.clocks.is_per_move() {
            Duration::ZERO
        } else {
            self.player.limits.used(search, step.now)
        };
        let left = self.player.limits.clocks.shown_after(used).map_or(CONSENT, |left| {
            Duration::from_millis(u64::try_from(left).unwrap_or(0)) / CONSENT_OF_CLOCK
        });
        // Who says no more will not say that the game is over.
        let time = if self.closing == Closing::Owing { Duration::ZERO } else { left.min(CONSENT) };
        self.keep_back(time, step);
        !time.is_zero()
    }

    /// The client goes on although a draw was agreed.
    pub(super) fn goes_on(&mut self, step: &mut Step<'_>) {
        if !self.player.is_paused() && self.player.search().is_some_and(|search| search.draw_agreed) {
            self.keep_back(Duration::ZERO, step);
            self.make_move(step);
        }
    }

    fn keep_back(&mut self, time: Duration, step: &mut Step<'_>) {
        let Some(search) = self.player.search_mut() else { return };
        search.draw_agreed = true;
        search.deadline = step.now.checked_add(time);
        self.player.await_deadline(step);
    }

    /// We are about to play this move: says `offer draw` to claim a draw that the move brings about ("by sending it before
    /// making the move", current text, section 9), or because the game is dead.
    pub(super) fn speak_of_draw(&mut self, mv: Move, step: &mut Step<'_>) {
        if self.can_claim(mv) {
            step.reply(Reply::OfferDraw);
        } else if self.is_dead() {
            self.offers.offered_on = Some(self.game.position().fullmove());
            step.reply(Reply::OfferDraw);
        }
    }

    /// Our last score, if we have not changed sides since.
    fn score(&self) -> Option<Score> {
        let ours = |side| self.mode == Mode::Play(side);
        self.offers.score.filter(|&(_, side)| ours(side)).map(|(score, _)| score)
    }

    /// Not in the opening, where a score of little less than nothing says nothing.
    fn acceptable(&self, score: Score) -> bool {
        let draw = Score(-i32::from(self.player.engine.options.contempt));
        let opening = self.game.position().fullmove() <= OPENING && self.men() > MEN_OF_AN_OPENING;
        score <= draw && !opening
    }

    fn men(&self) -> usize {
        Square::all().filter(|&square| self.game.position().piece_at(square).is_some()).count()
    }

    fn can_claim(&self, mv: Move) -> bool {
        let mut game = self.game.clone();
        game.play(mv);
        matches!(game.ending(), Some((Outcome::Draw, Ending::Repetition | Ending::FiftyMoves)))
    }

    fn is_dead(&self) -> bool {
        let (offers, position) = (&self.offers, self.game.position());
        let now = position.fullmove();
        offers.level_moves >= LEVEL_MOVES
            && (now > LATE || self.men() <= MEN_OF_AN_ENDING)
            && position.halfmove_clock() >= QUIET
            && offers.offered_on.is_none_or(|then| now.saturating_sub(then) >= LATE)
    }
}
