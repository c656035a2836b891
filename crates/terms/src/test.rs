//! A test as it was measured, and how its motion is interpreted.

use masing_data::Preload;
use std::ops::Range;

/// One test as it was measured, SI.
#[derive(Clone, Debug)]
pub struct Test {
    /// Name in reports.
    pub name: String,
    /// Time, growing.
    pub time: Vec<f64>,
    /// Displacement.
    pub displacement: Vec<f64>,
    /// Velocity, where it was measured.
    pub velocity: Option<Vec<f64>>,
    /// Force; NaN is missing.
    pub force: Vec<f64>,
    /// Samples that may be compared; what comes before is history.
    pub window: Range<usize>,
    /// Standard deviation of the force noise, where it is known.
    pub noise: Option<f64>,
    /// The preload: estimated from the data if it is not given; a force is one more equation for it.
    pub preload: Option<Preload>,
    /// Columns of the user, by name.
    pub columns: Vec<(String, Vec<f64>)>,
}

/// Where the sign of a branch comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sign {
    /// Detected turns.
    #[default]
    Turns,
    /// The sign of the velocity, from turns at samples, as in the paper.
    Velocity,
}

/// How the velocity is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slope {
    /// Savitzky-Golay of degree 4 over an eighth of a period.
    #[default]
    SavitzkyGolay,
    /// Difference to the next sample, as in the paper; the displacement is not smoothed.
    Forward,
}
