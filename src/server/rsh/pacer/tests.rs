use super::*;
use proptest::prelude::*;

/// The most that WinBoard's reader takes at once.
const BUFFER: usize = 4096;

fn thinking(depth: u32, line: u32, length: usize) -> (String, Option<LineKey>) {
    (format!("{depth} 10 20 {line}\t{}\n", "e2e4 ".repeat(length / 5)), Some(LineKey(depth, line)))
}

fn push(pacer: &mut Pacer, (text, key): (String, Option<LineKey>)) {
    pacer.push(text, key);
}

/// Everything that waits, with the time of each write.
fn drain(pacer: &mut Pacer, mut now: Instant) -> Vec<(Duration, String)> {
    let start = now;
    let mut writes = Vec::new();
    while let Some(at) = pacer.next(now) {
        now = now.max(at);
        writes.extend(pacer.write(now).map(|text| (now - start, text)));
    }
    writes
}

/// A client that answers probes.
fn answering(now: Instant) -> Pacer {
    let mut pacer = Pacer::default();
    pacer.push("feature debug=1\n".to_owned(), None);
    assert!(pacer.write(now).is_some());
    pacer.heard(b"accepted debug");
    pacer
}

#[test]
fn writes_are_small_and_apart() {
    let mut pacer = Pacer::default();
    for number in 0..100 {
        pacer.push(format!("pong {number} {}\n", "x".repeat(90)), None);
    }
    let writes = drain(&mut pacer, Instant::now());
    assert!(writes.iter().all(|(_, text)| text.len() <= MAX_WRITE && text.ends_with('\n')));
    assert!(writes.windows(2).all(|two| two[1].0 - two[0].0 >= WRITE_INTERVAL));
    let lines: Vec<&str> = writes.iter().flat_map(|(_, text)| text.lines()).collect();
    assert_eq!(lines.len(), 100);
    assert!(lines.iter().enumerate().all(|(number, line)| line.starts_with(&format!("pong {number} "))));
}

#[test]
fn thinking_lines_make_each_other_superfluous() {
    let now = Instant::now();
    let mut pacer = Pacer::default();
    pacer.wrote(now);
    for (depth, line) in [(7, 1), (7, 2), (7, 1), (8, 1)] {
        push(&mut pacer, thinking(depth, line, 0));
    }
    let writes = drain(&mut pacer, now);
    assert_eq!(writes, [(THINKING_WRITE_INTERVAL, "7 10 20 2\t\n7 10 20 1\t\n8 10 20 1\t\n".to_owned())]);
    for depth in 1..100 {
        push(&mut pacer, thinking(depth, 1, 300));
        assert!(pacer.bytes() <= MAX_QUEUED_THINKING);
    }
}

#[test]
fn the_last_before_a_move_is_kept() {
    let now = Instant::now();
    let mut pacer = Pacer::default();
    pacer.wrote(now);
    pacer.push("pong 1\n".to_owned(), None);
    push(&mut pacer, thinking(7, 1, 0));
    push(&mut pacer, thinking(7, 2, 0));
    pacer.push("move e2e4\n".to_owned(), None);
    push(&mut pacer, thinking(1, 1, 0));
    let writes = drain(&mut pacer, now);
    assert_eq!(writes, [(WRITE_INTERVAL, "pong 1\n7 10 20 2\t\nmove e2e4\n1 10 20 1\t\n".to_owned())]);
}

#[test]
fn a_client_that_has_read_everything_need_not_wait() {
    let now = Instant::now();
    let mut pacer = answering(now);
    pacer.push("move e2e4\n".to_owned(), None);
    assert_eq!(pacer.write(now).as_deref(), Some("move e2e4\n"));
    push(&mut pacer, thinking(7, 1, 0));
    assert_eq!(pacer.write(now), None);
    assert_eq!(pacer.write(now + WRITE_INTERVAL).as_deref(), Some("7 10 20 1\t\nfeature debug=1\n"));
    push(&mut pacer, thinking(8, 1, 0));
    assert_eq!(pacer.write(now + ANSWER_TIMEOUT), None, "it has not read the line before");
    pacer.push("move e2e4\n".to_owned(), None);
    assert_eq!(
        pacer.write(now + WRITE_INTERVAL).as_deref(),
        Some("8 10 20 1\t\nmove e2e4\nfeature debug=1\n")
    );
    push(&mut pacer, thinking(9, 1, 0));
    assert_eq!(pacer.write(now + 2 * WRITE_INTERVAL), None);
    pacer.heard(b"accepted debug");
    pacer.heard(b"accepted debug");
    assert!(pacer.write(now + 2 * WRITE_INTERVAL).is_some());
}

#[test]
fn a_client_that_does_not_read_gets_only_what_it_needs() {
    let now = Instant::now();
    let mut pacer = answering(now);
    let mut later = now;
    let mut sent = 0;
    for depth in 1..100 {
        push(&mut pacer, thinking(depth, 1, 500));
        later += WRITE_INTERVAL;
        sent += pacer.write(later).map_or(0, |text| text.len());
    }
    assert!(sent <= MAX_UNREAD + 100, "{sent} bytes are too many");
    assert!(!pacer.asked.is_empty());
    pacer.push("move e2e4\n".to_owned(), None);
    let writes = drain(&mut pacer, later);
    assert_eq!(writes.len(), 1, "{writes:?}");
    assert!(writes[0].1.contains("move e2e4\n"));
    for _ in 0..pacer.asked.len() {
        pacer.heard(b"accepted debug");
    }
    push(&mut pacer, thinking(1, 1, 500));
    assert_eq!(drain(&mut pacer, later + ANSWER_TIMEOUT).len(), 1);
}

#[test]
fn a_line_that_is_too_long_loses_words_at_its_end() {
    let mut pacer = Pacer::default();
    push(&mut pacer, thinking(7, 1, 3000));
    let text = pacer.write(Instant::now()).unwrap();
    assert!(text.len() <= MAX_LINE && text.len() > MAX_LINE - 10);
    assert!(text.ends_with(" e2e4\n") && text.lines().count() == 1, "{text:?}");
    let feature = format!("feature option=\"{}\"\n", "x".repeat(2000));
    pacer.push(feature.clone(), None);
    pacer.push("pong 1\n".to_owned(), None);
    let writes = drain(&mut pacer, Instant::now());
    assert_eq!(writes[0].1, feature, "it is alone");
}

#[test]
fn questions_do_not_come_between_pages_of_the_book() {
    let now = Instant::now();
    let mut pacer = answering(now);
    for _ in 0..100 {
        pacer.push(format!(" {}\n", "e2e4 ".repeat(10)), None);
    }
    pacer.push("\n".to_owned(), None);
    let writes = drain(&mut pacer, now);
    assert!(writes.iter().all(|(_, text)| !text.contains("feature")), "{writes:?}");
}

/// Event of a client.
#[derive(Clone, Debug)]
enum ClientAction {
    Thinking(u32, usize),
    Pong,
    /// Milliseconds pass.
    Wait(u64),
    /// The client reads everything, and answers.
    Read,
}

fn action() -> impl Strategy<Value = ClientAction> {
    prop_oneof![
        4 => (1..4u32, 0..1500usize).prop_map(|(line, length)| ClientAction::Thinking(line, length)),
        1 => Just(ClientAction::Pong),
        4 => (0..200u64).prop_map(ClientAction::Wait),
        2 => Just(ClientAction::Read),
    ]
}

proptest! {
    /// However seldom a client reads, it has less unread output than its reader takes at once,
    /// unless the pacer has given up waiting; everything but thinking lines comes complete and in
    /// order.
    #[test]
    fn unread_output_fits_into_the_buffer_of_a_client(events in proptest::collection::vec(action(), 0..200)) {
        let mut now = Instant::now();
        let mut pacer = answering(now);
        let (mut unread, mut said, mut heard) = (String::new(), 0, Vec::new());
        let mut last_read = now;
        for (depth, event) in (1..).zip(events) {
            match event {
                ClientAction::Thinking(line, length) => push(&mut pacer, thinking(depth, line, length)),
                ClientAction::Pong => {
                    pacer.push(format!("pong {said}\n"), None);
                    said += 1;
                }
                ClientAction::Wait(_) if now - last_read > ANSWER_TIMEOUT - Duration::from_millis(200) => {}
                ClientAction::Wait(time) => now += Duration::from_millis(time),
                ClientAction::Read => {
                    last_read = now;
                    for line in std::mem::take(&mut unread).lines() {
                        match line {
                            "feature debug=1" => pacer.heard(b"accepted debug"),
                            line => heard.push(line.to_owned()),
                        }
                    }
                }
            }
            while pacer.next(now).is_some_and(|at| at <= now) {
                let Some(text) = pacer.write(now) else { break };
                prop_assert!(text.ends_with('\n') && text.len() <= MAX_WRITE);
                unread += &text;
            }
            prop_assert!(unread.len() < BUFFER, "{} bytes", unread.len());
        }
        for (_, text) in drain(&mut pacer, now) {
            unread += &text;
        }
        heard.extend(unread.lines().map(str::to_owned));
        let pongs: Vec<String> = heard.into_iter().filter(|line| line.starts_with("pong")).collect();
        let expected: Vec<String> = (0..said).map(|number| format!("pong {number}")).collect();
        prop_assert_eq!(pongs, expected);
    }
}
