//! What a client hears, and what must hold of it.

/// What matters of what was said, whatever happens to servers: answers to `go`, and answers to questions. Which of both comes
/// first is a matter of luck.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Heard {
    pub moves: Vec<String>,
    pub answers: Vec<String>,
}

impl Heard {
    pub fn of(text: &str) -> Heard {
        let mut heard = Heard::default();
        for line in text.lines() {
            let word = line.split(' ').next().unwrap_or("");
            match word {
                "bestmove" | "Nodes" => heard.moves.push(line.to_owned()),
                // The value is that of the moment at which the server answers; a second `uci` may be answered later.
                "option" => heard.answers.extend(line.split(" default").next().map(str::to_owned)),
                "readyok" | "uciok" | "id" => heard.answers.push(line.to_owned()),
                // The leaves below a move.
                _ if word.ends_with(':') && word.starts_with(|c: char| c.is_ascii_lowercase()) => {
                    heard.moves.push(line.to_owned());
                }
                _ => {}
            }
        }
        heard
    }
}

/// The lines of thinking since the last best move.
#[derive(Default)]
pub struct Thoughts {
    /// Depth and first move of each line of the best variation.
    lines: Vec<(u32, String)>,
}

impl Thoughts {
    /// Takes a line, and says what is wrong with it.
    pub fn hear(&mut self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        let value = |name: &str| words.iter().position(|word| *word == name).map(|place| words[place + 1]);
        match words[0] {
            "info" if value("multipv") == Some("1") => {
                let depth = value("depth").expect("a depth").parse().expect("a number");
                let mv = value("pv").expect("a variation").to_owned();
                self.lines.push((depth, mv));
            }
            "bestmove" if words[1] == "(none)" => {
                assert!(self.lines.is_empty(), "thoughts about nothing: {:?}", self.lines);
            }
            "bestmove" => self.judge(words[1]),
            _ => {}
        }
    }

    fn judge(&mut self, best: &str) {
        let lines = std::mem::take(&mut self.lines);
        assert!(!lines.is_empty(), "a best move out of nothing");
        assert!(lines.iter().all(|(_, mv)| mv == best), "of another position than {best}: {lines:?}");
        let deepest = lines.iter().map(|(depth, _)| *depth).max();
        let first = lines.iter().position(|(depth, _)| Some(*depth) == deepest).expect("a line");
        let rises = lines[..=first].is_sorted_by_key(|(depth, _)| *depth);
        let falls = lines[first..].iter().filter(|(depth, _)| Some(*depth) < deepest).count();
        assert!(rises && falls <= 1, "depths jump: {lines:?}");
    }
}
