//! Fetching the table's pages in advance.
//!
//! The first access to a huge page waits for 2 MiB to be zeroed, milliseconds in a virtual machine,
//! and in a new table of some GiB nearly every node would wait like that. So searches use only
//! pages that exist ([`super::Region`]), and only the fetching thread waits.

use super::memory::Words;
use super::{Ageing, BUCKET, BUCKETS, Table};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Weak};
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

/// Size in MiB of a table that needs no fetching, or of the part that searches may touch first. A
/// power of two.
const SMALL: usize = 2;
/// Words in the smallest page of any system.
const PAGE: usize = 4096 / 8;
/// Words touched at a time: a huge page.
const CHUNK: usize = (2 << 20) / 8;
/// Rest of the thread while there are searches, relative to its work: zeroing pages takes memory
/// bandwidth from searches on other cores, too, and searches may be as nice as this thread.
const REST: u32 = 4;
/// Maximum rest: a slow chunk means that the thread waited for the core and delayed no search.
const LONGEST_REST: Duration = Duration::from_millis(20);

impl Table {
    /// Begins to fetch all pages of a table that is not small, in a thread with the lowest priority
    /// that ends when the table is dropped. Returns at once. Searches do not touch pages before
    /// they exist; if the thread cannot be started, they wait for their pages. Does nothing when
    /// called again, or for a private table, whose searches must be reproducible.
    pub fn fetch_pages(self: &Arc<Table>) {
        if self.mebibytes() <= SMALL || matches!(self.ageing, Ageing::Searches(_)) {
            return;
        }
        self.fetching.call_once(|| {
            self.fetched.store(SMALL * BUCKETS, Relaxed);
            let table = Arc::downgrade(self);
            let work = move || {
                #[cfg(unix)]
                crate::niceness::lower_thread(i32::MAX);
                fetch(&table);
            };
            if let Err(error) = Builder::new().name("pages".into()).spawn(work) {
                log::warn!("table pages will be fetched on demand: {error}");
                self.fetched.store(self.buckets(), Relaxed);
            }
        });
    }

    fn buckets(&self) -> usize {
        self.words.as_slice().len() / BUCKET
    }
}

fn fetch(table: &Weak<Table>) {
    let mut next = 0;
    while let Some(table) = table.upgrade() {
        let began = Instant::now();
        if !touch(&table.words, next) {
            table.fetched.store(table.buckets(), Relaxed);
            log::debug!("all table pages fetched");
            return;
        }
        next += CHUNK;
        table.fetched.fetch_max((next / BUCKET).min(table.buckets()), Relaxed);
        let searched = table.searches.load(Relaxed) > 0;
        drop(table);
        if searched {
            sleep((began.elapsed() * REST).min(LONGEST_REST));
        }
    }
}

/// Touches the pages of the chunk that begins with this word, without changing them; false at the
/// end.
fn touch(words: &Words, start: usize) -> bool {
    let rest = words.as_slice().get(start..).unwrap_or_default();
    let portion = &rest[..rest.len().min(CHUNK)];
    for word in portion.iter().step_by(PAGE) {
        // A page that is only read would map a shared page of zeros, and compilers turn
        // `fetch_or(0)` into a read. A nonzero word was written, so its page exists.
        let _ = word.compare_exchange(0, 0, Relaxed, Relaxed);
    }
    !portion.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_touched_without_changes() {
        let table = Table::new(20).unwrap();
        let words = table.words.as_slice();
        words.iter().enumerate().for_each(|(index, word)| word.store(index as u64, Relaxed));
        let portions = (0..).take_while(|portion| touch(&table.words, portion * CHUNK)).count();
        assert_eq!(portions, 10);
        assert!(words.iter().enumerate().all(|(index, word)| word.load(Relaxed) == index as u64));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_system_has_given_all_pages() {
        let table = Arc::new(Table::new(48).unwrap());
        let address = table.words.as_slice().as_ptr() as usize;
        let pages = (48 << 20) / 4096;
        assert!(resident(address, 48 << 20) < pages);
        table.fetched.store(SMALL * BUCKETS, Relaxed);
        let search = table.in_use();
        fetch(&Arc::downgrade(&table));
        drop(search);
        assert_eq!(resident(address, 48 << 20), pages);
        assert_eq!(table.fetched.load(Relaxed), table.buckets());
    }

    #[test]
    fn searches_use_only_fetched_pages() {
        for (mebibytes, least) in [(SMALL, SMALL), (20, SMALL), (64, SMALL)] {
            let table = Arc::new(Table::new(mebibytes).unwrap());
            assert_eq!(
                table.fetched.load(Relaxed),
                table.buckets(),
                "without fetching all pages count as present"
            );
            table.fetch_pages();
            table.fetch_pages();
            assert!(table.fetched.load(Relaxed) >= least * BUCKETS);
            while table.fetched.load(Relaxed) < table.buckets() {
                std::thread::yield_now();
            }
        }
    }

    #[test]
    fn fetching_ends_with_the_table() {
        let table = Arc::new(Table::new(20).unwrap());
        let gone = Arc::downgrade(&table);
        drop(table);
        fetch(&gone);
    }

    /// Returns the number of resident 4 KiB pages in `bytes` from an address.
    #[cfg(target_os = "linux")]
    fn resident(address: usize, bytes: usize) -> usize {
        use std::os::unix::fs::FileExt;
        // Eight bytes for each page, with the highest bit set if it is resident (proc_pid_pagemap).
        let mut entries = vec![0; bytes / 4096 * 8];
        let pagemap = std::fs::File::open("/proc/self/pagemap").unwrap();
        pagemap.read_exact_at(&mut entries, (address / 4096 * 8) as u64).unwrap();
        entries.chunks_exact(8).filter(|entry| entry[7] & 0x80 != 0).count()
    }
}
