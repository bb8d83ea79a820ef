//! A game that has ended as text.

use super::Circumstances;
use crate::chess::Color;
use crate::random::mix;
use crate::search::Score;
use crate::session::{FinishedGame, GameIdentity, KeptGame, MoveNote};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::time::{Duration, SystemTime};

/// The longest tag in characters.
const MAX_TAG: usize = 100;

/// The tag by which a game that is archived twice is recognised.
pub(super) const IDENTITY_TAG: &str = "FarboardGame";

/// Hash that identifies a game: of its session, its number there, and its moves. After the loss of a server a game may go on from
/// where it was before and take another course.
pub(super) fn identity(game: &FinishedGame) -> u64 {
    let GameIdentity { session, game: number } = game.identity;
    let start = mix(session ^ mix(number.into()));
    let moves: Vec<u16> = match &game.game {
        KeptGame::Chess(game) => game.moves().iter().map(|mv| mv.bits()).collect(),
        KeptGame::Draughts(game) => game.moves().iter().map(|mv| mv.bits()).collect(),
    };
    moves.into_iter().fold(start, |hash, mv| mix(hash ^ u64::from(mv)))
}

/// The game in PGN or PDN.
pub(super) fn text(game: &FinishedGame, circumstances: &Circumstances, began: SystemTime) -> String {
    let mut tags = game.tags.clone();
    tags.event = "Farboard".to_owned();
    tags.round = "-".to_owned();
    tags.date = date(began, ".");
    for text in [&mut tags.white, &mut tags.black, &mut tags.site] {
        *text = clean(text);
    }
    let termination = if game.outcome.is_some() { "normal" } else { "unterminated" };
    let (time, session) = (time_of_day(began), circumstances.session.to_string());
    let identity = format!("{:016x}", identity(game));
    let mut further = vec![
        ("UTCDate", tags.date.as_str()),
        ("UTCTime", &time),
        ("TimeControl", &game.time_control),
        ("Termination", termination),
        ("FarboardSession", &session),
        (IDENTITY_TAG, &identity),
    ];
    if let Some(user) = &circumstances.user {
        further.push(("FarboardUser", user));
    }
    match &game.game {
        KeptGame::Chess(moves) => {
            let comment = |ply, turn| comment(game, moves.moves().len(), ply, turn);
            moves.annotated_pgn(&tags, game.outcome, &further, comment)
        }
        KeptGame::Draughts(moves) => moves.pdn_with(&tags, game.outcome, &further),
    }
}

/// What is said of a move: our note, and with the last one how the game has ended.
fn comment(game: &FinishedGame, plies: usize, ply: usize, turn: Color) -> Option<String> {
    let note = game.notes.iter().find(|note| note.ply == ply).map(|note| of_move(note, turn));
    let ending = Some(clean(&game.comment)).filter(|ending| ply + 1 == plies && !ending.is_empty());
    let parts: Vec<String> = note.into_iter().chain(ending).collect();
    (!parts.is_empty()).then(|| format!(" {} ", parts.join(" ")))
}

/// What other programs read: the score as White sees it, and the time of the move.
fn of_move(note: &MoveNote, turn: Color) -> String {
    let eval = note.score.map(|score| format!("[%eval {}] ", evaluation(score, turn))).unwrap_or_default();
    format!("{eval}[%emt {}]", elapsed(note.time))
}

/// A score in pawns, or the moves to mate, as White sees it.
fn evaluation(score: Score, turn: Color) -> String {
    let sign = if turn == Color::White { 1 } else { -1 };
    match score.mate_distance() {
        Some(moves) => format!("#{}", sign * moves),
        None => format!("{:.2}", f64::from(sign * score.0) / 100.0),
    }
}

fn elapsed(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}.{:03}", seconds / 3600, seconds / 60 % 60, seconds % 60, time.subsec_millis())
}

/// The date in UTC, year first.
pub(super) fn date(time: SystemTime, between: &str) -> String {
    let date = Timestamp::try_from(time).unwrap_or_default().to_zoned_datetime(TimeZone::UTC).date();
    format!("{:04}{between}{:02}{between}{:02}", date.year(), date.month(), date.day())
}

fn time_of_day(time: SystemTime) -> String {
    let time = Timestamp::try_from(time).unwrap_or_default().to_zoned_datetime(TimeZone::UTC).time();
    format!("{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second())
}

/// Text of a client in one line without what could move a cursor.
fn clean(text: &str) -> String {
    let words = text.replace(char::is_control, " ");
    words.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_TAG).collect()
}
