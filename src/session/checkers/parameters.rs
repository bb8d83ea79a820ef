//! Parameters: the settings of a client. A new one is one more entry of [`PARAMETERS`].
//!
//! Names have ten characters at most, as the late texts demand. Useful numbers lie between 0 and
//! 100, since the seed's GUI shows no others.

use super::{Session, Step, alert};
use crate::protocol::checkers::{NO_PARAMETER, ParameterType, Reply, Value, ValueError};
use crate::search::Strength;
use crate::session::player::{DEFAULT_PROFILE, Player, Profile, SEED_OPTION};
use std::time::Duration;

/// The default time for a move.
const DEFAULT_THINK_TIME: Duration = Duration::from_secs(1);
/// The longest time for a move.
const MAX_THINK_SECONDS: u16 = 3600;
/// `hash` for the whole table: 2^20 MiB, which no table exceeds.
const WHOLE_TABLE: i32 = 20;
/// The opponent's name before it is set: a value is never empty.
const NOBODY: &str = "unknown";

/// A parameter.
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub parameter_type: ParameterType,
    /// The minimum and maximum of a number.
    pub range: Option<(f32, f32)>,
    get: fn(&Settings, &Player) -> Value,
    set: fn(&mut Settings, &mut Player, Value) -> Result<(), ParameterError>,
}

/// Parameters that are not stored in the player.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// The time for a move.
    pub(super) think_time: Duration,
    /// The depth at which a search ends, in plies; `None` for no limit.
    pub(super) depth: Option<u8>,
    /// Whether a search goes on until `STOP` or the depth limit.
    pub(super) infinite: bool,
    /// Whether the client gets search progress.
    pub(super) show_info: bool,
    /// The range of random variation of evaluations, in hundredths of a man.
    pub(super) randomness: u8,
    pub(super) opponent: String,
    pub(super) profile: String,
}

/// The reason that a parameter was not shown or set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParameterError {
    /// There is no parameter of this name.
    #[error("{NO_PARAMETER}")]
    Unknown,
    /// The value is of another type.
    #[error(transparent)]
    Value(ValueError),
    /// The value must be a number from the first to the second.
    #[error("the value must be a number from {0} to {1}")]
    Range(String, String),
    /// The player refuses the value, for this reason.
    #[error("{0}")]
    Refused(String),
}

/// All parameters, in the order of `GETPARAMETERS`.
pub static PARAMETERS: [Parameter; 11] = [
    Parameter {
        name: "thinktime",
        parameter_type: ParameterType::Int,
        range: Some((1.0, MAX_THINK_SECONDS as f32 * 10.0)),
        get: |settings, _| {
            Value::Int(i32::try_from((settings.think_time.as_millis() + 50) / 100).unwrap_or(i32::MAX).max(1))
        },
        set: |settings, _, value| {
            int(&value, |tenths| settings.think_time = Duration::from_millis(tenths as u64 * 100))
        },
    },
    Parameter {
        name: "depth",
        parameter_type: ParameterType::Int,
        range: Some((0.0, 100.0)),
        get: |settings, _| Value::Int(settings.depth.unwrap_or(0).into()),
        set: |settings, _, value| {
            int(&value, |plies| settings.depth = u8::try_from(plies).ok().filter(|&plies| plies > 0))
        },
    },
    Parameter {
        name: "level",
        parameter_type: ParameterType::Int,
        range: Some((0.0, Strength::LEVELS as f32)),
        get: |_, player| Value::Int(player.engine.options.skill_level.into()),
        set: |_, player, value| {
            int(&value, |level| {
                let options = player.engine.options_mut();
                (options.skill_level, options.limit_strength) = (level as u8, false);
            })
        },
    },
    Parameter {
        name: "randomness",
        parameter_type: ParameterType::Int,
        range: Some((0.0, 100.0)),
        get: |settings, _| Value::Int(settings.randomness.into()),
        set: |settings, _, value| int(&value, |noise| settings.randomness = noise as u8),
    },
    Parameter {
        name: "hash",
        parameter_type: ParameterType::Int,
        range: Some((0.0, WHOLE_TABLE as f32)),
        get: |_, player| Value::Int(player.memory.map_or(WHOLE_TABLE, |mebibytes| mebibytes.ilog2() as i32)),
        set: |_, player, value| {
            int(&value, |power| player.memory = (power < WHOLE_TABLE).then(|| 1 << power))
        },
    },
    Parameter {
        name: "cores",
        parameter_type: ParameterType::Int,
        range: Some((1.0, 100.0)),
        get: |_, player| Value::Int(player.cores.into()),
        set: |_, player, value| int(&value, |cores| player.cores = cores as u8),
    },
    Parameter {
        name: "seconds",
        parameter_type: ParameterType::Float,
        range: Some((0.001, MAX_THINK_SECONDS as f32)),
        get: |settings, _| Value::Float(settings.think_time.as_secs_f32()),
        set: |settings, _, value| {
            if let Value::Float(seconds) = value {
                // A 32-bit number has no meaningful nanoseconds.
                let micros = (f64::from(seconds) * 1e6).round();
                settings.think_time = Duration::from_micros(micros as u64);
            }
            Ok(())
        },
    },
    Parameter {
        name: "infinite",
        parameter_type: ParameterType::Bool,
        range: None,
        get: |settings, _| Value::Bool(settings.infinite),
        set: |settings, _, value| {
            settings.infinite = value == Value::Bool(true);
            Ok(())
        },
    },
    Parameter {
        name: "showinfo",
        parameter_type: ParameterType::Bool,
        range: None,
        get: |settings, _| Value::Bool(settings.show_info),
        set: |settings, _, value| {
            settings.show_info = value == Value::Bool(true);
            Ok(())
        },
    },
    Parameter {
        name: "opponent",
        parameter_type: ParameterType::String,
        range: None,
        get: |settings, _| Value::String(settings.opponent.clone()),
        set: |settings, _, value| {
            settings.opponent = value.to_string();
            Ok(())
        },
    },
    Parameter {
        name: "profile",
        parameter_type: ParameterType::String,
        range: None,
        get: |settings, _| Value::String(settings.profile.clone()),
        set: |settings, player, value| {
            let name = value.to_string();
            let chosen = player.engine.choose_profile(&name);
            chosen.map_err(|unknown| ParameterError::Refused(unknown.to_string()))?;
            settings.profile = name;
            Ok(())
        },
    },
];

/// Passes a number on; values of other types are ignored.
fn int(value: &Value, store: impl FnOnce(i32)) -> Result<(), ParameterError> {
    if let Value::Int(value) = value {
        store(*value);
    }
    Ok(())
}

impl Parameter {
    /// Reads a value for this parameter.
    ///
    /// # Errors
    /// The text is of another type, or out of range.
    fn read(&self, text: &str) -> Result<Value, ParameterError> {
        let value = self.parameter_type.read(text).map_err(ParameterError::Value)?;
        let number = match &value {
            Value::Int(value) => Some(*value as f32),
            Value::Float(value) => Some(*value),
            Value::Bool(_) | Value::String(_) => None,
        };
        match (number, self.range) {
            (Some(number), Some((least, greatest))) if !(least..=greatest).contains(&number) => {
                Err(ParameterError::Range(least.to_string(), greatest.to_string()))
            }
            _ => Ok(value),
        }
    }
}

impl Settings {
    /// The settings of a new session of this profile.
    pub(super) fn new(profile: &Profile) -> Settings {
        Settings {
            think_time: profile.move_time.unwrap_or(DEFAULT_THINK_TIME),
            depth: None,
            infinite: false,
            show_info: true,
            randomness: 0,
            opponent: NOBODY.to_owned(),
            profile: DEFAULT_PROFILE.to_owned(),
        }
    }

    /// The opponent's name; empty if unknown.
    pub(super) fn opponent_for_status(&self) -> &str {
        if self.opponent == NOBODY { "" } else { &self.opponent }
    }
}

impl Session {
    /// `GETPARAMETERS`
    pub(super) fn list_parameters(&self, step: &mut Step<'_>) {
        step.reply(if self.is_late() {
            Reply::ParameterNames(PARAMETERS.iter().map(|parameter| parameter.name).collect())
        } else {
            let entry = |parameter: &Parameter| (parameter.name, parameter.parameter_type);
            Reply::Parameters(PARAMETERS.iter().map(entry).collect())
        });
    }

    /// `GETPARAMETER NAME`
    pub(super) fn show_parameter(&self, name: &str, step: &mut Step<'_>) {
        match find(name) {
            Ok(parameter) => {
                let value = (parameter.get)(&self.settings, &self.player);
                step.reply(if self.is_late() {
                    Reply::TypedParameter(parameter.name, value)
                } else {
                    Reply::Parameter(parameter.name, value)
                });
            }
            Err(error) => alert(error, step),
        }
    }

    /// `SETPARAMETER NAME VALUE`. A running search keeps its values.
    pub(super) fn set_parameter(&mut self, name: &str, value: &str, step: &mut Step<'_>) {
        let set = if name.eq_ignore_ascii_case(SEED_OPTION) {
            self.player.set_seed(Some(value)).map_err(|error| ParameterError::Refused(error.to_string()))
        } else {
            find(name).and_then(|parameter| {
                (parameter.set)(&mut self.settings, &mut self.player, parameter.read(value)?)
            })
        };
        if let Err(error) = set {
            alert(error, step);
        }
    }
}

fn find(name: &str) -> Result<&'static Parameter, ParameterError> {
    PARAMETERS.iter().find(|parameter| parameter.name == name).ok_or(ParameterError::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Books;
    use crate::session::Setup;
    use std::sync::Arc;

    #[test]
    fn names_fit_every_text_of_the_protocol_and_differ() {
        for (index, parameter) in PARAMETERS.iter().enumerate() {
            let name = parameter.name;
            assert!((1..=10).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase()));
            assert!(PARAMETERS[..index].iter().all(|other| other.name != name), "{name}");
        }
    }

    #[test]
    fn each_type_is_used_and_values_have_the_type_of_their_parameter() {
        let profile = Arc::new(Profile::new("", Books::default()));
        let (settings, player) =
            (Settings::new(&profile), Player::new(Setup { seed: 0, identity: 1, profile }));
        for kind in [ParameterType::Int, ParameterType::Float, ParameterType::Bool, ParameterType::String] {
            assert!(PARAMETERS.iter().any(|parameter| parameter.parameter_type == kind), "{kind}");
        }
        for parameter in &PARAMETERS {
            let value = (parameter.get)(&settings, &player);
            assert_eq!(value.parameter_type(), parameter.parameter_type);
            assert_eq!(parameter.read(&value.to_string()), Ok(value), "{}", parameter.name);
        }
    }

    #[test]
    fn a_parameter_shows_the_value_it_was_set_to() {
        let profile = Arc::new(Profile::new("", Books::default()));
        let mut settings = Settings::new(&profile);
        let mut player = Player::new(Setup { seed: 0, identity: 1, profile });
        for (name, text) in [
            ("thinktime", "25"),
            ("depth", "7"),
            ("level", "3"),
            ("randomness", "12"),
            ("hash", "4"),
            ("cores", "2"),
            ("seconds", "0.25"),
            ("infinite", "true"),
            ("showinfo", "false"),
            ("opponent", "Mr Smith"),
            ("profile", "farboard"),
        ] {
            let parameter = find(name).expect("a parameter");
            let value = parameter.read(text).expect("a value");
            assert_eq!((parameter.set)(&mut settings, &mut player, value.clone()), Ok(()));
            assert_eq!((parameter.get)(&settings, &player), value, "{name}");
        }
        assert_eq!(player.memory, Some(16));
        assert_eq!(settings.think_time, Duration::from_millis(250));
    }
}
