use super::*;
use crate::chess::Variant;
use crate::load::features::Features;
use crate::load::phase::tests::Stage;

const WHITE: Id = Id(1);
const BLACK: Id = Id(2);

struct Table {
    stage: Stage,
    game: Game,
    faults: Faults,
    now: Instant,
}

impl Table {
    fn new(fen: &str) -> Table {
        Table::with(Features { usermove: true, ..Features::unknown() }, fen)
    }

    fn with(features: Features, fen: &str) -> Table {
        let guests = [WHITE, BLACK].map(|id| Guest { id, features });
        let opening = Record::from_fen(Variant::Normal, fen).unwrap();
        let mut stage = Stage::default();
        let now = Instant::now();
        let game = Game::begin(guests, opening, "10+0.1".parse().unwrap(), now, &mut stage.orders);
        Table { stage, game, faults: Faults::default(), now }
    }

    fn says(&mut self, id: Id, line: &str, after: u64) {
        self.now += Duration::from_millis(after);
        self.game.hear(id, line, self.now, &mut self.faults, &mut self.stage.orders);
    }
}

#[test]
fn moves_go_to_and_fro_with_the_clocks() {
    let mut table = Table::new(crate::chess::START_FEN);
    let said = table.stage.said(WHITE);
    assert_eq!(said, "new\nforce\npost\neasy\nlevel 0 0:10 0.1\ntime 1000\notim 1000\ngo\n");
    table.says(WHITE, "9 20 100 5000 e4", 500);
    table.says(WHITE, "move e2e4", 500);
    assert_eq!(table.stage.said(BLACK), "time 1000\notim 910\nusermove e2e4\ngo\n");
    table.says(BLACK, "# depth 9, score -0.20, 7000 nodes; 1990 ms used of 800 to 1980 ms; lag", 2000);
    table.says(BLACK, "move e7e5", 0);
    assert_eq!(table.stage.said(WHITE), "time 910\notim 810\nusermove e7e5\n", "it plays already");
    let faults = &mut table.faults;
    assert_eq!((faults.moves, faults.nodes, faults.overrun_of_clock), (2, 12000, 0.0));
    assert_eq!((faults.overrun_of_maximum, faults.beside_thinking.worst()), (Some(10.0), Some(10.0)));
    assert!(!table.game.is_over() && faults.stories.is_empty());
}

#[test]
fn a_fallen_flag_is_seen_when_the_move_comes_or_does_not() {
    let mut table = Table::new(crate::chess::START_FEN);
    table.says(WHITE, "move e2e4", 10_250);
    assert!(table.game.is_over());
    assert_eq!((table.faults.lost_on_time, table.faults.overrun_of_clock, table.faults.games), (1, 250.0, 1));
    let mut table = Table::new(crate::chess::START_FEN);
    assert_eq!(table.game.given_up(), table.now + Duration::from_secs(10) + GRACE);
    table.game.give_up(&mut table.faults, &mut table.stage.orders);
    assert!(table.game.is_over());
    assert_eq!(table.faults.lost_on_time, 1);
}

#[test]
fn moves_are_judged() {
    for (speaker, line) in [(WHITE, "move e2e5"), (BLACK, "move e7e5"), (WHITE, "move")] {
        let mut table = Table::new(crate::chess::START_FEN);
        table.says(speaker, line, 5);
        assert!(table.game.is_over());
        assert_eq!((table.faults.illegal, table.faults.moves), (1, 0), "{line}");
    }
}

#[test]
fn the_rules_end_a_game_and_claims_are_judged() {
    let mut table = Table::new("6k1/8/6K1/8/8/8/8/R7 w - - 0 1");
    table.stage.all();
    table.says(WHITE, "move a1a8", 5);
    assert!(table.game.is_over());
    assert_eq!(table.stage.said(BLACK), "result 1-0 {the rules}\nforce\n");
    table.says(WHITE, "1-0 {White mates}", 5);
    assert_eq!((table.faults.games, table.faults.false_claims), (1, 0));
    let mut table = Table::new(crate::chess::START_FEN);
    table.says(BLACK, "0-1 {Black mates}", 5);
    assert_eq!((table.faults.games, table.faults.false_claims), (1, 1));
    let mut table = Table::new(crate::chess::START_FEN);
    table.says(WHITE, "resign", 5);
    assert!(table.game.is_over() && table.faults.stories.is_empty());
}

#[test]
fn what_is_said_of_the_game_before_does_not_count() {
    let features = Features { ping: true, ..Features::unknown() };
    let mut table = Table::with(features, crate::chess::START_FEN);
    let said = table.stage.said(WHITE);
    assert!(said.contains("\nping 8\ntime "), "before it is asked for a move: {said}");
    for id in [WHITE, BLACK] {
        table.says(id, "1-0 {White mates}", 5);
        table.says(id, "move e2e4", 5);
        table.says(id, "pong 8", 5);
    }
    assert!(!table.game.is_over() && table.faults.stories.is_empty());
    table.says(WHITE, "1-0 {White mates}", 5);
    assert_eq!((table.faults.games, table.faults.false_claims), (1, 1));
}

#[test]
fn time_controls_are_read() {
    let clock: Clock = "75+0.5".parse().unwrap();
    assert_eq!(clock, Clock { base: Duration::from_secs(75), increment: Duration::from_millis(500) });
    for wrong in ["", "10", "10+", "+1", "x+1", "-1+1", "NaN+1", "1+inf", "0.5+0", "1e99+0"] {
        assert!(wrong.parse::<Clock>().is_err(), "{wrong}");
    }
}
