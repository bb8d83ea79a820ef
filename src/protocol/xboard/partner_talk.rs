//! The usual phrases of a bughouse partner (`ptell`).
//!
//! Players of chess servers have keys for most of them, which put an arrow in front: `--> sit`.
//! Engines have words of their own: Sjeng's `+++n` and `---q`, Fairy-Stockfish's clocks in
//! centiseconds, Sunsetter's remarks in parentheses.

use crate::chess::{Role, Roles};
use std::fmt;
use std::time::Duration;

/// The longest plausible clock.
const MAX_CLOCK: Duration = Duration::from_secs(24 * 60 * 60);

/// A phrase that may ask the engine to act.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartnerTalk {
    /// `sit`: do not move.
    Sit,
    /// `go`: move again, or at once.
    Go,
    /// `fast`, `hurry`: move quickly.
    Fast,
    /// `slow`: take the usual time.
    Slow,
    /// `dead`, `i'm dead`, `i'm mated`: the other board is about to be lost.
    Dead,
    /// `x`, `not dead`: all earlier messages are void.
    Normal,
    /// `need n`, `+n`, `n mates`: these pieces decide the game.
    Needs(Roles),
    /// `no q`, `don't give q`, `--q`, `q mates me`: the partner's opponent must not get these
    /// pieces.
    Refuses(Roles),
    /// `q doesn't mate me anymore`, `= n`: these pieces do not matter any more.
    Indifferent(Roles),
    /// `trades ok`, `trades good`.
    Trades,
    /// `no trades`, `trades bad`.
    NoTrades,
    /// `my clock 1:20, opponent 0:45`, `i have 45 sec`, `time 4500`: clocks of the other board.
    Clocks {
        /// The partner's clock.
        partner: Option<Duration>,
        /// The clock of the partner's opponent.
        opponent: Option<Duration>,
    },
    /// `help`: which phrases are understood?
    Help,
}

impl PartnerTalk {
    /// Reads a message; `None` for anything but these phrases.
    pub fn parse(text: &str) -> Option<PartnerTalk> {
        let text = text.trim().to_ascii_lowercase();
        let text = text.strip_prefix("-->").unwrap_or(&text);
        let text = without_remark(text).replace('\'', "");
        let words: Vec<&str> = text
            .split(|c: char| c.is_whitespace() || matches!(c, '!' | '.' | ','))
            .filter(|word| !matches!(*word, "" | "sec" | "secs" | "seconds"))
            .collect();
        let words = without_politeness(&words);
        mood(words).or_else(|| wish(words)).or_else(|| clocks(words))
    }
}

/// The shortest form.
impl fmt::Display for PartnerTalk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PartnerTalk::Sit => f.write_str("sit"),
            PartnerTalk::Go => f.write_str("go"),
            PartnerTalk::Fast => f.write_str("fast"),
            PartnerTalk::Slow => f.write_str("slow"),
            PartnerTalk::Dead => f.write_str("dead"),
            PartnerTalk::Normal => f.write_str("x"),
            PartnerTalk::Needs(roles) => write!(f, "+{roles}"),
            PartnerTalk::Refuses(roles) => write!(f, "-{roles}"),
            PartnerTalk::Indifferent(roles) => write!(f, "={roles}"),
            PartnerTalk::Trades => f.write_str("trades"),
            PartnerTalk::NoTrades => f.write_str("no trades"),
            PartnerTalk::Clocks { partner, opponent } => match (partner, opponent) {
                (Some(own), Some(other)) => {
                    write!(f, "my clock {} opponent {}", own.as_secs(), other.as_secs())
                }
                (Some(own), None) => write!(f, "i have {}", own.as_secs()),
                (None, Some(other)) => write!(f, "he has {}", other.as_secs()),
                (None, None) => Ok(()),
            },
            PartnerTalk::Help => f.write_str("help"),
        }
    }
}

/// Reads a request about the play as a whole.
fn mood(words: &[&str]) -> Option<PartnerTalk> {
    Some(match *words {
        ["sit"] => PartnerTalk::Sit,
        ["go"] | ["unsit"] | ["move"] => PartnerTalk::Go,
        ["fast"] | ["faster"] | ["hurry"] | ["hurry", "up"] => PartnerTalk::Fast,
        ["slow"] | ["slower"] | ["slow", "down"] => PartnerTalk::Slow,
        ["dead"] | ["mated"] | ["im" | "i", "dead" | "mated"] | ["i", "am", "dead" | "mated"] => {
            PartnerTalk::Dead
        }
        ["x"] | ["not", "dead"] | ["im", "not", "dead"] | ["i", "am", "not", "dead"] => PartnerTalk::Normal,
        ["trades", "ok" | "good"] | ["trade"] | ["trades"] | ["+trades"] => PartnerTalk::Trades,
        ["no", "trades"] | ["notrades"] | ["trades", "bad"] | ["-trades"] => PartnerTalk::NoTrades,
        ["help"] => PartnerTalk::Help,
        _ => return None,
    })
}

/// Reads a request about pieces.
fn wish(words: &[&str]) -> Option<PartnerTalk> {
    Some(match *words {
        [given] if given.starts_with('-') => PartnerTalk::Refuses(pieces(given.trim_start_matches('-'))?),
        [given] if given.starts_with('+') => PartnerTalk::Needs(pieces(given.trim_start_matches('+'))?),
        [given] if given.starts_with('=') => PartnerTalk::Indifferent(pieces(given.trim_start_matches('='))?),
        ["=", given] => PartnerTalk::Indifferent(pieces(given)?),
        [given, "doesnt" | "dont", "mate", "me", "anymore"] => PartnerTalk::Indifferent(pieces(given)?),
        [given, "mates", "me"] => PartnerTalk::Refuses(pieces(given)?),
        [given, "mates"] => PartnerTalk::Needs(pieces(given)?),
        ["need" | "needs" | "gimme", "a", given]
        | ["need" | "needs" | "gimme", given]
        | ["i", "need", "a", given]
        | ["i", "need", given]
        | ["give", "me", given]
        | ["give", "me", "a", given] => PartnerTalk::Needs(pieces(given)?),
        ["no" | "hold", given]
        | ["no", "more", given]
        | ["dont" | "never", "give", given]
        | ["dont" | "never", "give", "a", given]
        | ["do", "not", "give", given] => PartnerTalk::Refuses(pieces(given)?),
        _ => return None,
    })
}

/// Reads clocks.
fn clocks(words: &[&str]) -> Option<PartnerTalk> {
    let (partner, opponent) = match *words {
        ["my", "clock", own, "opponent", other] => (Some(clock(own)?), Some(clock(other)?)),
        ["time", hundredths] => (Some(centiseconds(hundredths)?), None),
        ["otim", hundredths] => (None, Some(centiseconds(hundredths)?)),
        ["i", "have", own] | ["my", "time" | "clock", own] => (Some(clock(own)?), None),
        ["opponent" | "opp", "has", other] | ["he", "has", other] | ["opponent" | "opp", other] => {
            (None, Some(clock(other)?))
        }
        _ => return None,
    };
    Some(PartnerTalk::Clocks { partner, opponent })
}

/// Cuts off a reason, as Sunsetter and people add: `sit (I am in trouble)`.
fn without_remark(text: &str) -> &str {
    match text.split_once('(') {
        Some((said, remark)) if remark.trim_end().ends_with(')') => said,
        _ => text,
    }
}

fn without_politeness<'a>(words: &'a [&'a str]) -> &'a [&'a str] {
    let polite = |word: &&str| matches!(*word, "please" | "pls" | "plz");
    let words = if words.first().is_some_and(polite) { &words[1..] } else { words };
    if words.last().is_some_and(polite) { &words[..words.len() - 1] } else { words }
}

/// Reads minutes and seconds, or seconds.
fn clock(word: &str) -> Option<Duration> {
    let (minutes, seconds) = word.split_once(':').unwrap_or(("0", word.trim_end_matches('s')));
    let (minutes, seconds): (u32, u32) = (minutes.parse().ok()?, seconds.parse().ok()?);
    let time = Duration::from_secs(u64::from(minutes) * 60 + u64::from(seconds));
    (time <= MAX_CLOCK).then_some(time)
}

/// Reads centiseconds (Fairy-Stockfish), or minutes and seconds (people).
fn centiseconds(word: &str) -> Option<Duration> {
    if word.contains(':') {
        return clock(word);
    }
    let time = Duration::from_millis(u64::from(word.parse::<u32>().ok()?) * 10);
    (time <= MAX_CLOCK).then_some(time)
}

/// Reads pieces by letters, or one by its name.
fn pieces(word: &str) -> Option<Roles> {
    let one = |role: Role| Roles::NONE.with(role);
    Some(match word {
        "pawn" | "pawns" => one(Role::Pawn),
        "knight" | "knights" | "horse" => one(Role::Knight),
        "bishop" | "bishops" => one(Role::Bishop),
        "rook" | "rooks" => one(Role::Rook),
        "queen" | "queens" => one(Role::Queen),
        "diag" | "diags" => letter('d')?,
        "" => return None,
        _ => word.chars().try_fold(Roles::NONE, |roles, each| Some(roles.union(letter(each)?)))?,
    })
}

/// Reads a piece letter, or `d` for pieces that move along diagonals, or `h` for heavy pieces.
fn letter(letter: char) -> Option<Roles> {
    Some(match letter {
        'd' => [Role::Bishop, Role::Queen].into_iter().collect(),
        'h' => [Role::Rook, Role::Queen].into_iter().collect(),
        'k' => return None,
        _ => Roles::NONE.with(Role::from_letter(letter)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roles(letters: &str) -> Roles {
        letters.chars().filter_map(Role::from_letter).collect()
    }

    #[test]
    fn the_usual_phrases_are_understood() {
        let needs = |letters| PartnerTalk::Needs(roles(letters));
        let refuses = |letters| PartnerTalk::Refuses(roles(letters));
        for (text, talk) in [
            ("--> SIT", PartnerTalk::Sit),
            ("please sit!", PartnerTalk::Sit),
            ("sit (I am in trouble)", PartnerTalk::Sit),
            ("Go", PartnerTalk::Go),
            ("--> hurry up", PartnerTalk::Fast),
            ("slow down", PartnerTalk::Slow),
            ("I'm dead", PartnerTalk::Dead),
            ("dead", PartnerTalk::Dead),
            ("x", PartnerTalk::Normal),
            ("I am not dead.", PartnerTalk::Normal),
            ("need a knight", needs("n")),
            ("--> +q", needs("q")),
            ("+++nq", needs("nq")),
            ("rook mates", needs("r")),
            ("give me p pls", needs("p")),
            ("need diags", needs("bq")),
            ("dont give q", refuses("q")),
            ("don't give Q", refuses("q")),
            ("no more pawns", refuses("p")),
            ("---b", refuses("b")),
            ("-h", refuses("rq")),
            ("n mates me", refuses("n")),
            ("q doesn't mate me anymore", PartnerTalk::Indifferent(roles("q"))),
            ("bn don't mate me anymore", PartnerTalk::Indifferent(roles("bn"))),
            ("= n", PartnerTalk::Indifferent(roles("n"))),
            ("trades ok", PartnerTalk::Trades),
            ("no trades", PartnerTalk::NoTrades),
            ("help", PartnerTalk::Help),
        ] {
            assert_eq!(PartnerTalk::parse(text), Some(talk), "{text}");
            assert_eq!(PartnerTalk::parse(&talk.to_string()), Some(talk), "{talk}");
        }
    }

    #[test]
    fn clocks_are_understood_in_several_forms() {
        let told = |partner: Option<u64>, opponent: Option<u64>| PartnerTalk::Clocks {
            partner: partner.map(Duration::from_secs),
            opponent: opponent.map(Duration::from_secs),
        };
        for (text, talk) in [
            ("my clock 1:20, opponent 0:45", told(Some(80), Some(45))),
            ("time 4500", told(Some(45), None)),
            ("time 1:05", told(Some(65), None)),
            ("otim 100", told(None, Some(1))),
            ("I have 45 sec", told(Some(45), None)),
            ("i have 30s!", told(Some(30), None)),
            ("he has 2:00", told(None, Some(120))),
            ("opp has 9", told(None, Some(9))),
        ] {
            assert_eq!(PartnerTalk::parse(text), Some(talk), "{text}");
        }
        for text in ["time", "time -5", "i have 99999999", "my clock 1:xx", "time 4294967296", "he has :"] {
            assert_eq!(PartnerTalk::parse(text), None, "{text}");
        }
    }

    #[test]
    fn other_messages_are_ignored() {
        for text in [
            "",
            "-->",
            "hello there",
            "sit down with us for tea",
            "sitting (I am mated)",
            "I sit until a piece comes",
            "need",
            "need help",
            "need k",
            "++",
            "--",
            "=",
            "please",
            "no way",
            "Sorry, but I don't understand that command.",
            "Ok, Knight mates",
        ] {
            assert_eq!(PartnerTalk::parse(text), None, "{text}");
        }
    }
}
