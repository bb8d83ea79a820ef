//! Thinking lines and the status of an analysis.

use super::move_text::clean_move;
use super::plain::MAX_LINE;
use std::fmt;

/// Mate scores begin here: 100000 + N is mate in N moves, -100000 - N is mated in N.
const MATE: i32 = 100_000;

/// A mate on the board, in EPD.
const EPD_MATE: i32 = 32_767;

/// A thinking line: `ply score time nodes pv` (protocol 1, section 10), or with further columns and
/// a tab before the variation: `ply score time nodes seldepth speed tbhits<TAB>pv` (current text,
/// section 10).
///
/// All numbers are integers, since anything else makes xboard overlook the line. The principal
/// variation is moves only, since xboard acts on some words anywhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThinkingLine {
    /// Plies of the iteration.
    pub depth: u32,
    /// Centipawns from the point of view of the side that thinks, or a mate
    /// ([`ThinkingLine::mate`]).
    pub score: i32,
    /// Centiseconds since the search was requested.
    pub time: u64,
    /// Nodes searched.
    pub nodes: u64,
    /// The columns between the nodes and the moves; `None` for clients that would take them for
    /// moves.
    pub columns: Option<Columns>,
    /// The moves.
    pub pv: Vec<String>,
    /// `!` if the score is a lower bound, `?` if an upper bound.
    pub mark: Option<char>,
    /// 1 for the best line, 2 for the second best …; not printed.
    pub line: u32,
}

/// The further columns of a thinking line, which the first text of the protocol does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Columns {
    /// Plies of the longest variation searched.
    pub selective_depth: u32,
    /// Nodes per second.
    pub speed: u64,
    /// Positions found in endgame tables.
    pub table_hits: u64,
}

impl ThinkingLine {
    /// The score of a mate in this number of moves; negative if the side that thinks is mated.
    pub const fn mate(moves: i32) -> i32 {
        if moves > 0 { MATE + moves } else { -MATE + moves }
    }

    /// The score of a mate in the code of the EPD specification, which ChessBase's programs read:
    /// 32767 less the plies to the mate.
    pub(crate) const fn mate_of_epd(moves: i32) -> i32 {
        if moves > 0 { EPD_MATE - (2 * moves - 1) } else { -EPD_MATE - 2 * moves }
    }
}

impl fmt::Display for ThinkingLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.time.min(i32::MAX as u64);
        let nodes = self.nodes.min(i64::MAX as u64);
        let mut line = format!("{} {} {time} {nodes}", self.depth.clamp(1, 999), self.score);
        match self.columns {
            None => line.push(' '),
            Some(Columns { selective_depth, speed, table_hits }) => {
                let (speed, hits) = (speed.min(i32::MAX as u64), table_hits.min(i32::MAX as u64));
                line.push_str(&format!(" {} {speed} {hits}\t", selective_depth.min(999)));
            }
        }
        let beginning = line.len();
        for mv in self.pv.iter().map(|mv| clean_move(mv)).filter(|mv| !mv.is_empty()) {
            // Two bytes for the mark, one for the line end.
            if line.len() + mv.len() + 4 > MAX_LINE {
                break;
            }
            if line.len() > beginning {
                line.push(' ');
            }
            line.push_str(mv);
        }
        // The mark is a word of its own: python-chess drops a word that is not a move and
        // everything after it, xboard looks at the last character only.
        if let Some(mark @ ('!' | '?')) = self.mark {
            line.push(' ');
            line.push(mark);
        }
        f.write_str(&line)
    }
}

/// The moves of the book, as `0 0 0 0 (e4 64%, d4 24%)`: a thinking line whose parenthesis means
/// that nothing is being searched (protocol 1, section 10).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookLine {
    /// Moves with their frequencies in percent; 0 for less than half a percent.
    pub moves: Vec<(String, u8)>,
}

impl fmt::Display for BookLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0 0 0 0 (")?;
        // GUIs read no more, and the length of a line is limited.
        let moves = self.moves.iter().take(100).map(|(mv, percent)| (clean_move(mv), percent));
        for (index, (mv, percent)) in moves.filter(|(mv, _)| !mv.is_empty()).enumerate() {
            let separator = if index > 0 { ", " } else { "" };
            write!(f, "{separator}{mv} {}", Percent(*percent))?;
        }
        f.write_str(")")
    }
}

/// The frequency of a book move: `64%`. A move in the book is never at 0 %: `<1%`.
pub(super) struct Percent(pub(super) u8);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if self.0 == 0 { "<1%".to_owned() } else { format!("{}%", self.0) };
        f.pad(&text)
    }
}

/// The progress of an analysis: the answer to `.`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stat01 {
    /// Centiseconds since the search was requested.
    pub time: u64,
    /// Nodes searched.
    pub nodes: u64,
    /// Plies of the running iteration.
    pub depth: u32,
    /// First moves still to search in this iteration.
    pub moves_left: u32,
    /// Number of first moves.
    pub moves_total: u32,
    /// The first move being searched.
    pub current: Option<String>,
}

impl fmt::Display for Stat01 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.time.min(i32::MAX as u64);
        let nodes = self.nodes.min(i64::MAX as u64);
        write!(f, "stat01: {time} {nodes} {} {} {}", self.depth, self.moves_left, self.moves_total)?;
        match &self.current {
            Some(mv) => write!(f, " {}", clean_move(mv)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_book_moves_are_not_shown_as_never_played() {
        let moves = vec![("e4".to_owned(), 57), ("b3".to_owned(), 0)];
        assert_eq!(BookLine { moves }.to_string(), "0 0 0 0 (e4 57%, b3 <1%)");
        assert_eq!(format!("{:>4}", Percent(0)), " <1%");
    }
}
