//! Records of prescribed motion and force.

use super::closed_cycle::{closed_cycle, require_closed};
use super::initial_state::{initial_state, turns};
use super::source::counting;
use super::{LEAST_SAMPLES, ReadError, Subject, TestSpec, doubts, force_noise, missing_force};
use crate::loops::fourier;
use crate::test::{ForceFilter, InitialState, MotionRecord};
use masing_data::signal::{Quantised, half_window, quantised, smooth};
use masing_data::timing::{self, Spacing};
use masing_data::{Preload, Record, Role, Window, cycles, record_kind, samples_per_cycle};
use masing_diagnostic::{
    AccelerationDoubt, Diagnostic, ReadingDiagnostic, TestDiagnostic, thresholds,
};
use masing_sim::{Motion, SimError};

/// Motion and force of a record, and what its beginning was like.
pub(super) fn read(
    spec: &TestSpec,
    (record, window): (&Record, Window),
    subject: &Subject,
    preload: Preload,
    notes: &mut Vec<Diagnostic>,
) -> Result<MotionRecord, ReadError> {
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
    notes.extend(missing_force(&spec.path, record, &force));
    doubts::units(record, notes);
    let counting = counting(record, window)?;
    let found = cycles::cycles(&x, Some(&force), Some(&time));
    let kind = record_kind(&x);
    let turns_found = cycles::reversals(&x, cycles::threshold(&x));
    let shortest = samples_per_cycle(kind, &found, &turns_found);
    notes.extend(doubts::few_samples(spec, record, (kind, shortest), subject));
    let noise = force_noise(&spec.path, &found, &force)?;
    let velocity = record.velocity().map(<[f64]>::to_vec);
    let (x, velocity) = match velocity {
        None if !subject.rate_independent => smoothed(spec, &time, x, notes),
        given => (x, given),
    };
    let failed = |source| ReadError::simulation(record, source);
    let motion = Motion::new(time, x, velocity).map_err(failed)?;
    let mut rig = MotionRecord::new(motion, force);
    rig.window = counting;
    rig.noise = noise;
    rig.preload = preload;
    rig.nuisance = spec.nuisance;
    rig.filter = filter(spec, &rig)?;
    if rig.nuisance.moving_mass.is_some() {
        rig.measured_acceleration = acceleration(spec, record, &rig, notes);
    }
    rig.initial = spec.initial.unwrap_or_else(|| initial_state(&rig, subject));
    notes.extend(doubts::zeroed(spec, &rig));
    if let (Some(filter), InitialState::Estimated) = (&rig.filter, rig.initial) {
        // The first values hold what came before the record, which nobody knows.
        let known = rig.window.start.max(filter.settles());
        if known + LEAST_SAMPLES > rig.window.end {
            let found = rig.window.end.saturating_sub(known);
            let (path, settles) = (spec.path.clone(), filter.settles());
            return Err(ReadError::NeverSettles {
                path,
                settles,
                found,
            });
        }
        rig.window.start = known;
    }
    if spec.initial == Some(InitialState::Periodic) {
        require_closed(&spec.path, &rig)?;
    }
    let reversals = turns(rig.motion.x());
    if subject.loop_law && reversals < 2 {
        notes.push(TestDiagnostic::FewReversals { reversals }.in_file(&spec.path));
    }
    let cycle_only = matches!(window, Window::Stabilised | Window::Cycle(_));
    if rig.initial == InitialState::Periodic
        || (cycle_only && spec.initial.is_none() && rig.initial != InitialState::AtRest)
    {
        rig = closed_cycle(&rig).map_err(failed)?;
    }
    if spec.eiv {
        let series = series(spec, &rig, notes).map_err(failed)?;
        rig = series.ok_or_else(|| ReadError::NoSeries {
            path: spec.path.clone(),
        })?;
    }
    if subject.rate_independent {
        rig = rig.with_reversals().map_err(failed)?;
    }
    Ok(rig)
}

/// Degree of the polynomials that a displacement in steps is smoothed by: over 12 % of a period the slope of a quartic
/// follows that of a sine to 1e-4.
const SMOOTH_DEGREE: usize = 4;

/// The displacement and its velocity, smoothed where its steps would spoil speeds. The window is 6 % of a period to
/// either side: shorter ones see only one step where the motion turns.
fn smoothed(
    spec: &TestSpec,
    time: &[f64],
    x: Vec<f64>,
    notes: &mut Vec<Diagnostic>,
) -> (Vec<f64>, Option<Vec<f64>>) {
    let Some(Quantised { step, speed }) = quantised(time, &x) else {
        return (x, None);
    };
    let (n, whole) = (time.len(), time[time.len() - 1] - time[0]);
    let interval = whole / (n - 1) as f64;
    let half = 2 * half_window(2.0 * whole / turns(&x).max(1) as f64, interval);
    let half = half.max(SMOOTH_DEGREE / 2 + 1);
    let Ok(found) = smooth(time, &x, half, SMOOTH_DEGREE) else {
        return (x, None);
    };
    let window = 2 * half + 1;
    let smoothed = TestDiagnostic::QuantisedSmoothed {
        step,
        speed,
        window,
        seconds: (window - 1) as f64 * interval,
    };
    notes.push(smoothed.in_file(&spec.path));
    (found.values, Some(found.slopes))
}

/// What the force went through, on the samples of this record.
fn filter(spec: &TestSpec, rig: &MotionRecord) -> Result<Option<ForceFilter>, ReadError> {
    if spec.filters.is_empty() {
        return Ok(None);
    }
    let path = || spec.path.clone();
    let Some(Spacing::Uniform { step } | Spacing::Rounded { step, .. }) =
        timing::spacing(rig.motion.time())
    else {
        return Err(ReadError::FilteredUneven { path: path() });
    };
    let samples = rig.motion.len();
    for filter in &spec.filters {
        let wrong = |source| ReadError::Filter {
            path: path(),
            source: Box::new(source),
        };
        filter.check_for(samples, step).map_err(wrong)?;
    }
    Ok(Some(ForceFilter::new(spec.filters.clone(), step, samples)))
}

/// The measured acceleration, if it has no gaps and agrees with the displacement.
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

/// The record with its displacement as a Fourier series, if it is periodic.
fn series(
    spec: &TestSpec,
    rig: &MotionRecord,
    notes: &mut Vec<Diagnostic>,
) -> Result<Option<MotionRecord>, SimError> {
    let Some(found) = fourier(rig)? else {
        return Ok(None);
    };
    let series = TestDiagnostic::ErrorsInVariables {
        harmonics: found.harmonics,
        frequency: found.frequency,
        noise: found.noise / rig.amplitude(),
    };
    notes.push(series.in_file(&spec.path));
    Ok(Some(found.record))
}
