//! Diagnostics of fits of parameters, loop laws included.

use crate::advice::Advice;
use crate::thresholds;
use crate::words::{joined, listed};
use std::fmt;

/// A combination of parameters that a loop does determine.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownCombination {
    /// Name, such as `dahl.alpha/fc`.
    pub name: String,
    /// Value.
    pub value: f64,
    /// Standard error.
    pub std_error: f64,
    /// SI unit.
    pub unit: String,
}

impl fmt::Display for KnownCombination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            value,
            std_error,
            unit,
        } = self;
        write!(f, "{name} = {value:.4e} +- {std_error:.1e} {unit}")
    }
}

/// A relative error for people.
pub fn percent(relative: f64) -> String {
    if relative < 5e-5 {
        "below 0.01 %".to_owned()
    } else {
        format!("{:.2} %", 100.0 * relative)
    }
}

diagnostics! {
    /// What fits of parameters have to say.
    pub enum FitDiagnostic, "Fits" {
        /// The search wanted to leave the range of a parameter.
        AtBound { address: String = "bouc-wen.n".to_owned(), value: f64 = 10.0 }
        code: "at-bound", severity: Warning;
        trigger: "The best value lies at an end of the range that was searched.";
        message(_): format!("`{address}` ended at the edge of its range ({value:.4e})");

        /// A law could give out energy in motions beyond those tested.
        NonPassive { label: String = "joint".to_owned(), condition: String = "|gamma| is larger than beta".to_owned() }
        code: "non-passive", severity: Warning;
        trigger: "The values that were found break the condition under which the law only takes energy.";
        message(_): format!("`{label}` is passive only within what was tested: {condition}");

        /// A mass of the rig and a parameter of the part stand in for each other, however small the error bars are.
        MassOrStiffness { mass: String = "fast.moving-mass".to_owned(), parameter: String = "spring.k".to_owned() }
        code: "mass-or-stiffness", severity: Warning;
        trigger: format!("The correlation of the two exceeds {}.", thresholds::MASS_OR_STIFFNESS);
        message(_): format!("`{mass}` and `{parameter}` can hardly be told apart by these tests");
        advice: Advice::to(crate::TellsApart::FrequencyOrMass.words());

        /// A few single values pull the result.
        Outliers { test: String = "slow".to_owned(), count: usize = 7 }
        code: "outliers", severity: Warning;
        trigger: format!(
            "At least {} single values lie more than {} standard deviations off and make up {:.0} % of the squared error.",
            thresholds::OUTLIER_COUNT, thresholds::OUTLIER_SIGMAS, 100.0 * thresholds::NUISANCE_CLEAR
        );
        message(_): format!(
            "test `{test}` has {count} single values more than {} standard deviations off, which pull the result",
            thresholds::OUTLIER_SIGMAS
        );
        advice: Advice::to("`--loss huber` is not pulled by them");

        /// The form of a parameter over its conditions was chosen.
        FormChosen { address: String = "eyring-dashpot.f".to_owned(), condition: String = "current".to_owned(), form: String = "exp-linear".to_owned(), others: Vec<(String, f64)> = vec![("exp-linear".to_owned(), 0.08), ("linear".to_owned(), 0.31)] }
        code: "form-chosen", severity: Note;
        trigger: format!("A parameter follows a condition with form = \"auto\"; of forms within {} times of the best error at levels left out the simplest is taken.", thresholds::FORMS_TIED);
        message(_): format!(
            "`{address}` follows {condition} by {form}, chosen by predicting levels that were left out: {}",
            others.iter().map(|(name, error)| format!("{name} {}", percent(*error))).collect::<Vec<_>>().join(", ")
        );

        /// As many levels as coefficients: the form runs through every level, and nothing tells whether it holds between.
        FormUntested { address: String = "eyring-dashpot.f".to_owned(), condition: String = "current".to_owned(), levels: usize = 3 }
        code: "form-untested", severity: Note;
        trigger: "The form of a parameter over a condition has as many coefficients as the tests have levels.";
        message(_): format!("`{address}` has as many coefficients as there are levels of {condition} ({levels}): its form between them is assumed, not tested");
        advice: Advice::to("test at a level between");

        /// A test lies outside the levels that the model was fitted to.
        LevelOutside { test: String = "cold".to_owned(), condition: String = "temperature".to_owned(), level: f64 = 250.0, range: [f64; 2] = [280.0, 340.0], unit: String = "K".to_owned() }
        code: "level-outside", severity: Warning;
        trigger: "The level of a condition lies outside the range of the fitted tests.";
        message(_): format!(
            "`{test}` is at {condition} = {level:.4} {unit}, outside the fitted levels {:.4} to {:.4} {unit}: the parameters there are extrapolated",
            range[0], range[1]
        );

        /// The tests show a little more or less force than each other, as records of one part taken on different days do.
        Levels {
            tests: usize = 6,
            scatter: f64 = 0.05,
            lowest: (String, f64) = ("slow".to_owned(), -0.07),
            highest: (String, f64) = ("fast".to_owned(), 0.06),
        }
        code: "levels", severity: Note;
        trigger: "The nuisance `level` was estimated in two tests or more.";
        message(_): format!(
            "the levels of {tests} tests scatter by {:.1} %, from {:+.1} % (`{}`) to {:+.1} % (`{}`); a test of another day is predicted no better than that",
            100.0 * scatter, 100.0 * lowest.1, lowest.0, 100.0 * highest.1, highest.0
        );

        /// Parameters were pulled towards a value that the user gave.
        Held { addresses: Vec<String> = vec!["dahl.alpha".to_owned()] }
        code: "held", severity: Note;
        trigger: "The study or the command gives a parameter a prior (`tikhonov`).";
        message(_): format!("{} held towards a given value; the error bars do not count what that hides", listed(addresses));

        /// The residuals of a loop law are more than noise.
        NotSuitable { law: String = "Dahl".to_owned() }
        code: "not-suitable", severity: Warning;
        trigger: format!(
            "The mean square of the residuals over the noise of repeated cycles exceeds {} where they repeat each other, {} otherwise.",
            thresholds::BEYOND_NOISE, thresholds::FAR_BEYOND_NOISE
        );
        message(_): format!("{law} does not suit: the residuals are larger than the noise of repeated cycles");

        /// The other of the two loop laws describes the tests better.
        OtherLaw {
            law: String = "Dahl".to_owned(),
            other: String = "Bouc-Wen".to_owned(),
            element: String = "another-law".to_owned(),
            error: f64 = 0.05,
            other_error: f64 = 0.01,
            bic: f64 = 250.0,
        }
        code: "other-law", severity: Warning;
        trigger: format!("Its information criterion (BIC) is lower by more than {}.", thresholds::LAW_DECIDES);
        message(_): format!(
            "{other} suits these tests better than {law}: error {} against {}, BIC lower by {bic:.0}",
            percent(*other_error), percent(*error)
        );
        advice: Advice::to(format!("try `{element}` in its place"));

        /// Both loop laws describe the tests equally well.
        CannotTell {
            law: String = "Bouc-Wen".to_owned(),
            other: String = "Dahl".to_owned(),
            error: f64 = 0.01,
            other_error: f64 = 0.01,
        }
        code: "cannot-tell", severity: Note;
        trigger: format!("The information criteria (BIC) of the two differ by less than {}.", thresholds::LAW_DECIDES);
        message(_): format!(
            "these data cannot tell {law} from {other}: error {} against {}; the simpler law is as good",
            percent(*error), percent(*other_error)
        );

        /// A loop that hardly bends determines combinations of parameters, not each of them.
        Combinations {
            first: String = "dahl.sigma".to_owned(),
            known: Vec<KnownCombination> = vec![KnownCombination {
                name: "dahl.alpha/fc".to_owned(), value: 0.02, std_error: 1e-4, unit: "1/N".to_owned(),
            }],
            amplitude: Option<f64> = Some(2.5e-3),
            hold: String = "dahl.alpha".to_owned(),
            at: f64 = 1.0,
        }
        code: "combinations", severity: Warning;
        trigger: "The stiffness falls by less than half over the loop and a parameter of the law is not determined.";
        message(units): format!(
            "the loop hardly bends: beside `{first}` it determines {}; a test at an amplitude{} would tell the parameters apart",
            joined(known),
            amplitude.map_or_else(String::new, |x| format!(" of about {}", units.show_length(x)))
        );
        advice: Some(Advice::Fix { address: hold.clone(), value: *at });

        /// The values come from formulas on slopes and crossings of the loop, not from a search.
        SemiAnalytic { hypothesis: String = "both crossings".to_owned(), disparity: Option<f64> = Some(0.03) }
        code: "semi-analytic", severity: Note;
        trigger: "The method `semi-analytic` was asked for.";
        message(_): format!(
            "values by formula from slopes and crossings of the loop ({hypothesis}); {}, and that is all their error says: it does not see noise, nor a law that is wrong on both halves alike",
            match disparity {
                Some(share) => format!("the halves of the loop differ by up to {:.1} %", 100.0 * share),
                None => "only one half of the loop gave values".to_owned(),
            }
        );
        advice: Advice::to("the default method does");
    }
}
