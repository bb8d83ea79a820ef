//! The variants of the protocol's types, read from their source.

pub const COMMANDS: &str = include_str!("../../../src/protocol/xboard/command.rs");
pub const EDIT_COMMANDS: &str = include_str!("../../../src/protocol/xboard/edit.rs");
pub const REPLIES: &str = include_str!("../../../src/protocol/xboard/reply.rs");

/// The names of an enum's variants as formatted by `rustfmt`: one per line, indented once.
pub fn variants(source: &str, name: &str) -> Vec<String> {
    let start = format!("\npub enum {name} {{\n");
    let (_, body) = source.split_once(&start).unwrap_or_else(|| panic!("no enum {name}"));
    let (body, _) = body.split_once("\n}\n").expect("its end");
    let indented = body.lines().filter_map(|line| line.strip_prefix("    "));
    let names = indented.filter(|line| line.starts_with(|first: char| first.is_ascii_uppercase()));
    names.map(|line| line.chars().take_while(char::is_ascii_alphanumeric).collect()).collect()
}

#[test]
fn variants_are_found() {
    let source = "/// A.\npub enum Thing {\n    /// B.\n    Bare,\n    One(u8, String),\n    Named {\n        /// F.\n        Field: u8,\n    },\n}\n";
    assert_eq!(variants(source, "Thing"), ["Bare", "One", "Named"]);
}
