//! The transcripts in `tests/transcripts/` and its folders: exchanges that people wrote.
//!
//! A line of a transcript is one of
//!
//! * `> TEXT`: the client sends this line.
//! * `< TEXT`: the server answers with this line, next in order. `%d` matches a whole number, `%*`
//!   anything.
//! * `<+ TEXT`: it answers with one or more such lines.
//! * `@ DIRECTIVE`: an event, or a condition that must hold.
//! * `# …` and empty lines: comments.

use farboard::replay::record::Record;
use farboard::replay::script::{Script, ScriptStep};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A transcript and its file.
pub struct Transcript {
    pub path: PathBuf,
    pub record: Record,
}

impl Transcript {
    /// The script; if `together`, with all lines of the client up to the next directive in one
    /// write.
    pub fn script(&self, together: bool) -> Script {
        let mut script = Script::new(&self.record);
        if together {
            let steps = script.steps.make_contiguous();
            let blocks = steps.split_inclusive(|step| matches!(step, ScriptStep::Directive(_)));
            script.steps = blocks.flat_map(in_one_write).collect();
        }
        script
    }
}

fn in_one_write(block: &[ScriptStep]) -> Vec<ScriptStep> {
    let lines = block.iter().filter_map(|step| match step {
        ScriptStep::Send(_, line) => Some(line.as_slice()),
        _ => None,
    });
    let lines = lines.collect::<Vec<_>>().join(&b'\n');
    let is_send = |step: &ScriptStep| matches!(step, ScriptStep::Send(..));
    let mut steps: Vec<ScriptStep> = block.iter().filter(|step| !is_send(step)).cloned().collect();
    if let Some(first) = block.iter().position(is_send) {
        steps.insert(first, ScriptStep::Send(Duration::ZERO, lines));
    }
    steps
}

/// All transcripts of xboard's protocol, by name.
pub fn all_transcripts() -> Vec<Transcript> {
    transcripts_in("")
}

/// The transcripts in a folder of `tests/transcripts`, by name.
pub fn transcripts_in(folder: &str) -> Vec<Transcript> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(folder);
    let files = std::fs::read_dir(folder).expect("the folder of transcripts");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    assert!(!paths.is_empty());
    let read = |path: PathBuf| {
        let text = std::fs::read(&path).expect("a transcript");
        let record = Record::read_transcript(text.as_slice());
        Transcript { record: record.unwrap_or_else(|error| panic!("{}: {error}", path.display())), path }
    };
    paths.into_iter().map(read).collect()
}
