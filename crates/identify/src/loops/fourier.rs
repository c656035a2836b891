//! Displacement without its noise: a Fourier series with as many harmonics as the record supports.
//!
//! Noise on the displacement is not noise on the force: a fit that takes the displacement as it was
//! measured finds wrong parameters, however long the record. A periodic motion is described by a few
//! numbers, which all samples together determine far better than each sample on its own. Their number
//! minimises n ln(rss/n) + (2 H + 1) ln n, the frequency the sum of squares.

use crate::test::MotionRecord;
use masing_sim::{Motion, SimError};
use nalgebra::{DMatrix, DVector};
use std::f64::consts::TAU;

/// Most harmonics that are tried.
const MOST: usize = 60;
/// Samples for every number of the series.
const SAMPLES_EACH: usize = 3;
/// Harmonics with which the frequency is sought.
const ROUGH: usize = 3;
/// Steps of the search for the frequency.
const STEPS: usize = 60;
/// Share of the displacement's power that the series of a periodic motion may leave unexplained.
const NOT_PERIODIC: f64 = 1e-3;

/// The series behind a displacement.
#[derive(Clone, Debug)]
pub struct Fourier {
    /// Cycles per second.
    pub frequency: f64,
    /// Harmonics.
    pub harmonics: usize,
    /// Standard deviation of the residual of the series.
    pub noise: f64,
    /// The record with the displacement of the series.
    pub record: MotionRecord,
}

/// Replaces the displacement of a periodic record by its series; `None` for a motion that is not
/// periodic.
pub fn fourier(rig: &MotionRecord) -> Result<Option<Fourier>, SimError> {
    let (t, x) = (rig.motion.time(), rig.motion.x());
    let n = x.len();
    let Some(first) = rough_frequency(t, x) else {
        return Ok(None);
    };
    // Within half a cycle over the record; a record of one cycle knows its frequency less well.
    let width = 0.3 / (t[n - 1] - t[0]);
    let frequency = narrowest(first - width.min(0.5 * first), first + width, |f| {
        Series::new(t, x, f, ROUGH.min(n / 8)).left(ROUGH)
    });
    let most = (n / SAMPLES_EACH).saturating_sub(1) / 2;
    let most = most.min(MOST);
    if most == 0 {
        return Ok(None);
    }
    let series = Series::new(t, x, frequency, most);
    let count = n as f64;
    let criterion = |h: usize| {
        let left = (series.left(h) / count).max(f64::MIN_POSITIVE);
        count * left.ln() + (2 * h + 1) as f64 * count.ln()
    };
    let best = (1..=most).min_by(|&a, &b| criterion(a).total_cmp(&criterion(b)));
    let harmonics = best.unwrap_or(1);
    let left = series.left(harmonics);
    let mean = x.iter().sum::<f64>() / count;
    let power: f64 = x.iter().map(|x| (x - mean).powi(2)).sum();
    if !(left <= NOT_PERIODIC * power) {
        return Ok(None);
    }
    let Some((x, v)) = series.at(t, harmonics) else {
        return Ok(None);
    };
    let freedom = (count - (2 * harmonics + 1) as f64).max(1.0);
    Ok(Some(Fourier {
        frequency,
        harmonics,
        noise: (left / freedom).sqrt(),
        record: MotionRecord {
            motion: Motion::new(t.to_vec(), x, Some(v))?,
            ..rig.clone()
        },
    }))
}

/// Cycles per second, from crossings of the middle in one direction, with room for noise.
fn rough_frequency(t: &[f64], x: &[f64]) -> Option<f64> {
    let low = x.iter().copied().fold(f64::INFINITY, f64::min);
    let high = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (middle, room) = (0.5 * (low + high), 0.1 * (high - low));
    let crossings = |direction: f64| {
        let mut before = false;
        let mut at = Vec::new();
        for (t, x) in t.iter().zip(x) {
            let way = direction * (x - middle);
            if way < -room {
                before = true;
            } else if before && way >= 0.0 {
                at.push(*t);
                before = false;
            }
        }
        at
    };
    let (rising, falling) = (crossings(1.0), crossings(-1.0));
    let more = if falling.len() > rising.len() {
        falling
    } else {
        rising
    };
    let whole = t[t.len() - 1] - t[0];
    match more.as_slice() {
        [first, .., last] => Some((more.len() - 1) as f64 / (last - first)),
        // One cycle, begun anywhere, that comes back.
        [_] if (x[x.len() - 1] - x[0]).abs() < room => Some(1.0 / whole),
        _ => None,
    }
}

/// The point of the interval at which `f` is smallest: golden section.
fn narrowest(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let share = 0.5 * (5_f64.sqrt() - 1.0);
    let (mut a, mut b) = (high - share * (high - low), low + share * (high - low));
    let (mut fa, mut fb) = (f(a), f(b));
    for _ in 0..STEPS {
        if fa < fb {
            (high, b, fb) = (b, a, fa);
            a = high - share * (high - low);
            fa = f(a);
        } else {
            (low, a, fa) = (a, b, fb);
            b = low + share * (high - low);
            fb = f(b);
        }
    }
    0.5 * (low + high)
}

/// Least squares of a series, all shorter ones included: columns 1, cos, sin, cos 2, sin 2, ...
struct Series {
    frequency: f64,
    start: f64,
    r: DMatrix<f64>,
    projected: DVector<f64>,
}

impl Series {
    fn new(t: &[f64], x: &[f64], frequency: f64, harmonics: usize) -> Self {
        let start = t[0];
        let matrix = DMatrix::from_fn(t.len(), 2 * harmonics + 1, |i, j| {
            basis(TAU * frequency * (t[i] - start), j).0
        });
        let qr = matrix.qr();
        let mut projected = DVector::from_column_slice(x);
        qr.q_tr_mul(&mut projected);
        Self {
            frequency,
            start,
            r: qr.r(),
            projected,
        }
    }

    /// Residual sum of squares with that many harmonics.
    fn left(&self, harmonics: usize) -> f64 {
        let used = (2 * harmonics + 1).min(self.r.ncols());
        self.projected.iter().skip(used).map(|p| p * p).sum()
    }

    /// Displacement and velocity of the series.
    fn at(&self, t: &[f64], harmonics: usize) -> Option<(Vec<f64>, Vec<f64>)> {
        let used = 2 * harmonics + 1;
        let r = self.r.view((0, 0), (used, used)).into_owned();
        let c = r.solve_upper_triangular(&self.projected.rows(0, used).into_owned())?;
        if !c.iter().all(|c| c.is_finite()) {
            return None;
        }
        let rate = TAU * self.frequency;
        let each = t.iter().map(|t| {
            let phase = rate * (t - self.start);
            c.iter().enumerate().fold((0.0, 0.0), |(x, v), (j, c)| {
                let (value, slope) = basis(phase, j);
                (x + c * value, v + c * slope * rate)
            })
        });
        Some(each.unzip())
    }
}

/// The function of column `j` and its derivative by the phase.
fn basis(phase: f64, j: usize) -> (f64, f64) {
    let h = j.div_ceil(2) as f64;
    let (sin, cos) = (h * phase).sin_cos();
    match j {
        0 => (1.0, 0.0),
        j if j % 2 == 1 => (cos, -h * sin),
        _ => (sin, h * cos),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rig(x: impl Fn(f64) -> f64, samples: u32) -> MotionRecord {
        let time: Vec<f64> = (0..samples).map(|i| f64::from(i) * 1e-3).collect();
        let x: Vec<f64> = time.iter().map(|&t| x(t)).collect();
        let force = vec![0.0; x.len()];
        MotionRecord::new(Motion::new(time, x, None).unwrap(), force)
    }

    #[test]
    fn harmonics_and_frequency_are_found_under_noise() {
        let clean = |t: f64| (TAU * 3.1 * t).sin() + 0.1 * (3.0 * TAU * 3.1 * t).cos() + 0.2;
        let mut state = 1_u64;
        let noise: Vec<f64> = (0..1000)
            .map(|_| {
                let uniform = (0..12).map(|_| {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    (state >> 11) as f64 / (1_u64 << 53) as f64
                });
                1e-3 * (uniform.sum::<f64>() - 6.0)
            })
            .collect();
        let noisy = rig(|t| clean(t) + noise[(t * 1e3).round() as usize], 1000);
        let found = fourier(&noisy).unwrap().unwrap();
        assert_eq!(found.harmonics, 3);
        // Four times what the noise lets a record of three cycles know.
        assert!((found.frequency - 3.1).abs() < 2e-4, "{}", found.frequency);
        assert!((found.noise / 1e-3 - 1.0).abs() < 0.1, "{}", found.noise);
        let motion = &found.record.motion;
        for (t, x) in motion.time().iter().zip(motion.x()) {
            // The noise over sqrt(1000/7), four times, and a little more at the ends.
            assert!((x - clean(*t)).abs() < 6e-4);
        }
    }

    #[test]
    fn a_ramp_is_not_periodic() {
        assert!(fourier(&rig(|t| t, 500)).unwrap().is_none());
        let sweep = rig(|t| (TAU * (2.0 + 8.0 * t) * t).sin(), 1000);
        assert!(fourier(&sweep).unwrap().is_none());
    }
}
