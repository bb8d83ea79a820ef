//! What keeps apart the table's entries of searches that would not agree about them.

use super::Demands;
use super::request::Request;
use super::root_position::with_searchable;
use super::searchable::Searchable;
use crate::chess::zobrist::mix;

/// The salt of a search's table keys. It covers each request setting that changes scores, if that setting is used, so
/// that ordinary searches of a session share what they know.
pub fn salt(request: &Request) -> u64 {
    salt_of_session(request, request.salt)
}

/// The same in a session with another salt.
pub fn salt_of_session(request: &Request, session: u64) -> u64 {
    let mut salt = mix(session ^ u64::from(request.position.rules_id()) << 56);
    if request.contempt != 0 {
        let side = request.position.turn() as u64;
        salt = fold(salt, 1, side << 16 | u64::from(request.contempt as u16));
    }
    if request.noise != 0 {
        salt = fold(fold(salt, 2, u64::from(request.noise)), 2, request.seed);
    }
    // A weak player shall not know what a strong search of the same position found.
    if let Some(strength) = request.strength {
        salt = fold(salt, 3, u64::from(strength.elo()));
    }
    // What is demanded counts by how many pieces there were at the root.
    let Demands { sought, spared, trades } = request.demands;
    if request.demands != Demands::default() {
        let trades = trades.map_or(0, |wanted| 1 + u64::from(wanted));
        salt = fold(salt, 5, u64::from(sought.bits()) << 16 | u64::from(spared.bits()) << 8 | trades);
        let supply = with_searchable!(request, position => position.supply());
        salt = supply.iter().flatten().fold(salt, |salt, &count| fold(salt, 5, count.into()));
    }
    request.known.iter().fold(salt, |salt, known| {
        let worth = u64::from(known.score.0 as u32) << 8 | u64::from(known.depth);
        fold(fold(salt, 4, known.key), 4, worth)
    })
}

/// `what` keeps equal values of different things apart.
fn fold(salt: u64, what: u64, value: u64) -> u64 {
    mix(mix(salt ^ what) ^ value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{AnyPosition, Role, Roles, Variant};
    use crate::draughts;
    use crate::search::{KnownScore, Score, Strength};

    fn after_e4() -> AnyPosition {
        let mut position = AnyPosition::start(Variant::NORMAL);
        position.play(position.parse_move("e4").unwrap());
        position
    }

    #[test]
    fn what_changes_scores_changes_the_salt() {
        let plain = Request::of(AnyPosition::start(Variant::NORMAL));
        let black = Request { position: after_e4().into(), ..plain.clone() };
        let known = KnownScore { key: 5, score: Score(30), depth: 3 };
        let queens = Roles::NONE.with(Role::Queen);
        let different = [
            plain.clone(),
            Request { salt: 1, ..plain.clone() },
            Request { position: AnyPosition::start(Variant::FISCHERANDOM).into(), ..plain.clone() },
            Request { position: draughts::Position::start().into(), ..plain.clone() },
            Request { contempt: 10, ..plain.clone() },
            Request { contempt: -10, ..plain.clone() },
            Request { contempt: 10, ..black.clone() },
            Request { noise: 10, ..plain.clone() },
            Request { noise: 10, seed: 1, ..plain.clone() },
            Request { strength: Some(Strength::of_elo(1000)), ..plain.clone() },
            Request { strength: Some(Strength::of_elo(1100)), ..plain.clone() },
            Request { demands: Demands { trades: Some(true), ..Demands::default() }, ..plain.clone() },
            Request { demands: Demands { sought: queens, ..Demands::default() }, ..plain.clone() },
            Request { demands: Demands { spared: queens, ..Demands::default() }, ..plain.clone() },
            Request { known: vec![known], ..plain.clone() },
            Request { known: vec![KnownScore { key: 6, ..known }], ..plain.clone() },
            Request { known: vec![KnownScore { score: Score(-30), ..known }], ..plain.clone() },
            Request { known: vec![KnownScore { depth: 4, ..known }], ..plain.clone() },
        ];
        for (index, request) in different.iter().enumerate() {
            for other in &different[..index] {
                assert_ne!(salt(request), salt(other), "entry {index}");
            }
        }
    }

    #[test]
    fn what_changes_nothing_is_shared() {
        let plain = Request::of(AnyPosition::start(Variant::NORMAL));
        let later = Request { position: after_e4().into(), ..plain.clone() };
        assert_eq!(salt(&plain), salt(&later));
        assert_eq!(salt(&plain), salt(&Request { seed: 7, lines: 3, ..plain }));
    }
}
