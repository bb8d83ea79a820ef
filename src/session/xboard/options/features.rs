//! The features announced in answer to `protover`.

use crate::chess::Variant;
use crate::protocol::xboard::{Feature, Reply, variant_name};
use crate::session::player::{Audience, Engine};
use crate::session::xboard::Step;

/// The features that are on or, after `!`, off (current text, section 9). Off on purpose are `san`
/// (every GUI reads coordinates), `colors` (`white` and `black` are not needed), `highlight` (GUIs
/// know the rules of these variants), `sigint` and `sigterm` (a signal would hit the program
/// between the GUI and the server).
const FLAGS: [&str; 3] = [
    "ping setboard playother !san usermove time draw",
    "!sigint !sigterm reuse analyze !colors ics name",
    "pause nps debug memory smp exclude setscore !highlight",
];

/// Announces the features, in answer to `protover N`, N ≥ 2. `done=0` comes first: it makes xboard
/// wait for the rest, however long a loaded machine takes.
pub(in crate::session::xboard) fn announce(engine: &Engine, step: &mut Step<'_>) {
    step.reply(Reply::FeaturesDone(false));
    for flags in FLAGS {
        let flag = |word: &'static str| match word.strip_prefix('!') {
            Some(name) => Feature::Flag(name, false),
            None => Feature::Flag(word, true),
        };
        step.reply(Reply::Feature(flags.split(' ').map(flag).collect()));
    }
    step.reply(Reply::Feature(vec![
        Feature::Text("myname", engine.profile().name.clone()),
        Feature::Text("variants", Variant::ALL.map(variant_name).join(",")),
    ]));
    announce_options(engine, step);
}

/// Announces the options for players, one a line: a single line would be longer than some clients
/// read.
pub(super) fn announce_options(engine: &Engine, step: &mut Step<'_>) {
    let shown = engine.options().filter(|option| option.audience == Audience::Players);
    for option in engine.profile_option().into_iter().chain(shown) {
        step.reply(Reply::Feature(vec![Feature::Option(option.name.to_owned(), option.kind)]));
    }
    step.reply(Reply::FeaturesDone(true));
}
