use super::*;
use proptest::prelude::*;

/// Takes that many bytes, then would block.
struct Pipe {
    room: usize,
    read: Vec<u8>,
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.room == 0 {
            return Err(ErrorKind::WouldBlock.into());
        }
        let taken = bytes.len().min(self.room);
        self.room -= taken;
        self.read.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn thinking(depth: u32, nodes: u64) -> (String, Option<LineKey>) {
    (format!("{depth} 10 20 {nodes} e2e4\n"), Some(LineKey(depth, 1)))
}

fn drain(output: &mut Output) -> String {
    let mut pipe = Pipe { room: usize::MAX, read: Vec::new() };
    output.write_to(&mut pipe).unwrap();
    assert!(output.is_empty());
    assert_eq!(output.bytes(), 0);
    String::from_utf8(pipe.read).unwrap()
}

fn push(output: &mut Output, (line, key): (String, Option<LineKey>)) {
    output.push(&line, key);
}

#[test]
fn a_reader_that_keeps_up_gets_everything() {
    let mut output = Output::new(OutputLimits { soft: 1000, hard: 2000 });
    let mut expected = String::new();
    for nodes in 0..10 {
        let (line, key) = thinking(1, nodes);
        output.push(&line, key);
        expected += &line;
    }
    output.push("pong 1\n", None);
    expected += "pong 1\n";
    assert_eq!(drain(&mut output), expected);
}

#[test]
fn above_the_soft_limit_the_newest_of_each_depth_is_kept() {
    let mut output = Output::new(OutputLimits { soft: 0, hard: 2000 });
    output.push("pong 1\n", None);
    for nodes in 0..100 {
        push(&mut output, thinking(7, nodes));
        push(&mut output, thinking(8, nodes));
    }
    assert_eq!(drain(&mut output), "pong 1\n7 10 20 99 e2e4\n8 10 20 99 e2e4\n");
}

#[test]
fn above_the_soft_limit_the_last_before_a_move_is_kept_once() {
    let mut output = Output::new(OutputLimits { soft: 0, hard: 2000 });
    output.push("pong 1\n", None);
    for turn in 0..3 {
        for depth in 1..20 {
            push(&mut output, thinking(depth, turn));
        }
        output.push("move e2e4\n", None);
    }
    let expected: String = (0..3).map(|turn| format!("19 10 20 {turn} e2e4\nmove e2e4\n")).collect();
    assert_eq!(drain(&mut output), format!("pong 1\n{expected}"));
}

#[test]
fn a_line_sent_in_part_is_sent_as_a_whole() {
    let mut output = Output::new(OutputLimits { soft: 0, hard: 2000 });
    push(&mut output, thinking(7, 1));
    let mut pipe = Pipe { room: 3, read: Vec::new() };
    output.write_to(&mut pipe).unwrap();
    push(&mut output, thinking(7, 2));
    output.push("move e2e4\n", None);
    assert_eq!(drain(&mut output), "0 20 1 e2e4\n7 10 20 2 e2e4\nmove e2e4\n");
    assert_eq!(pipe.read, b"7 1");
}

proptest! {
    /// However the reader stutters: everything but thinking lines arrives complete and in order,
    /// thinking lines are whole, and the last one before any other line is there.
    #[test]
    fn nothing_that_matters_is_lost(
        steps in prop::collection::vec((0u32..12, 0usize..60), 1..200),
        soft in 0usize..200,
    ) {
        let mut output = Output::new(OutputLimits { soft, hard: usize::MAX });
        let mut pipe = Pipe { room: 0, read: Vec::new() };
        let mut wanted = Vec::new();
        for (number, (kind, room)) in steps.into_iter().enumerate() {
            if kind < 8 {
                let line = format!("{kind} 0 0 {number} e2e4\n");
                output.push(&line, Some(LineKey(kind, 1)));
                if wanted.last().is_some_and(|last: &String| !last.starts_with("pong")) {
                    wanted.pop();
                }
                wanted.push(line);
            } else {
                let line = format!("pong {number}\n");
                output.push(&line, None);
                wanted.push(line);
            }
            pipe.room = room;
            output.write_to(&mut pipe).unwrap();
        }
        pipe.room = usize::MAX;
        output.write_to(&mut pipe).unwrap();
        prop_assert_eq!(output.bytes(), 0);
        let read = String::from_utf8(pipe.read).unwrap();
        let mut lines = read.split_inclusive('\n');
        for line in wanted {
            prop_assert!(lines.any(|other| other == line), "{line:?} is missing in {read:?}");
        }
    }
}

#[test]
fn of_thinking_lines_that_are_shed_the_last_before_a_move_stays() {
    let mut output = Output::new(OutputLimits { soft: 1 << 20, hard: 1 << 20 });
    for depth in 1..=5 {
        push(&mut output, thinking(depth, 1));
    }
    push(&mut output, ("move e2e4\n".to_owned(), None));
    for depth in 1..=3 {
        push(&mut output, thinking(depth, 2));
    }
    let mut pipe = Pipe { room: 4, read: Vec::new() };
    output.write_to(&mut pipe).unwrap();
    let before = output.memory();
    output.drop_thinking();
    assert!(output.memory() < before);
    let rest = drain(&mut output);
    let all = String::from_utf8(pipe.read).unwrap() + &rest;
    // The first is sent in part and must be sent as a whole.
    assert_eq!(all, "1 10 20 1 e2e4\n5 10 20 1 e2e4\nmove e2e4\n3 10 20 2 e2e4\n");
    assert_eq!(output.memory(), 0);
}
