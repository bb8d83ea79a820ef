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

    /// From 0 to 1, without 1.
    pub fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True once in `times` times on average.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.roll(times) == 0
    }

    /// True with this probability.
    pub fn happens(&mut self, probability: f64) -> bool {
        self.fraction() < probability
    }

    /// One of these choices.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.roll(choices.len())]
    }

    /// A duration below this many milliseconds, in steps of a tenth.
    pub fn delay(&mut self, milliseconds: usize) -> Duration {
        Duration::from_micros(100 * self.roll(10 * milliseconds) as u64)
    }

    /// Between two bounds.
    pub fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.fraction()
    }

    /// An exponentially distributed time.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.fraction()).ln()
    }

    /// The index of one of these shares, which add up to 1.
    pub fn one_of(&mut self, shares: impl IntoIterator<Item = f64>) -> usize {
        let mut left = self.fraction();
        let mut last = 0;
        for (index, share) in shares.into_iter().enumerate() {
            last = index;
            left -= share;
            if left < 0.0 {
                break;
            }
        }
        last
    }

    /// A Poisson-distributed number.
    pub fn poisson(&mut self, mean: f64) -> usize {
        let (mut count, mut time) = (0, self.exponential(1.0));
        while time < mean {
            count += 1;
            time += self.exponential(1.0);
        }
        count
    }

    /// A binomially distributed number.
    pub fn binomial(&mut self, times: usize, probability: f64) -> usize {
        (0..times).filter(|_| self.happens(probability)).count()
    }
}
