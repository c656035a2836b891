//! Coefficients as functions of amplitude and frequency, offered where one set of coefficients is rejected.
//!
//! One coefficient after the other may follow powers of the amplitude and the frequency of a test, while everything
//! else is shared and re-estimated, as long as BIC improves. The next one is chosen to first order: by the share of the
//! residual that the derivatives with respect to its exponents explain. Terms and sliders that were chosen for all
//! tests compensate for coefficients that change, so the terms that single tests support are tried as well.

use super::algebra::{Basis, norm2, solve};
use super::chebyshev::Slider;
use super::choose::{Chosen, choose};
use super::criteria::Bic;
use super::dictionary::Term;
use super::final_fit::{chi2, outcome, settle};
use super::found::{FrictionKind, Offer, Power, Trend};
use super::friction::{distribution, single};
use super::laws::{By, Law, Subject};
use super::one_by_one::one_by_one;
use super::projection::{Design, refine};
use super::set::Set;

/// Most coefficients that may vary.
const MOST: usize = 3;
/// Laws that are fitted in full after a first look at all of them.
const TRIED: usize = 3;
/// Tests whose amplitudes (or frequencies) differ by less than this factor were meant to be alike.
const MEANT_ALIKE: f64 = 1.1;
/// Different amplitudes (or frequencies) that a law needs: any law fits two.
const FEWEST_LEVELS: usize = 3;

/// One way to describe the tests.
pub(super) struct State {
    pub(super) terms: Vec<Term>,
    pub(super) sliders: Vec<Slider>,
    pub(super) set: Set,
    bic: f64,
}

/// Laws that describe the tests better than coefficients that are the same in all; none where there are none. `linear` are
/// the candidates without memory.
pub fn offer(
    set: &Set,
    held_out: Option<&Set>,
    chosen: &Chosen,
    linear: &[Term],
    effective: f64,
) -> Option<Offer> {
    let follows: Vec<(By, f64)> = [By::Amplitude, By::Frequency]
        .into_iter()
        .filter_map(|by| Some((by, centre(set, by)?)))
        .collect();
    if follows.is_empty() {
        return None;
    }
    let bic = Bic {
        rows: set.rows(),
        effective,
        floor: set.floor(),
    };
    let mut structures = vec![chosen.terms.clone()];
    let singles = of_single_tests(set, linear);
    if !structures.contains(&singles) {
        structures.push(singles);
    }
    let mut plain = f64::INFINITY;
    let mut best: Option<State> = None;
    for terms in structures {
        let starts = starts(set, &terms, &chosen.sliders);
        let Some(mut state) = best_of(set, &terms, &starts, bic) else {
            continue;
        };
        plain = plain.min(state.bic);
        while state.set.laws.len() < MOST {
            let Some(next) = next(&state, &follows, bic) else {
                break;
            };
            state = next;
        }
        if best.as_ref().is_none_or(|b| state.bic < b.bic) {
            best = Some(state);
        }
    }
    let state = best.filter(|state| !state.set.laws.is_empty())?;
    let kind = match state.sliders.len() {
        0 => FrictionKind::None,
        1 => FrictionKind::Single,
        _ => FrictionKind::Several,
    };
    let model = settle(&state.set, &state.terms, &state.sliders, kind)?;
    let others = held_out.iter().flat_map(|other| &other.tests);
    let tests = state.set.tests.iter().chain(others);
    let errors = tests.map(|test| outcome(&model, test, &state.set).residual(test).1);
    let errors = errors.collect();
    let mut exponent_errors = model.exponent_errors.iter();
    let trends = state.set.laws.iter().map(|law| Trend {
        name: match &law.subject {
            Subject::Term(term) => term.to_string(),
            Subject::Friction => "friction".to_owned(),
            Subject::Slip => "slip".to_owned(),
        },
        powers: law
            .powers
            .iter()
            .zip(exponent_errors.by_ref())
            .map(|(&(by, exponent, at), &std_error)| Power {
                by,
                exponent,
                std_error,
                at,
            })
            .collect(),
        by_test: one_by_one(&state, law),
    });
    Some(Offer {
        trends: trends.collect(),
        chi2_dof: chi2(&state.set, &model),
        terms: model.terms,
        friction: model.friction,
        errors,
        bic_lead: plain - state.bic,
    })
}

/// The terms that tests support when each is looked at alone, all together.
fn of_single_tests(set: &Set, linear: &[Term]) -> Vec<Term> {
    let mut terms: Vec<Term> = Vec::new();
    for k in 0..set.tests.len() {
        let mut alone = set.only(|i| i == k);
        let Some(spread) = distribution(&alone, linear) else {
            continue;
        };
        let effective = alone.effective_rows(&spread.left);
        if let Ok(own) = choose(&mut alone, linear, &spread.sliders, effective) {
            terms.extend(own.terms);
        }
    }
    let each = linear.iter().filter(|t| terms.contains(t));
    each.cloned().collect()
}

/// The geometric middle of what tests differ in; none where they hardly do.
fn centre(set: &Set, by: By) -> Option<f64> {
    let mut values: Vec<f64> = set.tests.iter().map(|t| by.of(t)).collect();
    if !values.iter().all(|v| *v > 0.0 && v.is_finite()) {
        return None;
    }
    values.sort_by(f64::total_cmp);
    let differ = values
        .windows(2)
        .filter(|w| w[1] > MEANT_ALIKE * w[0])
        .count()
        + 1;
    let middle = values.iter().map(|v| v.ln()).sum::<f64>() / values.len() as f64;
    (differ >= FEWEST_LEVELS).then(|| middle.exp())
}

/// Where sliders may begin: as they were chosen for all tests, or as one, because sliders that were chosen with the
/// wrong coefficients compensate for them.
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
        set.set_exponents(&joint.exponents);
        let parameters = terms.len() + 2 * joint.sliders.len() + exponents;
        Some(State {
            terms: terms.to_vec(),
            set,
            bic: bic.of(joint.rest, parameters as f64),
            sliders: joint.sliders,
        })
    });
    refined.min_by(|a, b| a.bic.total_cmp(&b.bic))
}

/// The further law that helps most; none where none helps.
fn next(state: &State, follows: &[(By, f64)], bic: Bic) -> Option<State> {
    let mut subjects: Vec<Subject> = state.terms.iter().cloned().map(Subject::Term).collect();
    if !state.sliders.is_empty() {
        subjects.extend([Subject::Friction, Subject::Slip]);
    }
    subjects.retain(|s| !state.set.laws.iter().any(|law| law.subject == *s));
    let each: Vec<_> = follows.iter().map(|&(by, at)| (by, 0.0, at)).collect();
    let mut ways: Vec<Vec<_>> = each.iter().map(|p| vec![*p]).collect();
    if each.len() > 1 {
        ways.push(each);
    }
    let beginnings = starts(&state.set, &state.terms, &state.sliders);
    let mut laws: Vec<(f64, Law)> = Vec::new();
    for sliders in &beginnings {
        for subject in &subjects {
            for powers in &ways {
                let law = Law {
                    subject: subject.clone(),
                    powers: powers.clone(),
                };
                let Some(judged) = first_order(state, sliders, &law, bic) else {
                    continue;
                };
                match laws.iter_mut().find(|(_, other)| *other == law) {
                    Some((best, _)) => *best = best.min(judged),
                    None => laws.push((judged, law)),
                }
            }
        }
    }
    laws.sort_by(|a, b| a.0.total_cmp(&b.0));
    let tried = laws.into_iter().take(TRIED).filter_map(|(_, law)| {
        let mut all = state.set.laws.clone();
        all.push(law);
        best_of(&state.set.with_laws(&all), &state.terms, &beginnings, bic)
    });
    let best = tried.min_by(|a, b| a.bic.total_cmp(&b.bic))?;
    (best.bic < state.bic).then_some(best)
}

/// BIC with a further law, to first order in its exponents.
fn first_order(state: &State, sliders: &[Slider], law: &Law, bic: Bic) -> Option<f64> {
    let (set, terms) = (&state.set, &state.terms);
    let design = Design::of(set, terms, sliders.iter().map(|s| s.ys).collect());
    let solved = solve(&design.columns, &set.force())?;
    let with_law = set.with_laws(std::slice::from_ref(law));
    let slopes = design.by_exponents(&solved.coefficients, &with_law);
    let mut basis = Basis::of(design.columns.iter().chain(&design.slips));
    for slope in slopes {
        basis.add(slope);
    }
    let mut left = set.force();
    basis.take_out(&mut left);
    let before = set.laws.iter().map(|law| law.powers.len()).sum::<usize>();
    let parameters = terms.len() + 2 * sliders.len() + before + law.powers.len();
    Some(bic.of(norm2(&left), parameters as f64))
}
