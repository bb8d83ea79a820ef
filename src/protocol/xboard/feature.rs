//! Features that an engine announces in answer to `protover`.

use super::plain::quoted_text;
use crate::protocol::OptionKind;
use crate::protocol::plain::printable;
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
    /// `option="NAME -TYPE VALUE"`: an option that a user may set. The name may contain blanks but
    /// neither `=` nor quotes.
    Option(String, OptionKind),
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Feature::Flag(name, value) => write!(f, "{name}={}", u8::from(*value)),
            Feature::Text(name, value) => write!(f, "{name}=\"{}\"", quoted_text(value, MAX_VALUE)),
            Feature::Option(name, kind) => {
                let text = quoted_text(&declaration(name, kind), MAX_VALUE);
                // xboard looks for the blank after the type, even without a text.
                let blank = if kind.value().is_some_and(|value| value.is_empty()) { " " } else { "" };
                write!(f, "option=\"{text}{blank}\"")
            }
        }
    }
}

fn declaration(name: &str, kind: &OptionKind) -> String {
    let name = printable(name, 60);
    match kind {
        OptionKind::Button => format!("{name} -button"),
        OptionKind::Save => format!("{name} -save"),
        OptionKind::Reset => format!("{name} -reset"),
        OptionKind::Check(value) => format!("{name} -check {}", u8::from(*value)),
        OptionKind::Spin(value, least, greatest) => format!("{name} -spin {value} {least} {greatest}"),
        OptionKind::Slider(value, least, greatest) => format!("{name} -slider {value} {least} {greatest}"),
        OptionKind::Text(value) => format!("{name} -string {value}"),
        OptionKind::File(value) => format!("{name} -file {value}"),
        OptionKind::Folder(value) => format!("{name} -path {value}"),
        OptionKind::Combo(choices, default) => {
            let mark = |index| if index == *default { "*" } else { "" };
            let marked = choices.iter().enumerate().map(|(index, choice)| format!("{}{choice}", mark(index)));
            format!("{name} -combo {}", marked.collect::<Vec<_>>().join(" /// "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(name: &str, kind: OptionKind) -> String {
        Feature::Option(name.to_owned(), kind).to_string()
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
        assert_eq!(option("Greeting", OptionKind::Text(String::new())), r#"option="Greeting -string ""#);
        assert_eq!(option("Log", OptionKind::File("a b".into())), r#"option="Log -file a b""#);
    }

    #[test]
    fn a_quote_cannot_end_the_value_early() {
        assert_eq!(Feature::Text("myname", "a \"b\"\nc".into()).to_string(), "myname=\"a 'b' c\"");
    }
}
