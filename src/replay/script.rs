//! A record as a script: the lines to say, and the answers to wait for before the next line.

use super::answer::{Answer, AnswerKind};
use super::language;
use super::record::{Record, RecordEntry, RecordEvent};
use crate::protocol::xboard::{Command, CommandKind};
use crate::shim::client_protocol::ClientProtocol;
use crate::shim::gui_message;
use std::time::Duration;

/// A step of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptStep {
    /// Send this line, without its ending; its time in the record.
    Say(Duration, Vec<u8>),
    /// Expect this answer; its time in the record.
    Expect(Duration, Answer),
    /// A remark for the reader.
    Note(String),
}

/// The steps of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// What is spoken.
    pub spoken: ClientProtocol,
    /// The steps, in order.
    pub steps: Vec<ScriptStep>,
    /// The client sends moves as `usermove`.
    pub usermove: bool,
    /// The client's last line is `quit`, so the record has every answer that the client waited for.
    pub ends_with_quit: bool,
    /// Place after the last move that was moved forward, until the next line.
    behind_move: Option<usize>,
}

impl Script {
    /// The script of a record.
    pub fn new(record: &Record) -> Script {
        let spoken = language::spoken(record);
        let mut script = Script { spoken, ..Script::default() };
        for RecordEntry { at, event } in &record.entries {
            match event {
                RecordEvent::Client(line) | RecordEvent::ForClient(line) => {
                    script.usermove |= line.starts_with(b"usermove ");
                    script.ends_with_quit = language::is_quit(spoken, line);
                    script.behind_move = None;
                    script.steps.push(ScriptStep::Say(*at, line.clone()));
                }
                RecordEvent::Server(line) if gui_message::is_last(line) => script.forget_complaint(),
                RecordEvent::Server(line) => {
                    if let Some(answer) = Answer::read(spoken, line) {
                        script.expect(*at, answer);
                    }
                }
                RecordEvent::Note(text) => script.steps.push(ScriptStep::Note(text.clone())),
            }
        }
        script.ends_with_quit &= record.flaw.is_none();
        script
    }

    /// Drops what the shim itself said when it gave up: a resignation perhaps, and a message.
    fn forget_complaint(&mut self) {
        for kind in [AnswerKind::Error, AnswerKind::Resignation] {
            if matches!(self.steps.last(), Some(ScriptStep::Expect(_, last)) if last.kind == kind) {
                self.steps.pop();
            }
        }
    }

    /// Adds an answer where it was heard, unless it is a move that crossed the line that made it pointless:
    /// the server sent that move before it had the line, and would not send it afterwards.
    fn expect(&mut self, at: Duration, answer: Answer) {
        let place = match answer.kind {
            _ if self.spoken != ClientProtocol::Xboard => None,
            AnswerKind::Move => self.demand_was_released(),
            kind if kind.goes_with_a_move() => self.behind_move,
            _ => None,
        };
        match place {
            Some(place) => {
                self.steps.insert(place, ScriptStep::Expect(at, answer));
                self.behind_move = Some(place + 1);
            }
            None => self.steps.push(ScriptStep::Expect(at, answer)),
        }
    }

    /// The first of the last lines after which no move is due any more; none of these demands one.
    fn demand_was_released(&self) -> Option<usize> {
        let mut released = None;
        for (place, step) in self.steps.iter().enumerate().rev() {
            match step {
                ScriptStep::Expect(_, answer) if answer.kind == AnswerKind::Move => break,
                ScriptStep::Expect(..) | ScriptStep::Note(_) => {}
                ScriptStep::Say(_, line) => match command(line) {
                    Some(command) if demands(&command) => break,
                    Some(command) if releases(&command) => released = Some(place),
                    _ => {}
                },
            }
        }
        released
    }
}

pub(super) fn command(line: &[u8]) -> Option<Command> {
    Command::parse(line).ok()
}

/// Returns true if the engine may move in response.
fn demands(command: &Command) -> bool {
    matches!(command.kind(), CommandKind::Move(_) | CommandKind::Demand)
}

/// Returns true if the engine stops moving until told otherwise.
pub(super) fn releases(command: &Command) -> bool {
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
            ScriptStep::Say(_, line) => format!("> {}", String::from_utf8_lossy(line)),
            ScriptStep::Expect(_, answer) => format!("< {}", answer.text),
            ScriptStep::Note(text) => format!("# {text}"),
        };
        script.steps.iter().map(text).collect()
    }

    #[test]
    fn the_client_speaks_and_answers_are_waited_for() {
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
    fn what_the_shim_said_when_it_gave_up_is_nobodys_answer() {
        let end = "> e2e4\n# outage: x\n< resign\n< tellusererror Cannot reach x\n< farboard-connect: server not found";
        assert_eq!(shown(&script(end)), ["> e2e4", "# outage: x"]);
        let end = "> e2e4\n< tellusererror other\n< tellusererror x\n< farboard-connect: server not found";
        assert_eq!(shown(&script(end)), ["> e2e4", "< tellusererror other"]);
    }
}
