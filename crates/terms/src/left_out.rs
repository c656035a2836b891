//! How much each test matters: everything that was chosen, re-estimated without each test in turn.

use super::algebra::solve;
use super::chebyshev::Slider;
use super::choose::Chosen;
use super::final_fit::Model;
use super::found::{Estimate, FrictionKind};
use super::projection::{Design, refine};
use super::set::Set;
use masing_identify::Status;
use masing_identify::uncertainty::leave_one_out::{FEWEST_TESTS, jackknife};

/// What was found without one test.
struct Without {
    terms: Vec<f64>,
    sliders: Vec<Slider>,
    y0: f64,
}

/// Reports the spread of everything over tests that are left out; the larger of it and the standard error counts.
pub fn left_out(set: &Set, chosen: &Chosen, model: &mut Model) {
    if set.tests.len() < FEWEST_TESTS {
        return;
    }
    let each = (0..set.tests.len()).map(|k| without(&set.only(|i| i != k), chosen));
    let Some(all) = each.collect::<Option<Vec<Without>>>() else {
        // Without one of the tests nothing can be solved; the standard errors of all tests stand alone.
        return;
    };
    let spread = |of: &dyn Fn(&Without) -> f64| -> f64 {
        let values: Vec<f64> = all.iter().map(of).collect();
        jackknife(&values)
    };
    for (k, c) in model.terms.iter_mut().enumerate() {
        let own = spread(&|w| w.terms[k]);
        c.std_error = c.std_error.max(own);
        c.status = Status::of(c.std_error, c.value.abs());
        c.leave_one_out = Some(own);
    }
    let friction = &mut model.friction;
    for (k, slider) in friction.sliders.iter_mut().enumerate() {
        slider.ks.widen(spread(&|w| w.sliders[k].ks));
        slider.ys.widen(spread(&|w| w.sliders[k].ys));
    }
    let ks = |w: &Without| w.sliders.iter().map(|s| s.ks).sum::<f64>();
    let zs = |w: &Without| w.sliders.iter().map(Slider::zs).sum::<f64>();
    friction.ks.widen(spread(&ks));
    friction.zs.widen(spread(&zs));
    friction.ys.widen(spread(&|w| {
        let ks = ks(w);
        if ks > 0.0 { zs(w) / ks } else { 0.0 }
    }));
    if let Some(error) = &mut model.preload_error {
        *error = error.max(spread(&|w| w.y0));
    }
}

/// The same terms and as many sliders from fewer tests.
fn without(set: &Set, chosen: &Chosen) -> Option<Without> {
    let terms = &chosen.terms;
    let y0 = |set: &Set| set.sought_preload().unwrap_or(0.0);
    if chosen.kind != FrictionKind::Distribution
        && let Some(joint) = refine(set, terms, &chosen.sliders, set.seeks_preload())
        && joint.sliders.len() == chosen.sliders.len()
    {
        return Some(Without {
            terms: joint.coefficients,
            sliders: joint.sliders,
            y0: joint.y0.unwrap_or_else(|| y0(set)),
        });
    }
    // On a grid, and where a slider would vanish, the slip displacements stay where they are.
    let design = Design::of(set, terms, chosen.sliders.iter().map(|s| s.ys).collect());
    let solved = solve(&design.columns, &set.force())?;
    let (linear, stiffness) = solved.coefficients.split_at(terms.len());
    let sliders = chosen.sliders.iter().zip(stiffness);
    Some(Without {
        terms: linear.to_vec(),
        sliders: sliders.map(|(s, ks)| Slider { ks: *ks, ..*s }).collect(),
        y0: y0(set),
    })
}

impl Estimate {
    /// Combines the spread over left-out tests with the standard error; a value that was not estimated has
    /// none.
    fn widen(&mut self, spread: f64) {
        if let Some(error) = &mut self.std_error {
            *error = error.max(spread);
            self.leave_one_out = Some(spread);
        }
    }
}
