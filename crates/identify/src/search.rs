//! From starts to the best minimum: descents, and the scan of the valley of the chains.

use crate::objective::Objective;
use crate::optimise::{LeastSquares, Options, Outcome, Stop, trust_region};
use crate::valley::Valley;

/// How hard to look.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// When a descent stops.
    pub descent: Options,
    /// Whether the valley of a chain is scanned.
    pub valley: bool,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            descent: Options::default(),
            valley: true,
        }
    }
}

/// A descent that only tells which minimum is the deepest; the last one is made in full.
const ROUGH: Options = Options {
    cost: 1e-3,
    step: 1e-5,
    gradient: 1e-12,
    evaluations: 25,
};

/// Cost (half the squared relative error) below which the data are met to rounding.
const EXACT: f64 = 1e-14;

/// Scans of the valley before it is taken as explored.
const MOST_SCANS: usize = 6;

/// The best minimum reached from the starts (values of the unknowns), with all evaluations spent.
pub fn search(objective: &Objective<'_>, starts: &[Vec<f64>], effort: &Effort) -> Option<Outcome> {
    let mut best: Option<Outcome> = None;
    let mut evaluations = 0;
    let rough = if starts.len() > 1 {
        ROUGH
    } else {
        effort.descent
    };
    for start in starts {
        let found = trust_region(objective, &internal(objective, start), &rough);
        evaluations += found.evaluations;
        let interrupted = found.stop == Stop::Interrupted;
        if best.as_ref().is_none_or(|b| found.cost < b.cost) {
            best = Some(found);
        }
        if interrupted {
            break;
        }
    }
    let mut best = best?;
    if starts.len() > 1 {
        continue_from(objective, &mut best, &effort.descent, &mut evaluations);
    }
    if let Some(valley) =
        Valley::find(objective.assembly, objective.unknowns).filter(|_| effort.valley)
    {
        for _ in 0..MOST_SCANS {
            let before = best.cost;
            if before < EXACT {
                break;
            }
            scan(objective, &valley, &mut best, &mut evaluations);
            if best.cost >= 0.99 * before || best.stop == Stop::Interrupted {
                break;
            }
            continue_from(objective, &mut best, &effort.descent, &mut evaluations);
        }
    }
    best.evaluations = evaluations;
    Some(best)
}

fn internal(objective: &Objective<'_>, values: &[f64]) -> Vec<f64> {
    objective
        .unknowns
        .iter()
        .zip(values)
        .map(|(u, &v)| u.internal(v.clamp(u.min, u.max)))
        .collect()
}

/// Goes on downhill from the best point, in full.
fn continue_from(
    objective: &Objective<'_>,
    best: &mut Outcome,
    options: &Options,
    evaluations: &mut usize,
) {
    if best.stop == Stop::Interrupted || !best.cost.is_finite() {
        return;
    }
    let found = trust_region(objective, &best.x, options);
    *evaluations += found.evaluations;
    if found.cost <= best.cost {
        *best = found;
    }
}

/// Rough descents from the promising points of the valley through the best point.
fn scan(objective: &Objective<'_>, valley: &Valley, best: &mut Outcome, evaluations: &mut usize) {
    if best.stop == Stop::Interrupted || !best.cost.is_finite() {
        return;
    }
    let points = valley.points(&objective.values_of(&best.x), objective.unknowns);
    let costs: Vec<f64> = points
        .iter()
        .map(|p| objective.cost(p).unwrap_or(f64::INFINITY))
        .collect();
    *evaluations += points.len();
    for i in Valley::candidates(&costs) {
        let found = trust_region(objective, &internal(objective, &points[i]), &ROUGH);
        *evaluations += found.evaluations;
        let interrupted = found.stop == Stop::Interrupted;
        if found.cost < best.cost {
            let much = found.cost < 0.1 * best.cost;
            *best = found;
            if much {
                // Another minimum altogether: scan again from there rather than go on here.
                return;
            }
        }
        if interrupted || objective.watch(&best.x, best.cost, *evaluations) {
            best.stop = Stop::Interrupted;
            return;
        }
    }
}
