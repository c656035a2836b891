//! Random numbers from a seed.

use masing_model::Rng;

/// Numbers that are the same for the same seed.
pub struct Noise(Rng);

impl Noise {
    /// Neighbouring seeds give unrelated numbers.
    pub fn new(seed: u64) -> Self {
        Self(Rng::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d)))
    }

    /// In (0, 1].
    pub fn uniform(&mut self) -> f64 {
        self.0.positive()
    }

    /// Of mean 0 and standard deviation 1.
    pub fn gaussian(&mut self) -> f64 {
        self.0.gaussian()
    }
}
