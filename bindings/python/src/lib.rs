//! `masing._masing`: what the Python package is built on.
//!
//! Requests are those of the program, so that results and messages are the same. Long work runs
//! without the lock of the interpreter.

// What comes from Python is taken out of its objects and belongs to the function.
#![allow(clippy::needless_pass_by_value)]

mod calls;
mod errors;
mod given;
mod model;
mod simulate;
mod stepper;

use pyo3::prelude::*;

/// Commands as functions, models, simulations.
#[pymodule]
mod _masing {
    #[pymodule_export]
    use crate::calls::{Fitted, answer, fit};
    #[pymodule_export]
    use crate::errors::{Error, InputError, NoResultError};
    #[pymodule_export]
    use crate::given::read;
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::simulate::{gradient, jacobian, simulate};
    #[pymodule_export]
    use crate::stepper::Stepper;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        masing::calm_readers();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
