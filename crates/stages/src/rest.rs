//! What is known of a fast record besides its channels: it begins in equilibrium and, often, ends at rest.
//!
//! An angle whose zero differs from that of the slow test, a velocity offset, an acceleration whose integrals drift:
//! each contradicts that, and is corrected.

use super::device::Device;
use super::motion::integral;
use super::polyline::place;

/// What had to be corrected.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mended {
    /// What was added to the measured angle, so that it carries the first torque.
    pub angle: Option<f64>,
    /// How far friction holds the start away from equilibrium, as estimated by the refinement.
    pub start: Option<f64>,
    /// The offset that was removed from the velocity, which was not zero at rest.
    pub velocity: Option<f64>,
    /// How far the angle, integrated twice, had drifted at the end.
    pub wander: Option<f64>,
}

/// The last part of a record, one in this many of its samples, is checked for rest.
const TAIL: usize = 20;
/// Largest spread of a channel at rest, in multiples of its noise.
const SPREAD: f64 = 8.0;
/// An offset counts above this many standard errors.
const STANDARD_ERRORS: f64 = 6.0;
/// A measured angle may differ from equilibrium by this many times the angle that friction can hold.
const HELD: f64 = 1.5;

/// How far from equilibrium friction can hold the device at an angle.
pub(super) fn held_by_friction(device: &Device, angle: f64) -> f64 {
    let (i, _) = place(&device.angles, angle);
    let stiffness = device.elastic().slope(i).abs();
    let held = device.friction_at(angle) / stiffness;
    // In a clearance it may rest anywhere.
    let width = device.angles[device.plus] - device.angles[device.minus];
    if held.is_finite() { held } else { width }
}

/// The correction that makes a measured angle begin where the device carries the first torque: zero where friction
/// can hold it there.
pub(super) fn angle_offset(device: &Device, first: f64, equilibrium: f64) -> Option<f64> {
    let range = device.angles[device.len() - 1] - device.angles[0];
    // Nodes of the slow test are known to about a thousandth of the range.
    let tolerance = HELD * held_by_friction(device, equilibrium) + 1e-3 * range;
    let offset = equilibrium - first;
    (offset.abs() > tolerance).then_some(offset)
}

/// The mean of the last part of a channel, if the motion is at rest there, and its standard error.
fn at_rest(values: &[f64], noise: f64) -> Option<(f64, f64)> {
    let tail = &values[values.len() - (values.len() / TAIL).max(1)..];
    let (low, high) = tail
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
            (l.min(*v), h.max(*v))
        });
    let n = tail.len() as f64;
    let still = tail.len() >= 10 && high - low <= SPREAD * noise;
    still.then(|| (tail.iter().sum::<f64>() / n, noise / n.sqrt()))
}

/// The offset of a measured velocity, where the record ends at rest and shows one.
pub(super) fn velocity_zero(velocity: &[f64], noise: f64) -> Option<f64> {
    let (mean, error) = at_rest(velocity, noise)?;
    (mean.abs() > STANDARD_ERRORS * error).then_some(mean)
}

/// Velocity and angle from an acceleration, and the drift of the angle. Where the record ends at rest, both are
/// corrected so that it does, within what friction can hold: a straight line is subtracted from the velocity, a smooth
/// step from the angle.
pub(super) fn from_acceleration(
    time: &[f64],
    acceleration: &[f64],
    noise: f64,
    device: &Device,
    [start, end]: [f64; 2],
) -> (Vec<f64>, Vec<f64>, Option<f64>) {
    let mut velocity = integral(time, acceleration, 0.0);
    let mut angle = integral(time, &velocity, start);
    if at_rest(acceleration, noise).is_none() {
        return (velocity, angle, None);
    }
    let n = time.len();
    let whole = time[n - 1] - time[0];
    let tail = n - (n / TAIL).max(1);
    let last = velocity[tail..].iter().sum::<f64>() / (n - tail) as f64;
    for (v, t) in velocity.iter_mut().zip(time) {
        *v -= last * ((t - time[0]) / whole).min(1.0);
    }
    angle = integral(time, &velocity, start);
    let off = angle[n - 1] - end;
    let wander = off.abs() - held_by_friction(device, end);
    if wander <= 0.0 {
        return (velocity, angle, None);
    }
    let wander = wander * off.signum();
    for i in 0..n {
        let u = (time[i] - time[0]) / whole;
        velocity[i] -= wander * 6.0 * u * (1.0 - u) / whole;
        angle[i] -= wander * u * u * (3.0 - 2.0 * u);
    }
    (velocity, angle, Some(wander))
}
