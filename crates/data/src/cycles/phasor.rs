//! First harmonic of a signal over a whole number of cycles.
//!
//! X1 = 2/T integral of (x - mean) exp(-i w t) dt, by the trapezoid rule on the samples.

use super::{between, positions};

/// A complex amplitude.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Phasor {
    /// Part in phase with the cosine.
    pub re: f64,
    /// Part ahead of it by a quarter period.
    pub im: f64,
}

impl Phasor {
    /// Amplitude zero to peak.
    pub fn size(self) -> f64 {
        self.re.hypot(self.im)
    }

    /// Phase, rad.
    pub fn angle(self) -> f64 {
        self.im.atan2(self.re)
    }

    fn over(self, other: Phasor) -> Phasor {
        let d = other.re * other.re + other.im * other.im;
        Phasor {
            re: (self.re * other.re + self.im * other.im) / d,
            im: (self.im * other.re - self.re * other.im) / d,
        }
    }
}

/// First harmonic between two positions (in samples), taken as one period. Missing samples are passed over while
/// they are few and not at the ends, which fix the period and the phase.
pub fn first_harmonic(time: &[f64], values: &[f64], from: f64, to: f64) -> Option<Phasor> {
    let all: Vec<(f64, f64)> = positions(from, to)
        .map(|p| (between(time, p), between(values, p)))
        .collect();
    let sound = |(t, v): &(f64, f64)| t.is_finite() && v.is_finite();
    let (first, last) = (all.first()?, all.last()?);
    let points: Vec<(f64, f64)> = all.iter().copied().filter(sound).collect();
    let missing = all.len() - points.len();
    let (begin, period) = (first.0, last.0 - first.0);
    if !(sound(first) && sound(last))
        || points.len() < 5
        || 10 * missing > points.len()
        || period <= 0.0
    {
        return None;
    }
    let integral = |g: &dyn Fn(f64, f64) -> f64| -> f64 {
        points
            .windows(2)
            .map(|w| 0.5 * (w[1].0 - w[0].0) * (g(w[0].0, w[0].1) + g(w[1].0, w[1].1)))
            .sum()
    };
    let mean = integral(&|_, v| v) / period;
    let omega = std::f64::consts::TAU / period;
    let scale = 2.0 / period;
    Some(Phasor {
        re: scale * integral(&|t, v| (v - mean) * (omega * (t - begin)).cos()),
        im: -scale * integral(&|t, v| (v - mean) * (omega * (t - begin)).sin()),
    })
}

/// K* = F1 / X1.
pub(super) fn complex_stiffness(
    time: &[f64],
    x: &[f64],
    force: &[f64],
    from: f64,
    to: f64,
) -> Option<Phasor> {
    let (x1, f1) = (
        first_harmonic(time, x, from, to)?,
        first_harmonic(time, force, from, to)?,
    );
    let k = f1.over(x1);
    (k.re.is_finite() && k.im.is_finite()).then_some(k)
}
