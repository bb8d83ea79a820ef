//! A session of the server under load, as its client sees it.

use super::phase::ClientId;
use crate::chess::{Game, Variant};
use crate::engines::{ChessEngine, EngineEvent};

/// Beginnings of the remarks with which Farboard reports an error to UCI clients; the protocol has
/// no words for errors.
const ERROR_REMARKS: [&str; 6] = [
    "nothing is searched:",
    "this server is ",
    "a defect of the engine ",
    "you have ",
    "there is no profile",
    "ERROR",
];

/// An opened session.
#[derive(Clone, Debug)]
pub struct LoadClient {
    /// Connection of the session.
    pub id: ClientId,
    /// The engine at its other end.
    pub engine: ChessEngine,
}

/// Returns the text of an event that reports an error.
pub(super) fn error_reply<'a>(event: &EngineEvent<'a>) -> Option<&'a str> {
    match *event {
        EngineEvent::Error(text) => Some(text),
        EngineEvent::Remark(text) => {
            ERROR_REMARKS.iter().any(|words| text.starts_with(words)).then_some(text)
        }
        _ => None,
    }
}

/// Selects a profile, and puts a position on the board.
pub(super) fn prepare(engine: &mut ChessEngine, profile: Option<&str>) -> String {
    let mut game = Game::new(Variant::NORMAL);
    for text in ["e2e4", "e7e5"] {
        if let Ok(mv) = game.position().parse_move(text) {
            game.play(mv);
        }
    }
    let profile = profile.map(|name| engine.set_option("Profile", name)).unwrap_or_default();
    profile + engine.request_accounts() + &engine.show_position(game.start(), game.moves())
}

/// Makes the engine play without its opening book.
pub(super) fn leave_book(engine: &mut ChessEngine) -> String {
    match engine {
        ChessEngine::Uci(uci) => uci.update_option("OwnBook", false),
        ChessEngine::Xboard(xboard) => match xboard.features().option("Book") {
            Some(book) if book.starts_with("Book -combo") => engine.set_option("Book", "none"),
            _ => String::new(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::EngineProtocol;

    #[test]
    fn a_session_is_prepared_in_the_words_of_its_protocol() {
        let mut xboard = ChessEngine::new(EngineProtocol::Xboard);
        xboard.receive("feature usermove=1 debug=1 option=\"Book -combo own /// none\" done=1");
        let prepared = prepare(&mut xboard, Some("fish"));
        let expected = "option Profile=fish\naccepted debug\nnew\nforce\nusermove e2e4\nusermove e7e5\n";
        assert_eq!(prepared, expected);
        assert_eq!(leave_book(&mut xboard), "option Book=none\n");
        let mut uci = ChessEngine::new(EngineProtocol::Uci);
        uci.receive("id name Farboard 0.1.0");
        let prepared = prepare(&mut uci, None);
        assert!(prepared.starts_with("debug on\nucinewgame\nposition fen "), "{prepared}");
        assert!(prepared.ends_with(" moves e2e4 e7e5\n"), "{prepared}");
        assert_eq!(leave_book(&mut uci), "");
    }

    #[test]
    fn errors_of_uci_are_remarks() {
        for error in [
            "nothing is searched: e2e5 is not legal",
            "this server is busy: 8 searches like this one are running already",
            "a defect of the engine has ended its search",
        ] {
            assert_eq!(error_reply(&EngineEvent::Remark(error)), Some(error));
        }
        assert_eq!(error_reply(&EngineEvent::Remark("NNUE evaluation using nn.nnue")), None);
    }
}
