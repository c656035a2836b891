//! Diagnostics of the input: preloads, sampling, strokes; and of what the model file can hold.

use super::algebra::axpy;
use super::dictionary::Term;
use super::found::{Coefficient, Outcome, Terms};
use super::motion::Prepared;
use super::set::Set;
use masing_data::Preload;
use masing_diagnostic::{Diagnostic, Method, ResultDiagnostic, TermsDiagnostic, thresholds};

/// A model that leaves most of the force unexplained.
pub fn poor(found: &Terms, set: &Set, out: &mut Vec<Diagnostic>) {
    let error = found.identified.error.relative;
    if error <= thresholds::POOR_FIT {
        return;
    }
    let preload = set.tests.iter().find_map(|t| match t.preload {
        Some(Preload::Motion(y0)) => Some(y0),
        _ => None,
    });
    let poor = ResultDiagnostic::PoorFit {
        method: Method::Terms,
        error,
        test: None,
        scale: None,
        preload,
    };
    out.push(poor.into());
}

/// Records whose velocity is hardly known because few samples make a cycle, or is one and the same.
pub fn coarse(found: &Terms, set: &Set, out: &mut Vec<Diagnostic>) {
    let damped = found
        .terms
        .iter()
        .any(|c| matches!(c.term, Term::Damping(_)));
    if damped && set.one_speed() {
        out.push(TermsDiagnostic::OneSpeed {}.into());
    }
    let few = set
        .tests
        .iter()
        .filter(|t| t.samples_per_cycle() < thresholds::TERMS_FEW_SAMPLES);
    let least = few.min_by(|a, b| a.samples_per_cycle().total_cmp(&b.samples_per_cycle()));
    if let Some(test) = least.filter(|_| damped) {
        let coarse = TermsDiagnostic::Coarse {
            test: test.name.clone(),
            per_cycle: test.samples_per_cycle(),
        };
        out.push(coarse.into());
    }
}

/// Terms that no element holds, and what the model file is worth without them.
pub fn outside_model(found: &Terms, set: &Set, out: &mut Vec<Diagnostic>) {
    let outside: Vec<&Coefficient> = found
        .terms
        .iter()
        .filter(|c| !matches!(c.term, Term::Stiffness(_) | Term::Damping(_)))
        .collect();
    if outside.is_empty() {
        return;
    }
    let without = |(test, outcome): (&Prepared, &Outcome)| -> f64 {
        let mut predicted = outcome.predicted.clone();
        for c in &outside {
            axpy(-c.value, &c.term.column(test, set.span), &mut predicted);
        }
        let (mut rest, mut whole) = (0.0, 0.0);
        for &i in &outcome.rows {
            rest += (predicted[i] - test.force[i]).powi(2);
            whole += test.force[i].powi(2);
        }
        rest / whole
    };
    let each = set.tests.iter().zip(&found.outcomes).map(without);
    let error = (each.sum::<f64>() / set.tests.len().max(1) as f64).sqrt();
    let outside = TermsDiagnostic::OutsideModel {
        terms: outside.iter().map(|c| c.term.to_string()).collect(),
        without: error,
        error: found.identified.error.relative,
    };
    out.push(outside.into());
}

/// Sliders that a test is too short to slip keep the force that they began with, which no record of this test tells.
pub fn locked_in(found: &Terms, out: &mut Vec<Diagnostic>) {
    for (test, motion) in found.identified.comparisons.iter().zip(&found.outcomes) {
        let each = found.friction.sliders.iter();
        let force: f64 = each
            .map(|s| s.ks.value * (s.ys.value - motion.amplitude).max(0.0))
            .sum();
        if force > thresholds::LOCKED_IN_SIGMAS * test.noise.value {
            let test = test.name.clone();
            out.push(TermsDiagnostic::LockedIn { test, force }.into());
        }
    }
}

/// Preloads that cannot be right: far beyond the motion, or a force that the curve does not have there.
pub fn preloads(found: &Terms, set: &Set, out: &mut Vec<Diagnostic>) {
    for (test, sigma) in set.tests.iter().zip(&set.sigma) {
        if test.y0.abs() > thresholds::FAR_PRELOAD * test.amplitude {
            let far = TermsDiagnostic::FarPreload {
                test: test.name.clone(),
                preload: test.y0,
                amplitude: test.amplitude,
            };
            out.push(far.into());
        } else if test.y0.abs() > thresholds::NARROW_RANGE * test.amplitude {
            let narrow = TermsDiagnostic::NarrowRange {
                test: test.name.clone(),
                low: test.y0 - test.amplitude,
                high: test.y0 + test.amplitude,
            };
            out.push(narrow.into());
        }
        let Some(Preload::Force(given)) = test.preload else {
            continue;
        };
        let elastic: f64 = found
            .terms
            .iter()
            .map(|c| match c.term {
                Term::Stiffness(power) => c.value * test.y0.powi(power as i32),
                Term::One => c.value,
                _ => 0.0,
            })
            .sum();
        let band = found.friction.zs.value;
        if (elastic - given).abs() > band + 3.0 * sigma {
            let differs = TermsDiagnostic::PreloadDiffers {
                test: test.name.clone(),
                at: test.y0,
                found: elastic,
                given,
                band,
            };
            out.push(differs.into());
        }
    }
}
