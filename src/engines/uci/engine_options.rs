//! The options that an engine declares.

/// The type of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionType {
    /// On or off.
    Check,
    /// A number with its least and greatest value.
    Spin(i64, i64),
    /// One of these.
    Combo(Vec<String>),
    /// An action without a value.
    Button,
    /// Text, or an unknown type.
    Text,
}

/// An option of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineOption {
    /// Its name, which may contain blanks.
    pub name: String,
    /// Its type.
    pub kind: OptionType,
}

impl EngineOption {
    /// Parses the text after the word `option`.
    pub(super) fn parse(text: &str) -> Option<EngineOption> {
        let text = text.strip_prefix("name ")?;
        let (name, rest) = text.split_once(" type ")?;
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        let number = |key: &str| {
            let at = words.iter().position(|&word| word == key)?;
            words.get(at + 1)?.parse::<i64>().ok()
        };
        let kind = match *words.first()? {
            "check" => OptionType::Check,
            "button" => OptionType::Button,
            "spin" => OptionType::Spin(number("min").unwrap_or(i64::MIN), number("max").unwrap_or(i64::MAX)),
            "combo" => {
                let values = rest.split(" var ").skip(1).map(|value| value.trim().to_owned());
                OptionType::Combo(values.collect())
            }
            _ => OptionType::Text,
        };
        Some(EngineOption { name: name.trim().to_owned(), kind })
    }
}

/// Returns the value of an option that is on or off, from what people write.
pub(super) fn truth(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "1" | "true" | "on" | "yes" => Some(true),
        "0" | "false" | "off" | "no" => Some(false),
        _ => None,
    }
}

/// All options of an engine.
#[derive(Clone, Default, Debug)]
pub struct EngineOptions(Vec<EngineOption>);

impl EngineOptions {
    /// Adds an option.
    pub fn add(&mut self, option: EngineOption) {
        self.0.push(option);
    }

    /// An option by its name, in any case.
    pub fn get(&self, name: &str) -> Option<&EngineOption> {
        self.0.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Returns true if there is an option of this name, in any case.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Returns true if there is an option of this name that can have this value.
    pub fn accepts(&self, name: &str, value: &str) -> bool {
        self.get(name).is_some_and(|option| match &option.kind {
            OptionType::Check => truth(value).is_some(),
            OptionType::Spin(least, greatest) => {
                value.parse().is_ok_and(|number| (*least..=*greatest).contains(&number))
            }
            OptionType::Combo(choices) => choices.iter().any(|choice| choice.eq_ignore_ascii_case(value)),
            OptionType::Button | OptionType::Text => true,
        })
    }

    /// The least and the greatest value of a numeric option.
    pub fn range(&self, name: &str) -> Option<(i64, i64)> {
        match self.get(name)?.kind {
            OptionType::Spin(least, greatest) => Some((least, greatest)),
            _ => None,
        }
    }

    /// The choices of an option; none if there is no such option.
    pub fn choices(&self, name: &str) -> &[String] {
        match self.get(name).map(|option| &option.kind) {
            Some(OptionType::Combo(choices)) => choices,
            _ => &[],
        }
    }

    /// The names of all options in the order of their declaration.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|option| option.name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_all_types() {
        let mut options = EngineOptions::default();
        for text in [
            "name Clear Hash type button",
            "name Hash type spin default 16 min 1 max 33554432",
            "name UCI_Variant type combo default chess var chess var crazyhouse var 3check",
            "name Ponder type check default false",
            "name SyzygyPath type string default <empty>",
        ] {
            options.add(EngineOption::parse(text).unwrap());
        }
        assert_eq!(options.range("hash"), Some((1, 33_554_432)));
        assert_eq!(options.choices("uci_variant"), ["chess", "crazyhouse", "3check"]);
        assert_eq!(options.get("clear hash").unwrap().kind, OptionType::Button);
        assert!(options.has("PONDER") && !options.has("Pond"));
        assert_eq!(options.get("SyzygyPath").unwrap().kind, OptionType::Text);
        assert_eq!(options.names().count(), 5);
        for (name, value) in [("Hash", "1"), ("ponder", "yes"), ("UCI_Variant", "Chess"), ("SyzygyPath", "")]
        {
            assert!(options.accepts(name, value), "{name} {value}");
        }
        for (name, value) in
            [("Hash", "0"), ("Hash", "many"), ("Ponder", "2"), ("UCI_Variant", "go"), ("Elo", "1")]
        {
            assert!(!options.accepts(name, value), "{name} {value}");
        }
        for nonsense in ["", "name", "name x", "name x type", "x type spin"] {
            assert_eq!(EngineOption::parse(nonsense), None, "{nonsense}");
        }
    }
}
