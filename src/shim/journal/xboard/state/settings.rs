//! Settings: the last line of each kind counts.

use super::{GameStep, Line, State};
use crate::chess::Drops;
use crate::protocol::xboard::{Command, PartnerTalk, variant_named};
use crate::session::bare_name;
use crate::session::xboard::MAX_TEXTS;
use std::sync::Arc;
use std::time::Instant;

/// The keys of what the partner has said of clocks: both, its own, its opponent's.
const CLOCKS: [&str; 3] = ["ptell clocks", "ptell clock", "ptell opponent clock"];

impl State {
    pub(super) fn setting(&mut self, command: &Command, line: &[u8], at: Instant) {
        let key = match command {
            Command::Xboard | Command::Protover(_) | Command::Accepted(_) | Command::Rejected(_) => {
                return self.greet(line);
            }
            Command::Fritz => {
                self.fritz |= self.greeting.is_empty();
                return self.greet(line);
            }
            Command::Level(level) => {
                let ply = self.plies();
                self.clock.set_level(Some(*level), ply);
                self.forget_level();
                if ply > 0 {
                    // Moves to go are counted from here.
                    return self.record.push(GameStep::Setting(line.into()));
                }
                "level"
            }
            Command::St(_) => {
                self.clock.set_level(None, 0);
                self.forget_level();
                "level"
            }
            Command::Time(centiseconds) => return self.clock.told(*centiseconds, at),
            Command::Otim(centiseconds) => return self.clock.told_theirs(*centiseconds, at),
            Command::Random => {
                let before = self.settings.len();
                self.unset("random");
                if self.settings.len() < before {
                    return;
                }
                "random"
            }
            Command::Option(name, Some(_)) => {
                return self.set(&format!("option {}", bare_name(name)), line.into());
            }
            Command::Option(name, None) => {
                if bare_name(name) == "defaults" {
                    Arc::make_mut(&mut self.settings)
                        .retain(|(key, _)| !key.starts_with("option ") && !key.starts_with("strength"));
                }
                return;
            }
            // Both are kept: one removes what the other does not touch.
            Command::Strength(text) if text.eq_ignore_ascii_case("full") => "strength full",
            Command::Strength(text) if !text.is_empty() => "strength",
            Command::Egtpath(kind, _) => return self.set(&format!("egtpath {kind}"), line.into()),
            Command::Holding(_) => {
                if self.has_hands() {
                    self.excluded = Arc::default();
                }
                // What a line changes depends on the one before: some tell of a move to come. A repetition changes nothing.
                let step = GameStep::Setting(line.into());
                if self.record.last() != Some(&step) {
                    self.record.push(step);
                }
                return;
            }
            Command::Partner(name) => return self.partnered(name.as_deref(), line),
            Command::Ptell(text) => return self.partner_said(text, line),
            Command::Reset => return self.record.retain(|entry| !is_setscore(entry)),
            Command::Post | Command::Nopost => "post",
            Command::Board(_) => "board",
            Command::Hard | Command::Easy => "hard",
            Command::Sd(_) => "sd",
            Command::Nps(_) => "nps",
            Command::Name(_) => "name",
            Command::Rating(_) => "rating",
            Command::Ics(_) => "ics",
            Command::Computer => "computer",
            Command::Memory(_) => "memory",
            Command::Cores(_) => "cores",
            _ => return,
        };
        self.set(key, line.into());
    }

    /// The client wants thinking lines.
    pub(in crate::shim::journal::xboard) fn is_thinking_shown(&self) -> bool {
        let said = self.settings.iter().find(|(key, _)| **key == *"post");
        said.is_some_and(|(_, line)| Command::parse(line) == Ok(Command::Post))
    }

    /// The client has said `computer`.
    pub(in crate::shim::journal::xboard) fn opponent_is_computer(&self) -> bool {
        self.settings.iter().any(|(key, _)| **key == *"computer")
    }

    /// Whether pieces in hand matter in the variant played.
    fn has_hands(&self) -> bool {
        let command = self.variant.as_ref().and_then(|line| Command::parse(line).ok());
        let Some(Command::Variant(name)) = command else { return false };
        variant_named(&name).is_some_and(|variant| variant.rules().drops != Drops::None)
    }

    /// The partner in bughouse. GUIs repeat it; what another one has said counts no more.
    fn partnered(&mut self, name: Option<&str>, line: &[u8]) {
        let known = self.settings.iter().find(|(key, _)| **key == *"partner");
        let known = known.and_then(|(_, line)| match Command::parse(line) {
            Ok(Command::Partner(name)) => name,
            _ => None,
        });
        if known.as_deref() != name {
            self.forget_partners_words();
            self.set("partner", line.into());
        }
    }

    /// The partner has said something: a session heeds the latest [`MAX_TEXTS`], and the latest of either clock.
    fn partner_said(&mut self, text: &str, line: &[u8]) {
        match PartnerTalk::parse(text) {
            Some(PartnerTalk::Clocks { partner: Some(_), opponent: Some(_) }) => {
                CLOCKS.iter().for_each(|key| self.unset(key));
                self.set(CLOCKS[0], line.into());
            }
            Some(PartnerTalk::Clocks { partner: Some(_), opponent: None }) => {
                self.set(CLOCKS[1], line.into())
            }
            Some(PartnerTalk::Clocks { partner: None, .. }) => self.set(CLOCKS[2], line.into()),
            _ => {
                let oldest = self.partners_texts().next().map(|(key, _)| Arc::clone(key));
                if let Some(oldest) = oldest.filter(|_| self.partners_texts().count() >= MAX_TEXTS) {
                    self.unset(&oldest);
                }
                self.texts = self.texts.wrapping_add(1);
                self.set(&format!("ptell {}", self.texts), line.into());
            }
        }
    }

    /// The engine has moved: a wish that it should not was for that move alone.
    pub(super) fn sat_out(&mut self) {
        let asks = |line: &[u8]| {
            let said = match Command::parse(line) {
                Ok(Command::Ptell(text)) => PartnerTalk::parse(&text),
                _ => None,
            };
            said == Some(PartnerTalk::Sit)
        };
        if self.partners_texts().any(|(_, line)| asks(line)) {
            Arc::make_mut(&mut self.settings).retain(|(key, line)| !key.starts_with("ptell ") || !asks(line));
        }
    }

    /// What the partner has said and still counts, but for clocks: the oldest first.
    fn partners_texts(&self) -> impl Iterator<Item = &(Arc<str>, Line)> {
        self.settings.iter().filter(|(key, _)| key.starts_with("ptell ") && !CLOCKS.contains(&&**key))
    }

    pub(super) fn forget_partners_words(&mut self) {
        Arc::make_mut(&mut self.settings).retain(|(key, _)| !key.starts_with("ptell "));
    }

    pub(super) fn greet(&mut self, line: &[u8]) {
        // GUIs repeat some of it for each game.
        if !self.greeting.iter().any(|known| **known == *line) {
            Arc::make_mut(&mut self.greeting).push(line.into());
        }
    }

    pub(super) fn set(&mut self, key: &str, line: Line) {
        self.unset(key);
        Arc::make_mut(&mut self.settings).push((key.into(), line));
    }

    pub(super) fn unset(&mut self, key: &str) {
        if self.settings.iter().any(|(known, _)| **known == *key) {
            Arc::make_mut(&mut self.settings).retain(|(known, _)| **known != *key);
        }
    }

    pub(super) fn forget_level(&mut self) {
        self.unset("level");
        self.record.retain(|entry| !is_level(entry));
    }
}

pub(super) fn is_level(entry: &GameStep) -> bool {
    matches!(entry, GameStep::Setting(line) if line.starts_with(b"level"))
}

fn is_setscore(entry: &GameStep) -> bool {
    matches!(entry, GameStep::Setting(line) if line.starts_with(b"setscore"))
}
