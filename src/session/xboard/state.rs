//! The state of a session as text.

use super::edit::Editor;
use super::kriegspiel::Umpire;
use super::offers::Offers;
use super::ping::MAX_PINGS;
use super::pondering::{Pondered, Pondering};
use super::{Client, Mode, Partner, Session};
use crate::chess::kriegspiel::Attempt;
use crate::chess::{Color, Game, Piece, Square};
use crate::protocol::xboard::{Arrangement, GameResult, Rating, Wing};
use crate::search::{GameRecord, RootPosition, Score};
use crate::session::Setup;
use crate::session::player::Purpose;
use crate::session::state::{Fields, SessionState, StateError, Value, Words, chess_game, words};
use std::time::Instant;

/// The greatest count of moves or interrupts.
const MAX_COUNT: u32 = 1_000_000_000;

/// The protocol's word in the configuration and in states.
const PROTOCOL: &str = "xboard";

impl Session {
    /// The state at the instant `now`. Nothing changes: `&mut` because one description of the
    /// fields writes and reads them.
    pub fn state(&mut self, now: Instant) -> SessionState {
        let (profile, profiles) = self.player.engine.profiles();
        let mut new = Session::new(Setup { seed: 0, identity: 0, profile }).with_profiles(profiles);
        let (word, describe) = (PROTOCOL, |fields: &mut Fields<'_>| self.describe(fields));
        SessionState::written(now, word, describe, |fields| new.describe(fields))
    }

    /// Restores the state that was written at the instant `written` of this server's clock.
    ///
    /// # Errors
    /// Commands cannot have led to that state on this server.
    pub fn restored(mut self, state: &SessionState, written: Instant) -> Result<Session, StateError> {
        state.read(written, |fields| self.describe(fields))?;
        Ok(self)
    }

    fn describe(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        // Not a use of the fields: makes the compiler report one that is missing below.
        let Session {
            player: _,
            client: _,
            game: _,
            mode: _,
            turn_wanted: _,
            over: _,
            excluded: _,
            pondering: _,
            umpire: _,
            offers: _,
            pings: _,
            editor: _,
            recorder: _,
            closing: _,
        } = self;
        // In kriegspiel the engine's men are secret, and whatever follows from them. When reading,
        // nothing is.
        let is_hidden = self.is_hidden();
        fields.secret(is_hidden, |fields| {
            chess_game(fields, "game", &mut self.game)?;
            fields.field("mode", &mut self.mode)?;
            self.client.state(fields)?;
            fields.field("turn-wanted", &mut self.turn_wanted)?;
            fields.field("over", &mut self.over)?;
            fields.field("excluded", &mut self.excluded)?;
            fields.section("ponder", |fields| self.pondering.state(fields, &self.game))?;
            fields.section("umpire", |fields| self.umpire.state(fields))?;
            fields.section("offers", |fields| self.offers.state(fields))?;
            fields.field("pings", &mut self.pings)?;
            let fresh = Editor::new(self.game.position(), Color::White);
            fields.optional("editor", &mut self.editor, || fresh, Editor::state)?;
            self.recorder.state(fields)?;
            fields.field("closing", &mut self.closing)?;
            let game = &self.game;
            self.player.state(fields, |purpose| root(game, purpose))
        })?;
        if fields.is_reading() && !self.is_possible() {
            return Err(StateError::Inconsistent);
        }
        Ok(())
    }

    /// Returns true if commands can have led here, as far as the fields must agree.
    fn is_possible(&self) -> bool {
        let position = self.game.position();
        let are_legal = self.excluded.iter().all(|&mv| position.is_legal(mv));
        let are_different =
            (1..self.excluded.len()).all(|index| !self.excluded[..index].contains(&self.excluded[index]));
        are_legal && are_different && self.pings.len() <= MAX_PINGS && self.search_fits_mode()
    }
}

/// The root position of a search for this purpose.
fn root(game: &Game, purpose: Purpose) -> Option<RootPosition> {
    match purpose {
        Purpose::Ponder(expected) => {
            let mut position = *game.position();
            position.is_legal(expected).then(|| {
                position.play(expected);
                position.into()
            })
        }
        Purpose::Perft(_) => None,
        Purpose::Move | Purpose::PonderOnBoard | Purpose::Expectation | Purpose::Analysis | Purpose::Hint => {
            Some(game.root())
        }
    }
}

/// `force`, `analyze`, or the side that the engine plays.
impl Value for Mode {
    fn write(&self, now: Instant) -> String {
        match self {
            Mode::Force => "force".to_owned(),
            Mode::Analyze => "analyze".to_owned(),
            Mode::Play(side) => side.write(now),
        }
    }

    fn read(text: &str, now: Instant) -> Option<Mode> {
        match text {
            "force" => Some(Mode::Force),
            "analyze" => Some(Mode::Analyze),
            side => Color::read(side, now).map(Mode::Play),
        }
    }
}

/// The code in PGN.
impl Value for GameResult {
    fn write(&self, _: Instant) -> String {
        self.code().to_owned()
    }

    fn read(text: &str, _: Instant) -> Option<GameResult> {
        GameResult::ALL.into_iter().find(|result| result.code() == text)
    }
}

/// The engine's rating, then the opponent's.
impl Value for Rating {
    fn write(&self, _: Instant) -> String {
        format!("{} {}", self.own, self.opponent)
    }

    fn read(text: &str, now: Instant) -> Option<Rating> {
        let mut words = Words::of(text, now);
        let rating = Rating { own: words.next()?, opponent: words.next()? };
        words.end(rating)
    }
}

impl Client {
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        let Client {
            heard,
            program,
            first,
            protocol,
            fritz,
            debug,
            old_text,
            opponent,
            computer,
            ics,
            rating,
            random,
            opponent_clock,
            interrupts,
            post,
            strength_asked,
            banner_shown,
            depth_follows,
            told_busy,
            partner,
            result,
            nopost,
            board_shown,
        } = self;
        fields.section("client", |fields| {
            fields.field("heard", heard)?;
            fields.field("program", program)?;
            fields.field("first-line", first)?;
            fields.field("protocol", protocol)?;
            fields.field("fritz", fritz)?;
            fields.field("debug", debug)?;
            fields.field("old-text", old_text)?;
            fields.field("opponent", opponent)?;
            fields.field("computer", computer)?;
            fields.field("ics", ics)?;
            fields.field("rating", rating)?;
            fields.field("random", random)?;
            let (mut code, mut comment) = match result {
                Some((result, comment)) => (Some(*result), comment.clone()),
                None => (None, String::new()),
            };
            fields.field("result", &mut code)?;
            fields.field("result-comment", &mut comment)?;
            *result = code.map(|code| (code, comment));
            fields.field("opponent-clock", opponent_clock)?;
            fields.within("interrupts", interrupts, 0..=MAX_COUNT.into())?;
            fields.field("post", post)?;
            fields.field("nopost", nopost)?;
            fields.field("board-shown", board_shown)?;
            fields.field("strength-asked", strength_asked)?;
            fields.field("banner-shown", banner_shown)?;
            fields.field("depth-follows", depth_follows)?;
            fields.field("told-busy", told_busy)
        })?;
        fields.secret(true, |fields| {
            fields
                .optional("partner", partner, Box::default, |partner, fields| Partner::state(partner, fields))
        })
    }
}

impl Pondering {
    /// The pondered move is not written: it is the last one of the game.
    fn state(&mut self, fields: &mut Fields<'_>, game: &Game) -> Result<(), StateError> {
        fields.field("hard", &mut self.wanted)?;
        fields.field("allowed", &mut self.allowed)?;
        fields.field("expected", &mut self.expected)?;
        let mut is_on_board = self.pondered.is_some();
        fields.field("is-on-board", &mut is_on_board)?;
        if fields.is_reading() {
            self.pondered = None;
            if is_on_board {
                let mut before = game.clone();
                let mv = before.undo().ok_or(StateError::Inconsistent)?;
                self.pondered = Some(Box::new(Pondered { mv, before: *before.position() }));
            }
        }
        Ok(())
    }
}

/// The plies before the attempt, and the attempt.
impl Value for (u32, Attempt) {
    fn write(&self, now: Instant) -> String {
        format!("{} {}", self.0, self.1.write(now))
    }

    fn read(text: &str, now: Instant) -> Option<(u32, Attempt)> {
        let mut words = Words::of(text, now);
        let refused = (words.next()?, words.next()?);
        words.end(refused)
    }
}

impl Umpire {
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        let mut refused = self.refusals.all().to_vec();
        fields.list("refused", &mut refused, 100_000)?;
        if fields.is_reading() {
            if !refused.is_sorted_by_key(|&(ply, _)| ply) {
                return Err(fields.wrong("refused"));
            }
            self.refusals = refused.into_iter().collect();
        }
        Ok(())
    }
}

/// The score, and the side that had it.
impl Value for (Score, Color) {
    fn write(&self, now: Instant) -> String {
        format!("{} {}", self.0.write(now), self.1.write(now))
    }

    fn read(text: &str, now: Instant) -> Option<(Score, Color)> {
        let mut words = Words::of(text, now);
        let score = (words.next()?, words.next()?);
        words.end(score)
    }
}

impl Offers {
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        let Offers {
            score,
            draw_offered,
            offered_before_go,
            counted,
            level_moves,
            lost_moves,
            offered_on,
            resigned,
            greeted,
        } = self;
        fields.field("score", score)?;
        fields.field("draw-offered", draw_offered)?;
        fields.field("before-go", offered_before_go)?;
        fields.field("counted", counted)?;
        fields.within("level-moves", level_moves, 0..=MAX_COUNT)?;
        fields.within("lost-moves", lost_moves, 0..=MAX_COUNT)?;
        fields.field("offered-on", offered_on)?;
        fields.field("resigned", resigned)?;
        fields.field("greeted", greeted)
    }
}

words!(Wing { Wing::King => "king", Wing::Queen => "queen" });

/// The side and the wing.
impl Value for (Color, Wing) {
    fn write(&self, now: Instant) -> String {
        format!("{}-{}", self.0.write(now), self.1.write(now))
    }

    fn read(text: &str, now: Instant) -> Option<(Color, Wing)> {
        let (color, wing) = text.split_once('-')?;
        Some((Color::read(color, now)?, Wing::read(wing, now)?))
    }
}

impl Value for Square {
    fn write(&self, _: Instant) -> String {
        self.to_string()
    }

    fn read(text: &str, _: Instant) -> Option<Square> {
        Square::parse(text)
    }
}

/// A piece with its square: `Ka1`, `~Qa2` if it was a pawn.
struct Placed {
    piece: Piece,
    square: Square,
    was_pawn: bool,
}

impl Value for Placed {
    fn write(&self, _: Instant) -> String {
        format!("{}{}{}", if self.was_pawn { "~" } else { "" }, self.piece.letter(), self.square)
    }

    fn read(text: &str, _: Instant) -> Option<Placed> {
        let (was_pawn, text) = text.strip_prefix('~').map_or((false, text), |text| (true, text));
        let mut letters = text.chars();
        let piece = Piece::from_letter(letters.next()?)?;
        Some(Placed { piece, square: Square::parse(letters.as_str())?, was_pawn })
    }
}

impl Editor {
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        let Arrangement { pieces, promoted, hands, turn, castling_lost, en_passant } = &mut self.board;
        let mut placed: Vec<Placed> = (0..64)
            .filter_map(|index| {
                let square = Square::new(index);
                let was_pawn = promoted.has(square);
                pieces[square.index()].map(|piece| Placed { piece, square, was_pawn })
            })
            .collect();
        fields.field("pieces", &mut placed)?;
        let mut held = hands.concat();
        fields.field("hands", &mut held)?;
        fields.field("turn", turn)?;
        fields.field("castling-lost", castling_lost)?;
        fields.field("en-passant", en_passant)?;
        fields.field("color", &mut self.color)?;
        fields.field("refused", &mut self.is_refused)?;
        if fields.is_reading() {
            let mut board = Arrangement { castling_lost: self.board.castling_lost.clone(), ..self.board };
            if board.castling_lost.len() > 4 {
                return Err(fields.wrong("castling-lost"));
            }
            board.clear();
            for Placed { piece, square, was_pawn } in placed {
                board.put(Some(piece), square, was_pawn);
            }
            let (white, black) = held.split_at_checked(6).ok_or_else(|| fields.wrong("hands"))?;
            let hand = |counts: &[u8]| counts.try_into().map_err(|_| fields.wrong("hands"));
            board.hands = [hand(white)?, hand(black)?];
            self.board = board;
        }
        Ok(())
    }
}
