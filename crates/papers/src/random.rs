//! Random numbers that are the same for the same seed.

use std::f64::consts::TAU;

/// Gaussian numbers (`SplitMix64`, Box and Muller).
pub struct Gaussian(pub u64);

impl Gaussian {
    pub fn next(&mut self) -> f64 {
        let (radius, turn) = (self.uniform(), self.uniform());
        (-2.0 * radius.ln()).sqrt() * (TAU * turn).cos()
    }

    /// In (0, 1].
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((z ^ (z >> 31)) >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }
}

/// Even numbers in [0, 1): Knuth's linear congruential generator, whose high bits are random enough for phases.
pub struct Even(pub u64);

impl Even {
    pub fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Normal with standard deviation one, nearly: the sum of twelve even draws.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}
