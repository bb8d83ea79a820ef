//! A record as a script: lines to send, and answers to expect before the next line.

use super::compared_line::{ComparedLine, LineKind};
use super::language;
use super::record::{Record, RecordEntry, RecordEvent};
use crate::protocol::xboard::{Command, CommandKind};
use crate::shim::client_protocol::ClientProtocol;
use crate::shim::gui_message;
use std::collections::VecDeque;
use std::time::Duration;

/// A step of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptStep {
    /// Send this line, without its ending; its time in the record.
    Send(Duration, Vec<u8>),
    /// Expect this answer; its time in the record.
    Expect(Duration, ComparedLine),
    /// More answers of this form may follow.
    MayRepeat(String),
    /// Let the test execute or check this.
    Directive(String),
    /// A remark for the reader.
    Note(String),
}

/// The steps of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The client's protocol.
    pub protocol: ClientProtocol,
    /// The steps, in order.
    pub steps: VecDeque<ScriptStep>,
    /// Whether the client sends moves as `usermove`.
    pub usermove: bool,
    /// Whether the client's last line is `quit`, so that the record has every answer that the
    /// client waited for.
    pub ends_with_quit: bool,
    /// Whether all answers are expected, in their order.
    pub is_transcript: bool,
    /// Index after the last move that was moved forward, until the next line.
    behind_move: Option<usize>,
}

impl Script {
    /// The script of a record.
    pub fn new(record: &Record) -> Script {
        let protocol = language::protocol_of(record);
        let is_transcript = record.is_transcript;
        let mut script = Script { protocol, is_transcript, ..Script::default() };
        for RecordEntry { at, event } in &record.entries {
            match event {
                RecordEvent::Client(line) | RecordEvent::ForClient(line) => {
                    script.usermove |= line.starts_with(b"usermove ");
                    script.ends_with_quit = language::is_quit(protocol, line);
                    script.behind_move = None;
                    script.steps.push_back(ScriptStep::Send(*at, line.clone()));
                }
                RecordEvent::Server(line) if is_transcript => {
                    script.steps.push_back(ScriptStep::Expect(*at, ComparedLine::whole(line)));
                }
                RecordEvent::ServerRepeats(line) => {
                    let answer = ComparedLine::whole(line);
                    let form = answer.text.clone();
                    script.steps.extend([ScriptStep::Expect(*at, answer), ScriptStep::MayRepeat(form)]);
                }
                RecordEvent::Directive(text) => script.steps.push_back(ScriptStep::Directive(text.clone())),
                RecordEvent::Server(line) if gui_message::is_last(line) => script.drop_error_of_shim(),
                RecordEvent::Server(line) => {
                    if let Some(answer) = ComparedLine::read(protocol, line) {
                        script.expect(*at, answer);
                    }
                }
                RecordEvent::Note(text) => script.steps.push_back(ScriptStep::Note(text.clone())),
            }
        }
        script.ends_with_quit &= record.flaw.is_none();
        script
    }

    /// Drops the lines of a shim that gave up: a message, and perhaps a resignation.
    fn drop_error_of_shim(&mut self) {
        for kind in [LineKind::Error, LineKind::Resignation] {
            if matches!(self.steps.back(), Some(ScriptStep::Expect(_, last)) if last.kind == kind) {
                self.steps.pop_back();
            }
        }
    }

    /// Adds an answer. A move that crossed the line that made it pointless goes before that line:
    /// the server sent the move before it had the line, and would not send it afterwards.
    fn expect(&mut self, at: Duration, answer: ComparedLine) {
        let index = match answer.kind {
            _ if self.protocol != ClientProtocol::Xboard => None,
            LineKind::Move => self.crossed_line(),
            kind if kind.goes_with_a_move() => self.behind_move,
            _ => None,
        };
        match index {
            Some(index) => {
                self.steps.insert(index, ScriptStep::Expect(at, answer));
                self.behind_move = Some(index + 1);
            }
            None => self.steps.push_back(ScriptStep::Expect(at, answer)),
        }
    }

    /// Returns the index of the first line at the end after which no move is due any more; no later
    /// line asks for one.
    fn crossed_line(&self) -> Option<usize> {
        let mut crossed = None;
        for (index, step) in self.steps.iter().enumerate().rev() {
            match step {
                ScriptStep::Expect(_, answer) if answer.kind == LineKind::Move => break,
                ScriptStep::Expect(..)
                | ScriptStep::MayRepeat(_)
                | ScriptStep::Directive(_)
                | ScriptStep::Note(_) => {}
                ScriptStep::Send(_, line) => match command(line) {
                    Some(command) if asks_for_move(&command) => break,
                    Some(command) if stops_moves(&command) => crossed = Some(index),
                    _ => {}
                },
            }
        }
        crossed
    }
}

pub(super) fn command(line: &[u8]) -> Option<Command> {
    Command::parse(line).ok()
}

/// Returns true if the engine may move in response.
fn asks_for_move(command: &Command) -> bool {
    matches!(command.kind(), CommandKind::Move(_) | CommandKind::Demand)
}

/// Returns true if the engine does not move until another command.
pub(super) fn stops_moves(command: &Command) -> bool {
    matches!(command.kind(), CommandKind::Restart | CommandKind::Position | CommandKind::Release)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shim::record::HEADER;

    fn script(text: &str) -> Script {
        let lines = text.lines().enumerate().map(|(at, line)| format!("{at}.000 {line}\n"));
        let record = format!("{HEADER}\n{}", lines.collect::<String>());
        Script::new(&Record::read(record.as_bytes()).expect("a record"))
    }

    fn shown(script: &Script) -> Vec<String> {
        let text = |step: &ScriptStep| match step {
            ScriptStep::Send(_, line) => format!("> {}", String::from_utf8_lossy(line)),
            ScriptStep::Expect(_, line) => format!("< {}", line.text),
            ScriptStep::MayRepeat(text) => format!("+ {text}"),
            ScriptStep::Directive(text) => format!("@ {text}"),
            ScriptStep::Note(text) => format!("# {text}"),
        };
        script.steps.iter().map(text).collect()
    }

    #[test]
    fn lines_are_sent_and_compared_answers_are_expected() {
        let script = script(
            "> xboard\n< feature done=1\n+ option Elo=1500\n> usermove e2e4\n< 9 1 2 3 e5\n< move e7e5\n> quit",
        );
        assert_eq!(
            shown(&script),
            ["> xboard", "> option Elo=1500", "> usermove e2e4", "< move e7e5", "> quit"]
        );
        assert!(script.usermove && script.ends_with_quit);
    }

    #[test]
    fn a_move_that_crossed_a_command_came_before_it() {
        let crossed =
            script("> e2e4\n> result 1-0\n> force\n> ping 2\n< move e7e5\n< 0-1 {Black mates}\n< pong 2");
        assert_eq!(
            shown(&crossed),
            [
                "> e2e4",
                "< move e7e5",
                "< 0-1 {Black mates}",
                "> result 1-0",
                "> force",
                "> ping 2",
                "< pong 2"
            ]
        );
        for as_it_is in
            ["> force\n> e2e4\n> go\n< move e7e5", "> go\n> remove\n< move e7e5", "> new\n< move e7e5"]
        {
            let expected: Vec<&str> = as_it_is.lines().collect();
            let shown = shown(&script(as_it_is));
            assert_eq!(
                shown,
                if as_it_is.starts_with("> new") { vec![expected[1], expected[0]] } else { expected }
            );
        }
    }

    #[test]
    fn the_error_of_a_shim_that_gave_up_is_no_answer() {
        let end = "> e2e4\n# outage: x\n< resign\n< tellusererror Cannot reach x\n< farboard-connect: server not found";
        assert_eq!(shown(&script(end)), ["> e2e4", "# outage: x"]);
        let end = "> e2e4\n< tellusererror other\n< tellusererror x\n< farboard-connect: server not found";
        assert_eq!(shown(&script(end)), ["> e2e4", "< tellusererror other"]);
    }
}
