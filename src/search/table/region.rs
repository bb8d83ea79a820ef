//! The part of the table used by a search, and its replacement policy.

use super::entry::{self, Entry};
use super::{BUCKET, memory};
use crate::search::Bound;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::time::{Duration, Instant};

/// Duration of an epoch, in which entries age by one.
const EPOCH: Duration = Duration::from_secs(10);
/// Number of entries in a bucket of four protected for games, and for analyses.
const KEPT_ENTRIES: u8 = 2;
/// Epochs for which they are protected: three minutes, by when most games have moved on.
const KEPT_FOR: u8 = 18;
/// Number of buckets sampled for usage.
const SAMPLE: usize = 256;

/// One search's view of the table.
#[derive(Clone, Copy)]
pub struct Region<'a> {
    pub(super) buckets: &'a [[AtomicU64; BUCKET]],
    /// Index of the first bucket in the table.
    pub(super) start: usize,
    /// The whole table.
    pub(super) table: &'a [[AtomicU64; BUCKET]],
    /// Number of leading buckets whose pages exist.
    pub(super) fetched: &'a AtomicUsize,
    /// When the table was made; `None` if time does not make its entries older.
    pub(super) opened: Option<Instant>,
    /// The current epoch, as far as the search has noticed.
    pub(super) epoch: u8,
    /// Whether a game rather than an analysis writes entries.
    pub(super) game: bool,
}

impl<'a> Region<'a> {
    /// Notices the current epoch.
    pub fn refresh(&mut self) {
        if let Some(opened) = self.opened {
            self.epoch = (opened.elapsed().as_secs() / EPOCH.as_secs() % u64::from(entry::EPOCHS)) as u8;
        }
    }

    /// Returns the share of sampled entries that were stored or confirmed in the last three
    /// minutes, in permille; `None` while no page of the region exists.
    pub fn usage(&self) -> Option<u16> {
        let there = self.fetched.load(Relaxed).saturating_sub(self.start).min(self.buckets.len());
        // From all over the region: its first buckets also have the entries of the time when there
        // were no others.
        let sample = self.buckets[..there].iter().step_by((there / SAMPLE).max(1)).take(SAMPLE);
        let entries = sample.len() * BUCKET / 2;
        let data = sample.flat_map(|bucket| bucket.chunks_exact(2).map(|pair| pair[1].load(Relaxed)));
        let used = data.filter(|&data| data != 0 && entry::age(data, self.epoch) < KEPT_FOR).count();
        (entries > 0).then(|| (used * 1000 / entries) as u16)
    }

    #[inline]
    fn bucket(&self, key: u64) -> &'a [AtomicU64; BUCKET] {
        let index = place(key, self.buckets.len());
        let fetched = self.fetched.load(Relaxed);
        if self.start + index < fetched { &self.buckets[index] } else { self.stand_in(index, fetched) }
    }

    /// Returns the bucket used until this one's page exists: the first access to a page waits for
    /// the system, with huge pages for milliseconds, and in a new table nearly every node would.
    /// Half of the entries found there are where they are looked for when twice as many pages
    /// exist.
    #[cold]
    fn stand_in(&self, index: usize, fetched: usize) -> &'a [AtomicU64; BUCKET] {
        let most = fetched.min(self.buckets.len()).max(1);
        &self.table[index & ((1 << most.ilog2()) - 1)]
    }

    /// Prefetches the bucket of a key.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        memory::prefetch(&self.bucket(key)[0]);
    }

    /// Returns the entry of a (salted) key, and renews its age: an entry that is found is still
    /// wanted.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        find(self.bucket(key), key, self.epoch).or_else(|| self.probe_early(key))
    }

    /// Probes the stand-in bucket while pages are missing.
    #[inline]
    fn probe_early(&self, key: u64) -> Option<Entry> {
        let fetched = self.fetched.load(Relaxed);
        if fetched >= self.table.len() {
            return None;
        }
        find(self.stand_in(place(key, self.buckets.len()), fetched), key, self.epoch)
    }

    /// Stores an entry of an earlier search for a (salted) key, unless the table has one as deep.
    pub fn adopt(&self, key: u64, entry: Entry) {
        if self.probe(key).is_none_or(|known| known.depth < entry.depth) {
            self.store(key, entry);
        }
    }

    /// Stores an entry for a (salted) key in place of the least valuable one. Games and analyses
    /// leave each other half of a bucket, so that neither can wash out the other.
    pub fn store(&self, key: u64, mut entry: Entry) {
        let epoch = self.epoch;
        let bucket = self.bucket(key);
        let mut place = &bucket[..2];
        let (mut least, mut free) = (i32::MAX, false);
        let (mut others, mut least_of_others, mut place_of_others) = (0, i32::MAX, &bucket[..2]);
        for pair in bucket.chunks_exact(2) {
            let data = pair[1].load(Relaxed);
            if data != 0 && pair[0].load(Relaxed) ^ data == key {
                if let Some(old) = Entry::unpack(data) {
                    entry.mv = entry.mv.or(old.mv);
                    if entry.bound != Bound::Exact && old.depth > entry.depth + 4 {
                        return renew(pair, key, data, epoch);
                    }
                }
                (place, others) = (pair, 0);
                break;
            }
            let worth = entry::worth(data, epoch);
            let kept = data != 0 && entry::age(data, epoch) < KEPT_FOR;
            if kept && entry::is_of_game(data) != self.game {
                others += 1;
                if worth < least_of_others {
                    (least_of_others, place_of_others) = (worth, pair);
                }
            } else if worth < least {
                (least, place, free) = (worth, pair, !kept);
            }
        }
        // If the other kind has more than two entries, at most one slot is free or of this kind.
        if others > KEPT_ENTRIES && !free {
            place = place_of_others;
        }
        let data = entry.pack(epoch, self.game);
        place[0].store(key ^ data, Relaxed);
        place[1].store(data, Relaxed);
    }
}

/// Returns the entry of a key in a bucket, and renews its age.
#[inline]
fn find(bucket: &[AtomicU64; BUCKET], key: u64, epoch: u8) -> Option<Entry> {
    bucket.chunks_exact(2).find_map(|pair| {
        let data = pair[1].load(Relaxed);
        if pair[0].load(Relaxed) ^ data != key {
            return None;
        }
        let entry = Entry::unpack(data);
        if entry.is_some() && entry::age(data, epoch) != 0 {
            renew(pair, key, data, epoch);
        }
        entry
    })
}

/// Renews the age of an entry that stays.
fn renew(pair: &[AtomicU64], key: u64, data: u64, epoch: u8) {
    let data = entry::renewed(data, epoch);
    pair[0].store(key ^ data, Relaxed);
    pair[1].store(data, Relaxed);
}

/// Returns an index below `among`: the high half of the product with a key spreads keys over any
/// number.
#[inline]
pub(super) fn place(key: u64, among: usize) -> usize {
    ((u128::from(key) * among as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::mix;
    use crate::search::Table;

    const GAME: bool = true;
    const ANALYSIS: bool = false;

    fn entry(score: i32, depth: u8) -> Entry {
        Entry { mv: None, score, evaluation: 7, depth, bound: Bound::Exact, pv: false }
    }

    fn at(region: Region<'_>, epoch: u8) -> Region<'_> {
        Region { epoch, ..region }
    }

    /// Returns the keys of one bucket.
    fn same_bucket(number: u64) -> u64 {
        0x1234_0000_0000_0000 + number
    }

    /// Returns which of these keys are known.
    fn known(region: Region<'_>, numbers: std::ops::Range<u64>) -> Vec<u64> {
        numbers.filter(|&number| region.probe(same_bucket(number)).is_some()).collect()
    }

    #[test]
    fn entries_are_found_only_under_their_key() {
        let table = Table::private(1).unwrap();
        let region = table.region(0, None, GAME);
        region.store(mix(1), entry(42, 5));
        assert_eq!(region.probe(mix(1)), Some(entry(42, 5)));
        assert_eq!(region.probe(mix(2)), None);
        assert_eq!(region.probe(0), None, "an empty slot is no entry, even for key 0");
    }

    #[test]
    fn deeper_entries_of_earlier_searches_are_adopted() {
        let table = Table::private(1).unwrap();
        let region = table.region(0, None, ANALYSIS);
        for (depth, known) in [(5, 5), (3, 5), (5, 5), (9, 9)] {
            region.adopt(mix(1), entry(i32::from(depth), depth));
            assert_eq!(region.probe(mix(1)), Some(entry(i32::from(known), known)));
        }
    }

    #[test]
    fn deep_entries_outlive_shallow_ones() {
        let table = Table::private(1).unwrap();
        let region = table.region(0, None, GAME);
        region.store(same_bucket(0), entry(1, 20));
        (1..10).for_each(|number| region.store(same_bucket(number), entry(2, 3)));
        assert_eq!(known(region, 0..10).len(), 4, "a lone search uses the whole bucket");
        assert_eq!(region.probe(same_bucket(0)), Some(entry(1, 20)));
        assert_eq!(region.probe(same_bucket(9)), Some(entry(2, 3)));
    }

    #[test]
    fn confirmed_deeper_entries_are_renewed() {
        let table = Table::private(1).unwrap();
        let region = table.region(0, None, GAME);
        let shallow = Entry { bound: Bound::Upper, ..entry(3, 1) };
        for epoch in 0..=10 {
            let key = same_bucket(u64::from(epoch));
            let region = at(region, epoch);
            region.store(same_bucket(0), if epoch == 0 { entry(1, 20) } else { shallow });
            (1..10).for_each(|number| region.store(key + 100 * number, entry(2, 10)));
        }
        assert_eq!(region.probe(same_bucket(0)), Some(entry(1, 20)), "20 plies, 10 epochs ago");
    }

    #[test]
    fn neither_games_nor_analyses_wash_out_the_other() {
        for class in [GAME, ANALYSIS] {
            let table = Table::private(1).unwrap();
            let [few, flood] = [class, !class].map(|class| table.region(0, None, class));
            (0..4).for_each(|number| few.store(same_bucket(number), entry(1, 2 + number as u8)));
            (10..1000).for_each(|number| at(flood, 1).store(same_bucket(number), entry(2, 60)));
            assert_eq!(known(few, 0..4), [2, 3], "the better half stays");
            assert_eq!(known(flood, 10..1000).len(), 2);
        }
    }

    #[test]
    fn a_late_search_gets_half_a_bucket_of_deeper_entries() {
        for class in [GAME, ANALYSIS] {
            let table = Table::private(1).unwrap();
            let [late, early] = [class, !class].map(|class| table.region(0, None, class));
            (0..4).for_each(|number| early.store(same_bucket(number), entry(1, 60)));
            (10..13).for_each(|number| late.store(same_bucket(number), entry(2, 1)));
            assert_eq!(known(early, 0..4).len(), 2);
            assert_eq!(known(late, 10..13).len(), 2);
        }
    }

    #[test]
    fn entries_lose_protection_after_minutes() {
        let table = Table::private(1).unwrap();
        let [game, analysis] = [GAME, ANALYSIS].map(|class| table.region(0, None, class));
        (0..4).for_each(|number| game.store(same_bucket(number), entry(1, 20)));
        (10..20).for_each(|number| at(analysis, KEPT_FOR - 1).store(same_bucket(number), entry(2, 5)));
        assert_eq!(known(game, 0..4).len(), 2);
        (10..20).for_each(|number| at(analysis, KEPT_FOR).store(same_bucket(number), entry(2, 5)));
        assert_eq!(known(game, 0..4).len(), 0);
    }

    #[test]
    fn many_analyses_leave_the_entries_of_a_game() {
        let table = Table::private(1).unwrap();
        let (game, games) = (table.region(0, None, GAME), 8_000);
        (0..games).for_each(|n| game.store(mix(n), entry(1, 4)));
        for analysis in 1..20 {
            let flood = at(table.region(analysis, None, ANALYSIS), 1);
            (0..100_000).for_each(|n| flood.store(mix(analysis << 32 | n), entry(2, 30)));
        }
        let mut buckets = [0; super::super::BUCKETS];
        (0..games).for_each(|n| buckets[place(mix(n), buckets.len())] += 1);
        let left = (0..games).filter(|&n| game.probe(mix(n)).is_some()).count();
        assert_eq!(left, buckets.iter().map(|&stored| stored.min(usize::from(KEPT_ENTRIES))).sum::<usize>());
    }

    #[test]
    fn threads_never_read_torn_entries() {
        let table = Table::private(1).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let region = table.region(0, None, thread % 2 == 0);
                scope.spawn(move || {
                    for i in 0..200_000u64 {
                        // Few keys in few buckets, so that writers collide.
                        let key = mix(mix(thread ^ i) % 64);
                        let score = (key % 1000) as i32;
                        if let Some(found) = region.probe(key) {
                            assert_eq!(found.score, score);
                        }
                        region.store(key, entry(score, (i % 30) as u8));
                    }
                });
            }
        });
    }
}
