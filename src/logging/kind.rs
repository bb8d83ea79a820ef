//! The kind of a line, by which lines are limited.

use super::AUDIT;
use log::Record;
use log::kv::Key;
use std::fmt::{self, Write};
use std::hash::{BuildHasher, Hash, Hasher};

/// The kind of a line, as hashes: kinds with the same hash share a limit, which does no harm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kind {
    /// Source location, with the reason if the line names one.
    pub(super) place: u64,
    /// The same with the origin, if the line names one.
    pub(super) origin: Option<u64>,
}

impl Kind {
    /// The kind of a line; none for a line that is not limited, as its number matters.
    pub(super) fn of(record: &Record<'_>, hashes: &impl BuildHasher) -> Option<Kind> {
        let field = |name: &'static str| record.key_values().get(Key::from(name));
        if field(AUDIT).is_some() {
            return None;
        }
        let reason = field("reason").map(|reason| reason.to_string());
        let place = hashes.hash_one((record.target(), record.file(), record.line(), reason));
        let origin = field("from").map(|origin| {
            let mut hasher = HashWriter(hashes.build_hasher());
            place.hash(&mut hasher.0);
            // Hashing does not fail.
            let _ = write!(hasher, "{origin}");
            hasher.0.finish()
        });
        Some(Kind { place, origin })
    }
}

/// Hashes formatted text without allocating it.
struct HashWriter<H>(H);

impl<H: Hasher> Write for HashWriter<H> {
    fn write_str(&mut self, words: &str) -> fmt::Result {
        self.0.write(words.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use log::{Level, RecordBuilder};
    use std::hash::RandomState;

    #[test]
    fn a_kind_is_a_place_and_who_caused_it() {
        let hashes = RandomState::new();
        let of = |line: u32, fields: &[(&str, &str)]| {
            let record = RecordBuilder::new()
                .level(Level::Warn)
                .file(Some("a.rs"))
                .line(Some(line))
                .key_values(&fields)
                .build();
            Kind::of(&record, &hashes)
        };
        assert_eq!(of(1, &[(AUDIT, "true"), ("from", "192.0.2.7")]), None);
        let kind = |line, reason, from: Option<&str>| {
            let fields = [("reason", reason), ("from", from.unwrap_or_default())];
            of(line, &fields[..if from.is_some() { 2 } else { 1 }]).expect("it is limited")
        };
        let kinds = [
            kind(1, "x", None),
            kind(2, "x", None),
            kind(1, "y", None),
            kind(1, "x", Some("192.0.2.7")),
            kind(1, "x", Some("192.0.2.8")),
        ];
        assert!(kinds.iter().enumerate().all(|(index, kind)| !kinds[..index].contains(kind)));
        assert_eq!(kinds[0].place, kinds[4].place);
        assert_eq!(kind(1, "x", Some("192.0.2.7")), kinds[3]);
    }
}
