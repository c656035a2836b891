//! Gaussian noise from a seed.
//!
//! Reference: Steele, G. L., Lea, D., Flood, C. H. (2014), Fast splittable pseudorandom number
//! generators, Proc. OOPSLA, 453-472 (`SplitMix64`); Box, G. E. P., Muller, M. E. (1958), Ann. Math.
//! Stat. 29(2), 610-611.

use std::f64::consts::TAU;

/// Numbers that are the same for the same seed, on every machine.
pub struct Noise {
    state: u64,
    /// The second of the pair that was drawn last.
    spare: Option<f64>,
}

impl Noise {
    /// The noise of a file; its path is the seed.
    pub fn of(path: &str) -> Self {
        // FNV-1a: neighbouring paths give unrelated seeds.
        let state = path.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Self { state, spare: None }
    }

    /// The next number of mean 0 and standard deviation 1.
    pub fn gaussian(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        // 1 - u lies in (0, 1], so the logarithm is finite.
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        let (sin, cos) = (TAU * self.uniform()).sin_cos();
        self.spare = Some(radius * sin);
        radius * cos
    }

    /// The next number in 0..1, with 53 random bits.
    fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_of_splitmix() {
        // The first numbers of the reference code by Vigna for the seed 1234567.
        let mut noise = Noise {
            state: 1_234_567,
            spare: None,
        };
        assert_eq!(noise.bits(), 6_457_827_717_110_365_317);
        assert_eq!(noise.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn numbers_are_gaussian_and_repeat() {
        let n = 100_000;
        let mut noise = Noise::of("a");
        let drawn: Vec<f64> = (0..n).map(|_| noise.gaussian()).collect();
        let moment = |k: i32| drawn.iter().map(|x| x.powi(k)).sum::<f64>() / f64::from(n);
        // Four standard deviations of the estimates: 1, 1.4, 3.9 and 9.8 over sqrt(n).
        for (k, expected, spread) in [(1, 0.0, 1.0), (2, 1.0, 1.4), (3, 0.0, 3.9), (4, 3.0, 9.8)] {
            let off = (moment(k) - expected).abs();
            assert!(
                off < 4.0 * spread / f64::from(n).sqrt(),
                "moment {k}: {off}"
            );
        }
        assert_eq!(Noise::of("a").gaussian(), drawn[0]);
        assert_ne!(Noise::of("b").gaussian(), drawn[0]);
    }
}
