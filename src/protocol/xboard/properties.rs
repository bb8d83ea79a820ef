//! Properties of every command and every reply.

use super::xboard_model::{Reading, xboard_reads};
use super::*;
use crate::chess::{Color, Ending, MoveError, Outcome, Role, Roles};
use crate::protocol::OptionKind;
use proptest::prelude::*;
use std::time::Duration;

/// A line of each command as sent by a GUI, and its meaning.
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
        ("result 1-0 {White mates}", Command::Result(Some(Outcome::Win(Color::White)), text("White mates"))),
        ("result * {xboard exit}", Command::Result(None, text("xboard exit"))),
        ("result 1/2-1/2", Command::Result(Some(Outcome::Draw), String::new())),
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
        ("holding [P] [] ", Command::Holding(Holding::parse("[P] []"))),
        ("holding what?", Command::Holding(None)),
        ("partner", Command::Partner(None)),
        ("put e4,", Command::Put(text("e4,"))),
        ("ponder e2e4", Command::Ponder(text("e2e4"))),
        ("\t", Command::Empty),
        ("help", Command::Help),
        ("help me", Command::Help),
        ("d", Command::Board(true)),
        ("board", Command::Board(true)),
        ("board off", Command::Board(false)),
        ("frobnicate", Command::Unknown(text("frobnicate"))),
        ("-3", Command::Unknown(text("-3"))),
    ];
    for (line, command) in known {
        assert_eq!(Command::parse(line.as_bytes()), Ok(command), "{line}");
    }
}

#[test]
fn errors_of_a_command_name_the_fault() {
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
    include|setscore|lift|put|hover|partner|ptell|holding|fritz|reset|help|d|board|board off|ponder|strength|[a-h][1-8][a-h][1-8]|O-O|7)";
const ARGUMENT: &str = "(-?[0-9]{1,6}|[0-9]{1,3}:[0-9]{2}|[0-9]{1,4}\\.[0-9]{1,5}|1-0|1/2-1/2|\\{[a-z {}]*\\}|all|e2e4|[a-z]{1,5}=[a-z ]{0,5}|\\[[A-Za-z]{0,4}\\]|[WB][PNQ]|\\PC{0,8})";

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

/// Any text, and texts likely to be misread.
fn text() -> impl Strategy<Value = String> {
    let bait = "(Draw|not found|offer|draw|1-0|0-1 \\{|1/2|White|Black|resign|checkmate|Illegal move|Error|move e2e4|\\?|\
        feature done=1|pong 1|Hint: e2e4|12 35 100 5000|Permission denied|unknown host|#|time|analyze|protover| |\\t|\\r|\\n)";
    prop_oneof![
        "\\PC{0,300}",
        ".{0,5000}",
        proptest::collection::vec(bait, 1..8).prop_map(|words| words.join(" ")),
    ]
}

fn a_move() -> impl Strategy<Value = String> {
    "([a-h][1-8][a-h][1-8][qrbn]?|[NBRQK][a-h]?x?[a-h][1-8][+#]?|[a-h]x?[a-h]?[1-8](=Q)?|O-O(-O)?|P@[a-h][1-8]|@@@@)"
        .prop_filter("looks like a move", |text| looks_like_a_move(text))
}

fn thinking_line() -> impl Strategy<Value = ThinkingLine> {
    let numbers = any::<(u32, i32, u64, u64)>();
    let columns = proptest::option::of(
        any::<(u32, u64, u64)>().prop_map(|(selective_depth, speed, table_hits)| Columns {
            selective_depth,
            speed,
            table_hits,
        }),
    );
    let mark = proptest::option::of(prop_oneof![Just('!'), Just('?'), any::<char>()]);
    let pv = proptest::collection::vec(prop_oneof![3 => a_move(), 1 => text()], 0..60);
    (numbers, columns, mark, pv, 1u32..5).prop_map(|(numbers, columns, mark, pv, line)| {
        let (depth, score, time, nodes) = numbers;
        ThinkingLine { depth, score, time, nodes, columns, pv, mark, line }
    })
}

fn feature() -> impl Strategy<Value = Feature> {
    let kind = prop_oneof![
        Just(OptionKind::Button),
        Just(OptionKind::Save),
        Just(OptionKind::Reset),
        any::<bool>().prop_map(OptionKind::Check),
        any::<(i64, i64, i64)>().prop_map(|(value, least, most)| OptionKind::Spin(value, least, most)),
        any::<(i64, i64, i64)>().prop_map(|(value, least, most)| OptionKind::Slider(value, least, most)),
        text().prop_map(OptionKind::Text),
        text().prop_map(OptionKind::File),
        text().prop_map(OptionKind::Folder),
        (proptest::collection::vec("[a-z]{1,8}", 1..5), 0usize..5)
            .prop_map(|(choices, chosen)| OptionKind::Combo(choices, chosen)),
    ];
    prop_oneof![
        any::<bool>().prop_map(|value| Feature::Flag("ping", value)),
        text().prop_map(|text| Feature::Text("myname", text)),
        (text(), kind).prop_map(|(name, kind)| Feature::Option(name, kind)),
    ]
}

fn notice() -> impl Strategy<Value = PartnerNotice> {
    let roles = || {
        proptest::sample::subsequence(&Role::ALL[..5], 1..=5)
            .prop_map(|roles| roles.into_iter().collect::<Roles>())
    };
    let clock = || any::<u32>().prop_map(|millis| Duration::from_millis(millis.into()));
    let fixed = proptest::sample::select(
        &[
            PartnerNotice::Sit,
            PartnerNotice::Go,
            PartnerNotice::Dead,
            PartnerNotice::Alive,
            PartnerNotice::Sitting,
            PartnerNotice::Moving,
            PartnerNotice::Help,
        ][..],
    );
    prop_oneof![
        roles().prop_map(PartnerNotice::Mates),
        roles().prop_map(PartnerNotice::NoLongerMates),
        roles().prop_map(PartnerNotice::MatesUs),
        roles().prop_map(PartnerNotice::NoLongerMatesUs),
        roles().prop_map(PartnerNotice::Saves),
        (clock(), clock()).prop_map(|(own, opponent)| PartnerNotice::Clocks { own, opponent }),
        fixed,
    ]
}

fn reply() -> impl Strategy<Value = Reply> {
    let moves = || prop_oneof![a_move(), text()];
    let results = proptest::sample::select(
        &[Outcome::Win(Color::White), Outcome::Win(Color::Black), Outcome::Draw][..],
    );
    let reasons = proptest::sample::select(
        &[
            Ending::Checkmate,
            Ending::Stalemate,
            Ending::Repetition,
            Ending::FiftyMoves,
            Ending::InsufficientMaterial,
            Ending::VariantRule,
        ][..],
    );
    let illegal = proptest::sample::select(
        &[
            MoveError::InCheck,
            MoveError::IntoCheck,
            MoveError::MustCapture,
            MoveError::WrongTurn,
            MoveError::Ambiguous,
            MoveError::Illegal,
        ][..],
    );
    let errors = || {
        prop_oneof![
            Just(ErrorReason::UnknownCommand),
            Just(ErrorReason::NotLegalNow),
            text().prop_map(ErrorReason::Argument)
        ]
    };
    let status = (any::<(u64, u64, u32, u32, u32)>(), proptest::option::of(moves())).prop_map(
        |((time, nodes, depth, moves_left, moves_total), current)| {
            Reply::Stat01(Stat01 { time, nodes, depth, moves_left, moves_total, current })
        },
    );
    let book = proptest::collection::vec((moves(), 0u8..101), 0..200);
    let moving = prop_oneof![
        any::<i64>().prop_map(Reply::Pong),
        moves().prop_map(Reply::Move),
        (any::<u32>(), moves()).prop_map(|(number, mv)| Reply::NumberedMove(number, mv)),
        moves().prop_map(Reply::Hint),
        (illegal, moves()).prop_map(|(why, mv)| Reply::IllegalMove(why, mv)),
        (errors(), text()).prop_map(|(why, line)| Reply::Error(why, line)),
        (errors(), text()).prop_map(|(why, line)| Reply::OldError(why, line)),
        (results, reasons).prop_map(|(result, reason)| Reply::Result(result, reason)),
    ];
    let plain = proptest::sample::select(
        &[
            Reply::OfferDraw,
            Reply::Resign,
            Reply::FailHigh,
            Reply::FailLow,
            Reply::BookEnd,
            Reply::FeaturesDone(false),
            Reply::FeaturesDone(true),
        ][..],
    );
    let talk = prop_oneof![
        text().prop_map(Reply::Telluser),
        text().prop_map(Reply::Tellusererror),
        text().prop_map(Reply::Tellopponent),
        text().prop_map(Reply::Tellothers),
        text().prop_map(Reply::Tellall),
        text().prop_map(Reply::Tellics),
        text().prop_map(Reply::Tellicsnoalias),
        notice().prop_map(Reply::Ptell),
        text().prop_map(|text| Reply::Askuser("strength", text)),
        text().prop_map(Reply::Comment),
        proptest::sample::select(&crate::protocol::http::REFUSAL[..]).prop_map(Reply::Http),
        (any::<u8>(), proptest::collection::vec(any::<char>(), 64))
            .prop_map(|(line, squares)| { Reply::Drawing(line, squares.try_into().expect("64 squares")) }),
        text().prop_map(Reply::Fen),
        Just(Reply::Book(BookEntry::NoBook)),
        Just(Reply::Book(BookEntry::Unknown)),
        (prop_oneof![a_move(), text()], any::<u8>())
            .prop_map(|(mv, percent)| Reply::Book(BookEntry::Move(mv, percent))),
    ];
    let thinking = prop_oneof![
        thinking_line().prop_map(Reply::Thinking),
        (0.0..1e6).prop_map(Reply::Resumed),
        status,
        book.prop_map(|moves| Reply::BookLine(BookLine { moves })),
        proptest::collection::vec(feature(), 1..3).prop_map(Reply::Feature),
    ];
    prop_oneof![2 => moving, 1 => plain, 2 => talk, 2 => thinking]
}

/// The reading expected of a GUI; `None` where it depends on an earlier question.
fn meant(reply: &Reply, on_server: bool) -> Option<Reading> {
    let first_move = |text: &str| {
        let word = text.split_whitespace().next().unwrap_or("").trim_end_matches(['!', '?']);
        let is_move = looks_like_a_move(word) && word.len() <= 20;
        is_move.then(|| word.to_owned())
    };
    Some(match reply {
        Reply::Feature(_) | Reply::FeaturesDone(_) => return None,
        Reply::Pong(number) => Reading::Pong(*number),
        // Without a move nothing is understood.
        Reply::Move(mv) | Reply::NumberedMove(_, mv) => {
            first_move(mv).map_or(Reading::Nothing, Reading::Move)
        }
        Reply::Hint(mv) => Reading::Hint(first_move(mv).unwrap_or_default()),
        Reply::Result(result, _) => {
            return Some(Reading::Result(Outcome::code(Some(*result)).to_owned(), String::new()));
        }
        Reply::OfferDraw => Reading::OffersDraw,
        Reply::Resign => Reading::Resigns,
        Reply::IllegalMove(..) => Reading::Illegal,
        Reply::Error(..) => Reading::Error,
        Reply::Telluser(_) => Reading::Message("telluser", String::new()),
        Reply::Tellusererror(_) => Reading::Message("tellusererror", String::new()),
        Reply::Tellopponent(_) => Reading::Message("tellopponent", String::new()),
        Reply::Tellothers(_) => Reading::Message("tellothers", String::new()),
        Reply::Tellall(_) => Reading::Message("tellall", String::new()),
        Reply::Tellics(_) | Reply::Tellicsnoalias(_) | Reply::Ptell(_) if on_server => {
            Reading::ToServer(String::new())
        }
        Reply::Tellics(_) | Reply::Tellicsnoalias(_) | Reply::Ptell(_) => Reading::Nothing,
        Reply::Askuser(tag, _) => Reading::Question((*tag).to_owned(), String::new()),
        Reply::FailHigh => Reading::FailHigh,
        Reply::FailLow => Reading::FailLow,
        Reply::Stat01(_) => Reading::Status(String::new()),
        Reply::Comment(_) => Reading::Comment,
        Reply::BookEnd | Reply::Help(_) | Reply::Drawing(..) | Reply::Fen(_) | Reply::Http(_) => {
            Reading::Nothing
        }
        Reply::Thinking(_) | Reply::Resumed(_) | Reply::BookLine(_) => {
            Reading::Thinking([0; 4], Vec::new(), String::new())
        }
        // An answer to `variant`.
        Reply::Setup(_) => return None,
        // Old GUIs read errors in another way; lines of the book are collected after `bk`.
        Reply::OldError(..) | Reply::Book(_) => return None,
    })
}

/// The reading without texts and numbers.
fn kind(reading: &Reading) -> Reading {
    match reading.clone() {
        Reading::Message(verb, _) => Reading::Message(verb, String::new()),
        Reading::Question(tag, _) => Reading::Question(tag, String::new()),
        Reading::ToServer(_) => Reading::ToServer(String::new()),
        Reading::Status(_) => Reading::Status(String::new()),
        Reading::Result(code, _) => Reading::Result(code, String::new()),
        Reading::Thinking(..) => Reading::Thinking([0; 4], Vec::new(), String::new()),
        other => other,
    }
}

proptest! {
    #[test]
    fn commands_are_read_and_written_again(line in line()) {
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
        prop_assert!(!text.contains('\t') || matches!(reply, Reply::Thinking(_)), "{:?}", text);
    }

    #[test]
    fn xboard_reads_the_intended_meaning(reply in reply(), on_server in any::<bool>()) {
        let line = reply.line();
        let line = line.trim_end_matches('\n');
        // A line of the answer to `bk` must do no harm without the question either.
        let read = xboard_reads(line, on_server);
        match (&reply, meant(&reply, on_server)) {
            (Reply::Feature(_) | Reply::FeaturesDone(_), _) => {
                prop_assert!(matches!(read, Reading::Features(_)), "{:?}", read);
            }
            (Reply::Book(_), _) => prop_assert_eq!(read, Reading::Nothing, "{}", line),
            (Reply::Tellics(_) | Reply::Tellicsnoalias(_) | Reply::Ptell(_), Some(Reading::Nothing)) => {
                prop_assert!(matches!(read, Reading::Nothing), "{:?} {}", read, line);
            }
            // An echoed word may make xboard overlook the error, which is harmless.
            (Reply::Error(..), _) => {
                prop_assert!(matches!(read, Reading::Error | Reading::Nothing), "{:?} {}", read, line);
            }
            (Reply::OldError(..), _) => {
                prop_assert!(matches!(read, Reading::Illegal | Reading::Nothing), "{:?} {}", read, line);
            }
            (_, Some(meant)) => prop_assert_eq!(kind(&read), meant, "{}", line),
            (_, None) => {}
        }
    }

    #[test]
    fn numbers_and_moves_of_a_thinking_line_arrive(line in thinking_line()) {
        let printed = Reply::Thinking(line.clone()).line();
        let Reading::Thinking(numbers, more, pv) = xboard_reads(printed.trim_end_matches('\n'), false) else {
            panic!("not read as thinking: {printed}");
        };
        prop_assert_eq!(numbers[0], i64::from(line.depth.clamp(1, 999)));
        prop_assert_eq!(numbers[1], i64::from(line.score));
        prop_assert_eq!(numbers[2], line.time.min(i32::MAX as u64) as i64);
        prop_assert_eq!(numbers[3], line.nodes.min(i64::MAX as u64) as i64);
        prop_assert_eq!(more.len(), if line.columns.is_some() { 3 } else { 0 });
        let marked = matches!(line.mark, Some('!' | '?'));
        prop_assert_eq!(pv.ends_with([' ', '!', '?']) && pv.ends_with(['!', '?']), marked);
        let shown: Vec<&str> = pv.split(' ').filter(|word| !matches!(*word, "" | "!" | "?")).collect();
        prop_assert!(shown.iter().all(|word| looks_like_a_move(word)), "{}", pv);
    }

    #[test]
    fn a_move_is_repeated_whatever_it_is(text in "[ -~]{1,30}", ordinary in "[A-Z0-9x=+#@,-]{1,110}") {
        let said = |mv: &str| Reply::IllegalMove(MoveError::Illegal, mv.to_owned()).line();
        let said = [said(&text), said(&ordinary)];
        prop_assert_eq!(&said[1], &format!("Illegal move: {}\n", ordinary));
        // At most broken in places, or with question marks replaced.
        let letters = |text: &str| text.replace(|c: char| !c.is_ascii_alphanumeric(), "");
        prop_assert_eq!(letters(said[0].trim_start_matches("Illegal move:")), letters(&text));
    }

    #[test]
    fn features_arrive_whole(features in proptest::collection::vec(feature(), 1..3)) {
        let line = Reply::Feature(features.clone()).line();
        let Reading::Features(text) = xboard_reads(line.trim_end_matches('\n'), false) else {
            panic!("not read as features: {line}");
        };
        // Quotes stand around texts and nowhere else, and no value exceeds xboard's buffer.
        let quotes = features.iter().filter(|feature| !matches!(feature, Feature::Flag(..))).count() * 2;
        prop_assert_eq!(text.matches('"').count(), quotes);
        prop_assert!(text.split('"').all(|part| part.len() < 500));
    }

    #[test]
    fn a_message_arrives_as_far_as_it_is_plain(text in "[!-~][ -~]{0,200}[!-~]") {
        let said = |reply: Reply| {
            match xboard_reads(reply.line().trim_end_matches('\n'), true) {
                Reading::Message(_, text) | Reading::ToServer(text) | Reading::Question(_, text) => text,
                other => panic!("{other:?}"),
            }
        };
        let heard = text.trim_start_matches(['\\', ' ']).to_owned();
        prop_assert_eq!(said(Reply::Telluser(text.clone())), heard.clone());
        prop_assert_eq!(said(Reply::Tellall(text.clone())), heard.clone());
        prop_assert_eq!(said(Reply::Askuser("strength", text)), heard);
    }
}
