//! Records of devices without stages are refused, with what speaks against them.

mod dampers;

use dampers::Noise;
use masing_diagnostic::NoStages;
use masing_stages::{QuasiStatic, SlowOptions, StagesError, characterise};

/// A straight motion from corner to corner, 3000 samples each.
fn motion(corners: &[f64]) -> Vec<f64> {
    let each = corners.windows(2).flat_map(|w| {
        let (from, to) = (w[0], w[1]);
        (0..3000).map(move |i| from + (to - from) * f64::from(i) / 3000.0)
    });
    each.collect()
}

/// The torque along a motion, from the angle, its step, and a state; with noise of 0.3.
fn record(angle: &[f64], mut law: impl FnMut(f64, f64, &mut f64) -> f64) -> Vec<f64> {
    let (mut noise, mut state) = (Noise::new(5), 0.0);
    let mut last = angle[0];
    let each = angle.iter().map(|x| {
        let step = x - std::mem::replace(&mut last, *x);
        law(*x, step, &mut state) + 0.3 * noise.gaussian()
    });
    each.collect()
}

/// Hysteresis that builds up to 100 over 0.2: Bouc-Wen with n = 1.
fn hysteresis(step: f64, state: &mut f64) -> f64 {
    *state += 500.0 * step - 5.0 * step.abs() * *state;
    *state
}

fn found(
    angle: &[f64],
    torque: &[f64],
    stages: Option<[usize; 2]>,
) -> Result<QuasiStatic, StagesError> {
    characterise(angle, torque, &SlowOptions { stages })
}

fn refused(angle: &[f64], torque: &[f64]) -> NoStages {
    match found(angle, torque, None) {
        Err(StagesError::NoStages { why }) => why,
        other => panic!("{:?}", other.map(|found| found.device)),
    }
}

#[test]
fn friction_without_springs() {
    let angle = motion(&[0.0, 1.0, -1.0, 0.0]);
    let torque = record(&angle, |x, step, _| 20.0 * x + 60.0 * step.signum());
    let why = refused(&angle, &torque);
    assert!(
        matches!(why, NoStages::Friction { ratio } if ratio < 0.4),
        "{why:?}"
    );
}

/// A first loading with one or two loops after it, and beside a stiff spring.
#[test]
fn friction_that_builds_up() {
    for (corners, spring) in [
        (&[0.0, 1.0, -1.0, 0.0][..], 200.0),
        (&[0.0, 1.0, -1.0, 1.0, -1.0], 200.0),
        (&[0.0, 1.0, -1.0, 1.0], 2000.0),
    ] {
        let angle = motion(corners);
        let torque = record(&angle, |x, step, z| spring * x + hysteresis(step, z));
        let why = refused(&angle, &torque);
        assert!(
            matches!(why, NoStages::BuildsUp { share } if share < 0.4),
            "{corners:?}: {why:?}"
        );
    }
}

/// A spring that hardens, with friction that is there at once.
#[test]
fn a_curve_without_corners() {
    let angle = motion(&[0.0, 1.0, -1.0, 0.0]);
    let torque = record(&angle, |x, step, _| {
        100.0 * x + 200.0 * x.powi(3) + 10.0 * step.signum()
    });
    let why = refused(&angle, &torque);
    assert!(
        matches!(why, NoStages::Smooth { stages, smooth } if smooth < stages),
        "{why:?}"
    );
    // Who says that there are stages gets them, and is told.
    let found = found(&angle, &torque, Some([3, 3])).expect("stages");
    let codes: Vec<&str> = found
        .diagnostics
        .iter()
        .map(|d| d.code().as_str())
        .collect();
    assert!(codes.contains(&"no-stages"), "{codes:?}");
}

/// Loops of growing amplitude: dry friction that grows outwards, as stages have it, and hysteresis inside.
#[test]
fn torque_that_depends_on_the_turns() {
    let amplitudes = [0.1, 0.2, 0.4, 0.7, 1.0];
    let corners: Vec<f64> = amplitudes.iter().flat_map(|a| [*a, -a, *a, -a]).collect();
    let angle = motion(&corners);
    let torque = record(&angle, |x, step, z| {
        let corner = 300.0 * (x.abs() - 0.5).max(0.0) * x.signum();
        200.0 * x + corner + 150.0 * x * x * step.signum() + hysteresis(step, z)
    });
    let why = refused(&angle, &torque);
    assert!(
        matches!(why, NoStages::Memory { share } if share > 0.2),
        "{why:?}"
    );
}
