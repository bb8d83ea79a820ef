//! What FEN says of rules that standard chess does not have: pieces in hand behind the board (`[QPp]`), pieces that were pawns
//! (`Q~`), and checks that are left to be given (`3+3`, White's first) or were given (`+0+0`).

use crate::chess::{Color, FenError, Piece, Position, Role, Ruleset};

impl<R: Ruleset> Position<R> {
    /// Whether the rules know pieces in hand.
    pub(in crate::chess) fn has_hands(&self) -> bool {
        self.fairy().is_some_and(|fairy| fairy.rules().drops)
    }

    /// Whether the rules count checks.
    pub(in crate::chess) fn counts_checks(&self) -> bool {
        self.fairy().is_some_and(|fairy| fairy.rules().checks_to_win > 0)
    }

    /// Reads the pieces in hand behind a board; what is before them.
    pub(in crate::chess) fn read_hands<'a>(&mut self, text: &'a str) -> Result<&'a str, FenError> {
        let Some((board, hands)) = text.split_once('[').filter(|_| self.has_hands()) else { return Ok(text) };
        let hands = hands.strip_suffix(']').ok_or(FenError::Hand)?;
        for letter in hands.chars().filter(|&letter| letter != '-') {
            let Piece { color, role } = Piece::from_letter(letter).ok_or(FenError::Hand)?;
            self.change_fairy(|fairy| fairy.gain(color, role));
        }
        Ok(board)
    }

    pub(in crate::chess) fn write_hands(&self, text: &mut String) {
        let Some(fairy) = self.fairy().filter(|fairy| fairy.rules().drops) else { return };
        text.push('[');
        for color in Color::ALL {
            for role in Role::ALL.into_iter().rev() {
                let letter = Piece { color, role }.letter();
                (0..fairy.in_hand(color, role)).for_each(|_| text.push(letter));
            }
        }
        text.push(']');
    }

    /// Reads how many checks are left to be given, or were given if the text begins with `+`.
    pub(in crate::chess) fn read_checks(&mut self, text: &str) -> Result<(), FenError> {
        let number = |text: &str| text.parse::<u8>().map_err(|_| FenError::Checks);
        let given_text = text.strip_prefix('+');
        let (white, black) = given_text.unwrap_or(text).split_once('+').ok_or(FenError::Checks)?;
        let counts = [number(white)?, number(black)?];
        self.change_fairy(|fairy| {
            let needed = fairy.rules().checks_to_win;
            for (color, count) in Color::ALL.into_iter().zip(counts) {
                let given = if given_text.is_some() { count } else { needed.saturating_sub(count) };
                fairy.set_checks(color, given.min(needed));
            }
        });
        Ok(())
    }

    pub(in crate::chess) fn write_checks(&self, text: &mut String) {
        let Some(fairy) = self.fairy().filter(|fairy| fairy.rules().checks_to_win > 0) else { return };
        let left = |color| fairy.rules().checks_to_win.saturating_sub(fairy.checks(color));
        text.push_str(&format!(" {}+{}", left(Color::White), left(Color::Black)));
    }
}
