//! Models.

use crate::errors::raised;
use masing::AppError;
use masing_model::{MotionKind, file};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::path::{Path, PathBuf};

/// A force model with a value for every parameter.
#[pyclass(frozen, module = "masing._masing")]
pub struct Model {
    pub(crate) model: masing_model::Model,
    /// The file it came from.
    path: Option<PathBuf>,
}

impl Model {
    /// A model that came from no file.
    pub(crate) fn found(model: masing_model::Model) -> Self {
        Self { model, path: None }
    }

    /// What messages call it.
    pub(crate) fn called(&self) -> String {
        match &self.path {
            Some(path) => path.display().to_string(),
            None if self.model.name.is_empty() => "model".to_owned(),
            None => self.model.name.clone(),
        }
    }
}

#[pymethods]
impl Model {
    /// Reads a model.toml.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let model = py.detach(|| file::read(&path)).map_err(raised)?;
        Ok(Self {
            model,
            path: Some(path),
        })
    }

    /// The model in the text of a model.toml; parameters that are left out have their defaults.
    #[staticmethod]
    fn parse(text: &str, name: &str) -> PyResult<Self> {
        let draft = file::parse_draft(Path::new(name), text).map_err(|mut error| {
            // Nobody has typed these lines.
            (error.line, error.excerpt) = (None, None);
            raised(error)
        })?;
        draft.model.check().map_err(raised)?;
        Ok(Self::found(draft.model))
    }

    /// What people call it.
    #[getter]
    fn name(&self) -> &str {
        &self.model.name
    }

    /// The file it came from, if it did.
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.path.clone()
    }

    /// `translation` or `rotation`.
    #[getter]
    fn motion(&self) -> &'static str {
        match self.model.motion() {
            MotionKind::Translation => "translation",
            MotionKind::Rotation => "rotation",
        }
    }

    /// `oscillator` or `structure`; nothing where the motion is prescribed.
    #[getter]
    fn system(&self) -> Option<&str> {
        self.model.system().map(masing_model::Masses::name)
    }

    /// Labels of the elements and what they are.
    #[getter]
    fn elements(&self) -> Vec<(String, String)> {
        let parts = self.model.assembly().parts().iter();
        parts.map(|p| (p.label.clone(), p.kind.clone())).collect()
    }

    /// Values by address, SI.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let values = PyDict::new(py);
        for ((address, _), value) in self.model.params().iter().zip(self.model.values()) {
            values.set_item(address, *value)?;
        }
        Ok(values)
    }

    /// Units by address.
    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let units = PyDict::new(py);
        for (address, param) in self.model.params() {
            units.set_item(address, param.unit)?;
        }
        Ok(units)
    }

    /// Names of the states.
    #[getter]
    fn states(&self) -> Vec<String> {
        let states = self.model.assembly().states();
        states.map(|(address, _)| address).collect()
    }

    /// What the tests of the fit covered: displacement, speed, frequency.
    #[getter]
    #[expect(clippy::type_complexity, reason = "a tuple that Python takes apart")]
    fn validity(&self) -> Option<([f64; 2], Option<f64>, Option<[f64; 2]>)> {
        let tests = self.model.validity.as_ref()?;
        let speed = Some(tests.speed).filter(|v| v.is_finite());
        Some((tests.displacement, speed, tests.frequency))
    }

    /// The same model with other values, by address; a list has one number or one for each of its entries.
    fn with_values(&self, values: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut all = self.model.values().to_vec();
        for (address, value) in values {
            let address: String = address.extract()?;
            let places = self.model.find(&address).map_err(raised)?;
            let numbers: Vec<f64> = match value.extract::<f64>() {
                Ok(number) => vec![number; places.len()],
                Err(_) => value.extract()?,
            };
            if numbers.len() != places.len() {
                let expected = format!("{} numbers", places.len());
                return Err(raised(AppError::option(&address, &value, expected)));
            }
            for (place, number) in places.into_iter().zip(numbers) {
                all[place] = number;
            }
        }
        let model = self.model.with(all).map_err(raised)?;
        Ok(Self::found(model))
    }

    /// The text of its model.toml.
    fn to_toml(&self) -> String {
        file::to_text(&self.model)
    }

    fn __getitem__(&self, address: &str) -> PyResult<f64> {
        let params = self.model.params();
        let mut places = params.iter().zip(self.model.values());
        let found = places.find(|((own, _), _)| own == address);
        match found {
            Some((_, value)) => Ok(*value),
            None => Err(PyKeyError::new_err(address.to_owned())),
        }
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.to_toml() == other.to_toml()
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash as _, Hasher as _};
        let mut hasher = DefaultHasher::new();
        self.to_toml().hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let parts = self.model.assembly().parts().iter();
        let kinds: Vec<&str> = parts.map(|p| p.kind.as_str()).collect();
        let values = self.model.param_count();
        format!("<masing.Model {}, {values} parameters>", kinds.join("+"))
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let parse = py.get_type::<Self>().getattr("parse")?;
        Ok((parse, (self.to_toml(), self.called()).into_pyobject(py)?))
    }
}
