//! A set of roles.

use super::Role;
use std::fmt;

/// A set of roles. Displayed as their letters in lower case, lightest piece first.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Debug)]
pub struct Roles(u8);

impl Roles {
    /// No role.
    pub const NONE: Roles = Roles(0);
    /// Roles that can be in hand: all except kings.
    pub(crate) const DROPPED: Roles = Roles(0b1_1111);

    /// Returns true if the set has this role.
    pub const fn has(self, role: Role) -> bool {
        self.0 & 1 << role.index() != 0
    }

    /// Returns true if the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of roles.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns the set with this role.
    #[must_use]
    pub const fn with(self, role: Role) -> Roles {
        Roles(self.0 | 1 << role.index())
    }

    /// Returns the set without the roles of another.
    #[must_use]
    pub const fn without(self, other: Roles) -> Roles {
        Roles(self.0 & !other.0)
    }

    /// Returns the roles of both sets.
    #[must_use]
    pub(crate) const fn union(self, other: Roles) -> Roles {
        Roles(self.0 | other.0)
    }

    /// Returns the set as bits.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Returns the roles, lightest piece first.
    pub fn iter(self) -> impl Iterator<Item = Role> {
        Role::ALL.into_iter().filter(move |&role| self.has(role))
    }
}

impl FromIterator<Role> for Roles {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> Roles {
        roles.into_iter().fold(Roles::NONE, Roles::with)
    }
}

impl fmt::Display for Roles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|role| write!(f, "{}", role.letter().to_ascii_lowercase()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_the_roles_added_to_it() {
        let set: Roles = [Role::Queen, Role::Pawn, Role::Queen].into_iter().collect();
        assert_eq!((set.to_string().as_str(), set.len()), ("pq", 2));
        assert!(set.has(Role::Pawn) && !set.has(Role::Rook) && !set.is_empty());
        let rest = Roles::DROPPED.without(set);
        assert_eq!(rest.to_string(), "nbr");
        assert_eq!(rest.union(set), Roles::DROPPED);
        assert!(set.without(set).is_empty() && !Roles::DROPPED.has(Role::King));
    }
}
