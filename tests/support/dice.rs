//! Random numbers that depend only on a seed.

use std::time::Duration;

/// A SplitMix64 generator.
#[derive(Clone)]
pub struct Dice(u64);

impl Dice {
    /// An independent generator for each `purpose` of a seed, so that one more roll here changes
    /// nothing there.
    pub fn new(seed: u64, purpose: u64) -> Dice {
        let mut dice = Dice(seed ^ purpose.wrapping_mul(0xd6e8_feb8_6659_fd93));
        dice.next();
        dice
    }

    /// The generator of a seed with a single purpose.
    pub fn of_seed(seed: u64) -> Dice {
        Dice(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        (self.next() % sides as u64) as usize
    }

    /// True once in `times` times on average.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.roll(times) == 0
    }

    /// One of these choices.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.roll(choices.len())]
    }

    /// A random duration below this many milliseconds, in steps of a tenth.
    pub fn below(&mut self, milliseconds: usize) -> Duration {
        Duration::from_micros(100 * self.roll(10 * milliseconds) as u64)
    }
}
