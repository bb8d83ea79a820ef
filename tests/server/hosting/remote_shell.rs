//! WinBoard with a remote shell: `-fcp NAME` selects the profile of an engine.

use super::hosting_server::HostingServer;
use crate::rsh::winboard::WinBoard;
use farboard::chess::Game;
use farboard::chess::Variant;

#[test]
fn winboard_plays_with_the_engine_that_it_names() {
    let server = HostingServer::with_fake_behind_rsh("behaves");
    let mut winboard = WinBoard::introduced(server.running.address, "fake MultiPV=2", 2);
    winboard.send("new\n");
    winboard.send("st 1\n");
    winboard.send("post\n");
    let mut game = Game::new(Variant::NORMAL);
    winboard.go();
    for _ in 0..4 {
        let mut searched_by_fake = false;
        let mv = loop {
            let line = winboard.line().expect("the server stays");
            if let Some(mv) = line.strip_prefix("move ") {
                break mv.to_owned();
            }
            let nodes = line.split_whitespace().nth(3).and_then(|word| word.parse::<u64>().ok());
            let thinks = line.starts_with(|first: char| first.is_ascii_digit());
            // The fake engine's node counts are multiples of a hundred.
            searched_by_fake |= thinks && nodes.is_some_and(|nodes| nodes > 0 && nodes % 100 == 0);
        };
        assert!(searched_by_fake);
        game.play(game.position().parse_move(&mv).expect("a legal move"));
        let answer = game.position().legal_moves()[0];
        let text = game.position().coordinates(answer);
        game.play(answer);
        winboard.send_move(&text);
    }
    let (corrupted, lines) = winboard.quit();
    assert!(corrupted.is_empty() && lines > 0, "{corrupted:?}");
}
