//! The option `Profile`: which of a server's engines plays. It is declared where there is more than one.

use super::{Session, Step};
use crate::protocol::xboard::{OptionDeclaration, OptionKind, Reply};
use crate::session::Profile;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the engine is called that a session begins with.
pub const DEFAULT_PROFILE: &str = "farboard";

/// The option.
pub(super) const NAME: &str = "Profile";

/// The engines of a server.
#[derive(Clone, Default)]
pub(in crate::session) struct Engines {
    /// The others than the first, by name.
    named: Arc<BTreeMap<String, Arc<Profile>>>,
    /// The one that the session began with, if another plays now, and the name of that.
    left: Option<(Arc<Profile>, String)>,
}

impl Engines {
    fn names(&self) -> Vec<String> {
        std::iter::once(DEFAULT_PROFILE.to_owned()).chain(self.named.keys().cloned()).collect()
    }
}

impl Session {
    /// The same session on a server that has these engines, too.
    pub fn among(mut self, named: Arc<BTreeMap<String, Arc<Profile>>>) -> Session {
        self.engines.named = named;
        self
    }

    pub(super) fn profile_declaration(&self) -> Option<OptionDeclaration> {
        let names = self.engines.names();
        let chosen = self.engines.left.as_ref().map_or(DEFAULT_PROFILE, |(_, name)| name);
        let chosen = names.iter().position(|name| name == chosen).unwrap_or(0);
        let declaration = OptionDeclaration { name: NAME.to_owned(), kind: OptionKind::Combo(names, chosen) };
        (!self.engines.named.is_empty()).then_some(declaration)
    }

    /// The engine plays that the session began with.
    pub(super) fn begin_again_as_first(&mut self) {
        if let Some((first, _)) = self.engines.left.take() {
            self.setup.profile = first;
        }
    }

    /// Another engine plays, with all of its options. Who asks for one that is not there has mistaken the server, or its
    /// command line, and has to see that.
    pub(super) fn choose_profile(&mut self, name: &str, step: &mut Step<'_>) {
        let first = self.engines.left.as_ref().map_or(&self.setup.profile, |(first, _)| first).clone();
        let (profile, left) = match self.engines.named.get(name) {
            _ if name == DEFAULT_PROFILE => (first, None),
            Some(profile) => (Arc::clone(profile), Some((first, name.to_owned()))),
            None => {
                let known = self.engines.names().join(", ");
                let complaint = format!("there is no profile {name:?} on this server; it has {known}");
                return step.reply(Reply::Tellusererror(complaint));
            }
        };
        self.engines.left = left;
        self.options = profile.options.clone();
        self.setup.profile = profile;
        self.search_anew(step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Books;
    use crate::session::{Effect, Input, Setup};
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
        Session::new(Setup { seed: 1, profile: Arc::new(profile("first")) }).among(Arc::new(named))
    }

    #[test]
    fn an_engine_brings_its_options_and_the_first_one_comes_back() {
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
        said(&mut session, "option Profile=farboard");
        assert!(settings(&mut session).contains("LimitStrength 0, Elo 1500"));
        said(&mut session, "option Profile=club");
        said(&mut session, "option Defaults");
        assert!(said(&mut session, "protover 2").concat().contains("*farboard /// club"));
    }

    #[test]
    fn one_that_is_not_there_is_told_to_the_user() {
        let mut many = session(&[("club", "1600")]);
        let complaint =
            "tellusererror there is no profile \"gnuchess\" on this server; it has farboard, club\n";
        assert_eq!(said(&mut many, "option Profile=gnuchess"), [complaint]);
        let mut alone = session(&[]);
        assert!(said(&mut alone, "option Profile=club")[0].ends_with("it has farboard\n"));
        assert!(!said(&mut alone, "protover 2").concat().contains("Profile"));
    }
}
