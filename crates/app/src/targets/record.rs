//! Records of prescribed motion and force.

use super::{Subject, TestSpec, doubts};
use crate::error::AppError;
use crate::reading::LEAST_SAMPLES;
use masing_data::signal::noise::from_differences;
use masing_data::{Cycle, Preload, Record, Role, Window, cycles};
use masing_diagnostic::{
    AccelerationDoubt, Diagnostic, ReadingDiagnostic, TestDiagnostic, thresholds,
};
use masing_identify::loops::fourier;
use masing_identify::{InitialState, Kind, MotionRecord};
use masing_sim::Motion;
use std::ops::Range;
use std::path::Path;

/// Motion and force of a record, and what its beginning was like.
pub fn content(
    spec: &TestSpec,
    record: &Record,
    window: Window,
    subject: &Subject,
    preload: Preload,
    notes: &mut Vec<Diagnostic>,
) -> Result<Box<dyn Kind>, AppError> {
    record.require_motion()?;
    let force = record.need_force()?.to_vec();
    let x = record.need_motion()?.to_vec();
    let time = match (&record.time, subject.rate_independent) {
        (Some(time), _) => time.clone(),
        (None, true) => {
            notes.push(ReadingDiagnostic::NoTime { needed: false }.in_file(&spec.path));
            (0..x.len()).map(|i| i as f64).collect()
        }
        (None, false) => record.need_time()?.to_vec(),
    };
    let missing = force.iter().filter(|f| !f.is_finite()).count();
    if let Some(first) = force.iter().position(|f| !f.is_finite()) {
        let missing = TestDiagnostic::MissingForce {
            missing,
            of: force.len(),
            line: record.line(first),
        };
        notes.push(missing.in_file(&spec.path));
    }
    doubts::units(record, notes);
    let counting = masing_data::window(record.clone(), window)?;
    counting.require_samples(LEAST_SAMPLES)?;
    let first = counting.first_row - record.first_row;
    let counting = first..first + counting.len();
    let found = cycles::cycles(&x, Some(&force), Some(&time));
    let shortest = found.iter().map(|c| c.end - c.start).min();
    notes.extend(doubts::few_samples(spec, record, shortest, subject));
    let noise = noise_of(&spec.path, &found, &force)?;
    let velocity = record.velocity().map(<[f64]>::to_vec);
    let failed = |source| AppError::simulation(record, source);
    let motion = Motion::new(time, x, velocity).map_err(failed)?;
    let mut rig = MotionRecord::new(motion, force);
    rig.window = counting;
    rig.noise = noise;
    rig.preload = preload;
    rig.nuisance = spec.nuisance;
    if rig.nuisance.moving_mass.is_some() {
        rig.measured_acceleration = acceleration(spec, record, &rig, notes);
    }
    rig.initial = spec.start.unwrap_or_else(|| start_of(&rig, subject));
    notes.extend(doubts::zeroed(spec, &rig));
    if spec.start == Some(InitialState::Periodic) {
        closed(spec, &rig)?;
    }
    let reversals = turns(rig.motion.x());
    if subject.loop_law && reversals < 2 {
        notes.push(TestDiagnostic::FewReversals { reversals }.in_file(&spec.path));
    }
    let cycle_only = matches!(window, Window::Stabilised | Window::Cycle(_));
    if rig.initial == InitialState::Periodic
        || (cycle_only && spec.start.is_none() && rig.initial != InitialState::AtRest)
    {
        rig = cycle(&rig).map_err(failed)?;
    }
    if spec.eiv {
        rig = series(spec, &rig, notes).map_err(failed)??;
    }
    if subject.rate_independent {
        rig = rig.with_reversals().map_err(failed)?;
    }
    Ok(Box::new(rig))
}

/// The noise of a force from cycles that repeat each other, where there are any. Refuses loops that run the wrong way
/// round.
pub fn noise_of(path: &Path, found: &[Cycle], force: &[f64]) -> Result<Option<f64>, AppError> {
    let lost: f64 = found.iter().filter_map(|c| c.energy).sum();
    let scale: f64 = found
        .iter()
        .filter_map(|c| Some(c.secant_stiffness? * c.amplitude * c.amplitude))
        .sum();
    if lost < -1e-3 * scale {
        return Err(AppError::WrongWay {
            path: path.to_owned(),
            still: still(force),
        });
    }
    let noise = cycles::blocks(found)
        .iter()
        .filter_map(|block| masing_data::signal::noise::from_cycles(force, found, block))
        .map(|noise| noise.value)
        .reduce(f64::max);
    Ok(noise)
}

/// Share of the samples that repeat the one before over at least the stretch of a clipped force, where it is large.
fn still(force: &[f64]) -> Option<f64> {
    // Resolution repeats a value here and there, at turns most of all.
    const LARGE: f64 = 0.1;
    let runs = force.chunk_by(|a, b| a == b).map(<[f64]>::len);
    let long: usize = runs.filter(|n| *n >= thresholds::CLIPPED_SAMPLES).sum();
    let share = long as f64 / force.len().max(1) as f64;
    (share > LARGE).then_some(share)
}

/// The measured acceleration, if it is whole and goes with the displacement.
fn acceleration(
    spec: &TestSpec,
    record: &Record,
    rig: &MotionRecord,
    notes: &mut Vec<Diagnostic>,
) -> Option<Vec<f64>> {
    let measured = &record.signal(Role::Acceleration)?.values;
    let derived = rig.differences();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let size = (dot(measured, measured) * dot(&derived, &derived)).sqrt();
    let alike = dot(measured, &derived) / size;
    if alike > thresholds::ACCELERATION_AGREES {
        return Some(measured.clone());
    }
    let doubt = if alike.is_finite() {
        AccelerationDoubt::Disagrees(alike)
    } else {
        AccelerationDoubt::Missing
    };
    notes.push(TestDiagnostic::Acceleration { doubt }.in_file(&spec.path));
    None
}

/// The record with its displacement as a Fourier series.
fn series(
    spec: &TestSpec,
    rig: &MotionRecord,
    notes: &mut Vec<Diagnostic>,
) -> Result<Result<MotionRecord, AppError>, masing_sim::SimError> {
    let Some(found) = fourier(rig)? else {
        let expected = format!("a periodic motion, which {} is not", spec.path.display());
        return Ok(Err(AppError::option("eiv", true, expected)));
    };
    let series = TestDiagnostic::ErrorsInVariables {
        harmonics: found.harmonics,
        frequency: found.frequency,
        noise: found.noise / rig.amplitude(),
    };
    notes.push(series.in_file(&spec.path));
    Ok(Ok(found.rig))
}

/// Refuses a record as a cycle whose force does not come back to where it began.
fn closed(spec: &TestSpec, rig: &MotionRecord) -> Result<(), AppError> {
    let measured: Vec<usize> = rig.samples().collect();
    let (Some(&first), Some(&last)) = (measured.first(), measured.last()) else {
        return Ok(());
    };
    let x = rig.motion.x();
    // The record may end a sample before the cycle does; the force then lacks one step as well.
    let longest = |values: &[f64]| {
        let steps = values.windows(2).map(|w| (w[1] - w[0]).abs());
        steps.filter(|step| step.is_finite()).fold(0.0, f64::max)
    };
    let near = (3.0 * rig.noise.unwrap_or(0.0)).max(OPEN * rig.peak()) + longest(&rig.force);
    let room = OPEN * rig.amplitude() + longest(x);
    let (gap, stroke) = (
        (rig.force[last] - rig.force[first]).abs(),
        (x[last] - x[first]).abs(),
    );
    if gap > near || stroke > room {
        return Err(AppError::OpenLoop {
            path: spec.path.clone(),
            force: 100.0 * gap / rig.peak(),
            motion: 100.0 * stroke / rig.amplitude(),
        });
    }
    Ok(())
}

/// Share of the largest force and of the amplitude by which the ends of a closed cycle may differ.
const OPEN: f64 = 0.05;

/// At rest if the record begins without force to speak of, periodic if it closes after two reversals,
/// else free. The one state of a loop law costs one number and is free unless the record begins with a
/// hold: what looks closed or at rest to a hundredth of the force is not so to what a fit can find.
fn start_of(rig: &MotionRecord, subject: &Subject) -> InitialState {
    let (x, f) = (rig.motion.x(), &rig.force);
    let n = f.len();
    if subject.loop_law && !rests(x, rig.amplitude()) {
        return InitialState::Estimated;
    }
    let noise = rig.noise.unwrap_or_else(|| from_differences(f));
    let near = (3.0 * noise).max(0.01 * rig.peak());
    let first = f.iter().copied().find(|f| f.is_finite()).unwrap_or(0.0);
    let last = f.iter().rev().copied().find(|f| f.is_finite());
    let room = 0.02 * rig.amplitude();
    let offset = match rig.preload {
        Preload::Motion(x) => x,
        Preload::Force(_) => 0.0,
    };
    let (low, high) = x
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &x| {
            (a.min(x), b.max(x))
        });
    // A part at rest is at no displacement, in the middle or at one end of what follows, or stands
    // still for a moment; a loop that passes through no force elsewhere is a settled one.
    let places = [-offset, 0.0, 0.5 * (low + high), low, high];
    let neutral = places.iter().any(|place| (x[0] - place).abs() <= room);
    let holds = rests(x, rig.amplitude());
    let at_zero = (x[0] + offset).abs() <= room || x[0].abs() <= room;
    if (first.abs() <= near && (neutral || holds)) || (at_zero && holds) {
        InitialState::AtRest
    } else if last.is_some_and(|last| (last - first).abs() <= near)
        && (x[n - 1] - x[0]).abs() <= room
        && turns(x) >= 2
    {
        InitialState::Periodic
    } else {
        InitialState::Estimated
    }
}

/// Whether the first samples stand still.
fn rests(x: &[f64], amplitude: f64) -> bool {
    let few = x.len().min(5);
    x[..few]
        .iter()
        .all(|q| (q - x[0]).abs() <= 1e-3 * amplitude)
}

/// Changes of direction larger than a twentieth of the range.
fn turns(x: &[f64]) -> usize {
    let (low, high) = x
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &x| {
            (a.min(x), b.max(x))
        });
    let room = 0.05 * (high - low);
    let (mut extreme, mut direction, mut count) = (x[0], 0.0_f64, 0);
    for &q in x {
        if direction == 0.0 {
            if (q - extreme).abs() > room {
                direction = (q - extreme).signum();
                extreme = q;
            }
        } else if direction * (q - extreme) > 0.0 {
            extreme = q;
        } else if direction * (extreme - q) > room {
            (direction, extreme) = (-direction, q);
            count += 1;
        }
    }
    count
}

/// The window of a record as one closed cycle: it ends where it began, between samples if need be.
fn cycle(rig: &MotionRecord) -> Result<MotionRecord, masing_sim::SimError> {
    let Range { start, end } = rig.window;
    let (t, x, v) = (rig.motion.time(), rig.motion.x(), rig.motion.v());
    let range = 2.0 * rig.amplitude();
    let ahead = |i: usize| x[i] - x[start];
    let leaving = (start..end).map(ahead).find(|d| d.abs() > 1e-3 * range);
    let direction = leaving.unwrap_or(1.0).signum();
    // Samples at the end that have passed the beginning again belong to the next cycle.
    let passed = |i: usize| direction * ahead(i) > 0.0 && ahead(i).abs() < 0.25 * range;
    let mut last = end;
    while last > start + (end - start) / 2 && passed(last - 1) {
        last -= 1;
    }
    let pick = |values: &[f64]| values[start..last].to_vec();
    let (mut time, mut path) = (pick(t), pick(x));
    let (mut speed, mut force) = (pick(v), pick(&rig.force));
    let mut acceleration = rig.measured_acceleration.as_deref().map(pick);
    let n = path.len();
    let step = if last < x.len() {
        (t[last] - t[last - 1], x[last] - x[last - 1])
    } else {
        (t[last - 1] - t[last - 2], x[last - 1] - x[last - 2])
    };
    let share = -ahead(last - 1) / step.1;
    if share > 1e-6 && share <= 2.0 {
        time.push(time[n - 1] + share * step.0);
        path.push(path[0]);
        speed.push(speed[0]);
        force.push(f64::NAN);
        if let Some(acceleration) = &mut acceleration {
            acceleration.push(acceleration[0]);
        }
    } else {
        // Closed by the last sample, up to rounding.
        path[n - 1] = path[0];
    }
    Ok(MotionRecord {
        window: 0..path.len(),
        motion: Motion::new(time, path, Some(speed))?,
        force,
        measured_acceleration: acceleration,
        initial: InitialState::Periodic,
        ..rig.clone()
    })
}
