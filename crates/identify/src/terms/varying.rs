//! Coefficients as functions of amplitude and frequency: what is offered where one set of coefficients is refused.
//!
//! One coefficient after the other may follow powers of the amplitude and the frequency of a test, everything else being
//! shared and sought again beside it, as long as BIC becomes better. Which one to try next is judged by the first order:
//! what the derivatives with respect to its exponents take of the residual.

use super::algebra::{Basis, norm2, solve};
use super::chebyshev::Slider;
use super::choose::Chosen;
use super::criteria::Bic;
use super::dictionary::Term;
use super::final_fit::{chi2, outcome, settle, variance};
use super::found::{FrictionKind, Offer, Power, Trend};
use super::friction::single;
use super::laws::{By, Law, Subject};
use super::projection::{by_exponents, refine};
use super::set::Set;

/// Coefficients that may follow something at most.
const MOST: usize = 3;
/// Laws that are tried in earnest after a first look at all.
const TRIED: usize = 3;
/// Tests whose amplitudes (or frequencies) differ by less than this factor were meant to be alike.
const ALIKE: f64 = 1.1;
/// Different amplitudes (or frequencies) that a law needs: two would follow any.
const LEAST: usize = 3;

/// One way to describe the tests.
struct State {
    set: Set,
    sliders: Vec<Slider>,
    bic: f64,
}

/// Laws that describe the tests better than coefficients that are the same in all; none where there are none.
pub fn offer(set: &Set, held_out: Option<&Set>, chosen: &Chosen, effective: f64) -> Option<Offer> {
    let follows: Vec<(By, f64)> = [By::Amplitude, By::Frequency]
        .into_iter()
        .filter_map(|by| Some((by, centre(set, by)?)))
        .collect();
    if follows.is_empty() {
        return None;
    }
    let terms = &chosen.terms;
    let bic = Bic {
        rows: set.rows(),
        effective,
        floor: set.floor(),
    };
    let first = best_of(set, terms, &starts(set, terms, &chosen.sliders), bic)?;
    let plain = first.bic;
    let mut state = first;
    while state.set.laws.len() < MOST {
        let Some(next) = next(&state, terms, &follows, bic) else {
            break;
        };
        state = next;
    }
    if state.set.laws.is_empty() {
        return None;
    }
    let kind = match state.sliders.len() {
        0 => FrictionKind::None,
        1 => FrictionKind::Single,
        _ => FrictionKind::Several,
    };
    let model = settle(&state.set, terms, &state.sliders, kind)?;
    let fitted = state.set.tests.iter().zip(&state.set.sigma);
    let mut tests: Vec<_> = fitted
        .map(|(test, sigma)| outcome(&model, test, &state.set, Some(*sigma)))
        .collect();
    let others = held_out.iter().flat_map(|other| &other.tests);
    tests.extend(others.map(|test| outcome(&model, test, &state.set, None)));
    let mut errors = model.exponent_errors.iter();
    let trends = state.set.laws.iter().map(|law| Trend {
        name: match &law.subject {
            Subject::Term(term) => term.to_string(),
            Subject::Friction => "friction".to_owned(),
        },
        powers: law
            .powers
            .iter()
            .zip(errors.by_ref())
            .map(|(&(by, exponent, at), &std_error)| Power {
                by,
                exponent,
                std_error,
                at,
            })
            .collect(),
        by_test: test_by_test(&state, terms, &law.subject),
    });
    Some(Offer {
        trends: trends.collect(),
        chi2_dof: chi2(&state.set, &model),
        terms: model.terms,
        friction: model.friction,
        tests,
        bic_lead: plain - state.bic,
    })
}

/// The geometric middle of what tests differ in; none where they hardly do.
fn centre(set: &Set, by: By) -> Option<f64> {
    let mut values: Vec<f64> = set.tests.iter().map(|t| by.of(t)).collect();
    if !values.iter().all(|v| *v > 0.0 && v.is_finite()) {
        return None;
    }
    values.sort_by(f64::total_cmp);
    let differ = values.windows(2).filter(|w| w[1] > ALIKE * w[0]).count() + 1;
    let middle = values.iter().map(|v| v.ln()).sum::<f64>() / values.len() as f64;
    (differ >= LEAST).then(|| middle.exp())
}

/// Where sliders may begin: as they were chosen for all tests, or as one, because sliders that were chosen with the wrong
/// coefficients make up for them.
fn starts(set: &Set, terms: &[Term], sliders: &[Slider]) -> Vec<Vec<Slider>> {
    let mut starts = vec![sliders.to_vec()];
    if sliders.len() > 1 {
        starts.extend(single(set, terms).map(|one| vec![one]));
    }
    starts
}

/// The best of some starts, refined.
fn best_of(set: &Set, terms: &[Term], starts: &[Vec<Slider>], bic: Bic) -> Option<State> {
    let exponents: usize = set.laws.iter().map(|law| law.powers.len()).sum();
    let refined = starts.iter().filter_map(|start| {
        let joint = refine(set, terms, start, set.seeks_preload())?;
        let mut set = match joint.y0 {
            Some(y0) => set.with_preload(y0),
            None => set.clone(),
        };
        let powers = set.laws.iter_mut().flat_map(|law| &mut law.powers);
        for ((_, exponent, _), found) in powers.zip(&joint.exponents) {
            *exponent = *found;
        }
        let parameters = terms.len() + 2 * joint.sliders.len() + exponents;
        Some(State {
            set,
            bic: bic.of(joint.rest, parameters as f64),
            sliders: joint.sliders,
        })
    });
    refined.min_by(|a, b| a.bic.total_cmp(&b.bic))
}

/// The law that helps most beside those there are; none where none helps.
fn next(state: &State, terms: &[Term], follows: &[(By, f64)], bic: Bic) -> Option<State> {
    let mut subjects: Vec<Subject> = terms.iter().cloned().map(Subject::Term).collect();
    if !state.sliders.is_empty() {
        subjects.push(Subject::Friction);
    }
    subjects.retain(|s| !state.set.laws.iter().any(|law| law.subject == *s));
    let beginnings = starts(&state.set, terms, &state.sliders);
    let mut ways: Vec<(f64, Law)> = Vec::new();
    for sliders in &beginnings {
        for subject in &subjects {
            let powers = follows.iter().map(|&(by, at)| (by, 0.0, at));
            let powers: Vec<_> = powers.collect();
            let mut sets: Vec<Vec<_>> = powers.iter().map(|p| vec![*p]).collect();
            if powers.len() > 1 {
                sets.push(powers);
            }
            for powers in sets {
                let law = Law {
                    subject: subject.clone(),
                    powers,
                };
                if let Some(judged) = first_order(state, terms, sliders, &law, bic)
                    && !ways.iter().any(|(_, other)| *other == law)
                {
                    ways.push((judged, law));
                }
            }
        }
    }
    ways.sort_by(|a, b| a.0.total_cmp(&b.0));
    let tried = ways.into_iter().take(TRIED).filter_map(|(_, law)| {
        let mut laws = state.set.laws.clone();
        laws.push(law);
        let set = state.set.with_laws(&laws);
        // The start of the others is where they were found; the new one begins at an exponent of zero.
        best_of(&set, terms, &beginnings, bic)
    });
    let best = tried.min_by(|a, b| a.bic.total_cmp(&b.bic))?;
    (best.bic < state.bic).then_some(best)
}

/// BIC with a further law, to first order in its exponents.
fn first_order(
    state: &State,
    terms: &[Term],
    sliders: &[Slider],
    law: &Law,
    bic: Bic,
) -> Option<f64> {
    let set = &state.set;
    let mut columns: Vec<Vec<f64>> = terms.iter().map(|t| set.column(t)).collect();
    columns.extend(sliders.iter().map(|s| set.slider(s.ys).0));
    let solved = solve(&columns, &set.force())?;
    let alone = set.with_laws(std::slice::from_ref(law));
    let slopes = by_exponents(&alone, terms, &columns, &solved.coefficients);
    let mut basis = Basis::of(&columns);
    for slope in slopes {
        basis.add(slope);
    }
    let mut left = set.force();
    basis.take_out(&mut left);
    let before = set.laws.iter().map(|law| law.powers.len()).sum::<usize>();
    let parameters = terms.len() + 2 * sliders.len() + before + law.powers.len();
    Some(bic.of(norm2(&left), parameters as f64))
}

/// The coefficient of every test where nothing else differs between tests than what other laws say.
fn test_by_test(state: &State, terms: &[Term], subject: &Subject) -> Vec<(f64, f64)> {
    let others: Vec<Law> = state.set.laws.clone();
    let others: Vec<Law> = others.into_iter().filter(|l| l.subject != *subject).collect();
    let set = state.set.with_laws(&others);
    let mut shared: Vec<Vec<f64>> = Vec::new();
    let mut own = vec![0.0; set.rows()];
    let total: f64 = state.sliders.iter().map(|s| s.ks).sum();
    for term in terms {
        if *subject == Subject::Term(term.clone()) {
            own = set.column(term);
        } else {
            shared.push(set.column(term));
        }
    }
    for slider in &state.sliders {
        let column = set.slider(slider.ys).0;
        if *subject == Subject::Friction {
            super::algebra::axpy(slider.ks / total, &column, &mut own);
        } else {
            shared.push(column);
        }
    }
    let many = shared.len();
    for range in set.ranges() {
        let mut column = vec![0.0; own.len()];
        column[range.clone()].copy_from_slice(&own[range]);
        shared.push(column);
    }
    let force = set.force();
    let Some(solved) = solve(&shared, &force) else {
        return vec![(f64::NAN, f64::NAN); set.tests.len()];
    };
    let mut left = force;
    for (c, column) in solved.coefficients.iter().zip(&shared) {
        super::algebra::axpy(-c, column, &mut left);
    }
    let variance = variance(&set, &left, shared.len());
    let each = (many..shared.len()).map(|i| {
        let error = (variance * solved.covariance[(i, i)].max(0.0)).sqrt();
        (solved.coefficients[i], error)
    });
    each.collect()
}
