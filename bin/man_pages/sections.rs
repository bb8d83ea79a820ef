//! Sections of manual pages that do not follow from the definitions of flags.

/// Pages of the programs, for SEE ALSO.
const PAGES: [&str; 4] = ["farboard(1)", "farboard.toml(5)", "farboard-connect(1)", "xboard(6)"];

/// Files listed on all pages of the server.
pub const FILES: [(&str, &str); 4] = [
    ("/etc/farboard/farboard.toml", "configuration of the service, see farboard.toml(5)"),
    ("/run/farboard/control", "control socket of the service"),
    ("$XDG_RUNTIME_DIR/farboard/control", "control socket of a server started by a user"),
    ("/usr/share/doc/farboard/docs/", "documentation: operating.md for administrators, settings.md"),
];

/// Returns the examples of a page: a description and a command line.
pub fn examples(page: &str) -> &'static [(&'static str, &'static str)] {
    match page {
        "farboard" | "farboard-serve" => &[
            ("Serve chess and checkers on this machine:", "farboard"),
            ("Serve a network:", "farboard --listen 0.0.0.0:5254 --allow 192.168.0.0/16"),
            ("With a configuration file:", "farboard --config /etc/farboard/farboard.toml"),
            ("Watch it from another terminal:", "farboard top"),
        ],
        "farboard-check" => &[(
            "Before a reload:",
            "farboard check --config /etc/farboard/farboard.toml && systemctl reload farboard",
        )],
        "farboard-stdio" => &[
            ("As the engine of xboard:", "xboard -fcp \"farboard stdio\""),
            ("As the engine of a UCI GUI:", "farboard stdio --protocol uci"),
        ],
        "farboard-connect" => &[
            ("As the engine of xboard:", "xboard -fcp \"farboard-connect chess.example.org\""),
            ("With TLS and a key:", "farboard-connect --tls authority.pem --key my.key chess.example.org"),
            ("With a second server as a fallback:", "farboard-connect one.example.org two.example.org"),
        ],
        "farboard-sessions" => &[
            ("A table:", "farboard sessions"),
            ("For scripts:", "farboard sessions --control /run/farboard/control --json"),
        ],
        "farboard-top" => &[
            ("Every five seconds:", "farboard top --interval 5"),
            ("One snapshot for scripts:", "farboard top --times 1 --json"),
        ],
        "farboard-kick" => &[
            ("End a user's sessions:", "farboard kick alice \"Please see the notice board.\""),
            ("Keep an address out for an hour:", "farboard kick 192.0.2.7 --for 3600"),
        ],
        "farboard-message" => &[("To all users:", "farboard message all \"The server ends at six.\"")],
        "farboard-drain" => &[
            ("Before work on the machine:", "farboard drain"),
            ("Also end sessions after their games:", "farboard drain --sessions"),
        ],
        "farboard-undrain" => &[("Afterwards:", "farboard undrain")],
        "farboard-weight" => &[
            ("Five shares of the cores:", "farboard weight alice 5"),
            ("Back to the configured shares:", "farboard weight alice"),
        ],
        "farboard-replay" => &[("Compare with the answers of this version:", "farboard replay game.record")],
        "farboard-book" => &[("Moves from the start position:", "farboard book")],
        "farboard-endgames" => {
            &[("Solve them for a server:", "farboard endgames /var/lib/farboard/endgames")]
        }
        "farboard-keygen" => &[("A key and the line for the server:", "farboard keygen alice alice.key")],
        "farboard-perft" => &[("The number of games of five plies:", "farboard perft 5 --divide")],
        "farboard-bench" => &[("A checksum of the engine's behaviour:", "farboard bench")],
        "farboard-man" => &[("All pages:", "farboard man pages")],
        "farboard-completions" => &[("For bash:", "farboard completions bash")],
        _ => &[],
    }
}

/// Returns the exit codes of a page's program with their meanings.
pub fn exit_status(page: &str) -> &'static [(&'static str, &'static str)] {
    match page {
        "farboard-replay" => &[
            ("0", "all answers agree"),
            ("1", "some answers differ"),
            ("2", "nothing could be replayed, or the command line is wrong"),
        ],
        "farboard-connect" => &[
            ("0", "the session is over"),
            ("1", "no server could be reached, or it was lost"),
            ("2", "the command line is wrong"),
        ],
        "farboard" | "farboard-serve" => &[
            ("0", "the server was shut down"),
            ("1", "a resource is missing, or another failure"),
            ("2", "the configuration or the command line is wrong"),
            ("69", "an address to listen on is taken or not available"),
        ],
        "farboard-check" => {
            &[("0", "the server would start"), ("2", "the configuration or the command line is wrong")]
        }
        _ => &[("0", "success"), ("1", "failure"), ("2", "the command line is wrong")],
    }
}

/// Returns the other pages, for SEE ALSO.
pub fn see_also(page: &str) -> String {
    let others = PAGES.iter().filter(|other| other.split('(').next() != Some(page));
    others.copied().collect::<Vec<_>>().join(", ")
}
