//! Records of masses under loads.

use super::closed_cycle::close;
use super::source::counting;
use super::{ReadError, Subject, TestSpec, load_of, motion_of};
use crate::test::{Channel, DrivenMasses, HighPass, InitialState, Output};
use masing_data::{DataError, Record, Role, Window};
use masing_diagnostic::{Diagnostic, TestDiagnostic};
use masing_model::{Masses, MotionKind};
use masing_sim::Load;
use masing_sim::system::Decimation;

/// Load and measured motion of a record, and what its beginning was like.
pub(super) fn read(
    spec: &TestSpec,
    (record, window): (&Record, Window),
    (masses, subject): (&Masses, &Subject),
    notes: &mut Vec<Diagnostic>,
) -> Result<DrivenMasses, ReadError> {
    let motion = motion_of(record.rotation);
    let channels = channels(record, masses, motion)?;
    let load = match load_of(record, masses, motion) {
        Err(ReadError::Data(error))
            if matches!(*error, DataError::MissingRole { .. })
                && (spec.initial == Some(InitialState::Estimated)
                    || !begins_at_rest(&channels)) =>
        {
            let failed = |source| ReadError::simulation(record, source);
            Load::new(record.need_time()?.to_vec()).map_err(failed)?
        }
        Err(ReadError::Data(error)) => match *error {
            DataError::MissingRole {
                file,
                role,
                available,
            } if role.starts_with("load") => {
                return Err(ReadError::Undriven { file, available });
            }
            other => return Err(other.into()),
        },
        load => load?,
    };
    let filter = spec.high_pass.map(HighPass::new);
    let load = match (filter, load.base_acceleration()) {
        (Some(filter), Some(base)) => {
            // The base was measured through such an accelerometer too; the masses feel it as it was.
            let felt = filter.invert(load.time(), base);
            let failed = |source| ReadError::simulation(record, source);
            load.base(felt).map_err(failed)?
        }
        _ => load,
    };
    let initial = spec.initial.unwrap_or_else(|| {
        if subject.begun {
            return InitialState::AtRest;
        }
        let initial = initial_state(&channels, &load);
        notes.extend(told(initial).map(|note| note.in_file(&spec.path)));
        initial
    });
    if initial == InitialState::Periodic {
        refuse_open(record)?;
    }
    if let Some(finding) = constant_load(spec, &load) {
        notes.push(finding);
    }
    let mut test = DrivenMasses::new(load, channels);
    test.window = counting(record, window)?;
    match initial {
        InitialState::AtRest => {}
        InitialState::Estimated => test = test.estimated(),
        InitialState::Periodic => test = test.periodic()?,
    }
    if let Some(filter) = filter {
        test = test.high_passed(filter);
    }
    if !spec.decimation.is_empty() {
        evenly_sampled(spec, record)?;
        let stages = Decimation::new(&spec.decimation);
        test = test.decimated(stages)?;
    }
    Ok(test)
}

/// The note on an initial state that was found from the record.
fn told(initial: InitialState) -> Option<TestDiagnostic> {
    use masing_diagnostic::InitialState as Told;
    let state = match initial {
        InitialState::AtRest => return None,
        InitialState::Estimated => Told::Estimated,
        InitialState::Periodic => Told::Periodic,
    };
    Some(TestDiagnostic::Start { state })
}

/// What was measured of the masses.
fn channels(
    record: &Record,
    masses: &Masses,
    motion: MotionKind,
) -> Result<Vec<Channel>, ReadError> {
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
        let dofs = masses.dofs();
        let reason = match signal.slot.index {
            Some(dof) if dof == 0 || dof > dofs => {
                Some(format!("is of mass {dof}; the model has {dofs}"))
            }
            None if dofs > 1 && output != Output::Force => Some(format!(
                "does not say of which of the {dofs} masses it is; expected {0}.1, {0}.2, ...",
                signal.slot
            )),
            _ => None,
        };
        if let Some(reason) = reason {
            return Err(record.unusable(signal, reason).into());
        }
        let dof = signal.slot.index.unwrap_or(1);
        channels.push(Channel {
            output,
            dof: dof - 1,
            measured: signal.values.clone(),
            noise: None,
        });
    }
    if channels.is_empty() {
        let role = match motion {
            MotionKind::Translation => "displacement, velocity or acceleration",
            MotionKind::Rotation => "angle, velocity or acceleration",
        };
        return Err(record.missing(role).into());
    }
    Ok(channels)
}

/// A filter works on samples, so they have to be evenly spaced.
fn evenly_sampled(spec: &TestSpec, record: &Record) -> Result<(), ReadError> {
    let time = record.need_time()?;
    let n = time.len();
    let mean = (time[n - 1] - time[0]) / (n - 1) as f64;
    let mut steps = time.windows(2).map(|w| w[1] - w[0]);
    if steps.all(|step| (step - mean).abs() <= UNEVEN * mean) {
        return Ok(());
    }
    Err(ReadError::Uneven {
        path: spec.path.clone(),
        stages: spec.decimation.clone(),
    })
}

/// Share of a step by which steps of an even record may differ: stamps are rounded.
const UNEVEN: f64 = 0.05;
/// Share of its largest value below which a channel is at rest.
const AT_REST: f64 = 0.05;

/// One period of a steady response ends where it began; a record that does not is rejected, because a
/// jump between its ends would excite the masses in a way that was not measured.
fn refuse_open(record: &Record) -> Result<(), ReadError> {
    for signal in &record.signals {
        let refuse = |reason: String| ReadError::from(record.unusable(signal, reason));
        let drives = matches!(signal.slot.role, Role::Load | Role::BaseAcceleration);
        let moves = matches!(
            signal.slot.role,
            Role::Displacement | Role::Angle | Role::Velocity | Role::Acceleration
        );
        if !drives && !moves {
            continue;
        }
        if drives && is_constant(&signal.values) {
            return Err(refuse(
                "does not change, so that there is no steady motion under it; expected one period of \
                 a load, or start = \"free\" for a decay"
                    .to_owned(),
            ));
        }
        if let Some(share) = jump(&signal.values) {
            return Err(refuse(format!(
                "does not end where it began, off by {:.0} % of its largest value, but the test is to be \
                 one period of a steady response; expected whole periods, or start = \"free\" or \"rest\"",
                100.0 * share
            )));
        }
    }
    Ok(())
}

/// The gap between the end and the beginning of a channel, relative to its largest value, if it is
/// larger than its steps and noise explain.
fn jump(values: &[f64]) -> Option<f64> {
    let (n, finite) = (values.len(), values.iter().all(|v| v.is_finite()));
    if n < 16 || !finite {
        return None;
    }
    // A period closes from its last sample to its first, which is a step like any other.
    let mut steps: Vec<f64> = values.windows(2).map(|w| (w[1] - w[0]).abs()).collect();
    steps.sort_by(f64::total_cmp);
    let largest = steps.last().copied().unwrap_or(0.0);
    let gap = (values[0] - values[n - 1]).abs();
    let peak = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    (gap > JUMP * largest && peak > 0.0).then(|| gap / peak)
}

/// Largest jump over the end of a period, in multiples of the largest step of the record.
const JUMP: f64 = 1.5;

fn is_constant(values: &[f64]) -> bool {
    values.windows(2).all(|w| w[0] == w[1])
}

/// A load that never changes moves masses only in the beginning.
fn constant_load(spec: &TestSpec, load: &Load) -> Option<Diagnostic> {
    let loads = load.loads().iter().map(|(_, values)| values.as_slice());
    let mut drives = loads.chain(load.base_acceleration());
    let (mut any, mut constant) = (false, true);
    for values in drives.by_ref() {
        any |= values.iter().any(|v| *v != 0.0);
        constant &= is_constant(values);
    }
    (any && constant).then(|| TestDiagnostic::ConstantLoad {}.in_file(&spec.path))
}

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

/// At rest if the record begins at rest; periodic if load and motion continue at the beginning
/// where they end; else estimated.
fn initial_state(channels: &[Channel], load: &Load) -> InitialState {
    let motions = channels.iter().map(|c| c.measured.as_slice());
    let loads = load.loads().iter().map(|(_, values)| values.as_slice());
    let loaded = loads.clone().chain(load.base_acceleration());
    let moved = loaded.clone().any(|f| f.iter().any(|v| *v != 0.0));
    let closed = moved && close(loaded.chain(motions));
    if begins_at_rest(channels) && !(closed && begins_in_motion(channels)) {
        InitialState::AtRest
    } else if closed {
        InitialState::Periodic
    } else {
        InitialState::Estimated
    }
}

/// Whether a displacement passes its first sample at speed, as a steady period that is cut at a zero crossing does. A
/// mass that begins at rest has moved by half of its acceleration times the step squared.
fn begins_in_motion(channels: &[Channel]) -> bool {
    let mut displacements = channels.iter().filter(|c| c.output == Output::Displacement);
    displacements.any(|c| {
        let steps = c.measured.windows(2).map(|w| (w[1] - w[0]).abs());
        let largest = steps.filter(|s| s.is_finite()).fold(0.0, f64::max);
        let first = c.measured.first().zip(c.measured.get(1));
        first.is_some_and(|(a, b)| (b - a).abs() > AT_SPEED * largest)
    })
}

/// Share of the largest step that the first one of a mass at rest stays below, unless a cycle has fewer than ten samples.
const AT_SPEED: f64 = 0.4;

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn wave(samples: usize, periods: f64) -> Vec<f64> {
        let phase = |i: usize| TAU * periods * i as f64 / samples as f64;
        (0..samples).map(|i| (phase(i) + 0.7).cos()).collect()
    }

    #[test]
    fn only_what_steps_do_not_explain_is_a_jump() {
        assert_eq!(jump(&wave(400, 7.0)), None);
        assert_eq!(jump(&wave(20, 7.0)), None);
        let share = jump(&wave(400, 7.4)).unwrap();
        assert!(share > 0.3, "{share}");
    }

    fn displacement(measured: Vec<f64>) -> Channel {
        Channel {
            output: Output::Displacement,
            dof: 0,
            measured,
            noise: None,
        }
    }

    fn load(values: impl Fn(f64) -> f64) -> Load {
        let time: Vec<f64> = (0..200).map(|i| f64::from(i) / 200.0).collect();
        let values = time.iter().map(|&t| values(t)).collect();
        Load::new(time).unwrap().on(1, values).unwrap()
    }

    fn history(values: impl Fn(f64) -> f64) -> Vec<f64> {
        (0..200).map(|i| values(f64::from(i) / 200.0)).collect()
    }

    #[test]
    fn a_steady_period_is_periodic_wherever_it_is_cut() {
        let drive = load(|t| (TAU * t).sin());
        for phase in [0.0, 0.3, 1.2] {
            let x = history(|t| (TAU * t - phase).sin());
            assert_eq!(
                initial_state(&[displacement(x)], &drive),
                InitialState::Periodic
            );
        }
    }

    #[test]
    fn a_response_that_builds_up_is_at_rest_and_one_that_goes_on_is_estimated() {
        let drive = load(|t| (TAU * t).sin());
        let grows = history(|t| t * t * (3.0 * TAU * t).sin());
        assert_eq!(
            initial_state(&[displacement(grows)], &drive),
            InitialState::AtRest
        );
        let goes_on = history(|t| 1.0 + t + 0.3 * (2.3 * TAU * t).sin());
        assert_eq!(
            initial_state(&[displacement(goes_on)], &drive),
            InitialState::Estimated
        );
    }
}
