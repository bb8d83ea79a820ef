//! Resuming a session on another server: the search, the user's view, and lines that crash servers.

use crate::patience::Patience;
use farboard::book::Books;
use farboard::chess::{AnyPosition, Variant};
use farboard::pool::{SearchBudget, SearchEvent, SearchId, SearchOrder, Task};
use farboard::search::{self, Bound, Done, Info, Report, Score, Table};
use farboard::session::{Conversation, Effect, Input, Profile, Protocol, Setup, Takeover};
use std::sync::Arc;
use std::time::{Duration, Instant};

const SECOND: Duration = Duration::from_secs(1);

fn setup() -> Setup {
    Setup { seed: 1, identity: 7, profile: Arc::new(Profile::new("Farboard", Books::default())) }
}

/// A session, its running search, and its output.
struct Client {
    session: Conversation,
    now: Instant,
    timer: Option<Instant>,
    search: Option<(SearchId, Task, SearchBudget)>,
    is_held: bool,
    sent: Vec<String>,
}

impl Client {
    fn after(lines: &str) -> Client {
        let session = Conversation::new(Protocol::Auto, setup(), Arc::default());
        let now = Instant::now() + 1000 * SECOND;
        let mut client = Client { session, now, timer: None, search: None, is_held: false, sent: Vec::new() };
        client.ask(lines);
        client
    }

    /// Sends lines and returns the immediate reply.
    fn ask(&mut self, lines: &str) -> String {
        lines.lines().for_each(|line| self.input(Input::Line(line.as_bytes())));
        self.take()
    }

    fn refused(&mut self, line: &str) -> String {
        self.input(Input::Refused(line.as_bytes()));
        self.take()
    }

    fn take(&mut self) -> String {
        std::mem::take(&mut self.sent).concat()
    }

    fn input(&mut self, input: Input<'_>) {
        let mut effects = Vec::new();
        self.session.handle(input, self.now, &mut effects);
        for effect in effects {
            match effect {
                Effect::Send(line) => self.sent.push(line.text),
                Effect::Timer(at) => self.timer = at,
                Effect::Search(id, SearchOrder::Start(task, budget)) => {
                    (self.search, self.is_held) = (Some((id, *task, budget)), false);
                }
                Effect::Search(_, SearchOrder::Hold) => self.is_held = true,
                Effect::Search(_, SearchOrder::Resume(budget)) => {
                    self.is_held = false;
                    self.search.as_mut().expect("a search").2 = budget;
                }
                Effect::Search(_, SearchOrder::Stop) => self.search = None,
                Effect::Search(_, SearchOrder::Retime(_)) => {}
                Effect::FileRequest(_) | Effect::SolveEndgames(_) | Effect::Close => {}
            }
        }
    }

    /// Resumes on another server after this time.
    fn lose(&mut self, away: Duration, calm: bool) -> String {
        let state = self.session.state(self.now);
        self.now += away;
        (self.search, self.timer, self.is_held) = (None, None, false);
        self.session =
            Conversation::restore(&state, setup(), Arc::default(), away, self.now).expect("a state");
        self.input(Input::Resumed(Takeover { away, calm, warm: Some(Arc::from(*b"warm")) }));
        self.take()
    }

    fn event(&mut self, event: SearchEvent) -> String {
        let id = self.search.as_ref().expect("a search").0;
        if !matches!(event, SearchEvent::Report(_) | SearchEvent::Leaves(..)) {
            self.search = None;
        }
        self.input(Input::Search(id, event));
        self.take()
    }

    fn report(&mut self, depth: u8, mv: &str) -> String {
        let root =
            self.search.as_ref().and_then(|search| search.1.search()?.position.chess()).expect("chess");
        let info = Info {
            depth,
            selective_depth: depth,
            score: Score(depth.into()),
            bound: Bound::Exact,
            elapsed: SECOND,
            nodes: 1000,
            line: 1,
            pv: vec![root.parse_move(mv).expect("a move")],
            again: false,
            table_usage: None,
        };
        self.event(SearchEvent::Report(Report::Info(info)))
    }

    fn done(&mut self, depth: u8, mv: &str) -> String {
        let root =
            self.search.as_ref().and_then(|search| search.1.search()?.position.chess()).expect("chess");
        let best = root.parse_move(mv).ok();
        self.event(SearchEvent::Done(Done {
            best,
            ponder: None,
            score: Score(0),
            depth,
            nodes: 9,
            elapsed: SECOND,
        }))
    }
}

#[test]
fn an_analysis_resumes_at_its_depth() {
    let mut xboard = Client::after("xboard\nprotover 2\nnew\npost\nanalyze");
    xboard.report(20, "e2e4");
    let reply = xboard.lose(3 * SECOND, false);
    assert!(reply.starts_with("0 0 0 0 (The session goes on after 3.0 seconds)\n20 20 100 1000"), "{reply}");
    let (_, task, _) = xboard.search.clone().expect("a search");
    let request = task.search().expect("a search of a position");
    assert!(request.resumption.from_table && request.resumption.warm.as_deref() == Some(b"warm"));
    assert_eq!(xboard.report(3, "d2d4"), "", "it is behind");
    assert!(xboard.report(20, "d2d4").contains("d4"));
    assert!(xboard.report(3, "e2e4").contains("e4"), "the search has caught up");

    let mut uci = Client::after("uci\nposition startpos\ngo infinite");
    uci.report(20, "e2e4");
    let reply = uci.lose(3 * SECOND, false);
    assert!(
        reply.starts_with("info string the session goes on here, 3.0 seconds later\ninfo depth 20 "),
        "{reply}"
    );
    assert_eq!(uci.report(3, "d2d4"), "");
    assert!(uci.ask("stop").contains("bestmove e2e4"));
    // A planned move, or a client that does not show thinking.
    assert_eq!(Client::after("uci").lose(SECOND / 10, false), "");
    assert_eq!(Client::after("xboard\nprotover 2\nnew").lose(3 * SECOND, false), "");
}

#[test]
fn a_search_without_time_left_ends_with_its_earlier_result() {
    let mut client = Client::after("xboard\nprotover 2\nnew\nst 10\ngo");
    client.report(15, "d2d4");
    let (id, _, budget) = client.search.clone().expect("a search");
    let timer = client.timer;
    assert_eq!(client.lose(5 * SECOND, false), "");
    let (again, task, same) = client.search.clone().expect("a search");
    assert_eq!((again, same, client.timer), (id, budget, timer));
    assert!(
        task.search().expect("a search of a position").resumption.from_table
            && client.session.is_due()
            && !client.session.may_move(client.now)
    );
    client.report(3, "a2a3");
    assert_eq!(client.done(4, "a2a3"), "move d2d4\n");
    assert!(client.session.may_move(client.now));
}

#[test]
fn a_deadline_that_has_passed_fires_at_once() {
    let mut client = Client::after("uci\nposition startpos\ngo movetime 1000");
    client.report(9, "g1f3");
    client.lose(20 * SECOND, false);
    assert!(client.timer.is_some_and(|at| at <= client.now));
    client.input(Input::Timer);
    assert!(client.take().ends_with("bestmove g1f3\n"));
}

#[test]
fn a_pause_continues() {
    let mut client = Client::after("xboard\nprotover 2\nnew\nst 10\ngo");
    client.now += 2 * SECOND;
    client.ask("pause");
    assert_eq!(client.lose(30 * SECOND, false), "");
    let (_, _, budget) = client.search.clone().expect("a search");
    assert!(client.is_held && client.session.may_move(client.now));
    assert_eq!(budget.since, client.now - 2 * SECOND, "the clock stands");
    client.ask("resume");
    assert!(!client.is_held);
    assert_eq!(client.done(4, "e2e4"), "move e2e4\n");
}

#[test]
fn perft_is_repeated_and_shown_once() {
    let mut client = Client::after("uci\nposition startpos\ngo perft 3");
    let mv = AnyPosition::start(Variant::NORMAL).parse_move("e2e4").expect("a move");
    let leaves = || SearchEvent::Leaves(mv, 600);
    assert_eq!(client.event(leaves()), "e2e4: 600\n");
    client.lose(Duration::ZERO, false);
    assert!(matches!(client.search, Some((_, Task::Perft { depth: 3, .. }, _))));
    assert_eq!(client.event(leaves()), "");
    assert!(client.session.is_due());
    let root = |client: &Client| client.search.is_some();
    assert!(root(&client) && client.lose(Duration::ZERO, true).contains("ERROR"), "it kills servers");
    assert!(!root(&client) && !client.session.is_due());
}

#[test]
fn kriegspiel_asks_again() {
    let mut client = Client::after("xboard\nprotover 2\nnew\nvariant kriegspiel\nst 10\ne2e4");
    let before = client.search.clone().expect("a search").1;
    client.lose(SECOND, false);
    let again = client.search.clone().expect("a search").1;
    let view = |task: Task| match task {
        Task::Kriegspiel { question, .. } => format!("{:?}", question.view),
        other => panic!("{other:?}"),
    };
    assert_eq!(view(before), view(again));
}

#[test]
fn sitting_continues_without_a_search() {
    let mated = "setboard 6rk/5Npp/8/8/8/8/8/K7[] b - - 0 1";
    let mut client =
        Client::after(&format!("xboard\nprotover 2\nnew\nvariant bughouse\npartner Bob\nforce\n{mated}"));
    client.ask("setboard R5k1/5ppp/8/8/8/8/8/4K3[] b - - 0 1\ngo");
    assert!(client.search.is_none() && client.session.is_due(), "no move until a piece comes");
    client.lose(SECOND, false);
    assert!(client.search.is_none());
    client.ask("holding [] [R]");
    assert!(client.search.is_some());
}

#[test]
fn a_search_that_crashes_servers_is_not_repeated() {
    let mut xboard = Client::after("xboard\nprotover 2\nnew\nst 10\ngo\nping 3");
    assert!(xboard.session.is_due());
    xboard.report(5, "c2c4");
    let reply = xboard.lose(SECOND, true);
    let is_told = reply.starts_with("tellusererror the server was lost again and again");
    assert!(is_told && reply.contains("\nmove c2c4\n") && reply.ends_with("pong 3\n"), "{reply}");
    assert!(xboard.search.is_none() && !xboard.session.is_due());

    let mut analysis = Client::after("xboard\nprotover 2\nnew\npost\nanalyze");
    assert!(analysis.lose(SECOND, true).contains("not analysed further"));
    assert!(analysis.search.is_none());
    analysis.ask("e2e4");
    assert!(analysis.search.is_some(), "the next position is another one");

    let mut uci = Client::after("uci\nposition startpos\ngo wtime 9000 btime 9000");
    assert!(uci.lose(SECOND, true).ends_with("bestmove (none)\n"));
    uci.ask("go wtime 9000 btime 9000");
    uci.report(5, "c2c4");
    assert!(uci.lose(SECOND, true).ends_with("bestmove c2c4\n"));
    uci.ask("go infinite");
    assert!(!uci.lose(SECOND, true).contains("bestmove"));
    assert!(uci.ask("stop").contains("bestmove"));

    let mut checkers = Client::after("INIT\nGO");
    let reply = checkers.lose(SECOND, true);
    assert!(reply.starts_with("ALERT the server was lost") && reply.contains("\nBESTMOVE "), "{reply}");
    assert!(!checkers.session.is_due());
}

#[test]
fn a_line_that_crashes_servers_is_refused_in_the_form_of_its_protocol() {
    const GAME: &str = "xboard\nprotover 2\nnew\nforce";
    for (line, answer) in [
        ("usermove e2e4", "\nIllegal move: e2e4\n"),
        ("setboard 8/8/8/8/8/8/8/8 w", "tellusererror Illegal position: "),
        ("go", "resign\ntellusererror "),
        ("ping 5", "\npong 5\n"),
        ("protover 2", "\nfeature done=1\n"),
        ("option X=1", "tellusererror two servers were lost"),
        ("bk", "\n\n"),
    ] {
        let mut client = Client::after(GAME);
        let reply = client.refused(line);
        assert!(
            reply.contains(answer) && reply.contains("two servers were lost right after this line"),
            "{reply}"
        );
        assert!(!client.session.is_due());
    }
    for (line, answer) in [
        ("go depth 3", "bestmove (none)\n"),
        ("go wtime x", "bestmove (none)\n"),
        ("isready", "\nreadyok\n"),
        ("uci", "\nuciok\n"),
        ("go perft 2", "info string ERROR"),
        ("setoption name X", "info string ERROR"),
    ] {
        let mut client = Client::after("uci\nposition startpos");
        let reply = client.refused(line);
        assert!(reply.contains(answer), "{line}: {reply}");
        assert_eq!(reply.contains("bestmove"), answer.contains("bestmove"), "{line}");
    }
    let mut client = Client::after("uci\nposition startpos");
    client.refused("position startpos moves e2e4");
    assert!(client.ask("go depth 3").ends_with("bestmove (none)\n"), "of another position");
    assert!(!client.refused("go infinite").contains("bestmove"));
    assert_eq!(client.ask("stop"), "bestmove (none)\n");
    for line in ["GO", "MOVE 11x15", "NEWGAME", "GETNAME"] {
        assert!(Client::after("INIT").refused(line).starts_with("ALERT two servers were lost"), "{line}");
    }
    // The first line selects the protocol.
    assert!(Client::after("").refused("isready").ends_with("readyok\n"));
    assert!(Client::after("").refused("new").starts_with("tellusererror "));
}

#[test]
fn a_board_under_edit_is_lost_with_any_of_its_lines() {
    for (before, fatal, after) in [
        ("", "edit", "#\nKa1\nc\nKa8\n."),
        ("edit", "#", "Ka1\nc\nKa8\n."),
        ("edit\n#\nKa1\nc\nKa8", ".", ""),
    ] {
        let mut client = Client::after(&format!("xboard\nprotover 2\nnew\nforce\n{before}"));
        assert!(client.refused(fatal).starts_with("tellusererror Illegal position: "));
        client.lose(Duration::ZERO, false);
        assert_eq!(client.ask(after), "", "the rest is not a command");
        assert_eq!(client.ask("e2e4\nping 1"), "pong 1\n");
    }
}

#[test]
fn a_silent_client_is_not_disturbed() {
    let mut client = Client::after("");
    assert_eq!(client.lose(SECOND, false), "");
    assert!(client.session.may_move(client.now) && !client.session.is_due());
    assert_eq!(client.ask("INIT"), "READY\n");
}

/// Runs the pending search on a server with an empty table. With `dies`, that server is lost after
/// this many reports.
fn run(client: &mut Client, dies: Option<usize>) -> String {
    let (_, task, _) = client.search.clone().expect("a search");
    let request = task.search().expect("a search of a position");
    let mut reports = Vec::new();
    let table = Table::private(4).expect("a table");
    let done = search::search(request, &table, &mut Patience, &mut |report| reports.push(report));
    if let Some(dies) = dies {
        let seen = dies % (reports.len() + 1);
        reports.into_iter().take(seen).for_each(|report| drop(client.event(SearchEvent::Report(report))));
        client.lose(Duration::from_millis(10), false);
        return run(client, None);
    }
    reports.into_iter().for_each(|report| drop(client.event(SearchEvent::Report(report))));
    client.event(SearchEvent::Done(done))
}

#[test]
fn the_same_nodes_find_the_same_moves_wherever_servers_are_lost() {
    for (begin, word) in
        [("uci", "bestmove "), ("xboard\nprotover 2\nnew\neasy\nnps 2000\nst 1\nforce", "move ")]
    {
        let games = [None, Some(7), Some(3)].map(|dies| {
            let mut client = Client::after(begin);
            let mut moves = String::new();
            for ply in 0..12 {
                let go = if word == "move " {
                    "force\ngo".to_owned()
                } else {
                    format!("position startpos moves{moves}\ngo nodes 2000")
                };
                client.ask(&go);
                let reply = run(&mut client, dies.map(|dies| dies * ply));
                let answer = reply.lines().find_map(|line| line.strip_prefix(word)).expect("a move");
                moves += &format!(" {}", answer.split(' ').next().expect("a move"));
            }
            moves
        });
        assert!(games.iter().all(|game| *game == games[0]), "{games:?}");
    }
}
