//! Dynamic stiffness and loss angle of steady sines.

use super::rig::{affordable, cycles_to_close};
use super::{Preload, Row};
use crate::error::FitError;
use crate::objective::predict;
use masing_model::Model;
use masing_sim::{ACCURACY, Cycled, Motion, Numerics, SimError, sine_cycle};

/// One row of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Displacement amplitude, zero to peak.
    pub amplitude: f64,
    /// Frequency (Hz).
    pub frequency: f64,
    /// What the part is under beside the sine.
    pub preload: Preload,
    /// Dynamic stiffness |K*| of the first harmonic.
    pub stiffness: f64,
    /// Loss angle (rad); NaN where it was not measured.
    pub loss_angle: f64,
    /// Steps of the simulation, frozen during a search.
    pub numerics: Numerics,
    /// Cycles until the response counts as closed, frozen during a search.
    pub cycles: usize,
    /// Samples per simulated cycle.
    pub per_cycle: usize,
}

/// A table: predicted are stiffness and loss angle of every point, in turns.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The rows.
    pub points: Vec<Point>,
    /// Relative standard deviation of stiffness (and of the angle, in rad), where it is known.
    pub noise: Option<f64>,
}

/// Samples per simulated cycle.
const PER_CYCLE: usize = 128;
/// The same for a first look, and its cycles: friction has forgotten the first loading by then.
const COARSE: (usize, usize) = (40, 3);

impl Point {
    /// A point without preload.
    pub fn new(amplitude: f64, frequency: f64, stiffness: f64, loss_angle: f64) -> Self {
        Self {
            amplitude,
            frequency,
            preload: Preload::default(),
            stiffness,
            loss_angle,
            numerics: Numerics::default(),
            cycles: 1,
            per_cycle: PER_CYCLE,
        }
    }

    /// One period of its motion around `mean`.
    pub fn motion(&self, mean: f64) -> Result<Motion, SimError> {
        sine_cycle(self.amplitude, self.frequency, mean, self.per_cycle)
    }
}

impl Table {
    pub(super) fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for (i, point) in self.points.iter().enumerate() {
            let pair = [(point.stiffness, point.stiffness), (point.loss_angle, 1.0)];
            for (k, (measured, size)) in pair.into_iter().enumerate() {
                if measured.is_finite() {
                    rows.push(Row {
                        entry: 2 * i + k,
                        measured,
                        size,
                        noise: self.noise.map(|n| n * size),
                        floor: 1e-4 * size,
                    });
                }
            }
        }
        rows
    }

    /// The same table with fewer samples a cycle, fewer cycles and one step per sample.
    pub(super) fn coarse(&self) -> Self {
        let (per_cycle, cycles) = COARSE;
        let mut coarse = self.clone();
        for point in &mut coarse.points {
            point.per_cycle = per_cycle;
            point.cycles = point.cycles.min(cycles);
            point.numerics = Numerics::default();
        }
        coarse
    }

    pub(super) fn choose_numerics(&mut self, model: &Model, p: &[f64]) -> Result<(), FitError> {
        let assembly = model.assembly();
        let own = &p[..assembly.param_count()];
        for point in &mut self.points {
            let (mean, _) = predict::preload(model, own, point.preload, point.amplitude, false)?;
            let motion = point.motion(mean)?;
            point.numerics = affordable(assembly, own, &motion, 3.0 * ACCURACY)?;
            let cycled = Cycled {
                assembly,
                cycle: &motion,
                run_in: None,
                numerics: point.numerics,
            };
            point.cycles = cycles_to_close(&cycled, own)?;
        }
        Ok(())
    }
}
