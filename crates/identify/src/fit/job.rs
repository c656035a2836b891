//! A fit under way: the first search, and those that follow it.

use super::FitOptions;
use super::moving_mass::with_smooth_accelerations;
use super::summary::predictions;
use crate::error::FitError;
use crate::objective::loss::KNEE;
use crate::objective::residuals::{Residuals, outcomes};
use crate::objective::{Objective, Rules};
use crate::problem::unknown::{Place, Unknown};
use crate::problem::{elsewhere, far_off, first_values_of, starts};
use crate::search::optimise::{Outcome, Stop};
use crate::search::progress::Progress;
use crate::search::{Effort, Method, ROUGH, Searched, first_look, search};
use crate::start::masses;
use crate::start::nested::nested;
use crate::test::Test;
use crate::uncertainty::at_end;
use masing_model::Model;

/// Searches with finer and finer steps before the last one is taken.
const MOST_ROUNDS: usize = 4;

/// A fit under way.
pub(crate) struct Job<'a> {
    pub(crate) model: &'a Model,
    pub(crate) unknowns: &'a [Unknown],
    pub(crate) fitted: Vec<Test>,
    pub(crate) rules: Rules,
    pub(crate) effort: Effort,
    pub(crate) progress: &'a Progress<'a>,
}

impl Job<'_> {
    /// A structure whose matrices are estimated too. They are close to their values already, so the
    /// elements are searched first, together with the damping and stiffness in parallel with them,
    /// which can take their place. That is done with the matrices as given and as guessed; all
    /// unknowns are searched together from the better of the two. `None` for other models.
    pub(super) fn elements_first(
        &self,
        options: &FitOptions,
        guess: Option<&[f64]>,
    ) -> Result<Option<Searched>, FitError> {
        let apart = |u: &Unknown| matches!(u.place, Place::Param(i) if masses::apart_from_elements(self.model, i));
        let own: Vec<Unknown> = self
            .unknowns
            .iter()
            .filter(|u| !apart(u))
            .cloned()
            .collect();
        if own.is_empty() || own.len() == self.unknowns.len() {
            return Ok(None);
        }
        let guessed = guess.map(|values| self.model.with(values.to_vec()));
        let guessed = guessed.transpose()?;
        // Near enough is good enough for what all are then sought together from.
        let fitted = first_look(&self.fitted).unwrap_or_else(|| self.fitted.clone());
        let rough = Effort {
            descent: ROUGH,
            ..self.effort
        };
        let mut best: Option<(f64, Vec<f64>)> = None;
        for model in std::iter::once(self.model).chain(&guessed) {
            let job = Job {
                model,
                unknowns: &own,
                fitted: fitted.clone(),
                rules: self.rules.among(self.unknowns, &own),
                effort: rough,
                progress: self.progress,
            };
            let Ok(Searched { best: found, .. }) = job.first_search(options, None, None) else {
                continue;
            };
            let values = job.objective(&job.fitted).values_of(&found.x);
            let mut values = own.iter().zip(values);
            let all = self.unknowns.iter().map(|u| match u.place {
                Place::Param(index) if apart(u) => model.values()[index].clamp(u.min, u.max),
                _ => values.next().map_or(0.0, |(_, value)| value),
            });
            let all = all.collect();
            if found.cost < best.as_ref().map_or(f64::INFINITY, |(cost, _)| *cost) {
                best = Some((found.cost, all));
            }
            if found.stop == Stop::Interrupted {
                break;
            }
        }
        let (_, start) = best.ok_or(FitError::NoStart)?;
        let objective = self.objective(&self.fitted);
        let norm = objective.norm();
        let watch = |x: &[f64], cost: f64, n: usize| self.progress.watch(x, cost / norm, n);
        let objective = objective.watched(Some(&watch));
        self.accept(search(&objective, None, &[start], &self.nearby()))
            .map(Some)
    }

    /// How to continue near a minimum: Jacobians converge at once where gradients would take long.
    fn nearby(&self) -> Effort {
        Effort {
            valley: false,
            far: false,
            method: match self.effort.method {
                Method::Auto => Method::TrustRegion,
                method => method,
            },
            ..self.effort
        }
    }

    /// From the starts to the deepest minimum; `guess` is the automatic guess where starts were
    /// given: a start that leads nowhere must not end the search. `begun` are starts with coefficients, from
    /// which alone the search begins.
    pub(crate) fn first_search(
        &self,
        options: &FitOptions,
        guess: Option<&[f64]>,
        begun: Option<&[Model]>,
    ) -> Result<Searched, FitError> {
        let objective = self.objective(&self.fitted);
        let norm = objective.norm();
        let watch = |x: &[f64], cost: f64, n: usize| self.progress.watch(x, cost / norm, n);
        let objective = objective.watched(Some(&watch));
        let coarse = first_look(&self.fitted);
        let first = coarse.as_ref().map(|tests| self.objective(tests));
        let norm = first.as_ref().map_or(1.0, Objective::norm);
        let glance = |x: &[f64], cost: f64, n: usize| self.progress.glance(x, cost / norm, n);
        let first = first.map(|first| first.watched(Some(&glance)));
        let looking = first.as_ref().unwrap_or(&objective);
        let mut starts = match begun {
            Some(models) => models
                .iter()
                .map(|model| first_values_of(model, self.unknowns, &self.fitted))
                .collect(),
            None => starts(looking, &self.fitted, options),
        };
        let other = guess.map(|guess| {
            let mut other = starts[0].clone();
            for (value, u) in other.iter_mut().zip(self.unknowns) {
                if let Place::Param(index) = u.place {
                    *value = guess[index].clamp(u.min, u.max);
                }
            }
            other
        });
        starts.extend(other);
        let far_off = begun.is_none() && far_off(self.model, self.unknowns, options);
        if far_off {
            starts.extend(nested(looking, &self.fitted, options, self.progress));
        }
        let Some(fewer) = self.with_fewer_rows() else {
            let found = search(&objective, first.as_ref(), &starts, &self.effort);
            let mut found = self.accept(found)?;
            if far_off && self.doubtful(&objective, &found.best) {
                let again = elsewhere(looking, &starts[0], options);
                let other = search(&objective, first.as_ref(), &again, &self.effort);
                if let Ok(other) = self.accept(other)
                    && other.best.cost < found.best.cost
                {
                    found = other;
                }
            }
            return Ok(found);
        };
        let fewer = self.objective(&fewer);
        let norm = fewer.norm();
        let glance = |x: &[f64], cost: f64, n: usize| self.progress.glance(x, cost / norm, n);
        let fewer = fewer.watched(Some(&glance));
        let mut near = self.accept(search(&fewer, first.as_ref(), &starts, &self.effort))?;
        self.search_again(&mut near.best)?;
        Ok(near)
    }

    /// Whether a minimum lies at the limit of a range, or its model is not passive: a search that went
    /// astray often ends there.
    fn doubtful(&self, objective: &Objective<'_>, best: &Outcome) -> bool {
        if best.stop == Stop::Interrupted {
            return false;
        }
        let values = objective.values_of(&best.x);
        let p = objective.parameters(&values);
        let mut parts = self.model.assembly().parts().iter();
        let active = parts.any(|part| {
            let law = part.element.law();
            law.non_passive(&p[part.params.clone()]).is_some()
        });
        let mut each = self.unknowns.iter().zip(&best.x);
        active || each.any(|(u, &x)| at_end(u, x).is_some())
    }

    /// The tests with fewer rows between the samples, where some have many.
    fn with_fewer_rows(&self) -> Option<Vec<Test>> {
        let fewer = |t: &Test| t.with_fewer_rows();
        if !self.fitted.iter().any(|t| fewer(t).is_some()) {
            return None;
        }
        let each = self.fitted.iter();
        Some(
            each.map(|t| fewer(t).unwrap_or_else(|| t.clone()))
                .collect(),
        )
    }

    fn objective<'o>(&'o self, targets: &'o [Test]) -> Objective<'o> {
        Objective::new(self.model, targets, self.unknowns, self.rules.clone())
    }

    fn accept(&self, found: Option<Searched>) -> Result<Searched, FitError> {
        let sound = |best: &Outcome| best.stop != Stop::BadStart && best.cost.is_finite();
        let found = found
            .filter(|found| sound(&found.best))
            .ok_or(FitError::NoStart)?;
        self.progress.spent(found.best.evaluations);
        Ok(found)
    }

    /// Continues from the last minimum, whose neighbourhood is known by now.
    pub(super) fn search_again(&self, outcome: &mut Outcome) -> Result<(), FitError> {
        if outcome.stop == Stop::Interrupted {
            return Ok(());
        }
        let objective = self.objective(&self.fitted);
        let norm = objective.norm();
        let watch = |x: &[f64], cost: f64, n: usize| self.progress.watch(x, cost / norm, n);
        let objective = objective.watched(Some(&watch));
        let start = [objective.values_of(&outcome.x)];
        *outcome = self
            .accept(search(&objective, None, &start, &self.nearby()))?
            .best;
        Ok(())
    }

    /// The parameters found, by address.
    pub(super) fn parameters(&self, outcome: &Outcome) -> Vec<(String, f64)> {
        let values = self.objective(&self.fitted).values_of(&outcome.x);
        let each = self.unknowns.iter().zip(values);
        each.filter(|(u, _)| matches!(u.place, Place::Param(_)))
            .map(|(u, value)| (u.name.clone(), value))
            .collect()
    }

    /// The model found, with its coefficients.
    pub(super) fn model_at(&self, outcome: &Outcome) -> Result<Model, FitError> {
        let objective = self.objective(&self.fitted);
        Ok(objective.model_at(&objective.values_of(&outcome.x))?)
    }

    /// The steps are frozen during a search and checked again at its end; whether the values found need another
    /// initial state of a test than the first ones did.
    pub(super) fn settle_steps(&mut self, outcome: &mut Outcome) -> Result<bool, FitError> {
        for _ in 1..MOST_ROUNDS {
            if outcome.stop == Stop::Interrupted {
                break;
            }
            let (values, of_tests) = {
                let objective = self.objective(&self.fitted);
                let values = objective.values_of(&outcome.x);
                let each = (0..self.fitted.len()).map(|k| objective.parameters_of_test(k, &values));
                let each: Result<Vec<Vec<f64>>, FitError> = each.collect();
                (values, each?)
            };
            let mut refined = self.fitted.clone();
            let mut finer = false;
            for (target, p) in refined.iter_mut().zip(&of_tests) {
                if self.progress.poll(&values, 0) {
                    return Ok(false);
                }
                let state = target.initial_state();
                let before = (target.numerics(), target.cycles(), target.steps());
                target.choose_numerics(self.model, p)?;
                if target.initial_state() != state {
                    return Ok(true);
                }
                let after = (target.numerics(), target.cycles(), target.steps());
                finer |= after.0.increment < 0.99 * before.0.increment
                    || after.0.max_dt < 0.99 * before.0.max_dt
                    || after.1 > before.1
                    || after.2 > before.2;
            }
            if !finer {
                break;
            }
            self.fitted = refined;
            self.search_again(outcome)?;
        }
        Ok(false)
    }

    /// Chooses the accelerations of moving masses by what the model leaves of the force; whether that asks for another search.
    pub(super) fn smooth_accelerations(&mut self, outcome: &Outcome) -> Result<bool, FitError> {
        if outcome.stop == Stop::Interrupted {
            return Ok(false);
        }
        let objective = self.objective(&self.fitted);
        let values = objective.values_of(&outcome.x);
        let (tests, again) = with_smooth_accelerations(&objective, &values)?;
        self.fitted = tests;
        Ok(again)
    }

    /// Takes the noise of tests that do not show it from the residual; returns whether there were any.
    pub(super) fn guess_noise(&mut self, outcome: &Outcome) -> Result<bool, FitError> {
        let tests = self.compare(outcome)?;
        let mut any = false;
        for (target, test) in self.fitted.iter_mut().zip(&tests) {
            if test.noise_known {
                continue;
            }
            any = true;
            target.noise_guessed = true;
            target.take_noise(test);
        }
        Ok(any)
    }

    /// The residual above which the loss is reduced, from the median size of the residuals.
    pub(super) fn take_scales(&mut self, outcome: &Outcome) -> Result<(), FitError> {
        let tests = self.compare(outcome)?;
        self.rules.scales = tests
            .iter()
            .map(|test| {
                let mut sizes: Vec<f64> = test.weighted.iter().map(|r| r.abs()).collect();
                sizes.sort_by(f64::total_cmp);
                let median = sizes.get(sizes.len() / 2).copied().unwrap_or(0.0);
                // 1.4826: the standard deviation of a normal distribution over its median size.
                (KNEE * 1.4826 * median).max(1e-9)
            })
            .collect();
        Ok(())
    }

    fn compare(&self, outcome: &Outcome) -> Result<Vec<Residuals>, FitError> {
        let objective = self.objective(&self.fitted);
        let predicted = predictions(&objective, &objective.values_of(&outcome.x))?;
        Ok(outcomes(&objective, &predicted))
    }
}
