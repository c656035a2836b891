//! Tests from Python: what is said about them, and arrays.

use crate::errors::raised;
use masing::request::TestSource;
use masing::{AppError, from_json};
use masing_data::{Channel, Content, DataError, HarmonicPoint, Source, Table};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// Name, unit and numbers of a column.
pub type Given<'py> = (String, Option<String>, PyReadonlyArray1<'py, f64>);

/// Name, unit and numbers of a column that goes back.
pub type Told<'py> = (String, String, Bound<'py, PyArray1<f64>>);

/// A test: what is said about it, in JSON, and its columns unless it is a file.
#[derive(FromPyObject)]
pub struct PyTest<'py> {
    said: String,
    name: String,
    columns: Option<Vec<Given<'py>>>,
}

impl PyTest<'_> {
    /// The same for requests.
    pub fn given(&self) -> PyResult<TestSource> {
        let mut test: TestSource = from_json(&self.said).map_err(raised)?;
        test.content = self.content()?;
        Ok(test)
    }

    /// Its columns, if it has any.
    pub fn content(&self) -> PyResult<Option<Arc<Table>>> {
        let columns = self.columns.as_ref();
        let table = columns.map(|columns| table(&self.name, columns));
        Ok(table.transpose()?.map(Arc::new))
    }
}

/// Columns as a file would hold them; what a file calls a line is the index of a sample.
fn table(name: &str, columns: &[Given<'_>]) -> PyResult<Table> {
    let file = PathBuf::from(name);
    let mut channels: Vec<Channel> = Vec::new();
    for (column, unit, values) in columns {
        let values = values.as_array().to_vec();
        if let Some(first) = channels.first()
            && first.values.len() != values.len()
        {
            let reason = format!(
                "has {} values, `{}` has {}; expected as many",
                values.len(),
                first.name,
                first.values.len()
            );
            return Err(raised(AppError::from(DataError::Channel {
                file,
                role: column.clone(),
                column: column.clone(),
                reason,
            })));
        }
        channels.push(Channel::new(column.clone(), unit.clone(), values));
    }
    let source = Source::new(&file, "array", 0);
    Ok(Table::new("", channels, source))
}

/// Reads a test: its name, format, columns, what was assumed and what was noticed (code, message).
#[pyfunction]
#[expect(clippy::type_complexity, reason = "a tuple that Python takes apart")]
pub fn read<'py>(
    py: Python<'py>,
    test: PyTest<'py>,
) -> PyResult<(
    String,
    &'static str,
    Vec<Told<'py>>,
    Vec<String>,
    Vec<(String, String)>,
)> {
    let given = test.given()?;
    let experiment = py.detach(|| given.read()).map_err(raised)?;
    let column = |name: String, unit: &str, values: Vec<f64>| {
        (name, unit.to_owned(), PyArray1::from_vec(py, values))
    };
    let columns = match &experiment.content {
        Content::Record(record) => {
            let time = record.time.iter();
            let time = time.map(|time| column("time".to_owned(), "s", time.clone()));
            let signals = record
                .signals
                .iter()
                .filter(|s| s.slot.to_string() != "time");
            let signals = signals.map(|signal| {
                let name = signal.slot.to_string();
                column(name, signal.quantity.si(), signal.values.clone())
            });
            time.chain(signals).collect()
        }
        Content::Harmonic(table) => {
            let (length, stiffness) = if table.rotation {
                ("rad", "N m/rad")
            } else {
                ("m", "N/m")
            };
            let numbers =
                |value: fn(&HarmonicPoint) -> f64| table.points.iter().map(value).collect();
            vec![
                column("frequency".to_owned(), "Hz", numbers(|p| p.frequency)),
                column("amplitude".to_owned(), length, numbers(|p| p.amplitude)),
                column("stiffness".to_owned(), stiffness, numbers(|p| p.stiffness)),
                column("loss_angle".to_owned(), "rad", numbers(|p| p.loss_angle)),
            ]
        }
    };
    let units = experiment.units();
    let diagnostics = experiment.diagnostics.iter();
    let diagnostics = diagnostics.map(|f| (f.code().to_string(), f.text(units)));
    Ok((
        experiment.name,
        experiment.format,
        columns,
        experiment.assumptions,
        diagnostics.collect(),
    ))
}
