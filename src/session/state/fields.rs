//! One description of fields for both directions: a session names each of its fields once, and the same calls write it and
//! read it.

use super::{StateError, Value};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::Instant;

/// A key and its values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    pub(super) key: String,
    pub(super) value: String,
    /// The client must not see it.
    pub(super) is_secret: bool,
}

impl Line {
    pub(super) fn print(&self, out: &mut String) {
        out.push_str(&self.key);
        if !self.value.is_empty() {
            out.push(' ');
            out.push_str(&self.value);
        }
        out.push('\n');
    }

    pub(super) fn read(text: &str, is_secret: bool) -> Line {
        let (key, value) = text.split_once(' ').unwrap_or((text, ""));
        Line { key: key.to_owned(), value: value.to_owned(), is_secret }
    }
}

enum Direction<'a> {
    Write(&'a mut Vec<Line>),
    Read(&'a mut BTreeMap<String, String>),
}

/// The fields of a session, being written or read.
pub(in crate::session) struct Fields<'a> {
    direction: Direction<'a>,
    /// The instant to which times are relative.
    now: Instant,
    /// What stands before each key: the section with a dot.
    prefix: String,
    is_secret: bool,
}

impl<'a> Fields<'a> {
    pub(super) fn writing(lines: &'a mut Vec<Line>, now: Instant) -> Fields<'a> {
        Fields { direction: Direction::Write(lines), now, prefix: String::new(), is_secret: false }
    }

    pub(super) fn reading(values: &'a mut BTreeMap<String, String>, now: Instant) -> Fields<'a> {
        Fields { direction: Direction::Read(values), now, prefix: String::new(), is_secret: false }
    }

    pub(in crate::session) fn is_reading(&self) -> bool {
        matches!(self.direction, Direction::Read(_))
    }

    /// The instant to which times are relative.
    pub(in crate::session) fn now(&self) -> Instant {
        self.now
    }

    /// The error that the value of this key is not possible.
    pub(in crate::session) fn wrong(&self, key: &str) -> StateError {
        StateError::Value(format!("{}{key}", self.prefix))
    }

    /// A field with a value. When reading, a missing one stays as it is.
    pub(in crate::session) fn field<T: Value>(&mut self, key: &str, value: &mut T) -> Result<(), StateError> {
        let full = format!("{}{key}", self.prefix);
        match &mut self.direction {
            Direction::Write(lines) => {
                lines.push(Line { key: full, value: value.write(self.now), is_secret: self.is_secret });
            }
            Direction::Read(values) => {
                if let Some(text) = values.remove(&full) {
                    *value = T::read(&text, self.now).ok_or(StateError::Value(full))?;
                }
            }
        }
        Ok(())
    }

    /// The same with a value from this range.
    pub(in crate::session) fn within<T: Value + PartialOrd>(
        &mut self,
        key: &str,
        value: &mut T,
        range: RangeInclusive<T>,
    ) -> Result<(), StateError> {
        self.field(key, value)?;
        if self.is_reading() && !range.contains(value) { Err(self.wrong(key)) } else { Ok(()) }
    }

    /// Fields whose keys begin with this section.
    pub(in crate::session) fn section(
        &mut self,
        key: &str,
        describe: impl FnOnce(&mut Fields<'a>) -> Result<(), StateError>,
    ) -> Result<(), StateError> {
        let length = self.prefix.len();
        self.prefix.push_str(key);
        self.prefix.push('.');
        let described = describe(self);
        self.prefix.truncate(length);
        described
    }

    /// Fields that the client must not see if `is_secret`.
    pub(in crate::session) fn secret(
        &mut self,
        is_secret: bool,
        describe: impl FnOnce(&mut Fields<'a>) -> Result<(), StateError>,
    ) -> Result<(), StateError> {
        let before = self.is_secret;
        self.is_secret |= is_secret;
        let described = describe(self);
        self.is_secret = before;
        described
    }

    /// A section that may be missing as a whole; `fresh` makes one whose fields are then read.
    pub(in crate::session) fn optional<T>(
        &mut self,
        key: &str,
        value: &mut Option<T>,
        fresh: impl FnOnce() -> T,
        describe: impl FnOnce(&mut T, &mut Fields<'a>) -> Result<(), StateError>,
    ) -> Result<(), StateError> {
        let mut exists = value.is_some();
        self.field(key, &mut exists)?;
        if !exists {
            *value = None;
            return Ok(());
        }
        let inner = value.get_or_insert_with(fresh);
        self.section(key, |fields| describe(inner, fields))
    }

    /// Values on a line each, with their numbers from 0; at most `most` of them.
    pub(in crate::session) fn list<T: Value>(
        &mut self,
        key: &str,
        values: &mut Vec<T>,
        most: usize,
    ) -> Result<(), StateError> {
        if !self.is_reading() {
            return values
                .iter_mut()
                .enumerate()
                .try_for_each(|(number, value)| self.field(&format!("{key}.{number}"), value));
        }
        while self.has(&format!("{key}.{}", values.len())) {
            if values.len() >= most {
                return Err(self.wrong(key));
            }
            let number = values.len();
            let mut read = None;
            self.field(&format!("{key}.{number}"), &mut read)?;
            values.push(read.ok_or_else(|| self.wrong(key))?);
        }
        Ok(())
    }

    fn has(&self, key: &str) -> bool {
        match &self.direction {
            Direction::Write(_) => false,
            Direction::Read(values) => values.contains_key(&format!("{}{key}", self.prefix)),
        }
    }
}
