//! farboard.toml(5), generated from the definitions of the settings.

use super::sections::{FILES, see_also};
use super::{entries, section};
use clap::{Arg, ArgAction, Args, Command};
use clap_mangen::roff::{Roff, bold, italic, roman};
use farboard::config::{Settings, SettingsTable};

/// The example with all settings.
const DEFAULTS: &str = include_str!("../../deploy/farboard.toml");

/// Name of the page without its section.
pub const NAME: &str = "farboard.toml";

/// Flags that are tables in the file.
pub const FLAG_TABLES: [&str; 2] = ["listen", "option"];

/// The page.
pub fn page() -> Roff {
    let flags = Settings::augment_args(Command::new("farboard"));
    let mut page = Roff::new();
    page.control("TH", [NAME, "5", "", concat!("farboard ", env!("CARGO_PKG_VERSION")), ""]);
    section(&mut page, "NAME", "farboard.toml - settings of the Farboard chess engine server");
    section(
        &mut page,
        "DESCRIPTION",
        "A TOML file for --config. Each setting above the tables is also a flag of the same name, with - for _, and flags \
         override the file. farboard check checks the file and everything that it names, without starting a server. A \
         running server reloads it at SIGHUP.",
    );
    page.control("SH", ["SETTINGS"]);
    for key in SettingsTable::Top.keys().filter(|key| !FLAG_TABLES.contains(key)) {
        if let Some(flag) = flags.get_arguments().find(|flag| flag.get_id() == key) {
            setting(&mut page, key, flag);
        }
    }
    page.control("SH", ["TABLES"]);
    page.text([
        roman("Tables follow all other settings. "),
        bold("[option]"),
        roman(" has a key for each option of the engine."),
    ]);
    for table in SettingsTable::ALL.into_iter().filter(|table| *table != SettingsTable::Top) {
        page.control("TP", []).text([bold(table.header())]);
        page.text([roman(table.purpose().replace('`', ""))]);
        page.control("RS", []);
        for key in table.described_keys() {
            page.control("TP", []).text([bold(key.name), roman(" = "), italic(key.value)]);
            page.text([roman(format!("{} [default: {}]", key.meaning, key.default).replace('`', ""))]);
        }
        page.control("RE", []);
    }
    page.control("SH", ["EXAMPLE"]);
    page.text([roman("All settings with their defaults:")]);
    page.control("PP", []).control("EX", []);
    for line in DEFAULTS.lines() {
        page.text([roman(line)]);
    }
    page.control("EE", []);
    entries(&mut page, "FILES", &FILES);
    section(&mut page, "SEE ALSO", &see_also(NAME));
    page
}

fn setting(page: &mut Roff, key: &str, flag: &Arg) {
    let value = flag.get_value_names().and_then(|names| names.first()).map_or("VALUE", |name| name.as_str());
    let list = if matches!(flag.get_action(), ArgAction::Append) { ["[", ", …]"] } else { [""; 2] };
    page.control("TP", []).text([bold(key), roman(" = "), roman(list[0]), italic(value), roman(list[1])]);
    page.text([roman(flag.get_help().map(ToString::to_string).unwrap_or_default())]);
}
