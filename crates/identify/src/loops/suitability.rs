//! Whether a loop law suits, and whether the other one suits better.
//!
//! A law does not suit if its residuals are correlated and larger than the noise of repeated cycles, or if they
//! are much larger. Between two laws the Bayesian information criterion decides, sum n ln(rss/n) + k ln n;
//! correlated samples count as fewer. Below a difference of ten the data cannot tell.

use super::combination::{Combination, combinations};
use super::law::{LoopModel, loop_model};
use crate::fit::{FitOptions, Solution, solve};
use crate::objective::residuals::Residuals;
use crate::search::optimise::Stop;
use crate::uncertainty::Status;
use crate::uncertainty::inflation::correlated;
use masing_diagnostic::{Diagnostic, FitDiagnostic, KnownCombination, Units, percent, thresholds};
use masing_model::{Assembly, Kind, LoopLaw, Model, MotionKind, Shape, registry};

/// Share of the largest force below which a record is reproduced to its last digits.
const DIGITS: f64 = 1e-6;
/// Share of the largest force below which no noise level is believed.
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
    /// They may be more than noise, but the noise level is not known well enough.
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
pub struct CompetingLaw {
    /// Its name.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Its relative error.
    pub relative: f64,
    /// How much larger its criterion is: positive where the law of the fit is better.
    pub bic: f64,
}

/// Which of two laws the tests favour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// The law of the fit.
    Own,
    /// The other one.
    Other,
    /// These data cannot tell.
    CannotTell,
}

impl CompetingLaw {
    /// Which of the two the tests favour.
    pub fn preference(&self) -> Preference {
        if self.bic > thresholds::LAW_DECIDES {
            Preference::Own
        } else if self.bic < -thresholds::LAW_DECIDES {
            Preference::Other
        } else {
            Preference::CannotTell
        }
    }
}

/// What can be said about a fit of a loop law.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// The name of the law.
    pub law: &'static str,
    /// Whether it suits.
    pub suits: Suits,
    /// The other law, where the two could be compared.
    pub rival: Option<CompetingLaw>,
    /// Combinations that are determined where single parameters are not.
    pub combinations: Vec<Combination>,
    /// Whether the tests leave a parameter of the law open.
    pub loose: bool,
    /// The verdict in one sentence.
    pub words: String,
    /// What the user should know.
    pub diagnostics: Vec<Diagnostic>,
}

/// Assesses a fit of a model with one loop law; `None` for other models. `options` are those of the
/// fit: the other law is fitted with them too, unless they name parameters of this one.
pub(crate) fn assess(found: &Solution, options: &FitOptions) -> Option<Assessment> {
    let law = loop_model(found.model.assembly()).filter(|_| found.model.system().is_none())?;
    let suits = suits(found);
    let rival = if found.stop == Stop::Interrupted || speaks_of(found, &law, options) {
        None
    } else {
        compared(found, &law, options)
    };
    let combinations = combinations(found, &law);
    let mut diagnostics = Vec::new();
    if suits == Suits::No {
        let law = law.law.title().to_owned();
        diagnostics.push(FitDiagnostic::NotSuitable { law }.into());
    }
    let contest = rival.as_ref().and_then(|r| contest(found, law.law, r));
    let words = match &contest {
        Some(diagnostic) => diagnostic.text(Units::of_rotation(
            found.model.motion() == MotionKind::Rotation,
        )),
        None => sentence(found, law.law, suits, rival.as_ref()),
    };
    diagnostics.extend(contest);
    let loose = loose(found, &law);
    if loose {
        diagnostics.extend(together(found, &law, &combinations));
    }
    Some(Assessment {
        law: law.law.name(),
        suits,
        rival,
        combinations,
        loose,
        words,
        diagnostics,
    })
}

/// Residual whiteness and size over the noise.
fn suits(found: &Solution) -> Suits {
    let follows = |t: &Residuals| correlated(t.lag1, t.samples);
    let excess = |t: &Residuals| (t.rms / t.noise).powi(2);
    let tests = found.tests.iter();
    let no = |t: &Residuals| {
        excess(t)
            > if follows(t) {
                thresholds::BEYOND_NOISE
            } else {
                thresholds::FAR_BEYOND_NOISE
            }
    };
    let yes = |t: &Residuals| {
        if t.noise_known {
            excess(t) <= thresholds::BEYOND_NOISE
        } else {
            !follows(t)
        }
    };
    // With a few samples left over any curve passes through them.
    let samples: usize = tests.clone().map(|t| t.samples).sum();
    let few = samples < found.unknowns.len() + thresholds::LAW_SAMPLES;
    if tests.clone().any(|t| t.noise_known && no(t)) {
        Suits::No
    } else if !few && tests.clone().all(yes) {
        Suits::Yes
    } else {
        Suits::CannotTell
    }
}

/// Whether the options name parameters of the law.
fn speaks_of(found: &Solution, law: &LoopModel<'_>, options: &FitOptions) -> bool {
    let label = format!("{}.", found.model.assembly().parts()[law.part].label);
    let pairs = options.fixed.iter().chain(&options.starts);
    let addresses = pairs
        .map(|(address, _)| address)
        .chain(&options.free)
        .chain(options.bounds.iter().map(|(address, ..)| address))
        .chain(options.tikhonov.iter().map(|(address, ..)| address));
    addresses.into_iter().any(|a| a.starts_with(&label))
}

/// The best of the other loop laws of the registry in the same place, fitted to the same tests.
fn compared(found: &Solution, law: &LoopModel<'_>, options: &FitOptions) -> Option<CompetingLaw> {
    let others = registry::KINDS
        .iter()
        .filter(|kind| kind.name != law.law.name());
    others
        .filter_map(|kind| other(found, law, options, kind))
        .min_by(|a, b| a.bic.total_cmp(&b.bic))
}

/// Another law in the same place, fitted to the same tests; `None` if it is no loop law.
fn other(
    found: &Solution,
    law: &LoopModel<'_>,
    options: &FitOptions,
    kind: &Kind,
) -> Option<CompetingLaw> {
    let title = (kind.build)(&Shape::default())
        .ok()?
        .law()
        .loop_law()?
        .title();
    let own = found.model.assembly();
    let mut assembly = Assembly::new();
    assembly.motion = own.motion;
    for (i, part) in own.parts().iter().enumerate() {
        if i == law.part {
            assembly.add(kind, Shape::default(), None).ok()?;
        } else {
            let element = part.element.clone();
            assembly.push(&part.kind, element, Some(&part.label)).ok()?;
        }
    }
    let model = Model::with_defaults(assembly, None).ok()?;
    let tests = found.simulated[..found.tests.len()].to_vec();
    let options = FitOptions {
        profiles: vec![],
        leave_one_out: false,
        ..options.clone()
    };
    let rival = solve(&model, tests, vec![], &options, None).ok()?;
    // Where either meets the records to far below any noise, what is left is not noise.
    let better = if rival.relative < found.relative {
        &rival
    } else {
        found
    };
    let [own, bic] = [found, &rival].map(|f| criterion(f, better));
    Some(CompetingLaw {
        name: kind.name,
        title,
        relative: rival.relative,
        bic: bic - own,
    })
}

/// The information criterion of a fit; correlated samples count as fewer, by the correlation of the
/// better fit.
fn criterion(fit: &Solution, better: &Solution) -> f64 {
    let mut sum = 0.0;
    let mut count = 0.0;
    for ((test, best), target) in fit.tests.iter().zip(&better.tests).zip(&fit.simulated) {
        let peak = target
            .motion_record()
            .map_or(0.0, crate::test::MotionRecord::peak);
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

/// The verdict where the law of the fit is not clearly the better one.
fn contest(found: &Solution, law: &dyn LoopLaw, rival: &CompetingLaw) -> Option<Diagnostic> {
    let (law, other) = (law.title().to_owned(), rival.title.to_owned());
    let (error, other_error) = (found.relative, rival.relative);
    let told = match rival.preference() {
        Preference::Own => return None,
        Preference::Other => FitDiagnostic::OtherLaw {
            law,
            other,
            element: rival.name.to_owned(),
            error,
            other_error,
            bic: -rival.bic,
        },
        Preference::CannotTell => FitDiagnostic::CannotTell {
            law,
            other,
            error,
            other_error,
        },
    };
    Some(told.into())
}

/// The verdict in one sentence where nothing favours the other law.
fn sentence(
    found: &Solution,
    law: &dyn LoopLaw,
    suits: Suits,
    rival: Option<&CompetingLaw>,
) -> String {
    let name = law.title();
    if let Some(rival) = rival {
        return format!(
            "{name} suits these tests better than {}: error {} against {}, BIC lower by {:.0}",
            rival.title,
            percent(found.relative),
            percent(rival.relative),
            rival.bic
        );
    }
    match suits {
        Suits::Yes => format!("{name} suits: the residuals are noise"),
        Suits::No => format!("{name} does not suit: the residuals are more than noise"),
        Suits::CannotTell => format!(
            "whether {name} suits cannot be told: there are too few samples, or the residuals are not plain noise and without more repeated cycles nobody knows the noise well enough"
        ),
    }
}

/// Whether a parameter of the law is not determined.
fn loose(found: &Solution, law: &LoopModel<'_>) -> bool {
    let part = &found.model.assembly().parts()[law.part];
    found.parameters[part.params.clone()]
        .iter()
        .any(|p| matches!(p.status, Status::PoorlyDetermined | Status::Unidentifiable))
}

/// Advice on parameters that are not determined individually.
fn together(
    found: &Solution,
    law: &LoopModel<'_>,
    combinations: &[Combination],
) -> Option<Diagnostic> {
    let part = &found.model.assembly().parts()[law.part];
    let determined = combinations.iter().filter(|c| c.status == Status::Ok);
    let known: Vec<KnownCombination> = determined
        .map(|c| KnownCombination {
            name: c.name.clone(),
            value: c.value,
            std_error: c.std_error,
            unit: c.unit.to_owned(),
        })
        .collect();
    if known.is_empty() || !hardly_bends(found, law, combinations) {
        return None;
    }
    let label = &part.label;
    let params = &part.element.spec().params;
    let (hold, at) = law.law.simplest();
    let told = FitDiagnostic::Combinations {
        first: format!("{label}.{}", params[0].name),
        known,
        amplitude: bends_at(found, law),
        hold: format!("{label}.{}", params[hold].name),
        at,
    };
    Some(told.into())
}

/// Whether the stiffness falls by less than half over the loop.
fn hardly_bends(found: &Solution, law: &LoopModel<'_>, combinations: &[Combination]) -> bool {
    let part = &found.model.assembly().parts()[law.part];
    let p = &found.model.values()[part.params.clone()];
    let largest = super::combination::largest(found, law);
    !combinations.is_empty() && law.law.bend(p, largest) < 0.5
}

/// The amplitude at which the force reaches half its limit, from what a small loop does determine:
/// stiffness and the fall of it with the force, as if the law were the simplest of its family.
fn bends_at(found: &Solution, law: &LoopModel<'_>) -> Option<f64> {
    let part = &found.model.assembly().parts()[law.part];
    let p = &found.model.values()[part.params.clone()];
    // Half of the limit: 2 stiffness x = limit ln 3, whose tip is at x.
    let x = 0.5 * law.law.limit(p) * 3_f64.ln() / p[0];
    (x > 0.0 && x.is_finite()).then_some(x)
}
