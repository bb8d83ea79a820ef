//! Size limits of the archive, daily and total, shared among sources.
//!
//! A source may use an eighth of what the others have left of the day, so that one source's flood
//! of games leaves most of the day to the others.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// A source may use one part in `SHARE` of what is left of the day.
const SHARE: u64 = 8;
/// Sources counted individually in a day; further ones share an account.
const MAX_SOURCES: usize = 1 << 16;
/// Account of sources beyond `MAX_SOURCES`.
const OTHERS: u64 = 0;
/// Interval of measuring the files, which others may write or remove.
const MEASURE_EVERY: Duration = Duration::from_secs(10);

/// Limits of the archive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Minimum moves of each side; shorter games are not archived.
    pub min_moves: usize,
    /// Maximum bytes of one day's files.
    pub max_day: u64,
    /// Maximum bytes of all files.
    pub max_total: u64,
}

impl Limits {
    /// No limits.
    pub const NONE: Limits = Limits { min_moves: 0, max_day: u64::MAX, max_total: u64::MAX };
}

/// The limit that a game would exceed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exceeded {
    /// The daily limit, in bytes.
    Day(u64),
    /// The total limit, in bytes.
    Total(u64),
    /// The source's share of the day.
    Share,
}

impl Exceeded {
    /// Returns the limit as a word for the log.
    pub(super) fn word(self) -> &'static str {
        match self {
            Exceeded::Day(_) => "day",
            Exceeded::Total(_) => "total",
            Exceeded::Share => "share",
        }
    }
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exceeded::Day(limit) => {
                write!(f, "the games of this day have reached {} MiB (archive_max_day)", limit >> 20)
            }
            Exceeded::Total(limit) => {
                write!(
                    f,
                    "all games have reached {} MiB (archive_max_total); move old files away",
                    limit >> 20
                )
            }
            Exceeded::Share => write!(
                f,
                "games of this client's source have used their share of this day, 1/{SHARE} of what was left \
                 (archive_max_day, archive_max_total)"
            ),
        }
    }
}

/// Usage against the limits.
pub(super) struct Budget {
    limits: Limits,
    /// The date in file names.
    day: String,
    of_day: u64,
    total: u64,
    by_source: HashMap<u64, u64>,
    measured: Option<Instant>,
}

impl Budget {
    pub(super) fn new(limits: Limits) -> Budget {
        let day = String::new();
        Budget { limits, day, of_day: 0, total: 0, by_source: HashMap::new(), measured: None }
    }

    /// Starts a new day if the date has changed, and measures the files if the last time is long
    /// ago.
    ///
    /// # Errors
    /// The folder cannot be read; the figures stay unchanged.
    pub(super) fn refresh(&mut self, folder: &Path, day: &str, now: Instant) -> io::Result<()> {
        let is_another_day = self.day != day;
        if is_another_day {
            day.clone_into(&mut self.day);
            self.of_day = 0;
            self.by_source.clear();
        }
        let is_recent = |measured| now.saturating_duration_since(measured) < MEASURE_EVERY;
        if is_another_day || !self.measured.is_some_and(is_recent) {
            self.measured = Some(now);
            (self.of_day, self.total) = measure(folder, day)?;
        }
        Ok(())
    }

    /// Reserves space for a game.
    ///
    /// # Errors
    /// A limit would be exceeded.
    pub(super) fn take(&mut self, source: u64, bytes: u64) -> Result<(), Exceeded> {
        let Limits { max_day, max_total, .. } = self.limits;
        let (of_day, in_all) = (max_day.saturating_sub(self.of_day), max_total.saturating_sub(self.total));
        let left = of_day.min(in_all);
        if bytes > left {
            return Err(if in_all <= of_day { Exceeded::Total(max_total) } else { Exceeded::Day(max_day) });
        }
        let account = self.account(source);
        let used = self.by_source.get(&account).copied().unwrap_or(0);
        if used + bytes > left.saturating_add(used) / SHARE {
            return Err(Exceeded::Share);
        }
        self.by_source.insert(account, used + bytes);
        self.of_day += bytes;
        self.total += bytes;
        Ok(())
    }

    /// Releases the space of a game that was not written.
    pub(super) fn give_back(&mut self, source: u64, bytes: u64) {
        let account = self.account(source);
        if let Some(used) = self.by_source.get_mut(&account) {
            *used = used.saturating_sub(bytes);
        }
        self.of_day = self.of_day.saturating_sub(bytes);
        self.total = self.total.saturating_sub(bytes);
    }

    fn account(&self, source: u64) -> u64 {
        let is_counted = self.by_source.len() < MAX_SOURCES || self.by_source.contains_key(&source);
        if is_counted { source } else { OTHERS }
    }
}

/// Measures the day's files and all archive files, in bytes.
fn measure(folder: &Path, day: &str) -> io::Result<(u64, u64)> {
    let (mut of_day, mut total) = (0, 0);
    for file in fs::read_dir(folder)? {
        let file = file?;
        let name = file.file_name();
        let Some((stem, "pgn" | "pdn")) = name.to_str().and_then(|name| name.rsplit_once('.')) else {
            continue;
        };
        let Some(date) = stem.strip_prefix("farboard-") else { continue };
        // The file may have been moved away since.
        let length = file.metadata().map_or(0, |metadata| metadata.len());
        total += length;
        if date == day {
            of_day += length;
        }
    }
    Ok((of_day, total))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(max_day: u64, max_total: u64) -> Budget {
        Budget::new(Limits { max_day, max_total, ..Limits::NONE })
    }

    /// Takes one-byte games until a limit is reached; returns how many.
    fn used_up(budget: &mut Budget, source: u64) -> u64 {
        let mut used = 0;
        while budget.take(source, 1).is_ok() {
            used += 1;
        }
        used
    }

    #[test]
    fn no_source_uses_more_than_an_eighth_of_what_the_others_have_left() {
        let mut budget = budget(64_000, u64::MAX);
        assert_eq!(used_up(&mut budget, 1), 8_000);
        assert_eq!(budget.take(1, 1), Err(Exceeded::Share));
        assert_eq!(used_up(&mut budget, 2), 7_000);
        assert_eq!(used_up(&mut budget, 1), 0);
        for source in 3..10 {
            used_up(&mut budget, source);
        }
        assert!(used_up(&mut budget, 99) > 2_000, "some of the day is left");
    }

    #[test]
    fn limits_are_named() {
        let mut day = budget(1 << 20, 1 << 30);
        let error = day.take(1, 2 << 20).expect_err("a long game");
        assert_eq!(error.to_string(), "the games of this day have reached 1 MiB (archive_max_day)");
        let mut total = budget(1 << 20, 1 << 20);
        let error = total.take(1, 2 << 20).expect_err("a long game");
        assert!(error.to_string().contains("1 MiB (archive_max_total); move"), "{error}");
        assert_eq!(budget(u64::MAX, u64::MAX).take(1, 1 << 40), Ok(()));
    }

    #[test]
    fn unused_space_is_released() {
        let mut budget = budget(80, 80);
        assert_eq!(budget.take(1, 10), Ok(()));
        assert_eq!(budget.take(1, 1), Err(Exceeded::Share));
        budget.give_back(1, 10);
        assert_eq!(budget.take(1, 10), Ok(()));
    }

    #[test]
    fn existing_files_count_and_a_new_day_starts_at_zero() {
        let folder = std::env::temp_dir().join(format!("farboard-budget-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        for (name, length) in [
            ("farboard-2026-11-21.pgn", 70),
            ("farboard-2026-11-22.pgn", 20),
            ("farboard-2026-11-22.pdn", 10),
            ("notes.pgn", 1000),
            ("farboard-2026-11-20.pgn.gz", 1000),
        ] {
            fs::write(folder.join(name), vec![b'x'; length]).expect("a file");
        }
        let now = Instant::now();
        let mut budget = budget(110, 180);
        budget.refresh(&folder, "2026-11-22", now).expect("a folder");
        assert_eq!((budget.of_day, budget.total), (30, 100));
        assert_eq!(budget.take(1, 10), Ok(()));
        assert_eq!(budget.take(1, 10), Err(Exceeded::Share));
        assert_eq!(budget.take(2, 71), Err(Exceeded::Total(180)));
        fs::remove_file(folder.join("farboard-2026-11-21.pgn")).expect("a file");
        budget.refresh(&folder, "2026-11-22", now + MEASURE_EVERY).expect("a folder");
        assert_eq!((budget.of_day, budget.total), (30, 30));
        assert_eq!(budget.take(2, 81), Err(Exceeded::Day(110)));
        budget.refresh(&folder, "2026-11-23", now + MEASURE_EVERY).expect("a folder");
        assert_eq!((budget.of_day, budget.total), (0, 30));
        assert_eq!(budget.take(1, 10), Ok(()));
        fs::remove_dir_all(folder).expect("a folder");
    }

    #[test]
    fn memory_is_bounded_with_any_number_of_sources() {
        let mut budget = budget(u64::MAX, u64::MAX);
        for source in 1..=100_000 {
            assert_eq!(budget.take(source, 1), Ok(()));
        }
        assert_eq!(budget.by_source.len(), MAX_SOURCES + 1);
    }
}
