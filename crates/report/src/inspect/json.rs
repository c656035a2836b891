//! What `inspect --json` prints: SI, null where there is no time.

use super::Inspected;
use crate::json::{document, each};
use masing_data::signal::{Noise, Skew};
use masing_data::timing::Spacing;
use masing_data::{Block, ChannelUse, Cycle, HarmonicPoint, Kind, Preload, RingPoint, UnitFrom};
use masing_diagnostic::{Code, Diagnostic, RecordKind, Units};

document! {
    /// `masing.inspect/1`.
    pub InspectDocument(tests: Vec<FileDocument>, page: Option<String>) {
        schema: &'static str = "masing.inspect/1",
        files: Vec<FileDocument> = tests,
        out: Option<String> = page,
    }
}

document! {
    /// One test; a file with several parts has several.
    pub FileDocument(test: &Inspected) {
        file: String = test.file.display().to_string(),
        part: Option<String> = Some(test.experiment.part.clone()).filter(|part| !part.is_empty()),
        name: String = test.experiment.name.clone(),
        format: &'static str = test.experiment.format,
        kind: &'static str = match test.experiment.kind() {
            Kind::Harmonic => "harmonic",
            _ => "record",
        },
        motion: Option<&'static str> = test.inspection.kind.map(RecordKind::name),
        samples: usize = test.inspection.samples,
        rotation: bool = test.names().rotation(),
        channels: Vec<Channel> = each(&test.experiment.channels, Channel::of),
        sampling: Option<Sampling> = test.inspection.spacing.map(Sampling::of),
        duration: Option<f64> = test.record().and_then(|record| {
            let time = record.time.as_deref()?;
            Some(time.last()? - time.first()?)
        }),
        offset: Option<f64> = test.record().map(|_| test.inspection.offset),
        frequency: Option<f64> = test.inspection.frequency,
        motion_noise: Option<f64> = test.record().map(|_| test.inspection.motion_noise),
        force_noise: Option<ForceNoise> = test.inspection.force_noise.map(ForceNoise::of),
        skew: Option<Delay> = {
            let found = &test.inspection;
            found.skew.map(|skew| Delay::of(skew, found.spacing))
        },
        #[schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>")]
        cycles: Vec<Cycle> = test.inspection.cycles.clone(),
        #[schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>")]
        blocks: Vec<Block> = test.inspection.blocks.clone(),
        stabilised: Option<usize> = test.inspection.stabilised,
        harmonic: Vec<Point> = each(&test.inspection.harmonic, Point::of),
        #[schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>")]
        ring_down: Vec<RingPoint> = test.inspection.ring_down.clone(),
        assumptions: Vec<String> = test.experiment.assumptions.clone(),
        warnings: Vec<Warning> = each(&test.inspection.diagnostics, |d| Warning::of(d, test.units())),
    }
}

document! {
    pub(crate) Channel(own: &ChannelUse) {
        name: String = own.name.clone(),
        role: Option<String> = own.role.map(|slot| slot.to_string()),
        unit: Option<String> = own.unit.clone(),
        unit_from: Option<&'static str> = own.unit_from.map(|from| match from {
            UnitFrom::Given => "given",
            UnitFrom::File => "file",
            _ => "assumed",
        }),
    }
}

document! {
    pub(crate) Sampling(own: Spacing) {
        spacing: &'static str = match own {
            Spacing::Uniform { .. } => "uniform",
            Spacing::Rounded { .. } => "rounded",
            Spacing::Uneven { .. } => "uneven",
        },
        step: f64 = own.step(),
        rate: f64 = own.step().recip(),
    }
}

document! {
    pub(crate) ForceNoise(noise: Noise) {
        value: f64 = noise.value,
        lag1: f64 = noise.lag1,
        cycles: usize = noise.cycles,
    }
}

document! {
    pub(crate) Delay(skew: Skew, spacing: Option<Spacing>) {
        samples: f64 = skew.samples,
        seconds: Option<f64> = spacing.map(|s| s.step() * skew.samples),
    }
}

document! {
    pub(crate) Point(own: &HarmonicPoint) {
        frequency: f64 = own.frequency,
        amplitude: f64 = own.amplitude,
        dynamic_stiffness: f64 = own.stiffness,
        storage: f64 = own.storage(),
        loss: f64 = own.loss(),
        loss_angle: f64 = own.loss_angle,
        preload_motion: Option<f64> = match own.preload {
            Some(Preload::Motion(value)) => Some(value),
            _ => None,
        },
        preload_force: Option<f64> = match own.preload {
            Some(Preload::Force(value)) => Some(value),
            _ => None,
        },
    }
}

document! {
    /// A finding, with what to type about it.
    pub(crate) Warning(own: &Diagnostic, units: Units) {
        #[schemars(with = "String")]
        code: Code = own.code(),
        message: String = own.message(units),
        mend: Option<String> = own.advice().map(|advice| advice.typed(units)),
    }
}
