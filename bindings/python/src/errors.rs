//! Exceptions, with the words of the program.

use masing::AppError;
use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::PyException;

create_exception!(
    masing,
    Error,
    PyException,
    "Anything that masing cannot do; the text is that of the `masing` program."
);
create_exception!(
    masing,
    InputError,
    Error,
    "Bad usage or bad input: what the program ends with code 2 for."
);
create_exception!(
    masing,
    NoResultError,
    Error,
    "The work ran but nothing came out that could be returned: what the program ends with code 3 for."
);

/// The exception for an error of the program.
pub fn raised(error: impl Into<AppError>) -> PyErr {
    let error = error.into();
    if error.is_input() {
        InputError::new_err(error.text())
    } else {
        NoResultError::new_err(error.text())
    }
}
