//! Whether a result is physically and statistically sound.

use super::dictionary::Term;
use super::disturbed::disturbed;
use super::found::{FrictionKind, Terms};
use super::input_diagnostics::{coarse, locked_in, outside_model, poor, preloads};
use super::set::Set;
use super::soundness::{passive_up_to, softens};
use masing_diagnostic::{
    Beyond, Diagnostic, Method, ResultDiagnostic, Sought, TermsDiagnostic, Undetermined, thresholds,
};
use masing_identify::result::{Role, untested_motion};
use masing_identify::uncertainty::Status;

/// All diagnostics.
pub fn diagnostics(found: &Terms, set: &Set) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let top_speed = found.top_speed;
    if let Some(from) = passive_up_to(&found.terms, top_speed) {
        out.push(TermsDiagnostic::NonPassive { from, top_speed }.into());
    }
    if let Some(at) = softens(&found.terms, set) {
        out.push(TermsDiagnostic::NegativeStiffness { at }.into());
    }
    poor(found, set, &mut out);
    coarse(found, set, &mut out);
    statistics(found, &mut out);
    preloads(found, set, &mut out);
    out.extend(disturbed(found, set));
    friction(found, set, &mut out);
    undetermined(found, &mut out);
    if !found.ranking.dependent.is_empty() {
        let terms = found.ranking.dependent.clone();
        out.push(TermsDiagnostic::DependentTerms { terms }.into());
    }
    outside_model(found, set, &mut out);
    locked_in(found, &mut out);
    held_out(found, set, &mut out);
    out
}

/// What is left, and how well the terms can be told apart.
fn statistics(found: &Terms, out: &mut Vec<Diagnostic>) {
    let method = Method::Terms;
    let chi2 = found.identified.error.chi2_dof;
    if let Some(chi2) = chi2.filter(|c| *c > thresholds::BEYOND_NOISE) {
        let times = chi2.sqrt();
        out.push(ResultDiagnostic::BeyondNoise { method, times }.into());
    }
    let fitted = found.identified.comparisons.iter();
    let tests: Vec<String> = fitted
        .filter(|t| t.role == Role::Fitted && thresholds::correlated(t.lag1, t.samples))
        // What lies far below the noise that is believed is rounding.
        .filter(|t| t.rms > thresholds::ROUNDING * t.noise.value)
        .map(|t| t.name.clone())
        .collect();
    if !tests.is_empty() {
        out.push(ResultDiagnostic::CorrelatedResiduals { method, tests }.into());
    }
    if found.bic_lead < thresholds::CLOSE_CHOICE {
        let close = TermsDiagnostic::CloseChoice {
            runner_up: found.runner_up.clone(),
            bic: found.bic_lead,
        };
        out.push(close.into());
    }
    if found.condition > thresholds::ILL_CONDITIONED {
        let condition = found.condition;
        out.push(TermsDiagnostic::IllConditioned { condition }.into());
    }
}

/// Tests that were held out: whether they go further than the others, and whether they are met much worse.
fn held_out(found: &Terms, set: &Set, out: &mut Vec<Diagnostic>) {
    let damping = |t: &Term| matches!(t, Term::Damping(_));
    let damped = found.terms.iter().any(|c| damping(&c.term));
    out.extend(untested_motion(
        &found.identified.comparisons,
        damped,
        false,
    ));
    let limit = thresholds::EXTRAPOLATED;
    let fitted = found.identified.error.relative;
    let tests = found.identified.comparisons.iter().zip(&found.outcomes);
    for (test, motion) in tests.filter(|(test, _)| test.role == Role::HeldOut) {
        let faster = damped && motion.top_speed > limit * found.top_speed;
        let larger = motion.amplitude > limit * set.amplitude();
        for (_, beyond) in [(faster, Beyond::Faster), (larger, Beyond::Larger)]
            .into_iter()
            .filter(|(is, _)| *is)
        {
            let test = test.name.clone();
            out.push(TermsDiagnostic::Extrapolated { test, beyond }.into());
        }
        let error = test.error;
        if thresholds::weakly_predicted(error, fitted) {
            let test = test.name.clone();
            out.push(
                ResultDiagnostic::WeakValidation {
                    test,
                    error,
                    fitted,
                }
                .into(),
            );
        }
    }
}

fn friction(found: &Terms, set: &Set, out: &mut Vec<Diagnostic>) {
    let mut ranked = found.ranking.terms.iter();
    if found.chebyshev.from_two.is_none() && ranked.any(|r| r.term == Term::Chebyshev(0)) {
        out.push(TermsDiagnostic::ChebyshevNoSlider {}.into());
    }
    if found.friction.kind == FrictionKind::None {
        out.push(TermsDiagnostic::NoFriction {}.into());
        return;
    }
    let sliders = found.friction.sliders.iter();
    let slip = sliders.map(|s| s.ys.value).fold(0.0, f64::max);
    let strokes = set
        .tests
        .iter()
        .flat_map(|t| t.strokes().collect::<Vec<_>>());
    let shortest = strokes.fold(f64::INFINITY, f64::min);
    if shortest < 2.0 * slip {
        out.push(TermsDiagnostic::ShortStrokes { shortest, slip }.into());
    }
}

fn undetermined(found: &Terms, out: &mut Vec<Diagnostic>) {
    let with = |status: Status| -> Vec<Sought> {
        let terms = found.terms.iter().filter(|c| c.status == status);
        terms.map(|c| Sought::Address(c.term.to_string())).collect()
    };
    let alone = |roughly| Undetermined::Alone { roughly };
    let (names, how) = (with(Status::Unidentifiable), alone(false));
    if !names.is_empty() {
        out.push(ResultDiagnostic::Unidentifiable { names, how }.into());
    }
    let (names, how) = (with(Status::PoorlyDetermined), alone(true));
    if !names.is_empty() {
        out.push(ResultDiagnostic::PoorlyDetermined { names, how }.into());
    }
}
