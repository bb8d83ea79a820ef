//! A line of a client: whatever its bytes, a parsed command can be printed and parsed again.

use farboard::protocol::xboard::{Command, EditCommand};

/// `data` is a line.
pub fn run(data: &[u8]) {
    match Command::parse(data) {
        Ok(command) => {
            let printed = command.to_string();
            assert!(!printed.contains(char::is_control), "{printed:?}");
            assert_eq!(Command::parse(printed.as_bytes()), Ok(command), "{printed:?}");
        }
        Err(error) => {
            assert!(!error.to_string().contains(char::is_control), "{error:?}");
            assert_eq!(Command::parse(error.line.as_bytes()), Err(error));
        }
    }
    let command = EditCommand::parse(data);
    let printed = command.to_string();
    assert_eq!(EditCommand::parse(printed.as_bytes()), command, "{printed:?}");
}
