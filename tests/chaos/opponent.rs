//! Moves of the opponent.

use crate::gui::Gui;
use crate::support::dice::Dice;
use farboard::chess::{AnyPosition, Move, Role, Square};

/// A random legal move.
pub fn random_move(gui: &mut Gui, dice: &mut Dice) {
    let mv = *dice.pick(&gui.game.position().legal_moves());
    gui.user_move(mv);
}

/// A move chosen by captures, its own and the reply's. Games with it last longer.
pub fn sensible_move(gui: &mut Gui, dice: &mut Dice) {
    let position = *gui.game.position();
    let moves = position.legal_moves();
    let best = moves.iter().map(|&mv| prospect(&position, mv)).max().unwrap_or(0);
    let good: Vec<Move> = moves.iter().copied().filter(|&mv| prospect(&position, mv) == best).collect();
    gui.user_move(*dice.pick(&good));
}

/// The material balance after this move and the reply that captures most.
fn prospect(position: &AnyPosition, mv: Move) -> i32 {
    let mut after = *position;
    after.play(mv);
    if !after.has_legal_move() {
        return if after.in_check() { 1000 } else { 0 };
    }
    let answers = after.legal_moves();
    let worst = answers.iter().map(|&answer| {
        let mut then = after;
        then.play(answer);
        if then.in_check() && !then.has_legal_move() { -1000 } else { balance(&then) }
    });
    worst.min().unwrap_or(0)
}

/// The material of the side to move less the opponent's.
fn balance(position: &AnyPosition) -> i32 {
    Square::all()
        .filter_map(|square| position.piece_at(square))
        .map(|piece| {
            let worth = match piece.role {
                Role::Pawn => 1,
                Role::Knight | Role::Bishop => 3,
                Role::Rook => 5,
                Role::Queen => 9,
                _ => 0,
            };
            if piece.color == position.turn() { worth } else { -worth }
        })
        .sum()
}
