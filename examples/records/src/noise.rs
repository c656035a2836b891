//! Gaussian noise of a file.

use masing_model::Rng;
use std::f64::consts::TAU;

/// Numbers that are the same for the same file, on every machine.
pub struct Noise {
    random: Rng,
    /// The second of the pair that was drawn last.
    spare: Option<f64>,
}

impl Noise {
    /// The noise of a file; its path is the seed.
    pub fn of(path: &str) -> Self {
        // FNV-1a: neighbouring paths give unrelated seeds.
        let seed = path.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Self {
            random: Rng::new(seed),
            spare: None,
        }
    }

    /// The next number of mean 0 and standard deviation 1.
    pub fn gaussian(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        // 1 - u lies in (0, 1], so the logarithm is finite.
        let radius = (-2.0 * (1.0 - self.random.uniform()).ln()).sqrt();
        let (sin, cos) = (TAU * self.random.uniform()).sin_cos();
        self.spare = Some(radius * sin);
        radius * cos
    }
}
