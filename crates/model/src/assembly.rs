//! Elements in parallel: forces add.

use crate::element::{Element, Memory};
use crate::error::ModelError;
use crate::registry::{Kind, Shape};
use crate::spec::{MotionKind, Param, State};
use crate::text;
use std::ops::Range;
use std::sync::Arc;

/// One element of an assembly.
#[derive(Clone)]
pub struct Part {
    /// Name in addresses; the element's name, with `-2`, `-3` for repeats, unless given.
    pub label: String,
    /// Name of the kind of element.
    pub kind: String,
    /// What shaped the element.
    pub shape: Shape,
    /// The law.
    pub element: Arc<dyn Element>,
    /// Where its parameters stand among those of the assembly.
    pub params: Range<usize>,
    /// Where its states stand among those of the assembly.
    pub states: Range<usize>,
    /// Degrees of freedom between which it acts, 0 for ground; its displacement is that of the second
    /// relative to the first.
    pub between: [usize; 2],
}

impl std::fmt::Debug for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Part")
            .field("label", &self.label)
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

/// Elements in parallel, or between the degrees of freedom of a structure.
#[derive(Clone, Debug, Default)]
pub struct Assembly {
    parts: Vec<Part>,
    params: usize,
    states: usize,
    /// Forces over displacements, or torques over angles.
    pub motion: MotionKind,
}

impl Assembly {
    /// An assembly without elements.
    pub fn new() -> Self {
        Self::default()
    }

    /// The elements named in a text (see [`crate::text`]): an element, a preset or a sum of those, each with the shape that
    /// `shape_of` gives for its name and the options that the text gives.
    pub fn from_names(sum: &str, shape_of: impl Fn(&str) -> Shape) -> Result<Self, ModelError> {
        let mut assembly = Self::new();
        for term in text::parse(sum)? {
            for named in term.elements(&shape_of)? {
                assembly.add(named.kind, named.shape, named.label.as_deref())?;
            }
        }
        Ok(assembly)
    }

    /// Adds an element of the registry.
    pub fn add(
        &mut self,
        kind: &Kind,
        shape: Shape,
        label: Option<&str>,
    ) -> Result<&mut Self, ModelError> {
        let element: Arc<dyn Element> = (kind.build)(&shape)?.into();
        if kind.rotational {
            self.motion = MotionKind::Rotation;
        }
        self.push(kind.name, element, label)?;
        if let Some(part) = self.parts.last_mut() {
            part.shape = shape;
        }
        Ok(self)
    }

    /// Adds an element of a user's own.
    pub fn push(
        &mut self,
        kind: &str,
        element: Arc<dyn Element>,
        label: Option<&str>,
    ) -> Result<&mut Self, ModelError> {
        let label = match label {
            Some(label) if self.parts.iter().any(|p| p.label == label) => {
                return Err(ModelError::Rejected(format!(
                    "the label `{label}` is used twice"
                )));
            }
            Some(label) => label.to_owned(),
            None => {
                let repeats = self.parts.iter().filter(|p| p.kind == kind).count();
                // One more candidate than there are parts: one of them is free.
                let mut candidates =
                    (repeats + 1..=repeats + self.parts.len() + 1).map(|i| match i {
                        1 => kind.to_owned(),
                        i => format!("{kind}-{i}"),
                    });
                candidates
                    .find(|l| self.parts.iter().all(|p| p.label != *l))
                    .unwrap_or_default()
            }
        };
        let spec = element.spec();
        let (p, z) = (spec.params.len(), spec.states.len());
        self.parts.push(Part {
            label,
            kind: kind.to_owned(),
            shape: Shape::default(),
            element,
            params: self.params..self.params + p,
            states: self.states..self.states + z,
            between: [0, 1],
        });
        self.params += p;
        self.states += z;
        Ok(self)
    }

    /// The elements.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Puts element `index` between two degrees of freedom of a structure.
    pub fn connect(&mut self, index: usize, between: [usize; 2]) {
        self.parts[index].between = between;
    }

    /// How many parameters there are.
    pub fn param_count(&self) -> usize {
        self.params
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.states
    }

    /// All parameters with their addresses `label.parameter`.
    pub fn params(&self) -> impl Iterator<Item = (String, &Param)> {
        self.parts.iter().flat_map(|part| {
            part.element
                .spec()
                .params
                .iter()
                .map(|p| (format!("{}.{}", part.label, p.name), p))
        })
    }

    /// All states with their addresses `label.state`.
    pub fn states(&self) -> impl Iterator<Item = (String, &State)> {
        self.parts.iter().flat_map(|part| {
            part.element
                .spec()
                .states
                .iter()
                .map(|s| (format!("{}.{}", part.label, s.name), s))
        })
    }

    /// The default values of all parameters.
    pub fn defaults(&self) -> Vec<f64> {
        self.params().map(|(_, p)| p.default).collect()
    }

    /// Where the parameters addressed by `label.parameter` stand: one, or all entries of a list.
    pub fn find(&self, address: &str) -> Result<Vec<usize>, ModelError> {
        let found: Vec<usize> = self
            .params()
            .enumerate()
            .filter(|(_, (full, param))| {
                full == address
                    || full.strip_suffix(&param.name).is_some_and(|label| {
                        address
                            .strip_prefix(label)
                            .is_some_and(|rest| rest == param.base())
                    })
            })
            .map(|(i, _)| i)
            .collect();
        if found.is_empty() {
            let known = self.params().map(|(address, _)| address).collect();
            return Err(ModelError::UnknownParameter {
                address: address.to_owned(),
                known,
            });
        }
        Ok(found)
    }

    /// Says what is wrong with a set of values, if anything; parameters are named by address.
    pub fn check(&self, p: &[f64]) -> Result<(), ModelError> {
        for part in &self.parts {
            let checked = part.element.law().check(&p[part.params.clone()]);
            checked.map_err(|error| error.of(&part.label))?;
        }
        Ok(())
    }

    /// The most demanding memory among the elements.
    pub fn memory(&self) -> Memory {
        let memories = || self.parts.iter().map(|p| p.element.spec().memory);
        if memories().any(|m| m == Memory::Time) {
            Memory::Time
        } else if memories().any(|m| m == Memory::Path) {
            Memory::Path
        } else {
            Memory::None
        }
    }

    /// Writes the state at rest, with the displacement of each element given by `x_of`.
    pub fn rest(&self, p: &[f64], x_of: impl Fn(&Part) -> f64, z: &mut [f64]) {
        for part in &self.parts {
            part.element.rest(
                &p[part.params.clone()],
                x_of(part),
                &mut z[part.states.clone()],
            );
        }
    }
}
