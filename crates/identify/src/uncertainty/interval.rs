//! Intervals that contain the true value in 95 of 100 cases.

use crate::objective::Objective;
use crate::problem::unknown::Unknown;
use crate::uncertainty::student;
use masing_model::Scale;

/// Half width of the intervals of an objective, in standard errors.
pub(crate) fn reach(objective: &Objective<'_>) -> f64 {
    let rows: usize = (0..objective.tests.len())
        .map(|k| objective.rows(k).len())
        .sum();
    student(rows.saturating_sub(objective.unknowns.len()))
}

/// The interval of an unknown with that half width, clipped to the range that was searched.
pub(crate) fn interval(u: &Unknown, value: f64, reach: f64) -> [f64; 2] {
    let ends = match u.scale {
        // By factors: the interval never crosses zero.
        Scale::Log => {
            let factor = (reach / value).exp();
            [value / factor, value * factor]
        }
        Scale::Linear => [value - reach, value + reach],
    };
    [ends[0].max(u.min), ends[1].min(u.max)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::unknown::Place;

    fn unknown(scale: Scale, min: f64, max: f64) -> Unknown {
        Unknown {
            name: "k".to_owned(),
            place: Place::Param(0),
            min,
            max,
            scale,
            typical: 1.0,
        }
    }

    #[test]
    fn by_factors_an_interval_keeps_its_sign() {
        let u = unknown(Scale::Log, 1e-6, 1e6);
        let [low, high] = interval(&u, 2.0, 6.0);
        assert!(low > 0.0);
        assert!((low * high - 4.0).abs() < 1e-12, "{low} {high}");
        // Small errors: the same as by differences, to second order.
        let [low, high] = interval(&u, 2.0, 0.02);
        assert!((low - 1.98).abs() < 2e-4 && (high - 2.02).abs() < 2e-4);
    }

    #[test]
    fn by_differences_it_may_cross_zero_but_not_leave_the_range() {
        let u = unknown(Scale::Linear, -1.0, 5.0);
        assert_eq!(interval(&u, 1.0, 1.5), [-0.5, 2.5]);
        assert_eq!(interval(&u, 1.0, 9.0), [-1.0, 5.0]);
    }
}
