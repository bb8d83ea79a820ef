//! What a balancer's health check says and hears: whether the server answers.

use super::Line;
use super::uci;
use super::xboard::{Command, Reply};

/// The answer to a line of a health check: to `ping N` of xboard's protocol and to `isready` of UCI. Other lines have none.
pub fn answer(line: &[u8]) -> Option<Line> {
    match Command::parse(line) {
        Ok(Command::Ping(number)) => Some(Line::from(&Reply::Pong(number))),
        _ if line.trim_ascii() == b"isready" => Some(Line::from(&uci::Reply::Readyok)),
        _ => None,
    }
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
}
