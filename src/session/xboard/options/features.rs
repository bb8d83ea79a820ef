//! The features announced in answer to `protover`.

use crate::chess::Variant;
use crate::protocol::xboard::{Feature, Reply, variant_name};
use crate::session::player::Audience;
use crate::session::xboard::{Session, Step};

/// The features that are on or off (current text, section 9). Off on purpose are `san` (every GUI
/// reads coordinates), `colors` (`white` and `black` are not needed), `highlight` (GUIs know the
/// rules of these variants), `sigint` and `sigterm` (a signal would hit the program between the GUI
/// and the server).
const FLAGS: [&[(&str, bool)]; 3] = [
    &[
        ("ping", true),
        ("setboard", true),
        ("playother", true),
        ("san", false),
        ("usermove", true),
        ("time", true),
        ("draw", true),
    ],
    &[
        ("sigint", false),
        ("sigterm", false),
        ("reuse", true),
        ("analyze", true),
        ("colors", false),
        ("ics", true),
        ("name", true),
    ],
    &[
        ("pause", true),
        ("nps", true),
        ("debug", true),
        ("memory", true),
        ("smp", true),
        ("exclude", true),
        ("setscore", true),
        ("highlight", false),
    ],
];

impl Session {
    /// Announces the features, in answer to `protover N`, N ≥ 2. `done=0` comes first: it makes
    /// xboard wait for the rest, however long a loaded machine takes.
    pub(in crate::session::xboard) fn announce(&self, step: &mut Step<'_>) {
        step.reply(Reply::FeaturesDone(false));
        for flags in FLAGS {
            let flags = flags.iter().map(|&(name, value)| Feature::Flag(name, value));
            step.reply(Reply::Feature(flags.collect()));
        }
        step.reply(Reply::Feature(vec![
            Feature::Text("myname", self.player.engine.profile().name.clone()),
            Feature::Text("variants", Variant::ALL.map(variant_name).join(",")),
        ]));
        self.announce_options(step);
        step.reply(Reply::FeaturesDone(true));
    }

    /// Announces the options for players, one a line: a single line would be longer than some
    /// clients read.
    pub(super) fn announce_options(&self, step: &mut Step<'_>) {
        let engine = &self.player.engine;
        let shown = engine.options().filter(|option| option.audience == Audience::Players);
        for option in engine.profile_option().into_iter().chain(shown) {
            step.reply(Reply::Feature(vec![Feature::Option(option.name.to_owned(), option.kind)]));
        }
    }
}
