//! The transposition table, one for all searches of the process.
//!
//! Sixteen bytes an entry, two relaxed atomic words (`key ^ data` and `data`), so a torn entry does not match
//! and is no entry. Four entries share a cache line. Keys are salted by the request, so sessions do
//! not see each other's entries and forgetting everything is choosing another salt.

mod entry;
mod memory;

pub use entry::Entry;

use memory::Words;
use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Words of a bucket: four entries of two words, one cache line.
const BUCKET: usize = 8;
/// Entries grow older by one for each of these.
const EPOCH: Duration = Duration::from_secs(10);

/// A transposition table that any number of searches may use at once.
pub struct Table {
    words: Words,
    buckets: usize,
    /// When it was made; `None` for a table whose entries do not age.
    opened: Option<Instant>,
}

impl Table {
    /// A table to be shared, of this many MiB (at least 1).
    ///
    /// # Errors
    /// The system has not that much memory.
    pub fn new(mebibytes: usize) -> io::Result<Table> {
        Table::build(mebibytes, Some(Instant::now()))
    }

    /// A table for one search after another. Its entries do not age with the clock, so that a search
    /// limited by depth or nodes is the same every time.
    ///
    /// # Errors
    /// The system has not that much memory.
    pub fn private(mebibytes: usize) -> io::Result<Table> {
        Table::build(mebibytes, None)
    }

    fn build(mebibytes: usize, opened: Option<Instant>) -> io::Result<Table> {
        let buckets = mebibytes.max(1).saturating_mul(1 << 20) / (BUCKET * 8);
        Ok(Table { words: Words::zeroed(buckets.saturating_mul(BUCKET))?, buckets, opened })
    }

    /// Size in MiB.
    pub fn mebibytes(&self) -> usize {
        (self.buckets * BUCKET * 8) >> 20
    }

    /// The age that entries stored now get.
    pub fn epoch(&self) -> u8 {
        self.opened.map_or(0, |opened| {
            (opened.elapsed().as_secs() / EPOCH.as_secs() % u64::from(entry::EPOCHS)) as u8
        })
    }

    /// First word of the bucket of a key: the high half of their product spreads keys over any number of buckets.
    #[inline]
    fn bucket(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets as u128) >> 64) as usize * BUCKET
    }

    /// Starts loading what is known of a key into the cache.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        self.words.prefetch(self.bucket(key));
    }

    /// What is known of a (salted) key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let start = self.bucket(key);
        let bucket = &self.words.as_slice()[start..start + BUCKET];
        bucket.chunks_exact(2).find_map(|pair| {
            let data = pair[1].load(Relaxed);
            if pair[0].load(Relaxed) ^ data == key { Entry::unpack(data) } else { None }
        })
    }

    /// Stores what was found of a (salted) key, in place of what is least worth keeping.
    pub fn store(&self, key: u64, mut entry: Entry, epoch: u8) {
        let start = self.bucket(key);
        let bucket = &self.words.as_slice()[start..start + BUCKET];
        let mut place = &bucket[..2];
        let mut least = i32::MAX;
        for pair in bucket.chunks_exact(2) {
            let data = pair[1].load(Relaxed);
            if data != 0 && pair[0].load(Relaxed) ^ data == key {
                if let Some(old) = Entry::unpack(data) {
                    entry.mv = entry.mv.or(old.mv);
                    if entry.bound != super::Bound::Exact && old.depth > entry.depth + 4 {
                        return;
                    }
                }
                place = pair;
                break;
            }
            let worth = entry::worth(data, epoch);
            if worth < least {
                least = worth;
                place = pair;
            }
        }
        let data = entry.pack(epoch);
        place[0].store(key ^ data, Relaxed);
        place[1].store(data, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::zobrist::mix;
    use crate::search::Bound;

    fn entry(score: i32, depth: u8) -> Entry {
        Entry { mv: None, score, evaluation: 7, depth, bound: Bound::Exact, pv: false }
    }

    #[test]
    fn what_is_stored_is_found_under_its_key_only() {
        let table = Table::private(1).unwrap();
        table.store(mix(1), entry(42, 5), 0);
        assert_eq!(table.probe(mix(1)), Some(entry(42, 5)));
        assert_eq!(table.probe(mix(2)), None);
        assert_eq!(table.probe(0), None, "an empty slot is no entry, even for key 0");
    }

    #[test]
    fn deep_entries_outlive_shallow_ones() {
        let table = Table::private(1).unwrap();
        let same_bucket = |i: u64| 0x1234_0000_0000_0000 + i;
        table.store(same_bucket(0), entry(1, 20), 0);
        for i in 1..10 {
            table.store(same_bucket(i), entry(2, 3), 0);
        }
        assert_eq!(table.probe(same_bucket(0)), Some(entry(1, 20)));
        assert_eq!(table.probe(same_bucket(9)), Some(entry(2, 3)));
    }

    #[test]
    fn threads_never_read_what_nobody_wrote() {
        let table = Table::private(1).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    for i in 0..200_000u64 {
                        // Few keys in few buckets, so that writers meet.
                        let key = mix(mix(thread ^ i) % 64);
                        let score = (key % 1000) as i32;
                        if let Some(found) = table.probe(key) {
                            assert_eq!(found.score, score);
                        }
                        table.store(key, entry(score, (i % 30) as u8), 0);
                    }
                });
            }
        });
    }
}
