//! FEN extensions and position checks of fairy variants: pieces in hand after the board (`[QPp]`,
//! or as a ninth rank), promoted pieces (`Q~`), and checks left to be given (`3+3`, White's first)
//! or given (`+0+0`).

use crate::chess::{Bitboard, Color, Fairy, FenError, Piece, Position, Role, Royal, Ruleset};

impl<R: Ruleset> Position<R> {
    /// Returns true if the rules have pieces in hand.
    pub(in crate::chess) fn has_hands(&self) -> bool {
        self.fairy().is_some_and(Fairy::has_drops)
    }

    /// Returns true if the rules count checks.
    pub(in crate::chess) fn counts_checks(&self) -> bool {
        self.fairy().is_some_and(|fairy| fairy.rules().checks_to_win > 0)
    }

    /// Reads pieces in hand behind a board, in brackets or as a ninth rank. Returns the text before
    /// them.
    pub(in crate::chess) fn read_hands<'a>(&mut self, text: &'a str) -> Result<&'a str, FenError> {
        if !self.has_hands() {
            return Ok(text);
        }
        let (board, hands) = match text.split_once('[') {
            Some((board, hands)) => (board, hands.strip_suffix(']').ok_or(FenError::Hand)?),
            None => match text.match_indices('/').nth(7) {
                Some((end, _)) => (&text[..end], &text[end + 1..]),
                None => return Ok(text),
            },
        };
        for letter in hands.chars().filter(|&letter| letter != '-') {
            let Piece { color, role } = Piece::from_letter(letter).ok_or(FenError::Hand)?;
            if role == Role::King && self.fairy().is_some_and(Fairy::has_royal_king) {
                return Err(FenError::Kings);
            }
            self.change_fairy(|fairy| fairy.change_hand(color, role, 1));
        }
        Ok(board)
    }

    /// Marks promoted pieces where captured pieces go to hands. Pawns and kings are never promoted.
    pub(in crate::chess) fn set_promoted(&mut self, promoted: Bitboard) {
        if !self.has_hands() {
            return;
        }
        let pieces = self.occupied() & !self.role(Role::Pawn) & !self.role(Role::King);
        for square in promoted & pieces {
            self.change_fairy(|fairy| fairy.set_promoted(square, true));
        }
    }

    /// Validates the position by the rules of the variant.
    pub(in crate::chess) fn validate_fairy(&self, fairy: &Fairy) -> Result<(), FenError> {
        let rules = fairy.rules();
        let first = if rules.white_horde { self.color(Color::Black) } else { Bitboard::ALL };
        if (self.role(Role::Pawn) & (Bitboard::rank(0) & first | Bitboard::rank(7))).any() {
            return Err(FenError::PawnRank);
        }
        for color in Color::ALL {
            let kings = self.pieces(color, Role::King);
            let valid = match rules.royal {
                _ if rules.white_horde && color == Color::White => kings.is_empty(),
                // An exploded king is missing.
                _ if rules.explodes => !kings.many() && self.role(Role::King).any(),
                Royal::King => kings.count() == 1,
                Royal::FirstKing => kings.any(),
                Royal::Nothing => true,
            };
            if !valid {
                return Err(FenError::Kings);
            }
        }
        if rules.explodes && self.fairy_outcome().is_some() {
            return Ok(());
        }
        let is_attacked = |color: Color| {
            self.king(color).is_some_and(|king| {
                !self.is_shielded_by_kings(king, !color) && self.attacked(king, !color, self.occupied())
            })
        };
        if is_attacked(!self.turn()) {
            return Err(FenError::OpponentInCheck);
        }
        if !rules.may_check && is_attacked(self.turn()) {
            return Err(FenError::InCheck);
        }
        Ok(())
    }

    pub(in crate::chess) fn write_hands(&self, text: &mut String) {
        let Some(fairy) = self.fairy().filter(|fairy| fairy.has_drops()) else { return };
        text.push('[');
        for color in Color::ALL {
            for role in Role::ALL.into_iter().rev() {
                let letter = Piece { color, role }.letter();
                (0..fairy.in_hand(color, role)).for_each(|_| text.push(letter));
            }
        }
        text.push(']');
    }

    /// Reads the number of checks left to be given, or already given if the text begins with `+`.
    pub(in crate::chess) fn read_checks(&mut self, text: &str) -> Result<(), FenError> {
        let number = |text: &str| text.parse::<u8>().map_err(|_| FenError::Checks);
        let given_text = text.strip_prefix('+');
        let (white, black) = given_text.unwrap_or(text).split_once('+').ok_or(FenError::Checks)?;
        let counts = [number(white)?, number(black)?];
        self.change_fairy(|fairy| {
            let needed = fairy.rules().checks_to_win;
            let mut changed = 0;
            for (color, count) in Color::ALL.into_iter().zip(counts) {
                let given = if given_text.is_some() { count } else { needed.saturating_sub(count) };
                changed ^= fairy.set_checks(color, given.min(needed));
            }
            changed
        });
        Ok(())
    }

    pub(in crate::chess) fn write_checks(&self, text: &mut String) {
        if let Some([white, black]) = self.checks_left() {
            text.push_str(&format!(" {white}+{black}"));
        }
    }

    /// Returns the checks that White and Black still have to give to win; `None` if the rules do
    /// not count checks.
    pub fn checks_left(&self) -> Option<[u8; 2]> {
        let fairy = self.fairy().filter(|fairy| fairy.rules().checks_to_win > 0)?;
        Some(
            [Color::White, Color::Black]
                .map(|color| fairy.rules().checks_to_win.saturating_sub(fairy.checks(color))),
        )
    }
}
