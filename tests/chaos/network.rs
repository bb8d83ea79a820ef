//! Tests of the proxy itself.

use crate::proxy::Proxy;
use crate::support::dice::Dice;
use crate::weather::{Accident, Kind, Weather, When};
use crate::wire::TEST_TIMEOUT;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::thread;

/// The bytes that an echo server returns through such a network, and whether the connection was
/// reset.
fn echoed(sent: &[u8], weather: Weather) -> (Vec<u8>, bool) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let server = listener.local_addr().expect("a bound socket");
    let echo = thread::spawn(move || {
        let (mut from, _) = listener.accept().expect("a client");
        let mut to = from.try_clone().expect("a socket");
        // Ends with the connection.
        let _ = std::io::copy(&mut from, &mut to);
        let _ = to.shutdown(Shutdown::Write);
    });
    let proxy = Proxy::start(server, 1, move |_| weather.clone());
    let mut client = TcpStream::connect(proxy.address).expect("the proxy listens");
    client.set_read_timeout(Some(TEST_TIMEOUT)).expect("a socket");
    let (mut output, bytes) = (client.try_clone().expect("a socket"), sent.to_vec());
    let writer = thread::spawn(move || {
        let _ = output.write_all(&bytes);
        let _ = output.shutdown(Shutdown::Write);
    });
    let mut got = Vec::new();
    let reset = match client.read_to_end(&mut got) {
        Ok(_) => false,
        Err(error) if error.kind() == ErrorKind::ConnectionReset => true,
        Err(error) => panic!("neither an end nor a reset: {error}"),
    };
    writer.join().expect("no panic");
    echo.join().expect("no panic");
    (got, reset)
}

fn lines(dice: &mut Dice, count: usize) -> Vec<u8> {
    (0..count).flat_map(|_| format!("{}\n", "x".repeat(dice.roll(100))).into_bytes()).collect()
}

#[test]
fn nothing_is_lost_or_changed_on_the_way() {
    for seed in 0..12 {
        let mut dice = Dice::new(seed, 30);
        let sent = lines(&mut dice, 100);
        let (got, reset) = echoed(&sent, Weather::rough(&mut dice));
        assert!(got == sent && !reset, "seed {seed}: {} bytes of {}", got.len(), sent.len());
    }
}

#[test]
fn accidents_happen_where_configured() {
    for seed in 0..24 {
        let mut dice = Dice::new(seed, 31);
        let sent = lines(&mut dice, 200);
        let after = dice.roll(3000);
        let kind = if seed % 2 == 0 { Kind::Truncation } else { Kind::Reset };
        let when = if dice.once_in(2) { When::Up(after as u64) } else { When::Down(after as u64) };
        let accident = Some(Accident { kind, when });
        let (got, reset) = echoed(&sent, Weather { accident, ..Weather::rough(&mut dice) });
        assert!(got.len() <= after && sent.starts_with(&got), "seed {seed}: {} of {after}", got.len());
        assert!(kind == Kind::Reset || !reset, "seed {seed}: a reset instead of an end");
        if let (When::Down(_), Kind::Truncation) = (when, kind) {
            // Everything except line ends that would be the last byte.
            let least = sent[..after].iter().rposition(|&byte| byte != b'\n').map_or(0, |last| last + 1);
            assert!(got.len() >= least, "seed {seed}: {} of {least}", got.len());
        }
    }
}
