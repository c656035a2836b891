//! From tests to terms: noise, friction, the set of powers, error bars, ranking, diagnostics.

use super::chebyshev::Slider;
use super::choose::{PASSES, choose};
use super::diagnostics::diagnostics;
use super::dictionary::Term;
use super::error::TermsError;
use super::final_fit::{chi2, outcome, settle};
use super::found::{Found, Outcome};
use super::friction::{distribution, grid};
use super::left_out::left_out;
use super::ols::{Columns, select};
use super::options::Options;
use super::preload;
use super::ranking::{chebyshev, rank};
use super::set::Set;
use super::test::Test;
use super::varying::offer;
use masing_diagnostic::{Diagnostic, ResultDiagnostic};
use masing_identify::Workers;

/// Finds the terms that tests support; tests that are held out are predicted.
pub fn find(tests: &[Test], held_out: &[Test], options: &Options) -> Result<Found, TermsError> {
    if tests.is_empty() {
        return Err(TermsError::NoTests);
    }
    let workers = Workers::new(options.workers);
    let mut set = Set::of(tests, options.sign, options.slope)?;
    let dictionary = options.dictionary(&grid(&set));
    if set.rows() <= dictionary.len() {
        return Err(TermsError::TooFewSamples {
            samples: set.rows(),
            candidates: dictionary.len(),
        });
    }
    let (linear, mut repeated) = independent(&set, &options.linear(), &workers)?;
    if set.seeks_preload() {
        let y0 = preload::guess(&set, &linear)?;
        set = set.with_preload(y0);
    }
    let mut spread = Vec::new();
    let mut effective = set.rows() as f64;
    for _ in 0..PASSES {
        let Some(found) = distribution(&set, &linear) else {
            break;
        };
        set.update_noise(&found.left, linear.len() + found.sliders.len());
        effective = set.effective_rows(&found.left);
        set.band = found.sliders.iter().map(Slider::zs).sum();
        spread = found.sliders;
    }
    let chosen = choose(&mut set, &linear, &spread, effective)?;
    if chosen.terms.is_empty() && chosen.sliders.is_empty() {
        return Err(TermsError::NothingSupported);
    }
    let mut model = settle(&set, &chosen.terms, &chosen.sliders, chosen.kind)
        .ok_or(TermsError::NoCandidates)?;
    left_out(&set, &chosen, &mut model);
    if let Some(error) = model.preload_error {
        let y0 = set.sought_preload().unwrap_or(0.0);
        preload::check(y0, error, set.amplitude())?;
    }
    let validation = others(&set, held_out, options)?;
    let ranking = rank(&set, &dictionary, validation.as_ref(), &workers)?;
    let chebyshev = chebyshev(&set, &ranking, options.chebyshev.unwrap_or(0));
    let mut outcomes: Vec<Outcome> = set
        .tests
        .iter()
        .zip(&set.sigma)
        .map(|(test, sigma)| outcome(&model, test, &set, Some(*sigma)))
        .collect();
    let fitted = outcomes.len();
    if let Some(other) = &validation {
        let each = other.tests.iter();
        outcomes.extend(each.map(|test| outcome(&model, test, &set, None)));
    }
    let name = |k: usize| linear[k].to_string();
    let mut found = Found {
        relative: root_mean(outcomes[..fitted].iter().map(|t| t.relative.powi(2))),
        rms: pooled(&outcomes[..fitted]),
        chi2_dof: chi2(&set, &model),
        condition: model.condition,
        bic_lead: chosen
            .best
            .second
            .as_ref()
            .map_or(f64::INFINITY, |(_, b)| b - chosen.best.bic),
        runner_up: chosen
            .best
            .second
            .iter()
            .flat_map(|(c, _)| c.iter().map(|k| name(*k)))
            .collect(),
        offer: None,
        top_speed: set.top_speed(),
        preload: set.tests.iter().map(|t| t.y0).collect(),
        preload_error: model.preload_error,
        distribution: spread,
        terms: model.terms,
        friction: model.friction,
        tests: outcomes,
        ranking,
        chebyshev,
        diagnostics: Vec::new(),
    };
    repeated.retain(|name| !found.ranking.dependent.contains(name));
    found.ranking.dependent.append(&mut repeated);
    found.diagnostics = diagnostics(&found, &set);
    let refused = |d: &Diagnostic| {
        use ResultDiagnostic::{BeyondNoise, CorrelatedResiduals};
        matches!(
            d,
            Diagnostic::Result(BeyondNoise { .. } | CorrelatedResiduals { .. })
        )
    };
    if found.diagnostics.iter().any(refused) {
        found.offer = offer(&set, validation.as_ref(), &chosen, &linear, effective);
    }
    Ok(found)
}

/// Tests that were held out, with the preload that was found where theirs is not given.
fn others(set: &Set, held_out: &[Test], options: &Options) -> Result<Option<Set>, TermsError> {
    if held_out.is_empty() {
        return Ok(None);
    }
    let other = Set::of(held_out, options.sign, options.slope)?;
    let first = set.tests.first().map_or(0.0, |t| t.y0);
    let y0 = set.sought_preload().unwrap_or(first);
    let mut other = other.with_preload(y0);
    other.span = set.span;
    Ok(Some(other))
}

/// Candidates that are linearly independent in these tests, and the names of the others.
fn independent(
    set: &Set,
    linear: &[Term],
    workers: &Workers,
) -> Result<(Vec<Term>, Vec<String>), TermsError> {
    let mut columns = Columns::new(set.rows());
    for term in linear {
        columns.push(&set.column(term));
    }
    let name = |j: usize| linear[j].to_string();
    let found = select(columns, &set.force(), linear.len(), workers, &name)?;
    let mut repeats: Vec<usize> = found.dependent.iter().map(|(j, _)| *j).collect();
    if set.one_speed() {
        // All odd powers of one speed are the same but for noise, and so are all even ones.
        for parity in [0, 1] {
            let own = |j: &usize| matches!(linear[*j], Term::Damping(p) if p % 2 == parity);
            repeats.retain(|j| !own(j));
            repeats.extend((0..linear.len()).filter(own).skip(1));
        }
    }
    let (mut kept, mut left) = (Vec::new(), Vec::new());
    for (j, term) in linear.iter().enumerate() {
        if repeats.contains(&j) {
            left.push(term.to_string());
        } else {
            kept.push(term.clone());
        }
    }
    Ok((kept, left))
}

fn root_mean(squares: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = squares.len().max(1) as f64;
    (squares.sum::<f64>() / count).sqrt()
}

fn pooled(tests: &[Outcome]) -> f64 {
    let samples: usize = tests.iter().map(|t| t.samples).sum();
    let square: f64 = tests.iter().map(|t| t.samples as f64 * t.rms * t.rms).sum();
    (square / samples.max(1) as f64).sqrt()
}
