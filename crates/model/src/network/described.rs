//! What a network says of itself: what its elements say, with their labels.

use crate::element::{Coupling, Element, Memory};
use crate::error::ModelError;
use crate::law::{Features, Law, Probe, Strength, Valley};
use crate::spec::{Param, Spec, State};
use std::ops::Range;
use std::sync::Arc;

/// An element of a network and the name it goes by.
#[derive(Clone)]
pub struct Child {
    /// Name in addresses.
    pub label: String,
    /// The element.
    pub element: Arc<dyn Element>,
}

/// `label.name`, or the name alone where it is an address already or nothing is in front of it.
pub(crate) fn address(label: &str, name: &str) -> String {
    if label.is_empty() || name.contains('.') {
        name.to_owned()
    } else {
        format!("{label}.{name}")
    }
}

/// One child with the places of its parameters and states among those of the network.
pub(super) struct Placed {
    pub element: Arc<dyn Element>,
    pub params: Range<usize>,
    pub states: Range<usize>,
    pub label: String,
}

/// The children of a network, and what they say together.
pub(super) struct Described {
    name: &'static str,
    pub children: Vec<Placed>,
    spec: Spec,
}

impl Described {
    /// Children in order; `own` states of the network come before theirs.
    pub fn new(name: &'static str, own: Vec<State>, children: Vec<Child>) -> Self {
        let mut spec = Spec::new(Memory::None, Vec::new());
        spec.states = own;
        let mut placed = Vec::with_capacity(children.len());
        for Child { label, element } in children {
            let (p, z) = (spec.params.len(), spec.states.len());
            let own = element.spec();
            spec.params.extend(own.params.iter().map(|param| Param {
                name: address(&label, &param.name),
                ..param.clone()
            }));
            spec.states.extend(own.states.iter().map(|state| State {
                name: address(&label, &state.name),
                unit: state.unit,
            }));
            spec.memory = spec.memory.max(own.memory);
            placed.push(Placed {
                params: p..spec.params.len(),
                states: z..spec.states.len(),
                element,
                label,
            });
        }
        Self {
            name,
            children: placed,
            spec,
        }
    }

    /// The same with a memory of at least this kind.
    pub fn remembering(mut self, memory: Memory) -> Self {
        self.spec.memory = self.spec.memory.max(memory);
        self
    }

    /// The same with parameters and states of its own after those of the children.
    pub fn followed_by(mut self, own: &Spec) -> Self {
        self.spec.params.extend_from_slice(&own.params);
        self.spec.states.extend_from_slice(&own.states);
        self
    }

    /// How many parameters and states there are.
    pub fn lengths(&self) -> (usize, usize) {
        (self.spec.params.len(), self.spec.states.len())
    }

    pub fn laws(&self) -> impl Iterator<Item = &dyn Law> {
        self.children.iter().map(|child| child.element.law())
    }

    /// By their steps where all of them take part so, otherwise by whole steps.
    pub fn coupling(&self) -> Coupling<'_> {
        let maps = |child: &Placed| matches!(child.element.coupling(), Coupling::Map);
        if self.rate_dependent() || !self.children.iter().all(maps) {
            Coupling::Implicit
        } else {
            Coupling::Map
        }
    }

    fn child_of(&self, param: usize) -> Option<(&Placed, usize)> {
        let child = self.children.iter().find(|c| c.params.contains(&param))?;
        Some((child, param - child.params.start))
    }

    /// Guesses of the children for their shares of the features.
    pub fn guesses(&self, of: impl Fn(usize, &dyn Law) -> Vec<f64>) -> Vec<f64> {
        let laws = self.laws().enumerate();
        laws.flat_map(|(i, law)| of(i, law)).collect()
    }
}

impl Law for Described {
    fn name(&self) -> &'static str {
        self.name
    }

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn check(&self, p: &[f64]) -> Result<(), ModelError> {
        for child in &self.children {
            let checked = child.element.law().check(&p[child.params.clone()]);
            checked.map_err(|error| error.of(&child.label))?;
        }
        Ok(())
    }

    fn non_passive(&self, p: &[f64]) -> Option<&'static str> {
        let mut children = self.children.iter();
        children.find_map(|c| c.element.law().non_passive(&p[c.params.clone()]))
    }

    fn falling(&self, p: &[f64]) -> Option<&'static str> {
        let mut children = self.children.iter();
        children.find_map(|c| c.element.law().falling(&p[c.params.clone()]))
    }

    fn rate_dependent(&self) -> bool {
        self.laws().any(Law::rate_dependent)
    }

    fn guess(&self, features: &Features, share: f64) -> Vec<f64> {
        let each = share / self.children.len() as f64;
        self.guesses(|_, law| law.guess(features, each))
    }

    fn valley(&self) -> Option<Valley> {
        self.children.iter().find_map(|child| {
            let mut valley = child.element.law().valley()?;
            for param in &mut valley.params {
                *param += child.params.start;
            }
            Some(valley)
        })
    }

    fn tied(&self) -> Vec<Range<usize>> {
        let of = |child: &Placed| {
            let start = child.params.start;
            let tied = child.element.law().tied().into_iter();
            tied.map(move |range| range.start + start..range.end + start)
                .collect::<Vec<_>>()
        };
        self.children.iter().flat_map(of).collect()
    }

    fn common_scale(&self, p: &[f64]) -> Option<(Vec<usize>, f64)> {
        self.children.iter().find_map(|child| {
            let (mut params, size) = child.element.law().common_scale(&p[child.params.clone()])?;
            for param in &mut params {
                *param += child.params.start;
            }
            Some((params, size))
        })
    }

    fn weights(&self) -> Vec<usize> {
        let of = |child: &Placed| {
            let weights = child.element.law().weights().into_iter();
            weights.map(|k| k + child.params.start).collect::<Vec<_>>()
        };
        self.children.iter().flat_map(of).collect()
    }

    fn strength(&self) -> Strength {
        let each = self.children.iter();
        Strength::together(each.map(|c| (c.params.start, c.element.law().strength())))
    }

    fn reveals(&self, param: usize) -> Probe {
        let child = self.child_of(param);
        child.map_or(Probe::Amplitude, |(child, own)| {
            child.element.law().reveals(own)
        })
    }

    fn null(&self, p: &mut [f64]) {
        for child in &self.children {
            child.element.law().null(&mut p[child.params.clone()]);
        }
    }
}
