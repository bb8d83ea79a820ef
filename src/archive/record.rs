//! Formats a finished game as PGN or PDN.

use super::GameContext;
use crate::chess::Color;
use crate::random::mix;
use crate::session::{FinishedGame, GameIdentity, KeptGame};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::time::SystemTime;

/// Maximum length of a tag in characters.
const MAX_TAG: usize = 100;

/// Tag with the game's identity, so that no game is archived twice.
pub(super) const IDENTITY_TAG: &str = "FarboardGame";

/// Returns a hash of the session, the game's number in it and the moves. The moves matter because
/// a game that continues on another server may go back a few moves and take another course.
pub(super) fn identity(game: &FinishedGame) -> u64 {
    let GameIdentity { session, game: number } = game.identity;
    let start = mix(session ^ mix(number.into()));
    let moves: Vec<u16> = match &game.game {
        KeptGame::Chess(game) => game.moves().iter().map(|mv| mv.bits()).collect(),
        KeptGame::Draughts(game) => game.moves().iter().map(|mv| mv.bits()).collect(),
    };
    moves.into_iter().fold(start, |hash, mv| mix(hash ^ u64::from(mv)))
}

/// Formats a game as PGN, or PDN for draughts.
pub(super) fn text(game: &FinishedGame, context: &GameContext, began: SystemTime) -> String {
    let mut tags = game.tags.clone();
    tags.event = "Farboard".to_owned();
    tags.round = "-".to_owned();
    tags.date = date(began, ".");
    for text in [&mut tags.white, &mut tags.black, &mut tags.site] {
        *text = clean(text);
    }
    let termination = if game.outcome.is_some() { "normal" } else { "unterminated" };
    let (time, session) = (time_of_day(began), context.session.to_string());
    let identity = format!("{:016x}", identity(game));
    let mut further = vec![
        ("UTCDate", tags.date.as_str()),
        ("UTCTime", &time),
        ("TimeControl", &game.time_control),
        ("Termination", termination),
        ("FarboardSession", &session),
        (IDENTITY_TAG, &identity),
    ];
    if let Some(user) = &context.user {
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

/// Returns the comment on a move: evaluation and time, and after the last move the reason of the
/// result.
fn comment(game: &FinishedGame, plies: usize, ply: usize, turn: Color) -> Option<String> {
    let note = game.notes.iter().find(|note| note.ply == ply).map(|note| note.comment(turn));
    let ending = Some(clean(&game.comment)).filter(|ending| ply + 1 == plies && !ending.is_empty());
    let parts: Vec<String> = note.into_iter().chain(ending).collect();
    (!parts.is_empty()).then(|| format!(" {} ", parts.join(" ")))
}

/// Formats the date in UTC, year first.
pub(super) fn date(time: SystemTime, between: &str) -> String {
    let date = Timestamp::try_from(time).unwrap_or_default().to_zoned_datetime(TimeZone::UTC).date();
    format!("{:04}{between}{:02}{between}{:02}", date.year(), date.month(), date.day())
}

fn time_of_day(time: SystemTime) -> String {
    let time = Timestamp::try_from(time).unwrap_or_default().to_zoned_datetime(TimeZone::UTC).time();
    format!("{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second())
}

/// Reduces a client's text to one line without control characters.
fn clean(text: &str) -> String {
    let words = text.replace(char::is_control, " ");
    words.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_TAG).collect()
}
