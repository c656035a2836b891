//! `stages.json`: the result for programs, in SI.

mod fast;

pub(crate) use fast::{FastDocument, MetricsDocument, RefinedDocument};

use crate::identified::json::warnings;
use masing_diagnostic::Entry;
use masing_model::MotionKind;
use masing_stages::{Course, QuasiStatic, Side, Stages};
use schemars::JsonSchema;
use serde::Serialize;

/// `masing.stages/1`.
#[derive(JsonSchema, Serialize)]
pub struct StagesDocument {
    pub(crate) schema: &'static str,
    pub(crate) motion: &'static str,
    pub(crate) quasi_static: SlowDocument,
    #[serde(flatten)]
    pub(crate) fast: Option<FastDocument>,
    #[schemars(with = "Vec<crate::json::EntrySchema>")]
    pub(crate) warnings: Vec<Entry>,
}

/// The device under slow loading.
#[derive(JsonSchema, Serialize)]
pub(crate) struct SlowDocument {
    pub(crate) nodes: Vec<NodeDocument>,
    pub(crate) stages: Vec<StageDocument>,
    pub(crate) clearance: Option<f64>,
    pub(crate) drive_stages: usize,
    pub(crate) coast_stages: usize,
    pub(crate) largest_torque: f64,
    pub(crate) mean_deviation: f64,
    pub(crate) max_deviation: f64,
    /// Relative to the largest torque per second; null without time.
    pub(crate) rate_mean_deviation: Option<f64>,
    pub(crate) rate_max_deviation: Option<f64>,
    pub(crate) noise: f64,
    /// The offset that was subtracted from the torque, so that it is zero within the clearance.
    pub(crate) torque_zero: f64,
    pub(crate) samples: usize,
}

/// One node; `hysteresis` is the full width 2h.
#[derive(JsonSchema, Serialize)]
pub(crate) struct NodeDocument {
    pub(crate) name: String,
    pub(crate) angle: f64,
    pub(crate) torque: f64,
    pub(crate) friction: f64,
    pub(crate) hysteresis: f64,
    pub(crate) std_error: NodeErrors,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<&'static str>,
}

#[derive(Clone, Copy, Default, JsonSchema, Serialize)]
pub(crate) struct NodeErrors {
    pub(crate) angle: Option<f64>,
    pub(crate) torque: Option<f64>,
    pub(crate) friction: Option<f64>,
}

/// One stage, named after its outer node.
#[derive(JsonSchema, Serialize)]
pub(crate) struct StageDocument {
    pub(crate) name: String,
    pub(crate) side: &'static str,
    pub(crate) stiffness: f64,
    pub(crate) std_error: f64,
}

impl StagesDocument {
    /// Of a result.
    pub fn of(stages: &Stages) -> Self {
        let slow = &stages.slow.device;
        Self {
            schema: "masing.stages/1",
            motion: match stages.identified.model.motion() {
                MotionKind::Rotation => "rotation",
                MotionKind::Translation => "translation",
            },
            quasi_static: SlowDocument::of(&stages.slow, stages.course.as_ref()),
            fast: stages
                .fast
                .as_ref()
                .map(|fast| FastDocument::of(fast, slow)),
            warnings: warnings(&stages.identified),
        }
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
