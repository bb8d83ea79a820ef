//! Clients connected to the server directly, without the shim.

use crate::gui::{Control, Gui};
use crate::opponent::random_move;
use crate::proxy::Proxy;
use crate::seeds::{self, Run};
use crate::servers::Server;
use crate::support::dice::Dice;
use crate::weather::Weather;
use crate::wire::{Received, TEST_TIMEOUT, Wire};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const ANYWHERE: (Ipv4Addr, u16) = (Ipv4Addr::LOCALHOST, 0);

pub fn connect(address: SocketAddr, run: Run) -> Gui {
    Gui::new(Wire::tcp(TcpStream::connect(address).expect("a listener")), run)
}

fn prepare(gui: &mut Gui) {
    gui.introduce();
    gui.until_introduced();
    gui.say("option Book=none");
    gui.new_game();
}

/// A rough network costs only time: every line is whole, every move is answered once, and pongs
/// come in order.
#[test]
fn games_over_a_rough_network() {
    let server = Server::start(ANYWHERE.into(), &[]);
    let moves: u32 = seeds::run(32, 6, |run| {
        let mut dice = Dice::new(run.seed, 1);
        let mut weather = Dice::new(run.seed, 2);
        let proxy = Proxy::start(server.address, run.seed, move |_| Weather::rough(&mut weather));
        let mut gui = connect(proxy.address, run);
        prepare(&mut gui);
        gui.set_post(dice.once_in(2));
        gui.set_hard(dice.once_in(3));
        gui.set_control(*dice.pick(&[Control::Depth(3), Control::PerMove(Duration::from_millis(20))]));
        if dice.once_in(2) {
            gui.go();
            gui.until_moved();
        }
        for _ in 0..12 {
            if gui.is_over() {
                break;
            }
            random_move(&mut gui, &mut dice);
            for _ in 0..dice.roll(3) {
                gui.ping();
            }
            gui.until_moved();
        }
        gui.settle();
        gui.quit();
        gui.moves_received
    })
    .into_iter()
    .sum();
    println!("{moves} moves over a rough network");
}

/// A vanished client leaves nothing behind and disturbs no other: the server accepts two sessions
/// and one search.
#[test]
fn vanished_clients_free_their_slots() {
    // A client that stays, one that vanishes, and the next one, which connects before the loss is
    // noticed.
    let server = Server::start(ANYWHERE.into(), &["--max-sessions", "4", "--max-searches", "1"]);
    let (over, quiet) = (AtomicBool::new(false), Run { seed: 0, loud: false });
    thread::scope(|scope| {
        let stays = scope.spawn(|| {
            let mut dice = Dice::new(0, 3);
            let mut gui = connect(server.address, quiet);
            prepare(&mut gui);
            while !over.load(Ordering::Relaxed) {
                gui.new_game();
                gui.set_control(Control::PerMove(Duration::from_millis(10)));
                for _ in 0..10 {
                    if !gui.is_over() {
                        random_move(&mut gui, &mut dice);
                        gui.until_moved();
                    }
                }
            }
            gui.quit();
            gui.moves_received
        });
        // Whatever happens below, the other thread must not wait forever.
        let ends = Ends(&over);
        seeds::run(48, 1, |run| vanish(&server, run));
        drop(ends);
        println!(
            "{} moves beside clients that vanish",
            stays.join().expect("the other client is not disturbed")
        );
    });
}

struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs an analysis that needs the only analysis slot over a connection that breaks.
fn vanish(server: &Server, run: Run) {
    let mut dice = Dice::new(run.seed, 4);
    // The server's introduction takes about three thousand bytes; thinking lines follow.
    let weather = Weather::stormy(&mut dice, 6000, Duration::from_millis(200));
    let proxy = Proxy::start(server.address, run.seed, move |_| weather.clone());
    let mut wire = Wire::tcp(TcpStream::connect(proxy.address).expect("the proxy listens"));
    for line in ["xboard", "protover 2", "post", "analyze"] {
        wire.send(line);
    }
    // A connection breaks only after it has carried a number of bytes.
    let deadline = Instant::now() + TEST_TIMEOUT;
    let filler = format!("name {}", "x".repeat(100));
    let mut ended = false;
    while !ended {
        wire.send(&filler);
        wire.send(".");
        while let Some((_, received)) = wire.next(Instant::now() + Duration::from_millis(2)) {
            ended |= matches!(received, Received::End(_));
        }
        assert!(Instant::now() < deadline, "the connection did not break");
    }
    // The next analysis gets the slot as soon as the server has noticed.
    wait_for_room(server);
    let mut next = connect(server.address, run);
    prepare(&mut next);
    next.set_post(true);
    next.analyze();
    next.settle();
    next.until("thinking lines", |gui| gui.thoughts.len() > 2);
    next.quit();
}

/// Retries an analysis, which is refused while another runs, until one begins; then ends it.
fn wait_for_room(server: &Server) {
    let mut wire = Wire::tcp(TcpStream::connect(server.address).expect("it listens"));
    let deadline = Instant::now() + TEST_TIMEOUT;
    let mut begun = false;
    for line in ["xboard", "post"] {
        wire.send(line);
    }
    while !begun {
        wire.send("analyze");
        let soon = Instant::now() + Duration::from_millis(50);
        while let Some((_, received)) = wire.next(soon) {
            begun |= matches!(received, Received::Line(line) if line.first().is_some_and(u8::is_ascii_digit));
        }
        wire.send("exit");
        assert!(Instant::now() < deadline, "the search of a vanished client continues");
    }
    wire.send("quit");
    while !matches!(wire.next(deadline), Some((_, Received::End(_)))) {
        assert!(Instant::now() < deadline, "the analysis does not end");
    }
}
