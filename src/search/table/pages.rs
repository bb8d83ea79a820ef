//! Memory of the table that is there before a search needs it: the first to touch a page of it waits for the system.
//!
//! With huge pages that is 2 MiB to be zeroed, milliseconds in a virtual machine. In a new table of some GiB nearly every node
//! would wait like that until as many nodes were searched as there are such pages. So searches keep to the pages that are
//! there ([`super::Region`]), and only the thread that fetches them waits.

use super::memory::Words;
use super::{BUCKET, BUCKETS, Table};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Weak};
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

/// MiB of a table whose pages the searches may touch first themselves without a delay that anybody notices. A power of two.
const SMALL: usize = 2;
/// Words of the smallest page that systems have.
const PAGE: usize = 4096 / 8;
/// Words touched at a time: a huge page.
const PORTION: usize = (2 << 20) / 8;
/// Lowest priority: only where nothing else wants the core.
#[cfg(unix)]
const NICENESS: i32 = 19;
/// While there are searches the thread rests this many times as long as it has worked: zeroing pages takes the machine's memory from
/// searches on other cores, too, and searches may be as nice as this thread.
const REST: u32 = 4;
/// But not longer: a long portion means that the thread waited for the core and delayed no search.
const LONGEST_REST: Duration = Duration::from_millis(20);

impl Table {
    /// Begins to fetch all pages of a table that is not small, in a thread of its own that steps back for all others
    /// and ends when the table is gone. Returns at once. Until a page is there no search touches it; without that thread
    /// searches wait for their pages. Does nothing the second time, nor for a private table, where the same search is to
    /// be the same every time.
    pub fn fetch_pages(self: &Arc<Table>) {
        if self.mebibytes() <= SMALL || self.opened.is_none() {
            return;
        }
        self.fetching.call_once(|| {
            self.fetched.store(SMALL * BUCKETS, Relaxed);
            let table = Arc::downgrade(self);
            let work = move || {
                step_back();
                fetch(&table);
            };
            if let Err(error) = Builder::new().name("pages".into()).spawn(work) {
                log::warn!("the pages of the table come when they are needed: {error}");
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
            log::debug!("all pages of the table are there");
            return;
        }
        next += PORTION;
        table.fetched.fetch_max((next / BUCKET).min(table.buckets()), Relaxed);
        let searched = table.searches.load(Relaxed) > 0;
        drop(table);
        if searched {
            sleep((began.elapsed() * REST).min(LONGEST_REST));
        }
    }
}

/// Touches the pages of the portion that begins with this word, and changes nothing; false if there is none.
fn touch(words: &Words, start: usize) -> bool {
    let rest = words.as_slice().get(start..).unwrap_or_default();
    let portion = &rest[..rest.len().min(PORTION)];
    for word in portion.iter().step_by(PAGE) {
        // A page that was only read would be a shared one of zeros. Compilers make a mere read of `fetch_or(0)`. Whatever
        // else than 0 is there was written by somebody, so its page is there, too.
        let _ = word.compare_exchange(0, 0, Relaxed, Relaxed);
    }
    !portion.is_empty()
}

#[cfg(unix)]
fn step_back() {
    let thread = Some(rustix::thread::gettid());
    if let Err(error) = rustix::process::setpriority_process(thread, NICENESS) {
        log::debug!("the thread that touches the table keeps its priority: {error}");
    }
}

/// Elsewhere all threads are equal.
#[cfg(not(unix))]
fn step_back() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_touched_and_nothing_changed() {
        let table = Table::new(20).unwrap();
        let words = table.words.as_slice();
        words.iter().enumerate().for_each(|(index, word)| word.store(index as u64, Relaxed));
        let portions = (0..).take_while(|portion| touch(&table.words, portion * PORTION)).count();
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
    fn searches_keep_to_what_is_there() {
        for (mebibytes, least) in [(SMALL, SMALL), (20, SMALL), (64, SMALL)] {
            let table = Arc::new(Table::new(mebibytes).unwrap());
            assert_eq!(table.fetched.load(Relaxed), table.buckets(), "who fetches nothing waits for nothing");
            table.fetch_pages();
            table.fetch_pages();
            assert!(table.fetched.load(Relaxed) >= least * BUCKETS);
            while table.fetched.load(Relaxed) < table.buckets() {
                std::thread::yield_now();
            }
        }
    }

    #[test]
    fn nothing_is_fetched_for_a_table_that_is_gone() {
        let table = Arc::new(Table::new(20).unwrap());
        let gone = Arc::downgrade(&table);
        drop(table);
        fetch(&gone);
    }

    /// How many pages of 4 KiB are in memory, of those between an address and `bytes` behind it.
    #[cfg(target_os = "linux")]
    fn resident(address: usize, bytes: usize) -> usize {
        use std::os::unix::fs::FileExt;
        // Eight bytes for each page, the highest bit of which says that there is one (proc_pid_pagemap).
        let mut entries = vec![0; bytes / 4096 * 8];
        let pagemap = std::fs::File::open("/proc/self/pagemap").unwrap();
        pagemap.read_exact_at(&mut entries, (address / 4096 * 8) as u64).unwrap();
        entries.chunks_exact(8).filter(|entry| entry[7] & 0x80 != 0).count()
    }
}
