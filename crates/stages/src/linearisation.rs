//! Instantaneous stochastic linearisation: the transmitted torque as a straight line within a sliding window.
//!
//! G(t) = mean(A) + g (theta - mean(theta)), A = T - J alpha, g = cov(A, theta) / var(theta), all over the window (eqs 10 to
//! 17, with the removable quotient removed). Near a turning point the angle hardly changes within the window and g is left out.

use super::device::{Device, Stage};
use super::motion::Motion;
use super::paths::{ends, turns};

/// Transmitted torque under fast loading, and that of the slow device.
#[derive(Clone, Debug)]
pub struct Linearised {
    /// Width of the window (s).
    pub window: f64,
    /// Transmitted torque at every sample.
    pub torque: Vec<f64>,
    /// Torque of the slow device under the same motion.
    pub slow: Vec<f64>,
    /// Mean and largest difference of the two, relative to the largest torque.
    pub deviation: [f64; 2],
    /// Angle, fast and slow elastic torque where the velocity is zero.
    pub at_rest: Vec<[f64; 3]>,
    /// Mean and largest difference of the elastic torques there, relative to the largest torque.
    pub elastic_deviation: [f64; 2],
    /// First and last sample of the first full swing: from its first turning point to the one after the next.
    pub first_swing: Option<[usize; 2]>,
}

/// Share of the range of the motion below which the angle counts as constant within a window.
const STILL: f64 = 5e-4;

/// Swings smaller than this share of the range are not followed.
const SWING: f64 = 0.005;

/// Linearises within windows of that width.
pub fn linearise(motion: &Motion, device: &Device, eta: f64, window: f64) -> Linearised {
    let n = motion.len();
    let half = ((0.5 * window / motion.step()).round() as usize).max(1);
    let range = ends(&motion.angle);
    let still = STILL * (range[1] - range[0]);
    let transmitted: Vec<f64> = (0..n)
        .map(|i| motion.torque[i] - motion.inertia * motion.acceleration[i])
        .collect();
    let torque: Vec<f64> = (0..n)
        .map(|i| {
            let own = i.saturating_sub(half)..(i + half + 1).min(n);
            let count = own.len() as f64;
            let mean = |v: &[f64]| v[own.clone()].iter().sum::<f64>() / count;
            let (a, x) = (mean(&transmitted), mean(&motion.angle));
            let (mut xx, mut ax) = (0.0, 0.0);
            for k in own.clone() {
                let d = motion.angle[k] - x;
                xx += d * d / count;
                ax += d * (transmitted[k] - a) / count;
            }
            let slope = if xx.sqrt() < still { 0.0 } else { ax / xx };
            a + slope * (motion.angle[i] - x)
        })
        .collect();
    let elastic = device.elastic();
    let slow: Vec<f64> = (0..n)
        .map(|i| {
            let (x, v) = (motion.angle[i], motion.velocity[i]);
            elastic.at(x) + device.friction_at(x) * (eta * v).tanh()
        })
        .collect();
    // Turning points of the angle: the velocity also passes zero wherever it is only noise.
    let turns = turns(&motion.angle, SWING * (range[1] - range[0]));
    let inner = turns.get(1..turns.len().saturating_sub(1)).unwrap_or(&[]);
    let at_rest: Vec<[f64; 3]> = inner
        .iter()
        .map(|&i| [motion.angle[i], torque[i], elastic.at(motion.angle[i])])
        .collect();
    let scale = device.largest_torque().max(f64::MIN_POSITIVE);
    let spread = |pairs: &mut dyn Iterator<Item = (f64, f64)>| {
        let (mut sum, mut largest, mut count) = (0.0, 0.0_f64, 0.0);
        for (a, b) in pairs {
            let off = (a - b).abs() / scale;
            (sum, largest, count) = (sum + off, largest.max(off), count + 1.0);
        }
        [sum / f64::max(count, 1.0), largest]
    };
    Linearised {
        window: (2 * half + 1) as f64 * motion.step(),
        deviation: spread(&mut torque.iter().copied().zip(slow.iter().copied())),
        elastic_deviation: spread(&mut at_rest.iter().map(|[_, a, b]| (*a, *b))),
        first_swing: turns.get(1).zip(turns.get(3)).map(|(a, b)| [*a, *b]),
        torque,
        slow,
        at_rest,
    }
}

impl Linearised {
    /// Turning points in every stage that has some, and the largest difference of the elastic torques at them, of the
    /// largest torque.
    pub fn by_stage(&self, device: &Device) -> Vec<(Stage, usize, f64)> {
        let scale = device.largest_torque().max(f64::MIN_POSITIVE);
        let within = |stage: &Stage, angle: f64| {
            let (low, high) = (stage.inner.min(stage.outer), stage.inner.max(stage.outer));
            angle > device.angles[low] && angle <= device.angles[high]
        };
        let each = device.stages().into_iter().map(|stage| {
            let own = self.at_rest.iter().filter(|row| within(&stage, row[0]));
            let (count, largest) = own.fold((0, 0.0_f64), |(n, m), [_, a, b]| {
                (n + 1, m.max((a - b).abs() / scale))
            });
            (stage, count, largest)
        });
        each.filter(|(_, count, _)| *count > 0).collect()
    }
}
