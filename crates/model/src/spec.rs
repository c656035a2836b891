//! Parameters and states of an element, as data.

use crate::element::Memory;
use crate::error::ModelError;

/// How a parameter is varied by an optimiser and drawn on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// By factors: positive parameters.
    Log,
    /// By differences.
    Linear,
}

/// One parameter: name, unit, range, default.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Name in files and addresses, with the index for list entries: `kr[7]`.
    pub name: String,
    /// SI unit for translation; see [`unit_for`].
    pub unit: String,
    /// One line on its meaning.
    pub doc: &'static str,
    /// Smallest admissible value.
    pub min: f64,
    /// Largest admissible value.
    pub max: f64,
    /// Value when none is given and none is sought.
    pub default: f64,
}

impl Param {
    /// Positive parameters vary by factors, the others by differences.
    pub fn scale(&self) -> Scale {
        if self.min > 0.0 {
            Scale::Log
        } else {
            Scale::Linear
        }
    }

    /// The value finite and within the range.
    pub fn check(&self, value: f64) -> Result<(), ModelError> {
        if value >= self.min && value <= self.max {
            return Ok(());
        }
        Err(ModelError::OutOfRange {
            param: self.name.clone(),
            value,
            min: self.min,
            max: self.max,
            unit: self.unit.clone(),
        })
    }

    /// With the unit that it has for a kind of motion.
    #[must_use]
    pub fn for_motion(&self, motion: MotionKind) -> Self {
        Self {
            unit: unit_for(&self.unit, motion),
            ..self.clone()
        }
    }

    /// The name without the index of a list entry.
    pub fn base(&self) -> &str {
        self.name.split('[').next().unwrap_or(&self.name)
    }
}

/// One state: name and unit.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Name, with the index for chains and lists.
    pub name: String,
    /// SI unit for translation; see [`unit_for`].
    pub unit: &'static str,
}

/// The kind of motion: forces over displacements, or torques over angles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MotionKind {
    /// N and m.
    #[default]
    Translation,
    /// N m and rad.
    Rotation,
}

/// A unit written for translation, as it reads for the given kind of motion.
pub fn unit_for(unit: &str, motion: MotionKind) -> String {
    if motion == MotionKind::Translation {
        return unit.to_owned();
    }
    let mut out = String::new();
    let mut word = String::new();
    let flush = |word: &mut String, out: &mut String| {
        out.push_str(match word.as_str() {
            "N" => "N m",
            "m" => "rad",
            "kg" => "kg m^2",
            other => other,
        });
        word.clear();
    };
    for c in unit.chars() {
        if c.is_alphabetic() {
            word.push(c);
        } else {
            flush(&mut word, &mut out);
            out.push(c);
        }
    }
    flush(&mut word, &mut out);
    out
}

/// What an element is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Parameters, lists flattened, in file order.
    pub params: Vec<Param>,
    /// States.
    pub states: Vec<State>,
    /// What the force depends on besides the present motion.
    pub memory: Memory,
}

impl Spec {
    /// A specification without states.
    pub fn new(memory: Memory, params: Vec<Param>) -> Self {
        Self {
            params,
            states: Vec::new(),
            memory,
        }
    }

    /// Adds a state.
    pub fn state(mut self, name: impl Into<String>, unit: &'static str) -> Self {
        self.states.push(State {
            name: name.into(),
            unit,
        });
        self
    }

    /// Replaces the parameter `name` by a list of `len` entries `name[1]`, ...
    pub fn list(mut self, name: &str, len: usize) -> Self {
        if let Some(at) = self.params.iter().position(|p| p.name == name) {
            let one = self.params[at].clone();
            let entries = (1..=len).map(|i| Param {
                name: format!("{name}[{i}]"),
                ..one.clone()
            });
            self.params.splice(at..=at, entries);
        }
        self
    }

    /// Where the parameters of the list (or the single parameter) `name` stand.
    pub fn range_of(&self, name: &str) -> std::ops::Range<usize> {
        let first = self
            .params
            .iter()
            .position(|p| p.base() == name)
            .unwrap_or(self.params.len());
        let count = self.params[first..]
            .iter()
            .take_while(|p| p.base() == name)
            .count();
        first..first + count
    }

    /// The default values.
    pub fn defaults(&self) -> Vec<f64> {
        self.params.iter().map(|p| p.default).collect()
    }

    /// Every value finite and within its range.
    pub fn check(&self, p: &[f64]) -> Result<(), ModelError> {
        let mut each = self.params.iter().zip(p);
        each.try_for_each(|(param, &value)| param.check(value))
    }
}

/// Parameters as data: doc comment, name, unit, range, default.
///
/// ```
/// masing_model::params! {
///     /// Stiffness.
///     k: "N/m", 1.0..=1e12, 1e5;
/// }
/// assert_eq!(params()[0].name, "k");
/// ```
#[macro_export]
macro_rules! params {
    ($( $(#[doc = $doc:literal])+ $name:ident : $unit:literal, $min:literal ..= $max:literal, $default:literal; )+) => {
        fn params() -> Vec<$crate::Param> {
            vec![$( $crate::Param {
                name: stringify!($name).to_owned(),
                unit: $unit.to_owned(),
                doc: concat!($($doc),+).trim_ascii(),
                min: $min,
                max: $max,
                default: $default,
            } ),+]
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_turn_with_the_motion() {
        assert_eq!(unit_for("N/m", MotionKind::Rotation), "N m/rad");
        assert_eq!(
            unit_for("N (s/m)^alpha", MotionKind::Rotation),
            "N m (s/rad)^alpha"
        );
        assert_eq!(unit_for("N s/m", MotionKind::Translation), "N s/m");
    }
}
