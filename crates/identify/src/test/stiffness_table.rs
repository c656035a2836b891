//! Dynamic stiffness and loss angle of steady sines.

mod predict;

use super::motion_record::{affordable, cycles_to_close};
use super::preload::displacement;
use super::{Kind, Output, Row, finer};
use crate::error::FitError;
use crate::objective::Residuals;
use crate::objective::predict::{Prediction, Question};
use crate::start::features;
use masing_data::Preload;
use masing_model::{Features, Model, Validity};
use masing_sim::{ACCURACY, Cycled, Motion, Numerics, SimError, sine_cycle};
use std::f64::consts::TAU;

/// One row of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Displacement amplitude, zero to peak.
    pub amplitude: f64,
    /// Frequency (Hz).
    pub frequency: f64,
    /// The preload under the sine.
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

/// A table: stiffness and loss angle of every point are predicted, in turn.
#[derive(Clone, Debug, Default)]
pub struct StiffnessTable {
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

impl StiffnessTable {
    /// The same table with fewer samples a cycle, fewer cycles and one step per sample.
    fn coarse(&self) -> Self {
        let (per_cycle, cycles) = COARSE;
        let mut coarse = self.clone();
        for point in &mut coarse.points {
            point.per_cycle = per_cycle;
            point.cycles = point.cycles.min(cycles);
            point.numerics = Numerics::default();
        }
        coarse
    }
}

impl Kind for StiffnessTable {
    fn copy(&self) -> Box<dyn Kind> {
        Box::new(self.clone())
    }

    fn rows(&self) -> Vec<Row> {
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

    fn predict(&self, question: &Question<'_>) -> Result<Prediction, FitError> {
        predict::predict(question, self)
    }

    fn choose_numerics(&mut self, model: &Model, p: &[f64]) -> Result<(), FitError> {
        let assembly = model.assembly();
        let own = &p[..assembly.param_count()];
        for point in &mut self.points {
            let (mean, _) = displacement(model, own, point.preload, point.amplitude, false)?;
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

    fn numerics(&self) -> Numerics {
        let each = self.points.iter().map(|p| p.numerics);
        each.reduce(finer).unwrap_or_default()
    }

    fn cycles(&self) -> usize {
        self.points.iter().map(|p| p.cycles).max().unwrap_or(1)
    }

    fn features(&self) -> Option<Features> {
        features::of_stiffness_table(self)
    }

    fn covers(&self, model: &Model) -> Option<Validity> {
        let p = model.element_values();
        let each = self.points.iter().map(|point| {
            let (shift, _) = displacement(model, p, point.preload, point.amplitude, false).ok()?;
            Some(Validity {
                displacement: [shift - point.amplitude, shift + point.amplitude],
                speed: TAU * point.frequency * point.amplitude,
                frequency: Some([point.frequency; 2]),
            })
        });
        each.collect::<Option<Vec<Validity>>>()?
            .into_iter()
            .reduce(Validity::and)
    }

    fn outputs(&self) -> Vec<Output> {
        vec![]
    }

    fn take_noise(&mut self, outcome: &Residuals) {
        self.noise = Some(outcome.noise);
    }

    fn first_look(&self) -> Option<Box<dyn Kind>> {
        Some(Box::new(self.coarse()))
    }

    fn share(&self, _rows: usize) -> f64 {
        // A point has two rows but one error.
        self.points.len().max(1) as f64
    }

    fn is_history(&self) -> bool {
        false
    }

    fn stiffness_table(&self) -> Option<&StiffnessTable> {
        Some(self)
    }
}
