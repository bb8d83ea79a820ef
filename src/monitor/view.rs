//! A server as lines of text.

use super::Seen;
use super::table::{self, Column};
use crate::hosting::{EngineSummary, ProcessRow};
use crate::server::control::{Activity, SessionRow};
use std::cmp::Reverse;
use std::fmt::Write as _;

/// The order of sessions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum SortBy {
    /// Oldest session first.
    #[default]
    Number,
    /// Most nodes per second first.
    Speed,
    /// Longest wait for a token first.
    Wait,
    /// Least time on the clock first; sessions without a clock last.
    Clock,
    /// Worst lag first.
    Lag,
    /// Most unread output first.
    Queued,
}

impl SortBy {
    const ALL: [SortBy; 6] =
        [SortBy::Number, SortBy::Speed, SortBy::Wait, SortBy::Clock, SortBy::Lag, SortBy::Queued];

    /// Returns the next order, cyclically.
    pub fn next(self) -> SortBy {
        let index = SortBy::ALL.iter().position(|&by| by == self).unwrap_or(0);
        SortBy::ALL[(index + 1) % SortBy::ALL.len()]
    }

    fn word(self) -> &'static str {
        match self {
            SortBy::Number => "number",
            SortBy::Speed => "speed",
            SortBy::Wait => "wait",
            SortBy::Clock => "clock",
            SortBy::Lag => "lag",
            SortBy::Queued => "queued",
        }
    }
}

/// Options of the view.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ViewOptions {
    /// Order of sessions.
    pub by: SortBy,
    /// Whether to show only busy sessions.
    pub busy: bool,
    /// Number of sessions scrolled off the top.
    pub above: usize,
    /// Whether to show the keys instead of the sessions.
    pub keys: bool,
}

/// Number of lines above the sessions.
const HEADER_LINES: usize = 5;

/// Marks omitted text.
const OMISSION: char = '…';

/// Last line of an interactive screen.
pub const FOOTER: &str = "q quit   ? keys";

/// The keys and their effects.
const KEY_HELP: [&str; 9] = [
    "q, Esc, Ctrl-C       quit",
    "?                    show these keys, or hide them",
    "s                    the next order: number, speed, wait, clock, lag, queued",
    "b                    busy sessions only, or all",
    "up, down             scroll by one session",
    "page up, page down   scroll by one screen; also the space bar",
    "home, end            the first and the last session",
    "",
    "The columns are described in operating.md.",
];

/// Number of sessions on a screen of `lines` lines.
pub fn page(lines: usize) -> usize {
    lines.saturating_sub(HEADER_LINES).max(1)
}

/// The whole screen: at most `lines` lines of at most `columns` columns. Omissions are marked.
pub fn screen(seen: &Seen, mut options: ViewOptions, columns: usize, lines: usize) -> Vec<String> {
    let (rows, engines) = (chosen(seen, options), engines(&seen.overview.engines));
    options.above = options.above.min(rows.len().saturating_sub(1));
    let room = page(lines).saturating_sub(engines.len()).max(1);
    let shown: Vec<_> = rows.iter().skip(options.above).take(room).collect();
    let mut screen = head(seen, options, shown.len(), rows.len(), &engines);
    if options.keys {
        screen.extend(KEY_HELP.map(str::to_owned));
    } else {
        let cells = shown.iter().map(|(row, speed)| cells(row, *speed)).collect();
        let (table, without) = fitting(cells, columns);
        if let (Some(last), false) = (screen.last_mut(), without.is_empty()) {
            let _ = write!(last, "; no room for: {}", without.join(", "));
        }
        screen.extend(table);
    }
    fitted(screen, columns, lines)
}

/// Cuts text to the size of the screen and marks omissions.
pub fn fitted(mut text: Vec<String>, columns: usize, lines: usize) -> Vec<String> {
    let lines = lines.max(1);
    if text.len() > lines {
        text.truncate(lines);
        let last = &mut text[lines - 1];
        let room = columns.saturating_sub(2);
        *last = last.chars().take(room).chain([' ', OMISSION]).collect();
    }
    text.into_iter().map(|line| cut(&line, columns)).collect()
}

/// Cuts a line to `columns` columns and marks the omission.
fn cut(line: &str, columns: usize) -> String {
    let line = line.trim_end();
    if line.chars().count() <= columns {
        return line.to_owned();
    }
    line.chars().take(columns.saturating_sub(1)).chain([OMISSION]).take(columns).collect()
}

/// Wraps text at `columns` columns; words longer than that stay whole.
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

/// Returns the complete view, for output of any size.
pub fn whole(seen: &Seen, options: ViewOptions) -> String {
    screen(seen, options, usize::MAX, usize::MAX).into_iter().map(|line| line + "\n").collect()
}

fn chosen(seen: &Seen, options: ViewOptions) -> Vec<&(SessionRow, u64)> {
    let mut rows: Vec<_> = seen.sessions.iter().filter(|(row, _)| !options.busy || is_busy(row)).collect();
    match options.by {
        SortBy::Number => rows.sort_by_key(|(row, _)| row.session),
        SortBy::Speed => rows.sort_by_key(|(_, speed)| Reverse(*speed)),
        SortBy::Wait => rows.sort_by_key(|(row, _)| Reverse(row.wait)),
        SortBy::Clock => rows.sort_by_key(|(row, _)| row.status.clock.unwrap_or(i64::MAX)),
        SortBy::Lag => rows.sort_by_key(|(row, _)| Reverse(row.status.lag_worst)),
        SortBy::Queued => rows.sort_by_key(|(row, _)| Reverse(row.queued)),
    }
    rows
}

fn is_busy(row: &SessionRow) -> bool {
    match row.status.activity {
        Activity::Silent | Activity::Idle | Activity::Paused => false,
        Activity::Thinking
        | Activity::Pondering
        | Activity::Analysing
        | Activity::Hinting
        | Activity::Editing => true,
    }
}

fn head(seen: &Seen, options: ViewOptions, shown: usize, chosen: usize, engines: &[String]) -> Vec<String> {
    let server = &seen.overview;
    let mut searches = String::new();
    for (class, count) in &server.searches {
        let _ = write!(searches, "{}{count} {class}", if searches.is_empty() { "" } else { ", " });
    }
    let which = if options.busy { "busy ones" } else { "all" };
    let mut lines = vec![
        format!(
            "farboard {}, process {}, up {}, {} of {} sessions{}",
            server.version,
            server.process,
            table::duration(server.seconds),
            server.sessions,
            server.most_sessions,
            if server.drained { ", no new ones (drained)" } else { "" }
        ),
        format!(
            "searches: {searches}; {} of {} tokens in use, {} threads, {} nodes/s",
            server.running,
            server.tokens,
            server.threads,
            short(seen.speed)
        ),
        machine(seen),
    ];
    lines.extend_from_slice(engines);
    lines.push(format!("{which} by {}, {} of {chosen}", options.by.word(), range(options.above, shown)));
    lines
}

/// A line for each hosted engine that has processes.
fn engines(rows: &[ProcessRow]) -> Vec<String> {
    let line = |(name, engine): (&str, EngineSummary)| {
        let EngineSummary { processes, searching, suspended, memory, failures, late } = engine;
        let mut line =
            format!("engine {name}: {processes} processes, {searching} searching, {suspended} suspended");
        let is_known = rows.iter().all(|row| row.engine != name || row.memory.is_some());
        let memory = if is_known { memory } else { 0 };
        for (figure, what) in [(memory, "memory"), (failures, "failures"), (late, "too late")] {
            if figure > 0 {
                let figure = if what == "memory" { bytes(figure) } else { figure.to_string() };
                let _ = write!(line, "; {what} {figure}");
            }
        }
        line
    };
    EngineSummary::by_engine(rows).into_iter().map(line).collect()
}

/// Resources of the server, and load of the machine.
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

/// The range of sessions on the screen, counted from 1.
fn range(above: usize, shown: usize) -> String {
    match shown {
        0 => "0".to_owned(),
        1 => (above + 1).to_string(),
        _ => format!("{} to {}", above + 1, above + shown),
    }
}

/// Memory with about three digits.
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

const fn left(heading: &'static str) -> Column {
    Column { heading, right: false }
}

const fn right(heading: &'static str) -> Column {
    Column { heading, right: true }
}

const COLUMNS: [Column; 12] = [
    right("number"),
    left(CLIENT),
    left("does"),
    left("variant"),
    right("depth"),
    right("nodes/s"),
    right("clock"),
    right("wait ms"),
    right("lag ms"),
    right("late ms"),
    right("queued"),
    left(OPPONENT),
];
const CLIENT: &str = "client";
const OPPONENT: &str = "opponent";

/// Columns dropped on a narrow screen, in this order.
const DISPENSABLE: [&str; 7] = ["late ms", "queued", "wait ms", "variant", "nodes/s", "depth", "clock"];
/// Minimum width of an opponent's name: more is not worth a column.
const NAME_WIDTH: usize = 16;

/// Returns the table with the columns that fit, and the headings of the others. Lines that are
/// still too long are cut later.
fn fitting(mut rows: Vec<Vec<String>>, columns: usize) -> (Vec<String>, Vec<&'static str>) {
    let mut kept = COLUMNS.to_vec();
    let mut without = Vec::new();
    let mut dispensable = DISPENSABLE.into_iter();
    let excess = loop {
        let widths = table::widths(&kept, &rows);
        let needed = widths.iter().zip(&kept).map(|(&width, column)| match column.heading {
            OPPONENT => width.min(NAME_WIDTH) + table::GAP,
            _ => width + table::GAP,
        });
        let excess = needed.sum::<usize>().saturating_sub(table::GAP).saturating_sub(columns);
        let next = if excess > 0 { dispensable.next() } else { None };
        let Some(heading) = next else { break excess };
        if let Some(index) = kept.iter().position(|column| column.heading == heading) {
            kept.remove(index);
            rows.iter_mut().for_each(|row| drop(row.remove(index)));
            without.push(heading);
        }
    };
    if let (true, Some(client)) = (excess > 0, kept.iter().position(|column| column.heading == CLIENT)) {
        let width = table::widths(&kept, &rows)[client].saturating_sub(excess).max(CLIENT.len());
        rows.iter_mut().for_each(|row| row[client] = cut(&row[client], width));
    }
    (table::lines(&kept, &rows), without)
}

fn cells(row: &SessionRow, speed: u64) -> Vec<String> {
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    vec![
        row.session.to_string(),
        row.client(),
        row.status.activity.word().to_owned(),
        row.status.variant.clone(),
        or_dash(row.status.depth.map(|depth| depth.to_string())),
        if speed == 0 { "-".to_owned() } else { short(speed) },
        or_dash(row.status.clock.map(clock)),
        or_dash(row.wait.map(|wait| wait.to_string())),
        format!("{}/{}", row.status.lag_mean, row.status.lag_worst),
        (row.status.overrun / 1000).to_string(),
        row.queued.to_string(),
        row.status.opponent.clone(),
    ]
}

/// A count with about four digits.
fn short(count: u64) -> String {
    match count {
        0..=9_999 => count.to_string(),
        10_000..=9_999_999 => format!("{} k", count / 1_000),
        _ => format!("{} M", count / 1_000_000),
    }
}

/// Milliseconds as on a chess clock.
fn clock(millis: i64) -> String {
    let sign = if millis < 0 { "-" } else { "" };
    let tenths = millis.unsigned_abs() / 100;
    format!("{sign}{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

#[cfg(test)]
mod tests;
