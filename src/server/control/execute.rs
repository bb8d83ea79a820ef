//! Orders of administrators, done to the connections; what is done to each session by `chunks`. Each is in the log.

use super::chunks::{Act, Chunks};
use super::command::{Command, DEFAULT_BAN_SECONDS, MAX_BAN_SECONDS, Response, Target};
use crate::protocol::DrainCause;
use crate::server::admission::Banned;
use crate::server::admission::address_block;
use crate::server::connection::Connection;
use crate::server::connections::Connections;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The longest message in characters.
const MAX_MESSAGE: usize = 500;
/// The greatest weight.
const MAX_WEIGHT: u32 = 1024;

/// An order that is being obeyed.
pub(super) struct Execution {
    order: Command,
    /// Target has ordered it.
    by: String,
    /// What is left to do, or why nothing is done.
    work: Result<Work, String>,
}

enum Work {
    /// It is done, for this number of sessions.
    Done(usize),
    Goes(Chunks),
}

impl Execution {
    /// Begins to do what was ordered.
    pub(super) fn new(connections: &mut Connections, order: Command, by: String, now: Instant) -> Execution {
        let work = match &order {
            Command::Kick { who, seconds, because } => {
                kick(connections, who, *seconds, because, now).map(Work::Goes)
            }
            Command::Message { who, text } => message(connections, who, text).map(Work::Goes),
            Command::Drain { sessions } => Ok(Work::Done(drain(connections, *sessions, now))),
            Command::Undrain {} => undrain(connections, now).map(Work::Done),
            Command::Weight { who, weight } => set_weight(connections, who, *weight).map(Work::Done),
        };
        Execution { order, by, work }
    }

    /// Does what can be done in a turn of the loop. Returns the answer once all is done, which is logged then.
    pub(super) fn go_on(&mut self, connections: &mut Connections, now: Instant) -> Option<Response> {
        let answer = match &mut self.work {
            Ok(Work::Done(count)) => Response::Done(*count),
            Ok(Work::Goes(chunks)) => Response::Done(chunks.go_on(connections, now)?),
            Err(why) => Response::Error(std::mem::take(why)),
        };
        let by = &self.by;
        log::info!(audit = true, by; "audit: {by} orders {}: {}", words(&self.order), outcome(&answer));
        Some(answer)
    }
}

/// An order in words, for the log.
fn words(order: &Command) -> String {
    match order {
        Command::Kick { who, seconds, because } => {
            format!("kick {who} for {} s ({because:?})", seconds.unwrap_or(DEFAULT_BAN_SECONDS))
        }
        Command::Message { who, text } => format!("message to {who} ({text:?})"),
        Command::Drain { sessions: true } => "drain, with all sessions".to_owned(),
        Command::Drain { sessions: false } => "drain".to_owned(),
        Command::Undrain {} => "undrain".to_owned(),
        Command::Weight { who, weight: Some(weight) } => format!("weight {weight} for {who}"),
        Command::Weight { who, weight: None } => format!("the configured weight for {who}"),
    }
}

fn outcome(answer: &Response) -> String {
    match answer {
        Response::Done(1) => "1 session".to_owned(),
        Response::Done(count) => format!("{count} sessions"),
        Response::Error(why) => format!("not done, {why}"),
    }
}

fn is_meant(connection: &Connection, who: &Target) -> bool {
    connection.session.is_some()
        && match who {
            Target::All => true,
            Target::Session(number) => connection.owner >> 32 == *number,
            Target::Address(address) => address_block(connection.peer.ip()) == address_block(*address),
            Target::User(name) => connection.user_name() == Some(name),
        }
}

/// The slots of sessions.
fn slots(connections: &Connections, who: &Target) -> Vec<usize> {
    let all = connections.slots.iter();
    all.filter(|(_, connection)| is_meant(connection, who)).map(|(slot, _)| slot).collect()
}

/// The slots of sessions, of which there must be some.
fn found(connections: &Connections, who: &Target) -> Result<Vec<usize>, String> {
    let slots = slots(connections, who);
    if slots.is_empty() { Err(nobody(who)) } else { Ok(slots) }
}

fn nobody(who: &Target) -> String {
    match who {
        Target::All => "there is no session".to_owned(),
        Target::Session(number) => format!("there is no session {number}: farboard sessions lists them"),
        Target::Address(_) | Target::User(_) => {
            format!("{who} has no session here: farboard sessions lists them")
        }
    }
}

fn kick(
    connections: &mut Connections,
    who: &Target,
    seconds: Option<u64>,
    because: &str,
    now: Instant,
) -> Result<Chunks, String> {
    let is_lasting = seconds.is_some_and(|seconds| seconds > 0);
    let seconds = seconds.unwrap_or(DEFAULT_BAN_SECONDS);
    if seconds > MAX_BAN_SECONDS {
        return Err(format!("they can be kept out for at most {MAX_BAN_SECONDS} s"));
    }
    let why = checked("The administrator of this server has ended your session", because)?;
    let slots = slots(connections, who);
    // A user or an address can also be kept out without being here, if that is said: a name may be mistyped.
    let named = match who {
        Target::User(name) => Some(Banned::User(name.clone())),
        Target::Address(address) => Some(Banned::address(*address)),
        Target::All | Target::Session(_) => None,
    };
    if slots.is_empty() && (named.is_none() || !is_lasting) {
        return Err(nobody(who));
    }
    let of_sessions = slots.iter().map(|&slot| banned(&connections.slots[slot]));
    let banned: Vec<Banned> = of_sessions.chain(named).collect();
    for who in banned {
        connections.admission.bans.add(who, Duration::from_secs(seconds), now);
    }
    Ok(Chunks::new(Act::Kick(why), &slots, connections))
}

/// Target a client is, to whoever decides whether it may come again.
fn banned(connection: &Connection) -> Banned {
    match connection.user_name() {
        Some(name) => Banned::User(name.to_owned()),
        None => Banned::address(connection.peer.ip()),
    }
}

fn message(connections: &Connections, who: &Target, text: &str) -> Result<Chunks, String> {
    if text.trim().is_empty() {
        return Err("there is no message without words".to_owned());
    }
    let text = checked("", text)?;
    Ok(Chunks::new(Act::Message(text), &found(connections, who)?, connections))
}

/// Text for users, in one line.
fn checked(before: &str, text: &str) -> Result<String, String> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() > MAX_MESSAGE {
        return Err(format!("a message has at most {MAX_MESSAGE} characters"));
    }
    Ok(match (before, line.as_str()) {
        (before, "") => format!("{before}."),
        ("", line) => line.to_owned(),
        (before, line) => format!("{before}: {line}"),
    })
}

fn drain(connections: &mut Connections, sessions: bool, now: Instant) -> usize {
    if !std::mem::replace(&mut connections.admission.is_drained, true) {
        connections.metrics.drain();
    }
    if sessions {
        connections.drain(DrainCause::Command, now);
    }
    connections.admission.sessions()
}

fn undrain(connections: &mut Connections, now: Instant) -> Result<usize, String> {
    if !std::mem::take(&mut connections.admission.is_drained) {
        return Err("it is not drained".to_owned());
    }
    connections.metrics.undrain();
    if connections.metrics.is_draining() {
        return Err("the server is ending, which is no order that could be taken back".to_owned());
    }
    connections.undrain(now);
    Ok(connections.admission.sessions())
}

fn set_weight(connections: &mut Connections, who: &Target, weight: Option<u32>) -> Result<usize, String> {
    if weight.is_some_and(|weight| !(1..=MAX_WEIGHT).contains(&weight)) {
        return Err(format!("a weight is from 1 to {MAX_WEIGHT}"));
    }
    let found = found(connections, who)?;
    let sources: BTreeSet<u64> = found.iter().map(|&slot| connections.slots[slot].source.id).collect();
    for &source in &sources {
        if !connections.admission.sources.set_weight(source, weight) {
            return Err(
                "too many weights are set: give some back, or write them into the configuration".to_owned()
            );
        }
    }
    let mut count = 0;
    for (_, connection) in &mut connections.slots {
        if sources.contains(&connection.source.id) && connection.session.is_some() {
            let configured = connections.admission.sources.of_connection(connection);
            connection.source.weight = weight.unwrap_or(configured.weight);
            count += 1;
        }
    }
    Ok(count)
}
