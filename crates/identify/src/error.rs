//! Why a fit cannot be made.

use masing_model::ModelError;
use masing_sim::SimError;
use thiserror::Error;

/// A fit that cannot be made.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum FitError {
    /// No test to fit to.
    #[error("no test to fit to")]
    NoTests,
    /// Models are compared on a motion that is prescribed.
    #[error(
        "models are compared on records of motion and force or on stiffness tables; a test of masses needs a model with its masses (fit --model)"
    )]
    ComparedMasses,
    /// One test that cannot be cut into blocks.
    #[error(
        "one test with a single cycle: nothing can be left out to compare models; expected two tests, or a record of two cycles or more (fit --model fits one model)"
    )]
    NothingLeftOut,
    /// No candidate was tried.
    #[error("no candidate was tried; expected a budget of one or more")]
    NothingTried,
    /// Neither motion nor force changes.
    #[error("no test shows a loop: displacement or force does not change")]
    NoLoop,
    /// No mass moves.
    #[error("no test shows a motion: nothing that was measured of the masses changes")]
    NoMotion,
    /// Every parameter is fixed.
    #[error("every parameter is fixed; nothing is left to find")]
    NothingFree,
    /// Fewer samples than unknowns.
    #[error(
        "{samples} samples cannot determine {unknowns} numbers; expected at least {} samples: give a longer record, or hold parameters (--fix)",
        unknowns + 1
    )]
    TooFewSamples {
        /// Samples compared.
        samples: usize,
        /// Numbers sought.
        unknowns: usize,
    },
    /// A start outside its range.
    #[error("`{address}` starts at {value:?}, outside its range {min:?} to {max:?}")]
    StartOutside {
        /// The parameter.
        address: String,
        /// Its start.
        value: f64,
        /// Smallest admissible value.
        min: f64,
        /// Largest admissible value.
        max: f64,
    },
    /// A value that a parameter cannot be held towards.
    #[error(
        "`{address}` cannot be held towards {value:?} with weight {weight:?}: the value must lie in its range, the weight must not be negative"
    )]
    Prior {
        /// The parameter.
        address: String,
        /// The value.
        value: f64,
        /// The weight.
        weight: f64,
    },
    /// A test of masses, and a model without.
    #[error("the test measures the motion of masses, but the model has none; give it a [system]")]
    NoMasses,
    /// A model with masses, and a test that prescribes the motion.
    #[error(
        "test `{test}` prescribes the motion, but the model has masses; it needs a load or a base acceleration and a measured motion"
    )]
    NoLoad {
        /// The test.
        test: String,
    },
    /// No forces were measured, and no mass is given to scale them.
    #[error(
        "no test shows a force, so that only ratios to the mass can be found; give the mass: `m` in [system], or --fix {address}=VALUE"
    )]
    MassNeeded {
        /// The mass.
        address: String,
    },
    /// No displacement at which the part would carry the preload.
    #[error(
        "the model carries no force of {force} N at rest, so that the preload is at no displacement; give it as a displacement"
    )]
    NoPreload {
        /// The force asked for.
        force: f64,
    },
    /// A parameter that is asked to follow in a way that cannot be.
    #[error("`{address}` follows one condition, or two different ones, with one form for each")]
    Follow {
        /// The parameter.
        address: String,
    },
    /// A value of masses that is asked to follow a condition.
    #[error("`{address}` belongs to the masses; only parameters of elements follow conditions")]
    FollowMasses {
        /// The parameter.
        address: String,
    },
    /// A parameter that follows a condition and is held or bounded as well.
    #[error(
        "`{address}` follows {of}; it cannot be held, bounded, pulled towards a value or profiled as well"
    )]
    FollowsAlready {
        /// The parameter.
        address: String,
        /// What it follows.
        of: String,
    },
    /// A condition that no test has.
    #[error(
        "no test has the condition `{condition}`; {}",
        if known.is_empty() {
            format!("give its levels, such as conditions = {{ {condition} = \"VALUE\" }}, or --condition FILE:{condition}=VALUE")
        } else {
            format!("the tests have {}", known.join(", "))
        }
    )]
    UnknownCondition {
        /// The condition.
        condition: String,
        /// What the tests have.
        known: Vec<String>,
    },
    /// A test without the level of a condition.
    #[error(
        "test `{test}` has no level of `{condition}`, which a parameter follows; give it, such as conditions = {{ {condition} = \"VALUE\" }}, or --condition FILE:{condition}=VALUE"
    )]
    NoLevel {
        /// The test.
        test: String,
        /// The condition.
        condition: String,
    },
    /// Fewer levels than a form needs.
    #[error(
        "`{address}` over `{condition}` by `{form}` needs tests at {expected} different levels or more; found {found}"
    )]
    TooFewLevels {
        /// The parameter.
        address: String,
        /// What it follows.
        condition: String,
        /// The form.
        form: String,
        /// Levels of the tests.
        found: usize,
        /// Levels that it needs.
        expected: usize,
    },
    /// The semi-analytic method cannot be used here.
    #[error("the semi-analytic method cannot be used: {why}")]
    SemiAnalytic {
        /// What is in the way.
        why: &'static str,
    },
    /// The semi-analytic method ran, but its equations have no admissible solution.
    #[error(
        "the equations of the semi-analytic method have no solution on this loop, or none within the ranges of {law}; the default method needs none"
    )]
    NoFormula {
        /// The law.
        law: &'static str,
    },
    /// The model could not be simulated at any start.
    #[error("the model cannot be simulated at the start")]
    NoStart,
    /// Something is wrong with the model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A simulation failed.
    #[error(transparent)]
    Sim(#[from] SimError),
}
