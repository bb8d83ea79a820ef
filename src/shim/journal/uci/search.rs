//! A `go` that was not answered yet, and how another server is asked for the same.

use super::shown::Shown;
use crate::chess::Color;
use crate::protocol::uci::{Command, Go, Reply, Start};
use std::time::{Duration, Instant};

/// What a `go` has become.
#[derive(Clone, Debug)]
pub(super) struct Search {
    /// The line, without its ending.
    line: Vec<u8>,
    /// `None` if servers refuse it; they answer it nevertheless.
    go: Option<Box<Go>>,
    /// When it was said.
    at: Instant,
    /// When the `ponderhit` came.
    hit: Option<Instant>,
    /// It is to end: by `stop`, or because there was another `go`.
    is_stopped: bool,
    pub(super) shown: Shown,
}

impl Search {
    pub(super) fn new(line: Vec<u8>, go: Option<Box<Go>>, at: Instant) -> Search {
        Search { line, go, at, hit: None, is_stopped: false, shown: Shown::default() }
    }

    pub(super) fn stop(&mut self) {
        self.is_stopped = true;
    }

    /// The expected move was played.
    pub(super) fn hit(&mut self, at: Instant) {
        if self.go.as_ref().is_some_and(|go| go.ponder) {
            self.hit.get_or_insert(at);
        }
    }

    /// Whether it counts leaves, which brings no best move.
    pub(super) fn is_perft(&self) -> bool {
        self.go.as_ref().is_some_and(|go| go.perft.is_some())
    }

    /// Whether the client waits for the answer.
    pub(super) fn is_awaited(&self) -> bool {
        let is_open = self.go.as_ref().is_some_and(|go| go.infinite || (go.ponder && self.hit.is_none()));
        self.is_stopped || !is_open
    }

    /// When it was asked for.
    pub(super) fn since(&self) -> Instant {
        self.at
    }

    /// Bytes of its line.
    pub(super) fn bytes(&self) -> usize {
        self.line.len()
    }

    /// The answer that the shim can give itself: the search was to end, and the client was shown a move.
    pub(super) fn answer(&self) -> Option<String> {
        self.is_stopped.then(|| self.best_move_shown()).flatten()
    }

    /// The best move that the client was shown, as an answer.
    pub(super) fn best_move_shown(&self) -> Option<String> {
        let (best, ponder) = self.shown.moves()?;
        Some(Reply::Bestmove { best: Some(best.to_owned()), ponder: ponder.map(str::to_owned) }.line())
    }

    /// Appends what asks another server for the same at the instant `now`, if `turn` is on move.
    pub(super) fn tell_again(&self, turn: Color, now: Instant, bytes: &mut Vec<u8>) {
        match self.reduced(turn, now) {
            Some(go) => bytes.extend(Command::Go(go).to_string().as_bytes()),
            None => bytes.extend_from_slice(&self.line),
        }
        bytes.push(b'\n');
        if self.is_stopped {
            bytes.extend_from_slice(b"stop\n");
        }
    }

    /// The same with what has passed taken off the clock; `None` if nothing is different.
    fn reduced(&self, turn: Color, now: Instant) -> Option<Box<Go>> {
        let mut go = self.go.clone()?;
        if go.ponder && self.hit.is_none() {
            // The opponent's clock runs.
            return None;
        }
        go.ponder = false;
        let passed = now.saturating_duration_since(self.hit.unwrap_or(self.at));
        let (ours, theirs) = match turn {
            Color::White => (&mut go.wtime, &mut go.btime),
            Color::Black => (&mut go.btime, &mut go.wtime),
        };
        // Servers take the only clock that there is for ours.
        let clock = if ours.is_some() { ours } else { theirs };
        *clock = clock.map(|time| rest(time, passed));
        go.movetime = go.movetime.map(|time| {
            let time = i64::try_from(time).unwrap_or(i64::MAX);
            rest(time, passed).unsigned_abs()
        });
        (Some(&go) != self.go.as_ref()).then_some(go)
    }
}

/// What is left of a time in milliseconds. None left is a thousandth of a second: 0 means that there is no clock.
fn rest(time: i64, passed: Duration) -> i64 {
    if time <= 0 {
        return time;
    }
    time.saturating_sub(i64::try_from(passed.as_millis()).unwrap_or(i64::MAX)).max(1)
}

/// The side on move in the position of this line; White at the beginning of a session.
pub(super) fn turn(position: Option<&[u8]>) -> Color {
    let Some(Ok(Command::Position { start, moves })) = position.map(Command::parse) else {
        return Color::White;
    };
    let first = match start {
        Start::Fen(fen) if fen.split_ascii_whitespace().nth(1) == Some("b") => Color::Black,
        Start::Fen(_) | Start::Startpos => Color::White,
    };
    if moves.iter().count() % 2 == 0 { first } else { !first }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(line: &str, at: Instant) -> Search {
        let go = match Command::parse(line.as_bytes()) {
            Ok(Command::Go(go)) => Some(go),
            _ => None,
        };
        Search::new(line.as_bytes().to_vec(), go, at)
    }

    fn again(search: &Search, turn: Color, now: Instant) -> String {
        let mut bytes = Vec::new();
        search.tell_again(turn, now, &mut bytes);
        String::from_utf8(bytes).expect("ASCII")
    }

    #[test]
    fn what_has_passed_is_taken_off_the_clock_that_runs() {
        let at = Instant::now();
        let now = at + Duration::from_millis(1500);
        for (line, white, black) in [
            (
                "go wtime 9000 btime 8000 winc 5",
                "go wtime 7500 btime 8000 winc 5",
                "go wtime 9000 btime 6500 winc 5",
            ),
            ("go wtime 1000 btime 1000", "go wtime 1 btime 1000", "go wtime 1000 btime 1"),
            ("go wtime -5 btime 0", "go wtime -5 btime 0", "go wtime -5 btime 0"),
            ("go btime 5000 depth 3", "go btime 3500 depth 3", "go btime 3500 depth 3"),
            ("go movetime 2000", "go movetime 500", "go movetime 500"),
            (
                "go movetime 99 searchmoves e2e4",
                "go movetime 1 searchmoves e2e4",
                "go movetime 1 searchmoves e2e4",
            ),
            ("go depth 5", "go depth 5", "go depth 5"),
            ("go  infinite", "go  infinite", "go  infinite"),
            ("go wtime x", "go wtime x", "go wtime x"),
        ] {
            let search = search(line, at);
            assert_eq!(again(&search, Color::White, now), format!("{white}\n"));
            assert_eq!(again(&search, Color::Black, now), format!("{black}\n"));
        }
    }

    #[test]
    fn while_it_ponders_no_clock_of_ours_runs() {
        let at = Instant::now();
        let mut search = search("go ponder wtime 9000 btime 8000", at);
        assert!(!search.is_awaited());
        let now = at + Duration::from_secs(3);
        assert_eq!(again(&search, Color::White, now), "go ponder wtime 9000 btime 8000\n");
        search.hit(now);
        assert!(search.is_awaited());
        search.hit(now + Duration::from_secs(1));
        let later = now + Duration::from_secs(2);
        assert_eq!(again(&search, Color::White, later), "go wtime 7000 btime 8000\n");
        search.stop();
        assert_eq!(again(&search, Color::White, later), "go wtime 7000 btime 8000\nstop\n");
    }

    #[test]
    fn a_hit_is_for_a_search_that_ponders() {
        let at = Instant::now();
        let mut search = search("go movetime 9000", at);
        search.hit(at + Duration::from_secs(5));
        assert_eq!(again(&search, Color::White, at + Duration::from_secs(6)), "go movetime 3000\n");
    }

    #[test]
    fn the_side_on_move_follows_from_the_position() {
        for (line, expected) in [
            ("position startpos", Color::White),
            ("position startpos moves e2e4", Color::Black),
            ("position startpos moves e2e4 e7e5", Color::White),
            ("position fen 4k3/8/8/8/8/8/8/4K3 b - - 0 1", Color::Black),
            ("position fen 4k3/8/8/8/8/8/8/4K3 b - - 0 1 moves e8e7", Color::White),
            ("position fen 4k3/8/8/8/8/8/8/4K3", Color::White),
            ("position", Color::White),
        ] {
            assert_eq!(turn(Some(line.as_bytes())), expected, "{line}");
        }
        assert_eq!(turn(None), Color::White);
    }
}
