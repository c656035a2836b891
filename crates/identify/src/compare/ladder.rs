//! The ladder: models ranked by what they predict of the tests left out.

use super::trial::{LeftOutError, Trial};
use masing_diagnostic::thresholds;

/// Share of the mean weight below which a part that was left out has hardly anything of the motion that a model is
/// for.
const HARDLY_COUNTS: f64 = 0.1;

/// Where a model stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The simplest of those that predict best.
    Chosen,
    /// Predicts as well, with more parameters.
    Tied,
    /// Predicts worse.
    Behind,
}

impl Standing {
    /// The word in documents.
    pub fn word(self) -> &'static str {
        match self {
            Standing::Chosen => "chosen",
            Standing::Tied => "tied",
            Standing::Behind => "behind",
        }
    }
}

/// A model of the ladder.
#[derive(Clone, Debug)]
pub struct Rung {
    /// The model and its errors.
    pub trial: Trial,
    /// Where it stands.
    pub standing: Standing,
    /// What it fails on by far where the motion leaves what it was fitted to, if it does.
    pub explodes: Option<LeftOutError>,
}

/// Ranks by the left-out error and finds who ties with the best; `noise` is the relative noise of the tests.
pub(super) fn rank(trials: Vec<Trial>, noise: Option<f64>) -> Vec<Rung> {
    let mut trials = trials;
    trials.sort_by(|a, b| {
        let by_error = a.left_out_rms().total_cmp(&b.left_out_rms());
        by_error.then_with(|| a.parameters.cmp(&b.parameters))
    });
    let ties: Vec<bool> = trials
        .iter()
        .map(|t| tied(&trials[0].left_out, &t.left_out, noise))
        .collect();
    // One that is tied with the best may still be behind another of those that are.
    let tied_trials = || trials.iter().zip(&ties).filter(|(_, tied)| **tied);
    let beaten =
        |t: &Trial| tied_trials().any(|(other, _)| everywhere(&other.left_out, &t.left_out));
    let ties: Vec<bool> = trials
        .iter()
        .zip(&ties)
        .map(|(t, tied)| *tied && !beaten(t))
        .collect();
    let rungs = trials.into_iter().zip(ties).map(|(trial, tied)| Rung {
        trial,
        standing: if tied {
            Standing::Tied
        } else {
            Standing::Behind
        },
        explodes: None,
    });
    rungs.collect()
}

/// Chooses the simplest of the tied models: of those that neither explode nor could give energy, of those that do
/// not explode, of all, whichever there are.
pub(super) fn choose(rungs: &mut [Rung]) {
    let simplest = |fit: &dyn Fn(&Rung) -> bool| {
        let tied = rungs.iter().enumerate();
        let tied = tied.filter(|(_, r)| r.standing == Standing::Tied && fit(r));
        tied.min_by_key(|(i, r)| (r.trial.parameters, r.trial.candidate.terms.len(), *i))
            .map(|(i, _)| i)
    };
    let holds = |r: &Rung| r.explodes.is_none();
    let sound = |r: &Rung| holds(r) && r.trial.non_passive.is_none();
    let chosen = simplest(&sound).or_else(|| simplest(&holds));
    if let Some(i) = chosen.or_else(|| simplest(&|_| true)) {
        rungs[i].standing = Standing::Chosen;
    }
}

/// Whether errors are no worse than those of the best: within two standard errors of their paired
/// differences, or within a factor. A model that leaves nothing but noise is no match for one that leaves
/// more.
fn tied(best: &[LeftOutError], other: &[LeftOutError], noise: Option<f64>) -> bool {
    let mean = |errors: &[LeftOutError]| super::trial::rms(errors);
    let (least, own) = (mean(best), mean(other));
    if best.is_empty() || best.len() != other.len() || !own.is_finite() {
        return false;
    }
    if own <= least {
        return true;
    }
    if everywhere(best, other) {
        return false;
    }
    // Parts that hardly count say nothing about chance: `n` is as many as count.
    let weights: f64 = best.iter().map(|b| b.weight).sum();
    let n = weights.powi(2) / best.iter().map(|b| b.weight.powi(2)).sum::<f64>();
    let pairs = || best.iter().zip(other);
    let differences = || pairs().map(|(b, o)| (b.weight, o.error.powi(2) - b.error.powi(2)));
    let middle = differences().map(|(w, d)| w * d).sum::<f64>() / weights;
    let squares = differences().map(|(w, d)| w * (d - middle).powi(2));
    let scatter = squares.sum::<f64>() / weights * n / (n - 1.0).max(1.0);
    let enough = n > thresholds::PAIRS as f64 - 0.5;
    let paired = enough && middle <= 2.0 * (scatter / n).sqrt();
    let all_noise = noise.is_some_and(|noise| least <= thresholds::LEAVES_NOISE * noise);
    if all_noise {
        let close = own <= thresholds::TIED_AT_NOISE * least;
        return close || (paired && own <= thresholds::TIED * least);
    }
    own <= thresholds::TIED * least || (paired && own <= thresholds::TIED_AT_MOST * least)
}

/// Whether the other errs clearly more on every part. Errors of two models on one part go up and down together:
/// chance does not make one of them the worse everywhere.
fn everywhere(one: &[LeftOutError], other: &[LeftOutError]) -> bool {
    let worse =
        |(a, b): (&LeftOutError, &LeftOutError)| b.error > thresholds::WORSE_EVERYWHERE * a.error;
    let mean = one.iter().map(|e| e.weight).sum::<f64>() / one.len().max(1) as f64;
    let counts = |a: &LeftOutError| a.weight > HARDLY_COUNTS * mean;
    let parts = || one.iter().zip(other).filter(|(a, _)| counts(a));
    one.len() == other.len() && parts().count() >= thresholds::EVERYWHERE && parts().all(worse)
}

/// The left-out record that the model fails on by far, among the fastest and the largest: `outer` are their
/// places among the folds.
pub(super) fn outermost(errors: &[LeftOutError], outer: &[usize]) -> Option<LeftOutError> {
    outer.iter().find_map(|&k| {
        let own = errors.get(k)?;
        let others: Vec<LeftOutError> = errors
            .iter()
            .enumerate()
            .filter(|(i, _)| *i != k)
            .map(|(_, e)| e.clone())
            .collect();
        let far = !others.is_empty()
            && own.error > thresholds::EXPLODES * super::trial::rms(&others)
            && own.error > thresholds::EXPLODES_LEAST;
        far.then(|| own.clone())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(values: &[f64]) -> Vec<LeftOutError> {
        let each = values.iter().map(|&error| LeftOutError::new("", error));
        each.collect()
    }

    #[test]
    fn parts_that_hardly_count_do_not_decide() {
        let mut best = errors(&[0.1; 4]);
        let mut other = errors(&[0.2, 0.2, 0.2, 0.05]);
        assert!(!everywhere(&best, &other));
        for (a, b) in best.iter_mut().zip(&mut other).skip(3) {
            (a.weight, b.weight) = (0.01, 0.01);
        }
        assert!(everywhere(&best, &other) && !tied(&best, &other, None));
    }

    #[test]
    fn ties_need_scatter_or_closeness() {
        let best = errors(&[0.10, 0.11, 0.09]);
        assert!(tied(&best, &errors(&[0.12, 0.13, 0.095]), None));
        // A fifth more is a difference where it is so on every part.
        assert!(!tied(&best, &errors(&[0.12, 0.13, 0.11]), None));
        // Half as much again, every time.
        assert!(!tied(&best, &errors(&[0.15, 0.165, 0.135]), None));
        // Worse on one test only: of many, that may be chance; of three, it counts.
        assert!(!tied(&best, &errors(&[0.10, 0.19, 0.09]), None));
        let (five, one) = (errors(&[0.1; 5]), errors(&[0.1, 0.1, 0.24, 0.1, 0.1]));
        assert!(tied(&five, &one, None));
        // Half as much again is never a tie, however it scatters.
        assert!(!tied(&five, &errors(&[0.1, 0.1, 0.4, 0.1, 0.1]), None));
        // Where the best leaves only noise, a fifth more is a difference.
        let noise = Some(0.1);
        assert!(!tied(&best, &errors(&[0.12, 0.135, 0.108]), noise));
        assert!(tied(&best, &errors(&[0.102, 0.112, 0.092]), noise));
        assert!(!tied(&[], &[], None));
    }

    #[test]
    fn who_errs_more_everywhere_is_behind() {
        let one = errors(&[0.13, 0.10, 0.17]);
        assert!(everywhere(&one, &errors(&[0.17, 0.115, 0.19])));
        assert!(!everywhere(&one, &errors(&[0.17, 0.10, 0.19])));
        // Two parts may be chance.
        assert!(!everywhere(&one[..2], &errors(&[0.17, 0.115])));
    }

    #[test]
    fn a_failure_on_the_fastest_record_is_told() {
        let all = errors(&[0.1, 0.1, 0.5]);
        assert_eq!(outermost(&all, &[2]).map(|e| e.error), Some(0.5));
        assert!(outermost(&all, &[0]).is_none());
        assert!(outermost(&errors(&[0.001, 0.001, 0.01]), &[2]).is_none());
    }
}
