//! A typical motion of a part, for choosing sub-steps without a record.

use crate::choose::{ACCURACY, choose};
use crate::error::SimError;
use crate::motion::Motion;
use crate::numerics::Numerics;
use masing_model::{Model, MotionKind, Validity};
use std::f64::consts::TAU;

/// Samples of a cycle from which sub-steps are chosen.
const SAMPLES: usize = 100;
/// Cycles of the usual motion.
const CYCLES: usize = 3;

/// The assumed range of a model without a stated one: 1 mm (0.1 rad) at 1 Hz.
fn assumed(motion: MotionKind) -> Validity {
    let amplitude = match motion {
        MotionKind::Translation => 1e-3,
        MotionKind::Rotation => 0.1,
    };
    Validity {
        displacement: [-amplitude, amplitude],
        speed: TAU * amplitude,
        frequency: Some([1.0, 1.0]),
    }
}

/// The highest speed of the typical motion.
pub(crate) fn usual_speed(model: &Model) -> f64 {
    let tests = model.validity.unwrap_or_else(|| assumed(model.motion()));
    if tests.speed.is_finite() && tests.speed > 0.0 {
        tests.speed
    } else {
        assumed(model.motion()).speed
    }
}

/// Three cycles of a sine over the whole range of the tests, at their highest speed, from rest at
/// the lowest point, with that many samples per cycle.
pub fn usual_motion(model: &Model, samples: usize) -> Result<Motion, SimError> {
    let tests = model.validity.unwrap_or_else(|| assumed(model.motion()));
    let [low, high] = tests.displacement;
    let amplitude = 0.5 * (high - low);
    let by_speed = tests.speed / (TAU * amplitude);
    let frequency = if by_speed.is_finite() && by_speed > 0.0 {
        by_speed
    } else {
        tests.frequency.map_or(1.0, |[_, highest]| highest)
    };
    let frequency = if frequency > 0.0 { frequency } else { 1.0 };
    let at = |i: usize| TAU * i as f64 / samples as f64;
    let rows = 0..=samples * CYCLES;
    let time = rows.clone().map(|i| at(i) / (TAU * frequency)).collect();
    let middle = 0.5 * (low + high);
    let x = rows
        .clone()
        .map(|i| middle - amplitude * at(i).cos())
        .collect();
    let v = rows.map(|i| amplitude * TAU * frequency * at(i).sin());
    Motion::new(time, x, Some(v.collect()))
}

/// Sub-steps that follow the usual motion to the default accuracy.
pub fn usual_limits(model: &Model) -> Result<Numerics, SimError> {
    let motion = usual_motion(model, SAMPLES)?;
    choose(model.assembly(), model.element_values(), &motion, ACCURACY)
}
