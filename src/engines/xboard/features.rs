//! The features that an engine announces.

use std::collections::BTreeMap;

/// Names of the features that matter to a client.
const NAMES: [&str; 10] =
    ["analyze", "debug", "done", "exclude", "memory", "myname", "ping", "setboard", "usermove", "variants"];

/// The features that an engine has announced.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Features {
    values: BTreeMap<&'static str, String>,
    /// Its options, as `NAME -TYPE …`.
    options: Vec<String>,
}

impl Features {
    /// Adds the features in the text after the word `feature`.
    pub(super) fn take(&mut self, text: &str) {
        let mut rest = text.trim_start();
        while let Some((name, behind)) = rest.split_once('=') {
            let (value, behind) = match behind.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => behind.split_once(' ').unwrap_or((behind, "")),
            };
            if name.trim() == "option" {
                self.options.push(value.to_owned());
            } else if let Some(name) = NAMES.into_iter().find(|&known| known == name.trim()) {
                self.values.insert(name, value.to_owned());
            }
            rest = behind.trim_start();
        }
    }

    /// Returns the value of a feature.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Returns true if the engine announces a feature with the value 1.
    pub fn has(&self, name: &str) -> bool {
        self.value(name).is_some_and(|value| value.trim() == "1")
    }

    /// Returns true if the engine knows `analyze`, which it would have to deny.
    pub fn can_analyze(&self) -> bool {
        self.value("analyze").is_none() || self.has("analyze")
    }

    /// Returns an option of the engine, as `NAME -TYPE …`.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().map(String::as_str).find(|option| option_name(option) == name)
    }

    /// The names of the engine's options.
    pub fn option_names(&self) -> impl Iterator<Item = &str> {
        self.options.iter().map(|option| option_name(option))
    }
}

/// Returns the name of an option, `NAME -TYPE …`.
fn option_name(option: &str) -> &str {
    option.split(" -").next().unwrap_or(option)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_features() {
        let mut features = Features::default();
        features.take("done=0");
        features
            .take("ping=1 usermove=1 setboard=0 myname=\"An engine done=1\" debug=1 variants=\"normal,x\"");
        features.take("option=\"Book -combo own /// none\" option=\"Ponder -check 1\"");
        let has = |features: &Features| {
            ["ping", "usermove", "setboard", "memory", "debug", "done"].map(|name| features.has(name))
        };
        assert_eq!(has(&features), [true, true, false, false, true, false]);
        assert!(features.can_analyze() && features.value("memory").is_none());
        assert_eq!(features.value("variants"), Some("normal,x"));
        assert_eq!(features.option("Book"), Some("Book -combo own /// none"));
        assert!(features.option_names().eq(["Book", "Ponder"]));
        features.take("analyze=0 done=1");
        assert!(!features.can_analyze() && features.has("done") && features.has("ping"));
    }

    #[test]
    fn garbage_is_no_feature() {
        let mut features = Features::default();
        for text in ["", "=", "ping", "ping=", "ping=\"", "\"ping=1", "===", "done"] {
            features.take(text);
        }
        assert!(!features.has("ping") && features.option("").is_none(), "{features:?}");
    }
}
