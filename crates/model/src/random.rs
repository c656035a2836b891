//! Random numbers from a seed, the same on every machine.
//!
//! Reference: Steele, G. L., Lea, D., Flood, C. H. (2014), Fast splittable pseudorandom number generators, Proc. OOPSLA,
//! 453-472 (`SplitMix64`); Box, G. E. P., Muller, M. E. (1958), Ann. Math. Stat. 29(2), 610-611.

use std::f64::consts::TAU;

/// A sequence of random numbers.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The next number in [0, 1), with 53 random bits.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The next number in (0, 1], of which there is a logarithm.
    pub fn positive(&mut self) -> f64 {
        ((self.bits() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    /// The next number of mean 0 and standard deviation 1.
    pub fn gaussian(&mut self) -> f64 {
        (-2.0 * self.positive().ln()).sqrt() * (TAU * self.positive()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_of_splitmix() {
        // The first numbers of the reference code by Vigna for the seed 1234567.
        let mut random = Rng::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn numbers_are_gaussian_and_repeat() {
        let n = 100_000;
        let mut random = Rng::new(7);
        let drawn: Vec<f64> = (0..n).map(|_| random.gaussian()).collect();
        let moment = |k: i32| drawn.iter().map(|x| x.powi(k)).sum::<f64>() / f64::from(n);
        // Four standard deviations of the estimates: 1, 1.4, 3.9 and 9.8 over sqrt(n).
        for (k, expected, spread) in [(1, 0.0, 1.0), (2, 1.0, 1.4), (3, 0.0, 3.9), (4, 3.0, 9.8)] {
            let difference = (moment(k) - expected).abs();
            assert!(
                difference < 4.0 * spread / f64::from(n).sqrt(),
                "moment {k}: {difference}"
            );
        }
        assert_eq!(Rng::new(7).gaussian(), drawn[0]);
        assert_ne!(Rng::new(8).gaussian(), drawn[0]);
    }
}
