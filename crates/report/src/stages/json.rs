//! `stages.json`: the result for programs, in SI.

mod fast;

pub(crate) use fast::{FastDocument, MetricsDocument, RefinedDocument};

use crate::identified::json::warnings;
use crate::json::{document, each};
use masing_diagnostic::Entry;
use masing_model::MotionKind;
use masing_stages::{Course, Device, QuasiStatic, Side, Stage, Stages};

document! {
    /// `masing.stages/1`.
    pub StagesDocument(stages: &Stages) {
        schema: &'static str = "masing.stages/1",
        motion: &'static str = match stages.identified.model.motion() {
            MotionKind::Rotation => "rotation",
            MotionKind::Translation => "translation",
        },
        quasi_static: SlowDocument = SlowDocument::of(&stages.slow, stages.course.as_ref()),
        #[serde(flatten)]
        fast: Option<FastDocument> = {
            let fast = stages.fast.as_ref();
            fast.map(|fast| FastDocument::of(fast, &stages.slow.device))
        },
        #[schemars(with = "Vec<crate::json::EntrySchema>")]
        warnings: Vec<Entry> = warnings(&stages.identified),
    }
}

document! {
    /// The device under slow loading.
    pub(crate) SlowDocument(found: &QuasiStatic, course: Option<&Course>) {
        nodes: Vec<NodeDocument> = {
            let errors = found.std_error.iter().enumerate();
            errors.map(|(i, e)| NodeDocument::of(&found.device, i, *e, None)).collect()
        },
        stages: Vec<StageDocument> = each(&found.stiffness, |(stage, k, error)| {
            StageDocument::of(&found.device, *stage, *k, *error)
        }),
        clearance: Option<f64> = {
            let [minus, plus] = [found.device.minus, found.device.plus];
            let width = || found.device.angles[plus] - found.device.angles[minus];
            found.device.has_clearance().then(width)
        },
        drive_stages: usize = found.device.len() - 1 - found.device.plus,
        coast_stages: usize = found.device.minus,
        largest_torque: f64 = found.device.largest_torque(),
        mean_deviation: f64 = found.mean_deviation,
        max_deviation: f64 = found.max_deviation,
        /// Of the largest torque per second; null without time.
        rate_mean_deviation: Option<f64> = course.map(|c| c.rate_deviation[0]),
        rate_max_deviation: Option<f64> = course.map(|c| c.rate_deviation[1]),
        noise: f64 = found.noise,
        /// What was taken off the torque, so that it is zero within the clearance.
        torque_zero: f64 = found.zero,
        samples: usize = found.samples,
    }
}

document! {
    /// One node; `hysteresis` is the full width 2h.
    pub(crate) NodeDocument(
        device: &Device,
        node: usize,
        errors: [Option<f64>; 3],
        known: Option<&'static str>,
    ) {
        name: String = device.name(node),
        angle: f64 = device.angles[node],
        torque: f64 = device.torques[node],
        friction: f64 = device.friction[node],
        hysteresis: f64 = 2.0 * device.friction[node],
        std_error: NodeErrors = NodeErrors::of(errors),
        #[serde(skip_serializing_if = "Option::is_none")]
        status: Option<&'static str> = known,
    }
}

document! {
    #[derive(Clone, Copy, Default)]
    pub(crate) NodeErrors(errors: [Option<f64>; 3]) {
        angle: Option<f64> = errors[0],
        torque: Option<f64> = errors[1],
        friction: Option<f64> = errors[2],
    }
}

document! {
    /// One stage, named after its outer node.
    pub(crate) StageDocument(device: &Device, stage: Stage, stiffness: f64, std_error: f64) {
        name: String = device.name(stage.outer),
        side: &'static str = match stage.side {
            Side::Coast => "coast",
            Side::Drive => "drive",
        },
        stiffness: f64 = stiffness,
        std_error: f64 = std_error,
    }
}
