//! What changes under fast loading: energy balance, formulations and their ranking, refinement.

use super::cumulative::{Cumulative, Extra, Viscous, cumulative};
use super::device::Device;
use super::diagnostics::{chi2_gate, diagnostics, samples_per_swing};
use super::energy::Energy;
use super::error::StagesError;
use super::formulation::{Formulation, formulations};
use super::linearisation::{Linearised, linearise};
use super::metrics::{Metrics, Yardstick};
use super::motion::{Measured, Motion};
use super::refine::{Freedom, Refined, refine};
use super::regimes::Regimes;
use super::simulate::{Bench, Predicted};
use masing_diagnostic::Diagnostic;
use masing_identify::objective::Watch;
use masing_identify::search::optimise::Stop;
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
    /// How well it agrees with the measurement.
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
    /// Friction from the energy over time: first with what the formulations contain, then with other sources
    /// of dissipation.
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
    /// Whether friction within the clearance was estimated because the fit was insufficient without it.
    pub clearance_rubs: bool,
    /// Sub-steps of the simulations.
    pub numerics: Numerics,
    /// Diagnostics.
    pub diagnostics: Vec<Diagnostic>,
}

/// Fewest samples in a swing of the stiffest stage.
const LEAST_PER_SWING: f64 = 5.0;
/// Largest speed of the first samples relative to the peak speed; allows for a release that begins at once.
const MOST_FIRST_SPEED: f64 = 0.25;
/// Smallest kinetic energy, relative to the product of the ranges of torque and angle.
const LEAST_KINETIC: f64 = 1e-5;
/// Share of the peak speed within which friction reverses, approximately.
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
    let share = motion.kinetic_share();
    if share < LEAST_KINETIC {
        return Err(StagesError::TooSlow { share });
    }
    let share = motion.first_speed();
    if share > MOST_FIRST_SPEED {
        return Err(StagesError::NotAtRest { share });
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
    let start = &cumulative[0].friction;
    let with = |clearance_friction: bool| {
        let freedom = Freedom {
            clearance_friction,
            more_than_friction: true,
        };
        refine(motion, slow, &energy, &bench, start, freedom, watch)
    };
    let mut refined = with(options.clearance_friction)?;
    let mut clearance_rubs = false;
    if !options.clearance_friction
        && slow.has_clearance()
        && slow.friction[slow.plus] <= 0.0
        && refined.chi2_dof > chi2_gate(motion.len())
        && refined.stop != Stop::Interrupted
    {
        // Something is missing: friction within the clearance is the likeliest.
        let other = with(true)?;
        if other.chi2_dof < 0.9 * refined.chi2_dof {
            (refined, clearance_rubs) = (other, true);
        }
    }
    let viscous = vec![refined.viscous[0]; slow.len()];
    let begun = motion.begun(&refined.device, refined.carried[0])?;
    let refined_motion = bench.run(&begun, &refined.device, &viscous)?;
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
        clearance_rubs,
        diagnostics: Vec::new(),
    };
    if found.can_tell() {
        found.ranking = found
            .by_error(motion)
            .iter()
            .map(|j| j.formulation.name)
            .collect();
    }
    found.diagnostics = diagnostics(&found, motion, slow);
    Ok(found)
}

/// The same for a record whose start may be held from equilibrium by friction: where the refinement finds that,
/// everything is repeated from that start. Returns the motion that the result belongs to.
pub fn analyse_release(
    motion: Motion,
    slow: &Device,
    options: &FastOptions,
    watch: Option<&Watch<'_>>,
) -> Result<(Motion, Dynamics), StagesError> {
    let found = analyse_watched(&motion, slow, options, watch)?;
    let [carried, error] = found.refined.carried;
    let counts =
        carried.abs() > (STANDARD_ERRORS * error).max(COUNTS * slow.friction_at(motion.angle[0]));
    if !counts || motion.measured == Measured::Angle || !found.refined.stop.converged() {
        return Ok((motion, found));
    }
    let Ok(begun) = motion.begun(slow, carried) else {
        return Ok((motion, found));
    };
    let found = analyse_watched(&begun, slow, options, watch)?;
    Ok((begun, found))
}

/// Torque carried by friction at the start counts above this many standard errors, and above this share of
/// the slow friction there.
const STANDARD_ERRORS: f64 = 4.0;
const COUNTS: f64 = 0.1;

/// What may dissipate besides friction at the outer nodes, tried one after the other.
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
    /// Formulations ranked by the error of the angle, or of the measured channel where the angle drifted.
    pub(super) fn by_error(&self, motion: &Motion) -> Vec<&Judged> {
        let error = |judged: &Judged| match motion.mended.wander {
            None => judged.metrics.rms_angle,
            Some(_) => {
                let pairs = motion
                    .channel()
                    .iter()
                    .zip(judged.predicted.channel(motion.measured));
                pairs.map(|(a, b)| (a - b).powi(2)).sum()
            }
        };
        let mut order: Vec<&Judged> = self.judged.iter().collect();
        order.sort_by(|a, b| error(a).total_cmp(&error(b)));
        order
    }

    /// Whether the motion entered more than one stage: within one, the formulations cannot be distinguished.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_turning_friction_is_a_round_number() {
        assert_eq!(one_digit(387.0), 400.0);
        assert!((one_digit(0.0123) - 0.01).abs() < 1e-12);
        assert_eq!(one_digit(0.0), 1.0);
        assert_eq!(one_digit(f64::NAN), 1.0);
        // tanh(eta v) has turned to 96 % at two parts in 1/eta: half a per cent of the peak speed.
        let turned = (2.0 * TURNS_WITHIN / TURNS_WITHIN).tanh();
        assert!(turned > 0.95 && 2.0 * TURNS_WITHIN <= 0.005);
    }

    #[test]
    fn a_swing_of_fewest_samples_still_shows_its_peak() {
        // Between two of five samples in a swing the peak is missed by at most 1 - cos(pi/5), a fifth.
        let missed = 1.0 - (std::f64::consts::PI / LEAST_PER_SWING).cos();
        assert!(missed < 0.2, "{missed}");
        // With four it would be three tenths.
        assert!(1.0 - (std::f64::consts::PI / (LEAST_PER_SWING - 1.0)).cos() > 0.29);
    }
}
