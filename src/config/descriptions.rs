//! Descriptions of the keys of tables, for the manual page and `docs/settings.md`. The keys above
//! all tables are described by the help of their flags.

use super::known_keys::SettingsTable;

/// The tables and their keys, as `docs/settings.md` shows them.
pub const TABLES: &str = include_str!("tables.md");

/// A key of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableKey {
    /// Name of the key.
    pub name: &'static str,
    /// Form of the value, named like the values of flags.
    pub value: &'static str,
    /// Default in words; `required` if there is none.
    pub default: &'static str,
    /// Meaning in one or two sentences.
    pub meaning: &'static str,
}

impl SettingsTable {
    /// Returns the described keys of a table; none for the top of the file.
    pub fn described_keys(self) -> impl Iterator<Item = TableKey> {
        let rows = self.section().lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"));
        rows.filter_map(|row| {
            let mut cells = row.split(" | ");
            let mut cell = || cells.next().map(|cell| cell.trim_matches('`'));
            Some(TableKey { name: cell()?, value: cell()?, default: cells.next()?, meaning: cells.next()? })
        })
    }

    /// Returns what the table is for.
    pub fn purpose(self) -> &'static str {
        self.section().lines().nth(2).unwrap_or_default()
    }

    /// Returns the part of [`TABLES`] about a table, from its header on.
    fn section(self) -> &'static str {
        let is_own =
            |section: &&str| section.strip_prefix('`').is_some_and(|text| text.starts_with(self.header()));
        TABLES.split("## ").find(is_own).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_key_of_a_table_is_described() {
        for table in SettingsTable::ALL.into_iter().filter(|&table| table != SettingsTable::Top) {
            let described: BTreeSet<&str> = table.described_keys().map(|key| key.name).collect();
            assert_eq!(described, table.keys().collect(), "{table:?}");
            assert_eq!(described.len(), table.described_keys().count(), "{table:?}");
            assert!(table.purpose().ends_with('.'), "{table:?}");
        }
    }
}
