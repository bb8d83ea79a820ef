//! Directives of transcripts shared by all protocols.

use crate::session_driver::{Client, Driver};
use farboard::pool::{SearchEvent, Shortage};
use farboard::protocol::DrainCause;
use farboard::session::Input;
use std::fmt::Display;
use std::time::Duration;

/// Follows a directive: an event, or an assertion about the session. Returns false if it is
/// unknown.
///
/// * `wait MS`: time passes; timers fire.
/// * `refused N`, `refused threads`, `fails`: the search is refused, or fails.
/// * `eof`, `undrain`; `drain`, `drain by-command`: shutdown, or an administrator ends the
///   sessions.
/// * `closed`: the session has ended.
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

/// Returns a property of the requested search.
///
/// * `depth N|none`, `strength ELO|none`, `memory MIB|none`, `helpers N`, `noise N`
/// * `table same|other`: whether the last two searches share table entries
pub fn asked_for<C: Client>(driver: &Driver<C>, what: &str) -> String {
    let search = driver.search.as_ref().expect("a search");
    let request = &search.request;
    match what {
        "depth" => shown(search.terms.limits.unwrap_or(request.limits).depth),
        "strength" => shown(request.strength.map(|strength| strength.elo())),
        "memory" => shown(request.memory),
        "helpers" => request.helpers.to_string(),
        "noise" => request.noise.to_string(),
        "table" => {
            let before = driver.old.last().expect("a search before").request.salt;
            if before == request.salt { "same" } else { "other" }.to_owned()
        }
        _ => panic!("no such directive: {what}"),
    }
}

pub fn shown(value: Option<impl Display>) -> String {
    value.map_or("none".to_owned(), |value| value.to_string())
}
