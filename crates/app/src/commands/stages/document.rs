//! `stages.json`: the result for programs, in SI.

mod fast;

pub use fast::{FastDocument, MetricsDocument, RefinedDocument};

use super::reading::Slow;
use super::words::Words;
use crate::error::AppError;
use masing_diagnostic::{Diagnostic, Entry, entries};
use masing_model::{Model, MotionKind, StepLimits};
use masing_stages::{Course, Device, Dynamics, Motion, QuasiStatic, Side, StagesError};
use serde::Serialize;

/// Friction is all there at the speed of the slow test: tanh 5 is 0.9999.
const SHARP: f64 = 5.0;
/// Duration of a slow test (s) whose file has no time.
const USUAL_DURATION: f64 = 100.0;

/// Sharpness of the friction of a slow test, from its speed.
fn eta_of(slow: &Slow) -> f64 {
    let travelled: f64 = slow.angle.windows(2).map(|w| (w[1] - w[0]).abs()).sum();
    let time = slow.time.as_deref();
    let lasted = time.and_then(|t| Some(t.last()? - t.first()?));
    let speed = travelled / lasted.filter(|t| *t > 0.0).unwrap_or(USUAL_DURATION);
    let eta = SHARP / speed;
    if eta.is_finite() { eta } else { SHARP }
}

/// The whole result.
#[derive(Serialize)]
pub struct Document {
    pub schema: &'static str,
    pub motion: &'static str,
    pub quasi_static: SlowDocument,
    #[serde(flatten)]
    pub fast: Option<FastDocument>,
    pub warnings: Vec<Entry>,
}

/// The device under slow loading.
#[derive(Serialize)]
pub struct SlowDocument {
    pub nodes: Vec<NodeDocument>,
    pub stages: Vec<StageDocument>,
    pub clearance: Option<f64>,
    pub drive_stages: usize,
    pub coast_stages: usize,
    pub largest_torque: f64,
    pub mean_deviation: f64,
    pub max_deviation: f64,
    /// Of the largest torque per second; null without time.
    pub rate_mean_deviation: Option<f64>,
    pub rate_max_deviation: Option<f64>,
    pub noise: f64,
    /// What was taken off the torque, so that it is zero within the clearance.
    pub torque_zero: f64,
    pub samples: usize,
}

/// One node; `hysteresis` is the full width 2h.
#[derive(Serialize)]
pub struct NodeDocument {
    pub name: String,
    pub angle: f64,
    pub torque: f64,
    pub friction: f64,
    pub hysteresis: f64,
    pub std_error: NodeErrors,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<&'static str>,
}

#[derive(Clone, Copy, Default, Serialize)]
pub struct NodeErrors {
    pub angle: Option<f64>,
    pub torque: Option<f64>,
    pub friction: Option<f64>,
}

/// One stage, named after its outer node.
#[derive(Serialize)]
pub struct StageDocument {
    pub name: String,
    pub side: &'static str,
    pub stiffness: f64,
    pub std_error: f64,
}

impl Document {
    pub fn new(found: &QuasiStatic, course: Option<&Course>, slow: &Slow, words: &Words) -> Self {
        let mut warnings = entries(&slow.findings, words.units());
        warnings.extend(entries(&found.diagnostics, words.units()));
        Self {
            schema: "masing.stages/1",
            motion: match slow.motion {
                MotionKind::Rotation => "rotation",
                MotionKind::Translation => "translation",
            },
            quasi_static: SlowDocument::of(found, course),
            fast: None,
            warnings,
        }
    }

    /// Adds what the fast record said.
    pub fn add(
        &mut self,
        motion: &Motion,
        slow: &Device,
        found: &Dynamics,
        findings: &[Diagnostic],
        words: &Words,
        time_scale: Option<f64>,
    ) {
        self.fast = Some(FastDocument::of(motion, slow, found, time_scale));
        self.warnings.extend(entries(findings, words.units()));
        self.warnings
            .extend(entries(&found.diagnostics, words.units()));
    }

    /// The bytes of `stages.json`.
    pub fn to_json(&self) -> Result<Vec<u8>, AppError> {
        let mut bytes =
            serde_json::to_vec_pretty(self).map_err(|error| AppError::Stdout(error.into()))?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

impl SlowDocument {
    fn of(found: &QuasiStatic, course: Option<&Course>) -> Self {
        let device = &found.device;
        let nodes = (0..device.len()).map(|i| {
            let [angle, torque, friction] = found.std_error[i];
            NodeDocument {
                name: device.name(i),
                angle: device.angles[i],
                torque: device.torques[i],
                friction: device.friction[i],
                hysteresis: 2.0 * device.friction[i],
                std_error: NodeErrors {
                    angle,
                    torque,
                    friction,
                },
                status: None,
            }
        });
        let stages = found
            .stiffness
            .iter()
            .map(|(stage, k, error)| StageDocument {
                name: device.name(stage.outer),
                side: side(stage.side),
                stiffness: *k,
                std_error: *error,
            });
        Self {
            nodes: nodes.collect(),
            stages: stages.collect(),
            clearance: device
                .has_clearance()
                .then(|| device.angles[device.plus] - device.angles[device.minus]),
            drive_stages: device.len() - 1 - device.plus,
            coast_stages: device.minus,
            largest_torque: device.largest_torque(),
            mean_deviation: found.mean_deviation,
            max_deviation: found.max_deviation,
            rate_mean_deviation: course.map(|c| c.rate_deviation[0]),
            rate_max_deviation: course.map(|c| c.rate_deviation[1]),
            noise: found.noise,
            torque_zero: found.zero,
            samples: found.samples,
        }
    }
}

fn side(side: Side) -> &'static str {
    match side {
        Side::Coast => "coast",
        Side::Drive => "drive",
    }
}

/// The device as a model: refined and on its inertia where there was a fast record.
pub fn model(
    found: &QuasiStatic,
    slow: &Slow,
    dynamics: Option<(&Motion, &Dynamics)>,
) -> Result<Model, StagesError> {
    let kind = slow.motion;
    let Some((motion, dynamics)) = dynamics else {
        let device = &found.device;
        return Ok(device.model(kind, &vec![0.0; device.len()], eta_of(slow), None)?);
    };
    let refined = &dynamics.refined;
    let viscous = vec![refined.viscous[0]; refined.device.len()];
    let device = &refined.device;
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
