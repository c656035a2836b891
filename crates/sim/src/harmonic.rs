//! The key figures of a loop: first harmonic, dynamic stiffness, loss angle, energy per cycle.

use crate::choose::choose;
use crate::error::SimError;
use crate::motion::Motion;
use crate::steady::{Closure, steady_state};
use masing_model::Assembly;
use std::f64::consts::TAU;

/// Samples per cycle of the simulated sine.
pub const PER_CYCLE: usize = 512;

/// A sinusoidal test at one amplitude and frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Harmonic {
    /// Displacement amplitude, zero to peak.
    pub amplitude: f64,
    /// Frequency (Hz).
    pub frequency: f64,
    /// Storage stiffness K': first harmonic of the force in phase with the displacement.
    pub storage: f64,
    /// Loss stiffness K'': in phase with the velocity.
    pub loss: f64,
    /// Peak-to-peak force over peak-to-peak displacement.
    pub secant_stiffness: f64,
    /// Energy dissipated per cycle.
    pub energy: f64,
    /// Cycles until the response was periodic.
    pub cycles: usize,
}

impl Harmonic {
    /// |K*| of the first harmonic.
    pub fn dynamic_stiffness(&self) -> f64 {
        self.storage.hypot(self.loss)
    }

    /// Loss angle (rad).
    pub fn loss_angle(&self) -> f64 {
        self.loss.atan2(self.storage)
    }

    /// Equivalent damping ratio: energy over 2 pi times secant stiffness times amplitude squared.
    pub fn damping_ratio(&self) -> f64 {
        self.energy / (TAU * self.secant_stiffness * self.amplitude * self.amplitude)
    }

    /// Evaluates one period of force under x = mean + amplitude sin(2 pi f t), sampled evenly with
    /// both ends.
    pub fn of_cycle(amplitude: f64, frequency: f64, force: &[f64], cycles: usize) -> Self {
        let n = force.len() - 1;
        let angle = |i: usize| TAU * i as f64 / n as f64;
        // Periodic samples: the rectangle rule over one period, first sample left out.
        let mean = |weight: &dyn Fn(f64) -> f64| {
            (1..=n).map(|i| force[i] * weight(angle(i))).sum::<f64>() * 2.0 / n as f64
        };
        let storage = mean(&f64::sin) / amplitude;
        let loss = mean(&f64::cos) / amplitude;
        // What rounding leaves of a loop that does not dissipate is not a result.
        let loss = if loss.abs() < 1e-12 * storage.abs() {
            0.0
        } else {
            loss
        };
        let range = force[1..]
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &f| {
                (a.min(f), b.max(f))
            });
        // The integral of F dx is pi X times the velocity-phase amplitude: x has one harmonic only.
        let energy = std::f64::consts::PI * amplitude * amplitude * loss;
        Self {
            amplitude,
            frequency,
            storage,
            loss,
            secant_stiffness: (range.1 - range.0) / (2.0 * amplitude),
            energy,
            cycles,
        }
    }
}

/// One period of a sine, starting upwards through `mean`.
pub fn sine_cycle(
    amplitude: f64,
    frequency: f64,
    mean: f64,
    per_cycle: usize,
) -> Result<Motion, SimError> {
    let n = per_cycle.max(8);
    let omega = TAU * frequency;
    let angle = |i: usize| TAU * i as f64 / n as f64;
    // The ends are the same point of the cycle; sin(2 pi) is not exactly 0.
    let time = (0..=n).map(|i| i as f64 / (n as f64 * frequency)).collect();
    let x = (0..=n)
        .map(|i| mean + amplitude * if i == n { 0.0 } else { angle(i).sin() })
        .collect();
    let v = (0..=n)
        .map(|i| amplitude * omega * if i == n { 1.0 } else { angle(i).cos() })
        .collect();
    Motion::new(time, x, Some(v))
}

/// The accuracy of a steady response.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Care {
    /// Samples per cycle of the sine.
    pub per_cycle: usize,
    /// Error of the steps, relative to the largest force in the first cycle.
    pub accuracy: f64,
    /// When the response counts as periodic.
    pub closure: Closure,
}

impl Care {
    /// Enough for a plot: coarse steps and few cycles, even if the response still creeps. Not for results.
    pub const PICTURE: Self = Self {
        per_cycle: 64,
        accuracy: 5e-3,
        closure: Closure {
            tolerance: 1e-3,
            cycles: 60,
        },
    };
}

/// Steady response of an assembly to a sine around `mean`, stepped finely enough for `accuracy` of
/// the largest force in the first cycle.
pub fn harmonic(
    assembly: &Assembly,
    p: &[f64],
    drive: (f64, f64),
    mean: f64,
    accuracy: f64,
) -> Result<Harmonic, SimError> {
    let care = Care {
        per_cycle: PER_CYCLE,
        accuracy,
        closure: Closure::default(),
    };
    harmonic_with(assembly, p, drive, mean, &care)
}

/// The same with the given accuracy.
pub fn harmonic_with(
    assembly: &Assembly,
    p: &[f64],
    (amplitude, frequency): (f64, f64),
    mean: f64,
    care: &Care,
) -> Result<Harmonic, SimError> {
    let cycle = sine_cycle(amplitude, frequency, mean, care.per_cycle)?;
    let numerics = choose(assembly, p, &cycle, care.accuracy)?;
    let steady = steady_state(assembly, p, &cycle, numerics, care.closure)?;
    Ok(Harmonic::of_cycle(
        amplitude,
        frequency,
        &steady.force,
        steady.cycles,
    ))
}
