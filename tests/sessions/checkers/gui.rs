//! A model of the GUI of August 2024. Four times a second it reads one message, in pieces of 256
//! bytes into a buffer that must not fill up, and drops the last character. It compares messages
//! with exact words, and drops moves of any other form. Its board is rotated.

use farboard::draughts::{Game, MoveText};
use std::collections::VecDeque;
use std::time::Duration;

/// The GUI's polling interval.
pub const TICK: Duration = Duration::from_millis(250);
/// The GUI's buffer size. A read that fills the buffer leaves no room for the terminator.
const BUFFER: usize = 256;

/// The GUI with its user and the pipe from its engine.
#[derive(Default)]
pub struct Gui {
    /// Unread output of the engine.
    pipe: VecDeque<u8>,
    /// Input beyond the last message.
    buffered: Vec<u8>,
    /// The GUI's output to the engine.
    pub written: String,
    pub is_ready: bool,
    /// Whether the GUI waits for a best move.
    pub waits: bool,
    pub game: Game,
    /// Parameters shown in spin boxes, with their values.
    pub shown: Vec<(String, i32)>,
}

impl Gui {
    /// Receives a line of the engine.
    pub fn hear(&mut self, line: &str) {
        self.pipe.extend(line.bytes().chain([b'\n']));
    }

    /// Reads after a polling interval.
    pub fn tick(&mut self) {
        if let Some(message) = self.read() {
            let text = message.strip_suffix('\n').expect("a line end");
            assert!(!text.contains('\n'), "two messages at once: {text:?}");
            self.take(text);
        }
    }

    fn read(&mut self) -> Option<String> {
        if let Some(end) = self.buffered.iter().position(|&byte| byte == b'\n') {
            let rest = self.buffered.split_off(end + 1);
            return Some(text(std::mem::replace(&mut self.buffered, rest)));
        }
        let mut current = Vec::new();
        loop {
            let count = self.pipe.len().min(BUFFER);
            if count == 0 {
                assert!(current.is_empty(), "the GUI hangs in the middle of a line");
                return None;
            }
            assert!(count < BUFFER, "its buffer overflows");
            let piece: Vec<u8> = self.pipe.drain(..count).collect();
            match piece.iter().position(|&byte| byte == b'\n') {
                Some(end) => {
                    current.extend_from_slice(&piece[..=end]);
                    let mut message = std::mem::replace(&mut self.buffered, piece[end + 1..].to_vec());
                    message.extend(current);
                    return Some(text(message));
                }
                None => current.extend(piece),
            }
        }
    }

    fn take(&mut self, message: &str) {
        let words: Vec<&str> = message.split(' ').collect();
        match words[0] {
            "READY" if words.len() == 1 => {
                self.is_ready = true;
                self.written.push_str("NEWGAME\nINIT\nGETPARAMETERS\n");
            }
            "PARAMETERS" => {
                assert!(words.len() % 2 == 1, "it exits at {message:?}");
                for pair in words[1..].chunks(2).filter(|pair| pair[1] == "int") {
                    self.written.push_str(&format!("GETPARAMETER {}\n", pair[0]));
                }
            }
            "PARAMETER" => self.shown.push((words[1].to_owned(), words[2].parse().expect("a number"))),
            "BESTMOVE" => self.best_move(words[1]),
            "INFO" => {
                let names: Vec<&str> = words[1..].iter().step_by(2).copied().collect();
                assert_eq!(names, ["nodes", "eval", "time"]);
                assert!(words[2].parse::<u64>().is_ok() && words[4].parse::<i32>().is_ok());
                assert!(words[6].parse::<f64>().is_ok());
            }
            _ => panic!("unexpected message {message:?}"),
        }
    }

    /// Accepts `n(xn)+`; drops anything else, after which the game hangs.
    fn best_move(&mut self, text: &str) {
        let is_move = text.split('x').count() >= 2
            && text.split('x').all(|square| !square.starts_with('0') && square.parse::<u8>().is_ok());
        assert!(is_move, "it drops {text:?}");
        assert!(self.waits, "{text} without a request");
        self.waits = false;
        let full = MoveText::read(text).expect("a move").rotated();
        let moves = self.game.position().legal_moves();
        let mv = moves.iter().find(|&&mv| MoveText::of(mv) == full);
        self.game.play(*mv.unwrap_or_else(|| panic!("illegal: {text}")));
    }

    /// Plays the user's move and requests the answer in the same write.
    pub fn play(&mut self, choice: usize) {
        let moves = self.game.position().legal_moves();
        let mv = moves[choice % moves.len()];
        self.game.play(mv);
        self.written.push_str(&format!("MOVE {}\n", MoveText::of(mv).rotated()));
        self.ask();
    }

    /// Requests a move unless the game is over.
    pub fn ask(&mut self) {
        if !self.is_over() {
            self.written.push_str("GO\n");
            self.waits = true;
        }
    }

    pub fn is_over(&self) -> bool {
        self.game.ending().is_some()
    }

    /// Starts another game from the start position.
    pub fn begin(&mut self) {
        self.game = Game::new();
        self.written.push_str("NEWGAME\n");
    }
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("ASCII")
}
