//! The features that an engine announces.

/// Features that matter to a client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Features {
    /// The engine answers `ping`.
    pub ping: bool,
    /// The engine wants moves as `usermove M`.
    pub usermove: bool,
    /// The engine knows `setboard`.
    pub setboard: bool,
    /// The engine knows `analyze`. True unless denied.
    pub analyze: bool,
    /// The engine has Farboard's option `Book`.
    pub book: bool,
    /// The engine knows `memory`.
    pub memory: bool,
    /// The engine sends `#` lines to clients that accept them.
    pub debug: bool,
    /// The engine knows `exclude`.
    pub exclude: bool,
    /// The value of `done`; `None` if not announced.
    pub done: Option<bool>,
}

impl Default for Features {
    /// The features of an engine that has announced none.
    fn default() -> Features {
        Features {
            ping: false,
            usermove: false,
            setboard: false,
            analyze: true,
            book: false,
            memory: false,
            debug: false,
            exclude: false,
            done: None,
        }
    }
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
            self.set(name.trim(), value);
            rest = behind.trim_start();
        }
    }

    /// Returns the quoted value of a feature in the text after the word `feature`.
    pub(super) fn quoted<'a>(text: &'a str, name: &str) -> Option<&'a str> {
        let (_, behind) = text.split_once(&format!("{name}=\""))?;
        behind.split_once('"').map(|(value, _)| value)
    }

    fn set(&mut self, name: &str, value: &str) {
        let yes = value.trim() == "1";
        match name {
            "ping" => self.ping = yes,
            "usermove" => self.usermove = yes,
            "setboard" => self.setboard = yes,
            "analyze" => self.analyze = yes,
            "memory" => self.memory = yes,
            "debug" => self.debug = yes,
            "exclude" => self.exclude = yes,
            "done" => self.done = Some(yes),
            "option" if value.starts_with("Book -combo") => self.book = true,
            _ => {}
        }
    }
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
        let expected = Features {
            ping: true,
            usermove: true,
            setboard: false,
            analyze: true,
            book: true,
            memory: false,
            debug: true,
            exclude: false,
            done: Some(false),
        };
        assert_eq!(features, expected);
        features.take("analyze=0 done=1");
        assert_eq!(features, Features { analyze: false, done: Some(true), ..expected });
    }

    #[test]
    fn garbage_is_no_feature() {
        let mut features = Features::default();
        for text in ["", "=", "ping", "ping=", "ping=\"", "\"ping=1", "===", "done"] {
            features.take(text);
        }
        assert_eq!(features, Features::default());
    }
}
