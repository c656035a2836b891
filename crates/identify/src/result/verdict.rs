//! Whether to trust a result: a level and the sentences that say why, for the terminal, the page and the exit code.

use super::{Comparison, Identified, MethodName};
use crate::search::optimise::Stop;
use crate::uncertainty::Status;
use masing_data::figures::percent;
use masing_diagnostic::Diagnostic;
use masing_diagnostic::thresholds::{BEYOND_NOISE, FAIR_FIT, GOOD_FIT, POOR_FIT, weakly_predicted};

/// How far a result can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// It can be used.
    Good,
    /// It can be used with care: the sentence says where it is weak.
    Weak,
    /// It is not a result: the search did not converge, or the model does not describe the fitted tests.
    Untrustworthy,
}

/// Whether to trust a result, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How far it can be trusted.
    pub level: Level,
    /// The same in words.
    pub text: String,
}

impl Verdict {
    /// The exit code of the program: 0, or 3 where no trustworthy result came out.
    pub fn exit_code(&self) -> u8 {
        match self.level {
            Level::Good | Level::Weak => 0,
            Level::Untrustworthy => 3,
        }
    }

    /// From the error and the noise of the fitted tests, the tests held out, how well the parameters are determined,
    /// and the diagnostics.
    pub(super) fn of(result: &Identified) -> Self {
        let judged = if result.method == MethodName::Validate {
            vec![validation(result), units(result)]
        } else {
            vec![
                fitness(result),
                prediction(result),
                untested(result),
                determination(result),
                soundness(result),
                units(result),
            ]
        };
        let level = judged.iter().map(|(level, _)| *level).max();
        let sentences = judged.into_iter().map(|(_, text)| text);
        let sentences: Vec<String> = sentences.filter(|text| !text.is_empty()).collect();
        Self {
            level: level.unwrap_or(Level::Good),
            text: sentences.join(" "),
        }
    }
}

/// How well the model describes the tests that it was fitted to.
fn fitness(result: &Identified) -> (Level, String) {
    let error = result.error.relative;
    let of = format!("error {}{}", percent(error), result.scale());
    let stopped = match result.search.stop {
        stop if stop.converged() => None,
        Stop::Interrupted => Some("The search was interrupted"),
        _ => Some("The search did not settle"),
    };
    if let Some(stopped) = stopped {
        let text =
            format!("{stopped}: these values are the best so far ({of}) and not yet a result.");
        return (Level::Untrustworthy, text);
    }
    let chi2 = result.error.chi2_dof;
    let (level, words) = if !(error <= POOR_FIT) {
        (Level::Untrustworthy, "does not describe the tests")
    } else if chi2.is_some_and(|chi2| chi2 <= BEYOND_NOISE) {
        (
            Level::Good,
            "describes the tests as well as their noise allows",
        )
    } else if error > FAIR_FIT {
        (Level::Weak, "describes the tests only roughly")
    } else if chi2.is_some() {
        (
            Level::Weak,
            "comes near the tests but misses more than their noise",
        )
    } else if error <= GOOD_FIT {
        (Level::Good, "describes the tests well")
    } else {
        (Level::Good, "describes the tests")
    };
    (level, format!("The model {words}: {of}."))
}

impl Identified {
    /// Whether a test that was held out is predicted much worse than the fitted ones are described, or not at all.
    pub fn fails(&self, held_out: &Comparison) -> bool {
        let (error, fitted) = (held_out.error, self.error.relative);
        weakly_predicted(error, fitted) || !(error <= POOR_FIT.max(fitted))
    }
}

/// How well it predicts the tests that it has not seen.
fn prediction(result: &Identified) -> (Level, String) {
    let held_out: Vec<&Comparison> = result.held_out().collect();
    let failed: Vec<String> = held_out
        .iter()
        .filter(|c| result.fails(c))
        .map(|c| format!("`{}` ({})", c.name, percent(c.error)))
        .collect();
    if !failed.is_empty() {
        let text = format!(
            "It fails on {}, which {} held out.",
            listed(&failed),
            if failed.len() == 1 { "was" } else { "were" }
        );
        return (Level::Weak, text);
    }
    let worst = held_out.iter().map(|c| c.error).fold(0.0, f64::max);
    let text = match held_out.as_slice() {
        [] => "No test was held out, so that nothing is known about other motions.".to_owned(),
        [one] => format!(
            "It predicts `{}`, which was held out, with an error of {}.",
            one.name,
            percent(worst)
        ),
        several => format!(
            "It predicts the {} tests that were held out with errors of at most {}.",
            several.len(),
            percent(worst)
        ),
    };
    (Level::Good, text)
}

/// Tests that were held out and move where nothing was fitted: their errors, small or large, say little about the model.
fn untested(result: &Identified) -> (Level, String) {
    let names = result.diagnostics.iter().filter_map(Diagnostic::untested);
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    if names.is_empty() {
        return (Level::Good, String::new());
    }
    let text = format!(
        "{} {} where the fitted tests hardly do: see the notes.",
        listed(&names),
        if names.len() == 1 { "moves" } else { "move" }
    );
    (Level::Good, text)
}

/// How well a model that nothing was fitted to predicts the tests.
fn validation(result: &Identified) -> (Level, String) {
    let tests = &result.comparisons;
    let worst = tests.iter().map(|c| c.error).fold(0.0, f64::max);
    let text = format!(
        "The model predicts {} with an error of at most {}{}.",
        match tests.len() {
            1 => "the test".to_owned(),
            n => format!("the {n} tests"),
        },
        percent(worst),
        result.scale()
    );
    let failed = tests.iter().filter(|c| !(c.error <= POOR_FIT));
    let failed: Vec<String> = failed.map(|c| format!("`{}`", c.name)).collect();
    if failed.is_empty() {
        return (Level::Good, text);
    }
    let text = format!("{text} It does not describe {}.", listed(&failed));
    (Level::Weak, text)
}

/// More parameters than this are counted, not named.
const MOST_NAMED: usize = 4;

/// Whether the tests determine the parameters.
fn determination(result: &Identified) -> (Level, String) {
    let sentence = |(status, one, many): (Status, &str, &str)| {
        let own = result.estimates.iter().filter(|e| e.status == status);
        let names: Vec<String> = own.map(|e| format!("`{}`", e.address)).collect();
        match names.len() {
            0 => None,
            1 => Some(format!("{} {one}.", names[0])),
            n if n <= MOST_NAMED => Some(format!("{} {many}.", listed(&names))),
            n => Some(format!("{n} parameters {many}.")),
        }
    };
    let weak: Vec<String> = [
        (
            Status::Unidentifiable,
            "is not determined by these tests",
            "are not determined by these tests",
        ),
        (
            Status::PoorlyDetermined,
            "is only roughly determined",
            "are only roughly determined",
        ),
        (
            Status::AtBound,
            "ended at the edge of its range",
            "ended at the edges of their ranges",
        ),
    ]
    .into_iter()
    .filter_map(sentence)
    .collect();
    if !weak.is_empty() {
        return (Level::Weak, weak.join(" "));
    }
    let sought = result.estimates.iter();
    let text = match sought.filter(|e| e.status.sought()).count() {
        0 => String::new(),
        1 => "The tests determine its parameter.".to_owned(),
        n => format!("The tests determine all {n} parameters."),
    };
    (Level::Good, text)
}

/// Whether the model could generate energy or push the wrong way within the tested range.
fn soundness(result: &Identified) -> (Level, String) {
    if result.diagnostics.iter().any(Diagnostic::is_unsound) {
        let text = "It is NOT physically sound: see the notes.".to_owned();
        return (Level::Weak, text);
    }
    (Level::Good, String::new())
}

/// Units that were assumed, and sizes that suggest that one is wrong.
fn units(result: &Identified) -> (Level, String) {
    let doubts = |d: &&Diagnostic| d.doubts_units();
    let mut told: Vec<String> = Vec::new();
    for one in result.data.diagnostics.iter().filter(doubts) {
        let text = one.about().message(result.names().units());
        if !told.contains(&text) {
            told.push(text);
        }
    }
    match told.as_slice() {
        [] => (Level::Good, String::new()),
        told => (
            Level::Weak,
            format!("Check the units: {}.", told.join("; ")),
        ),
    }
}

/// `a, b and c`.
fn listed(names: &[String]) -> String {
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::{Role, empty};
    use masing_diagnostic::{ReadingDiagnostic, TermsDiagnostic};

    /// A result whose fitted test has that error, with that ratio to the noise.
    fn result(error: f64, chi2_dof: Option<f64>) -> Identified {
        let mut found = empty();
        found.comparisons = vec![Comparison::of_error("fitted", Role::Fitted, error)];
        found.error.relative = error;
        found.error.chi2_dof = chi2_dof;
        found
    }

    fn says(found: &Identified, level: Level, words: &str) {
        let verdict = found.verdict();
        assert_eq!(verdict.level, level, "{}", verdict.text);
        assert!(verdict.text.contains(words), "{}", verdict.text);
        let code = if level == Level::Untrustworthy { 3 } else { 0 };
        assert_eq!(verdict.exit_code(), code);
    }

    #[test]
    fn errors_are_graded() {
        for (error, chi2, level, words) in [
            (
                0.03,
                None,
                Level::Good,
                "describes the tests well: error 3 % of rms force.",
            ),
            (0.08, None, Level::Good, "describes the tests: error 8 %"),
            (0.15, None, Level::Weak, "only roughly"),
            (
                0.15,
                Some(1.1),
                Level::Good,
                "as well as their noise allows",
            ),
            (0.03, Some(4.0), Level::Weak, "misses more than their noise"),
            (
                0.21,
                Some(1.0),
                Level::Untrustworthy,
                "does not describe the tests",
            ),
            (
                f64::NAN,
                None,
                Level::Untrustworthy,
                "does not describe the tests",
            ),
        ] {
            says(&result(error, chi2), level, words);
        }
    }

    #[test]
    fn a_search_that_did_not_settle_is_no_result() {
        let mut found = result(0.01, None);
        found.search.stop = Stop::Evaluations;
        says(&found, Level::Untrustworthy, "The search did not settle");
        found.search.stop = Stop::Interrupted;
        says(&found, Level::Untrustworthy, "The search was interrupted");
    }

    #[test]
    fn held_out_failures_are_named() {
        let mut found = result(0.02, None);
        says(&found, Level::Good, "No test was held out");
        let held_out = |name, error| Comparison::of_error(name, Role::HeldOut, error);
        found.comparisons.push(held_out("near", 0.029));
        says(
            &found,
            Level::Good,
            "It predicts `near`, which was held out, with an error of 2.9 %.",
        );
        found.comparisons.push(held_out("far", 0.3));
        says(
            &found,
            Level::Weak,
            "It fails on `far` (30 %), which was held out.",
        );
        found.comparisons.push(held_out("nowhere", f64::NAN));
        says(
            &found,
            Level::Weak,
            "`far` (30 %) and `nowhere` (not known), which were held out",
        );
        // Roughly fitted, and held out beyond any use.
        let mut rough = result(0.15, None);
        rough.comparisons.push(held_out("rough", 0.22));
        says(&rough, Level::Weak, "It fails on `rough`");
    }

    /// In words only: neither the level nor the exit code changes.
    #[test]
    fn motion_that_was_not_fitted_is_said() {
        let mut found = result(0.02, None);
        let examples = Diagnostic::examples().into_iter().flat_map(|(_, all)| all);
        found.diagnostics = examples.filter(|d| d.untested().is_some()).collect();
        says(
            &found,
            Level::Good,
            "`quake` moves where the fitted tests hardly do",
        );
    }

    #[test]
    fn a_validation_is_judged_by_its_worst_test() {
        let held_out = |name, error| Comparison::of_error(name, Role::HeldOut, error);
        let mut found = empty();
        found.method = MethodName::Validate;
        found.comparisons = vec![held_out("near", 0.02)];
        let verdict = found.verdict();
        let text = "The model predicts the test with an error of at most 2 % of rms force.";
        assert_eq!((verdict.level, verdict.text.as_str()), (Level::Good, text));
        found.comparisons.push(held_out("far", 0.3));
        says(
            &found,
            Level::Weak,
            "the 2 tests with an error of at most 30 % of rms force. It does not describe `far`.",
        );
    }

    #[test]
    fn weak_parameters_are_named() {
        let mut found = result(0.02, None);
        let estimate = |address: &str, status| crate::Estimate {
            address: address.to_owned(),
            value: 1.0,
            unit: "N".to_owned(),
            std_error: None,
            interval: None,
            leave_one_out: None,
            status,
        };
        found.estimates = vec![estimate("a", Status::Ok), estimate("b", Status::Ok)];
        says(&found, Level::Good, "The tests determine all 2 parameters.");
        found.estimates.push(estimate("c", Status::Unidentifiable));
        found.estimates.push(estimate("d", Status::AtBound));
        says(
            &found,
            Level::Weak,
            "`c` is not determined by these tests. `d` ended at the edge",
        );
    }

    #[test]
    fn diagnostics_count_by_what_they_say() {
        let mut found = result(0.02, None);
        found.diagnostics = vec![TermsDiagnostic::NoFriction {}.into()];
        says(&found, Level::Good, "describes the tests well");
        let unsound = Diagnostic::examples().into_iter().flat_map(|(_, all)| all);
        found
            .diagnostics
            .extend(unsound.filter(Diagnostic::is_unsound));
        says(&found, Level::Weak, "NOT physically sound");
        let channels = vec![("displacement".to_owned(), "m".to_owned())];
        let mut assumed = result(0.02, None);
        assumed.data.diagnostics = vec![ReadingDiagnostic::UnitAssumed { channels }.into()];
        says(
            &assumed,
            Level::Weak,
            "Check the units: the file gives no unit; SI was assumed: displacement in m.",
        );
    }
}
