use super::*;
use crate::config::{DEFAULT_ADDRESS, DEFAULT_CHECKERS_ADDRESS, DEFAULT_HTTP_ADDRESS, Settings};
use std::path::PathBuf;

/// The banner of a server with this configuration, whose listeners have the addresses in it.
fn banner_of(text: &str) -> String {
    let config = Settings::parse(text, "a file".as_ref()).expect("settings").resolve().expect("settings");
    let addresses: Vec<SocketAddr> = config.listen.iter().map(|listen| listen.address).collect();
    let nowhere = Path::new("/no-such-directory");
    banner(&config, &addresses, None, &nowhere.join("bin/farboard"), nowhere)
}

/// The same, from its first paragraph about a listener to its last.
fn paragraphs(text: &str) -> Vec<String> {
    let banner = banner_of(text);
    let mut paragraphs: Vec<String> = banner.split("\n\n").map(|text| text.trim_end().to_owned()).collect();
    assert!(paragraphs.pop().is_some_and(|last| last.starts_with("Ctrl-C ")), "{banner}");
    assert!(paragraphs.remove(0).starts_with("Farboard "), "{banner}");
    paragraphs
}

fn nodename() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[test]
fn default_server_has_lines_for_chess_and_checkers() {
    let config = Settings::default().resolve().unwrap();
    let nowhere = Path::new("/no-such-directory");
    let both = [DEFAULT_ADDRESS, DEFAULT_CHECKERS_ADDRESS];
    let text = banner(&config, &both, Some(DEFAULT_HTTP_ADDRESS), &nowhere.join("bin/farboard"), nowhere);
    let expected = "\n\
        To play in a browser, open:\n\
        \x20   http://127.0.0.1:5280/\n\
        \n\
        To play chess, paste one of these into another terminal:\n\
        \x20   xboard -fcp \"bin/farboard connect 127.0.0.1:5254\"\n\
        \x20   bin/farboard connect 127.0.0.1:5254\n\
        \x20   nc 127.0.0.1 5254\n\
        At a terminal, type help.\n\
        A UCI GUI asks for a command and its arguments:\n\
        \x20   /no-such-directory/bin/farboard\n\
        \x20   connect 127.0.0.1:5254\n\
        \n\
        To play checkers, paste one of these into another terminal:\n\
        \x20   bin/farboard connect --protocol checkers 127.0.0.1:5255\n\
        \x20   nc 127.0.0.1 5255\n\
        At a terminal, type INIT, GO, QUIT, or help for the rest.\n\
        A GUI of the Checkers Protocol asks for a command and its arguments:\n\
        \x20   /no-such-directory/bin/farboard\n\
        \x20   connect --protocol checkers 127.0.0.1:5255\n\
        \n";
    assert!(text.contains(expected), "{text}");
    assert!(text.starts_with(&format!("{NAME} listens on 127.0.0.1:5254 and 127.0.0.1:5255\n")), "{text}");
    let alone = banner(&config, &both[..1], None, &nowhere.join("bin/farboard"), nowhere);
    assert!(!alone.contains("checkers") && !alone.contains("browser"), "{alone}");
}

#[test]
fn paths_are_whole_where_a_service_is_started() {
    let config = Settings::default().resolve().unwrap();
    let text = banner(&config, &[DEFAULT_ADDRESS], None, Path::new("/no-such/farboard"), Path::new("/"));
    assert!(text.contains("    /no-such/farboard connect 127.0.0.1:5254\n"), "{text}");
}

#[test]
fn protocol_of_a_listener_decides_for_whom_it_has_lines() {
    let of = |protocol: &str| {
        let text = format!("[[listen]]\naddress = 5301\nprotocol = \"{protocol}\"");
        let paragraph = paragraphs(&text).remove(0);
        ["xboard -fcp", "A UCI GUI", "Checkers Protocol"].map(|word| paragraph.contains(word))
    };
    assert_eq!(of("auto"), [true, true, false]);
    assert_eq!(of("xboard"), [true, false, false]);
    assert_eq!(of("uci"), [false, true, false]);
    assert_eq!(of("checkers"), [false, false, true]);
}

#[test]
fn lines_have_what_the_listener_asks_for() {
    let line = |settings: &str| {
        let paragraph = paragraphs(&format!("[[listen]]\naddress = 5301\n{settings}")).remove(0);
        assert!(!paragraph.contains("    nc "), "{paragraph}");
        let line = paragraph.lines().nth(2).expect("the line of the shim").to_owned();
        (line.trim_start_matches("    bin/farboard connect ").to_owned(), paragraph)
    };
    assert_eq!(line("secret_file = \"s\"").0, "--secret-file s 127.0.0.1:5301");
    assert_eq!(line("secret_file = \"s\"\ntls = \"t.pem\"").0, "--tls t.pem --secret-file s 127.0.0.1:5301");
    let (users, paragraph) = line("users = \"u\"");
    assert_eq!(users, "--key FILE 127.0.0.1:5301");
    assert!(paragraph.ends_with("The FILE of --key is the user's, made by farboard keygen."), "{paragraph}");
    let (certificates, paragraph) = line("client_ca = \"ca.pem\"\ntls = \"t.pem\"");
    assert_eq!(certificates, "--tls t.pem --certificate FILE 127.0.0.1:5301");
    assert!(paragraph.contains("The FILE of --certificate is "), "{paragraph}");
}

/// A file with a certificate for these names, removed with its folder.
struct Certificate(PathBuf);

impl Certificate {
    fn new(names: &[&str]) -> Certificate {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("farboard-banner-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let key = rcgen::KeyPair::generate().expect("a key");
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        let parameters = rcgen::CertificateParams::new(names).expect("names");
        let certificate = parameters.self_signed(&key).expect("a certificate").pem();
        std::fs::write(folder.join("own.pem"), certificate).expect("a file");
        Certificate(folder)
    }

    fn path(&self) -> String {
        self.0.join("own.pem").display().to_string()
    }
}

impl Drop for Certificate {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn server_is_called_as_its_certificate_has_it() {
    for (names, expected) in [
        (&["chess.example"][..], "chess.example:5301"),
        (&["chess.example", "127.0.0.1"], "127.0.0.1:5301"),
        (&["*.example", "b.example"], "b.example:5301"),
        (&[], "127.0.0.1:5301"),
    ] {
        let certificate = Certificate::new(names);
        let text = format!("[[listen]]\naddress = 5301\ntls = '{}'", certificate.path());
        let paragraph = paragraphs(&text).remove(0);
        let line = format!("    bin/farboard connect --tls {} {expected}\n", certificate.path());
        assert!(paragraph.contains(&line), "{names:?}: {paragraph}");
    }
}

#[test]
fn hosts_in_the_list_have_a_line() {
    let of = |address: &str, allow: &str| {
        paragraphs(&format!("[[listen]]\naddress = \"{address}\"\nallow = {allow}")).remove(0)
    };
    let elsewhere = of("0.0.0.0:5301", "[\"192.168.0.0/16\", \"10.1.0.0/16\"]");
    let expected = format!(
        "To play chess from a machine of 192.168.0.0/16, 10.1.0.0/16:\n    farboard-connect {}:5301",
        nodename()
    );
    assert_eq!(elsewhere, expected, "this machine may not connect");

    let both = of("0.0.0.0:5301", "[\"192.168.0.0/16\", \"127.0.0.0/8\"]");
    assert!(both.contains("    nc 127.0.0.1 5301\n"), "{both}");
    assert!(both.contains("To play chess from a machine of 192.168.0.0/16, 127.0.0.0/8:\n"), "{both}");

    let here = of("0.0.0.0:5301", "[\"127.0.0.0/8\", \"::1\"]");
    assert!(here.contains("    nc 127.0.0.1 5301\n") && !here.contains("from a machine"), "{here}");

    let named = of("192.168.0.7:5301", "[\"192.168.0.0/16\"]");
    assert!(named.contains("    bin/farboard connect 192.168.0.7:5301\n"), "{named}");
    assert!(named.ends_with("    farboard-connect 192.168.0.7:5301"), "{named}");
}

#[test]
fn other_machines_have_files_of_their_own() {
    let certificate = Certificate::new(&["chess.example"]);
    let text =
        format!("[[listen]]\naddress = \"[::]:5301\"\nsecret_file = \"s\"\ntls = '{}'", certificate.path());
    let paragraph = paragraphs(&text).remove(0);
    let expected = "To play chess from another machine:\n    farboard-connect --tls FILE --secret-file FILE chess.example:5301\n\
        The FILE of --tls is the certificate of the authority that signed the server's, or the server's own without its key.\n\
        The FILE of --secret-file is a copy of the server's.";
    assert!(paragraph.ends_with(expected), "{paragraph}");
}

#[test]
fn other_transports_have_their_own_lines() {
    let text = "[[listen]]\ntransport = \"rsh\"\naddress = \"0.0.0.0:514\"\nallow = [\"10.0.0.0/8\"]\n\
        [[listen]]\ntransport = \"rsh\"\naddress = \"10.0.0.1:5514\"\nallow = [\"10.0.0.0/8\"]\nstatus_byte = true\n\
        [[listen]]\ntransport = \"agent\"\naddress = 5256\n\
        [[listen]]\naddress = \"0.0.0.0:5254\"\nproxy = [\"127.0.0.1\"]\nallow = [\"127.0.0.1\"]";
    let expected = [
        format!(
            "To play chess by WinBoard alone, from a machine of 10.0.0.0/8:\n    winboard -cp -fcp \"farboard\" -fh {}",
            nodename()
        ),
        "To play chess by a remote shell alone, from a machine of 10.0.0.0/8:\n    rsh 10.0.0.1 farboard\n\
            That connects to port 514, which must lead to 5514 (deploy/rsh.md)."
            .to_owned(),
        "Balancers can query the server's load on 127.0.0.1:5256.".to_owned(),
        "To play chess on 0.0.0.0:5254, connect through 127.0.0.1/32.".to_owned(),
    ];
    assert_eq!(paragraphs(text), expected);
}

#[test]
fn users_type_a_name_that_the_server_knows() {
    let line = |names: &str| {
        let text = format!("users = \"users\"\nserver_name = [{names}]\n[[listen]]\naddress = 5301\n");
        let banner = banner_of(&text);
        let line = banner.lines().find(|line| line.contains("connect --key FILE"));
        line.unwrap_or_else(|| panic!("{banner}"))
            .rsplit(' ')
            .next()
            .unwrap_or_default()
            .trim_matches('"')
            .to_owned()
    };
    assert_eq!(line(""), "127.0.0.1:5301");
    assert_eq!(line("\"chess.example\", \"127.0.0.1\""), "127.0.0.1:5301");
    assert_eq!(line("\"chess.example\", \"localhost\""), "localhost:5301");
    assert_eq!(line("\"chess.example\""), "chess.example:5301");
}

#[test]
fn browsers_are_led_to_the_page() {
    let lines = |http: &str, address: &str| {
        let text = format!("[http]\naddress = {http}\n[[listen]]\naddress = 5301\n");
        let config =
            Settings::parse(&text, "a file".as_ref()).expect("settings").resolve().expect("settings");
        let (nowhere, address) = (Path::new("/no-such-directory"), address.parse().expect("an address"));
        let text = banner(&config, &[DEFAULT_ADDRESS], Some(address), nowhere, nowhere);
        let page = text.split("\n\n").find(|part| part.starts_with("To play in a browser")).expect("a page");
        page.lines().skip(1).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(lines("0", "127.0.0.1:4000"), "    http://127.0.0.1:4000/");
    assert_eq!(lines("\"[::1]:0\"\ntls = \"own.pem\"", "[::1]:4000"), "    https://[::1]:4000/");
    let everywhere = lines("\"0.0.0.0:0\"\nallow = [\"10.0.0.0/8\"]", "0.0.0.0:4000");
    assert_eq!(everywhere, format!("    http://{}:4000/", nodename()));
    let secret = lines("5280\nsecret_file = \"s\"", "127.0.0.1:5280");
    assert_eq!(secret, "    http://127.0.0.1:5280/\nIt asks for the secret in s.");
}
