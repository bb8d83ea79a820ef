//! The line of a setting in its file, for error messages.
//!
//! Most mistakes show only when file, flags and defaults are put together. The setting is then
//! looked for in the text of the file; one that a flag overrides is not found there, and needs no
//! line.

use super::{ConfigError, listen};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A configuration file that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigFile {
    path: PathBuf,
    text: Arc<str>,
}

/// The line, counted from 1, of the byte at this offset.
pub(super) fn line(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|&byte| byte == b'\n').count() + 1
}

impl ConfigFile {
    pub(super) fn new(path: &Path, text: &str) -> ConfigFile {
        ConfigFile { path: path.to_owned(), text: text.into() }
    }
}

impl ConfigError {
    /// The error with its line in this file, if the file has the setting.
    pub(super) fn with_line(self, source: Option<&ConfigFile>) -> ConfigError {
        let found = source.and_then(|source| {
            let table = DeTable::parse(&source.text).ok()?;
            Some((source, line(&source.text, offset(&self, table.get_ref())?)))
        });
        match found {
            Some((source, line)) => ConfigError::AtLine(source.path.clone(), line, Box::new(self)),
            None => self,
        }
    }
}

type Table<'a> = DeTable<'a>;
type Value<'a> = Spanned<DeValue<'a>>;

/// The offset of the setting that the error is about.
fn offset(error: &ConfigError, file: &Table) -> Option<usize> {
    match error {
        ConfigError::Range { setting, value, .. } => {
            let read = |found: &DeValue| found.as_integer()?.as_str().parse().ok();
            std::iter::once(file)
                .chain(tables(file, "source"))
                .chain(named_tables(file, "engine"))
                .find_map(|table| at(table.get(*setting)?, read, value))
        }
        ConfigError::UnprotectedListener(address)
        | ConfigError::RshWithoutAllow(address)
        | ConfigError::HttpLoginWithoutTls(address)
        | ConfigError::DuplicateListener(address) => listener(file, *address)
            .map(|found| start(&found["address"]))
            .or_else(|| file.get("http").map(start)),
        ConfigError::AllowHostBeyondLoopback(_) => table(file, &["http"])?.get("allow_host").map(start),
        ConfigError::RshWithKeys(address) => {
            let found = listener(file, *address)?;
            ["secret_file", "tls", "users", "client_ca"].iter().find_map(|key| found.get(*key)).map(start)
        }
        ConfigError::RshWithProxy(address) => listener(file, *address)?.get("proxy").map(start),
        ConfigError::AgentWith(address, setting) => listener(file, *address)?.get(*setting).map(start),
        ConfigError::UnknownProfile(address, ..) => listener(file, *address)?.get("profile").map(start),
        ConfigError::ClientsWithoutTls(address) => {
            let listener = listener(file, *address).and_then(|found| found.get("client_ca"));
            listener.or_else(|| file.get("client_ca")).map(start)
        }
        ConfigError::Users(path, _) => path_of(file, "users", path),
        ConfigError::ProfileOfUser(..) => None,
        ConfigError::Secret(path, _) => path_of(file, "secret_file", path),
        ConfigError::Tls(path, _) => path_of(file, "tls", path),
        ConfigError::StateKey(..) => file.get("state_key").map(start),
        ConfigError::Archive(..) => file.get("archive").map(start),
        ConfigError::Endgames(..) => file.get("endgames").map(start),
        ConfigError::Book(path, _) => {
            let books = file.get("book")?.get_ref().as_array()?;
            books.iter().find_map(|book| at(book, as_text, &path.to_str()?))
        }
        ConfigError::Option(error) => key(table(file, &["option"])?, &error.name),
        ConfigError::ProfileOption(name, error) => {
            key(table(file, &["profile", name, "options"])?, &error.name)
        }
        ConfigError::UnknownEngine(profile, ..) => {
            table(file, &["profile", profile])?.get("engine").map(start)
        }
        ConfigError::NoCommand(name) | ConfigError::EngineProgram(name, ..) => {
            table(file, &["engine", name])?.get("command").map(start)
        }
        ConfigError::ManagedOption(name, option) => key(table(file, &["engine", name, "options"])?, option),
        ConfigError::Hosting(name, _) | ConfigError::EngineFails(name, _) => {
            key(table(file, &["engine"])?, name)
        }
        ConfigError::ProfileName(name) => key(table(file, &["profile"])?, name),
        ConfigError::Read(..)
        | ConfigError::LogVariable(..)
        | ConfigError::Parse(..)
        | ConfigError::UnknownKey(..)
        | ConfigError::AtLine(..) => None,
    }
}

fn start(value: &Value) -> usize {
    value.span().start
}

/// The offset of a value, if it is the wanted one.
fn at<'a, T: PartialEq>(
    value: &'a Value,
    read: impl Fn(&'a DeValue) -> Option<T>,
    wanted: &T,
) -> Option<usize> {
    (read(value.get_ref())? == *wanted).then(|| start(value))
}

fn as_text<'a>(value: &'a DeValue) -> Option<&'a str> {
    value.as_str()
}

fn key(table: &Table, name: &str) -> Option<usize> {
    table.iter().find(|(key, _)| key.get_ref() == name).map(|(key, _)| key.span().start)
}

/// The tables of the array `[[name]]`.
pub(super) fn tables<'a>(file: &'a Table<'a>, name: &str) -> impl DoubleEndedIterator<Item = &'a Table<'a>> {
    let tables = file.get(name).and_then(|found| found.get_ref().as_array());
    tables.into_iter().flat_map(|list| list.iter()).filter_map(|one| one.get_ref().as_table())
}

/// The table at the end of this path of keys.
pub(super) fn table<'a>(file: &'a Table<'a>, path: &[&str]) -> Option<&'a Table<'a>> {
    path.iter().try_fold(file, |table, key| table.get(*key)?.get_ref().as_table())
}

/// The tables `[name.NAME]`.
pub(super) fn named_tables<'a>(file: &'a Table<'a>, name: &str) -> impl Iterator<Item = &'a Table<'a>> {
    let all = table(file, &[name]).into_iter().flat_map(|all| all.values());
    all.filter_map(|one| one.get_ref().as_table())
}

/// All listeners, that for HTTP last.
fn listeners<'a>(file: &'a Table<'a>) -> impl DoubleEndedIterator<Item = &'a Table<'a>> {
    tables(file, "listen").chain(table(file, &["http"]))
}

/// The listener with this address; the last if there are two.
fn listener<'a>(file: &'a Table<'a>, address: SocketAddr) -> Option<&'a Table<'a>> {
    listeners(file).rev().find(|listener| {
        let typed = listener.get("address").map(|found| found.get_ref());
        let text = typed.and_then(|typed| typed.as_str().or_else(|| Some(typed.as_integer()?.as_str())));
        text.and_then(|text| listen::address(text).ok()) == Some(address)
    })
}

/// The offset of a path under this key, for all listeners or for one.
fn path_of(file: &Table, key: &str, path: &Path) -> Option<usize> {
    let wanted = path.to_str()?;
    std::iter::once(file).chain(listeners(file)).find_map(|table| at(table.get(key)?, as_text, &wanted))
}
