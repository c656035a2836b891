//! Whether a result is physically and statistically sound; each gate is a warning with a code and words.

use super::dictionary::Term;
use super::found::{Coefficient, Found, FrictionKind};
use super::set::Set;
use crate::trust::Status;
use crate::warning::Warning;

/// Mean square over the noise beyond which the model misses something.
const BEYOND_NOISE: f64 = 1.3;
/// Condition beyond which coefficients are at the mercy of rounding and noise.
const ILL: f64 = 1e6;
/// A test that was held out may exceed the others by this factor.
const BEYOND: f64 = 1.1;
/// Points of the speeds and displacements that are looked at.
const POINTS: usize = 400;

/// All remarks.
pub fn warnings(found: &Found, set: &Set) -> Vec<Warning> {
    let mut out = Vec::new();
    let mut add = |code, message: String| out.push(Warning { code, message });
    if let Some(limit) = passive_up_to(&found.terms, found.top_speed) {
        add(
            "non-passive",
            format!(
                "the damping terms feed energy in above {:.4} m/s, inside the tested speeds (up to {:.4} m/s); the model must not be used there",
                limit, found.top_speed
            ),
        );
    }
    if let Some(at) = softens(&found.terms, set) {
        add(
            "negative-stiffness",
            format!(
                "the stiffness of the polynomial part is not positive at a displacement of {:.4} mm, inside the tested range",
                1e3 * at
            ),
        );
    }
    statistics(found, &mut add);
    friction(found, set, &mut add);
    undetermined(found, &mut add);
    if !found.ranking.dependent.is_empty() {
        add(
            "dependent-terms",
            format!(
                "{} repeat other candidates in these tests and were left out of the ranking",
                listed(&found.ranking.dependent)
            ),
        );
    }
    let outside: Vec<String> = found
        .terms
        .iter()
        .filter(|c| !matches!(c.term, Term::Stiffness(_) | Term::Damping(_)))
        .map(|c| c.term.to_string())
        .collect();
    if !outside.is_empty() {
        add(
            "outside-model",
            format!(
                "{} cannot be written to model.toml, which holds powers of displacement and velocity and spring-sliders",
                listed(&outside)
            ),
        );
    }
    held_out(found, set, &mut add);
    out
}

/// What is left, and how well the terms can be told apart.
fn statistics(found: &Found, add: &mut impl FnMut(&'static str, String)) {
    if let Some(chi2) = found.chi2_dof.filter(|c| *c > BEYOND_NOISE) {
        add(
            "beyond-noise",
            format!(
                "the differences are {:.1} times what the noise explains; one set of coefficients does not describe these tests",
                chi2.sqrt()
            ),
        );
    }
    let correlated: Vec<&str> = found
        .tests
        .iter()
        .filter(|t| !t.held_out && t.lag1 > 3.0 / (t.samples.max(1) as f64).sqrt())
        // What lies far below the noise that is believed is rounding.
        .filter(|t| t.rms > 0.2 * t.noise)
        .map(|t| t.name.as_str())
        .collect();
    if !correlated.is_empty() {
        add(
            "correlated-residuals",
            format!(
                "neighbouring differences resemble each other in {}; something is missing from the model, and the error bars were made larger for it",
                listed(&correlated)
            ),
        );
    }
    if found.condition > ILL {
        add(
            "ill-conditioned",
            format!(
                "the terms can hardly be told apart (condition {:.0e}); add a test at another amplitude or frequency",
                found.condition
            ),
        );
    }
}

/// Tests that were held out: whether they go further than the others, and whether they are met much worse.
fn held_out(found: &Found, set: &Set, add: &mut impl FnMut(&'static str, String)) {
    for test in found.tests.iter().filter(|t| t.held_out) {
        let beyond = [
            (
                found
                    .terms
                    .iter()
                    .any(|c| matches!(c.term, Term::Damping(_)))
                    && test.top_speed > BEYOND * found.top_speed,
                "faster",
            ),
            (test.amplitude > BEYOND * set.amplitude(), "larger"),
        ];
        for (_, word) in beyond.iter().filter(|(is, _)| *is) {
            add(
                "extrapolated",
                format!(
                    "test `{}`, which was held out, is {word} than the tests that the terms come from; powers mean nothing beyond them",
                    test.name
                ),
            );
        }
        if test.relative > 2.0 * found.relative && test.relative > 0.03 {
            add(
                "weak-validation",
                format!(
                    "test `{}`, which was held out, has an error of {:.1} % against {:.1} % of the fitted ones",
                    test.name,
                    100.0 * test.relative,
                    100.0 * found.relative
                ),
            );
        }
    }
}

fn friction(found: &Found, set: &Set, add: &mut impl FnMut(&'static str, String)) {
    let chebyshev = &found.chebyshev;
    if chebyshev.from_two.is_none()
        && found
            .ranking
            .terms
            .iter()
            .any(|r| r.term == Term::Chebyshev(0))
    {
        add(
            "chebyshev-no-slider",
            "the Chebyshev coefficients a0 and a1 belong to no spring-slider (a1/a0 is not positive, or one of them was not chosen); the paper's eq (37) has no solution"
                .to_owned(),
        );
    }
    if found.friction.kind == FrictionKind::None {
        add(
            "no-friction",
            "the data support no spring-slider; the model has none".to_owned(),
        );
        return;
    }
    let longest = found
        .friction
        .sliders
        .iter()
        .map(|(s, ..)| s.ys)
        .fold(0.0, f64::max);
    let strokes = set
        .tests
        .iter()
        .flat_map(|t| t.strokes().collect::<Vec<_>>());
    let shortest = strokes.fold(f64::INFINITY, f64::min);
    if shortest < 2.0 * longest {
        add(
            "short-strokes",
            format!(
                "the shortest stroke ({:.4} mm) is less than twice the slip displacement ({:.4} mm); the Chebyshev coefficients hold only for full slip in every stroke",
                1e3 * shortest,
                1e3 * longest
            ),
        );
    }
}

fn undetermined(found: &Found, add: &mut impl FnMut(&'static str, String)) {
    for (status, code, words) in [
        (
            Status::Unidentifiable,
            "unidentifiable",
            "not determined by these tests",
        ),
        (
            Status::PoorlyDetermined,
            "poorly-determined",
            "only roughly determined by these tests",
        ),
    ] {
        let names: Vec<String> = found
            .terms
            .iter()
            .filter(|c| c.status == status)
            .map(|c| c.term.to_string())
            .collect();
        if !names.is_empty() {
            add(code, format!("{}: {words}", listed(&names)));
        }
    }
}

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
fn softens(terms: &[Coefficient], set: &Set) -> Option<f64> {
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
        let tested = test.rows.iter().map(|&i| test.x[i]);
        let (low, high) = tested.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
            (a.min(x), b.max(x))
        });
        for k in 0..=POINTS {
            let x = low + (high - low) * k as f64 / POINTS as f64;
            if slope(x + test.y0) <= 0.0 {
                return Some(x);
            }
        }
    }
    None
}

fn listed(names: &[impl AsRef<str>]) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("`{}`", n.as_ref())).collect();
    quoted.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn damping(pairs: &[(u32, f64)]) -> Vec<Coefficient> {
        let each = pairs.iter().map(|&(power, value)| Coefficient {
            term: Term::Damping(power),
            value,
            std_error: 0.0,
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
