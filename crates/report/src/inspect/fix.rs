//! What to type about a finding.

use super::Inspected;
use masing_data::{Experiment, Finding, Record, Role, UnitFrom};

/// What helps against a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fix {
    /// The sign of a channel is turned.
    Flip(&'static str),
    /// The offset of a channel is removed: role, and `mean` or `midrange`.
    Zero(&'static str, &'static str),
    /// Only the last full cycle counts.
    Stabilised,
    /// Missing values are filled.
    Interpolate,
    /// Something else to type.
    Option(&'static str),
    /// A line of study.toml.
    Study(&'static str),
    /// Nothing to type helps; what to do instead.
    Advice(&'static str),
}

impl Fix {
    /// The option as it is typed, or the advice.
    pub fn typed(&self) -> String {
        match self {
            Fix::Flip(role) => format!("--flip {role}"),
            Fix::Zero(role, what) => format!("--zero {role}={what}"),
            Fix::Stabilised => "--window stabilised".to_owned(),
            Fix::Interpolate => "--gaps interpolate".to_owned(),
            Fix::Option(text) | Fix::Study(text) | Fix::Advice(text) => (*text).to_owned(),
        }
    }

    /// A sentence for people.
    pub fn sentence(&self) -> String {
        match self {
            Fix::Advice(text) => format!("to do: {text}"),
            Fix::Study(text) => format!("in study.toml: {text}"),
            _ => format!("fix: {}", self.typed()),
        }
    }
}

/// What helps against a finding, if anything does.
pub fn fix(code: &str, test: &Inspected) -> Option<Fix> {
    let names = test.names();
    Some(match code {
        "wrong-way" => Fix::Flip(names.force),
        "offset" => Fix::Zero(names.displacement, centre(test.record()?)),
        "not-stabilised" | "drift" => Fix::Stabilised,
        "no-time" => Fix::Option("--rate 200Hz, with the sampling rate of the rig"),
        "gap" | "not-finite" if motion_is_missing(test.record()?) => Fix::Interpolate,
        "gap" | "not-finite" => Fix::Advice("nothing; missing forces are left out of a fit"),
        "skew" => Fix::Study("nuisance = { delay = true }"),
        "clipped" | "end-stop" => {
            Fix::Option("--cycle N or --window T0..T1, to use a part without it")
        }
        "time-gap" => Fix::Option("--window T0..T1, to use one side of the gap"),
        "wandering" => Fix::Option("--window T0..T1, to use a stretch about one middle"),
        "constant-force" => match names.force {
            "torque" => Fix::Option("--columns torque=NAME, if another column is meant"),
            _ => Fix::Option("--columns force=NAME, if another column is meant"),
        },
        "text-column" => Fix::Advice("leave only numbers in the column"),
        "spikes" => Fix::Option("--window T0..T1, to use a part without them"),
        "smoothed" => Fix::Advice("if the rig filtered it, ask for the record before the filter"),
        "few-samples" => Fix::Advice("sample faster, 100 samples in a cycle or more"),
        "coarse" => Fix::Advice("use a smaller measuring range of the amplifier"),
        "unit-assumed" => match names.force {
            "torque" => Fix::Option("--units angle=deg,torque=Nm, with the units of the file"),
            _ => Fix::Option("--units displacement=mm,force=kN, with the units of the file"),
        },
        _ => return None,
    })
}

/// Motion about its mean or, where rests and part cycles pull the mean away, about its mid-range.
fn centre(record: &Record) -> &'static str {
    let Some(x) = record.motion() else {
        return "mean";
    };
    let known = || x.iter().copied().filter(|v| v.is_finite());
    let (low, high) = known().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
        (l.min(v), h.max(v))
    });
    let mean = known().sum::<f64>() / known().count().max(1) as f64;
    let off = (mean - f64::midpoint(low, high)).abs();
    if off < 0.02 * (high - low) {
        "mean"
    } else {
        "midrange"
    }
}

fn motion_is_missing(record: &Record) -> bool {
    record
        .signals
        .iter()
        .filter(|s| !matches!(s.slot.role, Role::Force | Role::Torque))
        .any(|s| s.values.iter().any(|v| !v.is_finite()))
}

/// Channels whose unit nobody gives: millimetres taken for metres spoil everything that follows.
pub fn assumed_units(experiment: &Experiment) -> Option<Finding> {
    let channels = experiment.channels.iter();
    let assumed: Vec<String> = channels
        .filter(|c| c.unit_from == Some(UnitFrom::Assumed))
        .filter_map(|c| {
            let slot = c
                .role
                .filter(|slot| slot.role != Role::Time && slot.role != Role::TanDelta)?;
            Some(format!("{slot} in {}", c.unit.as_deref()?))
        })
        .collect();
    (!assumed.is_empty()).then(|| {
        let text = format!(
            "the file gives no unit; SI was assumed: {}",
            assumed.join(", ")
        );
        Finding::new("unit-assumed", text)
    })
}
