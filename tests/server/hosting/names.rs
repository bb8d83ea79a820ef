//! The names of hosted engines.

use super::hosting_server::{Client, HostingServer};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

/// The engine's name as sent to a client, in xboard's protocol and in UCI.
fn names(way: &str) -> [String; 2] {
    let server = HostingServer::with_fake(way, 1, "");
    let mut client = Client::connect(server.running.address);
    client.until(|line| line == "feature done=1");
    client.send("option Profile=fake\nprotover 2\n");
    let line = client.until(|line| line.contains("myname="));
    let (_, rest) = line.split_once("myname=\"").expect("a name");
    let name = rest.split('"').next().expect("its end").to_owned();
    let mut stream = TcpStream::connect(server.running.address).expect("a connection");
    stream.write_all(b"setoption name Profile value fake\nuci\n").expect("a server that reads");
    let mut lines = BufReader::new(stream).lines().map(|line| line.expect("a line"));
    let id = lines.find_map(|line| line.strip_prefix("id name ").map(str::to_owned));
    [name, id.expect("a name")]
}

#[test]
fn hosted_engine_has_its_own_name() {
    assert_eq!(names("behaves"), ["Fake (Farboard)", "Fake (Farboard)"]);
}

#[test]
fn engine_that_does_not_say_its_name_has_that_of_its_profile() {
    for way in ["says_nothing", "dies_at_once"] {
        assert_eq!(names(way), ["Farboard 0.1.0 fake", "Farboard 0.1.0 fake"], "{way}");
    }
}
