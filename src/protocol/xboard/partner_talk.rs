//! The usual phrases of a bughouse partner (`ptell`).
//!
//! Players of chess servers press keys for most of them, which put an arrow in front: `--> sit`.

/// A phrase that may ask the engine to act. Pieces are letters in upper case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartnerTalk {
    /// `sit`: do not move.
    Sit,
    /// `go`: move again.
    Go,
    /// `fast`, `hurry`: move quickly.
    Fast,
    /// `slow`: take your time.
    Slow,
    /// `dead`, `i'm dead`, `i'm mated`: the other board is about to be lost.
    Dead,
    /// `need n`, `+n`, `n mates`: this piece decides.
    Needs(char),
    /// `no q`, `don't give q`, `--q`, `q mates me`: this piece must not come into the hands of our opponent.
    Refuses(char),
    /// `trades ok`, `trades good`.
    Trades,
    /// `no trades`, `trades bad`.
    NoTrades,
}

impl PartnerTalk {
    /// `None` for everything else that people say.
    pub fn parse(text: &str) -> Option<PartnerTalk> {
        let text = text.trim().to_ascii_lowercase();
        let text = text.strip_prefix("-->").unwrap_or(&text);
        let text = text.replace('\'', "");
        let words: Vec<&str> = text
            .split(|c: char| c.is_whitespace() || matches!(c, '!' | '.' | ','))
            .filter(|word| !word.is_empty())
            .collect();
        Some(match *without_politeness(&words) {
            ["sit"] => PartnerTalk::Sit,
            ["go"] | ["unsit"] | ["move"] => PartnerTalk::Go,
            ["fast"] | ["faster"] | ["hurry"] | ["hurry", "up"] => PartnerTalk::Fast,
            ["slow"] | ["slower"] | ["slow", "down"] => PartnerTalk::Slow,
            ["dead"] | ["mated"] | ["im" | "i", "dead" | "mated"] | ["i", "am", "dead" | "mated"] => {
                PartnerTalk::Dead
            }
            ["trades", "ok" | "good"] | ["trade"] | ["trades"] => PartnerTalk::Trades,
            ["no", "trades"] | ["notrades"] | ["trades", "bad"] => PartnerTalk::NoTrades,
            [given] if given.starts_with("--") => PartnerTalk::Refuses(piece(given.trim_start_matches('-'))?),
            [given] if given.starts_with('+') => PartnerTalk::Needs(piece(given.trim_start_matches('+'))?),
            [given, "mates", "me"] => PartnerTalk::Refuses(piece(given)?),
            [given, "mates"] => PartnerTalk::Needs(piece(given)?),
            ["need" | "needs" | "gimme", "a", given] | ["need" | "needs" | "gimme", given] => {
                PartnerTalk::Needs(piece(given)?)
            }
            ["i", "need", "a", given]
            | ["i", "need", given]
            | ["give", "me", given]
            | ["give", "me", "a", given] => PartnerTalk::Needs(piece(given)?),
            ["no" | "hold", given] | ["no", "more", given] => PartnerTalk::Refuses(piece(given)?),
            ["dont" | "never", "give", given]
            | ["dont" | "never", "give", "a", given]
            | ["do", "not", "give", given] => PartnerTalk::Refuses(piece(given)?),
            _ => return None,
        })
    }
}

fn without_politeness<'a>(words: &'a [&'a str]) -> &'a [&'a str] {
    let polite = |word: &&str| matches!(*word, "please" | "pls" | "plz");
    let words = if words.first().is_some_and(polite) { &words[1..] } else { words };
    if words.last().is_some_and(polite) { &words[..words.len() - 1] } else { words }
}

/// A piece by letter or by name.
fn piece(word: &str) -> Option<char> {
    Some(match word {
        "p" | "pawn" | "pawns" => 'P',
        "n" | "knight" | "knights" | "horse" => 'N',
        "b" | "bishop" | "bishops" | "diag" | "diags" => 'B',
        "r" | "rook" | "rooks" => 'R',
        "q" | "queen" | "queens" => 'Q',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_phrases_are_understood() {
        for (text, talk) in [
            ("--> SIT", PartnerTalk::Sit),
            ("please sit!", PartnerTalk::Sit),
            ("Go", PartnerTalk::Go),
            ("--> hurry up", PartnerTalk::Fast),
            ("slow down", PartnerTalk::Slow),
            ("I'm dead", PartnerTalk::Dead),
            ("dead", PartnerTalk::Dead),
            ("need a knight", PartnerTalk::Needs('N')),
            ("--> +q", PartnerTalk::Needs('Q')),
            ("rook mates", PartnerTalk::Needs('R')),
            ("give me p pls", PartnerTalk::Needs('P')),
            ("dont give q", PartnerTalk::Refuses('Q')),
            ("don't give Q", PartnerTalk::Refuses('Q')),
            ("no more pawns", PartnerTalk::Refuses('P')),
            ("---b", PartnerTalk::Refuses('B')),
            ("n mates me", PartnerTalk::Refuses('N')),
            ("trades ok", PartnerTalk::Trades),
            ("no trades", PartnerTalk::NoTrades),
        ] {
            assert_eq!(PartnerTalk::parse(text), Some(talk), "{text}");
        }
    }

    #[test]
    fn what_people_say_otherwise_is_nothing() {
        for text in [
            "",
            "-->",
            "hello there",
            "sit down with us for tea",
            "need",
            "need help",
            "++",
            "--",
            "please",
            "no way",
        ] {
            assert_eq!(PartnerTalk::parse(text), None, "{text}");
        }
    }
}
