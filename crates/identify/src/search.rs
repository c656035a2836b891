//! From starts to the best minimum: descents, and the scan of the valley of the chains.

pub(crate) mod competing_minima;
pub mod non_negative;
pub mod optimise;
pub(crate) mod progress;
pub(crate) mod svd;
mod tied_cells;
pub mod valley;

pub use competing_minima::CompetingMinimum;

use crate::objective::Objective;
use crate::search::competing_minima::rivals;
use crate::search::optimise::{
    LeastSquares, Minimum, Options, Outcome, Stop, bfgs, lbfgs, trust_region,
};
use crate::search::tied_cells::Tied;
use crate::search::valley::Valley;
use crate::test::Test;

/// How to go downhill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Trust region on exact Jacobians; with many unknowns limited-memory BFGS first.
    #[default]
    Auto,
    /// Trust region on exact Jacobians.
    TrustRegion,
    /// BFGS line search on adjoint gradients.
    Bfgs,
    /// The same with limited memory, for many unknowns.
    Lbfgs,
    /// No search: the formulas of [`crate::loops::semi_analytic()`] for one loop of Dahl or Bouc-Wen.
    SemiAnalytic,
}

/// How hard to look.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// When a descent stops.
    pub descent: Options,
    /// Whether the valley of a chain is scanned.
    pub valley: bool,
    /// Whether the start may be far off, in which case the cells of a chain first move together.
    pub far: bool,
    /// How to go downhill.
    pub method: Method,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            descent: SETTLED,
            valley: true,
            far: true,
            method: Method::Auto,
        }
    }
}

/// When a descent has converged: any further gain is far below the noise of a record.
const SETTLED: Options = Options {
    cost: 1e-9,
    step: 1e-9,
    gradient: 1e-12,
    evaluations: 200,
};

/// A rough descent, which only shows which minimum is the deepest; that one is then followed in full.
pub(crate) const ROUGH: Options = Options {
    cost: 1e-3,
    step: 1e-5,
    gradient: 1e-12,
    evaluations: 25,
};

/// The descent with gradients, before Jacobians finish it.
const APPROACH: Options = Options {
    cost: 1e-5,
    step: 1e-6,
    gradient: 1e-12,
    evaluations: 150,
};

/// Cost (half the squared relative error) below which the data are reproduced to rounding.
const EXACT: f64 = 1e-14;

/// Most scans of the valley.
const MOST_SCANS: usize = 6;

/// Minima of the first look that are followed to the end.
const FINALISTS: usize = 10;

/// Unknowns beyond which a gradient is much cheaper than a Jacobian.
const MANY_UNKNOWNS: usize = 20;

/// Evaluations to polish a minimum found by gradients.
const POLISH: usize = 20;

/// The tests for a first look: fewer samples, one step each.
pub fn first_look(targets: &[Test]) -> Option<Vec<Test>> {
    if targets.iter().all(|t| t.first_look().is_none()) {
        return None;
    }
    Some(targets.iter().map(Test::coarse).collect())
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The deepest minimum; counts the evaluations of the whole search.
    pub best: Outcome,
    /// Minima that the data can hardly tell from it.
    pub rivals: Vec<CompetingMinimum>,
}

/// The best minimum reached from the starts (values of the unknowns). `first` is the same objective over
/// fewer samples, which decides where to descend.
pub fn search(
    objective: &Objective<'_>,
    first: Option<&Objective<'_>>,
    starts: &[Vec<f64>],
    effort: &Effort,
) -> Option<Searched> {
    let mut spent = 0;
    let many = objective.unknowns.len() > MANY_UNKNOWNS;
    let mut candidates: Vec<Vec<f64>> = starts.iter().map(|s| objective.internal(s)).collect();
    let valley = Valley::find(objective.model.assembly(), objective.unknowns)
        .filter(|_| effort.valley && !many);
    let looking = first.unwrap_or(objective);
    if candidates.len() > 1 || valley.is_some() {
        let starts = candidates.clone();
        candidates = look_around(looking, candidates, valley.as_ref(), &mut spent);
        if first.is_some() {
            let better = better_start((objective, looking), &starts, &candidates, &mut spent);
            candidates.extend(better);
        }
    }
    if let Some(tied) = Tied::new(looking).filter(|_| effort.far) {
        for start in &mut candidates {
            let found = trust_region(&tied, &tied.reduce(start), &ROUGH);
            spent += found.evaluations;
            if found.cost.is_finite() {
                *start = tied.expand(&found.x);
            }
        }
    }
    let mut best: Option<Outcome> = None;
    let mut ends = Vec::new();
    let alone = candidates.len() == 1;
    for start in &candidates {
        // All but the winner only have to show which minimum is deepest.
        let options = if alone { effort.descent } else { ROUGH };
        let found = descend(objective, start, &options, effort.method);
        spent += found.evaluations;
        let interrupted = found.stop == Stop::Interrupted;
        ends.push((found.cost, found.x.clone()));
        if best.as_ref().is_none_or(|b| found.cost < b.cost) {
            best = Some(found);
        }
        if interrupted || best.as_ref().is_some_and(|b| b.cost < EXACT) {
            break;
        }
    }
    let mut best = best?;
    let settled = alone || best.stop == Stop::Interrupted || !best.cost.is_finite();
    let mut others = Vec::new();
    if !settled {
        let found = descend(objective, &best.x, &effort.descent, effort.method);
        spent += found.evaluations;
        if found.cost <= best.cost {
            best = found;
        }
        if best.stop != Stop::Interrupted {
            others = rivals(objective, &best, &ends, &mut spent);
        }
    }
    best.evaluations = spent;
    Some(Searched {
        best,
        rivals: others,
    })
}

/// One descent by the method asked for, with the Jacobian at its end.
pub fn descend(
    objective: &Objective<'_>,
    start: &[f64],
    options: &Options,
    method: Method,
) -> Outcome {
    let many = objective.unknowns.len() > MANY_UNKNOWNS;
    let by_gradient = |minimum: Minimum| -> Outcome {
        // Gradients lead near; the Jacobian, which the error bars need anyhow, settles the last digits.
        let interrupted = minimum.stop == Stop::Interrupted;
        let last = Options {
            evaluations: if interrupted { 1 } else { POLISH },
            ..*options
        };
        let mut found = trust_region(objective, &minimum.x, &last);
        found.evaluations += minimum.evaluations;
        if interrupted || found.stop == Stop::Evaluations {
            found.stop = minimum.stop;
        }
        found
    };
    // A gradient tells less than a Jacobian, so it takes more of them.
    let gradients = Options {
        evaluations: options.evaluations * 10,
        ..*options
    };
    match method {
        Method::Bfgs => by_gradient(bfgs(objective, start, &gradients)),
        Method::Lbfgs => by_gradient(lbfgs(objective, start, &gradients)),
        Method::Auto if many => {
            let near = lbfgs(objective, start, &APPROACH);
            if near.stop == Stop::Interrupted {
                return by_gradient(near);
            }
            let mut found = trust_region(objective, &near.x, options);
            found.evaluations += near.evaluations;
            found
        }
        Method::Auto | Method::TrustRegion | Method::SemiAnalytic => {
            trust_region(objective, start, options)
        }
    }
}

/// Rough descents from all starts and along the valley through the best; returns the most promising
/// minima, deepest first.
fn look_around(
    objective: &Objective<'_>,
    starts: Vec<Vec<f64>>,
    valley: Option<&Valley>,
    spent: &mut usize,
) -> Vec<Vec<f64>> {
    let mut minima: Vec<Outcome> = Vec::new();
    let fallback = starts.clone();
    for start in starts {
        let found = trust_region(objective, &start, &ROUGH);
        *spent += found.evaluations;
        let interrupted = found.stop == Stop::Interrupted;
        keep(&mut minima, found);
        if interrupted {
            return chosen(minima, fallback);
        }
    }
    let Some(valley) = valley else {
        return chosen(minima, fallback);
    };
    for _ in 0..MOST_SCANS {
        let Some(before) = minima.first().map(|m| m.cost) else {
            break;
        };
        if before < EXACT || scan(objective, valley, &mut minima, spent) {
            break;
        }
        if minima[0].cost >= 0.99 * before {
            break;
        }
    }
    chosen(minima, fallback)
}

/// The best start, where it meets all samples better than every minimum over fewer of them does; none for who asks to stop.
fn better_start(
    (objective, looking): (&Objective<'_>, &Objective<'_>),
    starts: &[Vec<f64>],
    minima: &[Vec<f64>],
    spent: &mut usize,
) -> Option<Vec<f64>> {
    let mut cost = |x: &Vec<f64>| {
        let values = objective.values_of(x);
        if looking.stopped(&values, *spent) {
            return None;
        }
        *spent += 1;
        Some(objective.cost(&values).unwrap_or(f64::INFINITY))
    };
    let of_minima: Option<Vec<f64>> = minima.iter().map(&mut cost).collect();
    let deepest = of_minima?.into_iter().fold(f64::INFINITY, f64::min);
    let of_starts: Option<Vec<f64>> = starts.iter().map(&mut cost).collect();
    let (least, best) = of_starts?
        .into_iter()
        .zip(starts)
        .min_by(|a, b| a.0.total_cmp(&b.0))?;
    (least < deepest).then(|| best.clone())
}

/// Rough descents from the promising points of the valley through the best minimum; returns `true`
/// to stop.
fn scan(
    objective: &Objective<'_>,
    valley: &Valley,
    minima: &mut Vec<Outcome>,
    spent: &mut usize,
) -> bool {
    let through = objective.values_of(&minima[0].x);
    let deepest = minima[0].cost;
    let points = valley.points(&through, objective.unknowns);
    let mut costs = Vec::with_capacity(points.len());
    for point in &points {
        if objective.stopped(&through, *spent) {
            return true;
        }
        costs.push(objective.cost(point).unwrap_or(f64::INFINITY));
        *spent += 1;
    }
    for i in Valley::candidates(&costs) {
        let found = trust_region(objective, &objective.internal(&points[i]), &ROUGH);
        *spent += found.evaluations;
        let interrupted = found.stop == Stop::Interrupted;
        let much = found.cost < 0.1 * deepest;
        keep(minima, found);
        let best = &minima[0];
        if interrupted || LeastSquares::watch(objective, &best.x, best.cost, *spent) {
            return true;
        }
        if much {
            // Another minimum altogether: scan again from there rather than go on here.
            return false;
        }
    }
    false
}

/// Adds a minimum unless it is known already; keeps the deepest first.
fn keep(minima: &mut Vec<Outcome>, found: Outcome) {
    if !found.cost.is_finite() {
        return;
    }
    let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 0.02);
    match minima.iter_mut().find(|m| near(&m.x, &found.x)) {
        Some(known) if known.cost <= found.cost => {}
        Some(known) => *known = found,
        None => minima.push(found),
    }
    minima.sort_by(|a, b| a.cost.total_cmp(&b.cost));
}

/// The minima worth following: the deepest, and those that are not much worse.
fn chosen(minima: Vec<Outcome>, fallback: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let Some(deepest) = minima.first().map(|m| m.cost) else {
        return fallback;
    };
    let worth = minima.into_iter().filter(|m| m.cost <= 1.5 * deepest);
    worth.take(FINALISTS).map(|m| m.x).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::{FitOptions, fit};
    use crate::trial::{model, record};

    #[test]
    fn a_first_look_is_at_long_records_only() {
        let spring = model("spring");
        let samples = |n: usize| {
            let looked = first_look(&[record(&spring, &[1e5], n, 0.0, 1)]);
            looked.map(|tests| tests[0].rows().len())
        };
        // Half as many samples save less than the look costs.
        assert_eq!(samples(900), None);
        // The reversals are kept beside every so many samples.
        let kept = samples(3000).expect("a look");
        assert!((450..=600).contains(&kept), "{kept}");
    }

    #[test]
    fn who_asks_to_stop_waits_for_no_scan() {
        let rt = model("rt");
        let test = record(&rt, rt.values(), 600, 1e-3, 1);
        let options = FitOptions::default();
        // The valley is scanned at 81 points, from about the tenth evaluation on.
        for ask in [1, 20, 50] {
            let watch = |_: &[f64], _: f64, evaluations: usize| evaluations >= ask;
            let found = fit(&rt, vec![test.clone()], vec![], &options, Some(&watch));
            let search = found.expect("the best so far").search;
            assert_eq!(search.stop, Stop::Interrupted);
            assert!(
                search.evaluations <= ask + 5,
                "{ask}: {}",
                search.evaluations
            );
        }
    }

    #[test]
    fn minima_alike_are_one_and_much_worse_ones_are_dropped() {
        let end = |x: f64, cost: f64| Outcome {
            x: vec![x],
            cost,
            evaluations: 1,
            stop: Stop::Cost,
            at: crate::search::optimise::Linearisation {
                r: nalgebra::DVector::zeros(0),
                j: nalgebra::DMatrix::zeros(0, 1),
            },
        };
        let mut minima = Vec::new();
        for (x, cost) in [
            (1.0, 2.0),
            (1.01, 1.9),
            (3.0, 1.0),
            (5.0, 1.4),
            (7.0, f64::NAN),
        ] {
            keep(&mut minima, end(x, cost));
        }
        let found: Vec<(f64, f64)> = minima.iter().map(|m| (m.x[0], m.cost)).collect();
        assert_eq!(found, [(3.0, 1.0), (5.0, 1.4), (1.01, 1.9)]);
        // A cost of 1.5 is an error of 1.22: over fewer samples the order of closer ones may change.
        let worth = chosen(minima, vec![vec![9.0]]);
        assert_eq!(worth, [vec![3.0], vec![5.0]]);
        assert_eq!(chosen(vec![], vec![vec![9.0]]), [vec![9.0]]);
    }
}
