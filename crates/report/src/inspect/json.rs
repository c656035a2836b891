//! What `inspect --json` prints: SI, null where there is no time.

use super::Inspected;
use masing_data::timing::Spacing;
use masing_data::{Block, Cycle, HarmonicPoint, Kind, Preload, RingPoint, UnitFrom};
use masing_diagnostic::Code;
use schemars::JsonSchema;
use serde::Serialize;

/// `masing.inspect/1`.
#[derive(JsonSchema, Serialize)]
pub struct InspectDocument {
    schema: &'static str,
    files: Vec<FileDocument>,
    out: Option<String>,
}

impl InspectDocument {
    /// Of several tests, and of the page that was written.
    pub fn new(files: Vec<FileDocument>, out: Option<String>) -> Self {
        Self {
            schema: "masing.inspect/1",
            files,
            out,
        }
    }
}

/// One test; a file with several parts has several.
#[derive(JsonSchema, Serialize)]
pub struct FileDocument {
    file: String,
    part: Option<String>,
    pub(super) name: String,
    format: &'static str,
    kind: &'static str,
    samples: usize,
    rotation: bool,
    channels: Vec<Channel>,
    sampling: Option<Sampling>,
    duration: Option<f64>,
    offset: Option<f64>,
    frequency: Option<f64>,
    motion_noise: Option<f64>,
    force_noise: Option<ForceNoise>,
    skew: Option<Delay>,
    #[schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>")]
    cycles: Vec<Cycle>,
    #[schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>")]
    blocks: Vec<Block>,
    stabilised: Option<usize>,
    harmonic: Vec<Point>,
    #[schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>")]
    ring_down: Vec<RingPoint>,
    assumptions: Vec<String>,
    pub(super) warnings: Vec<Warning>,
}

#[derive(JsonSchema, Serialize)]
struct Channel {
    name: String,
    role: Option<String>,
    unit: Option<String>,
    unit_from: Option<&'static str>,
}

#[derive(JsonSchema, Serialize)]
struct Sampling {
    spacing: &'static str,
    step: f64,
    rate: f64,
}

#[derive(JsonSchema, Serialize)]
struct ForceNoise {
    value: f64,
    lag1: f64,
    cycles: usize,
}

#[derive(JsonSchema, Serialize)]
struct Delay {
    samples: f64,
    seconds: Option<f64>,
}

#[derive(JsonSchema, Serialize)]
struct Point {
    frequency: f64,
    amplitude: f64,
    dynamic_stiffness: f64,
    storage: f64,
    loss: f64,
    loss_angle: f64,
    preload_motion: Option<f64>,
    preload_force: Option<f64>,
}

/// A finding, with what to type about it.
#[derive(JsonSchema, Serialize)]
pub(super) struct Warning {
    #[schemars(with = "String")]
    code: Code,
    message: String,
    mend: Option<String>,
}

impl FileDocument {
    /// Of one test.
    pub fn of(test: &Inspected) -> Self {
        let (experiment, found) = (&test.experiment, &test.inspection);
        let record = test.record();
        let time = record.and_then(|r| r.time.as_deref());
        Self {
            file: test.file.display().to_string(),
            part: (!experiment.part.is_empty()).then(|| experiment.part.clone()),
            name: experiment.name.clone(),
            format: experiment.format,
            kind: match experiment.kind() {
                Kind::Harmonic => "harmonic",
                _ => "record",
            },
            samples: found.samples,
            rotation: test.names().rotation(),
            channels: channels(test),
            sampling: found.spacing.map(|spacing| Sampling {
                spacing: match spacing {
                    Spacing::Uniform { .. } => "uniform",
                    Spacing::Rounded { .. } => "rounded",
                    Spacing::Uneven { .. } => "uneven",
                },
                step: spacing.step(),
                rate: spacing.step().recip(),
            }),
            duration: time.and_then(|t| Some(t.last()? - t.first()?)),
            offset: record.map(|_| found.offset),
            frequency: found.frequency,
            motion_noise: record.map(|_| found.motion_noise),
            force_noise: found.force_noise.map(|noise| ForceNoise {
                value: noise.value,
                lag1: noise.lag1,
                cycles: noise.cycles,
            }),
            skew: found.skew.map(|skew| Delay {
                samples: skew.samples,
                seconds: found.spacing.map(|s| s.step() * skew.samples),
            }),
            cycles: found.cycles.clone(),
            blocks: found.blocks.clone(),
            stabilised: found.stabilised,
            harmonic: found.harmonic.iter().map(point).collect(),
            ring_down: found.ring_down.clone(),
            assumptions: experiment.assumptions.clone(),
            warnings: found
                .findings
                .iter()
                .map(|finding| Warning {
                    code: finding.code(),
                    message: finding.message(test.units()),
                    mend: finding.advice().map(|advice| advice.typed(test.units())),
                })
                .collect(),
        }
    }
}

fn channels(test: &Inspected) -> Vec<Channel> {
    let channels = test.experiment.channels.iter();
    channels
        .map(|c| Channel {
            name: c.name.clone(),
            role: c.role.map(|slot| slot.to_string()),
            unit: c.unit.clone(),
            unit_from: c.unit_from.map(|from| match from {
                UnitFrom::Given => "given",
                UnitFrom::File => "file",
                _ => "assumed",
            }),
        })
        .collect()
}

fn point(p: &HarmonicPoint) -> Point {
    Point {
        frequency: p.frequency,
        amplitude: p.amplitude,
        dynamic_stiffness: p.stiffness,
        storage: p.storage(),
        loss: p.loss(),
        loss_angle: p.loss_angle,
        preload_motion: match p.preload {
            Some(Preload::Motion(value)) => Some(value),
            _ => None,
        },
        preload_force: match p.preload {
            Some(Preload::Force(value)) => Some(value),
            _ => None,
        },
    }
}
