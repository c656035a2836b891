//! What can go wrong with a simulation.

use crate::motion::Motion;
use masing_model::{ModelError, StepError};
use thiserror::Error;

/// A simulation that cannot be run or did not finish.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum SimError {
    /// Fewer samples than needed.
    #[error("{found} samples; at least {expected} are needed")]
    TooFewSamples {
        /// How many there are.
        found: usize,
        /// How many are needed.
        expected: usize,
    },
    /// Channels of different lengths.
    #[error("`{channel}` has {found} values; expected {expected}")]
    Length {
        /// The channel.
        channel: &'static str,
        /// Its length.
        found: usize,
        /// The length of the time.
        expected: usize,
    },
    /// Time that does not increase.
    #[error("time does not increase at sample {index}: {value:?} s after {before:?} s")]
    Time {
        /// Sample, from 0.
        index: usize,
        /// Its time.
        value: f64,
        /// The time before.
        before: f64,
    },
    /// A sample that is not a number.
    #[error("`{channel}` is {value} at sample {index}; expected a finite number")]
    NotFinite {
        /// The channel.
        channel: &'static str,
        /// Sample, from 0.
        index: usize,
        /// The value found.
        value: f64,
    },
    /// Steps so short that an interval has too many of them.
    #[error(
        "at sample {index} (t = {time:?} s): the interval would be cut into {most} steps or more"
    )]
    TooManyParts {
        /// Sample at the end of the interval, from 0.
        index: usize,
        /// Its time.
        time: f64,
        /// The limit.
        most: usize,
    },
    /// A derivative with respect to something that does not exist.
    #[error("there is no {what} {index}; there are {count}")]
    Column {
        /// Parameter or start state.
        what: &'static str,
        /// The index asked for, from 0.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A load or an element on a degree of freedom that does not exist.
    #[error("the {what} acts on degree of freedom {dof}; the system has {dofs}")]
    Dof {
        /// What acts there.
        what: &'static str,
        /// The degree of freedom, from 1.
        dof: usize,
        /// How many there are.
        dofs: usize,
    },
    /// A model with masses where a prescribed motion is required.
    #[error(
        "the model has a [system] with masses; expected a model without, whose motion is prescribed"
    )]
    Masses,
    /// A model with inadmissible values.
    #[error(transparent)]
    Model(Box<ModelError>),
    /// An argument of a step that is not admissible.
    #[error("{what} is {value:?}; expected {expected}")]
    Input {
        /// What it is.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What is admissible.
        expected: &'static str,
    },
    /// A single step that found no solution.
    #[error(transparent)]
    Unsolved(StepError),
    /// Masses that cannot be accelerated.
    #[error("the mass matrix is singular")]
    SingularMass,
    /// A slider that acts on a mass directly.
    #[error(
        "`{label}` does not give way, so that a mass it holds has no force of its own; expected it in series with a spring, such as series(spring, {label})"
    )]
    Rigid {
        /// The element.
        label: String,
    },
    /// A step failed.
    #[error("at sample {index} (t = {time:?} s): {source}")]
    Step {
        /// Sample at the end of the interval, from 0.
        index: usize,
        /// Its time.
        time: f64,
        /// Why.
        source: StepError,
    },
    /// The motion diverged.
    #[error(
        "the motion is not finite from sample {index} (t = {time:?} s) on: the system is unstable, or the step too long"
    )]
    Diverged {
        /// Sample, from 0.
        index: usize,
        /// Its time.
        time: f64,
    },
    /// The laws have more kinks than the steps resolve.
    #[error(
        "up to sample {index} (t = {time:?} s) kinks of the laws cut the steps into too many pieces"
    )]
    TooManyKinks {
        /// Sample, from 0.
        index: usize,
        /// Its time.
        time: f64,
    },
    /// The accuracy asked for was not reached.
    #[error(
        "sub-steps of {max_dt:.1e} s still change the result by {change:.1e} (accuracy asked for: {accuracy:.1e})"
    )]
    Accuracy {
        /// The last change, relative to the largest value.
        change: f64,
        /// What was asked for.
        accuracy: f64,
        /// Longest sub-step tried.
        max_dt: f64,
    },
    /// The response did not become periodic.
    #[error(
        "not periodic after {cycles} cycles: the state still changes by {change:.1e} of its size per cycle"
    )]
    NotPeriodic {
        /// Cycles tried.
        cycles: usize,
        /// Relative change of the state over the last one.
        change: f64,
    },
}

impl From<ModelError> for SimError {
    fn from(error: ModelError) -> Self {
        Self::Model(Box::new(error))
    }
}

impl SimError {
    /// A step that failed on the way to a sample.
    pub(crate) fn at(motion: &Motion, index: usize, source: StepError) -> Self {
        Self::Step {
            index,
            time: motion.time()[index],
            source,
        }
    }

    /// Whether a channel is as long as it should be.
    pub(crate) fn unless_long(
        channel: &'static str,
        found: usize,
        expected: usize,
    ) -> Result<(), Self> {
        if found == expected {
            return Ok(());
        }
        Err(Self::Length {
            channel,
            found,
            expected,
        })
    }
}
