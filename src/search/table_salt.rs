//! Salts of table keys, which separate searches that would not agree about entries.

use super::PartnerNeeds;
use super::request::{Request, Style};
use super::root_position::with_searchable;
use super::searchable::Searchable;
use crate::random::mix;

/// Returns the salt of a search's table keys. It covers every setting of the request that changes
/// scores, if that is used, so that ordinary searches of a session share entries.
pub(super) fn salt(request: &Request) -> u64 {
    salt_of_session(request, request.table.salt)
}

/// Like [`salt`], in a session with another salt.
pub(super) fn salt_of_session(request: &Request, session: u64) -> u64 {
    let mut salt = mix(session ^ u64::from(request.position.rules_id()) << 56);
    let Style { strength, contempt, noise, seed, partner } = request.style;
    if contempt != 0 {
        let side = request.position.turn() as u64;
        salt = fold(salt, 1, side << 16 | u64::from(contempt as u16));
    }
    if noise != 0 {
        salt = fold(fold(salt, 2, u64::from(noise)), 2, seed);
    }
    // A weak player must not see what a strong search of the same position found.
    if let Some(strength) = strength {
        salt = fold(salt, 3, u64::from(strength.elo()));
    }
    // The bias depends on the number of pieces at the root.
    let needs = partner.unwrap_or_default();
    if needs != PartnerNeeds::default() {
        let PartnerNeeds { sought, spared, trades } = needs;
        let trades = trades.map_or(0, |wanted| 1 + u64::from(wanted));
        salt = fold(salt, 5, u64::from(sought.bits()) << 16 | u64::from(spared.bits()) << 8 | trades);
        let supply = with_searchable!(request, position => position.supply());
        salt = supply.iter().flatten().fold(salt, |salt, &count| fold(salt, 5, count.into()));
    }
    request.knowledge.scores.iter().fold(salt, |salt, known| {
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
    use crate::search::{FirstMoves, Knowledge, KnownScore, Score, Strength, TableUse};

    fn after_e4() -> AnyPosition {
        let mut position = AnyPosition::start(Variant::NORMAL);
        position.play(position.parse_move("e4").unwrap());
        position
    }

    #[test]
    fn settings_that_change_scores_change_the_salt() {
        let plain = Request::of(AnyPosition::start(Variant::NORMAL));
        let known = KnownScore { key: 5, score: Score(30), depth: 3 };
        let queens = Roles::NONE.with(Role::Queen);
        let style = |style| Request { style, ..plain.clone() };
        let needs = |needs| style(Style { partner: Some(needs), ..Style::default() });
        let scores =
            |known| Request { knowledge: Knowledge { scores: vec![known], endgames: None }, ..plain.clone() };
        let different = [
            plain.clone(),
            Request { table: TableUse::salted(1), ..plain.clone() },
            Request { position: AnyPosition::start(Variant::FISCHERANDOM).into(), ..plain.clone() },
            Request { position: draughts::Position::start().into(), ..plain.clone() },
            style(Style { contempt: 10, ..Style::default() }),
            style(Style { contempt: -10, ..Style::default() }),
            Request { position: after_e4().into(), ..style(Style { contempt: 10, ..Style::default() }) },
            style(Style { noise: 10, ..Style::default() }),
            style(Style { noise: 10, seed: 1, ..Style::default() }),
            style(Style { strength: Some(Strength::of_elo(1000)), ..Style::default() }),
            style(Style { strength: Some(Strength::of_elo(1100)), ..Style::default() }),
            needs(PartnerNeeds { trades: Some(true), ..PartnerNeeds::default() }),
            needs(PartnerNeeds { sought: queens, ..PartnerNeeds::default() }),
            needs(PartnerNeeds { spared: queens, ..PartnerNeeds::default() }),
            scores(known),
            scores(KnownScore { key: 6, ..known }),
            scores(KnownScore { score: Score(-30), ..known }),
            scores(KnownScore { depth: 4, ..known }),
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
        assert_eq!(
            salt(&plain),
            salt(&Request {
                style: Style { seed: 7, ..Style::default() },
                first_moves: FirstMoves { lines: 3, excluded: Vec::new() },
                ..plain
            })
        );
    }
}
