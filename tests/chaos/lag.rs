//! Short games over a slow connection: the engine must leave time for the network.

use crate::direct::connect;
use crate::gui::Control;
use crate::metronome;
use crate::opponent::sensible_move;
use crate::proxy::Proxy;
use crate::seeds;
use crate::servers::Server;
use crate::support::dice::Dice;
use crate::weather::{Way, Weather};
use std::net::Ipv4Addr;
use std::time::Duration;

/// Concurrent games, which mostly wait for the network.
const AT_ONCE: usize = 6;

/// Number of engine moves after which a game is stopped. No game may be lost on time.
fn play(each_way: Duration, games: usize, moves: usize) {
    let _turn = metronome::turn();
    let server = Server::start((Ipv4Addr::LOCALHOST, 0).into(), &[]);
    let results = seeds::run(6, AT_ONCE, |run| {
        let mut dice = Dice::new(run.seed, 5);
        let way = Way { delay: each_way, ..Way::default() };
        let weather = Weather { up: way, down: way, accident: None };
        let proxy = Proxy::start(server.address, run.seed, move |_| weather.clone());
        let mut gui = connect(proxy.address, run);
        gui.own_lateness = Box::new(move |from, to| proxy.lateness(from, to));
        gui.introduce();
        gui.until_introduced();
        gui.say("option Book=none");
        let (base, increment) = (Duration::from_secs(1), Duration::from_millis(100));
        gui.set_control(Control::Level { moves: 0, base, increment });
        let mut made = Vec::new();
        for _ in 0..games {
            gui.new_game();
            gui.settle();
            let before = gui.moves_received;
            while gui.game.moves().len() < 2 * moves && !gui.is_over() {
                sensible_move(&mut gui, &mut dice);
                gui.until_moved();
            }
            made.push(gui.moves_received - before);
        }
        gui.quit();
        (gui.clock.lowest, gui.clock.forgiven, made)
    });
    let lowest = results.iter().map(|result| result.0).min();
    println!(
        "{each_way:?} each way: lowest clock {lowest:?} ms; (lowest, forgiven, moves of each game): {results:?}"
    );
}

/// 160 ms of latency less a 100 ms increment: even an instant move costs 60 ms, so the seventeenth
/// loses on time in any case. Games end before that.
#[test]
fn games_with_80_ms_each_way() {
    play(Duration::from_millis(80), 2, 12);
}

/// The increment covers the latency and a little thinking, so games may have any length.
#[test]
fn long_games_with_40_ms_each_way() {
    play(Duration::from_millis(40), 1, 50);
}
