//! The greedy order of the dictionary, the criteria along it, and the paper's route to a slider.

use super::algebra::{left_of, norm2, solve};
use super::chebyshev::{generalised, invert};
use super::criteria::{ALPHAS, STRICTEST, aic, apress, bic, held_out};
use super::dictionary::Term;
use super::error::TermsError;
use super::found::{Chebyshev, Ranked, Ranking};
use super::ols::{Columns, Selection, select};
use super::set::Set;
use masing_identify::Workers;

/// Ranks the candidates by how much of the force they explain; `validation` are tests that were held out.
pub fn rank(
    set: &Set,
    candidates: &[Term],
    validation: Option<&Set>,
    workers: &Workers,
) -> Result<Ranking, TermsError> {
    let mut columns = Columns::new(set.rows());
    for term in candidates {
        columns.push(&set.column(term));
    }
    let name = |j: usize| candidates[j].to_string();
    let found = select(columns, &set.force(), candidates.len(), workers, &name)?;
    let rests: Vec<f64> = found.rests().collect();
    let rows = set.rows();
    let curves: Vec<_> = ALPHAS
        .iter()
        .map(|&alpha| (alpha, apress(&rests, rows, alpha)))
        .collect();
    let length = apress(&rests, rows, STRICTEST).length;
    let coefficients = found.coefficients(length);
    let terms = found.steps.iter().enumerate().map(|(k, step)| Ranked {
        term: candidates[step.index].clone(),
        err: step.err,
        coefficient: coefficients.get(k).copied(),
    });
    Ok(Ranking {
        terms: terms.collect(),
        dependent: found
            .dependent
            .iter()
            .map(|(j, _)| candidates[*j].to_string())
            .collect(),
        apress: curves,
        aic: aic(&rests, rows, set.floor()),
        bic: bic(&rests, rows, set.floor()),
        validation: validation.map(|other| held_out(errors(&found, candidates, other))),
        length,
    })
}

/// Relative error on other tests for every length.
fn errors(found: &Selection, candidates: &[Term], other: &Set) -> Vec<f64> {
    let force = other.force();
    let columns: Vec<Vec<f64>> = found
        .steps
        .iter()
        .map(|step| other.column(&candidates[step.index]))
        .collect();
    let size = norm2(&force);
    (1..=columns.len())
        .map(|length| {
            let left = left_of(force.clone(), &found.coefficients(length), &columns);
            (norm2(&left) / size).sqrt()
        })
        .collect()
}

/// Stiffness and slip by the paper's route: eq (37) on the ranked model, and all coefficients with their covariance.
pub fn chebyshev(set: &Set, ranking: &Ranking, degrees: u32) -> Chebyshev {
    let chosen = |degree: u32| {
        let own = ranking
            .terms
            .iter()
            .find(|r| r.term == Term::Chebyshev(degree));
        own.and_then(|r| r.coefficient)
    };
    let coefficients: Vec<Option<f64>> = (0..=degrees).map(chosen).collect();
    let pair = (chosen(0), chosen(1));
    let from_two = match pair {
        (Some(a0), Some(a1)) => invert(a0, a1, set.span),
        _ => None,
    };
    Chebyshev {
        from_all: from_all(set, ranking, degrees),
        coefficients,
        span: set.span,
        from_two,
    }
}

fn from_all(set: &Set, ranking: &Ranking, degrees: u32) -> Option<super::chebyshev::Slider> {
    let others: Vec<&Term> = ranking.terms[..ranking.length.min(ranking.terms.len())]
        .iter()
        .map(|r| &r.term)
        .filter(|t| !matches!(t, Term::Chebyshev(_)))
        .collect();
    let ranked: Vec<u32> = (0..=degrees)
        .filter(|d| ranking.terms.iter().any(|r| r.term == Term::Chebyshev(*d)))
        .collect();
    if ranked.is_empty() {
        return None;
    }
    let mut columns: Vec<Vec<f64>> = others.iter().map(|t| set.column(t)).collect();
    columns.extend(ranked.iter().map(|d| set.column(&Term::Chebyshev(*d))));
    let solved = solve(&columns, &set.force())?;
    let first = others.len();
    let count = ranked.len();
    let numbered: Vec<(usize, f64)> = ranked
        .iter()
        .zip(&solved.coefficients[first..])
        .map(|(d, a)| (*d as usize, *a))
        .collect();
    let covariance = solved
        .covariance
        .view((first, first), (count, count))
        .into_owned();
    generalised(&numbered, &covariance, set.span)
}
