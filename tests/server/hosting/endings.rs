//! The environment of engines, and that they end with their server, however it ends.

use super::hosting_server::{exists, wait_until};
use super::program::Program;

#[test]
fn a_killed_server_takes_its_engines_along_even_if_they_hang() {
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
fn an_engine_gets_no_descriptor_that_its_server_has_inherited() {
    let server = Program::start("behaves", "descriptors");
    let mut client = server.analysis();
    client.thinking();
    assert!(server.is_left_open_in(server.child.id()));
    for engine in server.engines() {
        assert!(!server.is_left_open_in(engine));
    }
}
