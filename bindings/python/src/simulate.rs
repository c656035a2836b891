//! Responses and their derivatives.

use crate::errors::raised;
use crate::given::{PyTest, Told};
use crate::model::Model;
use masing::Asked;
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::prelude::*;

fn numbers(values: Option<PyReadonlyArray1<'_, f64>>) -> Option<Vec<f64>> {
    values.map(|values| values.as_array().to_vec())
}

/// The response of a model: the document that `--json` prints, the histories, the states at the end.
#[pyfunction]
#[pyo3(signature = (model, drive, accuracy=None, start=None))]
pub fn simulate<'py>(
    py: Python<'py>,
    model: &Model,
    drive: PyTest<'py>,
    accuracy: Option<f64>,
    start: Option<PyReadonlyArray1<'py, f64>>,
) -> PyResult<(String, Vec<Told<'py>>, Bound<'py, PyArray1<f64>>)> {
    let (drive, start) = (drive.given()?, numbers(start));
    let asked = Asked {
        accuracy,
        start: start.as_deref(),
    };
    let response = py
        .detach(|| masing::respond(&model.model, &drive, &asked))
        .map_err(raised)?;
    let columns = response.columns().iter().map(|column| {
        let values = PyArray1::from_slice(py, &column.values);
        (column.name().to_owned(), column.unit().to_owned(), values)
    });
    let json = response.json(&model.called()).map_err(raised)?;
    let end = PyArray1::from_slice(py, response.end());
    Ok((json, columns.collect(), end))
}

/// Addresses of parameters, forces, and the derivatives of the forces: a row per sample, a column per parameter.
#[pyfunction]
#[pyo3(signature = (model, drive, addresses=None, accuracy=None, start=None))]
#[expect(clippy::type_complexity, reason = "a tuple that Python takes apart")]
pub fn jacobian<'py>(
    py: Python<'py>,
    model: &Model,
    drive: PyTest<'py>,
    addresses: Option<Vec<String>>,
    accuracy: Option<f64>,
    start: Option<PyReadonlyArray1<'py, f64>>,
) -> PyResult<(
    Vec<String>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray2<f64>>,
)> {
    let (drive, start) = (drive.given()?, numbers(start));
    let asked = Asked {
        accuracy,
        start: start.as_deref(),
    };
    let all: Vec<String> = model.model.params().into_iter().map(|(a, _)| a).collect();
    let mut places = Vec::new();
    match addresses {
        None => places.extend(0..model.model.assembly().param_count()),
        Some(addresses) => {
            for address in addresses {
                places.extend(model.model.find(&address).map_err(raised)?);
            }
        }
    }
    let found = py
        .detach(|| masing::jacobian(&model.model, &drive, &places, &asked))
        .map_err(raised)?;
    let (rows, columns) = (found.force.len(), found.columns);
    let jacobian = PyArray1::from_vec(py, found.jacobian).reshape([rows, columns])?;
    let names = places.iter().filter_map(|&i| all.get(i).cloned()).collect();
    Ok((names, PyArray1::from_vec(py, found.force), jacobian))
}

/// Addresses of all parameters, half the sum of the squared differences to measured forces, and its derivatives.
#[pyfunction]
#[pyo3(signature = (model, drive, force, accuracy=None, start=None))]
pub fn gradient<'py>(
    py: Python<'py>,
    model: &Model,
    drive: PyTest<'py>,
    force: PyReadonlyArray1<'py, f64>,
    accuracy: Option<f64>,
    start: Option<PyReadonlyArray1<'py, f64>>,
) -> PyResult<(Vec<String>, f64, Bound<'py, PyArray1<f64>>)> {
    let (drive, start) = (drive.given()?, numbers(start));
    let force = force.as_array().to_vec();
    let asked = Asked {
        accuracy,
        start: start.as_deref(),
    };
    let (loss, slopes) = py
        .detach(|| masing::gradient(&model.model, &drive, &force, &asked))
        .map_err(raised)?;
    let names = model.model.params().into_iter().map(|(a, _)| a).collect();
    Ok((names, loss, PyArray1::from_vec(py, slopes)))
}
