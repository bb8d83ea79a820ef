//! Directives of transcripts of xboard's protocol.

use super::run::Run;
use farboard::book::Book;
use farboard::chess::kriegspiel::Attempt;
use farboard::chess::{AnyPosition, Move, Outcome, Role, Roles, Square};
use farboard::kriegspiel::Proposal;
use farboard::pool::{SearchBudget, SearchEvent, Shortage, Timebase};
use farboard::protocol::DrainCause;
use farboard::protocol::xboard::{Holding, move_text};
use farboard::search::{Bound, Done, Info, Progress, Report, Request, Score};
use farboard::session::xboard::Partner;
use farboard::session::{FileRequest, Input};
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

impl Run {
    /// Executes a directive. Events:
    ///
    /// * `wait MS`: time passes; timers fire.
    /// * `info DEPTH SCORE MOVES…`: the search reports. `high` and `low`: the same, with a bound as
    ///   the score.
    /// * `second DEPTH SCORE MOVES…`: the same for the second line. `again`: the same for a line
    ///   reported before that is now the first.
    /// * `progress DEPTH NODES LEFT TOTAL MOVE`
    /// * `knows MOVE`: the search reports earlier knowledge.
    /// * `saving LETTERS`: the search reports that one of these pieces would save the game.
    /// * `tries SCORE MOVES…`: the search reports the order of attempts in kriegspiel.
    /// * `done [MOVE [PONDER]] SCORE`: the search ends.
    /// * `refused N`: the search does not begin, since N searches are the limit. `refused threads`:
    ///   there is no thread for it.
    /// * `fails`: a defect ends the search.
    /// * `stale MOVE`: an old search ends with this move.
    /// * `eof`, `undrain`, `interrupt`; `drain`, `drain by-command`: the server shuts down, or an
    ///   administrator ends the sessions.
    /// * `resumed SECONDS`: the server is lost, and another one resumes the session after this
    ///   time.
    /// * `book WEIGHT MOVES…`: a line of the session's book; at the beginning.
    /// * `move-time SECONDS`: the program was started with this argument; at the beginning.
    /// * `home`: the session runs on the user's machine; at the beginning.
    /// * `stop-pondering`: signals stop pondering; at the beginning.
    /// * `opened WEIGHT MOVES…`: the requested book contains this line. `missing TEXT`: the book
    ///   does not exist.
    ///
    /// Conditions of the session:
    ///
    /// * `opens PATH`: the session opens this book. `saves PATH`: it writes a game to this file.
    /// * `fen FEN`: the position on the board. `closed`: the session has ended.
    /// * `result RESULT COMMENT`, `result none`: the known result of the last game.
    /// * `partner NAME, messages N, …`: the partner, the number of its messages, and its requests.
    ///   `holding [WHITE] [BLACK]`.
    /// * `interrupts N`: number of signals.
    ///
    /// For conditions of the search see [`Run::search_is`].
    pub fn directive(&mut self, text: &str) {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        if word != "wait" && text != "search passing" {
            self.rest();
        }
        match word {
            "wait" => self.wait(Duration::from_millis(rest.parse().unwrap())),
            "info" => self.info(rest, Bound::Exact, 1, false),
            "high" => self.info(rest, Bound::Lower, 1, false),
            "low" => self.info(rest, Bound::Upper, 1, false),
            "second" => self.info(rest, Bound::Exact, 2, false),
            "again" => self.info(rest, Bound::Exact, 1, true),
            "progress" => self.progress(rest),
            "knows" => {
                let (id, request, _) = self.search.clone().expect("a search");
                let known = chess_root(&request).parse_move(rest).expect("a move");
                self.event(id, SearchEvent::Report(Report::Known(known)));
            }
            "saving" => {
                let (id, _, _) = self.search.clone().expect("a search");
                let roles: Roles = rest.chars().filter_map(Role::from_letter).collect();
                self.event(id, SearchEvent::Report(Report::SavingDrops(roles)));
            }
            "tries" => self.tries(rest),
            "done" => self.done(rest),
            "refused" => self.ends_without_result(SearchEvent::Refused(match rest {
                "threads" => Shortage::Threads,
                count => Shortage::Searches(count.parse().expect("a count")),
            })),
            "fails" => self.ends_without_result(SearchEvent::Failed),
            "stale" => self.stale(rest),
            "eof" => self.input(Input::Eof),
            "drain" if rest == "by-command" => self.input(Input::Drain(DrainCause::Command)),
            "drain" => self.input(Input::Drain(DrainCause::Shutdown)),
            "undrain" => self.input(Input::Undrain),
            "interrupt" => self.input(Input::Interrupt),
            "resumed" => self.go_on_elsewhere(Duration::from_secs(rest.parse().expect("seconds"))),
            "book" => self.add_to_book(rest),
            "move-time" => self.give_time_for_moves(Duration::from_secs(rest.parse().expect("seconds"))),
            "home" => self.be_at_home(),
            "stop-pondering" => self.let_interrupts_stop_pondering(),
            "opened" => {
                let book = Book::parse_lines(rest).expect("a line of play");
                self.input(Input::Book(Ok(Arc::new(book))));
            }
            "missing" => self.input(Input::Book(Err(rest.to_owned()))),
            "opens" => match self.file_requests.pop_front() {
                Some(FileRequest::OpenBook(path)) => assert_eq!(path, Path::new(rest)),
                other => panic!("{other:?}"),
            },
            "saves" => match self.file_requests.pop_front() {
                Some(FileRequest::SaveGame { folder, .. }) => assert_eq!(folder, Path::new(rest)),
                other => panic!("{other:?}"),
            },
            "fen" => assert_eq!(self.session.game().position().fen(), rest),
            "closed" => assert!(self.closed),
            "interrupts" => assert_eq!(self.session.gui().interrupts.to_string(), rest),
            "partner" => assert_eq!(partner(self.session.context().partner.as_deref()), rest),
            "holding" => {
                let partner = self.session.context().partner.as_deref();
                assert_eq!(partner.map_or(Holding::default(), |partner| partner.holding).to_string(), rest);
            }
            "result" => {
                let result = self.session.context().result.as_ref();
                assert_eq!(
                    shown(result.map(|(result, comment)| format!("{} {comment}", Outcome::code(*result)))),
                    rest
                );
            }
            _ => self.search_is(word, rest),
        }
    }

    /// Checks conditions of the search:
    ///
    /// * `search clock|untimed|held|passing|none`: its terms; `held`: it is suspended; `passing`:
    ///   it begins if the position stays.
    /// * `retimed`: its terms or limits have changed (a ponder hit, `time`, `st`, `sd`).
    /// * `table same|other`: whether it uses table entries of the search before.
    /// * and parameters of its request, see [`asked_for`].
    fn search_is(&mut self, word: &str, rest: &str) {
        match word {
            "search" => assert_eq!(self.state(), rest),
            "retimed" => assert!(std::mem::take(&mut self.retimed)),
            "table" => {
                let [.., before, now] = self.salts[..] else { panic!("less than two searches") };
                assert_eq!(if before == now { "same" } else { "other" }, rest);
            }
            _ => {
                let (_, request, terms) = self.search.as_ref().expect("a search");
                let asked = asked_for(word, request, terms);
                assert!(asked == rest || is_within(&asked, rest), "{asked}");
            }
        }
    }

    fn info(&mut self, text: &str, bound: Bound, line: u8, again: bool) {
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
            again,
            table_usage: None,
        };
        self.event(id, SearchEvent::Report(Report::Info(info)));
    }

    fn progress(&mut self, text: &str) {
        let (id, request, _) = self.search.clone().expect("a search");
        let words: Vec<&str> = text.split_whitespace().collect();
        let progress = Progress {
            depth: words[0].parse().unwrap(),
            nodes: words[1].parse().unwrap(),
            elapsed: Duration::ZERO,
            moves_left: words[2].parse().unwrap(),
            moves_total: words[3].parse().unwrap(),
            current: chess_root(&request).parse_move(words[4]).ok(),
        };
        self.event(id, SearchEvent::Report(Report::Progress(progress)));
    }

    fn tries(&mut self, text: &str) {
        let (id, _, _) = self.search.clone().expect("a search");
        let mut words = text.split_whitespace();
        let score = Score(words.next().expect("a score").parse().unwrap());
        let square = |text: &str| Square::parse(text).expect("a square");
        let attempt = |word: &str| Attempt {
            from: square(&word[..2]),
            to: square(&word[2..4]),
            promotion: word.chars().nth(4).and_then(Role::from_letter),
        };
        let proposal = Proposal { attempts: words.map(attempt).collect(), score, boards: 1, belief: None };
        self.event(id, SearchEvent::Attempts(Box::new(proposal)));
    }

    fn done(&mut self, text: &str) {
        let (id, request, terms) = self.search.take().expect("a search");
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let score = Score(words.pop().expect("a score").parse().unwrap());
        let found = moves(&request, &words);
        let (best, ponder) = (found.first().copied(), found.get(1).copied());
        let elapsed = self.now - terms.since;
        self.event(id, SearchEvent::Done(Done { best, ponder, score, depth: 5, nodes: 5000, elapsed }));
    }

    fn ends_without_result(&mut self, event: SearchEvent) {
        let (id, _, _) = self.search.take().expect("a search");
        self.held = false;
        self.event(id, event);
    }

    fn stale(&mut self, text: &str) {
        let (id, request) = self.old.clone().unwrap();
        let best = chess_root(&request).parse_move(text).ok();
        let done = Done { best, ponder: None, score: Score(0), depth: 1, nodes: 1, elapsed: Duration::ZERO };
        self.event(id, SearchEvent::Done(done));
    }
}

/// A parameter of the request; a number may also be given as a range `FROM..TO`:
///
/// * `maximum MS|none`: its maximum time. `by wall|processor`: the clock for it.
/// * `depth N|none`, `nodes N|none`: its limits. `aim N|none`: nodes to aim for.
/// * `class WORD`: its priority class. `helpers N`: maximum number of additional threads.
/// * `lines N`: number of lines to report. `excluded MOVES…|none`: excluded first moves.
/// * `memory MIB|none`: its limit of table memory.
/// * `resume true|false`: whether it continues an earlier search.
/// * `strength ELO|none`, `contempt N`, `noise N`: playing style.
/// * `sought LETTERS|none`, `spared LETTERS|none`: pieces that the partner wants captured, and
///   pieces that it does not want lost.
/// * `known SCORE DEPTH|none`: the score supplied by `setscore`.
/// * `root FEN`: the position searched.
fn asked_for(what: &str, request: &Request, terms: &SearchBudget) -> String {
    let limits = terms.limits.unwrap_or(request.limits);
    match what {
        "maximum" => shown(terms.allotment.map(|allotment| allotment.maximum.as_millis())),
        "by" => if terms.timebase == Timebase::Wall { "wall" } else { "processor" }.to_owned(),
        "depth" => shown(limits.depth),
        "nodes" => shown(limits.nodes),
        "aim" => shown(limits.optimum_nodes),
        "class" => terms.class.word().to_owned(),
        "helpers" => request.thread.helpers().to_string(),
        "lines" => request.first_moves.lines.to_string(),
        "excluded" => {
            let mut moves: Vec<String> =
                request.first_moves.excluded.iter().map(|&mv| move_text(&chess_root(request), mv)).collect();
            moves.sort();
            shown((!moves.is_empty()).then(|| moves.join(" ")))
        }
        "memory" => shown(request.table.memory),
        "resume" => request.resumption.from_table.to_string(),
        "strength" => shown(request.style.strength.map(|strength| strength.elo())),
        "contempt" => request.style.contempt.to_string(),
        "sought" => letters(request.style.partner.unwrap_or_default().sought),
        "spared" => letters(request.style.partner.unwrap_or_default().spared),
        "noise" => request.style.noise.to_string(),
        "known" => {
            let known = request.knowledge.scores.iter().find(|known| known.key == request.position.key());
            shown(known.map(|known| format!("{} {}", known.score.0, known.depth)))
        }
        "root" => chess_root(request).fen(),
        _ => panic!("no such directive"),
    }
}

/// A partner and its requests.
fn partner(partner: Option<&Partner>) -> String {
    let Some(partner) = partner else { return "none, messages 0".to_owned() };
    let mut parts = vec![
        partner.name.clone().unwrap_or("none".to_owned()),
        format!("messages {}", partner.messages.len()),
    ];
    let mut add = |text: &str, so: bool| parts.extend(so.then(|| text.to_owned()));
    let requests = partner.requests;
    add("sit", requests.sit);
    add("hurry", requests.hurry);
    add("dead", requests.dead);
    let letters = |roles: Roles| roles.to_string().to_uppercase();
    add(&format!("needs {}", letters(requests.needs)), !requests.needs.is_empty());
    add(&format!("refuses {}", letters(requests.refuses)), !requests.refuses.is_empty());
    add("trades", requests.trades == Some(true));
    add("no trades", requests.trades == Some(false));
    parts.join(", ")
}

/// Returns true if the number is within the range.
fn is_within(number: &str, range: &str) -> bool {
    let Some((from, to)) = range.split_once("..") else { return false };
    let Ok(number) = number.parse::<i64>() else { return false };
    (from.parse().unwrap()..=to.parse().unwrap()).contains(&number)
}

fn letters(roles: Roles) -> String {
    shown((!roles.is_empty()).then_some(roles))
}

fn shown(value: Option<impl Display>) -> String {
    value.map_or("none".to_owned(), |value| value.to_string())
}

fn moves(request: &Request, texts: &[&str]) -> Vec<Move> {
    let mut position = chess_root(request);
    let mut found = Vec::new();
    for text in texts {
        let mv = position.parse_move(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        position.play(mv);
        found.push(mv);
    }
    found
}

/// The position searched: transcripts are games of chess.
fn chess_root(request: &Request) -> AnyPosition {
    request.position.chess().expect("the game is chess")
}
