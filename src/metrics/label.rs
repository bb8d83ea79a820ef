//! Metrics with a label.

use super::{Counter, Gauge};
use std::marker::PhantomData;

/// A label: an enum whose values are known at compile time.
pub trait Label: Copy + 'static {
    /// All values.
    const ALL: &'static [Self];

    /// Index of a value in [`Label::ALL`].
    fn index(self) -> usize;

    /// The value as text. Stable, since rules and dashboards use it.
    fn word(self) -> &'static str;
}

/// Implements [`Label`] for an enum without data: its variants in their order, each with its word.
/// Does not compile if one is missing or misplaced.
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

/// A metric for each value of a label.
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
    /// Returns the metric of a value.
    pub fn of(&self, value: L) -> &N {
        &self.metrics[value.index()]
    }

    /// Iterates over all values with their metrics.
    pub fn iter(&self) -> impl Iterator<Item = (L, &N)> {
        L::ALL.iter().copied().zip(&self.metrics)
    }
}

impl<L: Label, N: Default> Default for ByLabel<L, N> {
    fn default() -> ByLabel<L, N> {
        ByLabel { metrics: L::ALL.iter().map(|_| N::default()).collect(), label: PhantomData }
    }
}
