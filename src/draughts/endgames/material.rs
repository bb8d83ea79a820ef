//! Material: the pieces on the board without their squares. Identifies a slice of the database.

use super::pieces::Pieces;
use super::subsets::MAX_SIZE;
use std::fmt;

/// Maximum number of pieces for which this program builds a database.
pub const MAX_PIECES: u32 = 6;

/// Numbers of men and kings of either side. At least one piece, at most five.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Material {
    /// Men of the side on move.
    pub own_men: u8,
    /// Kings of the side on move.
    pub own_kings: u8,
    /// Men of the other side.
    pub opponent_men: u8,
    /// Kings of the other side.
    pub opponent_kings: u8,
}

impl Material {
    /// Upper bound of identifiers (exclusive).
    pub(super) const IDENTIFIERS: usize = (MAX_SIZE + 1).pow(4);

    /// Returns the identifier of these pieces, if no side has more than five men or five kings.
    #[inline]
    pub(super) fn identify(pieces: &Pieces) -> Option<usize> {
        let Pieces { own_men, own_kings, opponent_men, opponent_kings } = *pieces;
        let mut identifier = 0;
        for set in [own_men, own_kings, opponent_men, opponent_kings] {
            let count = set.count_ones() as usize;
            if count > MAX_SIZE {
                return None;
            }
            identifier = identifier * (MAX_SIZE + 1) + count;
        }
        Some(identifier)
    }

    /// Returns the identifier of its slice.
    pub(super) fn identifier(self) -> usize {
        self.counts().into_iter().fold(0, |number, count| number * (MAX_SIZE + 1) + usize::from(count))
    }

    /// Returns the numbers of own men and kings, and the opponent's men and kings.
    pub(super) const fn counts(self) -> [u8; 4] {
        [self.own_men, self.own_kings, self.opponent_men, self.opponent_kings]
    }

    /// Returns the material with the other side on move.
    pub(super) const fn passed(self) -> Material {
        let [opponent_men, opponent_kings, own_men, own_kings] = self.counts();
        Material { own_men, own_kings, opponent_men, opponent_kings }
    }

    /// Returns the total number of pieces.
    pub(super) fn pieces(self) -> u32 {
        self.counts().into_iter().map(u32::from).sum()
    }

    /// Returns all materials of up to `pieces` pieces in which both sides have some, one for each
    /// pair with sides swapped. Ordered so that every move leads to the same or an earlier
    /// material: a capture leaves fewer pieces, a crowning fewer men.
    pub(super) fn pairs(pieces: u32) -> Vec<Material> {
        let counts = || 0..=pieces.min(MAX_PIECES) as u8;
        let sides = || counts().flat_map(move |men| counts().map(move |kings| (men, kings)));
        let mut pairs: Vec<Material> = sides()
            .flat_map(|own| sides().map(move |opponent| (own, opponent)))
            .filter(|((men, kings), (opponent_men, opponent_kings))| {
                men + kings > 0 && opponent_men + opponent_kings > 0
            })
            .map(|((own_men, own_kings), (opponent_men, opponent_kings))| Material {
                own_men,
                own_kings,
                opponent_men,
                opponent_kings,
            })
            .filter(|material| material.pieces() <= pieces.min(MAX_PIECES) && *material >= material.passed())
            .collect();
        pairs
            .sort_by_key(|material| (material.pieces(), material.own_men + material.opponent_men, *material));
        pairs
    }
}

/// Kings and men of either side, the side on move first: `KKMvKM`.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |men: u8, kings: u8| ["K".repeat(kings.into()), "M".repeat(men.into())].concat();
        let own = side(self.own_men, self.own_kings);
        write!(f, "{own}v{}", side(self.opponent_men, self.opponent_kings))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn moves_lead_to_earlier_materials() {
        let mut known = HashSet::new();
        for material in Material::pairs(MAX_PIECES) {
            let mut after = Vec::new();
            for Material { own_men, own_kings, opponent_men, opponent_kings } in [material, material.passed()]
            {
                if own_men > 0 {
                    after.push([own_men - 1, own_kings + 1, opponent_men, opponent_kings]);
                }
                let is_left = opponent_men + opponent_kings > 1;
                if is_left && opponent_men > 0 {
                    after.push([own_men, own_kings, opponent_men - 1, opponent_kings]);
                }
                if is_left && opponent_kings > 0 {
                    after.push([own_men, own_kings, opponent_men, opponent_kings - 1]);
                }
            }
            assert!(after.iter().all(|counts| known.contains(counts)), "{material}");
            assert!(known.insert(material.counts()));
            known.insert(material.passed().counts());
        }
        assert_eq!(Material::pairs(2).len(), 3);
        assert!(Material::pairs(9).iter().all(|material| material.pieces() <= MAX_PIECES));
    }

    #[test]
    fn identifiers_are_unique() {
        let all = Material::pairs(MAX_PIECES);
        let both = all.iter().flat_map(|&material| [material, material.passed()]).collect::<HashSet<_>>();
        let identifiers = both.iter().map(|material| material.identifier()).collect::<HashSet<_>>();
        assert_eq!(identifiers.len(), both.len());
        assert!(identifiers.iter().all(|&identifier| identifier < Material::IDENTIFIERS));
    }

    #[test]
    fn names_have_kings_first() {
        let material = Material { own_men: 1, own_kings: 2, opponent_men: 1, opponent_kings: 0 };
        assert_eq!(material.to_string(), "KKMvM");
        assert_eq!(material.passed().to_string(), "MvKKM");
    }
}
