//! One description of fields for both directions: a session names each of its fields once, and the
//! same calls write and read it.

use super::{SessionState, StateError, Value, Words};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::Instant;

/// The lines of a new session or section: lines equal to these are left out.
#[derive(Default)]
pub(super) struct Defaults {
    lines: String,
    /// Where the next line probably is: fields come in the same order.
    next: usize,
}

impl Defaults {
    pub(super) fn of(state: SessionState) -> Defaults {
        Defaults { lines: state.open + &state.secret, next: 0 }
    }

    /// Returns true if a line is among them.
    fn have(&mut self, line: &str) -> bool {
        if !self.lines[self.next..].starts_with(line) {
            let place = self.place(self.next, key_of(line)).or_else(|| self.place(0, key_of(line)));
            let Some(place) = place else { return false };
            self.next = place;
        }
        let rest = &self.lines[self.next..];
        let has = rest.starts_with(line);
        self.next += rest.find('\n').map_or(rest.len(), |end| end + 1);
        has
    }

    /// Returns where the line with this key begins, from this place on.
    fn place(&self, from: usize, key: &str) -> Option<usize> {
        let mut place = from;
        self.lines[from..].split_inclusive('\n').find_map(|line| {
            let start = place;
            place += line.len();
            (key_of(line) == key).then_some(start)
        })
    }
}

/// The key of a line.
fn key_of(line: &str) -> &str {
    line.split([' ', '\n']).next().unwrap_or_default()
}

enum Direction<'a> {
    Write(&'a mut SessionState, Defaults),
    Read(&'a mut BTreeMap<String, String>),
}

/// The fields of a session, being written or read.
pub(in crate::session) struct Fields<'a> {
    direction: Direction<'a>,
    /// The instant to which times are relative.
    now: Instant,
    /// The prefix of each key: the section with a dot.
    prefix: String,
    is_secret: bool,
}

impl<'a> Fields<'a> {
    /// Fields to be appended to a state, except those equal to `defaults`.
    pub(super) fn writing(state: &'a mut SessionState, defaults: Defaults, now: Instant) -> Fields<'a> {
        Fields { direction: Direction::Write(state, defaults), now, prefix: String::new(), is_secret: false }
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

    /// The error for an impossible value of this key.
    pub(in crate::session) fn wrong(&self, key: &str) -> StateError {
        StateError::Value(format!("{}{key}", self.prefix))
    }

    /// A field with a value. On reading, a missing field keeps its value.
    pub(in crate::session) fn field<T: Value>(&mut self, key: &str, value: &mut T) -> Result<(), StateError> {
        match &mut self.direction {
            Direction::Write(state, defaults) => {
                let out = if self.is_secret { &mut state.secret } else { &mut state.open };
                let start = out.len();
                out.push_str(&self.prefix);
                out.push_str(key);
                let end_of_key = out.len();
                out.push(' ');
                value.write(out, self.now);
                if out.len() == end_of_key + 1 {
                    out.truncate(end_of_key);
                }
                out.push('\n');
                if defaults.have(&out[start..]) {
                    out.truncate(start);
                }
            }
            Direction::Read(values) => {
                let full = format!("{}{key}", self.prefix);
                if let Some(text) = values.remove(&full) {
                    *value = Words::all(&text, self.now).ok_or(StateError::Value(full))?;
                }
            }
        }
        Ok(())
    }

    /// A field with a value from this range.
    pub(in crate::session) fn within<T: Value + PartialOrd>(
        &mut self,
        key: &str,
        value: &mut T,
        range: RangeInclusive<T>,
    ) -> Result<(), StateError> {
        self.field(key, value)?;
        if self.is_reading() && !range.contains(value) { Err(self.wrong(key)) } else { Ok(()) }
    }

    /// A value that is written as flags; `values` has the flags of each.
    pub(in crate::session) fn flags<T: Copy + PartialEq, const N: usize>(
        &mut self,
        keys: [&str; N],
        value: &mut T,
        values: &[(T, [bool; N])],
    ) -> Result<(), StateError> {
        let known = values.iter().find(|(known, _)| known == value);
        let mut flags = known.map_or([false; N], |&(_, flags)| flags);
        keys.iter().zip(&mut flags).try_for_each(|(key, flag)| self.field(key, flag))?;
        if self.is_reading() {
            let read = values.iter().find(|(_, known)| *known == flags);
            *value = read.ok_or_else(|| self.wrong(keys[N - 1]))?.0;
        }
        Ok(())
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

    /// A section that may be missing as a whole; `fresh` makes the value with which its fields are
    /// compared.
    pub(in crate::session) fn optional<T>(
        &mut self,
        key: &str,
        value: &mut Option<T>,
        fresh: impl FnOnce() -> T,
        describe: impl Fn(&mut T, &mut Fields<'_>) -> Result<(), StateError>,
    ) -> Result<(), StateError> {
        let mut exists = value.is_some();
        self.field(key, &mut exists)?;
        if !exists {
            *value = None;
            return Ok(());
        }
        let now = self.now;
        let prefix = format!("{}{key}.", self.prefix);
        if let (Direction::Write(_, defaults), Some(inner)) = (&mut self.direction, &mut *value) {
            let mut blank = SessionState::default();
            let mut section = Fields::writing(&mut blank, Defaults::default(), now);
            section.prefix.clone_from(&prefix);
            describe(&mut fresh(), &mut section)?;
            let outer = std::mem::replace(defaults, Defaults::of(blank));
            let described = self.section(key, |fields| describe(inner, fields));
            if let Direction::Write(_, defaults) = &mut self.direction {
                *defaults = outer;
            }
            return described;
        }
        let inner = value.get_or_insert_with(fresh);
        self.section(key, |fields| describe(inner, fields))
    }

    /// Values on a line each, numbered from 0; `most` of them at most.
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
            Direction::Write(..) => false,
            Direction::Read(values) => values.contains_key(&format!("{}{key}", self.prefix)),
        }
    }
}

/// Writes or reads the fields of a struct, and returns a [`Result`]: each `name: "key"`, perhaps
/// `in` a range, or by the expression after `=>`. The compiler reports a field that is missing; a
/// name alone is not part of the state.
macro_rules! describe {
    ($fields:ident, $this:expr => $type:ident {
        $($name:ident $(: $key:literal $(in $range:expr)?)? $(=> $code:expr)?),+ $(,)?
    }) => {{
        let $type { $($name),+ } = $this;
        $(
            let _ = &$name;
            $($crate::session::state::describe!(@ $fields $name $key $($range)?);)?
            $($code;)?
        )+
        Ok::<(), $crate::session::StateError>(())
    }};
    (@ $fields:ident $name:ident $key:literal) => { $fields.field($key, $name)? };
    (@ $fields:ident $name:ident $key:literal $range:expr) => { $fields.within($key, $name, $range)? };
}
pub(in crate::session) use describe;
