//! Engines inherit nothing from their server, and end with it.

use crate::program::Program;
use crate::support::{exists, wait_until};

#[test]
fn engines_end_with_a_killed_server_even_if_they_hang() {
    for way in ["behaves", "hangs"] {
        let mut server = Program::start(way, way);
        let mut client = server.analysis();
        let engines = server.engines();
        if way == "behaves" {
            client.thinking();
        }
        server.child.kill().expect("a signal");
        server.child.wait().expect("its end");
        wait_until("engines have ended with their server", || !engines.iter().any(|&engine| exists(engine)));
    }
}

#[test]
fn an_engine_does_not_inherit_descriptors_of_its_server() {
    let server = Program::start("behaves", "descriptors");
    let mut client = server.analysis();
    client.thinking();
    assert!(server.is_left_open_in(server.child.id()));
    for engine in server.engines() {
        assert!(!server.is_left_open_in(engine));
    }
}
