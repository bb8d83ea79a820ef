//! Orders of administrators, done to the connections. Each is in the log.

use super::order::{Answer, MAX_BAN_SECONDS, Order, Who};
use crate::logging::AUDIT;
use crate::server::access_log::CloseReason;
use crate::server::address_block::address_block;
use crate::server::connection::Connection;
use crate::server::connections::Connections;
use crate::server::kicked::Banned;
use crate::session::Protocol;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The longest message in characters.
const MAX_MESSAGE: usize = 500;
/// The greatest weight.
const MAX_WEIGHT: u32 = 1024;

/// Does what was ordered, or says why not. `by`: who has ordered it.
pub(super) fn obey(connections: &mut Connections, order: &Order, by: &str, now: Instant) -> Answer {
    let answer = match order {
        Order::Kick { who, seconds, because } => kick(connections, who, *seconds, because, now),
        Order::Message { who, text } => message(connections, who, text, now),
        Order::Drain { sessions } => Ok(drain(connections, *sessions, now)),
        Order::Undrain {} => undrain(connections),
        Order::Weight { who, weight } => weigh(connections, who, *weight),
    };
    let answer = answer.map_or_else(Answer::Error, Answer::Done);
    log::info!(target: AUDIT, "audit: {by} orders {}: {}", words(order), outcome(&answer));
    answer
}

/// An order in words, for the log.
fn words(order: &Order) -> String {
    match order {
        Order::Kick { who, seconds, because } => format!("kick {who} for {seconds} s ({because:?})"),
        Order::Message { who, text } => format!("message to {who} ({text:?})"),
        Order::Drain { sessions: true } => "drain, with all sessions".to_owned(),
        Order::Drain { sessions: false } => "drain".to_owned(),
        Order::Undrain {} => "undrain".to_owned(),
        Order::Weight { who, weight: Some(weight) } => format!("weight {weight} for {who}"),
        Order::Weight { who, weight: None } => format!("the configured weight for {who}"),
    }
}

fn outcome(answer: &Answer) -> String {
    match answer {
        Answer::Done(1) => "1 session".to_owned(),
        Answer::Done(count) => format!("{count} sessions"),
        Answer::Error(why) => format!("not done, {why}"),
    }
}

fn is_meant(connection: &Connection, who: &Who) -> bool {
    connection.session.is_some()
        && match who {
            Who::All => true,
            Who::Session(number) => connection.owner >> 32 == *number,
            Who::Address(address) => address_block(connection.peer.ip()) == address_block(*address),
            Who::User(name) => connection.user_name() == Some(name),
        }
}

/// The slots of sessions.
fn slots(connections: &Connections, who: &Who) -> Vec<usize> {
    let all = connections.slots.iter();
    all.filter(|(_, connection)| is_meant(connection, who)).map(|(slot, _)| slot).collect()
}

/// The slots of sessions, of which there must be some.
fn found(connections: &Connections, who: &Who) -> Result<Vec<usize>, String> {
    let slots = slots(connections, who);
    if slots.is_empty() { Err(nobody(who)) } else { Ok(slots) }
}

fn nobody(who: &Who) -> String {
    match who {
        Who::All => "there is no session".to_owned(),
        Who::Session(number) => format!("there is no session {number}: farboard sessions lists them"),
        Who::Address(_) | Who::User(_) => format!("{who} has no session here: farboard sessions lists them"),
    }
}

fn kick(
    connections: &mut Connections,
    who: &Who,
    seconds: u64,
    because: &str,
    now: Instant,
) -> Result<usize, String> {
    if seconds > MAX_BAN_SECONDS {
        return Err(format!("they can be kept out for at most {MAX_BAN_SECONDS} s"));
    }
    let why = checked("The administrator of this server has ended your session", because)?;
    let slots = slots(connections, who);
    // A user or an address can also be kept out without being here.
    let named = match who {
        Who::User(name) => Some(Banned::User(name.clone())),
        Who::Address(address) => Some(Banned::address(*address)),
        Who::All | Who::Session(_) => None,
    };
    if slots.is_empty() && (named.is_none() || seconds == 0) {
        return Err(nobody(who));
    }
    let of_sessions = slots.iter().map(|&slot| banned(&connections.slots[slot]));
    let banned: Vec<Banned> = of_sessions.chain(named).collect();
    for who in banned {
        connections.admission.kicked.ban(who, Duration::from_secs(seconds), now);
    }
    for &slot in &slots {
        connections.guard_slot(slot, |connections| {
            let Some(connection) = connections.slots.get_mut(slot) else { return };
            connection.close_reason = CloseReason::Kicked;
            let line = connection.protocol().refusal(&why);
            connection.send(line);
            connections.close(slot, now);
            connections.flush(slot, now);
        });
    }
    Ok(slots.len())
}

/// Who a client is, to whoever decides whether it may come again.
fn banned(connection: &Connection) -> Banned {
    match connection.user_name() {
        Some(name) => Banned::User(name.to_owned()),
        None => Banned::address(connection.peer.ip()),
    }
}

fn message(connections: &mut Connections, who: &Who, text: &str, now: Instant) -> Result<usize, String> {
    if text.trim().is_empty() {
        return Err("there is no message without words".to_owned());
    }
    let text = checked("", text)?;
    let mut told = 0;
    for slot in found(connections, who)? {
        connections.guard_slot(slot, |connections| {
            let Some(connection) = connections.slots.get_mut(slot) else { return };
            let protocol = connection.protocol();
            // Nobody knows what a client shows that has said nothing.
            if protocol != Protocol::Auto {
                connection.send(protocol.message(&text));
                connections.flush(slot, now);
                told += 1;
            }
        });
    }
    Ok(told)
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
        connections.numbers.drain();
    }
    if sessions {
        connections.drain(now);
    }
    connections.admission.sessions()
}

fn undrain(connections: &mut Connections) -> Result<usize, String> {
    if !std::mem::take(&mut connections.admission.is_drained) {
        return Err("it is not drained".to_owned());
    }
    connections.numbers.undrain();
    // Sessions that were told to end with their games go on.
    for (_, connection) in &mut connections.slots {
        if connection.close_reason == CloseReason::Drained {
            connection.close_reason = CloseReason::default();
        }
    }
    Ok(connections.admission.sessions())
}

fn weigh(connections: &mut Connections, who: &Who, weight: Option<u32>) -> Result<usize, String> {
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
