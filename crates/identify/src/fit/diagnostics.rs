//! What a user should know about a fit.

use crate::conditions::Followed;
use crate::fit::Solution;
use crate::objective::Objective;
use crate::problem::unknown::Place;
use crate::search::optimise::Stop;
use crate::test::Test;
use crate::uncertainty::Status;
use masing_diagnostic::{
    Diagnostic, FitDiagnostic, Method, ResultDiagnostic, Sought, TellsApart, Undetermined,
    thresholds,
};
use masing_model::Probe;
use masing_model::law::by_unit;

/// Parameters that were pulled towards a value, which makes their error bars smaller.
pub(crate) fn held(objective: &Objective<'_>) -> Diagnostic {
    let priors = objective.rules.priors.iter();
    let addresses = priors.map(|prior| objective.unknowns[prior.unknown].name.clone());
    FitDiagnostic::Held {
        addresses: addresses.collect(),
    }
    .into()
}

/// All diagnostics that follow from the result alone.
pub fn diagnostics(fit: &Solution) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let method = Method::Fit;
    match fit.stop {
        Stop::Evaluations => out.push(ResultDiagnostic::NotConverged { method }.into()),
        Stop::Interrupted => out.push(ResultDiagnostic::Interrupted { method }.into()),
        _ => {}
    }
    out.extend(fit.simulated.iter().filter_map(Test::diagnostic));
    if undetermined(fit, &mut out) != Some(TellsApart::FrequencyOrMass) {
        mass_or_stiffness(fit, &mut out);
    }
    for found in &fit.parameters {
        if found.status == Status::AtBound {
            let (address, value) = (found.address.clone(), found.value);
            out.push(FitDiagnostic::AtBound { address, value }.into());
        }
    }
    out.extend(fit.followed.iter().filter_map(form_told));
    for part in fit.model.assembly().parts() {
        let p = &fit.model.values()[part.params.clone()];
        if let Some(why) = part.element.law().non_passive(p) {
            let (label, condition) = (part.label.clone(), why.to_owned());
            out.push(FitDiagnostic::NonPassive { label, condition }.into());
        }
    }
    if fit.relative > thresholds::POOR_FIT {
        let poor = ResultDiagnostic::PoorFit {
            method,
            error: fit.relative,
            test: None,
            scale: None,
            preload: None,
        };
        out.push(poor.into());
    }
    if let Some(chi2) = fit.chi2_dof.filter(|c| *c > thresholds::BEYOND_NOISE) {
        let times = chi2.sqrt();
        out.push(ResultDiagnostic::BeyondNoise { method, times }.into());
    }
    for test in &fit.validation {
        if thresholds::weakly_predicted(test.relative, fit.relative) {
            let weak = ResultDiagnostic::WeakValidation {
                test: test.name.clone(),
                error: test.relative,
                fitted: fit.relative,
            };
            out.push(weak.into());
        }
    }
    if fit.trust.inflated {
        let tests = vec![];
        out.push(ResultDiagnostic::CorrelatedResiduals { method, tests }.into());
    }
    out
}

/// How the form over a condition was chosen, or that nothing tests it.
fn form_told(own: &Followed) -> Option<Diagnostic> {
    let (address, condition) = (own.address.clone(), own.of[0].0.clone());
    if !own.ranked.is_empty() {
        let form = own.law.form_names().join(" and ");
        let others = own.ranked.iter().map(|r| (r.name(), r.error)).collect();
        let chosen = FitDiagnostic::FormChosen {
            address,
            condition,
            form,
            others,
        };
        return Some(chosen.into());
    }
    let levels = own.levels.len();
    let untested = own.law.count() >= levels;
    let told = FitDiagnostic::FormUntested {
        address,
        condition,
        levels,
    };
    untested.then(|| told.into())
}

/// A mass of the rig that a parameter could replace, however small the error bars are: at a single
/// frequency their effects differ only at the ends of the record.
fn mass_or_stiffness(fit: &Solution, out: &mut Vec<Diagnostic>) {
    let place = |i: usize| fit.unknowns[i].place;
    let all = 0..fit.unknowns.len();
    for mass in all
        .clone()
        .filter(|&i| matches!(place(i), Place::MovingMass(_)))
    {
        let correlation = |i: usize| fit.trust.correlation[(mass, i)].abs();
        let rival = all
            .clone()
            .filter(|&i| matches!(place(i), Place::Param(_)))
            .max_by(|&a, &b| correlation(a).total_cmp(&correlation(b)));
        if let Some(rival) = rival.filter(|&i| correlation(i) > thresholds::MASS_OR_STIFFNESS) {
            let alike = FitDiagnostic::MassOrStiffness {
                mass: fit.unknowns[mass].name.clone(),
                parameter: fit.unknowns[rival].name.clone(),
            };
            out.push(alike.into());
        }
    }
}

/// The kind of test that reveals an unknown, where it is a parameter: from its law, or from its unit for
/// masses.
fn probe(fit: &Solution, unknown: usize) -> Option<Probe> {
    let Place::Param(index) = fit.unknowns[unknown].place else {
        return None;
    };
    let mut parts = fit.model.assembly().parts().iter();
    Some(match parts.find(|part| part.params.contains(&index)) {
        Some(part) => part.element.law().reveals(index - part.params.start),
        None => by_unit::probe(&fit.model.params()[index].1.unit),
    })
}

/// Parameters that the tests do not determine, from the least determined direction; returns the kind
/// of test that would separate them.
fn undetermined(fit: &Solution, out: &mut Vec<Diagnostic>) -> Option<TellsApart> {
    let start_of = |i: usize| {
        let place = fit.unknowns[i].place;
        place.target().filter(|_| place.is_start())
    };
    // What a test begins with matters only where it stands in for something else.
    let weak: Vec<usize> = (0..fit.unknowns.len())
        .filter(|&i| {
            let status = fit.trust.status[i];
            matches!(status, Status::Unidentifiable | Status::PoorlyDetermined)
                && start_of(i).is_none()
        })
        .collect();
    if weak.is_empty() {
        return None;
    }
    let nowhere = |i: &usize| fit.trust.status[*i] == Status::Unidentifiable;
    let any_nowhere = weak.iter().any(nowhere);
    let mut add = |names: Vec<Sought>, how: Undetermined| {
        out.push(if any_nowhere {
            ResultDiagnostic::Unidentifiable { names, how }.into()
        } else {
            ResultDiagnostic::PoorlyDetermined { names, how }.into()
        });
    };
    // The unknowns that the weakest direction moves together, largest share first.
    let share = |i: usize| fit.trust.weakest[i].abs();
    let mut together: Vec<usize> = (0..fit.unknowns.len())
        .filter(|&i| share(i) > thresholds::TOGETHER)
        .collect();
    together.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
    if together.iter().all(|&i| start_of(i).is_some()) {
        together.clear();
    }
    let names = |list: &[usize]| -> Vec<Sought> {
        let mut names = Vec::new();
        for &i in list {
            let name = match start_of(i).and_then(|target| fit.simulated.get(target)) {
                Some(test) => Sought::InitialState {
                    test: test.name.clone(),
                },
                None => Sought::Address(fit.unknowns[i].name.clone()),
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    };
    let mut missing = None;
    if names(&together).len() > 1 {
        let test = tells_apart(fit, &together);
        missing = Some(test);
        add(names(&together), Undetermined::Together(test));
    }
    let alone: Vec<usize> = weak
        .into_iter()
        .filter(|i| together.len() < 2 || !together.contains(i))
        .collect();
    if !alone.is_empty() {
        let roughly = !alone.iter().any(nowhere);
        add(names(&alone), Undetermined::Alone { roughly });
    }
    missing
}

/// The kind of test that separates unknowns which these tests only determine together.
fn tells_apart(fit: &Solution, together: &[usize]) -> TellsApart {
    let with = |wanted: fn(&Place) -> bool| {
        let mut places = together.iter().map(|&i| fit.unknowns[i].place);
        places.any(|place| wanted(&place))
    };
    let probes: Vec<Probe> = together.iter().filter_map(|&i| probe(fit, i)).collect();
    if with(|p| matches!(p, Place::MovingMass(_))) {
        TellsApart::FrequencyOrMass
    } else if with(|p| matches!(p, Place::Delay(_))) {
        TellsApart::FrequencyForDelay
    } else if with(|p| p.is_start()) {
        TellsApart::Rest
    } else if probes.contains(&Probe::Frequency) {
        TellsApart::Frequency
    } else if probes.contains(&Probe::Speed) || probes.contains(&Probe::Hold) {
        TellsApart::Speed
    } else {
        TellsApart::Amplitude
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::{FitOptions, fit};
    use crate::trial::{model, record};

    /// What would tell the parameters of a model apart that its test sees only together.
    fn told(sum: &str, p: &[f64]) -> Vec<TellsApart> {
        let model = model(sum);
        let test = record(&model, p, 400, 1e-2, 3);
        let found = fit(&model, vec![test], vec![], &FitOptions::default(), None).expect("a fit");
        let each = found.diagnostics.iter().filter_map(|d| match d {
            Diagnostic::Result(
                ResultDiagnostic::PoorlyDetermined { how, .. }
                | ResultDiagnostic::Unidentifiable { how, .. },
            ) => Some(*how),
            _ => None,
        });
        let each = each.filter_map(|how| match how {
            Undetermined::Together(test) => Some(test),
            Undetermined::Alone { .. } => None,
        });
        each.collect()
    }

    #[test]
    fn advice_follows_the_law_and_not_its_label() {
        // 10 N of 200 N: hardly bent, so that stiffness, friction and shape go together.
        let barely_bent = [1e4, 200.0, 1.0];
        assert_eq!(told("dahl", &barely_bent), [TellsApart::Amplitude]);
        assert_eq!(told("mid: dahl", &barely_bent), [TellsApart::Amplitude]);
    }
}
