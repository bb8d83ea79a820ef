//! Options of the engine in the command line, as commands to the server.

use super::client_protocol::ClientProtocol;
use crate::protocol::{DEFAULT_PROFILE, SEED_OPTION};

/// Options that the shim sets for the client after its first line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StartupOptions {
    profile: Option<String>,
    settings: Vec<(String, String)>,
    seconds: Option<u32>,
    /// Seed of random choices, of 63 bits.
    pub seed: Option<u64>,
}

impl StartupOptions {
    /// Parses a command as xboard gives it to a remote shell: its program is a profile, its words are options, and its
    /// last word may be the time for each move, which xboard appends when started with `-st` (protocol 1, section 13).
    pub fn of_command(command: &[String]) -> StartupOptions {
        let clean = |text: &str| text.replace(char::is_control, " ");
        let mut words: Vec<&str> =
            command.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
        let seconds = words.last().and_then(|word| seconds(word));
        if seconds.is_some() {
            words.pop();
        }
        let profile = words.first().filter(|word| **word != DEFAULT_PROFILE && !word.contains('='));
        let settings =
            words.iter().filter_map(|word| word.split_once('=')).filter(|(name, _)| !name.is_empty());
        StartupOptions {
            profile: profile.map(|word| clean(word)),
            settings: settings.map(|(name, value)| (clean(name), clean(value))).collect(),
            seconds,
            seed: None,
        }
    }

    /// Returns the lines that set the options, with their endings.
    pub fn lines(&self, protocol: ClientProtocol) -> Vec<u8> {
        let profile = self.profile.iter().map(|name| protocol.profile(name));
        let settings = self.settings.iter().map(|(name, value)| protocol.setting(name, value));
        let time = self.seconds.map(|seconds| protocol.move_time(seconds));
        // After the profile, whose options do not include it.
        let seed = self.seed.map(|seed| protocol.setting(SEED_OPTION, &seed.to_string()));
        profile.chain(settings).chain(time).chain(seed).collect::<String>().into_bytes()
    }
}

/// Parses seconds for each move.
fn seconds(word: &str) -> Option<u32> {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|&seconds| is_number && seconds > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(command: &[&str]) -> String {
        let command: Vec<String> = command.iter().map(|&word| word.to_owned()).collect();
        String::from_utf8(StartupOptions::of_command(&command).lines(ClientProtocol::Xboard)).expect("text")
    }

    #[test]
    fn the_command_chooses_a_profile_and_sets_options() {
        assert_eq!(lines(&[]), "");
        assert_eq!(lines(&["farboard", ""]), "");
        assert_eq!(lines(&["", "club"]), "option Profile=club\n");
        assert_eq!(lines(&["farboard", "Elo=1500", "-x", "=3"]), "option Elo=1500\n");
        assert_eq!(lines(&["club"]), "option Profile=club\n");
        assert_eq!(lines(&["club", "Elo=1500"]), "option Profile=club\noption Elo=1500\n");
        assert_eq!(lines(&["Elo=1500"]), "option Elo=1500\n");
        assert_eq!(lines(&["a\nnew"]), "option Profile=a new\n");
    }

    #[test]
    fn a_number_at_the_end_of_the_command_is_the_time_for_each_move() {
        assert_eq!(lines(&["30"]), "st 30\n");
        assert_eq!(lines(&["30", ""]), "st 30\n");
        assert_eq!(lines(&["farboard", "30"]), "st 30\n");
        assert_eq!(lines(&["club", "Elo=1500", "5"]), "option Profile=club\noption Elo=1500\nst 5\n");
        assert_eq!(lines(&["30", "Elo=1500"]), "option Profile=30\noption Elo=1500\n");
        for none in ["0", "+3", "-3", "3s", "99999999999"] {
            assert!(!lines(&["farboard", none]).contains("st "), "{none}");
        }
    }
}
