//! A model: elements, what drives them, and the values of all parameters.

use crate::assembly::Assembly;
use crate::condition::{self, Condition, Following, Levels};
use crate::error::ModelError;
use crate::spec::{MotionKind, Param};
use crate::system::Masses;
use std::collections::BTreeMap;

/// How finely a sample interval is cut: the longest sub-step in displacement and in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLimits {
    /// Longest displacement increment (m or rad); infinite for no limit.
    pub increment: f64,
    /// Longest duration (s); infinite for no limit.
    pub max_dt: f64,
}

/// What the tests covered that a model was identified from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Validity {
    /// Lowest and highest displacement (m or rad).
    pub displacement: [f64; 2],
    /// Highest speed (m/s or rad/s); infinite if the tests do not tell.
    pub speed: f64,
    /// Lowest and highest frequency (Hz) of the tests that repeat themselves.
    pub frequency: Option<[f64; 2]>,
}

impl Validity {
    /// Whether a motion goes beyond what the tests covered.
    pub fn is_outside(&self, x: f64, v: f64) -> bool {
        self.displacement_outside(x) || self.speed_outside(v)
    }

    /// Whether a displacement does. The allowance is for values that went through other units and back.
    pub fn displacement_outside(&self, x: f64) -> bool {
        let [low, high] = self.displacement;
        let slack = 1e-9 * (high - low);
        !(x >= low - slack && x <= high + slack)
    }

    /// Whether a speed does, with the same allowance.
    pub fn speed_outside(&self, v: f64) -> bool {
        !(v.abs() <= self.speed * (1.0 + 1e-9))
    }

    /// What two sets of tests covered together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let wider = |a: [f64; 2], b: [f64; 2]| [a[0].min(b[0]), a[1].max(b[1])];
        Self {
            displacement: wider(self.displacement, other.displacement),
            speed: self.speed.max(other.speed),
            frequency: match (self.frequency, other.frequency) {
                (Some(a), Some(b)) => Some(wider(a, b)),
                (a, b) => a.or(b),
            },
        }
    }

    /// Says what is wrong, if anything.
    fn check(&self) -> Result<(), ModelError> {
        let refuse = |option: &str, value: String, expected: &str| {
            Err(ModelError::shape(option, &value, expected))
        };
        let rising = |[low, high]: [f64; 2]| low.is_finite() && high.is_finite() && low <= high;
        let [low, high] = self.displacement;
        if !rising(self.displacement) {
            let found = format!("[{low}, {high}]");
            return refuse("validity.displacement", found, "two rising numbers");
        }
        if !(self.speed >= 0.0) {
            return refuse(
                "validity.speed",
                self.speed.to_string(),
                "a positive number",
            );
        }
        match self.frequency {
            Some([low, high]) if !(low >= 0.0 && rising([low, high])) => refuse(
                "validity.frequency",
                format!("[{low}, {high}]"),
                "two rising numbers, not negative",
            ),
            _ => Ok(()),
        }
    }
}

/// Elements, masses if there are any, and their values.
#[derive(Clone, Debug)]
pub struct Model {
    /// What people call it; may be empty.
    pub name: String,
    /// Free text about the part that was tested: number, sample, direction, temperature, ...
    pub part: BTreeMap<String, String>,
    /// Sub-steps that a fit or an export has settled on.
    pub numerics: Option<StepLimits>,
    /// What the tests covered, where that is known.
    pub validity: Option<Validity>,
    assembly: Assembly,
    system: Option<Masses>,
    values: Vec<f64>,
    conditions: Vec<Condition>,
    following: Vec<Following>,
}

impl Model {
    /// A model from its parts; `values` are those of the elements followed by those of the system.
    pub fn new(
        assembly: Assembly,
        system: Option<Masses>,
        values: Vec<f64>,
    ) -> Result<Self, ModelError> {
        Self::unchecked(assembly, system, Vec::new()).with(values)
    }

    /// The model with the default values of all parameters.
    pub fn with_defaults(assembly: Assembly, system: Option<Masses>) -> Result<Self, ModelError> {
        let mut values = assembly.defaults();
        if let Some(masses) = &system {
            values.extend(masses.params().iter().map(|p| p.default));
        }
        Self::new(assembly, system, values)
    }

    /// For the reader of partial files, whose values may not fit each other yet.
    pub(crate) fn unchecked(assembly: Assembly, system: Option<Masses>, values: Vec<f64>) -> Self {
        Self {
            name: String::new(),
            part: BTreeMap::new(),
            numerics: None,
            validity: None,
            assembly,
            system,
            values,
            conditions: Vec::new(),
            following: Vec::new(),
        }
    }

    /// The conditions that its tests had.
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// The parameters that follow conditions; their values are those in the middle of the ranges.
    pub fn following(&self) -> &[Following] {
        &self.following
    }

    /// The same model with parameters that follow conditions.
    pub fn follow(
        &self,
        conditions: Vec<Condition>,
        following: Vec<Following>,
    ) -> Result<Self, ModelError> {
        let mut model = Self {
            conditions,
            following,
            ..self.clone()
        };
        model.check_following()?;
        let middle = model.middle();
        for own in &model.following {
            model.values[own.param] = own.value(&middle)?.0;
        }
        model.check()?;
        Ok(model)
    }

    /// For the reader of partial files: the values of what follows are set already.
    pub(crate) fn following_unchecked(
        self,
        conditions: Vec<Condition>,
        following: Vec<Following>,
    ) -> Result<Self, ModelError> {
        let model = Self {
            conditions,
            following,
            ..self
        };
        model.check_following()?;
        Ok(model)
    }

    /// The levels in the middle of the ranges.
    pub fn middle(&self) -> Levels {
        let each = self.conditions.iter();
        each.map(|c| (c.name.clone(), c.middle())).collect()
    }

    /// The values at given levels; those that follow nothing are as they are. Levels that nothing follows do not matter.
    pub fn values_at(&self, levels: &Levels) -> Result<Vec<f64>, ModelError> {
        let mut values = self.values.clone();
        for own in &self.following {
            values[own.param] = own.value(levels)?.0;
        }
        Ok(values)
    }

    /// The model at given levels: an ordinary one.
    pub fn at(&self, levels: &Levels) -> Result<Self, ModelError> {
        let values = self.values_at(levels)?;
        if self.following.is_empty() {
            return Ok(self.clone());
        }
        let plain = Self {
            conditions: Vec::new(),
            following: Vec::new(),
            ..self.clone()
        };
        plain.with(values).map_err(|source| {
            let levels = self.conditions.iter().filter_map(|c| {
                let level = levels.get(&c.name)?;
                Some(format!("{} = {level:?} {}", c.name, c.unit))
            });
            ModelError::AtLevel {
                levels: levels.collect::<Vec<_>>().join(", "),
                source: Box::new(source),
            }
        })
    }

    fn check_following(&self) -> Result<(), ModelError> {
        condition::check(&self.conditions)?;
        if self.following.is_empty() {
            return Ok(());
        }
        let params = self.params();
        for (i, own) in self.following.iter().enumerate() {
            let element = own.param < self.assembly.param_count();
            let address = params.get(own.param).map(|(address, _)| address.as_str());
            let address = address.unwrap_or("parameter");
            let twice = self.following[..i].iter().any(|f| f.param == own.param);
            if !element || twice {
                let expected = "a parameter of an element, which follows once";
                return Err(ModelError::shape("follow", &address, expected));
            }
            own.check(address, &self.conditions)?;
        }
        Ok(())
    }

    /// The same model with other values.
    pub fn with(&self, values: Vec<f64>) -> Result<Self, ModelError> {
        let model = Self {
            values,
            ..self.clone()
        };
        model.check()?;
        Ok(model)
    }

    /// The elements.
    pub fn assembly(&self) -> &Assembly {
        &self.assembly
    }

    /// The masses, if the motion is not prescribed.
    pub fn system(&self) -> Option<&Masses> {
        self.system.as_ref()
    }

    /// Forces over displacements, or torques over angles.
    pub fn motion(&self) -> MotionKind {
        self.assembly.motion
    }

    /// All values: those of the elements, then those of the system.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The values of the elements.
    pub fn element_values(&self) -> &[f64] {
        &self.values[..self.assembly.param_count()]
    }

    /// The values of the system; empty for prescribed motion.
    pub fn system_values(&self) -> &[f64] {
        &self.values[self.assembly.param_count()..]
    }

    /// How many values there are.
    pub fn param_count(&self) -> usize {
        self.assembly.param_count() + self.system.as_ref().map_or(0, Masses::param_count)
    }

    /// All parameters with their addresses (`rt.k0`, `oscillator.m`, `structure.k[1,2]`), in the
    /// order of the values, with units for the motion of the model.
    pub fn params(&self) -> Vec<(String, Param)> {
        let system = self.system.iter().flat_map(|masses| {
            masses
                .params()
                .into_iter()
                .map(|p| (format!("{}.{}", masses.name(), p.name), p))
        });
        self.assembly
            .params()
            .map(|(address, p)| (address, p.clone()))
            .chain(system)
            .map(|(address, p)| (address, p.for_motion(self.motion())))
            .collect()
    }

    /// Where the parameters of that address stand among the values: one, or all entries of a list
    /// or matrix.
    pub fn find(&self, address: &str) -> Result<Vec<usize>, ModelError> {
        let params = self.params();
        let list = |full: &str, p: &Param| full[..full.len() - p.name.len()].to_owned() + p.base();
        let found: Vec<usize> = params
            .iter()
            .enumerate()
            .filter(|(_, (full, p))| full == address || list(full, p) == address)
            .map(|(i, _)| i)
            .collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let mut known: Vec<String> = params.iter().map(|(full, p)| list(full, p)).collect();
        known.dedup();
        Err(ModelError::UnknownParameter {
            address: address.to_owned(),
            known,
        })
    }

    /// Every value within its range, lists and matrices sound, elements between existing masses.
    pub fn check(&self) -> Result<(), ModelError> {
        if self.values.len() != self.param_count() {
            return Err(ModelError::Lengths {
                first: "values".to_owned(),
                first_len: self.values.len(),
                second: "parameters".to_owned(),
                second_len: self.param_count(),
            });
        }
        self.assembly.check(self.element_values())?;
        self.check_following()?;
        if let Some(masses) = &self.system {
            masses.check(self.system_values())?;
        }
        let dofs = self.system.as_ref().map_or(1, Masses::dofs);
        for part in self.assembly.parts() {
            let [from, to] = part.between;
            if from == to || from > dofs || to > dofs {
                let expected = format!("two different whole numbers from 0 (ground) to {dofs}");
                let (option, value) =
                    (format!("{}.between", part.label), format!("[{from}, {to}]"));
                return Err(ModelError::shape(option, &value, expected));
            }
        }
        let limits = self.numerics.iter().flat_map(|n| {
            [
                ("numerics.increment", n.increment),
                ("numerics.max_dt", n.max_dt),
            ]
        });
        for (option, value) in limits {
            if value.is_nan() || value <= 0.0 {
                return Err(ModelError::shape(option, &value, "a positive number"));
            }
        }
        self.validity.as_ref().map_or(Ok(()), Validity::check)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Shape;

    fn springs(sum: &str) -> Assembly {
        Assembly::from_names(sum, |_| Shape::default()).unwrap()
    }

    #[test]
    fn addresses_cover_elements_and_system() {
        let model =
            Model::with_defaults(springs("spring+spring"), Some(Masses::structure(2))).unwrap();
        assert_eq!(model.find("spring-2.k").unwrap(), [1]);
        assert_eq!(model.find("structure.m[1,2]").unwrap(), [3]);
        assert_eq!(model.find("structure.m").unwrap(), [2, 3, 4, 5]);
        assert_eq!(model.find("structure.v0").unwrap(), [16, 17]);
        match model.find("structure.q") {
            Err(ModelError::UnknownParameter { known, .. }) => {
                assert_eq!(known[..3], ["spring.k", "spring-2.k", "structure.m"]);
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn bad_values_are_refused() {
        let model = Model::with_defaults(springs("spring"), None).unwrap();
        assert!(matches!(
            model.with(vec![-1.0]),
            Err(ModelError::OutOfRange { .. })
        ));
        assert!(matches!(
            model.with(vec![f64::NAN]),
            Err(ModelError::OutOfRange { .. })
        ));
        assert!(matches!(
            model.with(vec![1.0, 2.0]),
            Err(ModelError::Lengths { .. })
        ));
        assert_eq!(model.with(vec![7.0]).unwrap().element_values(), [7.0]);
    }
}
