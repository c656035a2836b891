//! A slow record over time: torque and its rate, measured and of the device.
//!
//! Every stretch in one direction is differentiated by itself, because the friction jumps where the direction turns.

use super::motion::slopes;
use super::quasi_static::QuasiStatic;

/// Torque over time, path after path.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// Time (s).
    pub time: Vec<f64>,
    /// Measured torque: means of neighbours where there are many samples.
    pub torque: Vec<f64>,
    /// Torque of the device at the same angles.
    pub device: Vec<f64>,
    /// Rate of the measured torque.
    pub torque_rate: Vec<f64>,
    /// Rate of the torque of the device.
    pub device_rate: Vec<f64>,
    /// Mean and largest difference of the rates, relative to the largest torque per second.
    pub rate_deviation: [f64; 2],
}

/// Above this number of samples in a stretch, neighbours are averaged: rates of single samples are mostly
/// noise.
const MOST: usize = 500;
/// Fewest samples of a stretch.
const SHORTEST_RUN: usize = 7;

impl Course {
    /// The course of a record whose device is known. None where time does not grow or the record does not
    /// match.
    pub fn of(time: &[f64], angle: &[f64], torque: &[f64], found: &QuasiStatic) -> Option<Self> {
        let count = time.len().min(angle.len()).min(torque.len());
        let kept: Vec<usize> = (0..count)
            .filter(|&i| angle[i].is_finite() && torque[i].is_finite())
            .collect();
        let direction = &found.paths.direction;
        let grows = kept.windows(2).all(|w| time[w[1]] > time[w[0]]);
        if direction.len() != kept.len() || !grows {
            return None;
        }
        let mut out = Self::default();
        for range in stretches(direction) {
            let sense = f64::from(direction[range.start]);
            let own = &kept[range];
            let group = own.len().div_ceil(MOST).max(1);
            let mean = |value: &dyn Fn(usize) -> f64| -> Vec<f64> {
                let groups = own.chunks(group);
                groups
                    .map(|g| g.iter().map(|&i| value(i)).sum::<f64>() / g.len() as f64)
                    .collect()
            };
            let at = mean(&|i| time[i]);
            let measured = mean(&|i| torque[i] - found.zero);
            let device = mean(&|i| found.predicted(angle[i], sense));
            out.torque_rate.extend(slopes(&at, &measured));
            out.device_rate.extend(slopes(&at, &device));
            out.time.extend(at);
            out.torque.extend(measured);
            out.device.extend(device);
        }
        if out.time.is_empty() {
            return None;
        }
        let scale = found.device.largest_torque().max(f64::MIN_POSITIVE);
        let pairs = out.torque_rate.iter().zip(&out.device_rate);
        let (sum, largest) = pairs
            .map(|(a, b)| (a - b).abs() / scale)
            .fold((0.0, 0.0_f64), |(s, m), d| (s + d, m.max(d)));
        out.rate_deviation = [sum / out.time.len() as f64, largest];
        Some(out)
    }
}

/// Stretches of one direction that are long enough.
fn stretches(direction: &[i8]) -> Vec<std::ops::Range<usize>> {
    let mut out = Vec::new();
    let mut from = 0;
    for to in 1..=direction.len() {
        if direction.get(to) != Some(&direction[from]) {
            if direction[from] != 0 && to - from >= SHORTEST_RUN {
                out.push(from..to);
            }
            from = to;
        }
    }
    out
}
