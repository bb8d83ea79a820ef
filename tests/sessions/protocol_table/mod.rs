//! The tables of `docs/protocol.md` against the code, the transcripts and the specifications.

mod document;
mod evidence;
mod variants;
mod words;

use crate::support::transcripts::all_transcripts;
use document::{Row, in_backticks, section};
use evidence::{Line, lines_of, option_names};
use farboard::book::Books;
use farboard::session::xboard::Session;
use farboard::session::{Effect, Input, Profile, Setup};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;
use variants::{COMMANDS, EDIT_COMMANDS, REPLIES, variants};
use words::{COMMAND_WORDS, EDIT_WORDS, FEATURE_WORDS, REPLY_WORDS};

const FROM_THE_GUI: &str = "From the GUI to the engine";
const INSIDE_EDIT: &str = "Inside edit";
const FROM_THE_ENGINE: &str = "From the engine to the GUI";

/// The rows of the three tables of commands.
fn commands() -> impl Iterator<Item = Row> {
    [FROM_THE_GUI, INSIDE_EDIT, FROM_THE_ENGINE].into_iter().flat_map(section)
}

fn transcripts() -> BTreeMap<String, Vec<Line>> {
    let name = |path: &std::path::Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    all_transcripts().iter().map(|transcript| (name(&transcript.path), lines_of(transcript))).collect()
}

#[test]
fn every_type_has_a_row_and_every_row_a_type_that_exists() {
    for (title, name, source) in [
        (FROM_THE_GUI, "Command", COMMANDS),
        (INSIDE_EDIT, "EditCommand", EDIT_COMMANDS),
        (FROM_THE_ENGINE, "Reply", REPLIES),
    ] {
        let declared: BTreeSet<String> = variants(source, name).into_iter().collect();
        let named: BTreeSet<String> = section(title).iter().flat_map(Row::types).collect();
        assert_eq!(named, declared, "{title}");
    }
}

#[test]
fn every_row_is_shown_by_its_transcripts() {
    let transcripts = transcripts();
    let wrong: Vec<String> = commands().flat_map(|row| wrong_with(&row, &transcripts)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Named transcripts that do not show the row, and parts of the row that no transcript shows.
fn wrong_with(row: &Row, transcripts: &BTreeMap<String, Vec<Line>>) -> Vec<String> {
    let (mut wrong, mut evidence) = (Vec::new(), Vec::new());
    let shown_by = row.transcripts();
    for name in &shown_by {
        let lines = transcripts.get(name).map_or(&[][..], Vec::as_slice);
        let before = evidence.len();
        evidence.extend(lines.iter().filter(|line| line.shows(row)));
        if evidence.len() == before {
            wrong.push(format!("{}: not in {name}", row.name()));
        }
    }
    if shown_by.is_empty() {
        let silent = !row.says_why_not();
        return silent.then(|| format!("{}: no transcript, and no reason", row.name())).into_iter().collect();
    }
    let types =
        row.types().into_iter().filter(|name| !evidence.iter().any(|line| line.types().contains(name)));
    let forms = row.forms().into_iter().filter(|form| !evidence.iter().any(|line| line.has_form(form)));
    wrong.extend(types.chain(forms).map(|what| format!("{}: no transcript shows {what}", row.name())));
    wrong
}

#[test]
fn every_command_of_a_gui_is_shown() {
    for row in [FROM_THE_GUI, INSIDE_EDIT].into_iter().flat_map(section) {
        assert!(!row.transcripts().is_empty(), "{}", row.name());
    }
}

#[test]
fn all_words_of_the_documents_have_a_row() {
    for (title, words) in [
        (FROM_THE_GUI, COMMAND_WORDS),
        (INSIDE_EDIT, EDIT_WORDS),
        (FROM_THE_ENGINE, REPLY_WORDS),
        ("Features", FEATURE_WORDS),
    ] {
        let forms: Vec<String> = section(title).iter().flat_map(|row| in_backticks(row.name())).collect();
        for word in words {
            let begins = |form: &String| {
                form.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            };
            assert!(forms.iter().any(begins), "{title}: no row for {word}");
        }
    }
}

/// The features that a session announces with their values, in order.
fn announced() -> Vec<(String, String)> {
    let profile = Arc::new(Profile::new("NAME", Books::own()).local());
    let mut session = Session::new(Setup { seed: 1, identity: 1, profile });
    let mut effects = Vec::new();
    session.handle(Input::Line(b"protover 2"), Instant::now(), &mut effects);
    let lines = effects.iter().filter_map(|effect| match effect {
        Effect::Send(reply) => Some(reply.line()),
        _ => None,
    });
    lines.flat_map(|line| items(line.trim_end().strip_prefix("feature ").expect("features only"))).collect()
}

/// `NAME=VALUE NAME="TEXT WITH BLANKS" …`
fn items(mut text: &str) -> Vec<(String, String)> {
    let mut items = Vec::new();
    while let Some((name, rest)) = text.split_once('=') {
        let end = match rest.strip_prefix('"') {
            Some(inner) => inner.find('"').expect("a closing quote") + 2,
            None => rest.find(' ').unwrap_or(rest.len()),
        };
        items.push((name.trim().to_owned(), rest[..end].to_owned()));
        text = &rest[end..];
    }
    items
}

#[test]
fn the_features_match_the_announced_ones() {
    let mut wanted = BTreeMap::<String, Vec<String>>::new();
    for (name, value) in announced().into_iter().filter(|(name, _)| name != "option") {
        wanted.entry(name).or_default().push(value);
    }
    let mut listed = BTreeMap::new();
    for row in section("Features") {
        let values = in_backticks(row.cell("announced"));
        let [name] = in_backticks(row.name()).try_into().expect("a name");
        if !values.is_empty() {
            listed.insert(name, values);
        }
    }
    assert_eq!(listed, wanted);
}

#[test]
fn the_options_match_the_announced_ones() {
    let options = announced().into_iter().filter(|(name, _)| name == "option");
    let wanted: Vec<String> = options.map(|(_, value)| value.trim_matches('"').to_owned()).collect();
    let one = |text: &str| in_backticks(text).concat();
    let row = |row: &Row| format!("{} {}", one(row.name()), one(row.cell("kind")));
    assert_eq!(section("Options").iter().map(row).collect::<Vec<_>>(), wanted);
    for hidden in section("Options for operators") {
        let name = one(hidden.name());
        assert!(!wanted.iter().any(|shown| shown.starts_with(&name)), "{name}");
    }
}

#[test]
fn every_option_is_set_in_its_transcripts() {
    let set: BTreeMap<String, BTreeSet<String>> = all_transcripts().iter().map(option_names).collect();
    for row in [section("Options"), section("Options for operators")].concat() {
        let name = in_backticks(row.name()).concat().to_lowercase().replace(' ', "");
        let shown_by = row.transcripts();
        assert!(!shown_by.is_empty(), "{name}");
        for transcript in shown_by {
            let names = set.get(&transcript).unwrap_or_else(|| panic!("{name}: no {transcript}"));
            assert!(names.contains(&name), "{name}: not in {transcript}");
        }
    }
}
