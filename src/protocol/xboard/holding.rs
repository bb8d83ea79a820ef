//! Pieces in hand: the argument of `holding`.

use crate::chess::Color;
use std::fmt;

/// The pieces in the hand of one side: a count for each letter, whatever pieces the variant has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hand([u8; 26]);

impl Hand {
    /// The count of a piece, by its letter in either case.
    pub fn count(&self, letter: char) -> u8 {
        index(letter).map_or(0, |index| self.0[index])
    }

    /// Returns true if the hand is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&count| count == 0)
    }

    fn parse(letters: &str) -> Option<Hand> {
        let mut hand = Hand::default();
        for letter in letters.chars() {
            let count = &mut hand.0[index(letter)?];
            *count = count.saturating_add(1);
        }
        Some(hand)
    }
}

fn index(letter: char) -> Option<usize> {
    letter.is_ascii_alphabetic().then(|| usize::from(letter.to_ascii_uppercase() as u8 - b'A'))
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (letter, &count) in (b'A'..).zip(&self.0) {
            for _ in 0..count {
                write!(f, "{}", char::from(letter))?;
            }
        }
        Ok(())
    }
}

/// `[WHITE] [BLACK]`, and perhaps the piece just gained.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Holding {
    /// White's hand.
    pub white: Hand,
    /// Black's hand.
    pub black: Hand,
    /// The side that has just gained a piece, and the piece's letter in upper case.
    pub gained: Option<(Color, char)>,
}

impl Holding {
    /// Reads the argument of `holding`; `None` if it is malformed. Zippy passes on what the chess
    /// server sent between the brackets.
    pub(crate) fn parse(text: &str) -> Option<Holding> {
        let (white, rest) = text.strip_prefix('[')?.split_once(']')?;
        let (black, rest) = rest.trim_start().strip_prefix('[')?.split_once(']')?;
        let mut gained = rest.trim().chars();
        let gained = match (gained.next(), gained.next(), gained.next()) {
            (None, ..) => None,
            (Some(color), Some(piece), None) => {
                let color = match color {
                    'W' | 'w' => Color::White,
                    'B' | 'b' => Color::Black,
                    _ => return None,
                };
                Some((color, piece.is_ascii_alphabetic().then(|| piece.to_ascii_uppercase())?))
            }
            _ => return None,
        };
        Some(Holding { white: Hand::parse(white)?, black: Hand::parse(black)?, gained })
    }
}

impl fmt::Display for Holding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] [{}]", self.white, self.black)?;
        match self.gained {
            None => Ok(()),
            Some((Color::White, piece)) => write!(f, " W{piece}"),
            Some((Color::Black, piece)) => write!(f, " B{piece}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_are_counted_and_written_again() {
        let holding = Holding::parse("[PPPRQ] [nb] BN").unwrap();
        assert_eq!((holding.white.count('P'), holding.white.count('q'), holding.white.count('B')), (3, 1, 0));
        assert_eq!((holding.black.count('n'), holding.gained), (1, Some((Color::Black, 'N'))));
        assert_eq!(holding.to_string(), "[PPPQR] [BN] BN");
        let empty = Holding::parse("[] []").unwrap();
        assert!(empty.white.is_empty() && empty.black.is_empty() && empty.gained.is_none());
    }

    #[test]
    fn malformed_holdings_are_refused() {
        for text in
            ["", "[P]", "P Q", "[P] [Q", "[1] []", "[] [] B", "[] [] XN", "[] [] BNN", "[] [] B1", "[é] []"]
        {
            assert_eq!(Holding::parse(text), None, "{text}");
        }
    }
}
