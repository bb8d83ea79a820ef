//! Finished games, for the server's archive.

use crate::chess::{Color, Game, Move, Outcome, Tags};
use crate::draughts;
use crate::search::{Score, move_word};
use crate::session::state::{Fields, StateError, record};
use std::time::{Duration, Instant};

/// The moves of a game.
#[derive(Clone, Debug)]
pub enum KeptGame {
    /// Of chess or a variant.
    Chess(Box<Game>),
    /// Of English draughts.
    Draughts(draughts::Game),
}

impl KeptGame {
    /// Plies played.
    pub fn plies(&self) -> usize {
        match self {
            KeptGame::Chess(game) => game.moves().len(),
            KeptGame::Draughts(game) => game.moves().len(),
        }
    }

    /// The move after this number of plies.
    fn move_at(&self, ply: usize) -> Option<Move> {
        match self {
            KeptGame::Chess(game) => game.moves().get(ply).copied(),
            KeptGame::Draughts(game) => game.moves().get(ply).copied().map(move_word),
        }
    }

    /// Returns the notes on moves of this game.
    pub(super) fn noted(&self, notes: &[MoveNote]) -> Vec<MoveNote> {
        notes.iter().filter(|note| self.move_at(note.ply) == Some(note.mv)).cloned().collect()
    }

    /// Bytes of memory besides the value itself.
    pub(super) fn heap_bytes(&self) -> usize {
        match self {
            KeptGame::Chess(game) => size_of::<Game>() + game.heap_bytes(),
            KeptGame::Draughts(game) => game.heap_bytes(),
        }
    }
}

/// A note on a move of the engine.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveNote {
    /// The number of plies before it.
    pub ply: usize,
    /// The move.
    pub mv: Move,
    /// The score from the point of view of the moving side; `None` without a search.
    pub score: Option<Score>,
    /// The thinking time.
    pub time: Duration,
}

impl MoveNote {
    /// Formats the score from White's point of view and the time used, as other programs read them
    /// in comments of PGN. `turn` is the moving side.
    #[cfg(feature = "server")]
    pub fn comment(&self, turn: Color) -> String {
        let eval = self.score.map(|score| format!("[%eval {}] ", evaluation(score, turn)));
        format!("{}[%emt {}]", eval.unwrap_or_default(), elapsed(self.time))
    }
}

/// Formats a score in pawns, or moves to mate, from White's point of view.
#[cfg(feature = "server")]
fn evaluation(score: Score, turn: Color) -> String {
    let sign = if turn == Color::White { 1 } else { -1 };
    match score.mate_distance() {
        Some(moves) => format!("#{}", sign * moves),
        None => format!("{:.2}", f64::from(sign * score.0) / 100.0),
    }
}

#[cfg(feature = "server")]
fn elapsed(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}.{:03}", seconds / 3600, seconds / 60 % 60, seconds % 60, time.subsec_millis())
}

/// Values for White and Black.
pub(super) fn by_color<T>(side: Color, own: T, opponents: T) -> [T; 2] {
    match side {
        Color::White => [own, opponents],
        Color::Black => [opponents, own],
    }
}

/// Identifies a finished game. A repeat of it, after a server was lost, has the same identity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameIdentity {
    /// The session, on any server.
    pub session: u64,
    /// The number of the game among the session's finished games.
    pub game: u32,
}

/// A finished game, as far as the session knows it.
#[derive(Clone, Debug)]
pub struct FinishedGame {
    /// Distinguishes it from other games.
    pub identity: GameIdentity,
    /// The moves.
    pub game: KeptGame,
    /// The players and the site, without a date.
    pub tags: Tags,
    /// The result; `None` if it is not known.
    pub outcome: Option<Outcome>,
    /// A comment on the end; may be empty.
    pub comment: String,
    /// The time control in PGN's notation.
    pub time_control: String,
    /// Notes on the engine's moves.
    pub notes: Vec<MoveNote>,
    /// When the engine made its first move, or joined a game that had begun elsewhere.
    pub began: Instant,
}

impl FinishedGame {
    /// Bytes of memory, approximately.
    pub fn bytes(&self) -> usize {
        size_of::<FinishedGame>() + self.game.heap_bytes() + self.notes.capacity() * size_of::<MoveNote>()
    }
}

/// The most notes in a state: more than moves of the longest game.
const MAX_NOTES: usize = 50_000;

/// Records the engine's moves in the current game.
#[derive(Default, Debug)]
pub(super) struct GameRecorder {
    notes: Vec<MoveNote>,
    began: Option<Instant>,
    /// The engine's side: of its last move or, without one, of its moves made by another server.
    side: Option<Color>,
    /// Whether the game was archived since the engine's last move, here or elsewhere.
    is_archived: bool,
}

record!(MoveNote { ply, mv, score, time });

impl GameRecorder {
    /// Bytes of memory besides the value itself.
    pub(super) fn heap_bytes(&self) -> usize {
        self.notes.capacity() * size_of::<MoveNote>()
    }

    /// Writes or reads the state.
    pub(super) fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        fields.section("notes", |fields| {
            fields.list("move", &mut self.notes, MAX_NOTES)?;
            fields.field("began", &mut self.began)?;
            fields.field("side", &mut self.side)?;
            fields.field("archived", &mut self.is_archived)
        })
    }

    /// Forgets the game.
    pub(super) fn clear(&mut self) {
        *self = GameRecorder::default();
    }

    /// Records a move of the engine, made by this side at the instant `now`. Drops the notes on
    /// moves that were taken back.
    pub(super) fn note(&mut self, note: MoveNote, side: Color, now: Instant) {
        self.notes.retain(|older| older.ply < note.ply);
        self.notes.push(note);
        self.began.get_or_insert(now);
        self.side = Some(side);
        self.is_archived = false;
    }

    /// Joins a game in which the engine's side has already moved: the session has come from another
    /// server, and the client has replayed the moves. A game that `is_over` was archived by the
    /// server that has ended it.
    pub(super) fn join(&mut self, side: Color, is_over: bool, now: Instant) {
        if self.side.is_none() {
            self.side = Some(side);
            self.began = Some(now);
            self.is_archived |= is_over;
        }
    }

    /// Handles the client's result: the game was archived by the server that played it.
    pub(super) fn settle(&mut self) {
        self.is_archived = true;
    }

    /// The engine's last side; `None` if it has not moved, or the game is archived already.
    pub(super) fn unarchived_side(&self) -> Option<Color> {
        self.side.filter(|_| !self.is_archived)
    }

    /// Notes on the engine's moves, some of which may have been taken back.
    pub(super) fn notes(&self) -> &[MoveNote] {
        &self.notes
    }

    /// When the engine made its first move; `now` if it has made none.
    #[cfg(feature = "server")]
    pub(super) fn began(&self, now: Instant) -> Instant {
        self.began.unwrap_or(now)
    }

    /// Returns the game for the archive, with this result and comment.
    pub(super) fn archive(
        &mut self,
        (identity, tags): (GameIdentity, Tags),
        game: &Game,
        (outcome, comment): (Option<Outcome>, &str),
        time_control: String,
        now: Instant,
    ) -> Box<FinishedGame> {
        self.is_archived = true;
        let game = KeptGame::Chess(Box::new(game.clone()));
        Box::new(FinishedGame {
            identity,
            notes: game.noted(&self.notes),
            game,
            tags,
            outcome,
            comment: comment.to_owned(),
            time_control,
            began: self.began.unwrap_or(now),
        })
    }
}
