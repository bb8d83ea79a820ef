//! Golden transcripts against a session with a search scripted by directives ([`Run::directive`]).

mod directives;
mod run;

use crate::playing::{Played, Way, play_all};
use run::Run;
use std::collections::VecDeque;

impl Played for Run {
    fn begin() -> Run {
        Run::new()
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.bytes(bytes);
    }

    fn said(&mut self) -> &mut VecDeque<String> {
        &mut self.answers
    }

    fn follow(&mut self, directive: &str) {
        self.directive(directive);
    }

    fn end(&self) {
        assert!(self.file_requests.is_empty(), "not named: {:?}", self.file_requests);
    }
}

#[test]
fn line_by_line() {
    play_all::<Run>("", Way::Lines);
}

#[test]
fn byte_by_byte() {
    play_all::<Run>("", Way::Bytes);
}

#[test]
fn in_one_write() {
    play_all::<Run>("", Way::Together);
}
