//! Options: from UCI's text and other engines, and from the player's table.

use super::board::RulesInUse;
use super::{Session, Step, remark};
use crate::book::Book;
use crate::protocol::OptionKind;
use crate::protocol::uci::{Reply, VariantChoice};
use crate::session::Resources;
use crate::session::player::{
    OptionChange, OptionError, OptionState, PROFILE_OPTION, SEED_OPTION, bare_name, parse_flag,
};
use std::sync::Arc;

/// Options of the table without a meaning in UCI.
const UNSUITED: [&str; 11] = [
    "Resign",
    "Score To Resign",
    "PV Notation",
    "Old GUI",
    "Kibitz",
    "Kriegspiel Announcements",
    "Greeting",
    "Show Settings",
    "Defaults",
    "Game Folder",
    // UCI clients decide themselves whether to ponder.
    "Ponder",
];

/// Options of the table that GUIs know by another name.
const RENAMED: [(&str, &str); 2] = [("Limit Strength", "UCI_LimitStrength"), ("Elo", "UCI_Elo")];

/// The default of `Hash` as declared, in MiB: more than most GUIs set. Until it is set, the whole
/// table is used.
const DEFAULT_HASH: i64 = 256;
/// The maximum of `Hash` as declared, in MiB, and that of `Threads`. Users have one setting for all
/// their engines, and some clients stop at a value that is out of range: the server uses what it
/// has.
const MAX_HASH: i64 = 1 << 20;
const MAX_THREADS: i64 = 1024;

/// Options of this protocol only.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) choice: VariantChoice,
    pub(super) chess960: bool,
    pub(super) own_book: bool,
    pub(super) analyse_mode: bool,
    pub(super) show_wdl: bool,
    /// `Ponder`: whether the client will ponder. Without effect.
    pub(super) ponder: bool,
    /// The opponent's name, from `UCI_Opponent`.
    pub(super) opponent: String,
    /// `UCI_Opponent` as it was set.
    pub(super) opponent_text: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            choice: VariantChoice::CHESS,
            chess960: false,
            own_book: false,
            analyse_mode: false,
            show_wdl: false,
            ponder: false,
            opponent: String::new(),
            opponent_text: String::new(),
        }
    }
}

impl Settings {
    /// The rules by which positions are read.
    pub(super) fn rules(&self) -> RulesInUse {
        RulesInUse { choice: self.choice, chess960: self.chess960 }
    }
}

impl Session {
    pub(super) fn declare_options(&self, step: &mut Step<'_>) {
        let choices: Vec<VariantChoice> = VariantChoice::all().collect();
        let names = choices.iter().map(|choice| choice.name.to_owned()).collect();
        let chosen = choices.iter().position(|&choice| choice == self.settings.choice).unwrap_or(0);
        let settings = &self.settings;
        let Resources { memory, cores } = self.player.engine.profile().resources;
        let most = memory as i64;
        let hash = self.player.memory.map_or(DEFAULT_HASH, |mebibytes| mebibytes as i64).min(most);
        let about = format!("Farboard {}, a server of chess engines", env!("CARGO_PKG_VERSION"));
        for (name, kind) in [
            ("Hash", OptionKind::Spin(hash, 1, MAX_HASH)),
            ("Threads", OptionKind::Spin(self.player.cores.min(cores).into(), 1, MAX_THREADS)),
            ("Ponder", OptionKind::Check(settings.ponder)),
            ("OwnBook", OptionKind::Check(settings.own_book)),
            ("UCI_AnalyseMode", OptionKind::Check(settings.analyse_mode)),
            ("UCI_Chess960", OptionKind::Check(settings.chess960)),
            ("UCI_Variant", OptionKind::Combo(names, chosen)),
            ("UCI_ShowWDL", OptionKind::Check(settings.show_wdl)),
            ("UCI_Opponent", OptionKind::Text(settings.opponent_text.clone())),
            ("UCI_EngineAbout", OptionKind::Text(about)),
        ] {
            step.reply(Reply::Option(name, kind));
        }
        let engine = &self.player.engine;
        let suited = engine.options().filter(|option| !UNSUITED.contains(&option.name));
        for option in suited.chain(engine.profile_option()) {
            step.reply(declaration(option));
        }
    }

    /// `setoption`. A running search keeps its options.
    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>, step: &mut Step<'_>) {
        let value = value.map(|value| if value == "<empty>" { "" } else { value });
        if name.eq_ignore_ascii_case(PROFILE_OPTION) {
            return self.choose_profile(value.unwrap_or_default(), step);
        }
        let set = self.set_own_option(&bare_name(name), value, step);
        let set = set.unwrap_or_else(|| self.set_engine_option(name, value, step));
        if let Err(error) = set {
            remark(format!("option {name}: {}", words(&error)), step);
        }
    }

    /// Sets an option of this protocol; `None` if there is none of this name.
    fn set_own_option(
        &mut self,
        name: &str,
        value: Option<&str>,
        step: &mut Step<'_>,
    ) -> Option<Result<(), OptionError>> {
        let Resources { memory, cores } = self.player.engine.profile().resources;
        let settings = &mut self.settings;
        let set = match name {
            // Not announced.
            _ if name.eq_ignore_ascii_case(SEED_OPTION) => self.player.set_seed(value),
            "hash" => number(
                value,
                [memory as i64, MAX_HASH],
                |used| format!("Hash: {used} MiB are used, the whole table"),
                step,
            )
            .map(|hash| self.player.memory = Some(hash as usize)),
            "threads" => {
                let used = |used| format!("Threads: {used} are used, one a core");
                number(value, [cores.into(), MAX_THREADS], used, step)
                    .map(|threads| self.player.cores = threads as u8)
            }
            "ponder" => flag(value).map(|ponder| settings.ponder = ponder),
            "ownbook" => flag(value).map(|own_book| settings.own_book = own_book),
            "ucianalysemode" => flag(value).map(|analyse| settings.analyse_mode = analyse),
            "ucishowwdl" => flag(value).map(|show_wdl| settings.show_wdl = show_wdl),
            "ucichess960" => flag(value).map(|chess960| settings.chess960 = chess960),
            "ucivariant" => match value.map(VariantChoice::named) {
                None => Err(OptionError::Missing),
                Some(None) => {
                    let names = VariantChoice::all().map(|choice| choice.name.to_owned());
                    Err(OptionError::Choice(names.collect()))
                }
                Some(Some(choice)) => {
                    settings.choice = choice;
                    Ok(())
                }
            },
            "uciopponent" => {
                settings.set_opponent(value.unwrap_or_default());
                Ok(())
            }
            // Read-only.
            "uciengineabout" => Ok(()),
            _ => return None,
        };
        if matches!(name, "ucivariant" | "ucichess960") {
            self.board.change_rules(self.settings.rules());
        }
        Some(set)
    }

    /// Sets an option of the table.
    fn set_engine_option(
        &mut self,
        name: &str,
        value: Option<&str>,
        step: &mut Step<'_>,
    ) -> Result<(), OptionError> {
        let is_meant = |other: &str| bare_name(other) == bare_name(name);
        if UNSUITED.iter().any(|other| is_meant(other)) {
            return Err(OptionError::Unknown);
        }
        let renamed = RENAMED.iter().find(|(_, shown)| is_meant(shown));
        let change = self.player.engine.set(renamed.map_or(name, |(own, _)| own), value)?;
        match change {
            OptionChange::ClearTable => self.player.clear_table(),
            OptionChange::UserBook => self.player.open_book(step),
            // Takes effect with the next search.
            OptionChange::Nothing | OptionChange::Play | OptionChange::Search => {}
            OptionChange::ShowSettings | OptionChange::Defaults => {}
        }
        Ok(())
    }

    fn choose_profile(&mut self, name: &str, step: &mut Step<'_>) {
        match self.player.engine.choose_profile(name) {
            Ok(()) => self.profile_chosen(),
            Err(unknown) => remark(unknown, step),
        }
    }

    /// Adjusts the options of a new profile. Moves vary at random only on request, as this protocol
    /// has no command `random`.
    pub(super) fn profile_chosen(&mut self) {
        if self.player.engine.options.randomness != 0 {
            self.player.engine.options_mut().randomness = 0;
        }
    }

    /// Takes the user's book, or the reason why it cannot be read.
    pub(super) fn book_opened(&mut self, found: Result<Arc<Book>, String>, step: &mut Step<'_>) {
        match found {
            Ok(book) => self.player.engine.own_book = Some(book),
            Err(why) => remark(format!("the book cannot be used: {why}"), step),
        }
    }
}

impl Settings {
    /// Reads title, rating and kind of the opponent, and its name: `GM 2800 human NAME`.
    fn set_opponent(&mut self, text: &str) {
        self.opponent_text = text.chars().take(200).collect();
        let words: Vec<&str> = self.opponent_text.split_whitespace().collect();
        let name = if words.len() > 3 { &words[3..] } else { &words[..] };
        self.opponent = name.join(" ");
    }
}

fn flag(value: Option<&str>) -> Result<bool, OptionError> {
    parse_flag(value.ok_or(OptionError::Missing)?)
}

/// Reads a number from 1, in words up to `declared`. Above `most`, the client gets a remark about
/// the value used.
fn number(
    value: Option<&str>,
    [most, declared]: [i64; 2],
    used: impl FnOnce(i64) -> String,
    step: &mut Step<'_>,
) -> Result<i64, OptionError> {
    let number: Option<i64> = value.ok_or(OptionError::Missing)?.parse().ok();
    let number = number.filter(|&number| number >= 1).ok_or(OptionError::Number(1, declared))?;
    if number > most {
        remark(used(most), step);
    }
    Ok(number.min(most))
}

fn words(error: &OptionError) -> String {
    match error {
        OptionError::Flag => "the value must be true or false".to_owned(),
        other => other.to_string(),
    }
}

/// The declaration of an option under its name in UCI.
fn declaration(option: OptionState) -> Reply {
    let renamed = RENAMED.iter().find(|(own, _)| *own == option.name);
    Reply::Option(renamed.map_or(option.name, |(_, shown)| shown), option.kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Books;
    use crate::session::Effect;
    use crate::session::{Input, Profile, Setup};
    use std::time::Instant;

    fn said(session: &mut Session, line: &str) -> Vec<String> {
        let mut effects = Vec::new();
        session.handle(Input::Line(line.as_bytes()), Instant::now(), &mut effects);
        let replies = effects.into_iter().filter_map(|effect| match effect {
            Effect::Send(reply) => Some(reply.line()),
            _ => None,
        });
        replies.collect()
    }

    #[test]
    fn uses_no_more_than_the_server_has() {
        let resources = Resources { memory: 64, cores: 2 };
        let profile = Arc::new(Profile { resources, ..Profile::new("x", Books::default()) });
        let mut session = Session::new(Setup { seed: 1, identity: 1, profile });
        let offered = said(&mut session, "uci").concat();
        assert!(offered.contains("option name Hash type spin default 64 min 1 max 1048576\n"), "{offered}");
        assert!(offered.contains("option name Threads type spin default 1 min 1 max 1024\n"), "{offered}");
        for (line, answer) in [
            ("setoption name Hash value 4096", "info string Hash: 64 MiB are used, the whole table\n"),
            ("setoption name Threads value 128", "info string Threads: 2 are used, one a core\n"),
        ] {
            assert_eq!(said(&mut session, line), [answer]);
        }
        assert_eq!((session.player.memory, session.player.cores), (Some(64), 2));
        assert_eq!(said(&mut session, "setoption name Hash value 16"), [""; 0]);
        assert_eq!(session.player.memory, Some(16));
    }
}
