//! Messages to a bughouse partner (`tellics ptell …`), in words that [`super::PartnerTalk`], other
//! engines and people understand.
//!
//! Sjeng takes a line for a command by its beginning (`sit`, `go`, `time`, `fast`), whatever
//! follows, and looks for piece letters anywhere after `+` and `-`. So such lines are bare, and no
//! other line begins like one.

use crate::chess::Roles;
use std::fmt;
use std::time::Duration;

/// A message to the partner, made of piece letters, numbers and fixed words only, so that no GUI
/// misreads it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartnerNotice {
    /// `+++n`: with one of these pieces the engine mates.
    Mates(Roles),
    /// `= n`: these do not mate any more.
    NoLongerMates(Roles),
    /// `---q`: with one of these the engine's opponent mates.
    MatesUs(Roles),
    /// `q doesn't mate me anymore`
    NoLongerMatesUs(Roles),
    /// `++b`: one of these would save the engine.
    Saves(Roles),
    /// `sit (…)`: nearly any piece would mate the engine.
    Sit,
    /// `go (…)`: the danger is over.
    Go,
    /// `dead`: the engine will be mated, whatever comes.
    Dead,
    /// `x`: the engine is not dead after all.
    Alive,
    /// The engine waits with its move.
    Sitting,
    /// The engine moves again.
    Moving,
    /// `my clock 1:20, opponent 0:45`
    Clocks {
        /// The engine's clock; printed in whole seconds.
        own: Duration,
        /// The opponent's clock.
        opponent: Duration,
    },
    /// The answer to `help`.
    Help,
}

impl fmt::Display for PartnerNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            PartnerNotice::Mates(roles) => write!(f, "+++{roles}"),
            PartnerNotice::NoLongerMates(roles) => write!(f, "= {roles}"),
            PartnerNotice::MatesUs(roles) => write!(f, "---{roles}"),
            PartnerNotice::NoLongerMatesUs(roles) if roles.len() > 1 => {
                write!(f, "{roles} don't mate me anymore")
            }
            PartnerNotice::NoLongerMatesUs(roles) => write!(f, "{roles} doesn't mate me anymore"),
            PartnerNotice::Saves(roles) => write!(f, "++{roles}"),
            PartnerNotice::Sit => f.write_str("sit (any piece mates me)"),
            PartnerNotice::Go => f.write_str("go (I am safe)"),
            PartnerNotice::Dead => f.write_str("dead"),
            PartnerNotice::Alive => f.write_str("x"),
            PartnerNotice::Sitting => f.write_str("I sit and wait for a piece. Tell me go, and I move."),
            PartnerNotice::Moving => f.write_str("I move again."),
            PartnerNotice::Clocks { own, opponent } => {
                write!(f, "my clock {}, opponent {}", Clock(own), Clock(opponent))
            }
            PartnerNotice::Help => f.write_str(
                "I understand sit, go, fast, slow, dead, x, trades ok, no trades, need n, +n, no q, --q, and i have 1:20.",
            ),
        }
    }
}

/// Minutes and seconds.
struct Clock(Duration);

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        write!(f, "{}:{:02}", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::super::PartnerTalk;
    use super::*;
    use crate::chess::Role;

    #[test]
    fn notices_are_understood_by_the_engine() {
        let set: Roles = [Role::Knight, Role::Queen].into_iter().collect();
        let one = Roles::NONE.with(Role::Pawn);
        let (own, opponent) = (Duration::from_secs(80), Duration::from_secs(5));
        for (notice, talk) in [
            (PartnerNotice::Mates(set), Some(PartnerTalk::Needs(set))),
            (PartnerNotice::Saves(one), Some(PartnerTalk::Needs(one))),
            (PartnerNotice::MatesUs(set), Some(PartnerTalk::Refuses(set))),
            (PartnerNotice::NoLongerMates(set), Some(PartnerTalk::Indifferent(set))),
            (PartnerNotice::NoLongerMatesUs(set), Some(PartnerTalk::Indifferent(set))),
            (PartnerNotice::NoLongerMatesUs(one), Some(PartnerTalk::Indifferent(one))),
            (PartnerNotice::Sit, Some(PartnerTalk::Sit)),
            (PartnerNotice::Go, Some(PartnerTalk::Go)),
            (PartnerNotice::Dead, Some(PartnerTalk::Dead)),
            (PartnerNotice::Alive, Some(PartnerTalk::Normal)),
            (
                PartnerNotice::Clocks { own, opponent },
                Some(PartnerTalk::Clocks { partner: Some(own), opponent: Some(opponent) }),
            ),
            (PartnerNotice::Sitting, None),
            (PartnerNotice::Moving, None),
            (PartnerNotice::Help, None),
        ] {
            assert_eq!(PartnerTalk::parse(&notice.to_string()), talk, "{notice}");
        }
    }

    #[test]
    fn only_sjengs_commands_begin_like_one() {
        for notice in [PartnerNotice::Sitting, PartnerNotice::Moving, PartnerNotice::Help] {
            let text = notice.to_string();
            assert!(
                !["sit", "go", "fast", "time", "slow", "move", "x", "="]
                    .iter()
                    .any(|word| text.starts_with(word))
            );
        }
    }
}
