//! The audience of a session.

use std::str::FromStr;

/// The audience of a session.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "server", derive(serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Visibility {
    /// Only its client.
    #[default]
    Nobody,
    /// Users who have logged in.
    Users,
    /// All who may open the page.
    Everybody,
}

impl FromStr for Visibility {
    type Err = String;

    fn from_str(word: &str) -> Result<Visibility, String> {
        match word {
            "nobody" => Ok(Visibility::Nobody),
            "users" => Ok(Visibility::Users),
            "everybody" => Ok(Visibility::Everybody),
            _ => Err("it is nobody, users or everybody".to_owned()),
        }
    }
}
