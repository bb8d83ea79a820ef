//! Moves, positions and games as text. Games are moves from their start, so that repetitions and
//! the fifty moves survive.

use super::{Fields, StateError, Value, Words, text, words};
use crate::chess::kriegspiel::Attempt;
use crate::chess::{AnyPosition, Color, Game, Move, MoveKind, Role, Roles, Square, Variant};
use crate::draughts::{self, MoveText};
use crate::protocol::xboard::move_text;
use std::time::Instant;

/// The longest game in a state, in plies.
const MAX_PLIES: usize = 50_000;

words!(Color { Color::White => "white", Color::Black => "black" });

/// Origin and target, then the special kind: `e1h1 castle`, as one word. Any other value is its 16
/// bits in hexadecimal.
impl Value for Move {
    fn write(&self, out: &mut String, _: Instant) {
        let (start, from, to, kind) = (out.len(), self.from(), self.to(), self.kind());
        if let MoveKind::Drop(role) = kind {
            out.extend([role.letter(), '@']);
        } else {
            push_square(from, out);
        }
        push_square(to, out);
        match kind {
            MoveKind::Normal | MoveKind::Drop(_) => {}
            MoveKind::EnPassant => out.push_str("ep"),
            MoveKind::Castle => out.push_str("castle"),
            MoveKind::Promotion(role) => out.extend(['=', role.letter()]),
        }
        let is_plain = *self == Move::normal(from, to);
        if !is_plain && read_move(&out[start..]) != Some(*self) {
            out.truncate(start);
            out.push_str(&format!("#{:04x}", self.bits()));
        }
    }

    fn read(words: &mut Words<'_>) -> Option<Move> {
        let word = words.word()?;
        match word.strip_prefix('#') {
            Some(bits) => u16::from_str_radix(bits, 16).ok().and_then(Move::from_bits),
            None => read_move(word),
        }
    }
}

fn push_square(square: Square, out: &mut String) {
    out.extend([(b'a' + square.file()) as char, (b'1' + square.rank()) as char]);
}

fn read_move(text: &str) -> Option<Move> {
    let role = |letter: &str| {
        let mut letters = letter.chars();
        letters.next().and_then(Role::from_letter).filter(|_| letters.next().is_none())
    };
    if let Some((piece, to)) = text.split_once('@') {
        return Some(Move::drop(role(piece)?, Square::parse(to)?));
    }
    let (from, rest) = text.split_at_checked(2)?;
    let (to, special) = rest.split_at_checked(2)?;
    let kind = match special {
        "" => MoveKind::Normal,
        "ep" => MoveKind::EnPassant,
        "castle" => MoveKind::Castle,
        _ => MoveKind::Promotion(role(special.strip_prefix('=')?)?),
    };
    Some(Move::new(Square::parse(from)?, Square::parse(to)?, kind))
}

// In coordinates.
text!(Attempt, word, |attempt| attempt, |word: &str| {
    let (from, rest) = word.split_at_checked(2)?;
    let (to, role) = rest.split_at_checked(2)?;
    let mut letters = role.chars();
    let promotion = match letters.next() {
        None => None,
        Some(letter) => Some(Role::from_letter(letter)?),
    };
    let attempt = Attempt { from: Square::parse(from)?, to: Square::parse(to)?, promotion };
    letters.next().is_none().then_some(attempt)
});

// The letters; `none` for no role.
text!(
    Roles,
    word,
    |roles| if roles.is_empty() { "none".to_owned() } else { roles.to_string() },
    |word: &str| {
        if word == "none" { Some(Roles::NONE) } else { word.chars().map(Role::from_letter).collect() }
    }
);

// The variant's name and the FEN.
text!(
    AnyPosition,
    line,
    |position| format_args!("{} {}", position.variant().name(), position.fen()),
    |line: &str| {
        let (variant, fen) = line.split_once(' ')?;
        AnyPosition::from_fen(Variant::from_name(variant)?, fen).ok()
    }
);

/// A game of chess or a variant.
pub(in crate::session) fn chess_game(
    fields: &mut Fields<'_>,
    key: &str,
    game: &mut Game,
) -> Result<(), StateError> {
    let mut start = *game.start();
    let mut moves = game.moves().to_vec();
    // Set by the client, after a number of plies: how many of each piece White and Black hold.
    let mut hands = game.client_hands().to_vec();
    // Where pieces come from a partner, the hands do not follow from the moves.
    let mut held = game.position().hands().filter(|_| start.variant().has_partner()).map(|hands| (0, hands));
    fields.section(key, |fields| {
        fields.field("start", &mut start)?;
        fields.field("moves", &mut moves)?;
        fields.list("hands", &mut hands, MAX_PLIES)?;
        fields.field("held", &mut held)?;
        if fields.is_reading() {
            let held = held.map(|(_, hands)| hands).filter(|_| start.variant().has_partner());
            *game = replay(start, &moves, &hands, held).ok_or_else(|| fields.wrong("moves"))?;
        }
        Ok(())
    })
}

/// Replays a game, if all moves are legal.
fn replay(
    start: AnyPosition,
    moves: &[Move],
    told: &[(usize, [[u8; 6]; 2])],
    held: Option<[[u8; 6]; 2]>,
) -> Option<Game> {
    let mut game = Game::from_position(start);
    let mut told = told.iter().peekable();
    for ply in 0..=moves.len().min(MAX_PLIES) {
        while let Some((_, hands)) = told.next_if(|(at, _)| *at == ply) {
            game.set_hands(hands);
        }
        let Some(&mv) = moves.get(ply) else { break };
        if let (MoveKind::Drop(role), Some(mut hands)) = (mv.kind(), game.position().hands())
            && start.variant().has_partner()
        {
            let count = &mut hands[game.position().turn().index()][role.index()];
            *count = (*count).max(1);
            game.set_hands(&hands);
        }
        if !is_playable(game.position(), mv) {
            return None;
        }
        game.play(mv);
    }
    if let Some(hands) = held {
        game.set_hands(&hands);
    }
    (told.next().is_none() && moves.len() <= MAX_PLIES).then_some(game)
}

/// Returns true if a move may be in a game: it is legal, or the opponent may make it by other rules
/// of the same variant.
fn is_playable(position: &AnyPosition, mv: Move) -> bool {
    position.is_legal(mv) || position.parse_opponents_move(&move_text(position, mv)) == Ok(mv)
}

/// A game of English draughts.
pub(in crate::session) fn draughts_game(
    fields: &mut Fields<'_>,
    key: &str,
    game: &mut draughts::Game,
) -> Result<(), StateError> {
    let mut start = game.start().fen();
    let mut moves: Vec<DraughtsMove> =
        game.moves().iter().map(|&mv| DraughtsMove(MoveText::of(mv))).collect();
    fields.section(key, |fields| {
        fields.field("start", &mut start)?;
        fields.field("moves", &mut moves)?;
        if fields.is_reading() {
            let start = draughts::Position::from_fen(&start).map_err(|_| fields.wrong("start"))?;
            let mut read = draughts::Game::from_position(start);
            for DraughtsMove(text) in moves.iter().take(MAX_PLIES) {
                read.play(read.position().find(text).map_err(|_| fields.wrong("moves"))?);
            }
            *game = read;
        }
        Ok(())
    })
}

struct DraughtsMove(MoveText);

text!(DraughtsMove, word, |mv| mv.0, |word: &str| MoveText::read(word).ok().map(DraughtsMove));
