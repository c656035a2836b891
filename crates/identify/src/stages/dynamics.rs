//! What changes under fast loading: energy balance, formulations and their ranking, refinement.

use super::cumulative::{Cumulative, Extra, cumulative};
use super::device::Device;
use super::energy::{Energy, MOST_GAIN};
use super::error::StagesError;
use super::formulation::{Formulation, formulations};
use super::linearisation::{Linearised, linearise};
use super::metrics::{Metrics, Yardstick};
use super::motion::Motion;
use super::refine::{Freedom, NodeStatus, Refined, refine};
use super::regimes::Regimes;
use super::simulate::{Bench, Predicted};
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
    /// Friction by the energy over time.
    pub cumulative: Cumulative,
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

/// Friction turns within this share of the peak speed, about.
const TURNS_WITHIN: f64 = 2.5e-3;
/// A refinement beyond this misses something.
const CHI2_GATE: f64 = 1.1;
/// Formulations whose errors differ by less cannot be told apart.
const APART: f64 = 1.2;

/// Analyses a fast record of a device whose slow test is known.
pub fn analyse(
    motion: &Motion,
    slow: &Device,
    options: &FastOptions,
) -> Result<Dynamics, StagesError> {
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
    let extra = Extra {
        clearance: options.clearance_friction || slow.friction[slow.plus] > 0.0,
        viscous: false,
    };
    let cumulative = cumulative(motion, slow, eta, &energy, extra);
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
    let refined = refine(motion, slow, &energy, &bench, &cumulative.friction, freedom)?;
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
    found.rank_and_warn(motion, slow);
    Ok(found)
}

impl Dynamics {
    fn rank_and_warn(&mut self, motion: &Motion, slow: &Device) {
        let mut out = Vec::new();
        let mut add = |code, message| out.push(Warning { code, message });
        let mut order: Vec<&Judged> = self.judged.iter().collect();
        order.sort_by(|a, b| a.metrics.rms_angle.total_cmp(&b.metrics.rms_angle));
        let entered = self
            .energy
            .stages
            .iter()
            .filter(|s| s.coverage > 0.0)
            .count();
        if entered < 2 {
            add(
                "one-stage",
                "the motion never leaves one stage, so that the formulations cannot be told apart: the ranking cannot tell; \
                 a larger step of the torque is needed"
                    .to_owned(),
            );
        } else {
            let ratio = order[1].metrics.rms_angle / order[0].metrics.rms_angle;
            if ratio < APART {
                add(
                    "close-ranking",
                    format!(
                        "{} and {} meet the record about equally well; the ranking cannot tell which of the two it is",
                        order[0].formulation.name, order[1].formulation.name
                    ),
                );
            }
        }
        let ranking = order.iter().map(|j| j.formulation.name);
        let ranking = if entered < 2 {
            Vec::new()
        } else {
            ranking.collect()
        };
        if let Some(text) = too_coarse(motion, slow) {
            add("coarse-sampling", text);
        }
        let weak: Vec<String> = self
            .energy
            .stages
            .iter()
            .filter(|s| s.coverage > 0.0 && !s.accepted[0])
            .map(|s| slow.name(s.stage.outer))
            .collect();
        if !weak.is_empty() {
            add(
                "gain",
                format!(
                    "the energy balance does not give friction at {}: errors would grow more than {MOST_GAIN} times, because the \
                     motion covers too little of the stage; D3 goes on there as the slow friction does",
                    weak.join(", ")
                ),
            );
        }
        if self.energy.dissipated < 0.9 * self.energy.slow {
            add(
                "less-friction",
                format!(
                    "the fast record dissipates {:.0} % of what the slow friction would; D2 adds nothing",
                    100.0 * self.energy.dissipated / self.energy.slow
                ),
            );
        }
        let named = |status: NodeStatus| {
            let nodes = (0..slow.len()).filter(|i| self.refined.status[*i] == status);
            nodes.map(|i| slow.name(i)).collect::<Vec<_>>().join(", ")
        };
        let missed = named(NodeStatus::NotReached);
        if !missed.is_empty() {
            add(
                "not-reached",
                format!(
                    "the dynamic test did not reach the stages of {missed}; their friction goes on as the slow one does"
                ),
            );
        }
        let poor = named(NodeStatus::PoorlyDetermined);
        if !poor.is_empty() {
            add(
                "poorly-determined",
                format!(
                    "friction at {poor} is poorly determined: the dynamic test hardly enters the stage"
                ),
            );
        }
        if self.refined.chi2_dof > CHI2_GATE {
            add(
                "beyond-noise",
                format!(
                    "the refined device leaves differences of {:.2} times the noise; something is missing in it (inertia, torque, \
                     friction that does not follow the stages)",
                    self.refined.chi2_dof.sqrt()
                ),
            );
        }
        if !self.refined.stop.converged() {
            add(
                "not-converged",
                "the refinement stopped before it settled; the values are the best so far"
                    .to_owned(),
            );
        }
        self.ranking = ranking;
        self.warnings = out;
    }

    /// A formulation by name.
    pub fn formulation(&self, name: &str) -> Option<&Judged> {
        self.judged.iter().find(|j| j.formulation.name == name)
    }
}

/// Whether swings and the passage through the soft zone are sampled too coarsely.
fn too_coarse(motion: &Motion, device: &Device) -> Option<String> {
    const PER_SWING: f64 = 20.0;
    const PER_PASSAGE: f64 = 2.0;
    let dt = motion.step();
    let [low, high] = super::paths::ends(&motion.angle);
    let entered = device.stages().into_iter().filter(|s| {
        let (a, b) = (
            device.angles[s.inner.min(s.outer)],
            device.angles[s.inner.max(s.outer)],
        );
        a < high && b > low
    });
    let stiffest = entered.map(|s| device.stiffness(s)).fold(0.0, f64::max);
    let per_swing = std::f64::consts::TAU * (motion.inertia / stiffest).sqrt() / dt;
    let [coast, drive] = device.impacts();
    let soft =
        device.angles[drive.unwrap_or(device.plus)] - device.angles[coast.unwrap_or(device.minus)];
    let per_passage = soft / (motion.peak_speed() * dt);
    let crossed =
        soft > 0.0 && low < device.angles[device.minus] && high > device.angles[device.plus];
    if per_swing < PER_SWING {
        Some(format!(
            "the sampling is too coarse for the impacts: {per_swing:.0} samples per swing of the stiffest stage entered; 20 or more are needed"
        ))
    } else if crossed && per_passage < PER_PASSAGE {
        Some(format!(
            "the sampling is too coarse for the impacts: the motion passes the soft zone within {per_passage:.1} samples; 2 or more are needed"
        ))
    } else {
        None
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
