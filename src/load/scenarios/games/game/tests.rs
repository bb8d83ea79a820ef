use super::*;
use crate::chess::{START_FEN, Variant};
use crate::engines::{ChessEngine, EngineProtocol};
use crate::load::phase::tests::PhaseTester;

const WHITE: ClientId = ClientId(1);
const BLACK: ClientId = ClientId(2);

struct Table {
    tester: PhaseTester,
    game: Game,
    stats: GameStats,
    now: Instant,
}

impl Table {
    fn new(fen: &str) -> Table {
        Table::with("usermove=1", fen)
    }

    fn with(features: &str, fen: &str) -> Table {
        let mut engine = ChessEngine::new(EngineProtocol::Xboard);
        engine.receive(&format!("feature {features} done=1"));
        Table::of(engine, fen)
    }

    fn uci(fen: &str) -> Table {
        Table::of(ChessEngine::new(EngineProtocol::Uci), fen)
    }

    fn of(engine: ChessEngine, fen: &str) -> Table {
        let clients = [WHITE, BLACK].map(|id| LoadClient { id, engine: engine.clone() });
        let opening = Record::from_fen(Variant::NORMAL, fen).unwrap();
        let mut tester = PhaseTester::default();
        let now = Instant::now();
        let game = Game::begin(clients, opening, "10+0.1".parse().unwrap(), now, &mut tester.actions);
        Table { tester, game, stats: GameStats::default(), now }
    }

    fn receives(&mut self, id: ClientId, line: &str, after: u64) {
        self.now += Duration::from_millis(after);
        self.game.receive(id, line, self.now, &mut self.stats, &mut self.tester.actions);
    }
}

#[test]
fn moves_go_to_and_fro_with_the_clocks() {
    let mut table = Table::new(START_FEN);
    let said = table.tester.sent(WHITE);
    assert_eq!(said, "new\nlevel 0 0:10 0.1\neasy\npost\nforce\ntime 1000\notim 1000\ngo\n");
    table.receives(WHITE, "9 20 100 5000 e4", 500);
    table.receives(WHITE, "move e2e4", 500);
    assert_eq!(table.tester.sent(BLACK), "usermove e2e4\ntime 1000\notim 910\ngo\n");
    table.receives(BLACK, "# depth 9, score -0.20, 7000 nodes; 1990 ms used of 800 to 1980 ms; lag", 2000);
    table.receives(BLACK, "move e7e5", 0);
    assert_eq!(table.tester.sent(WHITE), "time 910\notim 810\nusermove e7e5\n", "the engine plays already");
    let stats = &mut table.stats;
    assert_eq!((stats.moves, stats.nodes, stats.overrun_of_clock), (2, 12000, 0.0));
    assert_eq!((stats.overrun_of_maximum, stats.overhead.worst().map(f64::round)), (Some(10.0), Some(10.0)));
    assert!((stats.largest_part - 0.2).abs() < 1e-9 && stats.unused.is_empty());
    assert!(!table.game.is_over() && stats.descriptions.is_empty());
}

#[test]
fn a_fallen_flag_is_seen_when_the_move_comes_or_does_not() {
    let mut table = Table::new(START_FEN);
    table.receives(WHITE, "move e2e4", 10_250);
    assert!(table.game.is_over());
    assert_eq!((table.stats.lost_on_time, table.stats.overrun_of_clock, table.stats.games), (1, 250.0, 1));
    let mut table = Table::new(START_FEN);
    assert_eq!(table.game.forfeit_at(), table.now + Duration::from_secs(10) + GRACE);
    table.game.forfeit(&mut table.stats, &mut table.tester.actions);
    assert!(table.game.is_over());
    assert_eq!(table.stats.lost_on_time, 1);
}

#[test]
fn moves_are_judged() {
    for (speaker, line) in [(WHITE, "move e2e5"), (BLACK, "move e7e5"), (WHITE, "move")] {
        let mut table = Table::new(START_FEN);
        table.receives(speaker, line, 5);
        assert!(table.game.is_over());
        assert_eq!((table.stats.illegal, table.stats.moves), (1, 0), "{line}");
    }
}

#[test]
fn the_rules_end_a_game_and_claims_are_judged() {
    let mut table = Table::new("6k1/8/6K1/8/8/8/8/R7 w - - 0 1");
    table.tester.all();
    table.receives(WHITE, "move a1a8", 5);
    assert!(table.game.is_over());
    assert_eq!(table.tester.sent(BLACK), "result 1-0 {the rules}\nforce\n");
    table.receives(WHITE, "1-0 {White mates}", 5);
    assert_eq!((table.stats.games, table.stats.false_claims), (1, 0));
    let mut table = Table::new(START_FEN);
    table.receives(BLACK, "0-1 {Black mates}", 5);
    assert_eq!((table.stats.games, table.stats.false_claims), (1, 1));
    let mut table = Table::new(START_FEN);
    table.receives(WHITE, "resign", 5);
    assert!(table.game.is_over() && table.stats.descriptions.is_empty());
}

#[test]
fn what_is_said_of_the_game_before_does_not_count() {
    let mut table = Table::with("ping=1", START_FEN);
    let said = table.tester.sent(WHITE);
    assert!(said.contains("\nping 1\ntime "), "before it is asked for a move: {said}");
    for id in [WHITE, BLACK] {
        table.receives(id, "1-0 {White mates}", 5);
        table.receives(id, "move e2e4", 5);
        table.receives(id, "pong 1", 5);
    }
    assert!(!table.game.is_over() && table.stats.descriptions.is_empty());
    table.receives(WHITE, "1-0 {White mates}", 5);
    assert_eq!((table.stats.games, table.stats.false_claims), (1, 1));
}

#[test]
fn a_game_of_uci_is_told_whole_before_each_move() {
    let mut table = Table::uci(START_FEN);
    let said = table.tester.sent(WHITE);
    let go = "go wtime 10000 btime 10000 winc 100 binc 100\n";
    assert_eq!(said, format!("ucinewgame\nisready\nposition fen {START_FEN}\n{go}"));
    for (id, line) in [(WHITE, "bestmove d2d4"), (WHITE, "readyok"), (BLACK, "readyok")] {
        table.receives(id, line, 0);
    }
    table.receives(WHITE, "info depth 9 score cp 20 nodes 5000 time 100 pv e2e4", 500);
    table.receives(WHITE, "bestmove e2e4 ponder e7e5", 500);
    let said = table.tester.sent(BLACK);
    assert_eq!(
        said,
        format!("position fen {START_FEN} moves e2e4\ngo wtime 9100 btime 10000 winc 100 binc 100\n"),
        "the move before the answer was of another game"
    );
    let account = "info string depth 9, score -0.20, 7000 nodes; 1990 ms used of 800 to 1980 ms; lag";
    table.receives(BLACK, account, 2000);
    table.receives(BLACK, "bestmove e7e5", 0);
    let said = table.tester.sent(WHITE);
    assert!(said.contains(" moves e2e4 e7e5\ngo wtime 9100 btime 8100 "), "{said}");
    let stats = &mut table.stats;
    assert_eq!((stats.moves, stats.nodes, stats.without_search), (2, 12000, 0));
    assert_eq!((stats.overrun_of_maximum, stats.overhead.worst().map(f64::round)), (Some(10.0), Some(10.0)));
    let account = "info string nothing found yet; 7 ms used of 800 to 1980 ms; lag";
    table.receives(WHITE, account, 7);
    table.receives(WHITE, "bestmove e1e3", 0);
    let stats = &table.stats;
    assert_eq!((stats.without_search, stats.illegal, stats.games), (0, 1, 1), "{:?}", stats.descriptions);
    assert_eq!(table.tester.sent(BLACK), "stop\n");
}

#[test]
fn what_uci_refuses_is_no_move() {
    let mut table = Table::uci(START_FEN);
    table.receives(WHITE, "readyok", 0);
    table.receives(WHITE, "info string nothing is searched: 1. e2e5 is not legal", 1);
    table.receives(WHITE, "bestmove (none)", 1);
    assert!(table.game.is_over());
    assert_eq!((table.stats.errors, table.stats.false_claims), (1, 1));
    let mut table = Table::uci(START_FEN);
    table.receives(WHITE, "readyok", 0);
    table.receives(WHITE, "info string nothing found yet; 7 ms used of 1 to 2 ms; lag", 7);
    table.receives(WHITE, "bestmove e2e4", 0);
    assert_eq!((table.stats.without_search, table.stats.moves), (1, 1));
}
