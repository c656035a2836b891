//! Starts of a sum of elements from fits of its parts.
//!
//! With one element at its null point a sum is the sum of the others. Their minimum is a start of the
//! whole, from which a descent cannot end worse than they do. At the null point itself a parameter that
//! is sought by factors has no slope, so that the element is also given a share of its guess.

use crate::fit::FitOptions;
use crate::objective::Objective;
use crate::problem::unknown::{Place, Unknown};
use crate::problem::{first_value, starts};
use crate::search::ROUGH;
use crate::search::optimise::{Stop, trust_region};
use crate::search::progress::Progress;
use crate::test::Test;
use masing_model::Part;

/// Most elements for which each is left out in turn: the work grows with their number, and so does each
/// descent.
const MOST_PARTS: usize = 5;
/// Most unknowns, for the same reason.
const MOST_UNKNOWNS: usize = 20;
/// Shares of its guess that the omitted element starts with. The others explain most of the record by
/// then, so it is likely to be smaller than its guess.
const SHARES: [f64; 4] = [0.01, 0.05, 0.2, 0.6];
/// Most starts that are returned.
const NESTED: usize = 4;

/// Starts for all unknowns, best first; `looking` may be over fewer samples.
pub(crate) fn nested(
    looking: &Objective<'_>,
    tests: &[Test],
    options: &FitOptions,
    progress: &Progress<'_>,
) -> Vec<Vec<f64>> {
    let parts = looking.model.assembly().parts();
    let sum = (2..=MOST_PARTS).contains(&parts.len()) && looking.model.system().is_none();
    if !sum || looking.unknowns.len() > MOST_UNKNOWNS {
        return vec![];
    }
    let mut found: Vec<(f64, Vec<f64>)> = Vec::new();
    for part in parts {
        found.extend(without(looking, tests, part, options, progress).unwrap_or_default());
        if progress.stopped() {
            break;
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let best = found.into_iter().filter(|(cost, _)| cost.is_finite());
    best.take(NESTED).map(|(_, values)| values).collect()
}

/// The minimum without one element, and the best starts near it in which the element is active, with their
/// costs; `None` where the element cannot be left out.
fn without(
    looking: &Objective<'_>,
    tests: &[Test],
    part: &Part,
    options: &FitOptions,
    progress: &Progress<'_>,
) -> Option<Vec<(f64, Vec<f64>)>> {
    let (model, unknowns) = (looking.model, looking.unknowns);
    let mut p = model.values().to_vec();
    part.element.law().null(&mut p[part.params.clone()]);
    let own = |u: &Unknown| matches!(u.place, Place::Param(i) if part.params.contains(&i));
    let sought = |i: usize| unknowns.iter().any(|u| u.place == Place::Param(i));
    let held = |i: usize| p[i] != model.values()[i] && !sought(i);
    if part.params.clone().any(held) {
        return None;
    }
    let others: Vec<Unknown> = unknowns.iter().filter(|u| !own(u)).cloned().collect();
    if !others.iter().any(|u| matches!(u.place, Place::Param(_))) {
        return None;
    }
    let reduced = model.with(p.clone()).ok()?;
    let first: Vec<f64> = unknowns
        .iter()
        .map(|u| first_value(model, tests, u))
        .collect();
    let poll = |_: &[f64], _: f64, evaluations: usize| progress.poll(&first, evaluations);
    let rules = looking.rules.among(unknowns, &others);
    let rest = Objective::new(&reduced, looking.tests, &others, rules).watched(Some(&poll));
    let mut best = None;
    for start in starts(&rest, tests, options) {
        let end = trust_region(&rest, &rest.internal(&start), &ROUGH);
        progress.spent(end.evaluations);
        let interrupted = end.stop == Stop::Interrupted;
        if end.cost < best.as_ref().map_or(f64::INFINITY, |(cost, _)| *cost) {
            best = Some((end.cost, rest.values_of(&end.x)));
        }
        if interrupted {
            break;
        }
    }
    let (_, values) = best?;
    let with_share = |share: f64| {
        let mut others = values.iter();
        let each = unknowns.iter().zip(&first).map(|(u, guess)| match u.place {
            Place::Param(i) if own(u) => (p[i] + share * (guess - p[i])).clamp(u.min, u.max),
            _ => others.next().copied().unwrap_or(*guess),
        });
        let all: Vec<f64> = each.collect();
        (looking.cost(&all).unwrap_or(f64::INFINITY), all)
    };
    let shares = SHARES.into_iter().map(with_share);
    let beside = shares.min_by(|a, b| a.0.total_cmp(&b.0));
    Some(std::iter::once(with_share(0.0)).chain(beside).collect())
}

#[cfg(test)]
mod tests {
    use super::SHARES;
    use crate::fit::{FitOptions, fit};
    use crate::result::Identified;
    use crate::trial::{model, record};

    fn found(sum: &str, test: &crate::test::Test) -> Identified {
        let options = FitOptions::default();
        fit(&model(sum), vec![test.clone()], vec![], &options, None).expect("a fit")
    }

    /// The noise is 0.9 % of the rms force; without nested starts the three fits end at 3.4, 1.2 and 2.1 %.
    #[test]
    fn a_sum_never_fits_worse_than_its_parts() {
        let parts = model("dahl+maxwell");
        let test = record(&parts, &[9.35e4, 236.0, 0.83, 1.44e5, 9.5e-3], 600, 5e-3, 1);
        let part = found("dahl+maxwell", &test).error.relative;
        let sum = found("dahl+maxwell+power-dashpot", &test).error.relative;
        println!("{part} {sum}");
        assert!(part < 9e-3 && sum <= 1.001 * part, "{sum} {part}");
        let whole = "maxwell+bouc-wen+power-dashpot";
        let truth = [1.086e5, 0.0186, 5.93e4, 47.0, 0.0, 1.17, 625.0, 0.816];
        let test = record(&model(whole), &truth, 600, 5e-3, 5);
        let sum = found(whole, &test).error.relative;
        println!("{sum}");
        assert!(sum < 9e-3, "{sum}");
    }

    #[test]
    fn shares_reach_from_nearly_nothing_to_nearly_the_guess() {
        // A guess by units is off by up to five; with the others fitted little is left for the element.
        assert!(SHARES.windows(2).all(|w| w[1] / w[0] <= 5.0 + 1e-9));
        let [first, .., last] = SHARES;
        assert!((0.0..=0.01).contains(&first) && (0.5..1.0).contains(&last));
    }
}
