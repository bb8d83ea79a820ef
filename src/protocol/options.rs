//! Options of an engine, whatever the protocol, and their names that the shim shares with sessions.

/// The name by which a client selects the initial profile of its session.
pub const DEFAULT_PROFILE: &str = "farboard";

/// The option with which the shim sets the seed of a session that it records. It is not announced.
pub const SEED_OPTION: &str = "Seed";

/// The type of an option, and its current value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// No value: an action.
    Button,
    /// An action that closes the dialog.
    Save,
    /// An action before which the GUI forgets all options, to receive them anew.
    Reset,
    /// On or off.
    Check(bool),
    /// A number: value, minimum, maximum. Some UCI GUIs drop one without limits.
    Spin(i64, i64, i64),
    /// A number shown as a slider: value, minimum, maximum.
    Slider(i64, i64, i64),
    /// Text.
    Text(String),
    /// The path of a file.
    File(String),
    /// The path of a directory.
    Folder(String),
    /// The choices, and the index of the current one.
    Combo(Vec<String>, usize),
}

impl OptionKind {
    /// The value as `option NAME=VALUE` takes it; `None` for an action.
    pub(crate) fn value(&self) -> Option<String> {
        match self {
            OptionKind::Button | OptionKind::Save | OptionKind::Reset => None,
            OptionKind::Check(on) => Some(u8::from(*on).to_string()),
            OptionKind::Spin(value, ..) | OptionKind::Slider(value, ..) => Some(value.to_string()),
            OptionKind::Text(text) | OptionKind::File(text) | OptionKind::Folder(text) => Some(text.clone()),
            OptionKind::Combo(choices, chosen) => choices.get(*chosen).cloned(),
        }
    }
}
