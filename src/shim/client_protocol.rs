//! The client's protocol, as far as the shim must know it: how a first line shows it, which port servers have for it, and the
//! words for what the shim says itself.

use super::address::DEFAULT_PORT;
use super::gui_message;
use crate::protocol::first_line::is_uci;
use std::time::Duration;

/// The first word that is longer in bytes is none of UCI.
const MAX_WORD: usize = 64;

/// A protocol that clients of the shim speak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ClientProtocol {
    /// The protocol of xboard and WinBoard.
    #[default]
    Xboard,
    /// UCI.
    Uci,
    /// The Checkers Protocol.
    Checkers,
}

impl ClientProtocol {
    /// The protocol of a client whose input begins like this, as soon as that is clear.
    pub fn of_beginning(said: &[u8]) -> Option<ClientProtocol> {
        let line = said.split(|&byte| byte == b'\n').next().unwrap_or_default();
        // What follows `go` decides, too.
        let decisive = line.trim_ascii_start();
        let decisive = decisive.strip_prefix(b"go").map_or(decisive, <[u8]>::trim_ascii_start);
        let is_complete = line.len() < said.len() || decisive.iter().any(u8::is_ascii_whitespace);
        if !is_complete && line.len() <= MAX_WORD {
            return None;
        }
        Some(if is_complete && is_uci(line) { ClientProtocol::Uci } else { ClientProtocol::Xboard })
    }

    /// The port on which servers speak it unless told otherwise.
    pub fn default_port(self) -> u16 {
        match self {
            ClientProtocol::Xboard | ClientProtocol::Uci => DEFAULT_PORT,
            ClientProtocol::Checkers => DEFAULT_PORT + 1,
        }
    }

    /// Whether a client waits for the server's first word before it sends anything.
    pub fn servers_speak_first(self) -> bool {
        match self {
            ClientProtocol::Xboard | ClientProtocol::Uci => false,
            ClientProtocol::Checkers => true,
        }
    }

    /// Time limit for a server's first word if there is another server.
    pub fn first_word_timeout(self) -> Duration {
        match self {
            // xboard waits ten seconds for the features, others as long for the options.
            ClientProtocol::Xboard | ClientProtocol::Uci => Duration::from_secs(4),
            // Late GUIs wait three seconds for a server that speaks first.
            ClientProtocol::Checkers => Duration::from_millis(1500),
        }
    }

    /// Time limit for the first word of the only server; `None` if it may be meant to be silent.
    pub fn start_timeout(self) -> Option<Duration> {
        match self {
            ClientProtocol::Xboard | ClientProtocol::Checkers => None,
            // Clients wait ten seconds.
            ClientProtocol::Uci => Some(Duration::from_secs(8)),
        }
    }

    /// The line that ends a session, without its ending.
    pub fn farewell(self) -> &'static str {
        match self {
            ClientProtocol::Xboard | ClientProtocol::Uci => "quit",
            ClientProtocol::Checkers => "QUIT",
        }
    }

    /// Lines that tell the client why there is no engine. If its move is `due` and the protocol has a word for that, it resigns.
    pub fn complaint(self, reason: &str, due: bool) -> String {
        match self {
            ClientProtocol::Xboard => gui_message::lines(reason, due),
            ClientProtocol::Uci => format!("info string ERROR: {}\n", gui_message::shortened(reason)),
            ClientProtocol::Checkers => format!("ALERT {}\n", gui_message::shortened(reason)),
        }
    }

    /// A line that sets an option or a parameter of the engine.
    pub fn setting(self, name: &str, value: &str) -> String {
        match self {
            ClientProtocol::Xboard => format!("option {name}={value}\n"),
            ClientProtocol::Uci => format!("setoption name {name} value {value}\n"),
            ClientProtocol::Checkers => format!("SETPARAMETER {name} {value}\n"),
        }
    }

    /// The line that chooses a profile of the server.
    pub fn profile(self, name: &str) -> String {
        self.setting(if self == ClientProtocol::Checkers { "profile" } else { "Profile" }, name)
    }

    /// The line that sets the time for each move, if the protocol has one: in UCI each search has its time.
    pub fn move_time(self, seconds: u32) -> String {
        match self {
            ClientProtocol::Xboard => format!("st {seconds}\n"),
            ClientProtocol::Uci => String::new(),
            ClientProtocol::Checkers => self.setting("seconds", &seconds.to_string()),
        }
    }
}

/// The reason in the last words of a server that refuses a client, whatever protocol it takes that for.
pub fn refusal(said: &[u8]) -> String {
    // Half a line may be anything, also of a greeting.
    let complete = said.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let text = String::from_utf8_lossy(&said[..complete]);
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
    let words = ["tellusererror ", "info string ", "ALERT "].iter().find_map(|word| line.strip_prefix(word));
    let words = words.unwrap_or(line);
    gui_message::shortened(words.strip_prefix("ERROR: ").unwrap_or(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_decides_as_soon_as_it_can() {
        use ClientProtocol::{Uci, Xboard};
        for (said, expected) in [
            ("", None),
            ("uci", None),
            (" \t", None),
            ("uci\n", Some(Uci)),
            ("uci\r\n", Some(Uci)),
            ("position startpos mo", Some(Uci)),
            ("xboard\n", Some(Xboard)),
            ("\nuci\n", Some(Xboard)),
            ("ucix\n", Some(Xboard)),
            ("d\n", Some(Uci)),
            ("go ", None),
            ("go dep", None),
            ("go depth 8", Some(Uci)),
            ("go perft\n", Some(Uci)),
            ("go \n", Some(Xboard)),
            ("goto x", Some(Xboard)),
        ] {
            assert_eq!(ClientProtocol::of_beginning(said.as_bytes()), expected, "{said:?}");
        }
        assert_eq!(ClientProtocol::of_beginning(&[b'u'; 99]), Some(Xboard));
    }

    #[test]
    fn each_protocol_has_words_for_the_lack_of_an_engine() {
        let words = |protocol: ClientProtocol| protocol.complaint("It is\ngone", true);
        let xboard = "resign\ntellusererror It is gone\nfarboard-connect: server not found\n";
        assert_eq!(words(ClientProtocol::Xboard), xboard);
        assert_eq!(words(ClientProtocol::Uci), "info string ERROR: It is gone\n");
        assert_eq!(words(ClientProtocol::Checkers), "ALERT It is gone\n");
    }

    #[test]
    fn refusals_are_understood_in_each_protocol() {
        for (said, reason) in [
            ("", ""),
            ("tellusererror The server is full.\n", "The server is full."),
            ("info string ERROR: full\r\n\n", "full"),
            ("READY\nALERT full\n", "full"),
            ("220 mail.example ESMTP\n", "220 mail.example ESMTP"),
        ] {
            assert_eq!(refusal(said.as_bytes()), reason, "{said:?}");
        }
    }
}
