//! Directives of transcripts that are common to all protocols.

use crate::session_driver::{Client, Driver};
use farboard::pool::{SearchEvent, Shortage};
use farboard::protocol::DrainCause;
use farboard::session::Input;
use std::fmt::Display;
use std::time::Duration;

/// Executes a directive; returns false for any other word.
///
/// * `wait MS`: time passes; timers fire.
/// * `refused N`, `refused threads`: the search is refused. `fails`: a defect ends it.
/// * `eof`, `undrain`; `drain`, `drain by-command`: the server shuts down, or an administrator ends
///   the sessions.
/// * `closed`: the session must have ended.
pub fn follow<C: Client>(driver: &mut Driver<C>, word: &str, rest: &str) -> bool {
    match word {
        "wait" => driver.wait(Duration::from_millis(rest.parse().expect("milliseconds"))),
        "refused" => driver.event(SearchEvent::Refused(match rest {
            "threads" => Shortage::Threads,
            count => Shortage::Searches(count.parse().expect("a count")),
        })),
        "fails" => driver.event(SearchEvent::Failed),
        "eof" => driver.input(Input::Eof),
        "drain" if rest == "by-command" => driver.input(Input::Drain(DrainCause::Command)),
        "drain" => driver.input(Input::Drain(DrainCause::Shutdown)),
        "undrain" => driver.input(Input::Undrain),
        "closed" => assert!(driver.closed),
        _ => return false,
    }
    true
}

/// Checks a parameter of the search:
///
/// * `depth N|none`, `strength ELO|none`, `memory MIB|none`, `helpers N`, `noise N`
/// * `table same|other`: whether the last two searches share their table entries.
pub fn asked_for<C: Client>(driver: &Driver<C>, what: &str) -> String {
    let search = driver.search.as_ref().expect("a search");
    let request = search.request();
    match what {
        "depth" => shown(search.terms.limits.unwrap_or(request.limits).depth),
        "strength" => shown(request.style.strength.map(|strength| strength.elo())),
        "memory" => shown(request.table.memory),
        "helpers" => request.thread.helpers().to_string(),
        "noise" => request.style.noise.to_string(),
        "table" => {
            let before = driver.old.last().expect("a search before").request().table.salt;
            if before == request.table.salt { "same" } else { "other" }.to_owned()
        }
        _ => panic!("no such directive: {what}"),
    }
}

pub fn shown(value: Option<impl Display>) -> String {
    value.map_or("none".to_owned(), |value| value.to_string())
}
