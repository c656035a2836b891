//! Disturbances by the rig that no term describes: a force offset, a delay between channels.
//!
//! The derivative of the force with respect to each is made orthogonal to everything that was estimated; its share of
//! the residual says how much the error would fall.

use super::algebra::{Basis, dot, norm2};
use super::dictionary::Term;
use super::found::{Outcome, Terms};
use super::set::Set;
use masing_diagnostic::{Diagnostic, Method, Nuisance, ResultDiagnostic, thresholds};
use masing_identify::uncertainty::score::Score;

/// One cause in one test.
struct Cause {
    nuisance: Nuisance,
    value: f64,
    test: String,
    before: f64,
    after: f64,
}

/// Names the cause that explains most of what is left, if any explains enough.
pub fn disturbed(found: &Terms, set: &Set) -> Option<Diagnostic> {
    let mut columns: Vec<Vec<f64>> = found.terms.iter().map(|c| set.column(&c.term)).collect();
    for slider in &found.friction.sliders {
        let (stretch, slip) = set.slider(slider.ys.value);
        columns.push(stretch);
        columns.push(slip);
    }
    let basis = Basis::of(&columns);
    let mut left = set.force();
    basis.take_out(&mut left);
    let mut causes: Vec<Cause> = Vec::new();
    for (k, range) in set.ranges().into_iter().enumerate() {
        let (test, outcome, sigma) = (&set.tests[k], &found.outcomes[k], set.sigma[k]);
        let before = found.identified.comparisons[k].error;
        let rest = norm2(&left[range.clone()]);
        let scatter = rest / test.rows.len().max(1) as f64;
        let mut judge = |values: Vec<f64>, nuisance: Nuisance| {
            let mut column = vec![0.0; left.len()];
            column[range.start..range.start + values.len()].copy_from_slice(&values);
            let whole = norm2(&column);
            basis.take_out(&mut column);
            let own = norm2(&column);
            let score = Score::new(-dot(&column, &left), own, whole);
            let Some(score) = score.filter(|score| score.significant(scatter)) else {
                return;
            };
            // What it explains in its own test; the rest of the gain lies in others.
            let mended = range.clone().map(|i| left[i] - score.step * column[i]);
            let mended: f64 = mended.map(|r| r * r).sum();
            if mended < (1.0 - thresholds::TERMS_NUISANCE_CLEAR) * rest {
                // A force that is late is the model's of a moment before.
                let sign = if nuisance == Nuisance::Delay {
                    -1.0
                } else {
                    1.0
                };
                causes.push(Cause {
                    nuisance,
                    value: sign * score.step,
                    test: test.name.clone(),
                    before,
                    after: before * (mended / rest).sqrt(),
                });
            }
        };
        if !found.terms.iter().any(|c| c.term == Term::One) {
            let column = vec![1.0 / sigma; test.rows.len()];
            judge(column, Nuisance::ForceOffset);
        }
        let slopes = slopes(&test.time, outcome);
        let column = slopes.iter().map(|s| s / sigma).collect();
        judge(column, Nuisance::Delay);
    }
    let best = causes.into_iter().min_by(|a, b| {
        let ratio = |c: &Cause| c.after / c.before;
        ratio(a).total_cmp(&ratio(b))
    });
    best.map(|cause| {
        ResultDiagnostic::Disturbed {
            method: Method::Terms,
            nuisance: cause.nuisance,
            value: cause.value,
            test: cause.test,
            before: cause.before,
            after: cause.after,
            others: 0,
        }
        .into()
    })
}

/// How fast the force of the model changes, at the samples that count.
fn slopes(time: &[f64], outcome: &Outcome) -> Vec<f64> {
    let force = &outcome.predicted;
    let last = force.len().saturating_sub(1);
    let each = outcome.rows.iter().map(|&i| {
        let (a, b) = (i.saturating_sub(1), (i + 1).min(last));
        if b > a {
            (force[b] - force[a]) / (time[b] - time[a])
        } else {
            0.0
        }
    });
    each.collect()
}
