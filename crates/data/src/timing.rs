//! Time columns: checked, and rebuilt where rounding alone broke them.

/// How a time column is spaced.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Spacing {
    /// Equal steps to within rounding of the numbers themselves.
    Uniform {
        /// The step, s.
        step: f64,
    },
    /// A uniform grid written with too few digits.
    Rounded {
        /// The true step, s.
        step: f64,
        /// The last digit written, s.
        digit: f64,
    },
    /// Anything else.
    Uneven {
        /// The median step, s.
        median: f64,
    },
}

impl Spacing {
    /// The step, or the median step.
    pub fn step(self) -> f64 {
        match self {
            Spacing::Uniform { step } | Spacing::Rounded { step, .. } => step,
            Spacing::Uneven { median } => median,
        }
    }
}

/// Spacing of finite times with at least two samples; `None` for shorter ones.
pub fn spacing(time: &[f64]) -> Option<Spacing> {
    let n = time.len();
    if n < 2 {
        return None;
    }
    let span = time[n - 1] - time[0];
    let step = span / (n - 1) as f64;
    if step > 0.0 {
        let off = |i: usize| (time[i] - (time[0] + step * i as f64)).abs();
        let worst = (0..n).map(off).fold(0.0, f64::max);
        let noise = 8.0 * f64::EPSILON * time[0].abs().max(time[n - 1].abs());
        if worst <= 1e-6 * step + noise {
            return Some(Spacing::Uniform { step });
        }
        if let Some(digit) = last_digit(time) {
            // The grid through first and last sample is itself off by up to a digit.
            if worst <= 1.01 * digit + noise && digit < 10.0 * step {
                return Some(Spacing::Rounded { step, digit });
            }
        }
    }
    Some(Spacing::Uneven {
        median: median_step(time),
    })
}

/// A place where samples are missing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    /// The sample before it.
    pub before: usize,
    /// From that sample to the next, s.
    pub duration: f64,
}

/// Steps of more than five times the usual one.
pub fn gaps(time: &[f64]) -> Vec<Gap> {
    if time.len() < 3 {
        return Vec::new();
    }
    let usual = median_step(time);
    let steps = time.windows(2).map(|w| w[1] - w[0]).enumerate();
    steps
        .filter(|(_, step)| usual > 0.0 && *step > 5.0 * usual)
        .map(|(before, duration)| Gap { before, duration })
        .collect()
}

fn median_step(time: &[f64]) -> f64 {
    let mut steps: Vec<f64> = time.windows(2).map(|w| w[1] - w[0]).collect();
    let middle = steps.len() / 2;
    *steps.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// The decimal digit that all times are multiples of, from 1 s down to 1 ns.
fn last_digit(time: &[f64]) -> Option<f64> {
    (0..=9)
        .map(|k| (10_f64.powi(k), 10_f64.powi(-k)))
        .find_map(|(scale, digit)| {
            let whole = |t: &f64| {
                let scaled = t * scale;
                (scaled - scaled.round()).abs()
                    <= 1e-3_f64.min(1e-6 + 4.0 * f64::EPSILON * scaled.abs())
            };
            time.iter().all(whole).then_some(digit)
        })
}

/// The uniform grid behind rounded times.
pub fn rebuild(time: &[f64], step: f64) -> Vec<f64> {
    (0..time.len()).map(|i| time[0] + step * i as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_uniform_rounded_uneven() {
        let exact: Vec<f64> = (0..1000).map(|i| f64::from(i) / 750.0).collect();
        assert!(matches!(spacing(&exact), Some(Spacing::Uniform { .. })));
        let rounded: Vec<f64> = exact.iter().map(|t| (t * 1e3).round() / 1e3).collect();
        match spacing(&rounded) {
            Some(Spacing::Rounded { step, digit }) => {
                assert!((step * 750.0 - 1.0).abs() < 1e-3);
                assert_eq!(digit, 1e-3);
            }
            other => panic!("{other:?}"),
        }
        // Rounding to the step itself gives duplicates, still explained.
        let coarse: Vec<f64> = exact.iter().map(|t| (t * 1e2).round() / 1e2).collect();
        assert!(matches!(spacing(&coarse), Some(Spacing::Rounded { .. })));
        let uneven: Vec<f64> = (0..1000).map(|i| f64::from(i).powf(1.1)).collect();
        assert!(matches!(spacing(&uneven), Some(Spacing::Uneven { .. })));
        let mut duplicate = exact.clone();
        duplicate[500] = duplicate[499];
        assert!(matches!(spacing(&duplicate), Some(Spacing::Uneven { .. })));
        assert_eq!(spacing(&[1.0]), None);
    }

    #[test]
    fn gaps_are_found() {
        let time = [0.0, 0.1, 0.2, 0.3, 1.0, 1.1, 1.2, 1.5, 1.6];
        let found = gaps(&time);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].before, 3);
        assert!((found[0].duration - 0.7).abs() < 1e-12);
        assert!(gaps(&[0.0, 1.0]).is_empty() && gaps(&[]).is_empty());
    }
}
