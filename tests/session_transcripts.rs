//! Golden transcripts: `tests/transcripts/*.txt`, run against a session with a search that does as told.
//!
//! A line of a transcript is one of
//!
//! * `> TEXT`: the client sends this line.
//! * `< TEXT`: the session answers this line, next in order. `%d` stands for a whole number, `%*` for
//!   anything. Before the next `>` or `@` every answer must have been named.
//! * `@ DIRECTIVE`: something else happens or must be so; see [`Run::directive`].
//! * `# …` and empty lines: for the reader.
//!
//! Every transcript is run line by line and byte by byte; one without directives also in a single piece.

use farboard::chess::Move;
use farboard::pool::{Class, SearchEvent, SearchId, Terms};
use farboard::protocol::framing::{Frame, Lines};
use farboard::search::{Bound, Done, Info, Progress, Report, Request, Score};
use farboard::session::{Effect, Input, Session, Setup};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

struct Run {
    session: Session,
    lines: Lines,
    now: Instant,
    timer: Option<Instant>,
    answers: VecDeque<String>,
    /// The search that was started last and neither stopped nor done.
    search: Option<(SearchId, Request, Terms)>,
    /// The search that was stopped last.
    old: Option<(SearchId, Request)>,
    retimed: bool,
    closed: bool,
}

impl Run {
    fn new() -> Run {
        let setup = Setup { seed: 1, name: "Farboard".to_owned() };
        Run {
            session: Session::new(setup),
            lines: Lines::new(1000),
            now: Instant::now() + Duration::from_secs(1000),
            timer: None,
            answers: VecDeque::new(),
            search: None,
            old: None,
            retimed: false,
            closed: false,
        }
    }

    fn input(&mut self, input: Input<'_>) {
        let mut effects = Vec::new();
        self.session.handle(input, self.now, &mut effects);
        for effect in effects {
            assert!(!self.closed, "an effect after Close");
            match effect {
                Effect::Reply(reply) => {
                    self.answers.push_back(reply.line().trim_end_matches('\n').to_owned())
                }
                Effect::Start(id, request, terms) => {
                    assert!(self.search.is_none(), "a second search");
                    self.search = Some((id, *request, terms));
                }
                Effect::Retime(id, terms) => {
                    let search = self.search.as_mut().expect("a search to retime");
                    assert_eq!(search.0, id);
                    search.2 = terms;
                    self.retimed = true;
                }
                Effect::Stop(id) => {
                    let (stopped, request, _) = self.search.take().expect("a search to stop");
                    assert_eq!(stopped, id);
                    self.old = Some((id, request));
                }
                Effect::Timer(at) => self.timer = at,
                Effect::Close => self.closed = true,
            }
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let mut lines = std::mem::replace(&mut self.lines, Lines::new(0));
        lines.push(bytes);
        while let Some(frame) = lines.next_line() {
            match frame {
                Frame::Line(line) => self.input(Input::Line(line)),
                Frame::TooLong => self.input(Input::LineTooLong(1000)),
            }
        }
        self.lines = lines;
    }

    fn event(&mut self, id: SearchId, event: SearchEvent) {
        self.input(Input::Search(id, event));
    }

    /// * `wait MS`: time passes; timers fire.
    /// * `search clock|untimed|none`: a search runs on these terms, or none.
    /// * `maximum MS`, `depth N|none`, `lines N`: what the search was asked for.
    /// * `info DEPTH SCORE MOVES…`: the search reports; `MS` in front of `info` is its elapsed time.
    /// * `second DEPTH SCORE MOVES…`: the same for the second line.
    /// * `high` and `low` as `info`, but the score is a bound.
    /// * `progress DEPTH NODES LEFT TOTAL MOVE`
    /// * `done [MOVE [PONDER]] SCORE`: the search ends.
    /// * `stale MOVE`: an old search ends with this move.
    /// * `retimed`: the search was made ours (a ponder hit).
    /// * `eof`, `drain`, `interrupt`
    /// * `fen FEN`: that is on the board. `closed`: the session has ended.
    fn directive(&mut self, text: &str) {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        match word {
            "wait" => self.wait(Duration::from_millis(rest.parse().unwrap())),
            "search" => assert_eq!(self.state(), rest),
            "maximum" => {
                let maximum = self.search.as_ref().and_then(|search| search.2.allotment).unwrap().maximum;
                assert_eq!(maximum.as_millis().to_string(), rest);
            }
            "depth" => {
                let depth = self.search.as_ref().unwrap().1.limits.depth;
                assert_eq!(depth.map_or("none".to_owned(), |depth| depth.to_string()), rest);
            }
            "lines" => assert_eq!(self.search.as_ref().unwrap().1.lines.to_string(), rest),
            "info" => self.info(rest, Bound::Exact, 1),
            "high" => self.info(rest, Bound::Lower, 1),
            "low" => self.info(rest, Bound::Upper, 1),
            "second" => self.info(rest, Bound::Exact, 2),
            "progress" => self.progress(rest),
            "done" => self.done(rest),
            "stale" => {
                let (id, request) = self.old.clone().unwrap();
                let best = request.position.parse_move(rest).ok();
                self.event(
                    id,
                    SearchEvent::Done(Done { best, ponder: None, score: Score(0), depth: 1, nodes: 1 }),
                );
            }
            "retimed" => assert!(std::mem::take(&mut self.retimed)),
            "eof" => self.input(Input::Eof),
            "drain" => self.input(Input::Drain),
            "interrupt" => self.input(Input::Interrupt),
            "fen" => assert_eq!(self.session.game().position().fen(), rest),
            "closed" => assert!(self.closed),
            _ => panic!("no such directive"),
        }
    }

    fn state(&self) -> &'static str {
        match &self.search {
            None => "none",
            Some((_, _, terms)) if terms.class == Class::Clock => "clock",
            Some(_) => "untimed",
        }
    }

    fn wait(&mut self, time: Duration) {
        let end = self.now + time;
        while let Some(at) = self.timer.filter(|&at| at <= end) {
            self.now = self.now.max(at);
            self.timer = None;
            self.input(Input::Timer);
        }
        self.now = end;
    }

    fn info(&mut self, text: &str, bound: Bound, line: u8) {
        let (id, request, terms) = self.search.clone().expect("a search");
        let words: Vec<&str> = text.split_whitespace().collect();
        let info = Info {
            depth: words[0].parse().unwrap(),
            selective_depth: words[0].parse::<u8>().unwrap() + 3,
            score: Score(words[1].parse().unwrap()),
            bound,
            elapsed: self.now - terms.since,
            nodes: 1000,
            line,
            pv: moves(&request, &words[2..]),
        };
        self.event(id, SearchEvent::Report(Report::Info(info)));
    }

    fn progress(&mut self, text: &str) {
        let (id, request, _) = self.search.clone().expect("a search");
        let words: Vec<&str> = text.split_whitespace().collect();
        let progress = Progress {
            depth: words[0].parse().unwrap(),
            nodes: words[1].parse().unwrap(),
            moves_left: words[2].parse().unwrap(),
            moves_total: words[3].parse().unwrap(),
            current: request.position.parse_move(words[4]).ok(),
        };
        self.event(id, SearchEvent::Report(Report::Progress(progress)));
    }

    fn done(&mut self, text: &str) {
        let (id, request, _) = self.search.take().expect("a search");
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let score = Score(words.pop().expect("a score").parse().unwrap());
        let found = moves(&request, &words);
        let (best, ponder) = (found.first().copied(), found.get(1).copied());
        self.event(id, SearchEvent::Done(Done { best, ponder, score, depth: 5, nodes: 5000 }));
    }

    fn expect(&mut self, pattern: &str) {
        let answer = self.answers.pop_front().unwrap_or_else(|| panic!("nothing was answered"));
        assert!(matches(pattern, &answer), "answered: {answer}");
    }
}

fn moves(request: &Request, texts: &[&str]) -> Vec<Move> {
    let mut position = request.position;
    let mut found = Vec::new();
    for text in texts {
        let mv = position.parse_move(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        position.play(mv);
        found.push(mv);
    }
    found
}

/// `%d` is a whole number, `%*` anything, the rest itself.
fn matches(pattern: &str, text: &str) -> bool {
    let Some(at) = pattern.find("%d").into_iter().chain(pattern.find("%*")).min() else {
        return pattern == text;
    };
    let Some(text) = text.strip_prefix(&pattern[..at]) else { return false };
    let rest = &pattern[at + 2..];
    if pattern[at..].starts_with("%d") {
        let digits = text.find(|c: char| !(c.is_ascii_digit() || c == '-')).unwrap_or(text.len());
        digits > 0 && matches(rest, &text[digits..])
    } else {
        (0..=text.len()).any(|end| matches(rest, &text[end..]))
    }
}

fn play(path: &Path, script: &str, bytewise: bool) {
    let mut run = Run::new();
    for (number, line) in script.lines().enumerate() {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            match line.split_at(line.len().min(2)) {
                ("<" | "< ", pattern) => run.expect(pattern),
                (">" | "> ", text) => {
                    assert!(run.answers.is_empty(), "not expected: {:?}", run.answers);
                    let bytes = format!("{text}\n").into_bytes();
                    let size = if bytewise { 1 } else { bytes.len() };
                    bytes.chunks(size).for_each(|chunk| run.bytes(chunk));
                }
                ("@ ", directive) => {
                    assert!(run.answers.is_empty(), "not expected: {:?}", run.answers);
                    run.directive(directive);
                }
                ("" | "#" | "# ", _) => {}
                _ => panic!("not a line of a transcript"),
            }
        }));
        if result.is_err() {
            panic!("{}:{}: {line}", path.display(), number + 1);
        }
    }
    assert!(run.answers.is_empty(), "{}: at the end, not expected: {:?}", path.display(), run.answers);
}

/// Only what is answered counts, not when.
fn play_in_one_piece(path: &Path, script: &str) {
    let mut run = Run::new();
    let sent: String = script
        .lines()
        .filter_map(|line| line.strip_prefix('>'))
        .map(|line| format!("{}\n", line.trim_start()))
        .collect();
    run.bytes(sent.as_bytes());
    for pattern in script.lines().filter_map(|line| line.strip_prefix("<")) {
        let pattern = pattern.strip_prefix(' ').unwrap_or(pattern);
        let answer = run.answers.pop_front();
        assert!(
            answer.as_ref().is_some_and(|answer| matches(pattern, answer)),
            "{}: {pattern} is {answer:?}",
            path.display()
        );
    }
    assert!(run.answers.is_empty());
}

fn transcripts() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .map(|path| (path.clone(), std::fs::read_to_string(path).unwrap()))
        .collect();
    found.sort();
    assert!(!found.is_empty());
    found
}

/// Plays every transcript, also when an earlier one has failed: the failures together say more.
fn play_all(bytewise: bool) {
    let played = transcripts()
        .into_iter()
        .map(|(path, script)| std::panic::catch_unwind(|| play(&path, &script, bytewise)).is_ok());
    assert_eq!(played.filter(|passed| !passed).count(), 0, "transcripts failed");
}

#[test]
fn line_by_line() {
    play_all(false);
}

#[test]
fn byte_by_byte() {
    play_all(true);
}

#[test]
fn in_one_piece() {
    for (path, script) in transcripts().iter().filter(|(_, script)| !script.contains("\n@ ")) {
        play_in_one_piece(path, script);
    }
}

#[test]
fn patterns() {
    assert!(matches("pong %d", "pong -12"));
    assert!(!matches("pong %d", "pong x"));
    assert!(matches("a %* c", "a b b c"));
    assert!(!matches("a", "a b"));
}
