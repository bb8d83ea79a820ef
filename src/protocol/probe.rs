//! Health checks of a load balancer: commands and answers.

use super::Line;
use super::uci;
use super::xboard::{Command, Reply};

/// Returns the answer to a line of a health check: to `ping N` of xboard's protocol and to
/// `isready` of UCI. Other lines get none.
pub(crate) fn answer(line: &[u8]) -> Option<Line> {
    match Command::parse(line) {
        Ok(Command::Ping(number)) => Some(Line::from(&Reply::Pong(number))),
        _ if line.trim_ascii() == b"isready" => Some(Line::from(&uci::Reply::Readyok)),
        _ => None,
    }
}

/// A balancer's report about its servers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Share {
    /// Sessions of all servers.
    pub sessions: usize,
    /// Servers that accept new sessions.
    pub servers: usize,
}

/// Reads `share SESSIONS SERVERS`.
pub(crate) fn share(line: &[u8]) -> Option<Share> {
    let mut words = str::from_utf8(line).ok()?.split_ascii_whitespace();
    let mut number = |before: Option<&str>| {
        if let Some(before) = before
            && words.next() != Some(before)
        {
            return None;
        }
        words.next()?.parse().ok()
    };
    let share = Share { sessions: number(Some("share"))?, servers: number(None)? };
    words.next().is_none().then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_is_answered_and_nothing_else() {
        let text = |line: &str| answer(line.as_bytes()).map(|line| line.text);
        assert_eq!(text("ping 7").as_deref(), Some("pong 7\n"));
        assert_eq!(text("isready").as_deref(), Some("readyok\n"));
        for line in ["xboard", "protover 2", "ping", "ping x", "go", "uci", "analyze", ""] {
            assert_eq!(text(line), None, "{line}");
        }
    }

    #[test]
    fn a_balancer_may_report_its_share() {
        assert_eq!(share(b"share 120 3"), Some(Share { sessions: 120, servers: 3 }));
        for line in ["share", "share 1", "share 1 2 3", "share -1 2", "share x 2", "ping 7", "shares 1 2"] {
            assert_eq!(share(line.as_bytes()), None, "{line}");
        }
        assert_eq!(share(b"share \xff 2"), None);
    }
}
