//! What a user should know about a fit, with a code for programs and words for people.

use crate::fit::Fit;
use crate::objective::Objective;
use crate::problem::unknown::Place;
use crate::search::optimise::Stop;
use crate::uncertainty::Status;
use masing_model::Probe;
use masing_model::law::by_unit;

/// One remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Code.
    pub code: &'static str,
    /// Words.
    pub message: String,
}

impl Warning {
    /// Some parameters were held towards a value, which makes their error bars smaller.
    pub(crate) fn held(objective: &Objective<'_>) -> Self {
        let names: Vec<String> = objective
            .rules
            .priors
            .iter()
            .map(|prior| format!("`{}`", objective.unknowns[prior.unknown].name))
            .collect();
        Self {
            code: "held",
            message: format!(
                "{} held towards a given value; the error bars do not count what that hides",
                names.join(" and ")
            ),
        }
    }
}

/// Error beyond which a model does not describe a test.
const POOR: f64 = 0.2;

/// All remarks on a fit.
pub fn warnings(fit: &Fit) -> Vec<Warning> {
    let mut out = Vec::new();
    let mut add = |code, message| out.push(Warning { code, message });
    match fit.stop {
        Stop::Evaluations => add(
            "not-converged",
            "the search stopped before it settled; the values are the best so far".to_owned(),
        ),
        Stop::Interrupted => add(
            "interrupted",
            "the search was interrupted; the values are the best so far".to_owned(),
        ),
        _ => {}
    }
    if undetermined(fit, &mut add) != Some(ANOTHER_FREQUENCY) {
        mass_or_stiffness(fit, &mut add);
    }
    for found in &fit.parameters {
        if found.status == Status::AtBound {
            add(
                "at-bound",
                format!(
                    "`{}` ended at the edge of its range ({:.4e})",
                    found.address, found.value
                ),
            );
        }
    }
    for part in fit.model.assembly().parts() {
        let p = &fit.model.values()[part.params.clone()];
        if let Some(why) = part.element.law().non_passive(p) {
            let label = &part.label;
            add(
                "non-passive",
                format!("`{label}` is passive only within what was tested: {why}"),
            );
        }
    }
    if fit.relative > POOR {
        add(
            "poor-fit",
            format!(
                "the model does not describe the tests: error {:.0} %; try another model",
                100.0 * fit.relative
            ),
        );
    }
    if let Some(chi2) = fit.chi2_dof.filter(|c| *c > 1.3) {
        add(
            "beyond-noise",
            format!(
                "the differences are {:.1} times what the noise explains; the model misses something",
                chi2.sqrt()
            ),
        );
    }
    for test in &fit.validation {
        if test.relative > 2.0 * fit.relative && test.relative > 0.03 {
            add(
                "weak-validation",
                format!(
                    "test `{}`, which was held out, has an error of {:.1} % against {:.1} % of the fitted ones",
                    test.name,
                    100.0 * test.relative,
                    100.0 * fit.relative
                ),
            );
        }
    }
    if fit.trust.inflated {
        add(
            "correlated-residuals",
            "neighbouring differences resemble each other; the error bars were made larger for it"
                .to_owned(),
        );
    }
    out
}

/// What tells a mass of the rig from a stiffness of the part.
const ANOTHER_FREQUENCY: &str = "a mass acts like a stiffness that falls with the square of the frequency, so that only a test at another frequency tells them apart; or give the mass";
/// Correlation beyond which two numbers stand in for each other.
const ALIKE: f64 = 0.98;

/// A mass of the rig that a parameter could stand in for, however small the error bars are: at one
/// frequency they differ only at the ends of the record.
fn mass_or_stiffness(fit: &Fit, add: &mut impl FnMut(&'static str, String)) {
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
        if let Some(rival) = rival.filter(|&i| correlation(i) > ALIKE) {
            add(
                "mass-or-stiffness",
                format!(
                    "`{}` and `{}` can hardly be told apart by these tests; {ANOTHER_FREQUENCY}",
                    fit.unknowns[mass].name, fit.unknowns[rival].name
                ),
            );
        }
    }
}

/// The kind of test that reveals an unknown, where it is a parameter: its law says, the unit for masses.
fn probe(fit: &Fit, unknown: usize) -> Option<Probe> {
    let Place::Param(index) = fit.unknowns[unknown].place else {
        return None;
    };
    let mut parts = fit.model.assembly().parts().iter();
    Some(match parts.find(|part| part.params.contains(&index)) {
        Some(part) => part.element.law().reveals(index - part.params.start),
        None => by_unit::probe(&fit.model.params()[index].1.unit),
    })
}

/// Parameters that the tests do not determine, by the direction in which the data say least; returns
/// the advice that was given.
fn undetermined(fit: &Fit, add: &mut impl FnMut(&'static str, String)) -> Option<&'static str> {
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
    let code = if weak
        .iter()
        .any(|&i| fit.trust.status[i] == Status::Unidentifiable)
    {
        "unidentifiable"
    } else {
        "poorly-determined"
    };
    // The unknowns that the weakest direction moves together, largest share first.
    let mut together: Vec<usize> = (0..fit.unknowns.len())
        .filter(|&i| fit.trust.weakest[i].abs() > 0.2)
        .collect();
    together.sort_by(|&a, &b| {
        fit.trust.weakest[b]
            .abs()
            .total_cmp(&fit.trust.weakest[a].abs())
    });
    if together.iter().all(|&i| start_of(i).is_some()) {
        together.clear();
    }
    let names = |list: &[usize]| -> Vec<String> {
        let mut names = Vec::new();
        for &i in list {
            let name = match start_of(i).and_then(|target| fit.targets.get(target)) {
                Some(test) => format!("the state that test `{}` begins in", test.name),
                None => format!("`{}`", fit.unknowns[i].name),
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    };
    let mut advice = None;
    if names(&together).len() > 1 {
        let probes: Vec<Probe> = together.iter().filter_map(|&i| probe(fit, i)).collect();
        let with = |wanted: fn(&Place) -> bool| {
            let mut places = together.iter().map(|&i| fit.unknowns[i].place);
            places.any(|place| wanted(&place))
        };
        let hint = if with(|p| matches!(p, Place::MovingMass(_))) {
            ANOTHER_FREQUENCY
        } else if with(|p| matches!(p, Place::Delay(_))) {
            "a delay acts like damping that grows with frequency; add a test at another frequency"
        } else if with(|p| p.is_start()) {
            "let the record begin at rest, or add a test that does"
        } else if probes.contains(&Probe::Frequency) {
            "add a test at another frequency"
        } else if probes.contains(&Probe::Speed) || probes.contains(&Probe::Hold) {
            "add a test at another speed or a relaxation step"
        } else {
            "add a test at another amplitude"
        };
        advice = Some(hint);
        add(
            code,
            format!(
                "{} cannot be told apart by these tests; {hint}",
                names(&together).join(" and ")
            ),
        );
    }
    let alone: Vec<usize> = weak
        .into_iter()
        .filter(|i| together.len() < 2 || !together.contains(i))
        .collect();
    if !alone.is_empty() {
        add(
            code,
            format!(
                "{} {} determined by these tests",
                names(&alone).join(" and "),
                if alone
                    .iter()
                    .all(|&i| fit.trust.status[i] == Status::PoorlyDetermined)
                {
                    "only roughly"
                } else {
                    "not"
                }
            ),
        );
    }
    advice
}
