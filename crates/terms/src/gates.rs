//! Whether a result is physically and statistically sound; each gate is a warning with a code and words.

use super::dictionary::Term;
use super::disturbed::disturbed;
use super::doubts::{coarse, locked_in, outside_model, poor, preloads};
use super::found::{Found, FrictionKind};
use super::set::Set;
use super::soundness::{passive_up_to, softens};
use super::words::Words;
use masing_identify::Warning;
use masing_identify::uncertainty::Status;
use masing_identify::uncertainty::inflation::correlated;

/// Mean square over the noise beyond which the model misses something.
const BEYOND_NOISE: f64 = 1.3;
/// Condition beyond which coefficients are at the mercy of rounding and noise.
const ILL: f64 = 1e6;
/// Difference of BIC below which two choices are as good as each other.
const CLOSE: f64 = 2.0;
/// A test that was held out may exceed the others by this factor.
const BEYOND: f64 = 1.1;

/// All remarks.
pub fn warnings(found: &Found, set: &Set, rotation: bool) -> Vec<Warning> {
    let words = Words { rotation };
    let mut out = Vec::new();
    let mut add = |code, message: String| out.push(Warning { code, message });
    if let Some(limit) = passive_up_to(&found.terms, found.top_speed) {
        add(
            "non-passive",
            format!(
                "the damping terms feed energy in {}, inside the tested speeds (up to {}); the model must not be used there",
                if limit < 1e-3 * found.top_speed {
                    "from the smallest speeds on".to_owned()
                } else {
                    format!("above {}", words.speed(limit))
                },
                words.speed(found.top_speed)
            ),
        );
    }
    if let Some(at) = softens(&found.terms, set) {
        add(
            "negative-stiffness",
            format!(
                "the stiffness of the polynomial part is not positive at {}, inside the tested range",
                words.length(at)
            ),
        );
    }
    poor(found, set, words, &mut add);
    coarse(found, set, &mut add);
    statistics(found, &mut add);
    preloads(found, set, words, &mut add);
    disturbed(found, set, words, &mut add);
    friction(found, set, words, &mut add);
    undetermined(found, &mut add);
    if !found.ranking.dependent.is_empty() {
        add(
            "dependent-terms",
            format!(
                "{}: the same as other candidates in these tests, and left out of the ranking",
                listed(&found.ranking.dependent)
            ),
        );
    }
    outside_model(found, set, &mut add);
    locked_in(found, words, &mut add);
    held_out(found, set, &mut add);
    out
}

/// What is left, and how well the terms can be told apart.
fn statistics(found: &Found, add: &mut impl FnMut(&'static str, String)) {
    if let Some(chi2) = found.chi2_dof.filter(|c| *c > BEYOND_NOISE) {
        add(
            "beyond-noise",
            format!(
                "the differences are {:.1} times what the noise explains; one set of coefficients does not describe these tests",
                chi2.sqrt()
            ),
        );
    }
    let correlated: Vec<&str> = found
        .tests
        .iter()
        .filter(|t| !t.held_out && correlated(t.lag1, t.samples))
        // What lies far below the noise that is believed is rounding.
        .filter(|t| t.rms > 0.2 * t.noise)
        .map(|t| t.name.as_str())
        .collect();
    if !correlated.is_empty() {
        add(
            "correlated-residuals",
            format!(
                "neighbouring differences resemble each other in {}; something is missing from the model, and the error bars were made larger for it",
                listed(&correlated)
            ),
        );
    }
    if found.bic_lead < CLOSE {
        let rival = match found.runner_up.as_slice() {
            [] => "no powers at all".to_owned(),
            names => listed(names),
        };
        add(
            "close-choice",
            format!(
                "the choice of terms is a close one: {rival} would do almost as well (BIC {:.1} apart)",
                found.bic_lead
            ),
        );
    }
    if found.condition > ILL {
        add(
            "ill-conditioned",
            format!(
                "the terms can hardly be told apart (condition {:.0e}); add a test at another amplitude or frequency",
                found.condition
            ),
        );
    }
}

/// Tests that were held out: whether they go further than the others, and whether they are met much worse.
fn held_out(found: &Found, set: &Set, add: &mut impl FnMut(&'static str, String)) {
    for test in found.tests.iter().filter(|t| t.held_out) {
        let beyond = [
            (
                found
                    .terms
                    .iter()
                    .any(|c| matches!(c.term, Term::Damping(_)))
                    && test.top_speed > BEYOND * found.top_speed,
                "faster",
            ),
            (test.amplitude > BEYOND * set.amplitude(), "larger"),
        ];
        for (_, word) in beyond.iter().filter(|(is, _)| *is) {
            add(
                "extrapolated",
                format!(
                    "test `{}`, which was held out, is {word} than the tests that the terms come from; powers mean nothing beyond them",
                    test.name
                ),
            );
        }
        if test.relative > 2.0 * found.relative && test.relative > 0.03 {
            add(
                "weak-validation",
                format!(
                    "test `{}`, which was held out, has an error of {:.1} % against {:.1} % of the fitted ones",
                    test.name,
                    100.0 * test.relative,
                    100.0 * found.relative
                ),
            );
        }
    }
}

fn friction(found: &Found, set: &Set, words: Words, add: &mut impl FnMut(&'static str, String)) {
    let chebyshev = &found.chebyshev;
    if chebyshev.from_two.is_none()
        && found
            .ranking
            .terms
            .iter()
            .any(|r| r.term == Term::Chebyshev(0))
    {
        add(
            "chebyshev-no-slider",
            "for experts: the Chebyshev coefficients a0 and a1 belong to no spring-slider (a1/a0 is not positive, or one of them was not chosen), so that the paper's eq (37) has no solution; the model does not depend on them"
                .to_owned(),
        );
    }
    if found.friction.kind == FrictionKind::None {
        add(
            "no-friction",
            "the data support no spring-slider; the model has none".to_owned(),
        );
        return;
    }
    let longest = found
        .friction
        .sliders
        .iter()
        .map(|s| s.ys.value)
        .fold(0.0, f64::max);
    let strokes = set
        .tests
        .iter()
        .flat_map(|t| t.strokes().collect::<Vec<_>>());
    let shortest = strokes.fold(f64::INFINITY, f64::min);
    if shortest < 2.0 * longest {
        add(
            "short-strokes",
            format!(
                "the shortest stroke ({}) is less than twice the slip displacement of the longest slider (which is {}); the Chebyshev coefficients hold only for full slip in every stroke",
                words.length(shortest),
                words.length(longest)
            ),
        );
    }
}

fn undetermined(found: &Found, add: &mut impl FnMut(&'static str, String)) {
    for (status, code, words) in [
        (
            Status::Unidentifiable,
            "unidentifiable",
            "not determined by these tests",
        ),
        (
            Status::PoorlyDetermined,
            "poorly-determined",
            "only roughly determined by these tests",
        ),
    ] {
        let names: Vec<String> = found
            .terms
            .iter()
            .filter(|c| c.status == status)
            .map(|c| c.term.to_string())
            .collect();
        if !names.is_empty() {
            add(code, format!("{}: {words}", listed(&names)));
        }
    }
}

/// Names in quotes.
pub fn listed(names: &[impl AsRef<str>]) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("`{}`", n.as_ref())).collect();
    quoted.join(", ")
}
