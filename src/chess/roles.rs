//! A set of roles.

use super::Role;
use std::fmt;

/// A set of roles. Prints as their letters in lower case, the lightest piece first.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Debug)]
pub struct Roles(u8);

impl Roles {
    /// No role.
    pub const NONE: Roles = Roles(0);
    /// What can be in a hand: everything but kings.
    pub const DROPPED: Roles = Roles(0b1_1111);

    /// Whether it has this role.
    pub const fn has(self, role: Role) -> bool {
        self.0 & 1 << role.index() != 0
    }

    /// Whether it has none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many it has.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The set with this role.
    #[must_use]
    pub const fn with(self, role: Role) -> Roles {
        Roles(self.0 | 1 << role.index())
    }

    /// The set without the roles of another.
    #[must_use]
    pub const fn without(self, other: Roles) -> Roles {
        Roles(self.0 & !other.0)
    }

    /// The roles of both sets.
    #[must_use]
    pub const fn union(self, other: Roles) -> Roles {
        Roles(self.0 | other.0)
    }

    /// A number that no other set has.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Its roles, the lightest piece first.
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
    fn a_set_is_what_was_put_in() {
        let set: Roles = [Role::Queen, Role::Pawn, Role::Queen].into_iter().collect();
        assert_eq!((set.to_string().as_str(), set.len()), ("pq", 2));
        assert!(set.has(Role::Pawn) && !set.has(Role::Rook) && !set.is_empty());
        let rest = Roles::DROPPED.without(set);
        assert_eq!(rest.to_string(), "nbr");
        assert_eq!(rest.union(set), Roles::DROPPED);
        assert!(set.without(set).is_empty() && !Roles::DROPPED.has(Role::King));
    }
}
