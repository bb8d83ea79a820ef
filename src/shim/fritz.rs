//! The init file with which Fritz 5.32, Nimzo 99 and ChessBase 7 start an xboard engine, here the
//! shim.

use super::address::Address;

/// Returns the file as ChessBase's description of the interface demands it, with CRLF line endings.
pub(super) fn init_file(server: &Address) -> String {
    let lines = [
        "[Parameter]",
        &format!("CommandLine = {server}"),
        "Author = The Farboard developers",
        "Engine = Farboard",
        "Debug = False",
        "",
        "[Support]",
        "AnalyzeMode = True",
        "PonderMode = True",
        "CastleAndEP = True",
    ];
    lines.map(|line| format!("{line}\r\n")).concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_in_the_repository_is_for_a_server_on_the_same_machine() {
        let server = "127.0.0.1".parse().expect("an address");
        assert_eq!(init_file(&server), include_str!("../../deploy/fritz/farboard-connect.ini"));
    }

    #[test]
    fn command_line_leads_to_the_server() {
        let server: Address = "[::1]:99".parse().expect("an address");
        let file = init_file(&server);
        let line = file.lines().find_map(|line| line.strip_prefix("CommandLine = ")).expect("the key");
        assert_eq!(line.parse(), Ok(server));
    }
}
