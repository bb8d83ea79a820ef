//! Numbers for each value of a label.

use super::{Counter, Gauge};
use std::marker::PhantomData;

/// The values of a label: few, and known when the program is compiled.
pub trait Label: Copy + 'static {
    /// All values.
    const ALL: &'static [Self];

    /// The place of a value in [`Label::ALL`].
    fn index(self) -> usize;

    /// The value as text. It never changes, since others' rules and dashboards have it.
    fn word(self) -> &'static str;
}

/// Implements [`Label`] for an enum without data: its variants in their order, each with its word. It does not compile if one is
/// missing or in another place.
macro_rules! labels {
    ($type:ident { $($variant:ident => $word:literal),+ $(,)? }) => {
        impl $crate::metrics::Label for $type {
            const ALL: &'static [$type] = &[$($type::$variant),+];

            fn index(self) -> usize {
                self as usize
            }

            fn word(self) -> &'static str {
                match self {
                    $($type::$variant => $word),+
                }
            }
        }

        const _: () = {
            let all = <$type as $crate::metrics::Label>::ALL;
            let mut index = 0;
            while index < all.len() {
                assert!(all[index] as usize == index);
                index += 1;
            }
        };
    };
}

pub(crate) use labels;

/// A number for each value of a label.
#[derive(Debug)]
pub struct ByLabel<L, N> {
    metrics: Box<[N]>,
    label: PhantomData<fn() -> L>,
}

/// A counter for each value of a label.
pub type Counters<L> = ByLabel<L, Counter>;
/// A gauge for each value of a label.
pub type Gauges<L> = ByLabel<L, Gauge>;

impl<L: Label, N> ByLabel<L, N> {
    /// The number of a value.
    pub fn of(&self, value: L) -> &N {
        &self.metrics[value.index()]
    }

    /// All values with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (L, &N)> {
        L::ALL.iter().copied().zip(&self.metrics)
    }
}

impl<L: Label, N: Default> Default for ByLabel<L, N> {
    fn default() -> ByLabel<L, N> {
        ByLabel { metrics: L::ALL.iter().map(|_| N::default()).collect(), label: PhantomData }
    }
}
