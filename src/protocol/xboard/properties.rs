//! What holds for every command and every reply.

use super::*;
use proptest::prelude::*;
use std::time::Duration;

/// A line of each command as a GUI sends it, and what it means.
#[test]
fn commands_as_real_guis_send_them() {
    let text = |text: &str| text.to_owned();
    let known = [
        ("xboard", Command::Xboard),
        ("protover 2", Command::Protover(2)),
        ("accepted setboard", Command::Accepted(text("setboard"))),
        ("rejected option Style -reset", Command::Rejected(text("option Style -reset"))),
        ("  new ", Command::New),
        ("variant fischerandom", Command::Variant(text("fischerandom"))),
        ("st 0.1", Command::St(Duration::from_millis(100))),
        ("st 1800", Command::St(Duration::from_secs(1800))),
        ("sd 7", Command::Sd(7)),
        ("7", Command::Number(7)),
        ("time 29970", Command::Time(29970)),
        ("otim -5", Command::Otim(-5)),
        ("usermove e2e4", Command::Usermove(text("e2e4"))),
        ("e7e8q", Command::Move(text("e7e8q"))),
        ("?", Command::MoveNow),
        (".", Command::Status),
        ("ping 2", Command::Ping(2)),
        ("result 1-0 {White mates}", Command::Result(GameResult::WhiteWins, text("White mates"))),
        ("result * {xboard exit}", Command::Result(GameResult::Unfinished, text("xboard exit"))),
        ("result 1/2-1/2", Command::Result(GameResult::Draw, String::new())),
        ("name A B  C", Command::Name(text("A B  C"))),
        ("name", Command::Name(String::new())),
        ("rating 2600 1500", Command::Rating(Rating { own: 2600, opponent: 1500 })),
        ("ics -", Command::Ics(text("-"))),
        ("option Move Overhead=100", Command::Option(text("Move Overhead"), Some(text("100")))),
        ("option Book File=/a dir/x.bin", Command::Option(text("Book File"), Some(text("/a dir/x.bin")))),
        ("option Clear Hash", Command::Option(text("Clear Hash"), None)),
        ("egtpath syzygy /a b", Command::Egtpath(text("syzygy"), text("/a b"))),
        ("exclude all", Command::Exclude(RootMoves::All)),
        ("include e2e4", Command::Include(RootMoves::One(text("e2e4")))),
        ("holding [P] [] ", Command::Holding(text("[P] []"))),
        ("partner", Command::Partner(None)),
        ("put e4,", Command::Put(text("e4,"))),
        ("ponder e2e4", Command::Ponder(text("e2e4"))),
        ("\t", Command::Empty),
        ("frobnicate", Command::Unknown(text("frobnicate"))),
        ("-3", Command::Unknown(text("-3"))),
    ];
    for (line, command) in known {
        assert_eq!(Command::parse(line.as_bytes()), Ok(command), "{line}");
    }
}

#[test]
fn what_is_wrong_with_a_command_is_said() {
    let said = |line: &str| Command::parse(line.as_bytes()).unwrap_err().to_string();
    assert_eq!(said("ping"), "missing N: ping");
    assert_eq!(said("ping x"), "N is not a number: ping x");
    assert_eq!(said("sd -1"), "DEPTH is out of range: sd -1");
    assert_eq!(said("result 2-0"), "invalid RESULT: result 2-0");
    assert_eq!(said("level 1 2 3 4 5 6 7"), "too many parameters: level 1 2 3 4 5 6 7");
    assert_eq!(said("new game"), "too many parameters: new game");
}

const NAMES: &str = "(xboard|protover|accepted|rejected|new|variant|quit|random|force|go|playother|white|black|\
    level|st|sd|depth|nps|time|otim|usermove|\\?|ping|draw|result|setboard|edit|hint|bk|undo|remove|hard|easy|\
    post|nopost|analyze|\\.|exit|name|rating|ics|computer|pause|resume|memory|cores|egtpath|option|exclude|\
    include|setscore|lift|put|hover|partner|ptell|holding|fritz|reset|ponder|[a-h][1-8][a-h][1-8]|O-O|7)";
const ARGUMENT: &str = "(-?[0-9]{1,6}|[0-9]{1,3}:[0-9]{2}|[0-9]{1,4}\\.[0-9]{1,5}|1-0|1/2-1/2|\\{[a-z {}]*\\}|all|e2e4|[a-z]{1,5}=[a-z ]{0,5}|\\PC{0,8})";

fn line() -> impl Strategy<Value = Vec<u8>> {
    let spoken = (NAMES, proptest::collection::vec(ARGUMENT, 0..4)).prop_map(|(name, arguments)| {
        let mut line = name;
        for argument in arguments {
            line.push(' ');
            line.push_str(&argument);
        }
        line.into_bytes()
    });
    prop_oneof![3 => spoken, 1 => proptest::collection::vec(any::<u8>(), 0..60)]
}

fn reply() -> impl Strategy<Value = Reply> {
    let text =
        || prop_oneof!["\\PC{0,300}", ".{0,5000}", Just("Draw not found offer draw\r\n1-0\0".to_owned())];
    let thinking = (any::<(u32, i32, u64, u64)>(), proptest::collection::vec(text(), 0..60)).prop_map(
        |((depth, score, time, nodes), pv)| {
            let (speed, table_hits) = (nodes, nodes);
            ThinkingLine {
                depth,
                score,
                time,
                nodes,
                selective_depth: depth,
                speed,
                table_hits,
                pv,
                mark: Some('!'),
                line: 1,
            }
        },
    );
    prop_oneof![
        any::<i64>().prop_map(Reply::Pong),
        text().prop_map(Reply::Move),
        text().prop_map(Reply::Hint),
        text().prop_map(|text| Reply::IllegalMove(Some(IllegalReason::InCheck), text)),
        text().prop_map(|text| Reply::IllegalMove(None, text)),
        text().prop_map(|text| Reply::Error(ErrorReason::UnknownCommand, text)),
        (text(), text()).prop_map(|(what, text)| Reply::Error(ErrorReason::Argument(what), text)),
        text().prop_map(Reply::Telluser),
        text().prop_map(Reply::Tellusererror),
        text().prop_map(Reply::Comment),
        text().prop_map(|text| Reply::Feature(vec![Feature::Text("myname", text)])),
        thinking.prop_map(Reply::Thinking),
    ]
}

/// The strings of `HandleMachineMove` that end a game or unplug an engine, in a line not recognised earlier.
const DEADLY: [&str; 9] = [
    "unknown host",
    "No remote directory",
    "not found",
    "No such file",
    "can't alloc",
    "Permission denied",
    "Draw",
    "game is a draw",
    "offer",
];

proptest! {
    #[test]
    fn a_command_that_is_printed_is_read_as_the_same(line in line()) {
        if let Ok(command) = Command::parse(&line) {
            let printed = command.to_string();
            prop_assert_eq!(Command::parse(printed.as_bytes()), Ok(command), "{}", printed);
        }
    }

    #[test]
    fn a_reply_is_one_clean_line(reply in reply()) {
        let line = reply.line();
        prop_assert!(line.ends_with('\n') && line.len() < 4096);
        let text = &line[..line.len() - 1];
        prop_assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t')), "{:?}", text);
        prop_assert!(!text.contains('\t') || matches!(reply, Reply::Thinking(_)));
    }

    #[test]
    fn no_gui_misreads_a_reply(reply in reply()) {
        let line = reply.line();
        // These are recognised by their first word before anything else is looked for.
        let shielded = ["telluser", "feature ", "# ", "Error", "Illegal move", "move "];
        if !shielded.iter().any(|word| line.starts_with(word)) {
            prop_assert!(!DEADLY.iter().any(|deadly| line.contains(deadly)), "{}", line);
        }
        // An error must not make xboard take a move back or switch a command off.
        if line.starts_with("Error") {
            prop_assert!(!["llegal", "draw", "time", "otim", "analyze", "protover"].iter().any(|word| line.contains(word)), "{}", line);
        }
    }
}
