//! Elements and networks in parallel: forces add.

use crate::element::{Element, Memory};
use crate::error::ModelError;
use crate::network::{Child, Parallel, Series, Softening, address, series, softening};
use crate::registry::{Kind, Shape};
use crate::spec::{MotionKind, Param, State};
use crate::text::{self, Term};
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
    /// What a network holds: its branches one after another, each with its elements side by side.
    pub branches: Vec<Vec<Part>>,
}

impl Part {
    /// Where the parameters of its own stand: all of them, or what a network has beside those that it holds.
    pub fn own_params(&self) -> Range<usize> {
        let last = self.branches.last().and_then(|branch| branch.last());
        last.map_or(self.params.start, |held| held.params.end)..self.params.end
    }

    /// The elements that are no networks: this one, or those that it holds.
    pub fn laws(&self) -> Vec<&Part> {
        if self.branches.is_empty() {
            return vec![self];
        }
        self.branches
            .iter()
            .flatten()
            .flat_map(Part::laws)
            .collect()
    }

    /// The address of something of its own that goes by a name: `label.name`.
    pub fn address(&self, name: &str) -> String {
        address(&self.label, name)
    }

    /// The part as a model text: the name, with label and options where they were given.
    fn text(&self) -> String {
        let mut text = String::new();
        let plain = self.label.strip_prefix(self.kind.as_str());
        let numbered = |rest: &str| {
            rest.strip_prefix('-')
                .is_some_and(|n| n.parse::<u32>().is_ok())
        };
        if !plain.is_some_and(|rest| rest.is_empty() || numbered(rest)) {
            text = format!("{}: ", self.label);
        }
        text.push_str(&self.kind);
        let numbers = self.shape.numbers.iter();
        let mut options: Vec<String> = numbers.map(|(name, n)| format!("{name}={n}")).collect();
        if let Some(powers) = &self.shape.powers {
            let powers: Vec<String> = powers.iter().map(u32::to_string).collect();
            options.push(format!("powers={}", powers.join(",")));
        }
        if !options.is_empty() {
            text = format!("{text}[{}]", options.join(", "));
        }
        if !self.branches.is_empty() {
            let branches: Vec<String> = self.branches.iter().map(|b| sum_text(b)).collect();
            text = format!("{text}({})", branches.join(", "));
        }
        text
    }
}

fn sum_text(parts: &[Part]) -> String {
    let terms: Vec<String> = parts.iter().map(Part::text).collect();
    terms.join(" + ")
}

impl std::fmt::Debug for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Part")
            .field("label", &self.label)
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

impl Part {
    fn shift_states(&mut self, by: usize) {
        self.states = self.states.start + by..self.states.end + by;
        let held = self.branches.iter_mut().flatten();
        held.for_each(|part| part.shift_states(by));
    }

    fn collect_labels(&self, labels: &mut Vec<String>) {
        labels.push(self.label.clone());
        let held = self.branches.iter().flatten();
        held.for_each(|part| part.collect_labels(labels));
    }
}

/// A network to which elements are still added.
pub(crate) struct OpenNetwork {
    name: &'static str,
    label: String,
    first: usize,
    params: usize,
    states: usize,
    /// Where its branches begin among the parts.
    branches: Vec<usize>,
}

/// The name of a network as it is known for good.
fn network_name(name: &str) -> &'static str {
    if name == softening::NAME {
        softening::NAME
    } else {
        series::NAME
    }
}

/// A branch as one element: what stands side by side in it.
fn branch_of(parts: &[Part]) -> Child {
    let child = |part: &Part| Child {
        label: part.label.clone(),
        element: part.element.clone(),
    };
    match parts {
        [one] => child(one),
        more => Child {
            label: more
                .iter()
                .map(|p| p.label.as_str())
                .collect::<Vec<_>>()
                .join("+"),
            element: Arc::new(Parallel::new(more.iter().map(child).collect())),
        },
    }
}

/// Elements in parallel, or between the degrees of freedom of a structure.
#[derive(Clone, Debug, Default)]
pub struct Assembly {
    parts: Vec<Part>,
    params: usize,
    states: usize,
    /// Labels of networks that are still open.
    taken: Vec<String>,
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
            assembly.add_term(&term, &shape_of)?;
        }
        Ok(assembly)
    }

    /// Adds what a term of a text stands for.
    fn add_term(
        &mut self,
        term: &Term,
        shape_of: &impl Fn(&str) -> Shape,
    ) -> Result<(), ModelError> {
        let shape = match term.name.as_str() {
            series::NAME => {
                term.refuse_options()?;
                Shape::default()
            }
            softening::NAME => term.shape(&softening::KIND, shape_of)?,
            _ => {
                for named in term.elements(shape_of)? {
                    self.add(named.kind, named.shape, named.label.as_deref())?;
                }
                return Ok(());
            }
        };
        let name = network_name(&term.name);
        let mut open = self.open(name, term.label.as_deref())?;
        for branch in &term.holds {
            self.open_branch(&mut open);
            for held in branch {
                self.add_term(held, shape_of)?;
            }
        }
        self.close(open, shape)
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
        let label = self.new_label(kind, label)?;
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
            branches: Vec::new(),
        });
        self.params += p;
        self.states += z;
        Ok(self)
    }

    /// Begins a network: what is added from now on stands in it, until it is closed.
    pub(crate) fn open(
        &mut self,
        name: &'static str,
        label: Option<&str>,
    ) -> Result<OpenNetwork, ModelError> {
        let label = self.new_label(name, label)?;
        self.taken.push(label.clone());
        Ok(OpenNetwork {
            name,
            label,
            first: self.parts.len(),
            params: self.params,
            states: self.states,
            branches: Vec::new(),
        })
    }

    /// Begins the next branch of a network.
    pub(crate) fn open_branch(&mut self, network: &mut OpenNetwork) {
        network.branches.push(self.parts.len());
    }

    /// Makes one element of what was added since the network was begun.
    pub(crate) fn close(&mut self, network: OpenNetwork, shape: Shape) -> Result<(), ModelError> {
        let OpenNetwork {
            name,
            label,
            first,
            params,
            states,
            branches: starts,
        } = network;
        self.taken.pop();
        let mut held = self.parts.split_off(first);
        let mut branches: Vec<Vec<Part>> = Vec::with_capacity(starts.len());
        for &start in starts.iter().rev() {
            branches.insert(0, held.split_off(start - first));
        }
        let mut children: Vec<Child> = branches.iter().map(|branch| branch_of(branch)).collect();
        let element: Arc<dyn Element> = if name == softening::NAME {
            match (children.pop(), children.is_empty()) {
                (Some(held), true) => Arc::new(Softening::new(held, &shape)?),
                _ => {
                    return Err(ModelError::Holds {
                        name: name.to_owned(),
                        found: branches.len(),
                        expected: "one element or a sum, such as softening(spring + iwan)",
                    });
                }
            }
        } else {
            // The split against the branches that follow is a state in front of each branch; the last one has none.
            let splits = branches.len().saturating_sub(1);
            for (i, branch) in branches.iter_mut().enumerate() {
                for part in branch {
                    part.shift_states((i + 1).min(splits));
                }
            }
            Arc::new(Series::new(children)?)
        };
        let spec = element.spec();
        self.params = params + spec.params.len();
        self.states = states + spec.states.len();
        self.parts.push(Part {
            label,
            kind: name.to_owned(),
            shape,
            element,
            params: params..self.params,
            states: states..self.states,
            between: [0, 1],
            branches,
        });
        Ok(())
    }

    /// The label of a new element: the one given, or that of its kind, with a number where that is taken.
    fn new_label(&self, kind: &str, label: Option<&str>) -> Result<String, ModelError> {
        let mut labels = self.taken.clone();
        self.parts
            .iter()
            .for_each(|part| part.collect_labels(&mut labels));
        match label {
            Some(label) if labels.iter().any(|l| l == label) => Err(ModelError::Rejected(format!(
                "the label `{label}` is used twice"
            ))),
            Some(label) => Ok(label.to_owned()),
            None => {
                let kinds = self.parts.iter().flat_map(Part::laws);
                let repeats = kinds.filter(|p| p.kind == kind).count();
                // One more candidate than there are labels: one of them is free.
                let mut candidates = (repeats + 1..=repeats + labels.len() + 1).map(|i| match i {
                    1 => kind.to_owned(),
                    i => format!("{kind}-{i}"),
                });
                Ok(candidates
                    .find(|candidate| !labels.contains(candidate))
                    .unwrap_or_default())
            }
        }
    }

    /// The elements as a model text.
    pub fn text(&self) -> String {
        sum_text(&self.parts)
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
                .map(|p| (part.address(&p.name), p))
        })
    }

    /// All states with their addresses `label.state`.
    pub fn states(&self) -> impl Iterator<Item = (String, &State)> {
        self.parts.iter().flat_map(|part| {
            part.element
                .spec()
                .states
                .iter()
                .map(|s| (part.address(&s.name), s))
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
        let memories = self.parts.iter().map(|p| p.element.spec().memory);
        memories.max().unwrap_or(Memory::None)
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
