//! Clients that speak xboard.

use super::{DueMove, Heard};
use crate::chess::Game as Record;
use crate::engines::time_control::Clock;
use crate::engines::xboard::{EngineLine, Features};
use crate::load::openings::{coordinates, variant_command};

pub(super) const GREETING: &str = "xboard\nprotover 2\n";

pub(super) fn learn(features: &mut Features, line: &str) -> bool {
    match EngineLine::parse(line) {
        EngineLine::Feature(text) => {
            features.take(text);
            features.done == Some(true)
        }
        // This engine does not know `protover`, so it has no features.
        EngineLine::Complaint(text) => text.contains("protover"),
        _ => false,
    }
}

pub(super) fn prepare(features: &Features, profile: Option<&str>) -> String {
    let mut text = profile.map(|name| format!("option Profile={name}\n")).unwrap_or_default();
    text += "new\nforce\n";
    for mv in ["e2e4", "e7e5"] {
        text += &move_command(features, mv);
    }
    if features.debug {
        text += "accepted debug\n";
    }
    text
}

pub(super) fn begin_analysis(features: &Features, record: &Record, question: &str) -> String {
    let mut text = format!("new\n{}post\nforce\n", variant_command(record));
    for mv in coordinates(record) {
        text += &move_command(features, &mv);
    }
    text + question + "analyze\n"
}

pub(super) fn begin_game(features: &Features, record: &Record, clock: Clock, question: &str) -> String {
    let mut text = format!("new\n{}force\npost\neasy\n", variant_command(record));
    if features.book {
        text += "option Book=none\n";
    }
    let (minutes, seconds) = (clock.base.as_secs() / 60, clock.base.as_secs() % 60);
    let increment = clock.increment.as_secs_f64();
    text += &format!("level 0 {minutes}:{seconds:02} {increment}\n");
    for mv in coordinates(record) {
        text += &move_command(features, &mv);
    }
    text + question
}

/// An engine that has been told `go` answers each move of its opponent.
pub(super) fn ask_for_move(features: &Features, due: &DueMove<'_>) -> String {
    let [own, other] = due.left.map(|left| (left / 10.0).round() as i64);
    let mut text = format!("time {own}\notim {other}\n");
    text += &due.last.map(|mv| move_command(features, mv)).unwrap_or_default();
    if due.is_first {
        text += "go\n";
    }
    text
}

fn move_command(features: &Features, mv: &str) -> String {
    if features.usermove { format!("usermove {mv}\n") } else { format!("{mv}\n") }
}

pub(super) fn hear(line: &str) -> Heard<'_> {
    match EngineLine::parse(line) {
        EngineLine::Pong(number) => Heard::Answer(Some(number)),
        EngineLine::Thinking { nodes, .. } => Heard::Thinking(nodes),
        EngineLine::Status(nodes) => Heard::Nodes(nodes),
        EngineLine::Account(account) => Heard::Account(account),
        EngineLine::Move(mv) => Heard::Move(mv),
        EngineLine::Resign => Heard::Resign,
        EngineLine::Result(text) => Heard::Result(text),
        EngineLine::Complaint(text) => Heard::Complaint(text),
        EngineLine::Feature(_) | EngineLine::Other => Heard::Nothing,
    }
}
