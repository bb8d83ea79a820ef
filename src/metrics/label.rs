//! Metrics with a label.

use super::{Counter, Gauge};
use std::marker::PhantomData;

/// A label: an enum whose values are known at compile time.
pub trait Label: Copy + 'static {
    /// All values.
    const ALL: &'static [Self];

    /// The value as text. Stable, since rules and dashboards use it.
    fn word(self) -> &'static str;

    /// Index in [`Label::ALL`] of the value with this word.
    fn index(self) -> usize {
        Self::ALL.iter().position(|label| label.word() == self.word()).expect("all values are listed")
    }
}

/// Defines an enum without data that implements [`Label`]: each variant with its word.
macro_rules! labels {
    ($(#[$attribute:meta])* $visibility:vis enum $type:ident {
        $($(#[$doc:meta])* $variant:ident = $word:literal),+ $(,)?
    }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $visibility enum $type {
            $($(#[$doc])* $variant),+
        }

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
