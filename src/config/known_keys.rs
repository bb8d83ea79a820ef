//! Reads the configuration file, and suggests keys for unknown ones.

use super::ConfigError;
use super::config_file::{line, named_tables, table, tables};
use super::engine::EngineSettings;
use super::http::HttpTable;
use super::listen::ListenInFile;
use super::profile::ProfileSettings;
use super::settings::{SessionSettings, Settings};
use super::shares::SourceSettings;
use serde::de::value::Error;
use serde::de::{Deserialize, Deserializer, Error as _, Visitor};
use std::fmt;
use std::path::Path;
use toml::de::DeTable;

/// A table whose keys are settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SettingsTable {
    /// Keys of the top level.
    Top,
    /// `[[listen]]`.
    Listen,
    /// `[http]`.
    Http,
    /// `[[source]]`.
    Source,
    /// `[session]`.
    Session,
    /// `[engine.NAME]`.
    Engine,
    /// `[profile.NAME]`.
    Profile,
}

impl SettingsTable {
    /// All of them.
    pub const ALL: [SettingsTable; 7] = [
        SettingsTable::Top,
        SettingsTable::Listen,
        SettingsTable::Http,
        SettingsTable::Source,
        SettingsTable::Session,
        SettingsTable::Engine,
        SettingsTable::Profile,
    ];

    /// Its header, as people type it.
    pub fn header(self) -> &'static str {
        match self {
            SettingsTable::Top => "the top of the file",
            SettingsTable::Listen => "[[listen]]",
            SettingsTable::Http => "[http]",
            SettingsTable::Source => "[[source]]",
            SettingsTable::Session => "[session]",
            SettingsTable::Engine => "[engine.NAME]",
            SettingsTable::Profile => "[profile.NAME]",
        }
    }

    /// Its keys, but for those that only files of earlier versions have.
    pub fn keys(self) -> impl Iterator<Item = &'static str> {
        self.all_keys().iter().copied().filter(|key| *key != "kind")
    }

    fn all_keys(self) -> &'static [&'static str] {
        match self {
            SettingsTable::Top => fields_of::<Settings>(),
            SettingsTable::Listen => fields_of::<ListenInFile>(),
            SettingsTable::Http => fields_of::<HttpTable>(),
            SettingsTable::Source => fields_of::<SourceSettings>(),
            SettingsTable::Session => fields_of::<SessionSettings>(),
            SettingsTable::Engine => fields_of::<EngineSettings>(),
            SettingsTable::Profile => fields_of::<ProfileSettings>(),
        }
    }
}

impl Settings {
    /// Parses the text of a configuration file; `path` is for error messages.
    pub fn parse(text: &str, path: &Path) -> Result<Settings, ConfigError> {
        if let Some((unknown, line)) = UnknownKey::first_in(text) {
            let error = Box::new(ConfigError::UnknownKey(unknown));
            return Err(ConfigError::AtLine(path.to_owned(), line, error));
        }
        toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| line(text, span.start));
            ConfigError::Parse(path.to_owned(), line, Box::new(error))
        })
    }
}

/// A key that its table does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownKey {
    key: String,
    table: SettingsTable,
    /// The first header above the key; `None` for a key in an inline table at the top of the file.
    first: Option<String>,
}

impl UnknownKey {
    /// The first unknown key of a file, with its line. `None` also if the file is not TOML.
    pub(super) fn first_in(text: &str) -> Option<(UnknownKey, usize)> {
        let parsed = DeTable::parse(text).ok()?;
        let unknown = all_tables(parsed.get_ref()).flat_map(|(table, keys)| {
            keys.keys()
                .filter(move |key| !table.all_keys().contains(&key.get_ref().as_ref()))
                .map(move |key| (table, key.get_ref().to_string(), key.span().start))
        });
        let (table, key, offset) = unknown.min_by_key(|&(.., offset)| offset)?;
        let is_header = |text: &&str| text.starts_with('[');
        let line = line(text, offset);
        let first = text.lines().take(line).map(str::trim).find(is_header).map(str::to_owned);
        Some((UnknownKey { key, table, first }, line))
    }

    /// The key of the same table that is spelt most like this.
    fn similar(&self) -> Option<&'static str> {
        let likeness = |key: &str| strsim::normalized_damerau_levenshtein(key, &self.key);
        let keys = self.table.keys().map(|key| (likeness(key), key));
        let best = keys.max_by(|one, other| one.0.total_cmp(&other.0));
        best.filter(|&(likeness, _)| likeness >= 0.65).map(|(_, key)| key)
    }
}

/// The tables of a file that have settings.
fn all_tables<'a>(file: &'a DeTable<'a>) -> impl Iterator<Item = (SettingsTable, &'a DeTable<'a>)> {
    let of = |table: SettingsTable| move |keys: &'a DeTable<'a>| (table, keys);
    std::iter::once((SettingsTable::Top, file))
        .chain(tables(file, "listen").map(of(SettingsTable::Listen)))
        .chain(table(file, &["http"]).map(of(SettingsTable::Http)))
        .chain(tables(file, "source").map(of(SettingsTable::Source)))
        .chain(table(file, &["session"]).map(of(SettingsTable::Session)))
        .chain(named_tables(file, "engine").map(of(SettingsTable::Engine)))
        .chain(named_tables(file, "profile").map(of(SettingsTable::Profile)))
}

impl fmt::Display for UnknownKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownKey { key, table, first } = self;
        let has_it = |other: &SettingsTable| other.keys().any(|known| known == key);
        if has_it(&SettingsTable::Top) {
            return match first {
                Some(first) if first.starts_with("[[") => {
                    write!(f, "`{key}` belongs above the first {first}")
                }
                Some(first) => write!(f, "`{key}` belongs above {first}"),
                None => write!(f, "`{key}` belongs at the top of the file"),
            };
        }
        let others: Vec<&str> =
            SettingsTable::ALL.iter().filter(|&other| has_it(other)).map(|other| other.header()).collect();
        if !others.is_empty() {
            return write!(f, "`{key}` belongs below {}", others.join(" or "));
        }
        match self.similar() {
            Some(known) => write!(f, "there is no setting `{key}`: did you mean `{known}`?"),
            None => {
                let keys: Vec<String> = table.keys().map(|key| format!("`{key}`")).collect();
                write!(f, "there is no setting `{key}`; {} has {}", table.header(), keys.join(", "))
            }
        }
    }
}

/// Returns the field names that a struct's definition passes to a deserializer.
fn fields_of<T: Deserialize<'static>>() -> &'static [&'static str] {
    let mut fields: &'static [&'static str] = &[];
    // The names are all that is wanted; there is nothing to read.
    let _ = T::deserialize(FieldNames(&mut fields));
    fields
}

struct FieldNames<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for FieldNames<'_> {
    type Error = Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        *self.0 = fields;
        Err(Error::custom("there is nothing to read"))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("there is nothing to read"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reported(text: &str) -> Option<(String, usize)> {
        UnknownKey::first_in(text).map(|(unknown, line)| (unknown.to_string(), line))
    }

    #[test]
    fn a_misplaced_key_is_reported_with_its_table() {
        for (text, said, line) in [
            ("[[listen]]\naddress = 1\narchive = \"x\"\n", "`archive` belongs above the first [[listen]]", 3),
            ("[http]\naddress = 1\n[[listen]]\nworkers = 1\n", "`workers` belongs above [http]", 4),
            ("http = { archive = \"x\" }\n", "`archive` belongs at the top of the file", 1),
            ("protocol = \"uci\"\n", "`protocol` belongs below [[listen]] or [engine.NAME]", 1),
            ("[[source]]\nnetwork = \"::1\"\nbanner = \"x\"\n", "`banner` belongs below [profile.NAME]", 3),
            ("interrupt = \"look\"\n", "`interrupt` belongs below [session]", 1),
            ("[profile.x]\nweight = 3\n", "`weight` belongs below [[source]]", 2),
        ] {
            assert_eq!(reported(text), Some((said.to_owned(), line)), "{text}");
        }
    }

    #[test]
    fn a_misspelt_key_is_reported_with_the_one_that_was_meant() {
        for (text, meant) in [
            ("worksers = 2", "workers"),
            ("max_session = 2", "max_sessions"),
            ("[[listen]]\nadress = 2", "address"),
            ("http = { allw = 1 }", "allow"),
            ("[engine.x]\ncomand = []", "command"),
        ] {
            let (said, _) = reported(text).expect(text);
            assert!(said.ends_with(&format!("did you mean `{meant}`?")), "{said}");
        }
        let (said, _) = reported("[[listen]]\nxyz = 1").expect("unknown");
        assert!(said.contains("[[listen]] has `transport`") && !said.contains("`kind`"), "{said}");
        let (said, _) = reported("[[listen]]\nknd = 1").expect("unknown");
        assert!(!said.contains("`kind`"), "what only old files have is not offered: {said}");
    }

    #[test]
    fn what_is_right_or_is_no_toml_has_no_unknown_key() {
        assert_eq!(reported(include_str!("../../deploy/farboard.toml")), None);
        assert_eq!(reported("[[listen]]\nkind = \"xboard\"\naddress = 1\n[option]\nAnything = 1\n"), None);
        assert_eq!(reported("[[listen]\nworksers = 1"), None);
        for table in SettingsTable::ALL {
            assert!(table.keys().count() > 0, "{table:?}");
        }
    }
}
