//! A prescribed motion: time, displacement, velocity at every sample.

use crate::error::SimError;
use crate::numerics::Numerics;
use crate::pattern::Pattern;

/// Displacement and velocity over time; straight lines between samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    time: Vec<f64>,
    x: Vec<f64>,
    v: Vec<f64>,
    pattern: Option<Pattern>,
}

impl Motion {
    /// Checks the channels; without a velocity it is derived from the displacement, see
    /// [`velocity_of`].
    pub fn new(time: Vec<f64>, x: Vec<f64>, v: Option<Vec<f64>>) -> Result<Self, SimError> {
        check_time(&time)?;
        check_channel("displacement", &x, time.len())?;
        let v = v.unwrap_or_else(|| velocity_of(&time, &x));
        // Neighbouring stamps may be so close that the slope overflows.
        check_channel("velocity", &v, time.len())?;
        Ok(Self {
            time,
            x,
            v,
            pattern: None,
        })
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.time.len()
    }

    /// Never: a motion has at least two samples.
    pub fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    /// Time of the samples (s).
    pub fn time(&self) -> &[f64] {
        &self.time
    }

    /// Displacement (m or rad).
    pub fn x(&self) -> &[f64] {
        &self.x
    }

    /// Velocity.
    pub fn v(&self) -> &[f64] {
        &self.v
    }

    /// How its intervals are cut into steps, where that was chosen interval by interval.
    pub fn pattern(&self) -> Option<&Pattern> {
        self.pattern.as_ref()
    }

    /// Cuts its intervals by a pattern made for as many samples, or evenly again.
    pub fn cut(&mut self, pattern: Option<Pattern>) {
        self.pattern = pattern;
    }

    /// The number of steps of the interval that ends at sample `i`; sample 0 is one of no length.
    pub fn parts(&self, i: usize, numerics: &Numerics) -> usize {
        match (&self.pattern, i) {
            (_, 0) => 1,
            (Some(pattern), _) => pattern.parts(i),
            (None, _) => numerics.parts(self.x[i] - self.x[i - 1], self.time[i] - self.time[i - 1]),
        }
    }

    /// The number of steps of a run.
    pub fn steps(&self, numerics: &Numerics) -> usize {
        (1..self.len()).map(|i| self.parts(i, numerics)).sum()
    }
}

/// At least two samples, finite, increasing.
pub(crate) fn check_time(time: &[f64]) -> Result<(), SimError> {
    if time.len() < 2 {
        return Err(SimError::TooFewSamples {
            found: time.len(),
            expected: 2,
        });
    }
    check_channel("time", time, time.len())?;
    match time.windows(2).position(|w| w[1] <= w[0]) {
        Some(i) => Err(SimError::Time {
            index: i + 1,
            value: time[i + 1],
            before: time[i],
        }),
        None => Ok(()),
    }
}

/// As long as the time, and finite.
pub(crate) fn check_channel(
    channel: &'static str,
    values: &[f64],
    expected: usize,
) -> Result<(), SimError> {
    SimError::unless_long(channel, values.len(), expected)?;
    match values.iter().position(|v| !v.is_finite()) {
        Some(index) => Err(SimError::NotFinite {
            channel,
            index,
            value: values[index],
        }),
        None => Ok(()),
    }
}

/// How much more the slope changes at a corner than next to it.
const CORNER: f64 = 4.0;

/// Velocity from displacement: the three-point derivative, and at a corner the slope of the segment
/// just finished. At a corner the slopes differ by more than half the larger one, and by several times
/// as much as at the neighbouring samples; a smooth turn changes its slope evenly and is not a corner.
pub fn velocity_of(time: &[f64], x: &[f64]) -> Vec<f64> {
    let n = time.len();
    let slope = |i: usize| (x[i + 1] - x[i]) / (time[i + 1] - time[i]);
    let bend = |i: usize| {
        if i == 0 || i + 1 >= n {
            0.0
        } else {
            (slope(i) - slope(i - 1)).abs()
        }
    };
    (0..n)
        .map(|i| {
            if i == 0 {
                return slope(0);
            }
            let before = slope(i - 1);
            if i + 1 == n {
                return before;
            }
            let after = slope(i);
            let beside = bend(i - 1).max(bend(i + 1));
            if bend(i) > 0.5 * before.abs().max(after.abs()) && bend(i) > CORNER * beside {
                return before;
            }
            // Derivative of the parabola through three samples.
            let (a, b) = (time[i] - time[i - 1], time[i + 1] - time[i]);
            (before * b + after * a) / (a + b)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smooth_turn_is_no_corner() {
        for per_cycle in [10_u32, 25, 100] {
            let step = std::f64::consts::TAU / f64::from(per_cycle);
            let t: Vec<f64> = (0..3 * per_cycle).map(|i| f64::from(i) * step).collect();
            let x: Vec<f64> = t.iter().map(|t| (t + 0.3).sin()).collect();
            let v = velocity_of(&t, &x);
            for i in 1..t.len() - 1 {
                // The three-point derivative of a sine is short by the factor sin(h)/h.
                let expected = (t[i] + 0.3).cos() * step.sin() / step;
                assert!((v[i] - expected).abs() < 1e-9, "{per_cycle} {i}");
            }
        }
    }

    /// Spring and dashpot of one unit each by least squares on a sine with this `velocity`.
    fn spring_and_dashpot(t: &[f64], x: &[f64], velocity: &[f64]) -> [f64; 2] {
        let force: Vec<f64> = t.iter().map(|t| t.sin() + t.cos()).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (xx, xv, vv) = (dot(x, x), dot(x, velocity), dot(velocity, velocity));
        let (xf, vf) = (dot(x, &force), dot(velocity, &force));
        let determinant = xx * vv - xv * xv;
        [
            (xf * vv - vf * xv) / determinant,
            (vf * xx - xf * xv) / determinant,
        ]
    }

    /// The row of 25 samples in docs/decisions/0012-velocity-at-corners.md.
    #[test]
    fn peaks_taken_for_corners_would_soften_a_spring_beside_a_dashpot() {
        let step = std::f64::consts::TAU / 25.0;
        let t: Vec<f64> = (0..=100).map(|i| f64::from(i) * step).collect();
        let x: Vec<f64> = t.iter().map(|t| t.sin()).collect();
        let v = velocity_of(&t, &x);
        let [k, c] = spring_and_dashpot(&t, &x, &v);
        // The three-point derivative is short by sin(h)/h, which only the dashpot sees; the ends have
        // one-sided slopes.
        assert!(
            (k - 1.0).abs() < 1e-3 && (c - 1.0106).abs() < 1e-3,
            "{k} {c}"
        );
        let slope = |i: usize| (x[i + 1] - x[i]) / step;
        let old: Vec<f64> = (0..t.len())
            .map(|i| {
                if i == 0 || i + 1 == t.len() {
                    return v[i];
                }
                let (before, after) = (slope(i - 1), slope(i));
                if (after - before).abs() > 0.5 * before.abs().max(after.abs()) {
                    before
                } else {
                    0.5 * (before + after)
                }
            })
            .collect();
        let [k, _] = spring_and_dashpot(&t, &x, &old);
        assert!((k - 0.942).abs() < 1e-3, "{k}");
    }

    #[test]
    fn velocity_is_exact_on_parabolas_and_stays_on_the_finished_segment_at_corners() {
        let t = [0.0, 0.1, 0.3, 0.4, 0.6];
        let x: Vec<f64> = t.iter().map(|t| 3.0 * t + t * t).collect();
        let v = velocity_of(&t, &x);
        for i in 1..4 {
            assert!((v[i] - (3.0 + 2.0 * t[i])).abs() < 1e-12);
        }
        let v = velocity_of(&[0.0, 1.0, 2.0, 3.0], &[0.0, 1.0, 0.0, -1.0]);
        assert_eq!(v, [1.0, 1.0, -1.0, -1.0]);
    }

    #[test]
    fn bad_channels_are_named() {
        let bad = Motion::new(vec![0.0, 1.0, 1.0], vec![0.0; 3], None);
        assert_eq!(
            bad,
            Err(SimError::Time {
                index: 2,
                value: 1.0,
                before: 1.0
            })
        );
        let bad = Motion::new(vec![0.0, 1.0], vec![0.0, f64::NAN], None);
        assert!(matches!(
            bad,
            Err(SimError::NotFinite {
                channel: "displacement",
                index: 1,
                ..
            })
        ));
    }
}
