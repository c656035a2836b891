//! A structure that may be tried, and the structures next to it.

use crate::error::FitError;
use crate::test::{Nuisance, Test};
use masing_model::candidates::{BLOCKS, Block};
use masing_model::text::{Term, parse, written};
use masing_model::{Assembly, Model, ModelError, MotionKind, Shape};

/// What belongs to the rig and is estimated beside a candidate because the records call for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// A mass between specimen and load cell, of every test.
    pub moving_mass: bool,
    /// A constant on the force, of every test.
    pub force_offset: bool,
}

impl Added {
    /// The words that a fit takes for it.
    pub fn words(self) -> Vec<&'static str> {
        let mass = self.moving_mass.then_some("moving-mass");
        let offset = self.force_offset.then_some("force-offset");
        mass.into_iter().chain(offset).collect()
    }

    /// Lets a record's nuisance be estimated, beside what was asked for.
    pub(super) fn apply(self, nuisance: &mut Nuisance) {
        nuisance.force_offset |= self.force_offset;
        if self.moving_mass && nuisance.moving_mass.is_none() {
            nuisance.moving_mass = Some(-1.0);
        }
    }

    /// The tests with it.
    pub(super) fn to(self, tests: &[Test]) -> Vec<Test> {
        let each = tests.iter().cloned().map(|mut test| {
            if let Some(rig) = test.motion_record_mut() {
                self.apply(&mut rig.nuisance);
            }
            test
        });
        each.collect()
    }
}

/// A candidate with one block in the place of another.
pub(super) struct Exchange {
    pub candidate: Candidate,
    pub from: &'static Block,
    pub to: &'static Block,
}

/// A structure that may be tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its elements side by side.
    pub terms: Vec<Term>,
    /// What is estimated beside it.
    pub added: Added,
}

impl Candidate {
    /// From a model text.
    pub fn new(text: &str) -> Result<Self, ModelError> {
        Ok(Self {
            terms: parse(text)?,
            added: Added::default(),
        })
    }

    /// As a model text.
    pub fn text(&self) -> String {
        written(&self.terms)
    }

    /// The same for every order of the elements.
    pub(super) fn key(&self) -> String {
        let mut terms: Vec<String> = self.terms.iter().map(Term::to_string).collect();
        terms.sort();
        format!("{}|{}", terms.join("+"), self.added.words().join(","))
    }

    /// The model at its defaults.
    pub(super) fn model(&self, motion: MotionKind) -> Result<Model, FitError> {
        let mut assembly = Assembly::from_names(&self.text(), |_| Shape::default())?;
        assembly.motion = motion;
        Ok(Model::with_defaults(assembly, None)?)
    }

    /// The candidate with more beside it.
    pub(super) fn beside(&self, more: Added) -> Self {
        let added = Added {
            moving_mass: self.added.moving_mass || more.moving_mass,
            force_offset: self.added.force_offset || more.force_offset,
        };
        Self {
            added,
            ..self.clone()
        }
    }

    fn holds(&self, block: &Block) -> bool {
        self.terms.iter().any(|term| term.to_string() == block.text)
    }

    /// The candidate with one more block; none where that would be the same model.
    pub(super) fn with(&self, block: &Block) -> Option<Self> {
        if self.holds(block) && !block.repeats {
            return None;
        }
        let mut out = self.clone();
        out.terms.extend(parse(block.text).ok()?);
        Some(out)
    }

    /// The candidate with one block exchanged for another of its family; those that refine it come first.
    pub(super) fn exchanged(&self, blocks: &[&'static Block]) -> Vec<Exchange> {
        let mut out = Vec::new();
        for (i, term) in self.terms.iter().enumerate() {
            let text = term.to_string();
            let Some(own) = BLOCKS.iter().find(|b| b.text == text) else {
                continue;
            };
            let kin = blocks.iter().filter(|b| b.family == own.family);
            for &other in kin.filter(|b| !self.holds(b)) {
                let Ok(terms) = parse(other.text) else {
                    continue;
                };
                let mut candidate = self.clone();
                candidate.terms.splice(i..=i, terms);
                out.push(Exchange {
                    candidate,
                    from: own,
                    to: other,
                });
            }
        }
        out.sort_by_key(|e| e.to.refines != Some(e.from.text));
        out
    }

    /// The candidate without each of its blocks.
    pub(super) fn lessened(&self) -> Vec<Self> {
        if self.terms.len() < 2 {
            return vec![];
        }
        let without = |i: usize| {
            let mut next = self.clone();
            next.terms.remove(i);
            next
        };
        (0..self.terms.len()).map(without).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_have_neighbours() {
        let one = Candidate::new("spring + dashpot").unwrap();
        let find = |text: &str| BLOCKS.iter().find(|b| b.text == text).unwrap();
        assert!(one.with(find("spring")).is_none());
        let more = one.with(find("maxwell")).unwrap();
        assert_eq!(more.text(), "spring + dashpot + maxwell");
        assert!(more.with(find("maxwell")).is_some());
        let texts: Vec<String> = one.lessened().iter().map(Candidate::text).collect();
        assert_eq!(texts, ["dashpot", "spring"]);
        let all: Vec<&Block> = BLOCKS.iter().collect();
        let other: Vec<Candidate> = one
            .exchanged(&all)
            .into_iter()
            .map(|e| e.candidate)
            .collect();
        assert!(other.iter().any(|c| c.text() == "spring + eyring-dashpot"));
        assert!(other.iter().all(|c| c.terms.len() == 2));
        assert_eq!(other[0].text(), "polynomial-spring[powers=1,3] + dashpot");
        let turned = Candidate::new("dashpot + spring").unwrap();
        assert_eq!(one.key(), turned.key());
    }
}
