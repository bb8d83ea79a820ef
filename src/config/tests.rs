mod engines;

use super::*;
use crate::hosting::Hosts;
use clap::Parser;
use std::error::Error;
use std::path::Path;

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    settings: Settings,
}

fn flags(line: &str) -> Settings {
    Flags::try_parse_from(line.split(' ')).expect("these flags are right").settings
}

fn file(text: &str) -> Result<Settings, ConfigError> {
    Settings::parse(text, Path::new("farboard.toml"))
}

/// The message and its causes, as the program prints them.
fn message(error: &dyn Error) -> String {
    let mut text = error.to_string();
    if let Some(source) = error.source() {
        text.push('\n');
        text.push_str(&message(source));
    }
    text
}

#[test]
fn all_settings_have_defaults() {
    let config = Settings::default().resolve().unwrap();
    assert_eq!(config.listen, Listen::defaults());
    assert_eq!(config.max_sessions, 10_000);
    assert_eq!(config.max_sessions_per_address, None);
}

#[test]
fn flags_override_the_file() {
    let text = "workers = 3\ntable = 16\n[[listen]]\nkind = \"xboard\"\naddress = \"127.0.0.1:7000\"\n";
    let config = flags("farboard --table 32").or(file(text).unwrap()).resolve().unwrap();
    assert_eq!((config.workers, config.table), (3, 32));
    assert_eq!(config.listen[0].address.port(), 7000);
    let twice = flags("farboard --listen 127.0.0.1:7001 --listen [::1]:7001");
    let config = twice.or(file(text).unwrap()).resolve().unwrap();
    assert_eq!(config.listen.len(), 2);
    let book = flags("farboard --book a.bin --book b.bin");
    let config = book.or(file("book = [\"c.bin\"]").unwrap()).resolve().unwrap();
    assert_eq!(config.books, [Path::new("a.bin"), Path::new("b.bin")]);
}

#[test]
fn every_flag_is_a_key_and_the_other_way_round() {
    use clap::CommandFactory;
    let mut command = Flags::command();
    command.build();
    let names = command.get_arguments().filter_map(|argument| argument.get_long());
    // Whether the starter's end is the server's is for the starter to say.
    for name in names.filter(|name| !["config", "end-with-parent", "help", "listen"].contains(name)) {
        let value = match name {
            "log" => "\"warn\"",
            "log-format" => "\"json\"",
            "http" => "9254",
            "watch" => "\"users\"",
            "book" => "[\"gm2001.bin\"]",
            "server-name" => "[\"chess.example\"]",
            "allow" | "proxy" => "[\"10.0.0.0/8\"]",
            "secret-file" | "users" | "client-ca" | "tls" | "control" | "endgames" | "archive"
            | "state-key" => "\"a-file\"",
            "interrupt" => "\"stop-pondering\"",
            "share-by" => "\"address\"",
            "option" => "{ Elo = 1500 }",
            _ => "77777",
        };
        let key = match name {
            "interrupt" => "session.interrupt".to_owned(),
            _ => name.replace('-', "_"),
        };
        assert!(file(&format!("{key} = {value}\n")).is_ok(), "{key}");
    }
}

#[test]
fn proxies_are_named_for_a_listener_or_for_those_that_name_none() {
    let text = "proxy = [\"10.0.0.5\"]\n[[listen]]\naddress = 1\n[[listen]]\naddress = 2\nproxy = [\"10.0.1.0/24\"]\n\
                [[listen]]\ntransport = \"rsh\"\naddress = 3\nallow = [\"::1\"]\n";
    let listen = file(text).unwrap().resolve().unwrap().listen;
    let proxies =
        listen.iter().map(|one| one.proxy.iter().map(Network::to_string).collect::<Vec<_>>().concat());
    assert_eq!(proxies.collect::<Vec<_>>(), ["10.0.0.5/32", "10.0.1.0/24", ""]);
    let listen = flags("farboard --listen 1 --proxy 10.0.0.6").resolve().unwrap().listen;
    assert!(listen[0].proxy[0].contains([10, 0, 0, 6].into()) && listen[0].allow.is_empty());
}

#[test]
fn mistakes_in_the_file_are_told_with_their_place() {
    let error = message(&file("workers = 2\nworksers = 3\n").unwrap_err());
    assert!(error.contains("line 2: there is no setting `worksers`: did you mean `workers`?"), "{error}");
    let error = message(&file("[[listen]]\naddress = 1\narchive = \"x\"\n").unwrap_err());
    assert!(error.contains("line 3: `archive` belongs above the first [[listen]]"), "{error}");
    let error = message(&file("[[listen]]\nkind = \"telnet\"\naddress = \"127.0.0.1:1\"\n").unwrap_err());
    assert!(error.contains("telnet") && error.contains("xboard"), "{error}");
    let error = message(&file("[[listen]]\nprotocol = \"telnet\"\naddress = 1\n").unwrap_err());
    assert!(error.contains("line 2") && error.contains("telnet") && error.contains("auto"), "{error}");
    let text = "[[listen]]\nkind = \"xboard\"\nprotocol = \"auto\"\naddress = 1\n";
    let error = message(&file(text).unwrap_err());
    assert!(error.contains("line 1") && error.contains("kind stands for transport and protocol"), "{error}");
}

#[test]
fn a_listener_has_a_transport_and_a_protocol_or_a_kind_as_files_had_it() {
    use super::Transport::{Plain, Rsh};
    use crate::protocol::checkers::Dialect;
    use crate::session::Protocol;
    use crate::session::checkers::{Manners, Orientation};
    let checkers = |dialect, orientation| Protocol::Checkers(Manners { dialect, orientation });
    for (typed, transport, protocol) in [
        ("", Plain, Protocol::Auto),
        ("protocol = \"auto\"", Plain, Protocol::Auto),
        ("protocol = \"xboard\"", Plain, Protocol::Xboard),
        ("transport = \"rsh\"", Rsh, Protocol::Xboard),
        ("kind = \"xboard\"", Plain, Protocol::Xboard),
        ("kind = \"rsh\"", Rsh, Protocol::Xboard),
        ("kind = \"checkers\"", Plain, checkers(Dialect::Seed, Orientation::Auto)),
        ("protocol = \"checkers\"", Plain, checkers(Dialect::Seed, Orientation::Auto)),
        (
            "protocol = \"checkers\"\ndialect = \"late\"\norientation = \"rotated\"",
            Plain,
            checkers(Dialect::Late, Orientation::Rotated),
        ),
    ] {
        let listen = &file(&format!("[[listen]]\naddress = 1\n{typed}\n")).unwrap().listen[0];
        assert_eq!((listen.transport, listen.protocol), (transport, protocol), "{typed:?}");
    }
}

#[test]
fn dialects_of_checkers_need_that_protocol() {
    for typed in ["dialect = \"late\"", "protocol = \"xboard\"\norientation = \"pdn\""] {
        let error = message(&file(&format!("[[listen]]\naddress = 1\n{typed}\n")).unwrap_err());
        assert!(error.contains("are for protocol = \"checkers\""), "{error}");
    }
}

#[test]
fn the_default_listeners_are_for_chess_and_perhaps_checkers() {
    let listen = Settings::default().resolve().unwrap().listen;
    let shown = listen.iter().map(|one| (one.address.to_string(), one.protocol.word(), one.is_optional));
    let expected = [("127.0.0.1:5254", "auto", false), ("127.0.0.1:5255", "checkers", true)];
    assert_eq!(shown.collect::<Vec<_>>(), expected.map(|(address, word, is)| (address.to_owned(), word, is)));
    let own = flags("farboard --listen 5300").resolve().unwrap().listen;
    assert_eq!(own.len(), 1, "who names an address gets no other");
}

/// The same text as a file that `--config` names.
fn read(text: &str, path: &Path) -> Settings {
    Settings { file: Some(ConfigFile::new(path, text)), ..file(text).unwrap() }
}

#[test]
fn errors_name_the_line_of_the_file() {
    let path = Path::new("club.toml");
    let listen = |rest: &str| format!("[[listen]]\nkind = \"xboard\"\n{rest}\n");
    for (text, expected) in [
        ("# nothing\nworkers = 0\n".to_owned(), "club.toml, line 2: workers is 0 and must be from 1 to"),
        ("output_soft = 5000\noutput_hard = 4_000\n".to_owned(), "line 2: output_hard is 4000"),
        (listen("address = \"0.0.0.0:1\""), "line 3: 0.0.0.0:1 is reachable"),
        (
            listen("address = 5300\nprofile = \"x\""),
            "line 4: the listener 127.0.0.1:5300 names the unknown profile",
        ),
        (
            listen("address = 1") + &listen("address = \"127.0.0.1:1\""),
            "line 6: two listeners have the address 127.0.0.1:1",
        ),
        (
            listen("address = 1")
                + "[[listen]]\nkind = \"rsh\"\naddress = 2\nallow = [\"::1\"]\ntls = \"t\"\n",
            "line 8: the listener 127.0.0.1:2 has the transport rsh",
        ),
        (
            "[[listen]]\nkind = \"rsh\"\naddress = 2\nallow = [\"::1\"]\nproxy = [\"::1\"]\n".to_owned(),
            "line 5: the listener 127.0.0.1:2 has the transport rsh, which connects back",
        ),
        (
            "[[listen]]\ntransport = \"agent\"\naddress = 2\ntls = \"t\"\n".to_owned(),
            "line 4: the listener 127.0.0.1:2 has the transport agent, which has no sessions",
        ),
        ("\n\n[profile.\"a b\"]\n".to_owned(), "line 3: \"a b\" is not a valid profile name"),
    ] {
        let error = message(&read(&text, path).resolve().unwrap_err());
        assert!(error.contains(expected) && error.starts_with("club.toml, line "), "{error}");
    }
    for (text, expected) in [
        ("[option]\nMultiPV = 2\nElo = 9\n", "line 3: the option Elo cannot be set"),
        ("book = [\n  \"no-such.bin\",\n]\n", "line 2: cannot use the opening book no-such.bin"),
    ] {
        let error = message(&read(text, path).resolve().unwrap().profile("x").unwrap_err());
        assert!(error.contains(expected) && error.starts_with("club.toml, line "), "{error}");
    }
    let config = read("[profile.club]\noptions = { Elo = 9 }\n", path).resolve().unwrap();
    let error =
        message(&config.named_profiles(&config.profile("x").unwrap(), &Hosts::new(None)).unwrap_err());
    assert!(error.starts_with("club.toml, line 2: [profile.club]: the option Elo"), "{error}");
    let text = listen("address = 1\nsecret_file = \"no-such\"");
    for (text, line) in [(text.as_str(), 4), ("tls = \"no-such\"\n", 1)] {
        let Err(error) = crate::server::reload::ReloadedConfig::new(
            &read(text, path).resolve().unwrap(),
            &Hosts::new(None),
        ) else {
            panic!("there is no such file")
        };
        let error = message(&error);
        assert!(error.starts_with(&format!("club.toml, line {line}: cannot ")), "{error}");
        assert!(error.contains("because") || error.contains("cannot read no-such"), "{error}");
    }
}

#[test]
fn errors_of_flags_name_no_line() {
    let flags = flags("farboard --workers 0").or(read("workers = 2\n", Path::new("club.toml")));
    assert_eq!(message(&flags.resolve().unwrap_err()), "workers is 0 and must be from 1 to 1024");
}

#[test]
fn invalid_numbers_are_explained() {
    let error = message(&file("\nworkers = -1").unwrap_err());
    assert!(
        error.starts_with("farboard.toml, line 2: ") && error.contains("-1 is not a whole number"),
        "{error}"
    );
    let error = message(&file("workers = \"two\"").unwrap_err());
    assert!(error.contains("expected a whole number"), "{error}");
    for number in ["two", "-1", "1.5", ""] {
        let error =
            Flags::try_parse_from(["farboard".to_owned(), format!("--workers={number}")]).err().unwrap();
        assert!(
            error.to_string().contains(&format!("{number:?} is not a whole number, 1 or more")),
            "{error}"
        );
    }
}

#[test]
fn a_port_alone_is_one_of_this_machine() {
    for (typed, meant) in [
        ("5300", "127.0.0.1:5300"),
        (":5300", "127.0.0.1:5300"),
        ("0", "127.0.0.1:0"),
        ("[::1]:5300", "[::1]:5300"),
        ("::1", "[::1]:5254"),
        ("[::1]", "[::1]:5254"),
        ("127.0.0.2", "127.0.0.2:5254"),
    ] {
        assert_eq!(typed.parse(), Ok(Listen::new(meant.parse().unwrap())), "{typed}");
        let text = format!("[[listen]]\nkind = \"xboard\"\naddress = \"{typed}\"\n");
        assert_eq!(file(&text).unwrap().listen[0].address.to_string(), meant);
    }
    let number = file("[[listen]]\nkind = \"xboard\"\naddress = 5300\n").unwrap();
    assert_eq!(number.listen[0].address.to_string(), "127.0.0.1:5300");
    for wrong in [
        "",
        ":",
        "65536",
        "-1",
        "localhost",
        "localhost:x",
        "a b:5254",
        "127.0.0:5254",
        "127.0.0.1:",
        "::1:x",
        "[::1",
        "5254 ",
    ] {
        let error = wrong.parse::<Listen>().unwrap_err();
        assert!(error.contains("127.0.0.1:5254, nor a port"), "{error}");
    }
    let local: Listen = "localhost:5300".parse().expect("every machine has this name");
    assert!(local.address.ip().is_loopback() && local.address.port() == 5300, "{}", local.address);
    let error = message(&file("[[listen]]\nkind = \"xboard\"\naddress = 70000\n").unwrap_err());
    assert!(error.contains("line 3") && error.contains("a port from 0 to 65535"), "{error}");
}

#[test]
fn listeners_do_not_meet() {
    let twice = |one: &str, other: &str| {
        let all = format!("farboard --allow ::/0 --listen {one} --listen {other}");
        let error = flags(&all).resolve().err();
        error.is_some_and(|error| matches!(error, ConfigError::DuplicateListener(_)))
    };
    assert!(twice("5254", "127.0.0.1:5254"));
    assert!(twice("0.0.0.0:5254", "127.0.0.1:5254"));
    assert!(twice("[::1]:5254", "[::]:5254"));
    assert!(!twice("5254", "5255"));
    assert!(!twice("5254", "[::1]:5254") && !twice("0.0.0.0:5254", "[::]:5254"));
    assert!(!twice("127.0.0.1:0", "127.0.0.1:0"), "the system chooses two");
}

#[test]
fn what_an_interrupt_does_is_said_in_the_file_or_by_a_flag() {
    let text = "[session]\ninterrupt = \"stop-pondering\"\n";
    let interrupt = |settings: Settings| settings.resolve().unwrap().profile("x").unwrap().interrupt;
    assert_eq!(interrupt(Settings::default()), Interrupt::Look);
    assert_eq!(interrupt(file(text).unwrap()), Interrupt::StopPondering);
    assert_eq!(interrupt(flags("farboard --interrupt look").or(file(text).unwrap())), Interrupt::Look);
    assert!(file("[session]\ninterrupt = \"move-now\"\n").is_err());
    assert!(Flags::try_parse_from(["farboard", "--interrupt", "move-now"]).is_err());
}

#[test]
fn values_out_of_range_are_refused() {
    let error = message(&flags("farboard --output-soft 5000 --output-hard 4000").resolve().unwrap_err());
    assert!(error.contains("output_hard is 4000 and must be from 5000"), "{error}");
    for name in [
        "workers",
        "table",
        "max-sessions",
        "max-sessions-per-address",
        "max-line",
        "max-buffers",
        "keepalive",
    ] {
        let error = message(&flags(&format!("farboard --{name} 0")).resolve().unwrap_err());
        let setting = name.replace('-', "_");
        assert!(error.starts_with(&format!("{setting} is 0 and must be from ")), "{error}");
    }
    assert!(Flags::try_parse_from(["farboard", "--listen", "localhost"]).is_err());
}

#[test]
fn our_own_book_comes_after_those_asked_for() {
    let names = |config: &Config| {
        let books = config.open_books().unwrap();
        books.names().map(str::to_owned).collect::<Vec<_>>()
    };
    let mut config = Settings::default().resolve().unwrap();
    assert_eq!(names(&config), ["own"]);
    config.books = vec!["tests/data/small-book.bin".into(), "tests/data/small-book.bin".into()];
    assert_eq!(names(&config), ["small-book", "small-book-2", "own"]);
    config.books.push("Cargo.toml".into());
    let error = message(&config.open_books().unwrap_err());
    assert!(error.contains("Cargo.toml") && error.contains("Polyglot"), "{error}");
}

#[test]
fn public_addresses_need_a_list_or_a_secret() {
    for address in ["0.0.0.0:5254", "[::]:5254", "192.0.2.1:5254", "[::ffff:192.0.2.1]:5254"] {
        let error = message(&flags(&format!("farboard --listen {address}")).resolve().unwrap_err());
        for way_out in ["--allow 192.168.0.0/16", "secret_file = ", "ssh -L 5254"] {
            assert!(error.contains(way_out), "{error}");
        }
        assert!(flags(&format!("farboard --listen {address} --allow 10.0.0.0/8")).resolve().is_ok());
        assert!(flags(&format!("farboard --listen {address} --secret-file a-file")).resolve().is_ok());
        assert!(flags(&format!("farboard --listen {address} --tls a-file")).resolve().is_err());
    }
    assert!(flags("farboard --listen 127.1.2.3:0").resolve().is_ok());
}

#[test]
fn conditions_apply_to_listeners_that_have_none_of_their_own() {
    let text = "allow = [\"10.0.0.0/8\"]\nsecret_file = \"all\"\n\
                [[listen]]\nkind = \"xboard\"\naddress = \"0.0.0.0:1\"\n\
                [[listen]]\nkind = \"xboard\"\naddress = \"0.0.0.0:2\"\nallow = [\"::/0\"]\nsecret_file = \"one\"\n\
                [[listen]]\nkind = \"rsh\"\naddress = \"0.0.0.0:514\"\n";
    let listen = file(text).unwrap().resolve().unwrap().listen;
    let conditions = |listen: &Listen| (listen.allow[0].to_string(), listen.secret_file.clone());
    assert_eq!(conditions(&listen[0]), ("10.0.0.0/8".to_owned(), Some("all".into())));
    assert_eq!(conditions(&listen[1]), ("::/0".to_owned(), Some("one".into())));
    assert_eq!(conditions(&listen[2]), ("10.0.0.0/8".to_owned(), None), "rsh has no place for a secret");
}

#[test]
fn users_are_those_of_the_listener_or_of_all_and_guard_an_address() {
    let text = "users = \"all\"\nclient_ca = \"ca\"\ntls = \"own\"\n[[listen]]\naddress = \"0.0.0.0:1\"\n\
                [[listen]]\naddress = \"0.0.0.0:2\"\nusers = \"one\"\n\
                [[listen]]\nkind = \"rsh\"\naddress = \"127.0.0.1:514\"\nallow = [\"127.0.0.1\"]\n";
    let listen = file(text).unwrap().resolve().unwrap().listen;
    let keys = |index: usize| (listen[index].users.clone(), listen[index].client_ca.clone());
    assert_eq!(keys(0), (Some("all".into()), Some("ca".into())));
    assert_eq!(keys(1), (Some("one".into()), Some("ca".into())));
    assert_eq!(keys(2), (None, None), "rsh has no place for users");
    let without_tls = "client_ca = \"ca\"\n[[listen]]\naddress = \"127.0.0.1:1\"\n";
    let error = message(&file(without_tls).unwrap().resolve().unwrap_err());
    assert!(error.contains("127.0.0.1:1") && error.contains("--tls"), "{error}");
    let rsh =
        "[[listen]]\nkind = \"rsh\"\naddress = \"127.0.0.1:514\"\nallow = [\"127.0.0.1\"]\nusers = \"one\"\n";
    let error = message(&file(rsh).unwrap().resolve().unwrap_err());
    assert!(error.contains("127.0.0.1:514") && error.contains("users"), "{error}");
}

#[test]
fn a_remote_shell_needs_a_list_even_on_this_machine() {
    let listen = "[[listen]]\nkind = \"rsh\"\naddress = \"127.0.0.1:514\"\n";
    let error = message(&file(listen).unwrap().resolve().unwrap_err());
    assert!(error.contains("allow = [\"192.168.0.0/16\"]"), "{error}");
    let secret = format!("{listen}allow = [\"127.0.0.1\"]\nsecret_file = \"a-file\"\n");
    let error = message(&file(&secret).unwrap().resolve().unwrap_err());
    assert!(error.contains("127.0.0.1:514") && error.contains("secret"), "{error}");
}

#[test]
fn the_file_in_deploy_says_what_the_defaults_are() {
    let text = include_str!("../../deploy/farboard.toml");
    // A file that names its listeners has no pages for browsers unless it says so.
    let defaults = Config { http: None, ..Settings::default().resolve().unwrap() };
    assert_eq!(file(text).unwrap().resolve().unwrap(), defaults);
    let others =
        ["book", "allow", "secret_file", "users", "client_ca", "tls", "control", "archive", "interrupt"];
    for key in ["workers", "max_sessions_per_address"].iter().chain(&others) {
        assert!(text.contains(&format!("# {key} = ")), "{key}");
    }
    assert!(text.contains("# [[source]]\n# network = "), "the table for networks");
}

#[test]
fn what_has_a_share_is_said_by_a_flag_or_in_the_file() {
    let by = |settings: Settings| settings.resolve().unwrap().share_by;
    assert_eq!(by(Settings::default()), ShareBy::Auto);
    assert_eq!(by(file("share_by = \"address\"").unwrap()), ShareBy::Address);
    let flag = flags("farboard --share-by session").or(file("share_by = \"address\"").unwrap());
    assert_eq!(by(flag), ShareBy::Session);
    assert!(Flags::try_parse_from(["farboard", "--share-by", "name"]).is_err());
}

#[test]
fn networks_have_weights_and_limits_of_their_own() {
    let text = "[[source]]\nnetwork = \"203.0.113.0/24\"\nweight = 20\nmax_sessions = 500\n\
                [[source]]\nnetwork = \"2001:db8::/32\"\n";
    let sources = file(text).unwrap().resolve().unwrap().sources;
    let meant = |source: &SourceNetwork| (source.network.to_string(), source.weight, source.max_sessions);
    assert_eq!(meant(&sources[0]), ("203.0.113.0/24".to_owned(), 20, Some(500)));
    assert_eq!(meant(&sources[1]), ("2001:db8::/32".to_owned(), 1, None));
    for wrong in ["weight = 2000", "weight = 0", "max_sessions = 0"] {
        let text = format!("[[source]]\n{wrong}\nnetwork = \"::1\"\n");
        let error = message(&read(&text, Path::new("club.toml")).resolve().unwrap_err());
        assert!(error.contains("club.toml, line 2: ") && error.contains("and must be from 1 to"), "{error}");
    }
    for wrong in ["weight = \"much\"", "sessions = 5", "network = \"home\""] {
        assert!(file(&format!("[[source]]\n{wrong}\nnetwork = \"::1\"\n")).is_err(), "{wrong}");
    }
    assert!(file("[[source]]\nweight = 5\n").is_err(), "of which network?");
}

#[test]
fn options_of_the_engine_are_set_or_refused() {
    let text = "[option]\nElo = 1500\nLimitStrength = true\nBook = \"none\"\n";
    let config = flags("farboard --option Elo=1700").or(file(text).unwrap()).resolve().unwrap();
    let options = config.profile("x").unwrap().options;
    let expected = Profile::new("x", config.open_books().unwrap())
        .with([("Elo", "1700"), ("LimitStrength", "1"), ("Book", "none")])
        .unwrap();
    assert_eq!(options, expected.options);
    let refused = |option: &str| {
        let config = flags(&format!("farboard --option {option}")).resolve().unwrap();
        message(&config.profile("x").unwrap_err())
    };
    assert!(refused("Elo=9").contains("Elo cannot be set: the value must be a number from"));
    assert!(refused("Nothing=1").contains("there is no such option"));
    assert!(Flags::try_parse_from(["farboard", "--option", "Elo"]).is_err());
}

#[test]
fn sessions_can_use_what_the_server_has() {
    let config = flags("farboard --workers 3 --table 48").resolve().unwrap();
    assert_eq!(config.profile("x").unwrap().resources, Resources { memory: 48, cores: 3 });
    let many = flags("farboard --workers 1000").resolve().unwrap();
    assert_eq!(many.profile("x").unwrap().resources.cores, u8::MAX);
}

#[test]
fn profiles_are_options_on_top_of_those_for_all() {
    let text = "[option]\nMultiPV = 2\n[profile.club]\noptions = { LimitStrength = true, Elo = 1600 }\nbanner = \"Hello\"\n\
                [profile.plain]\n\
                [[listen]]\nkind = \"xboard\"\naddress = \"127.0.0.1:1\"\nprofile = \"club\"\n";
    let config = file(text).unwrap().resolve().unwrap();
    assert_eq!(config.listen[0].profile.as_deref(), Some("club"));
    let default = config.profile("x").unwrap();
    let named = config.named_profiles(&default, &Hosts::new(None)).unwrap();
    let expected = [("MultiPV", "2"), ("LimitStrength", "1"), ("Elo", "1600")];
    let expected = Profile::new("x", config.open_books().unwrap()).with(expected).unwrap();
    assert_eq!(named["club"].options, expected.options);
    assert_eq!((named["club"].name.as_str(), named["club"].banner.as_deref()), ("x club", Some("Hello")));
    assert_eq!(named["plain"].options, default.options);
    assert_eq!(default.banner, None);
}

#[test]
fn invalid_profiles_are_refused_by_name() {
    let resolved = |text: &str| file(text).unwrap().resolve();
    let config = resolved("[profile.club]\noptions = { Elo = 9 }\n").unwrap();
    let error =
        message(&config.named_profiles(&config.profile("x").unwrap(), &Hosts::new(None)).unwrap_err());
    assert!(error.starts_with("[profile.club]: the option Elo cannot be set"), "{error}");
    for name in ["farboard", "\"two words\"", "\"\"", "\"quote'\"", "\"Elo=5\""] {
        let error = message(&resolved(&format!("[profile.{name}]\n")).unwrap_err());
        assert!(error.contains("is not a valid profile name"), "{error}");
    }
    let listen = "[[listen]]\nkind = \"xboard\"\naddress = \"127.0.0.1:1\"\nprofile = \"club\"\n";
    let error = message(&resolved(listen).unwrap_err());
    assert!(
        error.contains("127.0.0.1:1 names the unknown profile \"club\"")
            && error.contains("no [profile.NAME]"),
        "{error}"
    );
    let error = message(&resolved(&format!("[profile.strong]\n{listen}")).unwrap_err());
    assert!(error.contains("known: strong"), "{error}");
    assert!(file("[profile.club]\nsmell = 3\n").is_err());
}
