//! Zeroed memory mapped as atomic words, and prefetching. Contains `unsafe` code.

#![allow(unsafe_code)]

use memmap2::MmapMut;
use std::io;
use std::sync::atomic::AtomicU64;

/// Zeroed words that cost nothing until touched.
pub(super) struct Words {
    map: MmapMut,
    len: usize,
}

impl Words {
    /// Maps `len` words (at least one), page-aligned, on huge pages if available.
    ///
    /// # Errors
    /// The system has no more memory to map.
    pub(super) fn zeroed(len: usize) -> io::Result<Words> {
        let map = MmapMut::map_anon(len.max(1) * size_of::<AtomicU64>())?;
        #[cfg(target_os = "linux")]
        if let Err(error) = map.advise(memmap2::Advice::HugePage) {
            log::debug!("no huge pages for the table: {error}");
        }
        Ok(Words { map, len: len.max(1) })
    }

    /// Returns the words.
    #[inline]
    pub(super) fn as_slice(&self) -> &[AtomicU64] {
        // SAFETY: the map is page-aligned, initialised (anonymous maps are zeroed), `len` words
        // long, lives as long as `self`, and is never handed out in another form, so all access is
        // through these atomics.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<AtomicU64>(), self.len) }
    }
}

/// Prefetches the cache line of a word.
#[inline]
pub(super) fn prefetch(word: &AtomicU64) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching has no effect on memory, and the address belongs to a word.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}
