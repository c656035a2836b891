//! Whether damping dissipates and stiffness restores over the tested range.

use super::dictionary::Term;
use super::found::Coefficient;
use super::set::Set;
use masing_data::range;

/// Speeds and displacements that are checked.
const POINTS: usize = 400;

/// The speed above which damping terms feed energy in, if it lies inside the tested speeds.
pub fn passive_up_to(terms: &[Coefficient], top: f64) -> Option<f64> {
    let power = |v: f64| -> f64 {
        let each = terms.iter().map(|c| match c.term {
            Term::Damping(p) => c.value * v.powi(p as i32 + 1),
            Term::Direction => c.value * v.abs(),
            _ => 0.0,
        });
        each.sum()
    };
    let mut least: Option<f64> = None;
    for side in [1.0, -1.0] {
        let mut before = 0.0;
        for k in 1..=POINTS {
            let v = top * k as f64 / POINTS as f64;
            if power(side * v) < 0.0 {
                let (mut low, mut high) = (before, v);
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    if power(side * middle) < 0.0 {
                        high = middle;
                    } else {
                        low = middle;
                    }
                }
                least = Some(least.map_or(high, |l: f64| l.min(high)));
                break;
            }
            before = v;
        }
    }
    least
}

/// A tested displacement at which the polynomial stiffness is not positive.
pub fn softens(terms: &[Coefficient], set: &Set) -> Option<f64> {
    let has = terms.iter().any(|c| matches!(c.term, Term::Stiffness(_)));
    if !has {
        return None;
    }
    let slope = |s: f64| -> f64 {
        let each = terms.iter().map(|c| match c.term {
            Term::Stiffness(p) => c.value * f64::from(p) * s.powi(p as i32 - 1),
            _ => 0.0,
        });
        each.sum()
    };
    for test in &set.tests {
        let tested: Vec<f64> = test.rows.iter().map(|&i| test.x[i]).collect();
        let (low, high) = range(&tested);
        for k in 0..=POINTS {
            let x = low + (high - low) * k as f64 / POINTS as f64;
            if slope(x + test.y0) <= 0.0 {
                return Some(x);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use masing_identify::uncertainty::Status;

    fn damping(pairs: &[(u32, f64)]) -> Vec<Coefficient> {
        let each = pairs.iter().map(|&(power, value)| Coefficient {
            term: Term::Damping(power),
            value,
            std_error: 0.0,
            leave_one_out: None,
            status: Status::Ok,
        });
        each.collect()
    }

    /// c1 and c5 as the paper prints them feed energy in above (c1/|c5|)^(1/4) = 0.0648 m/s.
    #[test]
    fn printed_damping_is_not_passive() {
        let printed = damping(&[(1, 107.79), (5, -6.1e6)]);
        let limit = passive_up_to(&printed, 0.19).unwrap();
        assert!((limit - 0.064_836).abs() < 1e-5, "{limit}");
        assert_eq!(passive_up_to(&printed, 0.06), None);
        assert_eq!(passive_up_to(&damping(&[(1, 1.0)]), 1.0), None);
        // An even power is a brake one way and a motor the other.
        assert!(passive_up_to(&damping(&[(2, 1.0)]), 1.0).is_some());
    }
}
