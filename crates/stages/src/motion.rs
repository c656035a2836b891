//! A fast record: torque on an inertia and its motion, completed by integration and differentiation.

use super::device::Device;
use super::error::StagesError;
use super::paths::ends;
use super::rest::{Mended, angle_offset, from_acceleration, velocity_zero};

/// What a rig gives. Channels that were not measured are left out.
#[derive(Clone, Debug, Default)]
pub struct FastRecord {
    /// Time (s), growing.
    pub time: Vec<f64>,
    /// Torque on the inertia.
    pub torque: Vec<f64>,
    /// Angle.
    pub angle: Option<Vec<f64>>,
    /// Velocity.
    pub velocity: Option<Vec<f64>>,
    /// Acceleration.
    pub acceleration: Option<Vec<f64>>,
}

/// The channel that a simulation is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// The angle.
    Angle,
    /// The velocity.
    Velocity,
    /// The acceleration.
    Acceleration,
}

/// A fast record with all channels.
#[derive(Clone, Debug)]
pub struct Motion {
    /// Time (s).
    pub time: Vec<f64>,
    /// Torque on the inertia.
    pub torque: Vec<f64>,
    /// Angle.
    pub angle: Vec<f64>,
    /// Velocity.
    pub velocity: Vec<f64>,
    /// Acceleration.
    pub acceleration: Vec<f64>,
    /// Inertia.
    pub inertia: f64,
    /// What was measured best: velocity, or angle, or acceleration.
    pub measured: Measured,
    /// Its noise, estimated from the record itself.
    pub noise: f64,
    /// Noise of the velocity.
    pub velocity_noise: f64,
    /// Torque before the release.
    pub first_torque: f64,
    /// Whether the angle at the start was measured; otherwise it follows from the torque.
    pub start_known: bool,
    /// Corrections where the record did not begin in equilibrium or end at rest.
    pub mended: Mended,
}

/// Fewest samples.
const FEWEST_SAMPLES: usize = 50;
/// Samples to either side of a local parabola.
const HALF: usize = 3;

impl Motion {
    /// Completes a record. Without an angle the record starts at rest where the device carries its first torque.
    pub fn of(record: &FastRecord, device: &Device, inertia: f64) -> Result<Self, StagesError> {
        if !(inertia > 0.0 && inertia.is_finite()) {
            return Err(StagesError::Inertia { value: inertia });
        }
        let n = record.time.len();
        if n < FEWEST_SAMPLES {
            return Err(StagesError::TooFewSamples {
                found: n,
                expected: FEWEST_SAMPLES,
            });
        }
        let given = [
            ("angle", record.angle.as_ref()),
            ("velocity", record.velocity.as_ref()),
            ("acceleration", record.acceleration.as_ref()),
            ("time", Some(&record.time)),
            ("torque", Some(&record.torque)),
        ];
        for (what, values) in given {
            let Some(values) = values else { continue };
            let found = values.iter().filter(|v| v.is_finite()).count();
            if found != n || values.len() != n {
                return Err(StagesError::Incomplete {
                    what,
                    found,
                    expected: n,
                });
            }
        }
        let time = &record.time;
        let first_torque = held_at_first(&record.torque);
        let equilibrium = start_angle(device, first_torque);
        let mut mended = Mended::default();
        let angle = record.angle.clone().map(|mut angle| {
            let known = equilibrium.as_ref().ok();
            mended.angle = known.and_then(|e| angle_offset(device, angle[0], *e));
            for x in &mut angle {
                *x += mended.angle.unwrap_or(0.0);
            }
            angle
        });
        let (measured, velocity, angle) = match (&record.velocity, angle, &record.acceleration) {
            (Some(velocity), angle, _) => {
                let mut velocity = velocity.clone();
                mended.velocity = velocity_zero(&velocity, noise_of(&velocity));
                for v in &mut velocity {
                    *v -= mended.velocity.unwrap_or(0.0);
                }
                let angle = match angle {
                    Some(angle) => angle,
                    None => integral(time, &velocity, equilibrium?),
                };
                (Measured::Velocity, velocity, angle)
            }
            (None, Some(angle), _) => (Measured::Angle, slopes(time, &angle), angle),
            (None, None, Some(a)) => {
                let start = equilibrium?;
                let end = device.elastic().inverse(tail_mean(&record.torque));
                let ends = [start, end.unwrap_or(start)];
                let (velocity, angle, wander) =
                    from_acceleration(time, a, noise_of(a), device, ends);
                mended.wander = wander;
                (Measured::Acceleration, velocity, angle)
            }
            (None, None, None) => return Err(StagesError::NoMotion),
        };
        let acceleration = record.acceleration.clone();
        let acceleration = acceleration.unwrap_or_else(|| slopes(time, &velocity));
        let noise = noise_of(match measured {
            Measured::Angle => &angle,
            Measured::Velocity => &velocity,
            Measured::Acceleration => &acceleration,
        });
        let moved = |v: &[f64]| v.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        if moved(&velocity) == 0.0 {
            return Err(StagesError::Constant { what: "motion" });
        }
        Ok(Self {
            velocity_noise: noise_of(&velocity).max(1e-6 * moved(&velocity)),
            noise: noise.max(
                1e-6 * match measured {
                    Measured::Angle => moved(&angle),
                    Measured::Velocity => moved(&velocity),
                    Measured::Acceleration => moved(&acceleration),
                },
            ),
            time: time.clone(),
            torque: record.torque.clone(),
            angle,
            velocity,
            acceleration,
            inertia,
            measured,
            first_torque,
            start_known: record.angle.is_some() && mended.angle.is_none(),
            mended,
        })
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.time.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    /// Mean time between samples.
    pub fn step(&self) -> f64 {
        (self.time[self.len() - 1] - self.time[0]) / (self.len() - 1) as f64
    }

    /// The largest speed.
    pub fn peak_speed(&self) -> f64 {
        self.velocity.iter().fold(0.0, |m, v| m.max(v.abs()))
    }

    /// The same motion from a start where friction carries a part of the first torque.
    pub(super) fn begun(&self, device: &Device, carried: f64) -> Result<Self, StagesError> {
        let first_torque = self.first_torque + carried;
        let shift = start_angle(device, first_torque)? - start_angle(device, self.first_torque)?;
        let mut moved = self.clone();
        if moved.measured != Measured::Angle {
            for x in &mut moved.angle {
                *x += shift;
            }
            moved.mended.start = Some(shift);
        }
        moved.first_torque = first_torque;
        Ok(moved)
    }

    /// Mean speed at the start, relative to the peak speed.
    pub(super) fn first_speed(&self) -> f64 {
        let first = &self.velocity[..self.len().min(2)];
        let mean = first.iter().sum::<f64>().abs() / first.len().max(1) as f64;
        mean / self.peak_speed().max(f64::MIN_POSITIVE)
    }

    /// The largest kinetic energy over the product of the ranges of torque and angle.
    pub(super) fn kinetic_share(&self) -> f64 {
        let range = |values: &[f64]| {
            let [low, high] = ends(values);
            high - low
        };
        let work = range(&self.torque) * range(&self.angle);
        0.5 * self.inertia * self.peak_speed().powi(2) / work.max(f64::MIN_POSITIVE)
    }

    /// The channel that was measured.
    pub fn channel(&self) -> &[f64] {
        match self.measured {
            Measured::Angle => &self.angle,
            Measured::Velocity => &self.velocity,
            Measured::Acceleration => &self.acceleration,
        }
    }

    /// The torque at the end: the mean of the last hundredth.
    pub fn last_torque(&self) -> f64 {
        tail_mean(&self.torque)
    }

    /// The share of every sample in an integral over time (trapezoids).
    pub(super) fn shares(&self) -> Vec<f64> {
        let t = &self.time;
        let n = t.len();
        let at = |i: usize| 0.5 * (t[(i + 1).min(n - 1)] - t[i.saturating_sub(1)]);
        (0..n).map(at).collect()
    }
}

/// The mean of the last hundredth.
fn tail_mean(values: &[f64]) -> f64 {
    let tail = &values[values.len() - values.len().div_ceil(100)..];
    tail.iter().sum::<f64>() / tail.len() as f64
}

/// Where the device is at rest under a torque.
pub(super) fn start_angle(device: &Device, torque: f64) -> Result<f64, StagesError> {
    let (low, high) = (device.torques[0], device.torques[device.len() - 1]);
    let inside = torque >= low - 0.05 * (high - low) && torque <= high + 0.05 * (high - low);
    let found = device.elastic().inverse(torque);
    found
        .filter(|_| inside)
        .ok_or(StagesError::NoStart { torque, low, high })
}

/// The first value, or the mean of the first values that agree with it within noise.
fn held_at_first(torque: &[f64]) -> f64 {
    let noise = noise_of(torque);
    let held = torque
        .iter()
        .take_while(|t| (**t - torque[0]).abs() <= 5.0 * noise)
        .count();
    let held = &torque[..held.max(1)];
    held.iter().sum::<f64>() / held.len() as f64
}

/// Standard deviation of the noise from sample to sample: from fourth differences, without outliers.
pub(super) fn noise_of(values: &[f64]) -> f64 {
    let fourth: Vec<f64> = values
        .windows(5)
        .map(|w| w[0] - 4.0 * w[1] + 6.0 * w[2] - 4.0 * w[3] + w[4])
        .collect();
    if fourth.is_empty() {
        return 0.0;
    }
    let mut sizes: Vec<f64> = fourth.iter().map(|d| d.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    let robust = sizes[sizes.len() / 2] / 0.674_49;
    // Impacts stand out; beyond four deviations a Gaussian has one value in 16000.
    let inner: Vec<f64> = sizes
        .into_iter()
        .take_while(|d| *d <= 4.0 * robust)
        .collect();
    let square = inner.iter().map(|d| d * d).sum::<f64>() / inner.len().max(1) as f64;
    (square / 70.0).sqrt()
}

/// The integral over time, from a first value.
pub(super) fn integral(time: &[f64], rate: &[f64], first: f64) -> Vec<f64> {
    let mut sum = first;
    let mut out = vec![first];
    for i in 1..time.len() {
        sum += 0.5 * (rate[i - 1] + rate[i]) * (time[i] - time[i - 1]);
        out.push(sum);
    }
    out
}

/// The slope of the parabola through seven neighbours (Savitzky and Golay, 1964), whatever their spacing.
pub(super) fn slopes(time: &[f64], values: &[f64]) -> Vec<f64> {
    let n = time.len();
    let window = (2 * HALF + 1).min(n);
    (0..n)
        .map(|i| {
            let from = i.saturating_sub(HALF).min(n - window);
            let scale = (time[from + window - 1] - time[from]).max(f64::MIN_POSITIVE);
            // Moments of u = (t - t_i) / scale against 1, u, u^2.
            let (mut s, mut y) = ([0.0; 5], [0.0; 3]);
            for k in from..from + window {
                let u = (time[k] - time[i]) / scale;
                let mut power = 1.0;
                for (order, sum) in s.iter_mut().enumerate() {
                    *sum += power;
                    if order < 3 {
                        y[order] += power * values[k];
                    }
                    power *= u;
                }
            }
            // Cramer's rule for the coefficient of u.
            let det = |a: [f64; 3], b: [f64; 3], c: [f64; 3]| {
                a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
                    + a[2] * (b[0] * c[1] - b[1] * c[0])
            };
            let whole = det([s[0], s[1], s[2]], [s[1], s[2], s[3]], [s[2], s[3], s[4]]);
            let slope = det([s[0], y[0], s[2]], [s[1], y[1], s[3]], [s[2], y[2], s[4]]);
            if whole == 0.0 {
                0.0
            } else {
                slope / whole / scale
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parabolas_are_exact_on_any_grid() {
        let time: Vec<f64> = (0..40)
            .map(|i| f64::from(i) + 0.3 * f64::from(i).sin())
            .collect();
        let values: Vec<f64> = time.iter().map(|t| 1.0 - 2.0 * t + 0.1 * t * t).collect();
        for (slope, t) in slopes(&time, &values).iter().zip(&time) {
            assert!((slope - (0.2 * t - 2.0)).abs() < 1e-9);
        }
    }

    #[test]
    fn smooth_signals_have_no_noise() {
        let smooth: Vec<f64> = (0..500).map(|i| (0.02 * f64::from(i)).sin()).collect();
        assert!(noise_of(&smooth) < 1e-7);
        assert_eq!(noise_of(&[1.0]), 0.0);
    }
}
