//! The transposition table, one for all searches of the process.
//!
//! An entry takes sixteen bytes, two relaxed atomic words (`key ^ data` and `data`), so that a torn
//! entry does not match. Four entries share a cache line. Keys are salted by the request, so
//! sessions do not see each other's entries, and clearing is choosing another salt. A search
//! reaches the table only through its [`Region`], and uses only pages that exist already
//! ([`Table::fetch_pages`]).

mod entry;
mod memory;
mod pages;
mod region;
mod sized;

pub(super) use entry::{DEEPEST, Entry};
pub(super) use region::Region;
pub use sized::SizedTable;

use super::scratch::ScratchPool;
use crate::random::mix;
use memory::Words;
use std::io;
use std::ops::Range;
use std::sync::Once;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicUsize};
use std::time::Instant;

/// Words in a bucket: four entries of two words, one cache line.
const BUCKET: usize = 8;
/// Buckets in a MiB.
const BUCKETS: usize = (1 << 20) / (BUCKET * 8);

/// The cause that makes entries older.
enum Ageing {
    /// Time since the creation of the table: searches of many sessions overlap.
    Time(Instant),
    /// Searches, of which there is one after another; the epoch of the latest.
    Searches(AtomicU8),
}

/// A transposition table for any number of concurrent searches.
pub struct Table {
    words: Words,
    ageing: Ageing,
    /// Number of leading buckets whose pages exist; all of them until fetching begins.
    fetched: AtomicUsize,
    fetching: Once,
    /// Number of searches that use it.
    searches: AtomicUsize,
    /// Other memory of its searches.
    pub(super) scratch: ScratchPool,
}

impl Table {
    /// A shared table of this many MiB (at least 1).
    ///
    /// # Errors
    /// The system does not have that much memory.
    pub fn new(mebibytes: usize) -> io::Result<Table> {
        Table::build(mebibytes, Ageing::Time(Instant::now()))
    }

    /// A table for one search after another. Its entries age with each search and not with the
    /// clock, so that searches limited by depth or nodes are reproducible.
    ///
    /// # Errors
    /// The system does not have that much memory.
    pub fn private(mebibytes: usize) -> io::Result<Table> {
        Table::build(mebibytes, Ageing::Searches(AtomicU8::new(0)))
    }

    fn build(mebibytes: usize, ageing: Ageing) -> io::Result<Table> {
        let buckets = mebibytes.max(1).saturating_mul(BUCKETS);
        let words = Words::zeroed(buckets.saturating_mul(BUCKET))?;
        let (fetched, searches) = (AtomicUsize::new(buckets), AtomicUsize::new(0));
        Ok(Table { words, ageing, fetched, fetching: Once::new(), searches, scratch: ScratchPool::default() })
    }

    /// Returns the size in MiB.
    pub fn mebibytes(&self) -> usize {
        self.words.as_slice().len() / BUCKET / BUCKETS
    }

    /// Returns the region for one search: the whole table, or `most` MiB (at least 1) at an offset
    /// that depends on the salt. `game` is whether a game rather than an analysis writes to it.
    pub fn region(&self, salt: u64, most: Option<usize>, game: bool) -> Region<'_> {
        let (table, _) = self.words.as_slice().as_chunks::<BUCKET>();
        let Range { start, end } = extent(salt, most, table.len());
        let buckets = &table[start..end];
        let (opened, epoch) = match &self.ageing {
            Ageing::Time(opened) => (Some(*opened), 0),
            Ageing::Searches(epoch) => (None, epoch.load(Relaxed) % entry::EPOCHS),
        };
        let mut region = Region { buckets, start, table, fetched: &self.fetched, opened, epoch, game };
        region.refresh();
        region
    }

    /// Begins a search: marks the table as used until the guard is dropped, and the entries of
    /// earlier searches as older if searches make them so.
    pub(super) fn in_use(&self) -> InUse<'_> {
        if let Ageing::Searches(epoch) = &self.ageing {
            epoch.fetch_add(1, Relaxed);
        }
        self.searches.fetch_add(1, Relaxed);
        InUse(self)
    }
}

/// A guard of a search that uses the table.
pub(super) struct InUse<'a>(&'a Table);

impl Drop for InUse<'_> {
    fn drop(&mut self) {
        self.0.searches.fetch_sub(1, Relaxed);
    }
}

/// Returns the buckets of the region with this salt, at most `most` MiB, in a table of `buckets`.
fn extent(salt: u64, most: Option<usize>, buckets: usize) -> Range<usize> {
    let len = most.map_or(buckets, |most| most.max(1).saturating_mul(BUCKETS).min(buckets));
    let start = region::place(mix(salt), buckets - len + 1);
    start..start + len
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Bound;
    use std::sync::atomic::AtomicU64;

    const ENTRY: Entry =
        Entry { mv: None, score: 42, evaluation: 7, depth: 5, bound: Bound::Exact, pv: false };

    #[test]
    fn nothing_is_written_outside_of_a_region() {
        for (salt, most) in [(1, 1), (2, 1), (3, 2), (4, 3), (5, 4)] {
            let table = Table::private(4).unwrap();
            let region = table.region(salt, Some(most), false);
            (0..BUCKETS as u64 * 10).for_each(|n| region.store(mix(n), ENTRY));
            let own = extent(salt, Some(most), 4 * BUCKETS);
            assert_eq!(own.len(), most * BUCKETS);
            let (buckets, _) = table.words.as_slice().as_chunks::<BUCKET>();
            for (index, bucket) in buckets.iter().enumerate() {
                let empty = bucket.iter().all(|word| word.load(Relaxed) == 0);
                assert!(empty || own.contains(&index), "bucket {index} is not in {own:?}");
            }
            let used = buckets.iter().filter(|bucket| bucket[1].load(Relaxed) != 0).count();
            assert!(used > own.len() / 2, "{used} of {}", own.len());
        }
    }

    #[test]
    fn usage_is_that_of_all_pages_once_they_exist() {
        let table = Table::private(1).unwrap();
        let region = table.region(1, None, false);
        let all = table.fetched.swap(BUCKETS / 16, Relaxed);
        (0..BUCKETS as u64).for_each(|n| region.store(mix(n), ENTRY));
        let early = region.usage().expect("some pages are there");
        table.fetched.store(all, Relaxed);
        let usage = region.usage().expect("all pages are there");
        assert!(early > 900 && usage < 100, "{early}, then {usage}");
    }

    #[test]
    fn usage_counts_young_entries() {
        let table = Table::private(1).unwrap();
        let region = table.region(1, None, false);
        assert_eq!(region.usage(), Some(0));
        let entries = BUCKETS as u64 * 4;
        (0..entries / 2).for_each(|n| region.store(mix(n), ENTRY));
        let half = region.usage().expect("the table is there");
        assert!((400..600).contains(&half), "{half}");
        (0..20 * entries).for_each(|n| region.store(mix(n), ENTRY));
        assert_eq!(region.usage(), Some(1000));
        let mut later = region;
        later.epoch = 20;
        assert_eq!(later.usage(), Some(0));
        table.fetched.store(0, Relaxed);
        assert_eq!(region.usage(), None);
    }

    #[test]
    fn each_search_makes_the_entries_of_a_private_table_older() {
        let table = Table::private(1).unwrap();
        let region = || table.region(1, None, true);
        // Four keys of one bucket, and then more of them.
        region().store(1, Entry { depth: 20, ..ENTRY });
        (2..5).for_each(|key| region().store(key, Entry { depth: 8, ..ENTRY }));
        let known = |keys: Range<u64>| keys.filter(|&key| region().probe(key).is_some()).collect::<Vec<_>>();
        for search in 0..5 {
            drop(table.in_use());
            // The first one is still wanted.
            assert_eq!(known(1..2), [1], "{search}");
        }
        (5..9).for_each(|key| region().store(key, Entry { depth: 1, ..ENTRY }));
        assert_eq!(known(1..5), [1], "deeper entries of five searches ago are replaced");
        let shared = Table::new(1).unwrap();
        let before = shared.region(1, None, true).epoch;
        drop(shared.in_use());
        assert_eq!(shared.region(1, None, true).epoch, before);
    }

    #[test]
    fn only_fetched_pages_are_touched() {
        for most in [None, Some(2), Some(5)] {
            let table = Table::private(32).unwrap();
            let fetched = 5 * BUCKETS;
            table.fetched.store(fetched, Relaxed);
            for salt in 0..20 {
                let region = table.region(salt, most, false);
                for n in 0..BUCKETS as u64 {
                    let key = mix(salt << 32 | n);
                    region.prefetch(key);
                    region.probe(key);
                    region.store(key, ENTRY);
                    assert_eq!(region.probe(key), Some(ENTRY));
                }
            }
            let (buckets, _) = table.words.as_slice().as_chunks::<BUCKET>();
            let used = |buckets: &[[AtomicU64; BUCKET]]| {
                buckets.iter().filter(|bucket| bucket.iter().any(|word| word.load(Relaxed) != 0)).count()
            };
            assert_eq!(used(&buckets[fetched..]), 0, "{most:?}");
            assert!(used(&buckets[..fetched]) > BUCKETS, "{most:?}");
        }
    }

    #[test]
    fn half_of_the_early_entries_survive_each_doubling_of_the_pages() {
        let table = Table::private(64).unwrap();
        let known = || {
            let region = table.region(1, None, false);
            (0..2000).filter(|&n| region.probe(mix(n)).is_some()).count()
        };
        table.fetched.store(16 * BUCKETS, Relaxed);
        (0..2000).for_each(|n| table.region(1, None, false).store(mix(n), ENTRY));
        assert!(known() > 1990);
        table.fetched.store(31 * BUCKETS, Relaxed);
        assert!(known() > 1990);
        table.fetched.store(32 * BUCKETS, Relaxed);
        assert!((800..1200).contains(&known()), "{}", known());
        table.fetched.store(64 * BUCKETS, Relaxed);
        assert!((300..700).contains(&known()), "{}", known());
    }

    #[test]
    fn regions_are_spread_over_the_table() {
        let starts = (0..1000).map(|salt| extent(salt, Some(1), 8 * BUCKETS).start);
        let (first, last) = starts.fold((usize::MAX, 0), |(a, b), start| (a.min(start), b.max(start)));
        assert!(first < BUCKETS / 10 && last > 7 * BUCKETS - BUCKETS / 10, "{first} to {last}");
    }

    #[test]
    fn regions_have_at_least_a_mebibyte_and_at_most_the_table() {
        for (most, mebibytes) in [(0, 1), (1, 1), (8, 8), (9, 8), (usize::MAX, 8)] {
            assert_eq!(extent(7, Some(most), 8 * BUCKETS).len(), mebibytes * BUCKETS, "{most}");
        }
        assert_eq!(extent(7, None, 8 * BUCKETS), 0..8 * BUCKETS);
    }

    #[test]
    fn entries_of_a_region_are_there_for_the_next_search() {
        let table = Table::private(8).unwrap();
        table.region(5, Some(2), false).store(mix(1), ENTRY);
        assert_eq!(table.region(5, Some(2), true).probe(mix(1)), Some(ENTRY));
    }
}
