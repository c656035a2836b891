//! A model that is stepped from outside.

use crate::errors::raised;
use crate::model::Model;
use masing::AppError;
use masing_model::Levels;
use masing_sim::{Moment, SimError};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use std::path::PathBuf;

/// A model and where it stands; stepped by the same code as FMUs and the C library.
#[pyclass(module = "masing._masing")]
pub struct Stepper {
    stepper: masing_sim::Stepper,
    called: String,
}

impl Stepper {
    fn refused(&self, source: SimError) -> PyErr {
        refused(&self.called, source)
    }
}

fn refused(called: &str, source: SimError) -> PyErr {
    raised(AppError::Simulation {
        path: PathBuf::from(called),
        line: None,
        source,
    })
}

#[pymethods]
impl Stepper {
    #[new]
    #[pyo3(signature = (model, conditions=None))]
    fn new(model: &Model, conditions: Option<Levels>) -> PyResult<Self> {
        let called = model.called();
        let law = model.model.clone();
        let stepper = if law.following().is_empty() && conditions.is_none() {
            masing_sim::Stepper::new(law)
        } else {
            masing_sim::Stepper::at_levels(law, &conditions.unwrap_or_default())
        };
        Ok(Self {
            stepper: stepper.map_err(|source| refused(&called, source))?,
            called,
        })
    }

    /// Moves straight to a displacement within `dt` seconds and returns the force there. The velocity at the end is
    /// the slope of the line unless it is given.
    #[pyo3(signature = (dt, displacement, velocity=None))]
    fn step(&mut self, dt: f64, displacement: f64, velocity: Option<f64>) -> PyResult<f64> {
        let force = self.stepper.step(dt, displacement, velocity);
        force.map_err(|source| self.refused(source))
    }

    /// Sets levels of conditions that the model follows, in SI, from the next step on.
    fn set_conditions(&mut self, levels: Levels) -> PyResult<()> {
        let set = self.stepper.set_levels(&levels);
        set.map_err(|source| self.refused(source))
    }

    /// Puts the part at rest at a displacement, its memory unstrained, and returns the force there.
    #[pyo3(signature = (displacement=0.0, velocity=0.0))]
    fn rest_at(&mut self, displacement: f64, velocity: f64) -> PyResult<f64> {
        let force = self.stepper.rest_at(displacement, velocity);
        force.map_err(|source| self.refused(source))
    }

    /// Derivatives of the present force with respect to displacement and velocity.
    fn slopes(&self) -> PyResult<(f64, f64)> {
        let slopes = self.stepper.slopes();
        let [x, v] = slopes.map_err(|source| self.refused(source))?;
        Ok((x, v))
    }

    /// Everything the part remembers, as numbers; setting it steps back.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.stepper.now().numbers())
    }

    #[setter]
    fn set_state(&mut self, state: PyReadonlyArray1<'_, f64>) -> PyResult<()> {
        let numbers = state.as_array().to_vec();
        let expected = Moment::size(self.stepper.now().z.len());
        let refuse = || {
            let expected = format!("the {expected} finite numbers of an earlier state");
            raised(AppError::option(
                "state",
                format!("{} numbers", numbers.len()),
                expected,
            ))
        };
        if numbers.len() != expected {
            return Err(refuse());
        }
        let moment = Moment::from_numbers(&numbers).ok_or_else(refuse)?;
        let set = self.stepper.set(moment);
        set.map_err(|source| self.refused(source))
    }

    /// Force on the part (N or N m).
    #[getter]
    fn force(&self) -> f64 {
        self.stepper.now().force
    }

    /// Displacement (m or rad).
    #[getter]
    fn displacement(&self) -> f64 {
        self.stepper.now().x
    }

    /// Velocity (m/s or rad/s).
    #[getter]
    fn velocity(&self) -> f64 {
        self.stepper.now().v
    }

    /// Work done on the part so far (J).
    #[getter]
    fn work(&self) -> f64 {
        self.stepper.now().work
    }

    /// Whether the motion goes beyond the tests of the model.
    #[getter]
    fn outside_validity(&self) -> bool {
        self.stepper.outside_validity()
    }
}
