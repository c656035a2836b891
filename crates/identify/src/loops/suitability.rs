//! Whether a loop law suits, and whether the other one suits better.
//!
//! A law does not suit where neighbouring residuals repeat each other and are larger than the noise of
//! repeated cycles, or where they are much larger. Between two laws the Bayesian information criterion decides,
//! sum n ln(rss/n) + k ln n; samples that repeat each other count as fewer. A difference below ten is
//! the third answer: these data cannot tell.

use super::combination::{Combination, combinations};
use super::law::{Law, LoopLaw, loop_law};
use crate::fit::warning::Warning;
use crate::fit::{Fit, FitOptions, fit};
use crate::objective::comparison::Comparison;
use crate::search::optimise::Stop;
use crate::uncertainty::Status;
use crate::uncertainty::inflation::correlated;
use masing_model::{Assembly, Model, MotionKind, Shape, registry};

/// Mean square of residuals over noise beyond which a law misses something.
const BEYOND: f64 = 1.3;
/// The same where a test has so few samples that nobody sees whether neighbours repeat each other.
const FAR_BEYOND: f64 = 3.0;
/// Difference of the criterion that decides.
const DECIDES: f64 = 10.0;
/// Error, of the largest force, below which records are met to their digits.
const DIGITS: f64 = 1e-6;
/// Error, of the largest force, below which no noise is believed.
const FLOOR: f64 = 1e-4;

/// Correlation of neighbours beyond which samples do not count for less: one in forty is independent.
const REPEATED: f64 = 0.95;

/// Whether a law suits the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suits {
    /// The residuals are noise.
    Yes,
    /// They are more than noise.
    No,
    /// They may be more than noise, but how large the noise is nobody knows well enough.
    CannotTell,
}

impl Suits {
    /// The word in files.
    pub fn word(self) -> &'static str {
        match self {
            Suits::Yes => "yes",
            Suits::No => "no",
            Suits::CannotTell => "cannot-tell",
        }
    }
}

/// The other law, fitted to the same tests.
#[derive(Clone, Debug)]
pub struct CompetingMinimum {
    /// Which law.
    pub law: Law,
    /// Its relative error.
    pub relative: f64,
    /// How much larger its criterion is: positive where the law of the fit is better.
    pub bic: f64,
}

/// Which of two laws the tests are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// The law of the fit.
    Own,
    /// The other one.
    Other,
    /// These data cannot tell.
    CannotTell,
}

impl CompetingMinimum {
    /// Which of the two the tests are for.
    pub fn preference(&self) -> Preference {
        if self.bic > DECIDES {
            Preference::Own
        } else if self.bic < -DECIDES {
            Preference::Other
        } else {
            Preference::CannotTell
        }
    }
}

/// What can be said about a fit of a loop law.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// The law.
    pub law: Law,
    /// Whether it suits.
    pub suits: Suits,
    /// The other law, where the two could be compared.
    pub rival: Option<CompetingMinimum>,
    /// What is determined where single parameters are not.
    pub combinations: Vec<Combination>,
    /// Whether the tests leave a parameter of the law open.
    pub loose: bool,
    /// The verdict in one sentence.
    pub words: String,
    /// What the user should know.
    pub warnings: Vec<Warning>,
}

/// Assesses a fit of a model with one Dahl or Bouc-Wen law; `None` for other models. `options` are
/// those of the fit: the other law is fitted with them too, unless they speak of the parameters of
/// this one.
pub fn assess(found: &Fit, options: &FitOptions) -> Option<Assessment> {
    let law = loop_law(found.model.assembly()).filter(|_| found.model.system().is_none())?;
    let suits = suits(found);
    let rival = if found.stop == Stop::Interrupted || speaks_of(found, &law, options) {
        None
    } else {
        compared(found, &law, options)
    };
    let combinations = combinations(found, &law);
    let mut warnings = Vec::new();
    let name = law.law.name();
    if suits == Suits::No {
        let message = format!(
            "{name} does not suit: the differences are larger than the noise of repeated cycles"
        );
        warnings.push(Warning {
            code: "not-suitable",
            message,
        });
    }
    let words = sentence(found, law.law, suits, rival.as_ref());
    match rival.as_ref().map(CompetingMinimum::preference) {
        Some(Preference::Other) => warnings.push(Warning {
            code: "other-law",
            message: words.clone(),
        }),
        Some(Preference::CannotTell) => warnings.push(Warning {
            code: "cannot-tell",
            message: words.clone(),
        }),
        _ => {}
    }
    let loose = loose(found, &law);
    if loose {
        warnings.extend(together(found, &law, &combinations));
    }
    Some(Assessment {
        law: law.law,
        suits,
        rival,
        combinations,
        loose,
        words,
        warnings,
    })
}

/// Samples beyond the number of unknowns below which nothing is said.
const FEW: usize = 20;

/// Residual whiteness and size over the noise.
fn suits(found: &Fit) -> Suits {
    let follows = |t: &Comparison| correlated(t.lag1, t.samples);
    let excess = |t: &Comparison| (t.rms / t.noise).powi(2);
    let tests = found.tests.iter();
    let no = |t: &Comparison| excess(t) > if follows(t) { BEYOND } else { FAR_BEYOND };
    let yes = |t: &Comparison| {
        if t.noise_known {
            excess(t) <= BEYOND
        } else {
            !follows(t)
        }
    };
    // With a few samples left over any curve passes through them.
    let samples: usize = tests.clone().map(|t| t.samples).sum();
    let few = samples < found.unknowns.len() + FEW;
    if tests.clone().any(|t| t.noise_known && no(t)) {
        Suits::No
    } else if !few && tests.clone().all(yes) {
        Suits::Yes
    } else {
        Suits::CannotTell
    }
}

/// Whether the options say something about the parameters of the law.
fn speaks_of(found: &Fit, law: &LoopLaw, options: &FitOptions) -> bool {
    let label = format!("{}.", found.model.assembly().parts()[law.part].label);
    let pairs = options.fixed.iter().chain(&options.starts);
    let addresses = pairs
        .map(|(address, _)| address)
        .chain(&options.free)
        .chain(options.bounds.iter().map(|(address, ..)| address))
        .chain(options.tikhonov.iter().map(|(address, ..)| address));
    addresses.into_iter().any(|a| a.starts_with(&label))
}

/// The other law in the same place, fitted to the same tests.
fn compared(found: &Fit, law: &LoopLaw, options: &FitOptions) -> Option<CompetingMinimum> {
    let own = found.model.assembly();
    let other = law.law.other();
    let mut assembly = Assembly::new();
    assembly.motion = own.motion;
    for (i, part) in own.parts().iter().enumerate() {
        let (kind, shape, label) = if i == law.part {
            (other.kind(), Shape::default(), None)
        } else {
            (
                part.kind.as_str(),
                part.shape.clone(),
                Some(part.label.as_str()),
            )
        };
        assembly
            .add(registry::find(kind).ok()?, shape, label)
            .ok()?;
    }
    let model = Model::with_defaults(assembly, None).ok()?;
    let tests = found.targets[..found.tests.len()].to_vec();
    let options = FitOptions {
        profiles: vec![],
        leave_one_out: false,
        ..options.clone()
    };
    let rival = fit(&model, tests, vec![], &options, None).ok()?;
    // Where either meets the records to far below any noise, what is left is not noise.
    let better = if rival.relative < found.relative {
        &rival
    } else {
        found
    };
    let [own, bic] = [found, &rival].map(|f| criterion(f, better));
    Some(CompetingMinimum {
        law: other,
        relative: rival.relative,
        bic: bic - own,
    })
}

/// The information criterion of a fit; samples count as far as those of the better fit are
/// independent.
fn criterion(fit: &Fit, better: &Fit) -> f64 {
    let mut sum = 0.0;
    let mut count = 0.0;
    for ((test, best), target) in fit.tests.iter().zip(&better.tests).zip(&fit.targets) {
        let peak = target.rig().map_or(0.0, crate::test::Rig::peak);
        let repeated = if best.rms < FLOOR * peak {
            0.0
        } else {
            best.lag1.clamp(0.0, REPEATED)
        };
        let n = test.samples as f64 * (1.0 - repeated) / (1.0 + repeated);
        let rms = test.rms.max(DIGITS * peak).max(f64::MIN_POSITIVE);
        sum += 2.0 * n * rms.ln();
        count += n;
    }
    sum + fit.unknowns.len() as f64 * count.max(2.0).ln()
}

/// The verdict in one sentence.
fn sentence(found: &Fit, law: Law, suits: Suits, rival: Option<&CompetingMinimum>) -> String {
    let percent = |relative: f64| {
        if relative < 5e-5 {
            "below 0.01 %".to_owned()
        } else {
            format!("{:.2} %", 100.0 * relative)
        }
    };
    let name = law.name();
    if let Some(rival) = rival {
        let other = rival.law.name();
        let (own_error, other_error) = (percent(found.relative), percent(rival.relative));
        return match rival.preference() {
            Preference::Own => format!(
                "{name} suits these tests better than {other}: error {own_error} against {other_error}, BIC lower by {:.0}",
                rival.bic
            ),
            Preference::Other => format!(
                "{other} suits these tests better than {name}: error {other_error} against {own_error}, BIC lower by {:.0}; try `{}` in its place",
                -rival.bic,
                rival.law.kind()
            ),
            Preference::CannotTell => format!(
                "these data cannot tell {name} from {other}: error {own_error} against {other_error}; the simpler law is as good"
            ),
        };
    }
    match suits {
        Suits::Yes => format!("{name} suits: the differences are noise"),
        Suits::No => format!("{name} does not suit: the differences are more than noise"),
        Suits::CannotTell => format!(
            "whether {name} suits cannot be told: there are too few samples, or the differences are not plain noise and without more repeated cycles nobody knows the noise well enough"
        ),
    }
}

/// Whether a parameter of the law is not determined.
fn loose(found: &Fit, law: &LoopLaw) -> bool {
    let part = &found.model.assembly().parts()[law.part];
    found.parameters[part.params.clone()]
        .iter()
        .any(|p| matches!(p.status, Status::PoorlyDetermined | Status::Unidentifiable))
}

/// What to make of parameters that are not determined one by one.
fn together(found: &Fit, law: &LoopLaw, combinations: &[Combination]) -> Option<Warning> {
    let part = &found.model.assembly().parts()[law.part];
    let known: Vec<String> = combinations
        .iter()
        .filter(|c| c.status == Status::Ok)
        .map(|c| {
            format!(
                "{} = {:.4e} +- {:.1e} {}",
                c.name, c.value, c.std_error, c.unit
            )
        })
        .collect();
    if known.is_empty() || !hardly_bends(found, law, combinations) {
        return None;
    }
    let label = &part.label;
    let (hold, by) = match law.law {
        Law::Dahl => ("alpha", "1"),
        Law::BoucWen => ("n", "1"),
    };
    let larger = bends_at(found, law).map_or_else(String::new, |x| match found.model.motion() {
        MotionKind::Translation => format!(" of about {:.3} mm", 1e3 * x),
        MotionKind::Rotation => format!(" of about {:.3} deg", x.to_degrees()),
    });
    Some(Warning {
        code: "combinations",
        message: format!(
            "the loop hardly bends: beside `{label}.{}` it determines {}; a test at an amplitude{larger} would tell the parameters apart, or hold one: --fix {label}.{hold}={by}",
            part.element.spec().params[0].name,
            known.join(" and ")
        ),
    })
}

/// Whether the stiffness falls by less than half over the loop.
fn hardly_bends(found: &Fit, law: &LoopLaw, combinations: &[Combination]) -> bool {
    let stiffness = found.model.values()[found.model.assembly().parts()[law.part].params.start];
    combinations.first().is_some_and(|c| match law.law {
        Law::Dahl => c.value * super::combination::largest(found, law) < 0.5,
        Law::BoucWen => c.value < 0.5 * stiffness,
    })
}

/// The amplitude at which the force reaches half its limit, from what a small loop does determine:
/// stiffness and the fall of it with the force, as if the law were the simplest of its family.
fn bends_at(found: &Fit, law: &LoopLaw) -> Option<f64> {
    let part = &found.model.assembly().parts()[law.part];
    let p = &found.model.values()[part.params.clone()];
    let limit = match law.law {
        Law::Dahl => p[1] / p[2],
        // The slope falls by beta |z|^n over the loop.
        Law::BoucWen => (p[0] / p[1]).powf(1.0 / p[3]),
    };
    // Half of the limit: 2 stiffness x = limit ln 3, whose tip is at x.
    let x = 0.5 * limit * 3_f64.ln() / p[0];
    (x > 0.0 && x.is_finite()).then_some(x)
}
