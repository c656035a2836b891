//! Diagnostics that results of every method share.

use crate::advice::Advice;
use crate::units::digits;
use crate::words::{is, joined, listed};
use crate::{Units, thresholds};
use std::fmt;

/// The method whose result is spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A fit of parameters.
    Fit,
    /// The choice of terms.
    Terms,
    /// Stages from the slow record.
    SlowStages,
    /// Stages refined with the fast record.
    FastStages,
}

/// Something that was estimated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sought {
    /// A parameter, a nuisance or a term, by its address.
    Address(String),
    /// The initial state of a test.
    InitialState {
        /// Name of the test.
        test: String,
    },
}

impl fmt::Display for Sought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => write!(f, "`{address}`"),
            Self::InitialState { test } => write!(f, "the initial state of test `{test}`"),
        }
    }
}

/// What would tell unknowns apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TellsApart {
    /// A test at another frequency, or the mass of the rig.
    FrequencyOrMass,
    /// A test at another frequency, because a delay acts like damping.
    FrequencyForDelay,
    /// A test at another frequency.
    Frequency,
    /// A test that begins at rest.
    Rest,
    /// A test at another speed.
    Speed,
    /// A test at another amplitude.
    Amplitude,
}

impl TellsApart {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::FrequencyOrMass => {
                "a mass acts like a stiffness that falls with the square of the frequency, so only a test at another frequency tells them apart; or give the mass"
            }
            Self::FrequencyForDelay => {
                "a delay acts like damping that grows with frequency; add a test at another frequency"
            }
            Self::Frequency => "add a test at another frequency",
            Self::Rest => "let the record begin at rest, or add a test that does",
            Self::Speed => "add a test at another speed or a relaxation step",
            Self::Amplitude => "add a test at another amplitude",
        }
    }
}

/// How unknowns are left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undetermined {
    /// Changed together they hardly change the prediction.
    Together(TellsApart),
    /// Each of them on its own.
    Alone {
        /// Whether each is at least roughly known.
        roughly: bool,
    },
}

fn undetermined(names: &[Sought], how: Undetermined) -> String {
    let listed = joined(names);
    match how {
        Undetermined::Together(_) => format!("{listed} cannot be told apart by these tests"),
        Undetermined::Alone { roughly } => format!(
            "{listed} {} {} determined by these tests",
            is(names.len()),
            if roughly { "only roughly" } else { "not" }
        ),
    }
}

fn tells_apart(how: Undetermined) -> Option<Advice> {
    match how {
        Undetermined::Together(missing) => Advice::to(missing.words()),
        Undetermined::Alone { .. } => None,
    }
}

/// What a rig may add to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nuisance {
    /// A force that is not zeroed.
    ForceOffset,
    /// A displacement that is not zeroed.
    DisplacementOffset,
    /// A force channel that is late.
    Delay,
    /// A force channel that shows too much or too little.
    Level,
    /// A mass between part and load cell.
    MovingMass,
}

impl Nuisance {
    /// All of them, in the order they are told in.
    pub const ALL: [Self; 5] = [
        Self::ForceOffset,
        Self::DisplacementOffset,
        Self::Delay,
        Self::Level,
        Self::MovingMass,
    ];

    /// Its word in options and studies.
    pub fn option(self) -> &'static str {
        match self {
            Self::ForceOffset => "force-offset",
            Self::DisplacementOffset => "displacement-offset",
            Self::Delay => "delay",
            Self::Level => "level",
            Self::MovingMass => "moving-mass",
        }
    }

    fn of_about(self, value: f64, units: Units) -> String {
        match self {
            Self::ForceOffset => {
                format!(
                    "a {} offset of about {}",
                    units.force(),
                    units.show_force(value)
                )
            }
            Self::DisplacementOffset => format!(
                "a {} offset of about {}",
                units.displacement(),
                units.show_length(value)
            ),
            Self::Delay => format!(
                "a {} channel that is about {} ms {}",
                units.force(),
                digits(1e3 * value.abs(), 3),
                if value < 0.0 { "early" } else { "late" }
            ),
            Self::Level => format!(
                "a {} that is {} % {} than in the other tests",
                units.force(),
                digits(100.0 * value.abs(), 2),
                if value < 0.0 { "smaller" } else { "larger" }
            ),
            Self::MovingMass => format!(
                "a mass between part and load cell of about {}",
                units.show_mass(value)
            ),
        }
    }
}

fn disturbed_advice(method: Method, nuisance: Nuisance) -> Option<Advice> {
    match (method, nuisance) {
        (Method::Terms, Nuisance::Delay) => {
            Advice::to("do filters or converters delay the channels differently? Shift one of them")
        }
        (Method::Terms, _) => Advice::to(
            "is the force zeroed? The term `one` beside the others (--terms) finds the offset",
        ),
        _ => Some(Advice::Nuisance(nuisance)),
    }
}

fn search(method: Method) -> &'static str {
    match method {
        Method::FastStages => "refinement",
        _ => "search",
    }
}

diagnostics! {
    /// What results of every method have in common.
    pub enum ResultDiagnostic, "Results" {
        /// The search did not reach a minimum; the values are the best so far and not yet a result.
        NotConverged { method: Method = Method::Fit }
        code: "not-converged", severity: Untrusted;
        trigger: "The limit of evaluations was reached before the search settled.";
        message(_): format!("the {} stopped before it settled; the values are the best so far", search(*method));

        /// The search was stopped from outside; the values are the best so far and not yet a result.
        Interrupted { method: Method = Method::Fit }
        code: "interrupted", severity: Untrusted;
        trigger: "Ctrl-C, or the caller of the library, stopped the search.";
        message(_): format!("the {} was interrupted; the values are the best so far", search(*method));

        /// The model is too far from the tests to be of use.
        PoorFit {
            method: Method = Method::Fit,
            error: f64 = 0.31,
            test: Option<String> = None,
            scale: Option<String> = None,
            preload: Option<f64> = None,
        }
        code: "poor-fit", severity: Untrusted;
        trigger: format!(
            "The relative error exceeds {:.0} %; for stages the largest deviation from the slow record exceeds {:.0} % of the largest torque.",
            100.0 * thresholds::POOR_FIT, 100.0 * thresholds::POOR_STAGES
        );
        message(units): {
            let percent = 100.0 * error;
            let scale = scale.as_ref().map_or_else(String::new, |scale| format!(" of {scale}"));
            match (method, test) {
                (Method::Terms, _) => format!("the candidates do not describe the tests: error {percent:.0} %"),
                (Method::SlowStages | Method::FastStages, _) => format!(
                    "the piecewise-linear stages deviate from the slow record by up to {percent:.0} % of the largest {}",
                    units.force()
                ),
                (Method::Fit, Some(test)) => format!("the model does not describe test `{test}`: error {percent:.0} %{scale}"),
                (Method::Fit, None) => format!("the model does not describe the tests: error {percent:.0} %{scale}"),
            }
        };
        advice: match method {
            Method::Terms if preload.is_some() => Advice::to(
                "look for other terms (--terms), a force that is not zeroed (the term `one`), or wrong columns; without --preload the preload is found from the data"
            ),
            Method::Terms => Advice::to("look for other terms (--terms), a force that is not zeroed (the term `one`), or wrong columns"),
            Method::Fit if test.is_none() => Advice::to("try another model"),
            _ => None,
        };

        /// The residuals are larger than the noise of the tests: the model misses something, however small its error is.
        BeyondNoise { method: Method = Method::Fit, times: f64 = 2.4 }
        code: "beyond-noise", severity: Warning;
        trigger: format!(
            "The mean square of the residuals over the noise exceeds {}; for refined stages {} plus the uncertainty of the noise.",
            thresholds::BEYOND_NOISE, thresholds::BEYOND_NOISE_FAST_STAGES
        );
        message(units): match method {
            Method::Terms => format!("the residuals are {times:.1} times what the noise explains; one set of coefficients does not describe these tests"),
            Method::FastStages => format!(
                "the refined device leaves residuals of {times:.2} times the noise; something is missing in it (inertia, {}, friction that does not follow the stages)",
                units.force()
            ),
            _ => format!("the residuals are {times:.1} times what the noise explains; the model misses something"),
        };

        /// Neighbouring residuals resemble each other, so that samples count for less; the error bars allow for it.
        CorrelatedResiduals { method: Method = Method::Fit, tests: Vec<String> = vec![] }
        code: "correlated-residuals", severity: Warning;
        trigger: format!("The correlation of neighbouring residuals exceeds {} standard errors of an uncorrelated series.", thresholds::CORRELATED_SIGMAS);
        message(_): match method {
            Method::Terms => format!(
                "neighbouring residuals resemble each other in {}; something is missing from the model, and the error bars were made larger for it",
                listed(tests)
            ),
            Method::SlowStages | Method::FastStages =>
                "the piecewise-linear stages leave residuals that resemble their neighbours; the error bars were made larger for it".to_owned(),
            Method::Fit => "neighbouring residuals resemble each other; the error bars were made larger for it".to_owned(),
        };

        /// A held-out test is predicted much worse than the fitted tests are described.
        WeakValidation { test: String = "large".to_owned(), error: f64 = 0.12, fitted: f64 = 0.02 }
        code: "weak-validation", severity: Warning;
        trigger: format!(
            "The error of a held-out test exceeds {} times that of the fitted tests, and {:.0} %.",
            thresholds::WEAK_HELD_OUT_FACTOR, 100.0 * thresholds::WEAK_HELD_OUT_LEAST
        );
        message(_): format!(
            "test `{test}`, which was held out, has an error of {:.1} % against {:.1} % of the fitted ones",
            100.0 * error, 100.0 * fitted
        );

        /// A held-out test moves where the fitted tests do not, or hardly do: its error says little about the model, and
        /// theirs little about it.
        UntestedMotion {
            test: String = "quake".to_owned(),
            reach: Option<(f64, [f64; 2])> = None,
            faster: Option<(f64, f64)> = None,
            smaller: Option<(f64, f64)> = Some((6e-4, 2e-3)),
            slower: Option<(f64, f64)> = Some((3e-3, 0.02)),
        }
        code: "untested-motion", severity: Note;
        trigger: format!(
            "The motion exceeds the fitted displacements or speeds by more than the factor {}; or its usual amplitude (half the median swing) or mean speed is below {:.2} of the smallest of the fitted tests.",
            thresholds::EXTRAPOLATED, thresholds::HARDLY_MOVES
        );
        message(units): {
            let length = |x: f64| units.show_length(x);
            let speed = |v: f64| units.show_speed(v);
            let mut parts = Vec::new();
            if let Some((found, [low, high])) = reach {
                parts.push(format!("reaches {} (fitted {} to {})", length(*found), length(*low), length(*high)));
            }
            if let Some((found, most)) = faster {
                parts.push(format!("swings with up to {} (fitted up to {})", speed(*found), speed(*most)));
            }
            if let Some((found, least)) = smaller {
                parts.push(format!("usually swings by {} only ({} in the smallest fitted test)", length(*found), length(*least)));
            }
            if let Some((found, least)) = slower {
                parts.push(format!("moves with {} on average ({} in the slowest fitted test)", speed(*found), speed(*least)));
            }
            format!("test `{test}`, which was held out, {}", joined(&parts))
        };
        advice: Advice::to(if reach.is_some() || faster.is_some() {
            "the force is extrapolated there; fit a test that goes as far and as fast"
        } else {
            "fit a test that moves as little and as slowly"
        });

        /// The tests say nothing about these values, or only about a combination of them.
        Unidentifiable {
            names: Vec<Sought> = vec![Sought::Address("dahl.fc".to_owned()), Sought::Address("dahl.alpha".to_owned())],
            how: Undetermined = Undetermined::Together(TellsApart::Amplitude),
        }
        code: "unidentifiable", severity: Warning;
        trigger: "The standard error of a value exceeds the value, or the data do not change when it does.";
        message(_): undetermined(names, *how);
        advice: tells_apart(*how);

        /// The tests determine these values only roughly.
        PoorlyDetermined {
            names: Vec<Sought> = vec![Sought::Address("zener.tau".to_owned()), Sought::InitialState { test: "slow".to_owned() }],
            how: Undetermined = Undetermined::Alone { roughly: true },
        }
        code: "poorly-determined", severity: Warning;
        trigger: format!("The standard error of a value exceeds {} of the value.", thresholds::POORLY_DETERMINED);
        message(_): undetermined(names, *how);
        advice: tells_apart(*how);

        /// Something that the rig may have added would explain much of the residuals of a test.
        Disturbed {
            method: Method = Method::Fit,
            nuisance: Nuisance = Nuisance::Delay,
            value: f64 = 2e-3,
            test: String = "fast".to_owned(),
            before: f64 = 0.08,
            after: f64 = 0.02,
            others: usize = 1,
        }
        code: "disturbed", severity: Warning;
        trigger: format!(
            "A score test: estimating the nuisance would explain at least {:.0} % of the squared error of a test (terms: {:.0} %) and differ from none by {} standard errors.",
            100.0 * thresholds::NUISANCE_CLEAR, 100.0 * thresholds::TERMS_NUISANCE_CLEAR, thresholds::NUISANCE_SIGMAS
        );
        message(units): format!(
            "{} in test `{test}` would lower its error from {:.2} % to {:.2} %{}",
            nuisance.of_about(*value, units), 100.0 * before, 100.0 * after,
            match others {
                0 => String::new(),
                1 => " (and likewise in another test)".to_owned(),
                n => format!(" (and likewise in {n} other tests)"),
            }
        );
        advice: disturbed_advice(*method, *nuisance);
    }
}
