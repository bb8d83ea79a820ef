//! Four engines at two boards, all at the same time: a move on one board is a piece on the other.

use super::boards::{Boards, Played, SEATS, board_of, color_of, opponent_of, partner_of};
use super::seat::{Seat, SeatLine};
use crate::chess::{Color, MoveKind, Outcome};
use crate::engines::EngineEvent;
use crate::matches::adjudication::Reason;
use crate::matches::game::{Finished, Termination};
use crate::matches::match_game::Record;
use crate::matches::{EngineError, Plan};
use crate::protocol::xboard::move_text;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// The game.
pub(super) struct Table {
    boards: Boards,
    seats: [Seat; SEATS],
    clocks: [Duration; SEATS],
    /// When the clock of the side to move was started, at each board.
    started: [Instant; 2],
    increment: Duration,
    margin: Duration,
    max_plies: usize,
    plies: usize,
}

/// The winner's seat, and how the game ended.
type Decision = (Option<usize>, Termination);

impl Table {
    pub(super) fn new(plan: &Plan, seats: [Seat; SEATS]) -> Table {
        Table {
            boards: Boards::new(),
            seats,
            clocks: [plan.clock.base; SEATS],
            started: [Instant::now(); 2],
            increment: plan.clock.increment,
            margin: Duration::from_millis(plan.margin),
            max_plies: plan.max_plies,
            plies: 0,
        }
    }

    /// Plays until one board has decided the game of both.
    pub(super) fn play(mut self, lines: &Receiver<SeatLine>) -> Finished {
        for white in [0, 2] {
            self.seats[white].send("go\n");
        }
        self.started = [Instant::now(); 2];
        let (winner, termination) = self.decide(lines);
        let outcome = match winner {
            // The first team has White on the first board.
            Some(0 | 3) => Outcome::Win(Color::White),
            Some(_) => Outcome::Win(Color::Black),
            None => Outcome::Draw,
        };
        let record = Record::Bughouse(Box::new(self.boards.into_games()));
        Finished { record, outcome, termination, notes: Vec::new(), spent: Default::default() }
    }

    fn decide(&mut self, lines: &Receiver<SeatLine>) -> Decision {
        loop {
            let flag = self.next_flag();
            // Otherwise engines that print without end would never lose on time.
            if Instant::now() >= flag {
                return self.fallen_flag();
            }
            let Ok((seat, line)) = lines.recv_timeout(flag.saturating_duration_since(Instant::now())) else {
                return self.fallen_flag();
            };
            let decided = match line {
                Ok(line) => self.receive(seat, &line),
                Err(error) => Some((Some(opponent_of(seat)), Termination::Failure(error))),
            };
            if let Some(decision) = decided {
                return decision;
            }
            if self.plies >= self.max_plies {
                return (None, Termination::Adjudicated(Reason::Length));
            }
        }
    }

    /// When the next flag falls.
    fn next_flag(&self) -> Instant {
        let flag = |board: usize| self.started[board] + self.clocks[self.boards.on_move(board)] + self.margin;
        flag(0).min(flag(1))
    }

    /// Decides the game against the team whose flag has fallen first.
    fn fallen_flag(&self) -> Decision {
        let left = |board: usize| {
            let used = self.started[board].elapsed();
            self.clocks[self.boards.on_move(board)].as_secs_f64() - used.as_secs_f64()
        };
        let board = usize::from(left(1) < left(0));
        (Some(opponent_of(self.boards.on_move(board))), Termination::Time)
    }

    fn receive(&mut self, seat: usize, line: &str) -> Option<Decision> {
        if let Some(text) = line.strip_prefix("tellics ptell ") {
            self.seats[partner_of(seat)].send(&format!("ptell {text}\n"));
            return None;
        }
        let on_move = self.boards.on_move(board_of(seat)) == seat;
        match self.seats[seat].engine.receive(line) {
            EngineEvent::BestMove { best, .. } => {
                let text = best.unwrap_or_default();
                if on_move {
                    self.play_move(seat, text)
                } else {
                    Some(lost(seat, EngineError::Illegal(format!("{text} (wrong turn)"))))
                }
            }
            EngineEvent::Resigned => Some((Some(opponent_of(seat)), Termination::Resignation)),
            EngineEvent::Result(claim) => self.judge(seat, claim),
            EngineEvent::Error(text) => Some(lost(seat, EngineError::Reports(text.to_owned()))),
            _ => None,
        }
    }

    /// Judges a claim: of a loss it is a resignation; the referee knows of a mate already.
    fn judge(&self, seat: usize, claim: &str) -> Option<Decision> {
        let loss = if color_of(seat) == Color::White { "0-1" } else { "1-0" };
        if claim.starts_with(loss) {
            Some((Some(opponent_of(seat)), Termination::Resignation))
        } else {
            Some(lost(seat, EngineError::Illegal(format!("the claim {claim}"))))
        }
    }

    fn play_move(&mut self, seat: usize, text: &str) -> Option<Decision> {
        let board = board_of(seat);
        let now = Instant::now();
        let used = now.saturating_duration_since(self.started[board]);
        if used > self.clocks[seat] + self.margin {
            return Some((Some(opponent_of(seat)), Termination::Time));
        }
        let before = *self.boards.position(board);
        let Played { mv, gained } = match self.boards.play(board, text) {
            Ok(played) => played,
            Err(error) => return Some(lost(seat, EngineError::Illegal(format!("{text} ({error})")))),
        };
        self.plies += 1;
        self.clocks[seat] = self.clocks[seat].saturating_sub(used) + self.increment;
        self.started[board] = now;
        if self.boards.mate(board).is_some() {
            return Some((Some(seat), Termination::Rules("mate")));
        }
        if matches!(mv.kind(), MoveKind::Drop(_)) {
            // A piece that came while this drop was under way was sent together with the dropped
            // one.
            self.send_hands(&[seat], None);
        }
        if let Some(letter) = gained {
            let partner = partner_of(seat);
            self.send_hands(&[partner, opponent_of(partner)], Some((color_of(partner), letter)));
        }
        let opponent = opponent_of(seat);
        let centiseconds = |seat: usize| self.clocks[seat].as_millis() / 10;
        let clocks = [centiseconds(opponent), centiseconds(seat)];
        self.seats[opponent].send_move(&move_text(&before, mv), clocks);
        None
    }

    /// Sends seats of one board the pieces in both hands there, and the one just gained.
    fn send_hands(&mut self, seats: &[usize], gained: Option<(Color, char)>) {
        let gained = match gained {
            None => String::new(),
            Some((Color::White, letter)) => format!(" W{letter}"),
            Some((Color::Black, letter)) => format!(" B{letter}"),
        };
        for &seat in seats {
            let holding = self.boards.holding(board_of(seat));
            self.seats[seat].send(&format!("holding {holding}{gained}\n"));
        }
    }
}

fn lost(seat: usize, error: EngineError) -> Decision {
    (Some(opponent_of(seat)), Termination::Failure(error))
}
