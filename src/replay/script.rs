//! A record as a script: what to say, and what to wait for before the next line is said.

use super::answer::{Answer, Kind};
use crate::connect::complaint;
use crate::connect::record::{Entry, Event, Record};
use crate::protocol::xboard::Command;
use std::time::Duration;

/// Something that happened, and is to happen again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Somebody says this line to the server, without its end.
    Say(Duration, Vec<u8>),
    /// The server answers this.
    Expect(Duration, Answer),
    /// For the reader.
    Note(String),
}

/// What is to happen again, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// What is to happen.
    pub steps: Vec<Step>,
    /// The client says moves as `usermove`.
    pub usermove: bool,
    /// Where the last line of the client is `quit`, every answer that it waited for is in the record.
    pub ends_with_quit: bool,
    /// The place behind the move that was moved last, while nobody has said anything since.
    behind_move: Option<usize>,
}

impl Script {
    /// What a record tells.
    pub fn new(record: &Record) -> Script {
        let mut script = Script::default();
        for Entry { at, event } in &record.entries {
            match event {
                Event::Client(line) | Event::ForClient(line) => {
                    script.usermove |= line.starts_with(b"usermove ");
                    script.ends_with_quit = command(line) == Some(Command::Quit);
                    script.behind_move = None;
                    script.steps.push(Step::Say(*at, line.clone()));
                }
                Event::Server(line) if complaint::is_last(line) => script.forget_complaint(),
                Event::Server(line) => {
                    if let Some(answer) = Answer::read(line) {
                        script.expect(*at, answer);
                    }
                }
                Event::Note(text) => script.steps.push(Step::Note(text.clone())),
            }
        }
        script.ends_with_quit &= record.flaw.is_none();
        script
    }

    /// The shim has given up: it has perhaps resigned, and complained itself.
    fn forget_complaint(&mut self) {
        for kind in [Kind::Error, Kind::Resignation] {
            if matches!(self.steps.last(), Some(Step::Expect(_, last)) if last.kind == kind) {
                self.steps.pop();
            }
        }
    }

    /// An answer comes where it was heard, but a move that crossed the line by which it became pointless: the server
    /// sent it before it had heard that line, and would not send it afterwards.
    fn expect(&mut self, at: Duration, answer: Answer) {
        let place = match answer.kind {
            Kind::Move => self.demand_was_released(),
            kind if kind.goes_with_a_move() => self.behind_move,
            _ => None,
        };
        match place {
            Some(place) => {
                self.steps.insert(place, Step::Expect(at, answer));
                self.behind_move = Some(place + 1);
            }
            None => self.steps.push(Step::Expect(at, answer)),
        }
    }

    /// The first of the lines said last, none of which demands a move, by which one is demanded no more.
    fn demand_was_released(&self) -> Option<usize> {
        let mut released = None;
        for (place, step) in self.steps.iter().enumerate().rev() {
            match step {
                Step::Expect(_, answer) if answer.kind == Kind::Move => break,
                Step::Expect(..) | Step::Note(_) => {}
                Step::Say(_, line) => match command(line) {
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

/// Whether the engine may move because of this.
fn demands(command: &Command) -> bool {
    use Command::{Go, Move, MoveNow, Ponder, Remove, Resume, Undo, Usermove};
    matches!(command, Usermove(_) | Move(_) | Ponder(_) | Go | MoveNow | Resume | Undo | Remove)
}

/// Whether the engine does not move behind this, unless it is told to.
pub(super) fn releases(command: &Command) -> bool {
    use Command::{
        Analyze, Black, Edit, Exit, Force, New, Pause, Quit, Result, Setboard, Variant, White, Xboard,
    };
    matches!(
        command,
        Force
            | New
            | Result(..)
            | Setboard(_)
            | Edit
            | Analyze
            | Exit
            | Variant(_)
            | White
            | Black
            | Pause
            | Quit
            | Xboard
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect::record::HEADER;

    fn script(text: &str) -> Script {
        let lines = text.lines().enumerate().map(|(at, line)| format!("{at}.000 {line}\n"));
        let record = format!("{HEADER}\n{}", lines.collect::<String>());
        Script::new(&Record::read(record.as_bytes()).expect("a record"))
    }

    fn shown(script: &Script) -> Vec<String> {
        let text = |step: &Step| match step {
            Step::Say(_, line) => format!("> {}", String::from_utf8_lossy(line)),
            Step::Expect(_, answer) => format!("< {}", answer.text),
            Step::Note(text) => format!("# {text}"),
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
