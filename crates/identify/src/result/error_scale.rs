//! What the error of a test is relative to.

use crate::names::Names;
use crate::test::{Output, Test};
use masing_data::range;

/// In words: `rms force`; `the table's values`.
pub fn measured_by(target: &Test, names: &Names) -> String {
    match target.outputs().as_slice() {
        [] => "the table's values".to_owned(),
        [output] => format!("rms {}", channel_name(*output, names)),
        _ => "the rms of each channel".to_owned(),
    }
}

/// The SI unit of the residuals; none where channels of several kinds are compared.
pub fn unit(target: &Test, names: &Names) -> Option<&'static str> {
    let outputs = target.outputs();
    let Some(first) = outputs.first() else {
        return Some("1");
    };
    let quantity = match first {
        Output::Displacement => names.length,
        Output::Velocity => names.velocity,
        Output::Acceleration => names.acceleration,
        Output::Force => names.load,
    };
    outputs.iter().all(|o| o == first).then(|| quantity.si())
}

fn channel_name(output: Output, names: &Names) -> &'static str {
    match output {
        Output::Displacement => names.displacement,
        Output::Velocity => "velocity",
        Output::Acceleration => "acceleration",
        Output::Force => names.force,
    }
}

/// Share of the rms force above which a mean force makes the error look small.
const LARGE_MEAN: f64 = 0.5;

/// Rms of the whole force over that of its alternating part, where the mean is large.
pub fn alternating(target: &Test) -> Option<f64> {
    let rig = target.motion_record()?;
    // A ramp that is held has a mean as well, but nothing alternates in it.
    let x = &rig.motion.x()[rig.window.clone()];
    let (low, high) = range(x);
    let above = |x: &f64| *x > f64::midpoint(low, high);
    let crossings = x
        .windows(2)
        .filter(|w| above(&w[0]) != above(&w[1]))
        .count();
    if crossings < 2 {
        return None;
    }
    let count = rig.samples().count() as f64;
    let mean = rig.samples().map(|i| rig.force[i]).sum::<f64>() / count;
    let square = |about: f64| {
        let each = rig.samples().map(|i| (rig.force[i] - about).powi(2));
        each.sum::<f64>() / count
    };
    let (whole, alternating) = (square(0.0), square(mean));
    (mean.abs() > LARGE_MEAN * whole.sqrt() && alternating > 0.0)
        .then(|| (whole / alternating).sqrt())
}
