//! Salts of table keys, which separate searches that would not agree about entries.

use super::PartnerNeeds;
use super::request::Request;
use super::root_position::with_searchable;
use super::searchable::Searchable;
use crate::random::mix;

/// Returns the salt of a search's table keys. It covers every setting of the request that changes
/// scores, if that is used, so that ordinary searches of a session share entries.
pub(super) fn salt(request: &Request) -> u64 {
    salt_of_session(request, request.salt)
}

/// Like [`salt`], in a session with another salt.
pub(super) fn salt_of_session(request: &Request, session: u64) -> u64 {
    let mut salt = mix(session ^ u64::from(request.position.rules_id()) << 56);
    if request.contempt != 0 {
        let side = request.position.turn() as u64;
        salt = fold(salt, 1, side << 16 | u64::from(request.contempt as u16));
    }
    if request.noise != 0 {
        salt = fold(fold(salt, 2, u64::from(request.noise)), 2, request.seed);
    }
    // A weak player must not see what a strong search of the same position found.
    if let Some(strength) = request.strength {
        salt = fold(salt, 3, u64::from(strength.elo()));
    }
    // The bias depends on the number of pieces at the root.
    let PartnerNeeds { sought, spared, trades } = request.partner;
    if request.partner != PartnerNeeds::default() {
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

/// Adds a value to the salt; `what` separates equal values of different settings.
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
    fn settings_that_change_scores_change_the_salt() {
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
            Request {
                partner: PartnerNeeds { trades: Some(true), ..PartnerNeeds::default() },
                ..plain.clone()
            },
            Request { partner: PartnerNeeds { sought: queens, ..PartnerNeeds::default() }, ..plain.clone() },
            Request { partner: PartnerNeeds { spared: queens, ..PartnerNeeds::default() }, ..plain.clone() },
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
    fn searches_with_the_same_scores_share_entries() {
        let plain = Request::of(AnyPosition::start(Variant::NORMAL));
        let later = Request { position: after_e4().into(), ..plain.clone() };
        assert_eq!(salt(&plain), salt(&later));
        assert_eq!(salt(&plain), salt(&Request { seed: 7, lines: 3, ..plain }));
    }
}
