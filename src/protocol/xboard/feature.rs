//! Features that an engine announces in answer to `protover`.

use super::plain::{plain, quoted_text};
use std::fmt;

/// The longest value in bytes: xboard reads each word into 512.
const MAX_VALUE: usize = 480;

/// One item of a `feature` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Feature {
    /// `NAME=0` or `NAME=1`.
    Flag(&'static str, bool),
    /// `NAME="TEXT"`.
    Text(&'static str, String),
    /// `option="DECLARATION"`.
    Option(OptionDeclaration),
}

/// An option that a user may set: `option NAME=VALUE`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionDeclaration {
    /// Its name, which may contain blanks but neither `=` nor quotes.
    pub name: String,
    /// The values it takes.
    pub kind: OptionKind,
}

/// The values of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// No value: an action.
    Button,
    /// An action that closes the dialog.
    Save,
    /// An action before which the GUI forgets all options, to receive them anew.
    Reset,
    /// On or off.
    Check(bool),
    /// A number: default, least, greatest.
    Spin(i64, i64, i64),
    /// A number shown as a slider: default, least, greatest.
    Slider(i64, i64, i64),
    /// Text.
    String(String),
    /// The path of a file.
    File(String),
    /// The path of a directory.
    Path(String),
    /// One of several choices; the index of the default.
    Combo(Vec<String>, usize),
}

impl OptionKind {
    fn is_empty_text(&self) -> bool {
        matches!(self, OptionKind::String(text) | OptionKind::File(text) | OptionKind::Path(text) if text.is_empty())
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Feature::Flag(name, value) => write!(f, "{name}={}", u8::from(*value)),
            Feature::Text(name, value) => write!(f, "{name}=\"{}\"", quoted_text(value, MAX_VALUE)),
            Feature::Option(option) => {
                let text = quoted_text(&option.to_string(), MAX_VALUE);
                // xboard looks for the blank after the type, even without a text.
                let blank = if option.kind.is_empty_text() { " " } else { "" };
                write!(f, "option=\"{text}{blank}\"")
            }
        }
    }
}

impl fmt::Display for OptionDeclaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", plain(&self.name, 60))?;
        match &self.kind {
            OptionKind::Button => f.write_str("-button"),
            OptionKind::Save => f.write_str("-save"),
            OptionKind::Reset => f.write_str("-reset"),
            OptionKind::Check(value) => write!(f, "-check {}", u8::from(*value)),
            OptionKind::Spin(value, least, greatest) => write!(f, "-spin {value} {least} {greatest}"),
            OptionKind::Slider(value, least, greatest) => write!(f, "-slider {value} {least} {greatest}"),
            OptionKind::String(value) => write!(f, "-string {value}"),
            OptionKind::File(value) => write!(f, "-file {value}"),
            OptionKind::Path(value) => write!(f, "-path {value}"),
            OptionKind::Combo(choices, default) => {
                f.write_str("-combo ")?;
                for (index, choice) in choices.iter().enumerate() {
                    let separator = if index > 0 { " /// " } else { "" };
                    let mark = if index == *default { "*" } else { "" };
                    write!(f, "{separator}{mark}{choice}")?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(name: &str, kind: OptionKind) -> String {
        Feature::Option(OptionDeclaration { name: name.to_owned(), kind }).to_string()
    }

    #[test]
    fn options_are_declared_as_the_protocol_wants() {
        assert_eq!(option("Clear Hash", OptionKind::Button), r#"option="Clear Hash -button""#);
        assert_eq!(option("MultiPV", OptionKind::Spin(1, 1, 32)), r#"option="MultiPV -spin 1 1 32""#);
        assert_eq!(
            option("Style", OptionKind::Combo(vec!["Solid".into(), "Wild".into()], 1)),
            r#"option="Style -combo Solid /// *Wild""#
        );
        assert_eq!(option("Anew", OptionKind::Reset), r#"option="Anew -reset""#);
        assert_eq!(option("Greeting", OptionKind::String(String::new())), r#"option="Greeting -string ""#);
        assert_eq!(option("Log", OptionKind::File("a b".into())), r#"option="Log -file a b""#);
    }

    #[test]
    fn a_quote_cannot_end_the_value_early() {
        assert_eq!(Feature::Text("myname", "a \"b\"\nc".into()).to_string(), "myname=\"a 'b' c\"");
    }
}
