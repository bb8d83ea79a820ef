//! A model of how xboard reads a line of an engine, in the order of its `HandleMachineMove`
//! (4.9.1), to test [`super::Reply`] against.

/// A line as xboard understands it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Reading {
    /// Nothing happens.
    Nothing,
    /// A line for the log.
    Comment,
    Move(String),
    /// The text after `feature `.
    Features(String),
    /// A message: the command and the text.
    Message(&'static str, String),
    /// A question: the tag of the answer, and the text.
    Question(String, String),
    /// A line for the chess server, if there is one.
    ToServer(String),
    Pong(i64),
    /// The last move is taken back.
    Illegal,
    /// An error that changes nothing.
    Error,
    /// xboard never sends something again, or takes the engine for another kind.
    Switched(&'static str),
    /// The engine is unplugged.
    Unplugged,
    Hint(String),
    /// The code and the reason.
    Result(String, String),
    Resigns,
    OffersDraw,
    /// Depth, score, time, nodes, further numbers, and the variation.
    Thinking([i64; 4], Vec<i64>, String),
    Status(String),
    FailHigh,
    FailLow,
}

/// Messages that are recognised before xboard looks for words inside of the line.
const MESSAGES: [&str; 5] = ["tellusererror", "telluser", "tellopponent", "tellothers", "tellall"];
/// Errors with one of these inside are overlooked altogether.
const OVERLOOKED: [&str; 12] = [
    "name", "rating", "?", "result", "board", "bk", "computer", "variant", "hint", "random", "depth",
    "accepted",
];
const UNPLUGGED: [&str; 6] =
    ["unknown host", "No remote directory", "not found", "No such file", "can't alloc", "Permission denied"];
/// Beginnings of lines that end the game or that no engine should send.
const OLD: [&str; 9] = [
    "White",
    "Black",
    "computer resigns",
    "opponent mates",
    "computer mates",
    "checkmate",
    "kibitz",
    "whisper",
    "setboard",
];

/// Reads a line without its end. `on_server`: xboard plays on a chess server.
pub(crate) fn xboard_reads(line: &str, on_server: bool) -> Reading {
    assert!(line.len() < 8191, "a longer line is taken for the end of the engine");
    if line.starts_with('#') {
        return Reading::Comment;
    }
    if let Some(mv) = a_move(line) {
        return Reading::Move(mv.to_owned());
    }
    if let Some(features) = line.strip_prefix("feature ") {
        return Reading::Features(features.to_owned());
    }
    for verb in MESSAGES {
        if let Some(text) = line.strip_prefix(verb).and_then(|rest| rest.strip_prefix(' ')) {
            return Reading::Message(verb, text.to_owned());
        }
    }
    if let Some((tag, text)) = line.strip_prefix("askuser ").and_then(|rest| rest.split_once(' ')) {
        return Reading::Question(tag.to_owned(), text.to_owned());
    }
    let to_server = ["tellicsnoalias ", "tellics "].iter().find_map(|verb| line.strip_prefix(verb));
    if let (true, Some(text)) = (on_server, to_server) {
        return Reading::ToServer(text.to_owned());
    }
    if let Some(number) = line.strip_prefix("pong ") {
        return Reading::Pong(number.parse().expect("a number"));
    }
    if line.get(1..).is_some_and(|rest| rest.starts_with("llegal move")) || line.starts_with("Error") {
        return an_error(line);
    }
    if UNPLUGGED.iter().any(|fatal| line.contains(fatal)) {
        return Reading::Unplugged;
    }
    if let Some(mv) = line.strip_prefix("Hint: ") {
        return Reading::Hint(mv.split_whitespace().next().unwrap_or("").to_owned());
    }
    about_the_game(line)
}

/// `move M`, or three words with `...` in the middle.
fn a_move(line: &str) -> Option<&str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["move", mv, ..] => Some(mv),
        [number, "...", mv, ..] if number.starts_with(|c: char| c.is_ascii_digit()) => Some(mv),
        _ => None,
    }
}

fn an_error(line: &str) -> Reading {
    if OVERLOOKED.iter().any(|word| line.contains(word)) {
        return Reading::Nothing;
    }
    for command in
        ["protover", "draw", "time", "otim", "analyze", "(no matching move)st", "(no matching move)sd"]
    {
        if line.contains(command) {
            return Reading::Switched(command);
        }
    }
    if line.contains("llegal") { Reading::Illegal } else { Reading::Error }
}

fn about_the_game(line: &str) -> Reading {
    for code in ["1-0", "0-1", "1/2"] {
        if line.starts_with(code) {
            let reason = line.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
            let reason = reason.map_or(String::new(), |(reason, _)| reason.to_owned());
            return Reading::Result(line.split(' ').next().unwrap_or("").to_owned(), reason);
        }
    }
    if let Some(old) = OLD.iter().find(|old| line.starts_with(**old)) {
        return Reading::Switched(old);
    }
    if line == "resign" {
        return Reading::Resigns;
    }
    if line.contains("Draw") || line.contains("game is a draw") {
        return Reading::Result("1/2".to_owned(), "Draw".to_owned());
    }
    if line.contains("offer") && line.contains("draw") {
        return Reading::OffersDraw;
    }
    thinking(line)
}

fn thinking(line: &str) -> Reading {
    if let Some(status) = line.strip_prefix("stat01: ") {
        return Reading::Status(status.to_owned());
    }
    if line.starts_with("++") {
        return Reading::FailHigh;
    }
    if line.starts_with("--") {
        return Reading::FailLow;
    }
    let mut rest = line;
    let mut numbers = Vec::new();
    while let Some((word, behind)) = rest.split_once([' ', '\t'])
        && let Ok(number) = word.parse::<i64>()
    {
        numbers.push(number);
        let tab = rest.as_bytes()[word.len()] == b'\t';
        rest = behind;
        if tab {
            break;
        }
    }
    match numbers[..] {
        [depth, score, time, nodes, ref more @ ..] => {
            Reading::Thinking([depth, score, time, nodes], more.to_vec(), rest.to_owned())
        }
        _ => Reading::Nothing,
    }
}
