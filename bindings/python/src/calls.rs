//! Requests and their answers.

use crate::errors::{InputError, raised};
use crate::given::{PyTest, Told};
use crate::model::Model;
use masing::request::{FitRequest, TestSource};
use masing::{Answer, AppError, from_json, request};
use masing_data::Table;
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The tests of a request in order, where they hold arrays.
type Tests<'py> = Vec<Option<PyTest<'py>>>;

/// The numbers of the tests, as files would hold them.
fn contents(tests: &Tests<'_>) -> PyResult<Vec<Option<Arc<Table>>>> {
    let each = tests.iter().map(|test| match test {
        Some(test) => test.content(),
        None => Ok(None),
    });
    each.collect()
}

/// Puts the numbers into the tests of a request.
fn fill<'a>(tests: impl IntoIterator<Item = &'a mut TestSource>, contents: Contents) {
    for (test, content) in tests.into_iter().zip(contents) {
        test.content = content;
    }
}

type Contents = Vec<Option<Arc<Table>>>;

fn answered(name: &str, json: &str, contents: Contents) -> Result<Answer, AppError> {
    match name {
        "models" => from_json::<request::ModelsRequest>(json)?.answer(),
        "harmonic" => from_json::<request::HarmonicRequest>(json)?.answer(),
        "export" => from_json::<request::ExportRequest>(json)?.answer(),
        "inspect" => {
            let mut request: request::InspectRequest = from_json(json)?;
            fill(&mut request.tests, contents);
            request.answer()
        }
        "validate" => {
            let mut request: request::ValidateRequest = from_json(json)?;
            fill(&mut request.tests, contents);
            request.answer()
        }
        "compare" => {
            let mut request: request::CompareRequest = from_json(json)?;
            let target = request.options.target.as_mut();
            let target = target.and_then(request::TargetSource::test_mut);
            fill(request.tests.iter_mut().chain(target), contents);
            request.answer()
        }
        "terms" => {
            let mut request: request::TermsRequest = from_json(json)?;
            fill(&mut request.tests, contents);
            request.answer()
        }
        "stages" => {
            let mut request: request::StagesRequest = from_json(json)?;
            let tests = std::iter::once(&mut request.slow).chain(&mut request.dynamic);
            fill(tests, contents);
            request.answer()
        }
        _ => Err(AppError::Said(format!("there is no request `{name}`"))),
    }
}

/// Answers a request: the document that `--json` prints, and why it is not to be trusted, if it is not.
#[pyfunction]
pub fn answer(
    py: Python<'_>,
    name: &str,
    request: &str,
    tests: Tests<'_>,
) -> PyResult<(String, Option<String>)> {
    let contents = contents(&tests)?;
    let answer = py
        .detach(|| answered(name, request, contents))
        .map_err(raised)?;
    // Ctrl-C may have been pressed meanwhile.
    py.check_signals()?;
    Ok((answer.json, answer.failure.map(|error| error.text())))
}

/// A fit that was made.
#[pyclass(frozen, module = "masing._masing")]
pub struct Fitted {
    fitted: masing::Fitted,
}

#[pymethods]
impl Fitted {
    /// The document that `--json` prints.
    #[getter]
    fn json(&self) -> PyResult<String> {
        self.fitted.json().map_err(raised)
    }

    /// Why the result is not to be trusted, if it is not.
    #[getter]
    fn failure(&self) -> Option<String> {
        self.fitted.failure().map(|error| error.text())
    }

    /// The model with the values found.
    #[getter]
    fn model(&self) -> Model {
        Model::found(self.fitted.model().clone())
    }

    /// What the program prints.
    #[getter]
    fn text(&self) -> String {
        self.fitted.text(None)
    }

    /// The page `report.html`.
    fn page(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| self.fitted.page()).map_err(raised)
    }

    /// The tests: name, role and columns.
    fn curves<'py>(&self, py: Python<'py>) -> Vec<(String, &'static str, Vec<Told<'py>>)> {
        let curves = self.fitted.curves().into_iter();
        let curves = curves.map(|curve| {
            let columns = curve.columns.into_iter().map(|column| {
                let (name, unit) = (column.name().to_owned(), column.unit().to_owned());
                (name, unit, PyArray1::from_vec(py, column.values))
            });
            (curve.name, curve.role, columns.collect())
        });
        curves.collect()
    }
}

/// Ctrl-C is looked for no more often than this.
const LOOK: Duration = Duration::from_millis(20);

/// Runs a fit. `progress` is called with the evaluations spent and the error so far, and ends the search with the
/// best so far by returning true.
#[pyfunction]
#[pyo3(signature = (request, tests, progress=None))]
pub fn fit(
    py: Python<'_>,
    request: &str,
    tests: Tests<'_>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Fitted> {
    let contents = contents(&tests)?;
    let mut request: FitRequest = from_json(request).map_err(raised)?;
    fill(&mut request.tests, contents);
    let raising: Mutex<Option<PyErr>> = Mutex::new(None);
    let looked = Mutex::new(Instant::now());
    let watch = |_: &[f64], error: f64, evaluations: usize| {
        let due = looked.lock().is_ok_and(|mut looked| {
            let due = looked.elapsed() >= LOOK;
            if due {
                *looked = Instant::now();
            }
            due
        });
        if !due && progress.is_none() {
            return false;
        }
        Python::attach(|py| {
            let told = py.check_signals().and_then(|()| match &progress {
                Some(progress) if error.is_finite() => {
                    progress.call1(py, (evaluations, error))?.is_truthy(py)
                }
                _ => Ok(false),
            });
            told.unwrap_or_else(|error| {
                if let Ok(mut raising) = raising.lock() {
                    raising.get_or_insert(error);
                }
                true
            })
        })
    };
    let result = py.detach(|| request.fit(&watch));
    let raising = raising
        .into_inner()
        .map_err(|_| InputError::new_err("the progress callback ended the search for good"))?;
    if let Some(error) = raising {
        return Err(error);
    }
    py.check_signals()?;
    Ok(Fitted {
        fitted: result.map_err(raised)?,
    })
}
