//! The parameters of an engine: their types and values, as the protocol names and writes them.

use std::fmt;

/// The longest text of a parameter, in characters (the seed's text: "a string of maximum 64
/// characters").
pub const MAX_TEXT_CHARS: usize = 64;

/// The type of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterType {
    /// A signed number of 32 bits.
    Int,
    /// A floating-point number of 32 bits.
    Float,
    /// `true` or `false`.
    Bool,
    /// ASCII text of at most [`MAX_TEXT_CHARS`] characters.
    String,
}

/// The value of a parameter.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A signed number of 32 bits.
    Int(i32),
    /// A floating-point number of 32 bits.
    Float(f32),
    /// `true` or `false`.
    Bool(bool),
    /// ASCII text of at most [`MAX_TEXT_CHARS`] characters, without control characters; not empty.
    String(String),
}

/// The error that a text is not a value of this type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the value must be {expected}", expected = .0.expected())]
pub struct ValueError(ParameterType);

impl ParameterType {
    /// Reads a value of this type.
    ///
    /// # Errors
    /// The text is not a value of this type.
    pub fn read(self, text: &str) -> Result<Value, ValueError> {
        let value = match self {
            ParameterType::Int => text.parse().ok().map(Value::Int),
            ParameterType::Float => {
                text.parse().ok().filter(|value: &f32| value.is_finite()).map(Value::Float)
            }
            ParameterType::Bool => text.parse().ok().map(Value::Bool),
            ParameterType::String => {
                let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
                let fits = is_plain && !text.is_empty() && text.len() <= MAX_TEXT_CHARS;
                fits.then(|| Value::String(text.to_owned()))
            }
        };
        value.ok_or(ValueError(self))
    }
}

impl ParameterType {
    fn expected(self) -> &'static str {
        match self {
            ParameterType::Int => "a whole number of 32 bits",
            ParameterType::Float => "a number",
            ParameterType::Bool => "true or false",
            ParameterType::String => "text in ASCII of 1 to 64 characters",
        }
    }
}

impl Value {
    /// The type of the value.
    pub(crate) fn parameter_type(&self) -> ParameterType {
        match self {
            Value::Int(_) => ParameterType::Int,
            Value::Float(_) => ParameterType::Float,
            Value::Bool(_) => ParameterType::Bool,
            Value::String(_) => ParameterType::String,
        }
    }
}

impl fmt::Display for ParameterType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParameterType::Int => "int",
            ParameterType::Float => "float",
            ParameterType::Bool => "bool",
            ParameterType::String => "string",
        })
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(value) => write!(f, "{value}"),
            // Always with a decimal point.
            Value::Float(value) => write!(f, "{value:?}"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::String(value) => f.write_str(value),
        }
    }
}
