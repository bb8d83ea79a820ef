//! Engines end with their server, however that ends.

use crate::program::Program;
use crate::support::{exists, wait_until};

#[test]
fn a_server_that_is_killed_takes_engines_along_even_those_that_hang() {
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
