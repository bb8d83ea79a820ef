//! Memory of the table that is there before a search needs it: the first to touch a page of it waits for the system.

use super::Table;
use super::memory::Words;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Weak};
use std::thread::Builder;

/// In a table of so many MiB or less the searches find all pages themselves before anybody notices.
const SMALL: usize = 16;
/// Words of the smallest page that systems have.
const PAGE: usize = 4096 / 8;
/// Words touched before a look at whether the table is still wanted: a huge page.
const PORTION: usize = (2 << 20) / 8;
/// Only where nobody else wants the core.
const NICENESS: i32 = 19;

impl Table {
    /// Begins to touch all pages of a table that is not small, in a thread of its own that steps back for all others
    /// and ends when the table is gone. Returns at once; without that thread the table is only slower at first.
    pub fn fetch_pages(self: &Arc<Table>) {
        if self.mebibytes() <= SMALL {
            return;
        }
        let table = Arc::downgrade(self);
        let work = move || {
            step_back();
            fetch(&table);
        };
        if let Err(error) = Builder::new().name("pages".into()).spawn(work) {
            log::warn!("the pages of the table come when they are needed: {error}");
        }
    }
}

fn fetch(table: &Weak<Table>) {
    let mut next = 0;
    while let Some(table) = table.upgrade() {
        if !touch(&table.words, next) {
            log::debug!("all pages of the table are there");
            return;
        }
        next += PORTION;
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

fn step_back() {
    let thread = Some(rustix::thread::gettid());
    if let Err(error) = rustix::process::setpriority_process(thread, NICENESS) {
        log::debug!("the thread that touches the table keeps its priority: {error}");
    }
}

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
    fn the_system_has_given_all_pages() {
        let table = Arc::new(Table::new(48).unwrap());
        let address = table.words.as_slice().as_ptr() as usize;
        assert!(resident(address) < 48 << 10);
        fetch(&Arc::downgrade(&table));
        assert!(resident(address) >= 48 << 10);
    }

    #[test]
    fn nothing_is_fetched_for_a_table_that_is_gone() {
        let table = Arc::new(Table::new(20).unwrap());
        let gone = Arc::downgrade(&table);
        drop(table);
        fetch(&gone);
    }

    /// KiB in memory of the mapping that an address is in.
    fn resident(address: usize) -> usize {
        let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let mut lines = maps.lines();
        lines.find(|line| {
            let range = line.split(' ').next().and_then(|range| range.split_once('-'));
            let ends =
                range.map(|(from, to)| (usize::from_str_radix(from, 16), usize::from_str_radix(to, 16)));
            matches!(ends, Some((Ok(from), Ok(to))) if (from..to).contains(&address))
        });
        let rss = lines.find_map(|line| line.strip_prefix("Rss:")).expect("a mapping");
        rss.trim().trim_end_matches("kB").trim().parse().unwrap()
    }
}
