//! Executes commands of administrators; `chunks` handles commands for many sessions. Every command
//! is logged.

use super::chunks::{Act, Chunks};
use super::command::{Command, DEFAULT_BAN_SECONDS, MAX_BAN_SECONDS, Response, Target};
use crate::protocol::DrainCause;
use crate::server::admission::Banned;
use crate::server::admission::address_block;
use crate::server::connection::Connection;
use crate::server::connections::Connections;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

const MAX_MESSAGE: usize = 500;
const MAX_WEIGHT: u32 = 1024;

pub(super) struct Execution {
    command: Command,
    /// The administrator, as logged.
    by: String,
    /// Remaining work, or why nothing is done.
    work: Result<Work, String>,
}

enum Work {
    /// Done, for this number of sessions.
    Done(usize),
    InChunks(Chunks),
}

impl Execution {
    pub(super) fn new(
        connections: &mut Connections,
        command: Command,
        by: String,
        now: Instant,
    ) -> Execution {
        let work = match &command {
            Command::Kick { who, seconds, because } => {
                kick(connections, who, *seconds, because, now).map(Work::InChunks)
            }
            Command::Message { who, text } => message(connections, who, text).map(Work::InChunks),
            Command::Drain { sessions } => Ok(Work::Done(drain(connections, *sessions, now))),
            Command::Undrain {} => undrain(connections, now).map(Work::Done),
            Command::Weight { who, weight } => set_weight(connections, who, *weight).map(Work::Done),
        };
        Execution { command, by, work }
    }

    /// Does one turn's share of the work. Logs and returns the response once all is done.
    pub(super) fn advance(&mut self, connections: &mut Connections, now: Instant) -> Option<Response> {
        let response = match &mut self.work {
            Ok(Work::Done(count)) => Response::Done(*count),
            Ok(Work::InChunks(chunks)) => Response::Done(chunks.advance(connections, now)?),
            Err(why) => Response::Error(std::mem::take(why)),
        };
        let by = &self.by;
        log::info!(audit = true, by; "audit: {by} ran {}: {}", words(&self.command), outcome(&response));
        Some(response)
    }
}

fn words(command: &Command) -> String {
    match command {
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

fn outcome(response: &Response) -> String {
    match response {
        Response::Done(1) => "1 session".to_owned(),
        Response::Done(count) => format!("{count} sessions"),
        Response::Error(why) => format!("failed, {why}"),
    }
}

fn matches(connection: &Connection, who: &Target) -> bool {
    connection.session.is_some()
        && match who {
            Target::All => true,
            Target::Session(number) => connection.owner >> 32 == *number,
            Target::Address(address) => address_block(connection.peer.ip()) == address_block(*address),
            Target::User(name) => connection.user_name() == Some(name),
        }
}

fn slots(connections: &Connections, who: &Target) -> Vec<usize> {
    let all = connections.slots.iter();
    all.filter(|(_, connection)| matches(connection, who)).map(|(slot, _)| slot).collect()
}

/// Returns the slots of the sessions that match, or an error if none does.
fn found(connections: &Connections, who: &Target) -> Result<Vec<usize>, String> {
    let slots = slots(connections, who);
    if slots.is_empty() { Err(no_session(who)) } else { Ok(slots) }
}

fn no_session(who: &Target) -> String {
    match who {
        Target::All => "there are no sessions".to_owned(),
        Target::Session(number) => format!("there is no session {number}: see farboard sessions"),
        Target::Address(_) | Target::User(_) => {
            format!("{who} has no session here: see farboard sessions")
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
        return Err(format!("a ban is at most {MAX_BAN_SECONDS} s long"));
    }
    let why = checked("The administrator of this server has ended your session", because)?;
    let slots = slots(connections, who);
    // Without a session only an explicit ban is possible: a name may be mistyped.
    let named = match who {
        Target::User(name) => Some(Banned::User(name.clone())),
        Target::Address(address) => Some(Banned::address(*address)),
        Target::All | Target::Session(_) => None,
    };
    if slots.is_empty() && (named.is_none() || !is_lasting) {
        return Err(no_session(who));
    }
    let of_sessions = slots.iter().map(|&slot| banned(&connections.slots[slot]));
    let banned: Vec<Banned> = of_sessions.chain(named).collect();
    for who in banned {
        connections.admission.bans.add(who, Duration::from_secs(seconds), now);
    }
    Ok(Chunks::new(Act::Kick(why), &slots, connections))
}

/// Returns the ban that matches a client.
fn banned(connection: &Connection) -> Banned {
    match connection.user_name() {
        Some(name) => Banned::User(name.to_owned()),
        None => Banned::address(connection.peer.ip()),
    }
}

fn message(connections: &Connections, who: &Target, text: &str) -> Result<Chunks, String> {
    if text.trim().is_empty() {
        return Err("the message is empty".to_owned());
    }
    let text = checked("", text)?;
    Ok(Chunks::new(Act::Message(text), &found(connections, who)?, connections))
}

/// Normalizes text for users to one line.
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
        connections.observer.drain();
    }
    if sessions {
        connections.drain(DrainCause::Command, now);
    }
    connections.admission.sessions()
}

fn undrain(connections: &mut Connections, now: Instant) -> Result<usize, String> {
    if !std::mem::take(&mut connections.admission.is_drained) {
        return Err("the server is not drained".to_owned());
    }
    connections.observer.undrain();
    if connections.observer.is_draining() {
        return Err("the server is shutting down, which cannot be undone".to_owned());
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
                "too many weights are set: reset some, or move them into the configuration".to_owned()
            );
        }
    }
    let mut count = 0;
    for (_, connection) in connections.slots.iter_mut() {
        if sources.contains(&connection.source.id) && connection.session.is_some() {
            let configured = connections.admission.sources.of_connection(connection);
            connection.source.weight = weight.unwrap_or(configured.weight);
            count += 1;
        }
    }
    Ok(count)
}
