//! Broken and malicious clients.

use crate::test_server::{Client, TEST_TIMEOUT, TestServer};
use farboard::server::OutputLimits;
use socket2::{Domain, Socket, Type};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Instant;

#[test]
fn ten_megabytes_without_a_newline() {
    let server = TestServer::start();
    let mut client = server.client();
    let block = vec![b'x'; 1 << 20];
    for _ in 0..10 {
        client.send(&block);
    }
    client.send("\nping 1\n");
    let error = client.until("Error");
    assert!(error.contains("8192") || error.to_lowercase().contains("long"), "{error}");
    assert_eq!(client.line().as_deref(), Some("pong 1"), "it is reported once");
}

#[test]
fn the_end_of_input_ends_a_line_that_is_too_long_as_a_newline_does() {
    let server = TestServer::start();
    let said = |text: String| {
        let mut client = server.client();
        client.send(text);
        client.half_close();
        client.rest()
    };
    for length in [8191, 8192, 8193, 8194, 20_000] {
        for end in ["", "\r"] {
            let line = "x".repeat(length) + end;
            let reply = said(line.clone());
            assert_eq!(reply, said(line + "\n"), "{length} bytes and {end:?}");
            assert_eq!(reply[0].contains("too long"), length > 8192, "{reply:?}");
        }
    }
}

#[test]
fn nul_bytes_and_invalid_utf8() {
    let server = TestServer::start();
    let mut client = server.client();
    client.send(b"\0\n\0\0\0 \0\n\xff\xfe\xc3\x28\n\xf0\x9f\n\xed\xa0\x80\x00\r\n\r\n\n");
    client.ping(1);
    client.send(b"ping 2\0\n");
    client.ping(3);
    client.send(b"ping \xff\n");
    client.ping(4);
}

#[test]
fn ten_thousand_commands_in_one_write() {
    let server = TestServer::start();
    let client = server.client();
    let commands: String = (0..10_000).map(|number| format!("ping {number}\n")).collect();
    let mut writer = client.stream().try_clone().unwrap();
    let sender = std::thread::spawn(move || writer.write_all(commands.as_bytes()));
    let mut client = client;
    for number in 0..10_000 {
        assert_eq!(client.line(), Some(format!("pong {number}")));
    }
    sender.join().unwrap().unwrap();
}

#[test]
fn a_client_that_never_reads_is_closed_and_others_do_not_notice() {
    let hard = 256 << 10;
    let server = TestServer::with(|setup| setup.limits.output = OutputLimits { soft: 16 << 10, hard });
    let deaf = server.client();
    let mut writer = deaf.stream().try_clone().unwrap();
    let sender = std::thread::spawn(move || {
        let block = "ping 123456789\n".repeat(4096);
        let deadline = Instant::now() + TEST_TIMEOUT;
        loop {
            assert!(Instant::now() < deadline, "the server reads it");
            if writer.write_all(block.as_bytes()).is_err() {
                return;
            }
        }
    });
    let mut other = server.client();
    let mut number = 0;
    while !sender.is_finished() {
        number += 1;
        other.ping(number);
    }
    sender.join().unwrap();
    other.ping(0);
}

#[test]
fn many_clients_that_never_read_are_closed_when_all_together_hold_too_much() {
    let server = TestServer::with(|setup| {
        // Far more than the system buffers for a client.
        setup.limits.output = OutputLimits { soft: 16 << 10, hard: 1 << 30 };
        setup.limits.buffers = 1 << 20;
    });
    // The system buffers little for them, too.
    let deaf = || {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        socket.connect(&server.address.into()).unwrap();
        TcpStream::from(socket)
    };
    let deaf: Vec<TcpStream> = (0..8).map(|_| deaf()).collect();
    let mut modest = server.client();
    modest.send("ping 1");
    let flood = |client: &TcpStream| {
        let mut writer = client.try_clone().unwrap();
        std::thread::spawn(move || {
            // Few bytes with a long answer.
            let block = "protover 2\n".repeat(64);
            let deadline = Instant::now() + TEST_TIMEOUT;
            while writer.write_all(block.as_bytes()).is_ok() {
                assert!(Instant::now() < deadline, "the server reads it");
            }
        })
    };
    let senders: Vec<_> = deaf.iter().map(flood).collect();
    for sender in senders {
        sender.join().unwrap();
    }
    modest.send("\n");
    modest.until("pong 1");
}

#[test]
fn a_client_that_floods_does_not_starve_others() {
    let server = TestServer::start();
    let flooder = server.client();
    let mut writer = flooder.stream().try_clone().unwrap();
    let mut reader = flooder.stream().try_clone().unwrap();
    let sender = std::thread::spawn(move || {
        let block = "ping 1\n".repeat(8192);
        while writer.write_all(block.as_bytes()).is_ok() {}
    });
    let receiver = std::thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        while reader.read(&mut buffer).is_ok_and(|count| count > 0) {}
    });
    let mut other = server.client();
    (1..200).for_each(|number| other.ping(number));
    let _ = flooder.stream().shutdown(std::net::Shutdown::Both);
    sender.join().unwrap();
    receiver.join().unwrap();
}

#[test]
fn a_client_may_disconnect_in_the_middle_of_a_line() {
    let server = TestServer::start();
    for part in ["", "p", "ping 1", "setboard rnbqkbnr/pp"] {
        let mut client = server.client();
        client.send(part);
        client.half_close();
        let rest = client.rest();
        assert!(rest.len() <= 1, "{rest:?}");
    }
    server.client().ping(1);
}

#[test]
fn silent_connections_may_disconnect() {
    let server = TestServer::start();
    for turn in 0..100 {
        let client = server.client();
        if turn % 2 == 0 {
            client.reset();
        }
    }
    server.client().ping(1);
}

#[test]
fn nothing_is_sent_to_a_silent_client() {
    let server = TestServer::start();
    let mut client: Client = server.client();
    // Another client has been served meanwhile, so the first would have received any output.
    server.client().ping(1);
    client.stream().set_nonblocking(true).unwrap();
    let mut byte = [0];
    assert_eq!(client.stream().read(&mut byte).unwrap_err().kind(), ErrorKind::WouldBlock);
    client.stream().set_nonblocking(false).unwrap();
    client.ping(2);
}
