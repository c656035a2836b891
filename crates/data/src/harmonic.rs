//! Dynamic stiffness tables.

use crate::preload::Preload;
use crate::table::Source;

/// One row: the first-harmonic answer at one frequency and amplitude.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HarmonicPoint {
    /// Frequency, Hz; NaN if the table gives none.
    pub frequency: f64,
    /// Amplitude zero to peak, m or rad; NaN if the table gives none.
    pub amplitude: f64,
    /// Dynamic stiffness |K*|, N/m or N m/rad.
    pub stiffness: f64,
    /// Loss angle, rad; NaN if the table gives none.
    pub loss_angle: f64,
    /// Preload, if given.
    pub preload: Option<Preload>,
}

impl HarmonicPoint {
    /// Storage stiffness K'.
    pub fn storage(&self) -> f64 {
        self.stiffness * self.loss_angle.cos()
    }

    /// Loss stiffness K''.
    pub fn loss(&self) -> f64 {
        self.stiffness * self.loss_angle.sin()
    }
}

/// A dynamic stiffness table.
#[derive(Debug, Clone, PartialEq)]
pub struct HarmonicTable {
    /// The rows, in file order.
    pub points: Vec<HarmonicPoint>,
    /// Angle and torque instead of displacement and force.
    pub rotation: bool,
    /// Where the rows came from.
    pub source: Source,
}
