use super::*;
use crate::monitor::Watch;
use crate::monitor::watch::tests::{row, snapshot};
use crate::server::control::Status;
use std::time::Instant;

fn seen(rows: Vec<SessionRow>) -> Seen {
    Watch::default().see(snapshot(rows), Instant::now())
}

#[test]
fn a_screen_has_a_head_and_a_table() {
    let mut game = SessionRow { wait: Some(3), ..row(2, 0) };
    game.status = Status {
        activity: Activity::Thinking,
        opponent: "A B".to_owned(),
        clock: Some(-65_432),
        overrun: 1_999,
        ..game.status
    };
    let screen = whole(&seen(vec![row(1, 0), game]), ViewOptions::default());
    let expected = "\
farboard 1.2.3, process 4711, up 1:01:01, 2 of 5000 sessions
searches: 1 analysis, 3 clock; 1 of 2 tokens in use, 9 threads, 10 nodes/s
memory 612 MiB of 8.0 GiB; load of the machine 2.05
all by number, 1 to 2 of 2
number  client           does       variant  depth  nodes/s    clock  wait ms  lag ms  late ms  queued  opponent
     1  192.0.2.1:40001  analysing  normal      12        5        -        -     0/0        0       0
     2  192.0.2.1:40002  thinking   normal      12        5  -1:05.4        3     0/0        1       0  A B
";
    assert_eq!(screen, expected);
}

#[test]
fn engines_have_a_line_each() {
    let process = |engine: &str, process, state: &str, failures: u64| ProcessRow {
        engine: engine.to_owned(),
        process,
        state: state.to_owned(),
        memory: Some(100 << 20),
        failures,
        late: 5 * failures,
    };
    let mut seen = seen(vec![row(1, 0), row(2, 0)]);
    seen.overview.engines = vec![
        process("crafty", 8, "idle", 2),
        process("fish", 5, "searching", 0),
        process("fish", 6, "suspended", 0),
    ];
    let screen = screen(&seen, ViewOptions::default(), 120, 8);
    let expected = [
        "engine crafty: 1 processes, 0 searching, 0 suspended; memory 100 MiB; failures 2; too late 10",
        "engine fish: 2 processes, 1 searching, 1 suspended; memory 200 MiB",
        "all by number, 1 of 2",
    ];
    assert_eq!(screen[3..6], expected);
    assert_eq!(screen.len(), 8);
}

#[test]
fn each_order_sorts_by_its_column() {
    let mut rows = vec![row(3, 0), row(1, 0), row(2, 0)];
    rows[0].status.speed = Some(9);
    rows[1].status.clock = Some(100);
    rows[2].wait = Some(0);
    rows[2].status.lag_worst = 1;
    rows[0].queued = 1;
    let seen = seen(rows);
    let first = |by| chosen(&seen, ViewOptions { by, ..ViewOptions::default() })[0].0.session;
    assert_eq!(SortBy::ALL.map(first), [1, 3, 2, 1, 2, 3]);
    let mut by = SortBy::Number;
    let mut met = Vec::new();
    for _ in SortBy::ALL {
        met.push(by);
        by = by.next();
    }
    assert_eq!((met.as_slice(), by), (&SortBy::ALL[..], SortBy::Number));
}

#[test]
fn idle_sessions_can_be_left_out() {
    let mut idle = row(1, 0);
    idle.status.activity = Activity::Idle;
    let seen = seen(vec![idle, row(2, 0)]);
    let options = ViewOptions { busy: true, ..ViewOptions::default() };
    assert_eq!(whole(&seen, options).lines().count(), HEADER_LINES + 1);
}

#[test]
fn a_screen_is_never_too_big() {
    let seen = seen((0..50).map(|number| row(number, 0)).collect());
    for (columns, lines) in [(0, 0), (1, 1), (10, 3), (80, 24), (300, 100)] {
        for above in [0, 1, 49, 50, usize::MAX] {
            let screen = screen(&seen, ViewOptions { above, ..ViewOptions::default() }, columns, lines);
            assert!(screen.len() <= lines.max(1) && screen.len() <= HEADER_LINES + 50);
            assert!(screen.iter().all(|line| line.chars().count() <= columns));
        }
    }
    let last = screen(&seen, ViewOptions { above: usize::MAX, ..ViewOptions::default() }, 80, 24);
    assert!(last[3].contains(", 50 of 50"), "there is always one to be seen: {}", last[3]);
    assert_eq!(last.len(), HEADER_LINES + 1);
}

#[test]
fn omissions_are_marked() {
    let mut game = row(1, 0);
    game.status.opponent = "Opponent with a long name".to_owned();
    let seen = seen((2..50).map(|number| row(number, 0)).chain([game]).collect());
    let whole = screen(&seen, ViewOptions::default(), 300, 300);
    for columns in 1..150 {
        let screen = screen(&seen, ViewOptions::default(), columns, 300);
        for (line, whole) in screen.iter().zip(&whole).take(3) {
            assert!(line == whole || line.ends_with(OMISSION) && line.chars().count() == columns, "{line:?}");
        }
        // The table has fewer columns, which the line above it says.
        let is_whole = screen[4..] == whole[4..];
        let is_told = screen[3].contains("; no room for: ") || screen[3].ends_with(OMISSION);
        assert!(is_whole || is_told || screen[4..].iter().any(|line| line.ends_with(OMISSION)), "{screen:?}");
    }
    for (lines, shown) in
        [(6, "1 of 49"), (24, "1 to 19 of 49"), (54, "1 to 49 of 49"), (99, "1 to 49 of 49")]
    {
        let screen = screen(&seen, ViewOptions::default(), 150, lines);
        assert!(screen[3].ends_with(shown), "{}", screen[3]);
        assert!(screen.iter().all(|line| !line.ends_with(OMISSION)), "{screen:?}");
    }
    for lines in 1..=HEADER_LINES {
        let screen = screen(&seen, ViewOptions::default(), 150, lines);
        assert!(screen.len() == lines && screen[lines - 1].ends_with(" …"), "{screen:?}");
    }
    assert_eq!(fitted(vec!["abc".to_owned(), "d".to_owned()], 3, 1), ["a …"]);
}

#[test]
fn a_narrow_screen_shows_lag_and_opponents() {
    let mut game = SessionRow { wait: Some(3), ..row(2, 0) };
    game.status.clock = Some(65_432);
    game.status.lag_worst = 120;
    game.status.opponent = "Opponent".to_owned();
    let screen = screen(&seen(vec![row(1, 0), game]), ViewOptions::default(), 80, 24);
    let expected = "\
all by number, 1 to 2 of 2; no room for: late ms, queued, wait ms, variant
number  client           does       depth  nodes/s   clock  lag ms  opponent
     1  192.0.2.1:40001  analysing     12        5       -     0/0
     2  192.0.2.1:40002  analysing     12        5  1:05.4   0/120  Opponent";
    assert_eq!(screen[3..].join("\n"), expected);
}

#[test]
fn long_addresses_and_names_leave_room_for_each_other() {
    let mut game = SessionRow {
        peer: "[2001:db8:1111:2222:3333:4444:5555:6666]:51234".to_owned(),
        user: Some("a-user-with-a-long-name".to_owned()),
        ..row(2, 0)
    };
    game.status.opponent = "An opponent with a name that is long".to_owned();
    let screen = screen(&seen(vec![game]), ViewOptions::default(), 80, 24);
    assert!(screen[4].contains("lag ms") && screen[4].ends_with("opponent"), "{}", screen[4]);
    assert!(screen[5].contains("0/0  An opponent wit") && screen[5].chars().count() <= 80, "{}", screen[5]);
}

#[test]
fn keys_are_shown_instead_of_sessions() {
    let seen = seen(vec![row(1, 0)]);
    let keys = screen(&seen, ViewOptions { keys: true, ..ViewOptions::default() }, 80, 24).join("\n");
    for key in ["q, ", "?", "s ", "b ", "page up", "home"] {
        assert!(keys.contains(&format!("\n{key}")) || keys.contains(key), "{key}: {keys}");
    }
    assert!(!keys.contains("192.0.2.1") && !keys.contains(OMISSION), "{keys}");
}

#[test]
fn messages_are_whole_on_narrow_screens() {
    let text = "no server answers at /run/x: was it started?";
    assert_eq!(wrapped(text, 100), [text]);
    assert_eq!(wrapped(text, 20), ["no server answers at", "/run/x: was it", "started?"]);
    assert_eq!(wrapped("a longword b", 3), ["a", "longword", "b"]);
    assert_eq!(wrapped("", 3), [""]);
}

#[test]
fn memory_and_load_are_shown_where_known() {
    let mut seen = seen(Vec::new());
    seen.cores = Some(172);
    assert_eq!(machine(&seen), "memory 612 MiB of 8.0 GiB; 1.72 cores busy; load of the machine 2.05");
    (seen.overview.machine_memory, seen.overview.load, seen.cores) = (None, None, None);
    assert_eq!(machine(&seen), "memory 612 MiB");
    seen.overview.memory = Some(5 << 29);
    assert_eq!(machine(&seen), "memory 2.5 GiB");
    seen.overview.memory = None;
    assert_eq!(machine(&seen), "");
}

#[test]
fn an_empty_server_has_an_empty_table() {
    assert!(whole(&seen(Vec::new()), ViewOptions::default()).contains("0 of 0\n"));
}

#[test]
fn numbers_are_short() {
    assert_eq!([0, 9_999, 10_000, 9_999_999, 10_000_000].map(short), ["0", "9999", "10 k", "9999 k", "10 M"]);
    assert_eq!([0, 60_000, 3_600_050, -100].map(clock), ["0:00.0", "1:00.0", "60:00.0", "-0:00.1"]);
}
