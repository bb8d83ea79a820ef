//! The games of a match as PGN or PDN.

use super::game::Finished;
use super::match_game::Record;
use super::pairing::PlayedPair;
use super::player::{Encounter, Player};
use super::report::{Report, shown, time_control};
use super::{Plan, note::Note};
use crate::chess::{Outcome, Tags};
use crate::engines::time_control::TimeControl;

/// A result in PGN's form.
pub(super) fn result(outcome: Outcome) -> &'static str {
    Outcome::code(Some(outcome))
}

/// Both games of a pair as PGN or PDN; one of bughouse is two. The report has the names.
pub(super) fn games(plan: &Plan, players: &[Player], report: &Report, pair: &PlayedPair) -> String {
    let tags = |game: usize| {
        let [mut white, mut black] = report.names_of(pair.opponent).map(|name| shown(&name));
        if game == 1 {
            std::mem::swap(&mut white, &mut black);
        }
        Tags {
            event: format!(
                "farboard match, {}",
                time_control(plan, &Encounter::new(plan, players, pair.opponent).players)
            ),
            round: format!("{}.{}", pair.number + 1, game + 1),
            white,
            black,
            date: jiff::ZonedDateTime::now().strftime("%Y.%m.%d").to_string(),
            program: [true; 2],
            termination: shown(&pair.games[game].termination.text()),
            ..Tags::default()
        }
    };
    let control = in_pgn(players[0].control(plan));
    (0..2).map(|number| game(&pair.games[number], tags(number), &control)).collect()
}

fn game(finished: &Finished, tags: Tags, control: &str) -> String {
    let Finished { outcome, notes, .. } = finished;
    let further = [("TimeControl", control)];
    let comment = |ply: usize| notes.get(ply).map(Note::to_string);
    let [first, other] = match &finished.record {
        Record::Chess(game) => {
            return game.annotated_pgn(&tags, Some(*outcome), &further, |ply, _| comment(ply));
        }
        Record::Draughts(game) => return game.annotated_pdn(&tags, Some(*outcome), &further, comment),
        Record::Bughouse(boards) => &**boards,
    };
    let board = |game: &crate::chess::Game, tags: &Tags, outcome| {
        game.annotated_pgn(tags, Some(outcome), &further, |_, _| None)
    };
    // The teams have swapped colours at the second board.
    let mirrored = match *outcome {
        Outcome::Win(winner) => Outcome::Win(!winner),
        Outcome::Draw => Outcome::Draw,
    };
    let round = &tags.round;
    let one = Tags { round: format!("{round}.1"), ..tags.clone() };
    let (white, black) = (tags.black.clone(), tags.white.clone());
    let two = Tags { round: format!("{round}.2"), white, black, ..tags };
    board(first, &one, *outcome) + &board(other, &two, mirrored)
}

/// A time control in PGN's notation, which has none for nodes.
fn in_pgn(control: TimeControl) -> String {
    match control {
        TimeControl::Nodes(_) => "-".to_owned(),
        TimeControl::Move(each) => format!("1/{}", each.as_secs_f64()),
        TimeControl::Game(clock) => format!("{}+{}", clock.base.as_secs_f64(), clock.increment.as_secs_f64()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn time_controls_are_those_of_pgn() {
        assert_eq!(in_pgn(TimeControl::Game("5+0.05".parse().unwrap())), "5+0.05");
        assert_eq!(in_pgn(TimeControl::Move(Duration::from_millis(100))), "1/0.1");
        assert_eq!(in_pgn(TimeControl::Nodes(7)), "-");
    }
}
