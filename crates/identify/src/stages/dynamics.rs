//! What changes under fast loading: energy balance, formulations and their ranking, refinement.

use super::cumulative::{Cumulative, Extra, Viscous, cumulative};
use super::device::Device;
use super::energy::Energy;
use super::error::StagesError;
use super::formulation::{Formulation, formulations};
use super::linearisation::{Linearised, linearise};
use super::metrics::{Metrics, Yardstick};
use super::motion::Motion;
use super::refine::{Freedom, Refined, refine};
use super::regimes::Regimes;
use super::remarks::{remarks, samples_per_swing};
use super::simulate::{Bench, Predicted};
use crate::objective::Watch;
use crate::warning::Warning;
use masing_sim::Numerics;

/// What to do with a fast record.
#[derive(Clone, Copy, Debug, Default)]
pub struct FastOptions {
    /// Sharpness of the friction; from the peak speed if left out.
    pub eta: Option<f64>,
    /// Unit of time for the window of the linearisation (s); from the first swing if left out.
    pub time_scale: Option<f64>,
    /// Whether friction within the clearance is sought.
    pub clearance_friction: bool,
}

/// A formulation with its simulation.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The formulation.
    pub formulation: Formulation,
    /// Its motion.
    pub predicted: Predicted,
    /// How it meets the measurement.
    pub metrics: Metrics,
}

/// Everything a fast record says about a device.
#[derive(Clone, Debug)]
pub struct Dynamics {
    /// Sharpness of the friction.
    pub eta: f64,
    /// Transmitted torque against that of the slow test.
    pub linearised: Linearised,
    /// The energy balance.
    pub energy: Energy,
    /// Friction by the energy over time: first what the formulations have, then with what else may dissipate.
    pub cumulative: Vec<Cumulative>,
    /// All seven formulations.
    pub judged: Vec<Judged>,
    /// Names, best first; empty if the record cannot tell.
    pub ranking: Vec<&'static str>,
    /// The refined device with its simulation.
    pub refined: Refined,
    /// Motion of the refined device.
    pub refined_motion: Predicted,
    /// Its metrics.
    pub refined_metrics: Metrics,
    /// Regimes of the measurement by the envelope, and by last crossings.
    pub regimes: [Regimes; 2],
    /// Sub-steps of the simulations.
    pub numerics: Numerics,
    /// Remarks.
    pub warnings: Vec<Warning>,
}

/// Fewest samples in a swing of the stiffest stage.
const LEAST_PER_SWING: f64 = 5.0;
/// Friction turns within this share of the peak speed, about.
const TURNS_WITHIN: f64 = 2.5e-3;

/// Analyses a fast record of a device whose slow test is known.
pub fn analyse(
    motion: &Motion,
    slow: &Device,
    options: &FastOptions,
) -> Result<Dynamics, StagesError> {
    analyse_watched(motion, slow, options, None)
}

/// The same; `watch` is told of every better point of the refinement and may ask to stop with the best so far.
pub fn analyse_watched(
    motion: &Motion,
    slow: &Device,
    options: &FastOptions,
    watch: Option<&Watch<'_>>,
) -> Result<Dynamics, StagesError> {
    let per_swing = samples_per_swing(motion, slow);
    if per_swing < LEAST_PER_SWING {
        return Err(StagesError::TooCoarse {
            found: per_swing,
            expected: LEAST_PER_SWING,
        });
    }
    let eta = options
        .eta
        .unwrap_or_else(|| one_digit(1.0 / (TURNS_WITHIN * motion.peak_speed())));
    let window = match options.time_scale {
        Some(scale) => 0.05 * scale,
        None => 0.03 * first_swing(motion),
    };
    let linearised = linearise(motion, slow, eta, window);
    let energy = Energy::of(motion, slow, eta);
    if energy.dissipated <= 0.0 {
        return Err(StagesError::GivesEnergy {
            energy: energy.dissipated,
        });
    }
    let cumulative: Vec<Cumulative> = extras(slow, options)
        .into_iter()
        .map(|extra| cumulative(motion, slow, eta, &energy, extra))
        .collect();
    let bench = Bench::of(motion, slow, eta)?;
    let all = formulations(slow, &energy);
    let mut predicted = Vec::new();
    for formulation in &all {
        let device = slow.with_friction(formulation.friction.clone());
        predicted.push(bench.run(motion, &device, &formulation.viscous)?);
    }
    let yardstick = Yardstick::new(motion, slow, &predicted[0]);
    let judged: Vec<Judged> = all
        .into_iter()
        .zip(predicted)
        .map(|(formulation, predicted)| Judged {
            metrics: yardstick.measure(&predicted),
            formulation,
            predicted,
        })
        .collect();
    let freedom = Freedom {
        clearance_friction: options.clearance_friction,
        more_than_friction: true,
    };
    let start = &cumulative[0].friction;
    let refined = refine(motion, slow, &energy, &bench, start, freedom, watch)?;
    let viscous = vec![refined.viscous[0]; slow.len()];
    let refined_motion = bench.run(motion, &refined.device, &viscous)?;
    let mut found = Dynamics {
        eta,
        linearised,
        refined_metrics: yardstick.measure(&refined_motion),
        regimes: [yardstick.regimes, yardstick.last_crossings],
        energy,
        cumulative,
        judged,
        ranking: Vec::new(),
        refined,
        refined_motion,
        numerics: bench.numerics,
        warnings: Vec::new(),
    };
    if found.can_tell() {
        found.ranking = found
            .by_error()
            .iter()
            .map(|j| j.formulation.name)
            .collect();
    }
    found.warnings = remarks(&found, motion, slow);
    Ok(found)
}

/// What may dissipate besides friction at the outer nodes, one thing after the other.
fn extras(slow: &Device, options: &FastOptions) -> Vec<Extra> {
    let known = options.clearance_friction || slow.friction[slow.plus] > 0.0;
    let with = |clearance, viscous| Extra { clearance, viscous };
    let mut out = vec![with(known, Viscous::None)];
    if slow.has_clearance() && !known {
        out.push(with(true, Viscous::None));
    }
    out.extend([with(known, Viscous::One), with(known, Viscous::Nodes)]);
    out
}

impl Dynamics {
    /// Formulations by the error of the angle.
    pub(super) fn by_error(&self) -> Vec<&Judged> {
        let mut order: Vec<&Judged> = self.judged.iter().collect();
        order.sort_by(|a, b| a.metrics.rms_angle.total_cmp(&b.metrics.rms_angle));
        order
    }

    /// Whether the motion entered more than one stage: within one, formulations cannot be told apart.
    pub(super) fn can_tell(&self) -> bool {
        self.energy
            .stages
            .iter()
            .filter(|s| s.coverage > 0.0)
            .count()
            > 1
    }

    /// A formulation by name.
    pub fn formulation(&self, name: &str) -> Option<&Judged> {
        self.judged.iter().find(|j| j.formulation.name == name)
    }
}

/// The time of the first full swing, or a fifth of the record.
fn first_swing(motion: &Motion) -> f64 {
    let [low, high] = super::paths::ends(&motion.angle);
    let turns = super::paths::turns(&motion.angle, 0.02 * (high - low));
    match turns.get(1).zip(turns.get(3)) {
        Some((a, b)) => motion.time[*b] - motion.time[*a],
        None => 0.2 * (motion.time[motion.len() - 1] - motion.time[0]),
    }
}

/// Rounded to one digit.
fn one_digit(value: f64) -> f64 {
    if !(value > 0.0 && value.is_finite()) {
        return 1.0;
    }
    let power = 10_f64.powf(value.log10().floor());
    (value / power).round() * power
}
