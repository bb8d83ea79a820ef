//! `option NAME=VALUE`, and the question for the strength. `features`: announced features and
//! options.

mod features;

pub(super) use features::announce;

use super::{Session, Step};
use crate::protocol::xboard::{ErrorReason, Reply};
use crate::search::Strength;
use crate::session::player::{Engine, OptionChange, OptionState, PROFILE_OPTION, Purpose, SEED_OPTION};
use features::announce_options;

impl Session {
    /// `option NAME=VALUE` or `option NAME`.
    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>, step: &mut Step<'_>) {
        if name.eq_ignore_ascii_case(PROFILE_OPTION)
            && let Some(value) = value
        {
            return self.choose_profile(value, step);
        }
        let set = match name.eq_ignore_ascii_case(SEED_OPTION) {
            true => self.player.set_seed(value).map(|()| OptionChange::Nothing),
            false => self.player.engine.set(name, value),
        };
        match set {
            Ok(change) => self.option_changed(change, step),
            Err(error) => {
                let line = value.map_or(format!("option {name}"), |value| format!("option {name}={value}"));
                self.refuse(ErrorReason::Argument(error.to_string()), line, step);
            }
        }
    }

    fn option_changed(&mut self, change: OptionChange, step: &mut Step<'_>) {
        match change {
            OptionChange::Nothing => {}
            OptionChange::Play => self.restart_pondering(step),
            OptionChange::Search => self.restart_searches(step),
            OptionChange::ClearTable => {
                self.player.clear_table();
                self.restart_searches(step);
            }
            OptionChange::ShowSettings => show_settings(&self.player.engine, step),
            // The GUI has forgotten all options and waits for their declarations.
            OptionChange::Defaults => {
                self.player.engine.restore_defaults();
                self.player.open_book(step);
                announce_options(&self.player.engine, step);
                self.restart_searches(step);
            }
            OptionChange::UserBook => self.player.open_book(step),
        }
    }

    /// Switches to another profile with all of its options. The user gets a message if the server
    /// has no such profile.
    fn choose_profile(&mut self, name: &str, step: &mut Step<'_>) {
        match self.player.engine.choose_profile(name) {
            Ok(()) => self.restart_searches(step),
            Err(unknown) => step.reply(Reply::Tellusererror(unknown.to_string())),
        }
    }

    /// Restarts all searches but the one for the engine's move, after a change that concerns every
    /// search.
    fn restart_searches(&mut self, step: &mut Step<'_>) {
        self.analyse(step);
        self.restart_pondering(step);
    }

    /// Restarts pondering after a change of how the engine plays, except in a pause.
    fn restart_pondering(&mut self, step: &mut Step<'_>) {
        if self.player.is_paused() {
            return;
        }
        let on_board = self.player.purpose() == Some(Purpose::PonderOnBoard);
        self.player.stop_pondering(step);
        if on_board {
            self.ponder_on_board(step);
        } else {
            self.begin_pondering(step);
        }
    }

    /// `strength TEXT`: sets the strength to an Elo, or to `full`. A bare `strength` from a user at
    /// the keyboard brings a question, and an empty answer to it changes nothing. The dialog has no
    /// button for it, since xboard 4.9.1 crashes on the answer while the dialog is open.
    pub(super) fn set_strength(&mut self, text: &str, step: &mut Step<'_>) {
        let asked = std::mem::take(&mut self.gui.dialogue.strength_asked);
        let options = self.player.engine.options_mut();
        let said = match text.parse::<u16>() {
            _ if text.is_empty() && asked => return,
            Ok(elo) => {
                options.limit_strength = true;
                options.elo = Strength::of_elo(elo).elo();
                format!("I play at about {} Elo now.", options.elo)
            }
            Err(_) if text.eq_ignore_ascii_case("full") => {
                options.limit_strength = false;
                options.skill_level = Strength::LEVELS;
                "I play as well as I can now.".to_owned()
            }
            Err(_) => {
                let (least, greatest) = (Strength::WEAKEST, Strength::STRONGEST);
                let question = format!("How strong shall I play? Elo from {least} to {greatest}, or full");
                self.gui.dialogue.strength_asked = true;
                return step.reply(Reply::Askuser("strength", question));
            }
        };
        step.reply(Reply::Telluser(said));
        self.restart_pondering(step);
    }
}

/// `Show Settings`
fn show_settings(engine: &Engine, step: &mut Step<'_>) {
    let setting = |option: OptionState| Some(format!("{} {}", option.name, option.kind.value()?));
    let settings: Vec<String> = engine.options().filter_map(setting).collect();
    step.reply(Reply::Telluser(format!("Settings: {}", settings.join(", "))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Books;
    use crate::session::{Effect, Input, Profile, Setup};
    use std::sync::Arc;
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

    fn session(others: &[(&str, &str)]) -> Session {
        let profile = |name: &str| Profile::new(name, Books::default());
        let with =
            |elo: &str| Arc::new(profile("weak").with([("Elo", elo), ("LimitStrength", "1")]).unwrap());
        let named = others.iter().map(|&(name, elo)| (name.to_owned(), with(elo))).collect();
        let profile = Arc::new(profile("first"));
        let mut session = Session::new(Setup { seed: 1, identity: 1, profile });
        session.player.engine.set_profiles(Arc::new(named));
        session
    }

    #[test]
    fn profile_brings_its_options_and_can_be_left_again() {
        let mut session = session(&[("club", "1600"), ("school", "1400")]);
        let declared = said(&mut session, "protover 2").concat();
        assert!(declared.contains("option=\"Profile -combo *farboard /// club /// school\""), "{declared}");
        let settings = |session: &mut Session| said(session, "option ShowSettings").concat();
        said(&mut session, "option MultiPV=3");
        assert_eq!(said(&mut session, "option Profile=school"), [""; 0]);
        assert!(settings(&mut session).contains("MultiPV 1, "));
        assert!(settings(&mut session).contains("Elo 1400"));
        assert!(said(&mut session, "protover 2").concat().contains("club /// *school"));
        said(&mut session, "option Profile=club");
        assert!(settings(&mut session).contains("Elo 1600"));
        said(&mut session, "option Profile=SCHOOL");
        assert!(said(&mut session, "protover 2").concat().contains("club /// *school"));
        said(&mut session, "option Profile=Farboard");
        assert!(settings(&mut session).contains("Limit Strength 0, Elo 1500"));
        said(&mut session, "option Profile=club");
        said(&mut session, "option Defaults");
        assert!(said(&mut session, "protover 2").concat().contains("*farboard /// club"));
    }

    #[test]
    fn unknown_profile_is_reported_to_the_user() {
        let mut many = session(&[("club", "1600")]);
        let complaint =
            "tellusererror there is no profile \"gnuchess\" on this server; it has farboard, club\n";
        assert_eq!(said(&mut many, "option Profile=gnuchess"), [complaint]);
        let mut alone = session(&[]);
        assert!(said(&mut alone, "option Profile=club")[0].ends_with("it has farboard\n"));
        assert!(!said(&mut alone, "protover 2").concat().contains("Profile"));
    }
}
