//! A server as lines of text.

use super::{Seen, table};
use crate::server::control::SessionRow;
use std::cmp::Reverse;
use std::fmt::Write as _;

/// What the sessions are ordered by.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum By {
    /// Their numbers: the oldest first.
    #[default]
    Number,
    /// The fastest first.
    Speed,
    /// Who waits longest for a token first.
    Wait,
    /// The clock with the least time first; sessions without a clock last.
    Clock,
    /// The worst lag first.
    Lag,
    /// Who reads least first.
    Queued,
}

impl By {
    const ALL: [By; 6] = [By::Number, By::Speed, By::Wait, By::Clock, By::Lag, By::Queued];

    /// The next one, around.
    pub fn next(self) -> By {
        let index = By::ALL.iter().position(|&by| by == self).unwrap_or(0);
        By::ALL[(index + 1) % By::ALL.len()]
    }

    fn word(self) -> &'static str {
        match self {
            By::Number => "number",
            By::Speed => "speed",
            By::Wait => "wait",
            By::Clock => "clock",
            By::Lag => "lag",
            By::Queued => "queued",
        }
    }
}

/// What of the sessions is to be seen.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Choice {
    /// Their order.
    pub by: By,
    /// Only those that do something.
    pub busy: bool,
    /// How many are above the screen.
    pub above: usize,
    /// The keys instead of the sessions.
    pub keys: bool,
}

/// Lines above the sessions.
const HEAD: usize = 5;

/// What stands for what is left out.
const MARK: char = '…';

/// The last line of a screen with keys.
pub const FOOT: &str = "q quit   ? keys";

/// The keys, and what they do.
const KEYS: [&str; 9] = [
    "q, Esc, Ctrl-C       quit",
    "?                    these keys, and back",
    "s                    the next order: number, speed, wait, clock, lag, queued",
    "b                    busy sessions only, or all",
    "up, down             a session further",
    "page up, page down   a screen further; the space bar, too",
    "home, end            the first and the last session",
    "",
    "What the columns are is told in operating.md.",
];

/// How many sessions a screen of so many lines shows.
pub fn page(lines: usize) -> usize {
    lines.saturating_sub(HEAD).max(1)
}

/// The whole screen: at most so many lines, none longer than so many columns. What does not fit is marked.
pub fn screen(seen: &Seen, mut choice: Choice, columns: usize, lines: usize) -> Vec<String> {
    let rows = chosen(seen, choice);
    choice.above = choice.above.min(rows.len().saturating_sub(1));
    let shown: Vec<_> = rows.iter().skip(choice.above).take(page(lines)).collect();
    let mut screen = head(seen, choice, shown.len(), rows.len());
    if choice.keys {
        screen.extend(KEYS.map(str::to_owned));
    } else {
        let cells: Vec<_> = shown.iter().map(|(row, speed)| cells(row, *speed)).collect();
        screen.extend(table::lines(HEADINGS, RIGHT, &cells));
    }
    fitted(screen, columns, lines)
}

/// These lines as far as they fit, with a mark where they do not.
pub fn fitted(mut text: Vec<String>, columns: usize, lines: usize) -> Vec<String> {
    let lines = lines.max(1);
    if text.len() > lines {
        text.truncate(lines);
        // The line may be full: then its end gives way.
        let last = &mut text[lines - 1];
        let room = columns.saturating_sub(2);
        *last = last.chars().take(room).chain([' ', MARK]).collect();
    }
    text.into_iter().map(|line| cut(&line, columns)).collect()
}

/// The line with a mark at its end if it is longer than so many columns.
fn cut(line: &str, columns: usize) -> String {
    let line = line.trim_end();
    if line.chars().count() <= columns {
        return line.to_owned();
    }
    line.chars().take(columns.saturating_sub(1)).chain([MARK]).take(columns).collect()
}

/// Text in lines of at most so many columns, words whole where they fit.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always one");
        let length = line.chars().count();
        if length > 0 && length + 1 + word.chars().count() > columns {
            lines.push(word.to_owned());
        } else {
            if length > 0 {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

/// All of it.
pub fn whole(seen: &Seen, choice: Choice) -> String {
    screen(seen, choice, usize::MAX, usize::MAX).into_iter().map(|line| line + "\n").collect()
}

fn chosen(seen: &Seen, choice: Choice) -> Vec<&(SessionRow, u64)> {
    let mut rows: Vec<_> = seen.sessions.iter().filter(|(row, _)| !choice.busy || is_busy(row)).collect();
    match choice.by {
        By::Number => rows.sort_by_key(|(row, _)| row.session),
        By::Speed => rows.sort_by_key(|(_, speed)| Reverse(*speed)),
        By::Wait => rows.sort_by_key(|(row, _)| Reverse(row.wait)),
        By::Clock => rows.sort_by_key(|(row, _)| row.clock.unwrap_or(i64::MAX)),
        By::Lag => rows.sort_by_key(|(row, _)| Reverse(row.lag_worst)),
        By::Queued => rows.sort_by_key(|(row, _)| Reverse(row.queued)),
    }
    rows
}

fn is_busy(row: &SessionRow) -> bool {
    !matches!(row.doing.as_str(), "silent" | "idle" | "paused")
}

fn head(seen: &Seen, choice: Choice, shown: usize, chosen: usize) -> Vec<String> {
    let server = &seen.overview;
    let mut searches = String::new();
    for (class, count) in &server.searches {
        let _ = write!(searches, "{}{count} {class}", if searches.is_empty() { "" } else { ", " });
    }
    let which = if choice.busy { "busy ones" } else { "all" };
    vec![
        format!(
            "farboard {}, process {}, up {}, {} of {} sessions",
            server.version,
            server.process,
            table::duration(server.seconds),
            server.sessions,
            server.most_sessions
        ),
        format!(
            "searches: {searches}; {} of {} tokens in use, {} threads, {} nodes/s",
            server.running,
            server.tokens,
            server.threads,
            short(seen.speed)
        ),
        machine(seen),
        format!("{which} by {}, {} of {chosen}", choice.by.word(), range(choice.above, shown)),
    ]
}

/// What the server takes of its machine, and how much there is to do on that.
fn machine(seen: &Seen) -> String {
    let server = &seen.overview;
    let mut parts = Vec::new();
    if let Some(memory) = server.memory {
        let all = server.machine_memory.map(|all| format!(" of {}", bytes(all))).unwrap_or_default();
        parts.push(format!("memory {}{all}", bytes(memory)));
    }
    if let Some(cores) = seen.cores {
        parts.push(format!("{} cores busy", hundredths(cores)));
    }
    if let Some(load) = server.load {
        parts.push(format!("load of the machine {}", hundredths(load)));
    }
    parts.join("; ")
}

/// Those that are on the screen, counted from 1.
fn range(above: usize, shown: usize) -> String {
    match shown {
        0 => "0".to_owned(),
        1 => (above + 1).to_string(),
        _ => format!("{} to {}", above + 1, above + shown),
    }
}

/// Memory in three digits or so.
fn bytes(count: u64) -> String {
    let tenths = |unit: u64| format!("{}.{}", count / unit, count % unit * 10 / unit);
    match count {
        0..0x4000_0000 => format!("{} MiB", count >> 20),
        _ => format!("{} GiB", tenths(1 << 30)),
    }
}

fn hundredths(count: u64) -> String {
    format!("{}.{:02}", count / 100, count % 100)
}

const COLUMNS: usize = 12;
const HEADINGS: [&str; COLUMNS] = [
    "number", "client", "does", "variant", "depth", "nodes/s", "clock", "wait ms", "lag ms", "late ms",
    "queued", "opponent",
];
/// Numbers, which are easier to compare when their ends are below each other.
const RIGHT: [bool; COLUMNS] = [true, false, false, false, true, true, true, true, true, true, true, false];

fn cells(row: &SessionRow, speed: u64) -> [String; COLUMNS] {
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    [
        row.session.to_string(),
        row.peer.clone(),
        row.doing.clone(),
        row.variant.clone(),
        or_dash(row.depth.map(|depth| depth.to_string())),
        if speed == 0 { "-".to_owned() } else { short(speed) },
        or_dash(row.clock.map(clock)),
        or_dash(row.wait.map(|wait| wait.to_string())),
        format!("{}/{}", row.lag_mean, row.lag_worst),
        (row.overrun / 1000).to_string(),
        row.queued.to_string(),
        row.opponent.clone(),
    ]
}

/// A count in four digits or so.
fn short(count: u64) -> String {
    match count {
        0..=9_999 => count.to_string(),
        10_000..=9_999_999 => format!("{} k", count / 1_000),
        _ => format!("{} M", count / 1_000_000),
    }
}

/// Milliseconds as a clock shows them.
fn clock(millis: i64) -> String {
    let sign = if millis < 0 { "-" } else { "" };
    let tenths = millis.unsigned_abs() / 100;
    format!("{sign}{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::super::Watch;
    use super::super::watch::tests::{row, snapshot};
    use super::*;
    use std::time::Instant;

    fn seen(rows: Vec<SessionRow>) -> Seen {
        Watch::default().see(snapshot(rows), Instant::now())
    }

    #[test]
    fn a_screen_has_a_head_and_a_table() {
        let game = SessionRow {
            clock: Some(-65_432),
            wait: Some(3),
            opponent: "A B".to_owned(),
            overrun: 1_999,
            doing: "thinking".to_owned(),
            ..row(2, 0)
        };
        let screen = whole(&seen(vec![row(1, 0), game]), Choice::default());
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
    fn orders_put_first_what_is_looked_for() {
        let mut rows = vec![row(3, 0), row(1, 0), row(2, 0)];
        rows[0].speed = Some(9);
        rows[1].clock = Some(100);
        rows[2].wait = Some(0);
        rows[2].lag_worst = 1;
        rows[0].queued = 1;
        let seen = seen(rows);
        let first = |by| chosen(&seen, Choice { by, ..Choice::default() })[0].0.session;
        assert_eq!(By::ALL.map(first), [1, 3, 2, 1, 2, 3]);
        let mut by = By::Number;
        let mut met = Vec::new();
        for _ in By::ALL {
            met.push(by);
            by = by.next();
        }
        assert_eq!((met.as_slice(), by), (&By::ALL[..], By::Number));
    }

    #[test]
    fn idle_sessions_can_be_left_out() {
        let idle = SessionRow { doing: "idle".to_owned(), ..row(1, 0) };
        let seen = seen(vec![idle, row(2, 0)]);
        let choice = Choice { busy: true, ..Choice::default() };
        assert_eq!(whole(&seen, choice).lines().count(), HEAD + 1);
    }

    #[test]
    fn a_screen_is_never_too_big() {
        let seen = seen((0..50).map(|number| row(number, 0)).collect());
        for (columns, lines) in [(0, 0), (1, 1), (10, 3), (80, 24), (300, 100)] {
            for above in [0, 1, 49, 50, usize::MAX] {
                let screen = screen(&seen, Choice { above, ..Choice::default() }, columns, lines);
                assert!(screen.len() <= lines.max(1) && screen.len() <= HEAD + 50);
                assert!(screen.iter().all(|line| line.chars().count() <= columns));
            }
        }
        let last = screen(&seen, Choice { above: usize::MAX, ..Choice::default() }, 80, 24);
        assert!(last[3].contains(", 50 of 50"), "there is always one to be seen: {}", last[3]);
        assert_eq!(last.len(), HEAD + 1);
    }

    #[test]
    fn what_is_cut_is_marked() {
        let game = SessionRow { opponent: "Somebody with a long name".to_owned(), ..row(1, 0) };
        let seen = seen((2..50).map(|number| row(number, 0)).chain([game]).collect());
        let whole = screen(&seen, Choice::default(), 300, 300);
        for columns in 1..150 {
            let screen = screen(&seen, Choice::default(), columns, 300);
            for (line, whole) in screen.iter().zip(&whole) {
                assert!(line == whole || line.ends_with(MARK) && line.chars().count() == columns, "{line:?}");
            }
        }
        for (lines, shown) in
            [(6, "1 of 49"), (24, "1 to 19 of 49"), (54, "1 to 49 of 49"), (99, "1 to 49 of 49")]
        {
            let screen = screen(&seen, Choice::default(), 150, lines);
            assert!(screen[3].ends_with(shown), "{}", screen[3]);
            assert!(screen.iter().all(|line| !line.ends_with(MARK)), "{screen:?}");
        }
        for lines in 1..=HEAD {
            let screen = screen(&seen, Choice::default(), 150, lines);
            assert!(screen.len() == lines && screen[lines - 1].ends_with(" …"), "{screen:?}");
        }
        assert_eq!(fitted(vec!["abc".to_owned(), "d".to_owned()], 3, 1), ["a …"]);
    }

    #[test]
    fn keys_are_shown_instead_of_sessions() {
        let seen = seen(vec![row(1, 0)]);
        let keys = screen(&seen, Choice { keys: true, ..Choice::default() }, 80, 24).join("\n");
        for key in ["q, ", "?", "s ", "b ", "page up", "home"] {
            assert!(keys.contains(&format!("\n{key}")) || keys.contains(key), "{key}: {keys}");
        }
        assert!(!keys.contains("192.0.2.1") && !keys.contains(MARK), "{keys}");
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
    fn memory_and_load_are_told_as_far_as_they_are_known() {
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
        assert!(whole(&seen(Vec::new()), Choice::default()).contains("0 of 0\n"));
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [0, 9_999, 10_000, 9_999_999, 10_000_000].map(short),
            ["0", "9999", "10 k", "9999 k", "10 M"]
        );
        assert_eq!([0, 60_000, 3_600_050, -100].map(clock), ["0:00.0", "1:00.0", "60:00.0", "-0:00.1"]);
    }
}
