//! Tells moves from commands by their form, and cleans moves before they are sent.

/// Returns true if a line has the form of a move: coordinates, SAN, castling with `O`, `0` or `o`,
/// a drop, a move of several legs, or the null move `@@@@`. It may be illegal.
pub fn looks_like_a_move(text: &str) -> bool {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    text == "@@@@" || is_castling(text) || (!text.is_empty() && text.split(',').all(is_leg))
}

fn is_castling(text: &str) -> bool {
    let mut parts = text.split('-');
    let is_o = |part: &str| matches!(part, "O" | "o" | "0");
    text.len() > 1 && parts.clone().count() <= 3 && parts.all(is_o)
}

/// Piece letter, origin, capture sign, target, promotion; all but the target are optional.
fn is_leg(text: &str) -> bool {
    let rest = without_promotion(text);
    let Some(rest) = without_square(rest) else { return false };
    if let Some(piece) = rest.strip_suffix('@') {
        return matches!(piece.as_bytes(), [letter] if letter.is_ascii_uppercase());
    }
    let rest = rest.strip_suffix(['x', '-', ':']).unwrap_or(rest);
    let rest = rest.trim_end_matches(|c: char| c.is_ascii_digit());
    let rest = rest.strip_suffix(|c: char| ('a'..='l').contains(&c)).unwrap_or(rest);
    rest.is_empty() || matches!(rest.as_bytes(), [letter] if letter.is_ascii_uppercase())
}

/// Cuts off a promotion: `e8q`, `e8Q`, `e8=Q`, `e8(Q)`.
fn without_promotion(text: &str) -> &str {
    let inner = text.strip_suffix(')').unwrap_or(text);
    let Some(rest) = inner.strip_suffix(|c: char| c.is_ascii_alphabetic()) else { return text };
    let rest = rest.strip_suffix(['=', '(']).unwrap_or(rest);
    if rest.ends_with(|c: char| c.is_ascii_digit()) { rest } else { text }
}

fn without_square(text: &str) -> Option<&str> {
    let rest = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = text.len() - rest.len();
    if (1..=2).contains(&digits) { rest.strip_suffix(|c: char| ('a'..='l').contains(&c)) } else { None }
}

/// Returns the first word if it has the form of a move, else nothing: GUIs act on some words
/// anywhere in a line.
pub(crate) fn clean_move(text: &str) -> &str {
    let word = text.split_whitespace().next().unwrap_or("");
    let word = word.trim_end_matches(['!', '?']);
    if word.len() <= 20 && looks_like_a_move(word) { word } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_of_every_notation_look_like_moves() {
        for text in [
            "e2e4",
            "e7e8q",
            "e1g1",
            "O-O",
            "O-O-O",
            "o-o",
            "0-0-0",
            "O-O+",
            "P@h3",
            "c4d5,d5e4",
            "@@@@",
            "e4",
            "Nf3",
            "exd5",
            "Bxf7+",
            "Qxf7#",
            "e8=Q",
            "e8Q",
            "e8(Q)",
            "e8q",
            "Nfd3",
            "R1e2",
            "Qh4xe1",
            "e2-e4",
            "e2xd3",
            "a0a1",
            "j10j9",
        ] {
            assert!(looks_like_a_move(text), "{text}");
        }
    }

    #[test]
    fn words_do_not_look_like_moves() {
        for text in [
            "",
            "hint",
            "o",
            "0",
            "12",
            "bk",
            "a",
            "e",
            "help",
            "new1game",
            "O-O-O-O",
            "e2e4 e7e5",
            "x4",
            "z9z9",
            "#",
            "?",
            "-",
            "e123",
        ] {
            assert!(!looks_like_a_move(text), "{text}");
        }
    }

    #[test]
    fn a_move_that_is_sent_is_one_clean_word() {
        assert_eq!(clean_move("e7e8q"), "e7e8q");
        assert_eq!(clean_move("O-O\nquit"), "O-O");
        assert_eq!(clean_move("e2e4? (not found)"), "e2e4");
        assert_eq!(clean_move("Draw"), "");
    }
}
