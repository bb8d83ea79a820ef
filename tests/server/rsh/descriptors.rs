//! A low limit of file descriptors, of which a session takes two here.

use super::test_server::TEST_TIMEOUT;
use super::winboard;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};

/// The limit.
const ALLOWED: usize = 48;

/// A running program; killed when dropped.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn without_descriptors_clients_are_refused_and_the_control_socket_answers() {
    let path = |name| std::env::temp_dir().join(format!("farboard-{name}-{}", std::process::id()));
    let (configuration, control) = (path("rsh.toml"), path("rsh-control"));
    let text = "[[listen]]\nkind = \"rsh\"\naddress = \"127.0.0.1:0\"\nallow = [\"127.0.0.1\"]\n";
    std::fs::write(&configuration, text).expect("a file");
    let script = format!("ulimit -n {ALLOWED}; exec \"$0\" --table 1 --config \"$1\" --control \"$2\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_farboard")]).arg(&configuration).arg(&control);
    let mut program = Program(command.stdout(Stdio::piped()).spawn().expect("the program starts"));
    let mut first = String::new();
    let printed = program.0.stdout.as_mut().expect("piped");
    BufReader::new(printed).read_line(&mut first).expect("a line");
    let address: SocketAddr =
        first.split_whitespace().last().and_then(|word| word.parse().ok()).expect("an address");

    // All are connected before the first is served.
    let streams: Vec<TcpStream> =
        (0..ALLOWED / 3).map(|_| TcpStream::connect(address).expect("a connection")).collect();
    let mut kept = Vec::new();
    let mut served = 0;
    for mut stream in streams {
        let (back, port) = winboard::listen();
        stream.set_read_timeout(Some(TEST_TIMEOUT)).expect("a timeout");
        let hello = format!("{port}\0me\0me\0farboard\0ping 1\n");
        stream.write_all(hello.as_bytes()).expect("the server reads");
        let mut said = Vec::new();
        let mut byte = [0];
        while !said.ends_with(b"\n") {
            assert_eq!(stream.read(&mut byte).expect("a line"), 1, "closed after {said:?}");
            said.push(byte[0]);
        }
        let said = String::from_utf8(said).expect("text");
        let full = said.starts_with("tellusererror this server is full: its system");
        assert!(full || said == "pong 1\n", "{said}");
        served += usize::from(!full);
        kept.push((stream, back));
    }
    assert!((3..=ALLOWED / 3 - 3).contains(&served), "{served} were served");
    let mut asker = UnixStream::connect(&control).expect("a control socket");
    asker.set_read_timeout(Some(TEST_TIMEOUT)).expect("a timeout");
    asker.write_all(b"overview\n").expect("it reads");
    let mut answer = String::new();
    asker.read_to_string(&mut answer).expect("an answer");
    assert!(answer.contains("\"sessions\":"), "{answer}");
    std::fs::remove_file(&configuration).expect("a file");
}
