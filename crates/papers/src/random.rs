//! Even random numbers that are the same for the same seed, for data that were made with them.

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
