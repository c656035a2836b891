//! The device from slow and fast records as a model with its tests: the result type of all methods.

use super::course::Course;
use super::dynamics::{Dynamics, FastOptions, analyse_release};
use super::error::StagesError;
use super::motion::{FastRecord, Measured, Motion};
use super::quasi_static::{QuasiStatic, SlowOptions, characterise};
use super::refine::NodeStatus;
use masing_identify::objective::Watch;
use masing_identify::result::{
    Comparison, Curves, MassCurves, MethodName, Noise, NoiseSource, OverallError, Pair,
    RecordCurves, Role,
};
use masing_identify::{Estimate, Identified, Names, Preload, Status, student};
use masing_model::{Model, MotionKind, StepLimits};

/// A slow record of angle and torque, or of displacement and force.
#[derive(Clone, Debug)]
pub struct SlowRecord {
    /// Name of the test.
    pub name: String,
    /// Rotation or translation.
    pub motion: MotionKind,
    /// Time (s), where the file has it.
    pub time: Option<Vec<f64>>,
    /// Angle.
    pub angle: Vec<f64>,
    /// Torque; NaN where it is missing.
    pub torque: Vec<f64>,
}

/// A device with its stages, with what only this method knows.
#[derive(Clone, Debug)]
pub struct Stages {
    /// The model, its parameters and its tests.
    pub identified: Identified,
    /// The device under slow loading.
    pub slow: QuasiStatic,
    /// The slow record over time, where it has one.
    pub course: Option<Course>,
    /// What the fast record says.
    pub fast: Option<Fast>,
}

/// What a fast record says about a device.
#[derive(Clone, Debug)]
pub struct Fast {
    /// The record with all channels that the result refers to.
    pub motion: Motion,
    /// Energy, formulations, the refined device.
    pub dynamics: Dynamics,
    /// Unit of time for R4 to R6 (s).
    pub time_unit: f64,
}

impl Stages {
    /// The stages that a slow record shows.
    pub fn of(slow: &SlowRecord, options: &SlowOptions) -> Result<Self, StagesError> {
        let found = characterise(&slow.angle, &slow.torque, options)?;
        let device = &found.device;
        let model = device.model(slow.motion, &vec![0.0; device.len()], eta_of(slow), None)?;
        let estimates = estimates(&model, &found, None);
        let comparisons = vec![slow_comparison(slow, &found)];
        let identified = Identified {
            diagnostics: found.diagnostics.clone(),
            ..Identified::new(MethodName::Stages, model, estimates, comparisons)
        };
        let time = slow.time.as_deref();
        Ok(Self {
            course: time.and_then(|t| Course::of(t, &slow.angle, &slow.torque, &found)),
            slow: found,
            identified,
            fast: None,
        })
    }

    /// Adds what a fast record of that inertia on the device says. `watch` may ask to stop with the best so far.
    pub fn with_fast(
        mut self,
        name: &str,
        record: &FastRecord,
        inertia: f64,
        options: &FastOptions,
        watch: Option<&Watch<'_>>,
    ) -> Result<Self, StagesError> {
        let device = &self.slow.device;
        let motion = Motion::of(record, device, inertia)?;
        let (motion, dynamics) = analyse_release(motion, device, options, watch)?;
        let found = &mut self.identified;
        found.model = refined_model(found.model.motion(), &motion, &dynamics)?;
        found.estimates = estimates(&found.model, &self.slow, Some(&dynamics));
        let test = fast_comparison(name, &motion, &dynamics, &found.names());
        found.comparisons.push(test);
        found.error = OverallError::of(&found.comparisons, Some(dynamics.refined.chi2_dof));
        found
            .diagnostics
            .extend(dynamics.diagnostics.iter().cloned());
        found.search.stop = dynamics.refined.stop;
        found.search.evaluations = dynamics.refined.evaluations;
        self.fast = Some(Fast {
            motion,
            dynamics,
            time_unit: options.time_scale.unwrap_or(1.0),
        });
        Ok(self)
    }
}

/// Friction is fully developed at the speed of the slow test: tanh 5 is 0.9999.
const SHARP: f64 = 5.0;
/// Duration of a slow test (s) whose file has no time.
const USUAL_DURATION: f64 = 100.0;

/// Sharpness of the friction of a slow test, from its speed.
fn eta_of(slow: &SlowRecord) -> f64 {
    let travelled: f64 = slow.angle.windows(2).map(|w| (w[1] - w[0]).abs()).sum();
    let time = slow.time.as_deref();
    let lasted = time.and_then(|t| Some(t.last()? - t.first()?));
    let speed = travelled / lasted.filter(|t| *t > 0.0).unwrap_or(USUAL_DURATION);
    let eta = SHARP / speed;
    if eta.is_finite() { eta } else { SHARP }
}

/// The refined device on its inertia.
fn refined_model(
    kind: MotionKind,
    motion: &Motion,
    dynamics: &Dynamics,
) -> Result<Model, StagesError> {
    let refined = &dynamics.refined;
    let device = &refined.device;
    let viscous = vec![refined.viscous[0]; device.len()];
    let plain = device.model(kind, &viscous, dynamics.eta, Some(motion.inertia))?;
    // It begins where the record did, so that its load gives its motion.
    let mut values = plain.values().to_vec();
    let start = values.len() - 2;
    values[start] = dynamics.refined_motion.angle[0];
    let mut model = plain.with(values)?;
    model.numerics = Some(StepLimits {
        increment: f64::INFINITY,
        max_dt: dynamics.numerics.max_dt,
    });
    Ok(model)
}

/// The parameters of the `staged` element: angles, torques, friction and damping of the nodes, the rest given.
fn estimates(model: &Model, slow: &QuasiStatic, fast: Option<&Dynamics>) -> Vec<Estimate> {
    let nodes = slow.device.len();
    let known = |list: usize, node: usize| -> (Option<f64>, Status) {
        let Some(refined) = fast.map(|f| &f.refined) else {
            return graded(slow.std_error[node].get(list).copied().flatten());
        };
        match list {
            0 if node == slow.device.minus => graded(refined.edge_error[0]),
            0 if node == slow.device.plus => graded(refined.edge_error[1]),
            2 => match refined.status[node] {
                NodeStatus::Ok => graded(refined.friction_error[node]),
                NodeStatus::AtBound => (refined.friction_error[node], Status::AtBound),
                NodeStatus::PoorlyDetermined => {
                    (refined.friction_error[node], Status::PoorlyDetermined)
                }
                // Extrapolated from the slow test.
                NodeStatus::NotReached | NodeStatus::Fixed => (None, Status::Fixed),
            },
            3 => graded(Some(refined.viscous[1])),
            _ => graded(slow.std_error[node].get(list).copied().flatten()),
        }
    };
    let reach = student(slow.samples.saturating_sub(3 * nodes));
    let params = model.params().into_iter().zip(model.values()).enumerate();
    let each = params.map(|(i, ((address, param), &value))| {
        let known = match i / nodes {
            list @ 0..4 => known(list, i % nodes),
            _ => (None, Status::Fixed),
        };
        Estimate::new(address, param.unit, value, known, reach)
    });
    each.collect()
}

/// The value of a node may be zero, so its relative error says nothing about its status.
fn graded(error: Option<f64>) -> (Option<f64>, Status) {
    match error {
        None => (None, Status::Fixed),
        Some(error) if error.is_finite() => (Some(error), Status::Ok),
        Some(_) => (None, Status::Unidentifiable),
    }
}

/// Both paths compared with the device.
fn slow_comparison(slow: &SlowRecord, found: &QuasiStatic) -> Comparison {
    let names = Names::of(slow.motion);
    let points = found.paths.points();
    let model: Vec<f64> = points
        .iter()
        .map(|p| found.predicted(p.angle, p.sense))
        .collect();
    let pair = Pair {
        measured: points.iter().map(|p| p.torque).collect(),
        model,
    };
    let curves = RecordCurves {
        // The paths are not in the order of time.
        time: (0..points.len()).map(|i| i as f64).collect(),
        x: points.iter().map(|p| p.angle).collect(),
        preload: Preload::default(),
        outside: slow.angle.len().saturating_sub(points.len()),
        force: pair,
    };
    Comparison {
        unit: Some(names.load.si()),
        lag1: found.lag1,
        noise: Noise {
            value: found.noise,
            source: NoiseSource::Residual,
        },
        ..compared(
            &slow.name,
            names.force,
            &curves.force,
            Curves::Record(curves.clone()),
        )
    }
}

/// The best measured channel compared with the refined device.
fn fast_comparison(name: &str, motion: &Motion, found: &Dynamics, names: &Names) -> Comparison {
    let n = motion.len();
    let (what, quantity) = match motion.measured {
        Measured::Angle => (names.displacement, names.length),
        Measured::Velocity => ("velocity", names.velocity),
        Measured::Acceleration => ("acceleration", names.acceleration),
    };
    let pair = Pair {
        measured: motion.channel().to_vec(),
        model: found.refined_motion.channel(motion.measured)[..n].to_vec(),
    };
    let curves = Curves::Masses(MassCurves {
        time: motion.time.clone(),
        channels: vec![(what.to_owned(), quantity, pair.clone())],
    });
    Comparison {
        unit: Some(quantity.si()),
        lag1: found.refined.lag1,
        noise: Noise {
            value: motion.noise,
            source: NoiseSource::Record,
        },
        ..compared(name, what, &pair, curves)
    }
}

/// The errors of a fitted test from its curves.
fn compared(name: &str, what: &str, pair: &Pair, curves: Curves) -> Comparison {
    let square = |values: &[f64]| values.iter().map(|v| v * v).sum::<f64>();
    let residual = square(&pair.residual());
    let samples = pair.measured.len();
    Comparison {
        name: name.to_owned(),
        role: Role::Fitted,
        samples,
        error: (residual / square(&pair.measured)).sqrt(),
        scale: format!("rms {what}"),
        alternating: None,
        rms: (residual / samples.max(1) as f64).sqrt(),
        unit: None,
        lag1: 0.0,
        noise: Noise {
            value: 0.0,
            source: NoiseSource::Residual,
        },
        initial_state: None,
        curves,
    }
}
