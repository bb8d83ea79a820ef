//! What the client was shown of a search, and what of another server's search for the same it is shown.
//!
//! A server that takes over begins with the first iteration. A depth that jumps back helps nobody, so lines are hidden until
//! they are as deep as those that the client has. The last of the hidden ones come out right before the best move, if nothing
//! deeper has: a client must be able to read the best move's score.

/// Variations that are told apart. No GUI asks for more.
const MAX_LINES: u32 = 500;

/// What a line of thinking says.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Thought {
    pub(super) depth: Option<u32>,
    /// Its place among several variations, from 1.
    pub(super) place: u32,
    /// Its score is known and no mere bound.
    pub(super) is_exact: bool,
    /// The first moves of its variation.
    pub(super) moves: Vec<String>,
}

impl Thought {
    /// Reads what follows `info`.
    pub(super) fn read(text: &str) -> Thought {
        let mut thought = Thought { place: 1, ..Thought::default() };
        let mut is_bound = false;
        let mut words = text.split_ascii_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => thought.depth = words.next().and_then(|word| word.parse().ok()),
                "multipv" => thought.place = words.next().and_then(|word| word.parse().ok()).unwrap_or(1),
                "score" => thought.is_exact = true,
                "lowerbound" | "upperbound" => is_bound = true,
                "pv" => {
                    thought.moves = words.by_ref().take(2).map(str::to_owned).collect();
                    break;
                }
                _ => {}
            }
        }
        thought.is_exact &= !is_bound && !thought.moves.is_empty();
        thought
    }
}

/// The thinking of one search.
#[derive(Clone, Default, Debug)]
pub(super) struct Shown {
    /// The depth of the last exact line of the first variation.
    depth: u32,
    /// Its first moves.
    moves: Vec<String>,
    /// Another server searches for it.
    is_again: bool,
    /// Hidden lines, the last of each variation, with its place.
    hidden: Vec<(u32, Vec<u8>)>,
}

impl Shown {
    /// Whether the client gets this line.
    pub(super) fn hear(&mut self, thought: Thought, line: &[u8]) -> bool {
        let is_behind = thought.depth.is_some_and(|depth| depth < self.depth);
        if self.is_again && is_behind && thought.place <= MAX_LINES {
            if thought.is_exact {
                self.hidden.retain(|(place, _)| *place != thought.place);
                self.hidden.push((thought.place, line.to_owned()));
            }
            return false;
        }
        if thought.is_exact && thought.place == 1 {
            self.depth = thought.depth.unwrap_or(self.depth);
            self.moves = thought.moves;
            self.is_again = false;
            self.hidden.clear();
        }
        true
    }

    /// Its server is lost.
    pub(super) fn lose(&mut self) {
        self.is_again = true;
        self.hidden.clear();
    }

    /// The lines that the client must have before the best move.
    pub(super) fn last_lines(mut self) -> Vec<u8> {
        self.hidden.sort_by_key(|(place, _)| *place);
        self.hidden.into_iter().flat_map(|(_, line)| line).collect()
    }

    /// The best move that the client was shown, and the reply to it, if any.
    pub(super) fn moves(&self) -> Option<(&str, Option<&str>)> {
        let (best, replies) = self.moves.split_first()?;
        Some((best, replies.first().map(String::as_str)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of these lines are shown.
    fn hear(shown: &mut Shown, lines: &[&str]) -> Vec<bool> {
        lines.iter().map(|line| shown.hear(Thought::read(line), format!("{line}\n").as_bytes())).collect()
    }

    #[test]
    fn the_words_of_a_line_are_found() {
        let text = "depth 12 seldepth 20 multipv 2 score cp 31 nodes 5 nps 1 time 3 pv e2e4 e7e5 g1f3";
        let moves = vec!["e2e4".to_owned(), "e7e5".to_owned()];
        assert_eq!(Thought::read(text), Thought { depth: Some(12), place: 2, is_exact: true, moves });
        assert!(!Thought::read("depth 3 score cp 3 upperbound pv a2a3").is_exact);
        assert!(!Thought::read("depth 3 currmove e2e4 currmovenumber 1").is_exact);
        assert!(!Thought::read("depth 3 score cp 1").is_exact);
        assert_eq!(Thought::read("depth x").depth, None);
    }

    #[test]
    fn a_search_that_begins_again_is_shown_from_where_it_was() {
        let mut shown = Shown::default();
        assert_eq!(
            hear(&mut shown, &["depth 1 score cp 1 pv a1a2", "depth 9 score cp 2 pv b1b2 c1c2"]),
            [true, true]
        );
        shown.lose();
        let lines = [
            "depth 8 score cp 1 pv d1d2",
            "depth 8 currmove d1d2 currmovenumber 1",
            "nodes 10",
            "depth 9 score cp 1 lowerbound pv d1d2",
            "depth 9 score cp 1 pv d1d2",
            "depth 1 score cp 1 pv e1e2",
        ];
        assert_eq!(hear(&mut shown, &lines), [false, false, true, true, true, true]);
        assert_eq!(shown.moves(), Some(("e1e2", None)));
        assert!(shown.last_lines().is_empty());
    }

    #[test]
    fn the_last_exact_lines_come_before_the_best_move() {
        let mut shown = Shown::default();
        hear(&mut shown, &["depth 9 score cp 2 pv b1b2 c1c2"]);
        shown.lose();
        let lines = [
            "depth 4 multipv 2 score cp 1 pv f1f2",
            "depth 4 multipv 1 score cp 1 pv e1e2",
            "depth 5 multipv 1 score cp 1 pv d1d2",
            "depth 6 multipv 1 score cp 1 upperbound pv g1g2",
        ];
        assert_eq!(hear(&mut shown, &lines), [false; 4]);
        assert_eq!(shown.moves(), Some(("b1b2", Some("c1c2"))), "what the client has seen");
        let expected = format!("{}\n{}\n", lines[2], lines[0]);
        assert_eq!(String::from_utf8(shown.last_lines()).expect("ASCII"), expected);
    }
}
