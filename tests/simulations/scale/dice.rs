//! Random numbers that depend only on a seed (SplitMix64).

/// A source of random numbers.
#[derive(Clone)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    /// From 0 to 1, without 1.
    pub fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number below `sides`.
    pub fn below(&mut self, sides: usize) -> usize {
        (self.next() % sides as u64) as usize
    }

    /// Between two bounds.
    pub fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.fraction()
    }

    /// An exponentially distributed time.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.fraction()).ln()
    }

    /// True with this probability.
    pub fn happens(&mut self, probability: f64) -> bool {
        self.fraction() < probability
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
