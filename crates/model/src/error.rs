//! What can go wrong with a model or a step.

use crate::element::Step;
use crate::file::error::did_you_mean;
use thiserror::Error;

/// A model that cannot be built or has inadmissible values.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ModelError {
    /// No such element in the registry.
    #[error("unknown element `{name}`; known elements: {}{}", known.join(", "), did_you_mean(name, known))]
    UnknownElement {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// No such parameter.
    #[error("unknown parameter `{address}`; known parameters: {}{}", known.join(", "), did_you_mean(address, known))]
    UnknownParameter {
        /// What was asked for.
        address: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A value outside its range, or not a number.
    #[error(
        "`{param}` = {value:?}{} is outside its range {min:?} to {max:?}",
        if unit == "1" { String::new() } else { format!(" {unit}") }
    )]
    OutOfRange {
        /// The parameter.
        param: String,
        /// Its value.
        value: f64,
        /// Smallest admissible value.
        min: f64,
        /// Largest admissible value.
        max: f64,
        /// Unit of all three.
        unit: String,
    },
    /// Two lists that must have the same length.
    #[error(
        "`{first}` has {first_len} entries, `{second}` has {second_len}; they must be equally long"
    )]
    Lengths {
        /// One list.
        first: String,
        /// Its length.
        first_len: usize,
        /// The other list.
        second: String,
        /// Its length.
        second_len: usize,
    },
    /// A list too short or an option out of its range.
    #[error("`{option}` = {value} is not possible; expected {expected}")]
    Shape {
        /// The option or list.
        option: String,
        /// What was given.
        value: String,
        /// What is possible.
        expected: String,
    },
    /// A list that must increase.
    #[error(
        "`{list}` must increase, but entry {index} ({value:?}) does not exceed the one before ({before:?})"
    )]
    NotIncreasing {
        /// The list.
        list: String,
        /// Position of the offending entry, from 1.
        index: usize,
        /// The offending entry.
        value: f64,
        /// The entry before it.
        before: f64,
    },
    /// A model text that cannot be read.
    #[error(
        "cannot read the model `{text}`: found {}; expected {expected}",
        if found.is_empty() { "the end".to_owned() } else { format!("`{found}`") }
    )]
    Text {
        /// The whole text.
        text: String,
        /// What stands where something else was expected.
        found: String,
        /// What may stand there.
        expected: &'static str,
    },
    /// A series or a wrapper that holds too few or too many.
    #[error("`{name}(...)` holds {found}; expected {expected}")]
    Holds {
        /// What holds the others.
        name: String,
        /// How many it holds.
        found: usize,
        /// How many it may hold, with an example.
        expected: &'static str,
    },
    /// An element that cannot stand in a series.
    #[error("`{label}` cannot stand in a series: {why}")]
    NotInSeries {
        /// The element.
        label: String,
        /// Why not, and what may stand there.
        why: &'static str,
    },
    /// No such form of a parameter over a condition.
    #[error("unknown form `{name}`; known forms: {}{}", known.join(", "), did_you_mean(name, known))]
    UnknownForm {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// No such condition.
    #[error(
        "unknown condition `{name}`; {}",
        if known.is_empty() { "the model follows none".to_owned() } else { format!("known conditions: {}{}", known.join(", "), did_you_mean(name, known)) }
    )]
    UnknownCondition {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A model that follows a condition, used without its level.
    #[error(
        "the model follows `{condition}`, but its level is not given; expected one, such as --condition {condition}=VALUE, or conditions = {{ {condition} = \"VALUE\" }} in a test"
    )]
    NoLevel {
        /// The condition.
        condition: String,
    },
    /// A level at which a form has no value.
    #[error("`{condition}` = {level:?}: the form `{form}` expects {expected}")]
    Level {
        /// The condition.
        condition: String,
        /// Its level.
        level: f64,
        /// The form.
        form: &'static str,
        /// What it can do with.
        expected: &'static str,
    },
    /// A parameter that leaves its range at a level.
    #[error("at {levels}: {source}")]
    AtLevel {
        /// The levels, in SI.
        levels: String,
        /// The range that it leaves.
        source: Box<ModelError>,
    },
    /// Too many or too few coefficients.
    #[error("`{address}` has {found} coefficients; the form {form} has {expected}")]
    Coefficients {
        /// The parameter.
        address: String,
        /// Its form.
        form: String,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// Anything an element of a user's own wants to say about its parameters.
    #[error("{0}")]
    Rejected(String),
}

impl ModelError {
    /// The same, with the parameter or list named by its address.
    #[must_use]
    pub(crate) fn of(mut self, label: &str) -> Self {
        if let Self::OutOfRange { param: name, .. } | Self::NotIncreasing { list: name, .. } =
            &mut self
        {
            *name = crate::network::address(label, name);
        }
        self
    }

    /// An option that cannot be what it is.
    pub(crate) fn shape(
        option: impl Into<String>,
        value: &impl ToString,
        expected: impl Into<String>,
    ) -> Self {
        Self::Shape {
            option: option.into(),
            value: value.to_string(),
            expected: expected.into(),
        }
    }
}

/// A step that could not be taken.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum StepError {
    /// The equations of the step were not solved.
    #[error(
        "`{element}`: no solution of the step after {iterations} iterations (residual {residual:.1e})"
    )]
    NoConvergence {
        /// Which law.
        element: &'static str,
        /// How long it tried.
        iterations: usize,
        /// How far off it is, relative to the forces involved.
        residual: f64,
    },
    /// A sudden displacement of two dampers, one after the other.
    #[error(
        "`{element}`: a sudden displacement from x = {from:?} to x = {to:?} has no finite force on two dampers; expected a motion that takes time"
    )]
    Jump {
        /// Which law.
        element: &'static str,
        /// Displacement at the start.
        from: f64,
        /// Displacement at the end.
        to: f64,
    },
    /// A result that is not a finite number.
    #[error("`{element}`: the step from x = {from:?} to x = {to:?} has no finite result")]
    NotFinite {
        /// Which law.
        element: &'static str,
        /// Displacement at the start.
        from: f64,
        /// Displacement at the end.
        to: f64,
    },
}

impl StepError {
    /// The force, unless it or a state after the step is not a finite number.
    pub(crate) fn unless_finite(
        element: &'static str,
        s: &Step,
        force: f64,
        z: &[f64],
    ) -> Result<f64, Self> {
        if force.is_finite() && z.iter().all(|z| z.is_finite()) {
            return Ok(force);
        }
        let [from, to] = s.x;
        Err(Self::NotFinite { element, from, to })
    }
}
