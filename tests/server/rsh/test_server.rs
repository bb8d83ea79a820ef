//! A server with an `rsh` listener on a free port.

use crate::running_server::{RunningServer, limits};
use farboard::book::Books;
use farboard::config::{Listen, Transport};
use farboard::pool::{Size, engine};
use farboard::search::Table;
use farboard::server::{ListenerPolicy, Server, ServerLimits, Setup, Sources, bind};
use farboard::session::Profile;
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

/// Generous: a busy machine must not fail a test.
pub const TEST_TIMEOUT: Duration = Duration::from_secs(60);

/// A server for one test.
pub struct TestServer {
    pub address: SocketAddr,
    _running: RunningServer,
}

impl TestServer {
    pub fn start() -> TestServer {
        TestServer::with(|_, _| {})
    }

    /// A server with modified listener and limits. It has the profiles `strong` and `club`.
    pub fn with(change: impl FnOnce(&mut Listen, &mut ServerLimits)) -> TestServer {
        TestServer::prepared(change, |_| {})
    }

    /// The same, with the server modified by `prepare` before it runs.
    pub fn prepared(
        change: impl FnOnce(&mut Listen, &mut ServerLimits),
        prepare: impl FnOnce(&mut Server),
    ) -> TestServer {
        let mut limits = ServerLimits { sessions: 100, ..limits(TEST_TIMEOUT) };
        let mut listen = Listen::new((Ipv4Addr::LOCALHOST, 0).into());
        listen.transport = Transport::Rsh;
        listen.allow = vec!["127.0.0.0/8".parse().expect("a network")];
        change(&mut listen, &mut limits);
        let size = Size { workers: 2, searches: 16, niceness: 0 };
        let search = engine(Table::new(8).expect("memory"));
        let profile = Profile::new("Farboard", Books::default());
        let named = BTreeMap::from([
            ("strong".to_owned(), Arc::new(named(&profile, "strong", &[]))),
            (
                "club".to_owned(),
                Arc::new(named(&profile, "club", &[("LimitStrength", "1"), ("Elo", "1500")])),
            ),
        ]);
        let setup =
            Setup { limits, sources: Sources::default(), size, search, profile: Arc::new(profile), seed: 1 };
        let socket = bind(listen.address).expect("a free port");
        let server = Server::new(vec![(socket, ListenerPolicy::new(&listen).expect("no keys"))], setup)
            .expect("an event loop");
        let mut server = server.with_profiles(named);
        prepare(&mut server);
        let running = RunningServer::new(server);
        TestServer { address: running.address, _running: running }
    }
}

fn named(profile: &Profile, name: &str, options: &[(&str, &str)]) -> Profile {
    let mut profile = profile.clone().with(options.iter().copied()).expect("these options are right");
    profile.name = format!("Farboard {name}");
    profile.banner = Some(format!("Welcome to {name}."));
    profile
}
