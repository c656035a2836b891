//! Records of masses under loads.

use super::{Subject, TestSpec};
use crate::error::AppError;
use crate::loads::load_of;
use crate::names::Names;
use masing_data::{DataError, Finding, Record, Role, Window};
use masing_identify::target::{Channel, DrivenTest, Output};
use masing_identify::{Content, FitError, Start};
use masing_model::{Masses, MotionKind};
use masing_sim::Load;
use masing_sim::system::Decimation;

/// Load and measured motion of a record, and what its beginning was like.
pub fn content(
    spec: &TestSpec,
    record: &Record,
    (masses, subject): (&Masses, &Subject),
    window: Window,
    notes: &mut Vec<Finding>,
) -> Result<Content, AppError> {
    let names = Names::of(if record.rotation {
        MotionKind::Rotation
    } else {
        MotionKind::Translation
    });
    let channels = channels(record, masses, &names)?;
    let load = match load_of(record, masses, &names) {
        Err(AppError::Data(error))
            if matches!(*error, DataError::MissingRole { .. })
                && (spec.start == Some(Start::Free) || !begins_at_rest(&channels)) =>
        {
            let failed = |source| AppError::simulation(record, source);
            Load::new(record.need_time()?.to_vec()).map_err(failed)?
        }
        load => load?,
    };
    let start = spec.start.unwrap_or_else(|| {
        let start = if subject.begun {
            Start::Rest
        } else {
            start_of(&channels, &load)
        };
        let text = match start {
            Start::Rest => return start,
            Start::Free => "begins in motion; where and how fast is found with the fit",
            Start::Periodic => "closes on itself and is taken as one period of a steady response",
        };
        let text = format!("{} {text}", spec.path.display());
        notes.push(Finding::new("start", text));
        start
    });
    let counting = masing_data::window(record.clone(), window)?;
    let first = counting.first_row - record.first_row;
    let mut test = DrivenTest::new(load, channels);
    test.window = first..first + counting.len();
    let failed = |source: FitError| AppError::Fit {
        model: "a model with masses".to_owned(),
        source,
    };
    match start {
        Start::Rest => {}
        Start::Free => test = test.free(),
        Start::Periodic => test = test.periodic().map_err(failed)?,
    }
    if !spec.decimation.is_empty() {
        evenly_sampled(spec, record)?;
        let stages = Decimation::new(&spec.decimation);
        test = test.decimated(stages).map_err(failed)?;
    }
    Ok(Content::Driven(test))
}

/// What was measured of the masses.
fn channels(record: &Record, masses: &Masses, names: &Names) -> Result<Vec<Channel>, AppError> {
    // With a load of its own, or on a moving base, a force is that of the part.
    let driven = [Role::Load, Role::BaseAcceleration];
    let mut signals = record.signals.iter();
    let part_force = signals.any(|s| driven.contains(&s.slot.role));
    let mut channels = Vec::new();
    for signal in &record.signals {
        let output = match signal.slot.role {
            Role::Displacement | Role::Angle => Output::Displacement,
            Role::Velocity => Output::Velocity,
            Role::Acceleration => Output::Acceleration,
            Role::Force | Role::Torque if part_force => Output::Force,
            _ => continue,
        };
        let dof = signal.slot.index.unwrap_or(1);
        if dof == 0 || dof > masses.dofs() {
            return Err(DataError::Channel {
                file: record.source.file.clone(),
                role: signal.slot.to_string(),
                column: signal.column.clone(),
                reason: format!("is of mass {dof}; the model has {}", masses.dofs()),
            }
            .into());
        }
        channels.push(Channel {
            output,
            dof: dof - 1,
            measured: signal.values.clone(),
            noise: None,
        });
    }
    if channels.is_empty() {
        return Err(DataError::MissingRole {
            file: record.source.file.clone(),
            role: format!("{}, velocity or acceleration", names.displacement),
            available: record.available.clone(),
        }
        .into());
    }
    Ok(channels)
}

/// A filter counts samples, so that they have to be even.
fn evenly_sampled(spec: &TestSpec, record: &Record) -> Result<(), AppError> {
    let time = record.need_time()?;
    let n = time.len();
    let mean = (time[n - 1] - time[0]) / (n - 1) as f64;
    let mut steps = time.windows(2).map(|w| w[1] - w[0]);
    if steps.all(|step| (step - mean).abs() <= UNEVEN * mean) {
        return Ok(());
    }
    let found = format!("{:?} for {}", spec.decimation, spec.path.display());
    Err(AppError::option(
        "decimation",
        found,
        "a record that was sampled evenly",
    ))
}

/// Share of a step by which steps of an even record may differ: stamps are rounded.
const UNEVEN: f64 = 0.05;
/// Share of its largest value below which a channel is at rest.
const AT_REST: f64 = 0.05;

/// Whether displacements and velocities begin near zero; an acceleration does not tell.
fn begins_at_rest(channels: &[Channel]) -> bool {
    let telling = channels
        .iter()
        .filter(|c| matches!(c.output, Output::Displacement | Output::Velocity));
    telling.clone().all(|c| {
        let finite = || c.measured.iter().copied().filter(|v| v.is_finite());
        let peak = finite().fold(0.0, |m: f64, v| m.max(v.abs()));
        finite().next().is_none_or(|v| v.abs() <= AT_REST * peak)
    })
}

/// At rest if the record begins so; periodic if load and motion go on at the beginning where they
/// leave off at the end; else free.
fn start_of(channels: &[Channel], load: &Load) -> Start {
    if begins_at_rest(channels) {
        return Start::Rest;
    }
    let motions = channels.iter().map(|c| c.measured.as_slice());
    let loads = load.loads().iter().map(|(_, values)| values.as_slice());
    let loaded = loads.clone().chain(load.base_acceleration());
    let moved = loaded.clone().any(|f| f.iter().any(|v| *v != 0.0));
    if moved && loaded.chain(motions).all(closes) {
        Start::Periodic
    } else {
        Start::Free
    }
}

/// Whether the first value is what the last few lead to, with or without a value in common, as well
/// as any value is.
fn closes(values: &[f64]) -> bool {
    let n = values.len();
    if n < 16 {
        return false;
    }
    // The parabola through three values, one step on.
    let ahead = |v: &[f64]| 3.0 * (v[2] - v[1]) + v[0];
    let typical = values.windows(4).map(|w| (ahead(w) - w[3]).powi(2));
    let typical = (typical.sum::<f64>() / (n - 3) as f64).sqrt();
    let size = (values.iter().map(|v| v * v).sum::<f64>() / n as f64).sqrt();
    let near = |gap: f64| gap.abs() <= 4.0 * typical;
    let open = near(ahead(&values[n - 3..]) - values[0])
        && near(ahead(&[values[n - 2], values[n - 1], values[0]]) - values[1]);
    let closed = (values[n - 1] - values[0]).abs() <= 1e-3 * size + typical;
    // A record that any step is as long as tells nothing.
    typical <= 0.5 * size && (open || closed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(samples: usize, periods: f64) -> Vec<f64> {
        let phase = |i: usize| std::f64::consts::TAU * periods * i as f64 / samples as f64;
        (0..samples).map(|i| (phase(i) + 0.7).cos()).collect()
    }

    #[test]
    fn a_period_closes_and_a_piece_of_one_does_not() {
        assert!(closes(&wave(400, 7.0)));
        let mut closed = wave(400, 7.0);
        closed.push(closed[0]);
        assert!(closes(&closed));
        assert!(!closes(&wave(400, 7.4)));
        assert!(!closes(&[1.0, 2.0]));
    }
}
