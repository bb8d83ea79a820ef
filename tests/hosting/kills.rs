//! Processes of engines that are killed in the middle of games.

use crate::support::{Client, HostingServer, exists, wait_until};
use rustix::process::{Pid, Signal, kill_process};
use std::time::Duration;

/// Kills, each at another instant of a move.
const KILLS: u64 = 100;

#[test]
fn no_game_is_lost_by_an_engine_that_is_killed() {
    let server = HostingServer::with_fake("behaves", 2, "");
    let mut client = Client::of_fake(&server);
    client.send("st 0.15\n");
    for kill in 0..KILLS {
        if client.position.legal_moves().is_empty() || kill % 20 == 0 {
            client.send("new\nst 0.15\n");
            client.position = farboard::chess::AnyPosition::start(farboard::chess::Variant::NORMAL);
        }
        client.send("go\n");
        // From before the engine hears of it until after its move.
        std::thread::sleep(Duration::from_micros(kill * 2000));
        let victims: Vec<u32> = server.processes().iter().map(|row| row.process).collect();
        for &victim in &victims {
            let process = Pid::from_raw(victim as i32).expect("a process");
            let _ = kill_process(process, Signal::KILL);
        }
        client.play("");
        wait_until("what was killed is collected", || !victims.iter().any(|&victim| exists(victim)));
    }
}
