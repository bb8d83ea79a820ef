//! Games read from PGN or PDN. Comments, variations, move numbers and glyphs are skipped.

/// The tags of a game that say how it starts, and who plays.
#[derive(Clone, Copy, Default, Debug)]
pub struct Start<'t> {
    /// `FEN`
    pub fen: Option<&'t str>,
    /// `Variant`
    pub variant: Option<&'t str>,
    /// `GameType`, which games of draughts have.
    pub game_type: Option<&'t str>,
    /// `White`
    pub white: Option<&'t str>,
    /// `Black`
    pub black: Option<&'t str>,
}

/// A tag, comment or variation without an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a tag, comment or variation has no end")]
pub struct Unfinished;

/// An error in a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct GameTextError<E> {
    /// The number of the line, from 1.
    pub line: usize,
    /// The cause.
    pub error: E,
}

/// A part of a file that matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'t> {
    Tag(&'t str, &'t str),
    /// A move, or a result.
    Word(&'t str),
}

/// Returns true if a text begins with a tag, as a file of games does.
pub fn is_game_file(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.find(|line| !line.starts_with(['#', ';', '%'])).is_some_and(|line| line.starts_with('['))
}

/// Reads the first `most` games of a text, each with its first plies, or all of them. `begin` makes
/// a game from its tags, `play` plays a move in it. Tags without a move are a game if they have a
/// position.
///
/// # Errors
/// A line has a wrong tag or move, or a comment or variation without end begins there.
pub fn read_games<'t, G, E: From<Unfinished>>(
    text: &'t str,
    (most, plies): (usize, Option<usize>),
    begin: impl Fn(Start<'_>) -> Result<G, E>,
    play: impl Fn(&mut G, &str) -> Result<(), E>,
) -> Result<Vec<G>, GameTextError<E>> {
    let mut tokens = Tokens { rest: text, line: 1, at_line_start: true };
    let (mut games, mut start, mut start_line) = (Vec::new(), Start::default(), 1);
    // The game whose moves are read, and the plies still to play.
    let mut game: Option<(G, usize)> = None;
    let begin_game = |start: Start<'t>, line| begin(start).map_err(|error| GameTextError { line, error });
    let position = |start: Start<'t>, line| start.fen.map(|_| begin_game(start, line)).transpose();
    while games.len() < most
        && let Some((line, token)) =
            tokens.next().map_err(|(line, error)| GameTextError { line, error: error.into() })?
    {
        let failed = |error| GameTextError { line, error };
        match token {
            Token::Tag(name, value) => {
                if let Some((game, _)) = game.take() {
                    games.push(game);
                    start = Start::default();
                }
                match name {
                    "FEN" => (start.fen, start_line) = (Some(value), line),
                    "Variant" => (start.variant, start_line) = (Some(value), line),
                    "GameType" => start.game_type = Some(value),
                    "White" => start.white = Some(value),
                    "Black" => start.black = Some(value),
                    _ => {}
                }
            }
            Token::Word("1-0" | "0-1" | "1/2-1/2" | "2-0" | "0-2" | "1-1" | "*") => {
                match game.take() {
                    Some((game, _)) => games.push(game),
                    None => games.extend(position(start, start_line)?),
                }
                start = Start::default();
            }
            Token::Word(word) => {
                if game.is_none() {
                    game = Some((begin_game(start, start_line)?, plies.unwrap_or(usize::MAX)));
                }
                if let Some((game, left)) = game.as_mut().filter(|(_, left)| *left > 0) {
                    play(game, word).map_err(failed)?;
                    *left -= 1;
                }
            }
        }
    }
    match game {
        Some((game, _)) => games.push(game),
        None if games.len() < most => games.extend(position(start, start_line)?),
        None => {}
    }
    Ok(games)
}

/// The tokens of a text.
struct Tokens<'t> {
    rest: &'t str,
    /// The line of `rest`, from 1.
    line: usize,
    at_line_start: bool,
}

impl<'t> Tokens<'t> {
    /// The next token with its line.
    fn next(&mut self) -> Result<Option<(usize, Token<'t>)>, (usize, Unfinished)> {
        loop {
            let line = self.line;
            let unfinished = || (line, Unfinished);
            let Some(first) = self.rest.chars().next() else { return Ok(None) };
            match first {
                '\n' => {
                    self.skip(1);
                    self.at_line_start = true;
                    continue;
                }
                '%' if self.at_line_start => self.skip_line(),
                ';' => self.skip_line(),
                '{' => self.skip_to('}').ok_or_else(unfinished)?,
                '(' => self.skip_variation().ok_or_else(unfinished)?,
                '[' => {
                    let text = self.take(tag_length(self.rest).ok_or_else(unfinished)?);
                    let (name, value) = tag(text).ok_or_else(unfinished)?;
                    return Ok(Some((line, Token::Tag(name, value))));
                }
                _ if first.is_whitespace() || ")}]".contains(first) => self.skip(first.len_utf8()),
                _ => {
                    let end = self.rest.find(|c: char| c.is_whitespace() || "{}();[]".contains(c));
                    let word = plain(self.take(end.unwrap_or(self.rest.len())));
                    if !word.is_empty() {
                        return Ok(Some((line, Token::Word(word))));
                    }
                }
            }
            self.at_line_start = false;
        }
    }

    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        (self.rest, self.at_line_start) = (rest, false);
        taken
    }

    fn skip(&mut self, bytes: usize) {
        self.take(bytes);
    }

    fn skip_line(&mut self) {
        self.skip(self.rest.find('\n').unwrap_or(self.rest.len()));
    }

    /// Skips up to a character and this; `None` if it does not come.
    fn skip_to(&mut self, end: char) -> Option<()> {
        self.skip(self.rest.find(end)? + end.len_utf8());
        Some(())
    }

    /// Skips a variation, with those in it; `None` if it has no end.
    fn skip_variation(&mut self) -> Option<()> {
        let mut depth = 0u32;
        loop {
            match self.rest.chars().next()? {
                '{' => self.skip_to('}')?,
                ';' => self.skip_line(),
                '(' => {
                    depth += 1;
                    self.skip(1);
                }
                ')' => {
                    depth -= 1;
                    self.skip(1);
                    if depth == 0 {
                        return Some(());
                    }
                }
                other => self.skip(other.len_utf8()),
            }
        }
    }
}

/// Returns the length in bytes of the tag at the beginning of a text, up to its closing bracket.
/// Brackets in its value do not count: crazyhouse's FEN has some. `None` if it does not end in its
/// line.
fn tag_length(text: &str) -> Option<usize> {
    let (mut quoted, mut escaped) = (false, false);
    for (at, letter) in text.lines().next()?.char_indices() {
        match letter {
            ']' if !quoted => return Some(at + 1),
            '"' if !escaped => quoted = !quoted,
            _ => {}
        }
        escaped = letter == '\\' && !escaped;
    }
    None
}

/// The name and value of `[Name "value"]`. Quotes within a value matter for no tag that is read.
fn tag(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.strip_prefix('[')?.strip_suffix(']')?.trim().split_once(char::is_whitespace)?;
    Some((name, rest.trim().strip_prefix('"')?.strip_suffix('"')?))
}

/// A word without the number before a move and the marks behind it; empty for a glyph or a number.
fn plain(word: &str) -> &str {
    if word.starts_with('$') {
        return "";
    }
    let behind_number = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let word = if behind_number.starts_with('.') { behind_number.trim_start_matches('.') } else { word };
    let is_number = word.chars().all(|letter| letter.is_ascii_digit());
    if is_number { "" } else { word.trim_end_matches(['!', '?']) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tags and moves of each game.
    fn read(text: &str, plies: Option<usize>) -> Result<Vec<String>, String> {
        let begin =
            |start: Start<'_>| Ok(format!("{}/{}:", start.fen.unwrap_or("-"), start.variant.unwrap_or("-")));
        let play = |game: &mut String, word: &str| {
            if word == "bad" {
                return Err(Unfinished);
            }
            *game += &format!(" {word}");
            Ok(())
        };
        read_games(text, (usize::MAX, plies), begin, play).map_err(|error| error.to_string())
    }

    #[test]
    fn only_moves_and_starts_matter() {
        let text = "\n% escaped [\n[Event \"a [b\"]\n[FEN \"4k3/8[Qp] w\"]\n\n1. e4 {Best, by test; (see 2.)} e5!? 2.Nf3 $1 \
                    (2. f4 exf4 {gambit)} (2... d5) 3. Nf3) 2... Nc6 ; to the end 3. d4\n3. Bb5 a6 1-0\n\
                    [Event \"b\"]\r\n[Variant \"atomic\"]\r\n\r\n1. 0-0\r\n";
        let games = ["4k3/8[Qp] w/-: e4 e5 Nf3 Nc6 Bb5 a6", "-/atomic: 0-0"];
        assert_eq!(read(text, None).unwrap(), games);
        assert_eq!(read(text, Some(3)).unwrap(), ["4k3/8[Qp] w/-: e4 e5 Nf3", "-/atomic: 0-0"]);
        assert_eq!(
            read("[GameType \"21\"]\n1. 11-15 23x16 2. 12x19 *", None).unwrap(),
            ["-/-: 11-15 23x16 12x19"]
        );
        assert_eq!(read("[Event \"no moves\"]\n*\n", None).unwrap(), [""; 0]);
        let positions = "[FEN \"a\"]\n[White \"A\"]\n*\n[FEN \"b\"]\n";
        assert_eq!(read(positions, None).unwrap(), ["a/-:", "b/-:"]);
    }

    #[test]
    fn games_behind_the_last_wanted_one_are_not_read() {
        let games = |most| {
            read_games(
                "1. e4 * bad",
                (most, None),
                |_| Ok(()),
                |_, word| {
                    if word == "bad" { Err(Unfinished) } else { Ok(()) }
                },
            )
        };
        assert_eq!(games(1), Ok(vec![()]));
        assert!(games(2).is_err());
    }

    #[test]
    fn the_line_of_an_error_is_named() {
        for (text, line) in [
            ("[Event \"a\"]\n\n1. e4 e5\n2. bad *", 4),
            ("[Event \"a\"]\n\n1. e4 {open\n\n", 3),
            ("[Event \"a\"]\n\n1. e4 (e5 (c5)\n", 3),
            ("[Event \"a\"]\n[Site\n", 2),
            ("[Event \"a\"]\n[Site a]\n", 2),
        ] {
            let error = read(text, None).unwrap_err();
            assert!(error.starts_with(&format!("line {line}: ")), "{text}: {error}");
        }
        assert!(read("[Event \"a\"]\n\n1. e4 bad *", Some(1)).is_ok(), "later moves are not played");
    }

    #[test]
    fn a_file_of_games_is_known_by_its_first_tag() {
        for text in ["[Event \"a\"]", "\n\n# games\n [Event \"a\"]", "% x\n[FEN \"a\"]"] {
            assert!(is_game_file(text), "{text}");
        }
        for text in ["", "rnbqkbnr/pppppppp/8 w - -", "# [Event]\n11-15 [x]"] {
            assert!(!is_game_file(text), "{text}");
        }
    }
}
