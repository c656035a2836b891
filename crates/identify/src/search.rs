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

/// The best minimum reached from the starts (values of the unknowns), and all evaluations spent.
pub fn search(objective: &Objective<'_>, starts: &[Vec<f64>], effort: &Effort) -> Option<Outcome> {
    let internal = |values: &[f64]| -> Vec<f64> {
        objective
            .unknowns
            .iter()
            .zip(values)
            .map(|(u, &v)| u.internal(v.clamp(u.min, u.max)))
            .collect()
    };
    let mut best: Option<Outcome> = None;
    let mut evaluations = 0;
    for start in starts {
        let found = trust_region(objective, &internal(start), &effort.descent);
        evaluations += found.evaluations;
        let stopped = found.stop == Stop::Interrupted;
        if best.as_ref().is_none_or(|b| found.cost < b.cost) {
            best = Some(found);
        }
        if stopped {
            break;
        }
    }
    let mut best = best?;
    let valley = Valley::find(objective.assembly, objective.unknowns).filter(|_| effort.valley);
    while let Some(valley) =
        valley.filter(|_| best.stop != Stop::Interrupted && best.cost.is_finite())
    {
        let before = best.cost;
        let points = valley.points(&objective.values_of(&best.x), objective.unknowns);
        let costs: Vec<f64> = points
            .iter()
            .map(|p| {
                objective
                    .linearise(&internal(p))
                    .map_or(f64::INFINITY, |at| 0.5 * at.r.norm_squared())
            })
            .collect();
        evaluations += points.len();
        for i in Valley::candidates(&costs) {
            let found = trust_region(objective, &internal(&points[i]), &effort.descent);
            evaluations += found.evaluations;
            if found.stop == Stop::Interrupted || found.cost < best.cost {
                let interrupted = found.stop == Stop::Interrupted;
                if found.cost < best.cost {
                    best = found;
                } else {
                    best.stop = Stop::Interrupted;
                }
                if interrupted {
                    break;
                }
            }
        }
        // Another scan only where this one found a clearly better minimum.
        if best.cost >= 0.99 * before || best.cost < 1e-18 {
            break;
        }
    }
    best.evaluations = evaluations;
    Some(best)
}
