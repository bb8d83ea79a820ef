//! The banner's line for WinBoard.

use super::test_server::TestServer;
use super::winboard::WinBoard;
use farboard::config::{Settings, Transport};
use farboard::server::banner;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

#[test]
fn line_for_winboard_can_be_typed() {
    let server = TestServer::start();
    let mut config = Settings::default().resolve().expect("the defaults");
    config.listen.truncate(1);
    config.listen[0].transport = Transport::Rsh;
    config.listen[0].allow = vec!["127.0.0.0/8".parse().expect("a network")];
    let text = banner(&config, &[server.address], None, Path::new("/bin/farboard"), Path::new("/"));
    let line = text.lines().find_map(|line| line.strip_prefix("    winboard ")).expect("the line");
    let (options, host) = line.rsplit_once(" -fh ").expect("a host");
    let command =
        options.strip_prefix("-cp -fcp \"").and_then(|rest| rest.strip_suffix('"')).expect("a command");
    let host: Ipv4Addr = host.parse().expect("an address");
    // WinBoard's port is always 514, which must lead to the server's.
    assert!(text.contains(&format!("must lead to {} ", server.address.port())), "{text}");
    let mut winboard = WinBoard::introduced(SocketAddr::from((host, server.address.port())), command, 2);
    winboard.send("ping 1\n");
    winboard.until("pong 1");
}
