//! The allowed dependencies between the folders of `src/`, see `docs/architecture.md`.

use std::path::Path;

/// Each folder or file of `src/`, from the bottom up, with those it may use. Tests are exempt.
const MAY_USE: [(&str, &str); 26] = [
    ("auth", ""),
    ("metrics", ""),
    ("niceness", ""),
    ("progress_bar", ""),
    ("random", ""),
    ("chess", "random"),
    ("draughts", "chess random"),
    ("book", "chess"),
    ("protocol", "chess draughts"),
    ("search", "chess draughts niceness random"),
    ("kriegspiel", "chess random search"),
    ("logging", "metrics"),
    ("pool", "chess kriegspiel metrics niceness random search"),
    ("link", "protocol"),
    ("shim", "auth link protocol"),
    ("engines", "chess draughts protocol search"),
    ("hosting", "chess draughts engines metrics niceness protocol random search"),
    ("session", "auth book chess draughts kriegspiel pool protocol random search"),
    ("archive", "chess draughts random search session"),
    ("config", "archive auth book draughts hosting logging protocol search session"),
    (
        "server",
        "archive auth book chess config draughts hosting link logging metrics niceness pool protocol random \
         search session",
    ),
    ("monitor", "hosting server"),
    ("replay", "auth protocol server session shim"),
    ("load", "auth book chess draughts engines monitor protocol random shim"),
    ("matches", "chess config draughts engines kriegspiel pool protocol random search server"),
    ("training", "chess draughts progress_bar random search"),
];

/// The source files below a folder, relative to `src/`, without test modules.
fn sources(folder: &str) -> Vec<String> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(Path::new("src").join(folder)).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("a plain name");
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        if Path::new("src").join(&path).is_dir() {
            files.extend(if name == "tests" { Vec::new() } else { sources(&path) });
        } else if name.ends_with(".rs") && name != "tests.rs" && path != "lib.rs" {
            files.push(path);
        }
    }
    files
}

#[test]
fn folders_use_only_what_is_below_them() {
    let row_of = |name: &str| MAY_USE.iter().position(|(folder, _)| *folder == name);
    let mut wrong = Vec::new();
    for file in sources("") {
        let folder = file.split(['/', '.']).next().expect("a name");
        let row = row_of(folder).unwrap_or_else(|| panic!("src/{file}: no row for {folder}"));
        let text = std::fs::read_to_string(Path::new("src").join(&file)).expect("a source file");
        let lines = text.lines().take_while(|line| line.trim() != "mod tests {").enumerate();
        for (index, line) in lines.filter(|(_, line)| !line.trim_start().starts_with("//")) {
            for path in line.split("crate::").skip(1) {
                let used = path.split(|c: char| !c.is_alphanumeric() && c != '_').next().expect("a name");
                let is_allowed = MAY_USE[row].1.split(' ').any(|allowed| allowed == used);
                if used != folder && row_of(used).is_some_and(|used| !is_allowed || used >= row) {
                    wrong.push(format!("src/{file}:{}: {folder} uses {used}", index + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
