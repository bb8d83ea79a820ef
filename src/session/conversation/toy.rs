//! A protocol of three lines, to show what a new one needs: it sends `HELLO` first and echoes
//! positions. The server needs no change.

use crate::chess::{AnyPosition, Variant};
use crate::protocol::Line;
use crate::session::{Effect, Input};

pub struct Session;

impl Session {
    pub(super) fn handle(&mut self, input: &Input<'_>, effects: &mut Vec<Effect>) {
        let Input::Line(line) = input else { return };
        if let Ok(position) = AnyPosition::from_fen(Variant::NORMAL, &String::from_utf8_lossy(line)) {
            effects.push(Effect::Send(Line::lasting(format!("POSITION {}\n", position.fen()))));
        }
    }
}

mod tests {
    use crate::server::test_server::TestServer;
    use crate::session::Protocol;

    const FEN: &str = "8/8/8/4k3/8/8/8/4K2R w K - 0 1";

    #[test]
    fn a_listener_speaks_it_and_speaks_first() {
        let mut server = TestServer::speaking(Protocol::Toy, |_| {});
        let mut client = server.client();
        assert_eq!(server.hear(&mut client, ""), "HELLO");
        client.send(&format!("{FEN}\n"));
        assert_eq!(server.hear(&mut client, ""), format!("POSITION {FEN}"));
    }

    #[test]
    fn the_first_line_can_ask_for_it() {
        let mut server = TestServer::speaking(Protocol::Auto, |_| {});
        let (mut toy, mut xboard) = (server.client(), server.client());
        toy.send(&format!("TOY\n{FEN}\n"));
        assert_eq!(server.hear(&mut toy, ""), "HELLO");
        assert_eq!(server.hear(&mut toy, ""), format!("POSITION {FEN}"));
        xboard.send("ping 1\n");
        assert_eq!(server.hear(&mut xboard, ""), "pong 1");
    }

    #[test]
    fn a_refusal_is_in_its_own_words() {
        let mut server = TestServer::speaking(Protocol::Toy, |setup| setup.limits.sessions = 1);
        let mut first = server.client();
        server.hear(&mut first, "HELLO");
        let mut second = server.client();
        assert!(server.hear(&mut second, "").starts_with("NO "));
    }
}
