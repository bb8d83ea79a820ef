//! The client's protocol as far as the shim must know it: how the first line shows it, and the few lines that the shim
//! sends itself.

use super::address::DEFAULT_PORT;
use super::gui_message;
use crate::protocol::first_line::is_uci;
use std::time::Duration;

/// Maximum length in bytes of a first word of UCI.
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
    /// Returns the protocol of a client whose input begins with `input`, as soon as that is clear.
    pub fn of_beginning(input: &[u8]) -> Option<ClientProtocol> {
        let line = input.split(|&byte| byte == b'\n').next().unwrap_or_default();
        // After `go`, the next word decides.
        let decisive = line.trim_ascii_start();
        let decisive = decisive.strip_prefix(b"go").map_or(decisive, <[u8]>::trim_ascii_start);
        let is_complete = line.len() < input.len() || decisive.iter().any(u8::is_ascii_whitespace);
        if !is_complete && line.len() <= MAX_WORD {
            return None;
        }
        Some(if is_complete && is_uci(line) { ClientProtocol::Uci } else { ClientProtocol::Xboard })
    }

    /// Returns the default port of servers for it.
    pub fn default_port(self) -> u16 {
        match self {
            ClientProtocol::Xboard | ClientProtocol::Uci => DEFAULT_PORT,
            ClientProtocol::Checkers => DEFAULT_PORT + 1,
        }
    }

    /// Returns true if a client waits for the server's first word before it sends anything.
    pub fn servers_speak_first(self) -> bool {
        self == ClientProtocol::Checkers
    }

    /// Returns the time limit for a server's first word while there is another server.
    pub fn first_word_timeout(self) -> Duration {
        match self {
            // xboard waits ten seconds for the features, UCI clients as long for the options.
            ClientProtocol::Xboard | ClientProtocol::Uci => Duration::from_secs(4),
            // Late GUIs wait three seconds for a server that speaks first.
            ClientProtocol::Checkers => Duration::from_millis(1500),
        }
    }

    /// Returns the time limit for the first word of the only server; `None` if its silence may be intended.
    pub fn start_timeout(self) -> Option<Duration> {
        match self {
            ClientProtocol::Xboard | ClientProtocol::Checkers => None,
            // Clients wait ten seconds.
            ClientProtocol::Uci => Some(Duration::from_secs(8)),
        }
    }

    /// Returns the command that ends a session, without its line ending.
    pub fn quit_command(self) -> &'static str {
        match self {
            ClientProtocol::Xboard | ClientProtocol::Uci => "quit",
            ClientProtocol::Checkers => "QUIT",
        }
    }

    /// Returns lines that report why there is no engine. If its move is `due` and the protocol allows it, it resigns.
    pub fn error_lines(self, reason: &str, due: bool) -> String {
        match self {
            ClientProtocol::Xboard => gui_message::lines(reason, due),
            ClientProtocol::Uci => format!("info string ERROR: {}\n", gui_message::shortened(reason)),
            ClientProtocol::Checkers => format!("ALERT {}\n", gui_message::shortened(reason)),
        }
    }

    /// Returns a line that sets an option or a parameter of the engine.
    pub fn setting(self, name: &str, value: &str) -> String {
        match self {
            ClientProtocol::Xboard => format!("option {name}={value}\n"),
            ClientProtocol::Uci => format!("setoption name {name} value {value}\n"),
            ClientProtocol::Checkers => format!("SETPARAMETER {name} {value}\n"),
        }
    }

    /// Returns the line that chooses a profile of the server.
    pub fn profile(self, name: &str) -> String {
        self.setting(if self == ClientProtocol::Checkers { "profile" } else { "Profile" }, name)
    }

    /// Returns the line that sets the time for each move; empty in UCI, where each search has its time.
    pub fn move_time(self, seconds: u32) -> String {
        match self {
            ClientProtocol::Xboard => format!("st {seconds}\n"),
            ClientProtocol::Uci => String::new(),
            ClientProtocol::Checkers => self.setting("seconds", &seconds.to_string()),
        }
    }
}

/// Returns the reason in the last line of a server that refuses a client, in any protocol.
pub fn refusal(output: &[u8]) -> String {
    // Half a line may be anything, also part of a greeting.
    let complete = output.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let text = String::from_utf8_lossy(&output[..complete]);
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
        for (input, expected) in [
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
            assert_eq!(ClientProtocol::of_beginning(input.as_bytes()), expected, "{input:?}");
        }
        assert_eq!(ClientProtocol::of_beginning(&[b'u'; 99]), Some(Xboard));
    }

    #[test]
    fn each_protocol_reports_that_there_is_no_engine() {
        let words = |protocol: ClientProtocol| protocol.error_lines("It is\ngone", true);
        let xboard = "resign\ntellusererror It is gone\nfarboard-connect: server not found\n";
        assert_eq!(words(ClientProtocol::Xboard), xboard);
        assert_eq!(words(ClientProtocol::Uci), "info string ERROR: It is gone\n");
        assert_eq!(words(ClientProtocol::Checkers), "ALERT It is gone\n");
    }

    #[test]
    fn refusals_are_understood_in_each_protocol() {
        for (output, reason) in [
            ("", ""),
            ("tellusererror The server is full.\n", "The server is full."),
            ("info string ERROR: full\r\n\n", "full"),
            ("READY\nALERT full\n", "full"),
            ("220 mail.example ESMTP\n", "220 mail.example ESMTP"),
        ] {
            assert_eq!(refusal(output.as_bytes()), reason, "{output:?}");
        }
    }
}
