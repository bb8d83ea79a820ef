//! Engine processes killed during games.

use super::hosting_server::{Client, HostingServer, exists, wait_until};
use farboard::chess::{AnyPosition, Variant};
use rustix::process::{Pid, Signal, kill_process};

/// When to kill the engine, relative to its search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Moment {
    /// It has moved and is idle.
    Idle,
    /// Anywhere between the request and its first output.
    Asked,
    /// It has reported a variation of this depth.
    Deep(u32),
    /// It must move.
    Stopped,
}

const MOMENTS: [Moment; 8] = [
    Moment::Asked,
    Moment::Deep(1),
    Moment::Idle,
    Moment::Deep(3),
    Moment::Stopped,
    Moment::Deep(12),
    Moment::Asked,
    Moment::Deep(40),
];
/// Repetitions of each: more than a hundred kills in total.
const ROUNDS: usize = 13;

/// Kills the engine's only process, waits until it has exited, and returns its number.
fn kill(server: &HostingServer) -> u32 {
    let rows = server.processes();
    let [row] = &rows[..] else { panic!("one client, one search, one process: {rows:?}") };
    let process = Pid::from_raw(row.process as i32).expect("a process");
    kill_process(process, Signal::KILL).expect("it runs");
    wait_until("what was killed has ended", || !exists(row.process));
    row.process
}

/// Starts a search, kills the engine at that moment, and has it move.
fn move_with_a_kill(moment: Moment, server: &HostingServer, client: &mut Client) {
    let searches = || server.processes().iter().any(|row| row.state == "searching");
    if moment == Moment::Idle {
        kill(server);
    }
    client.send("go\n");
    match moment {
        Moment::Idle => _ = client.thinking(),
        Moment::Asked => {
            wait_until("it is asked", searches);
            let victim = kill(server);
            wait_until("another process takes over", || {
                server.processes().iter().any(|row| row.process != victim)
            });
            client.thinking();
        }
        Moment::Deep(least) => {
            while client.thinking().0 < least {}
            kill(server);
            // The fake engine reports a hundred nodes for each ply; the total tells the second
            // process from the first.
            let is_first = |(depth, _, nodes)| nodes == u64::from(depth) * 100;
            while is_first(client.thinking()) {}
        }
        Moment::Stopped => {
            client.thinking();
            client.send("?\n");
            kill(server);
            return client.play("");
        }
    }
    client.play("?\n");
}

#[test]
fn killing_an_engine_loses_no_game() {
    let server = HostingServer::with_patient_fake("behaves", 2);
    let mut client = Client::of_fake(&server);
    let mut kills = 0;
    for _ in 0..ROUNDS {
        // A search lasts until the engine must move.
        client.send("new\nst 10000\n");
        client.position = AnyPosition::start(Variant::NORMAL);
        for moment in MOMENTS {
            move_with_a_kill(moment, &server, &mut client);
            kills += 1;
        }
    }
    client.send("go\n");
    client.thinking();
    client.play("?\n");
    assert_eq!(client.messages, [""; 0], "the engine itself has played all of them");
    assert_eq!(server.failures(), kills, "each was counted, and nothing else failed");
}
