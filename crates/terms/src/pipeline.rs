//! From tests to terms: noise, friction, the set of powers, error bars, ranking, diagnostics.

use super::chebyshev::Slider;
use super::choose::{PASSES, choose};
use super::diagnostics::diagnostics;
use super::dictionary::Term;
use super::error::TermsError;
use super::final_fit::{chi2, outcome, settle};
use super::found::Terms;
use super::friction::{distribution, grid};
use super::identified::{comparison, identified};
use super::left_out::left_out;
use super::ols::{Columns, select};
use super::options::Options;
use super::preload;
use super::ranking::{chebyshev, rank};
use super::set::Set;
use super::test::Test;
use super::varying::offer;
use masing_diagnostic::{Diagnostic, ResultDiagnostic};
use masing_identify::{Names, Workers};
use masing_model::MotionKind;

/// Finds the terms that tests support, as a model; tests that are held out are predicted.
pub fn identify(
    tests: &[Test],
    held_out: &[Test],
    options: &Options,
    motion: MotionKind,
) -> Result<Terms, TermsError> {
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
    let mut ranking = rank(&set, &dictionary, validation.as_ref(), &workers)?;
    let chebyshev = chebyshev(&set, &ranking, options.chebyshev.unwrap_or(0));
    let names = Names::of(motion);
    let fitted = set
        .tests
        .iter()
        .zip(set.sigma.iter().map(|sigma| Some(*sigma)));
    let others = validation.iter().flat_map(|other| &other.tests);
    let prepared = fitted.chain(others.map(|test| (test, None)));
    let (comparisons, outcomes): (Vec<_>, Vec<_>) = (tests.iter().chain(held_out).zip(prepared))
        .map(|(raw, (test, sigma))| {
            let outcome = outcome(&model, test, &set);
            (comparison(raw, test, &outcome, sigma, &names), outcome)
        })
        .unzip();
    let chi2_dof = chi2(&set, &model);
    let preload: Vec<f64> = set.tests.iter().map(|t| t.y0).collect();
    let second = chosen.best.second.as_ref();
    repeated.retain(|name| !ranking.dependent.contains(name));
    ranking.dependent.append(&mut repeated);
    let mut terms = Terms {
        identified: identified(&model, tests, &preload, comparisons, chi2_dof, motion)?,
        condition: model.condition,
        bic_lead: second.map_or(f64::INFINITY, |(_, b)| b - chosen.best.bic),
        runner_up: second.map_or_else(Vec::new, |(c, _)| {
            c.iter().map(|k| linear[*k].to_string()).collect()
        }),
        offer: None,
        top_speed: set.top_speed(),
        preload,
        preload_error: model.preload_error,
        distribution: spread,
        terms: model.terms,
        friction: model.friction,
        outcomes,
        ranking,
        chebyshev,
    };
    // What was said of the model comes last.
    let mut told = diagnostics(&terms, &set);
    let refused = |d: &Diagnostic| {
        use ResultDiagnostic::{BeyondNoise, CorrelatedResiduals};
        matches!(
            d,
            Diagnostic::Result(BeyondNoise { .. } | CorrelatedResiduals { .. })
        )
    };
    if told.iter().any(refused) {
        terms.offer = offer(&set, validation.as_ref(), &chosen, &linear, effective);
    }
    told.append(&mut terms.identified.diagnostics);
    terms.identified.diagnostics = told;
    Ok(terms)
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
