//! Elements one after another: one force, displacements add.
//!
//! F = F1(u) = F2(x - u)
//!
//! The split u is a state. Forces balance at the stages of an implicit scheme. No force falls while its
//! element is moved on, so the balance never falls in u either, and its root is bracketed. Where a flat piece
//! leaves u free it moves as little as it can. Networks without dashpots balance only at the end of a
//! step; that is exact, however the step is cut. Derivation: `docs/math/networks.md`.

mod derivatives;
mod place;
mod rest;
mod stage;

use super::described::{Child, Described, Placed};
use super::scheme::{BALANCE, SDIRK2, Scheme};
use crate::element::{Cotangent, Coupling, Element, Memory, Step, Tangent, Tape};
use crate::error::{ModelError, StepError};
use crate::law::{Features, Law, Probe, Strength, Valley};
use crate::spec::{Spec, State};
use std::ops::Range;
use std::sync::Arc;

/// Name in model texts and files.
pub(crate) const NAME: &str = "series";

/// Two elements in series, the second of which may be a series again.
pub struct Series {
    described: Described,
    scheme: Scheme,
    /// Which of the two elements grips.
    gripping: Option<usize>,
    /// Which of the two elements are damped.
    ends_damped: [bool; 2],
}

impl Series {
    /// Elements one after another, at least two.
    pub fn new(children: Vec<Child>) -> Result<Self, ModelError> {
        if children.len() < 2 {
            return Err(ModelError::Holds {
                name: NAME.to_owned(),
                found: children.len(),
                expected: "two or more elements, such as series(gap, slider)",
            });
        }
        let gripping: Vec<&Child> = children.iter().filter(|c| c.element.grips()).collect();
        if let [_, second, ..] = gripping[..] {
            return Err(ModelError::NotInSeries {
                label: second.label.clone(),
                why: "a slider on a slider leaves open which of them slips; expected a spring or a gap between ground and one slider",
            });
        }
        Self::of(children, 1)
    }

    /// The first child against the others; splits are numbered from `number`.
    fn of(mut children: Vec<Child>, number: usize) -> Result<Self, ModelError> {
        if children.len() > 2 {
            let rest = children.split_off(1);
            children.push(Child {
                label: String::new(),
                element: Arc::new(Self::of(rest, number + 1)?),
            });
        }
        let name = match number {
            1 => "split".to_owned(),
            more => format!("split[{more}]"),
        };
        let split = State { name, unit: "m" };
        let by_speed = children.iter().any(|c| c.element.law().rate_dependent());
        let memory = if by_speed { Memory::Time } else { Memory::Path };
        Ok(Self {
            gripping: children.iter().position(|c| c.element.grips()),
            ends_damped: [0, 1].map(|i: usize| children[i].element.damped()),
            described: Described::new(NAME, vec![split], children).remembering(memory),
            scheme: if by_speed { SDIRK2 } else { BALANCE },
        })
    }

    fn ends(&self) -> [&Placed; 2] {
        [&self.described.children[0], &self.described.children[1]]
    }

    /// Whether a force depends on the speed.
    fn by_speed(&self) -> bool {
        self.described.spec().memory == Memory::Time
    }
}

impl Law for Series {
    fn name(&self) -> &'static str {
        NAME
    }

    fn spec(&self) -> &Spec {
        self.described.spec()
    }

    fn check(&self, p: &[f64]) -> Result<(), ModelError> {
        self.described.check(p)?;
        for child in self.ends() {
            if let Some(why) = child.element.law().falling(&p[child.params.clone()]) {
                return Err(ModelError::NotInSeries {
                    label: child.label.clone(),
                    why,
                });
            }
        }
        Ok(())
    }

    fn non_passive(&self, p: &[f64]) -> Option<&'static str> {
        self.described.non_passive(p)
    }

    fn rate_dependent(&self) -> bool {
        self.by_speed()
    }

    /// Each element is guessed as if the others were rigid: its own size is then right where it gives
    /// way most.
    fn guess(&self, features: &Features, share: f64) -> Vec<f64> {
        self.described.guesses(|_, law| law.guess(features, share))
    }

    fn valley(&self) -> Option<Valley> {
        self.described.valley()
    }

    fn tied(&self) -> Vec<Range<usize>> {
        self.described.tied()
    }

    fn common_scale(&self, p: &[f64]) -> Option<(Vec<usize>, f64)> {
        self.described.common_scale(p)
    }

    fn strength(&self) -> Strength {
        self.described.strength()
    }

    fn reveals(&self, param: usize) -> Probe {
        self.described.reveals(param)
    }

    /// No force where one of the elements bears none: the first.
    fn null(&self, p: &mut [f64]) {
        let [first, _] = self.ends();
        first.element.law().null(&mut p[first.params.clone()]);
    }
}

impl Element for Series {
    fn law(&self) -> &dyn Law {
        self
    }

    fn rest(&self, p: &[f64], x: f64, z: &mut [f64]) {
        rest::rest(self, p, x, z);
    }

    fn rest_slope(&self, p: &[f64], x: f64, slope: &mut [f64]) {
        rest::slope(self, p, x, None, slope);
    }

    fn rest_by(&self, p: &[f64], x: f64, k: usize, slope: &mut [f64]) {
        rest::slope(self, p, x, Some(k), slope);
    }

    fn elastic(&self) -> bool {
        self.ends().iter().all(|c| c.element.elastic())
    }

    fn damped(&self) -> bool {
        self.ends_damped == [true, true]
    }

    fn exact(&self) -> bool {
        !self.by_speed() && self.ends().iter().all(|c| c.element.exact())
    }

    fn layered(&self) -> bool {
        self.by_speed()
    }

    fn increment(&self, p: &[f64], speed: f64) -> f64 {
        let own = |c: &Placed| c.element.increment(&p[c.params.clone()], speed);
        self.ends()
            .map(own)
            .into_iter()
            .fold(f64::INFINITY, f64::min)
    }

    fn advance(
        &self,
        p: &[f64],
        s: &Step,
        z: &mut [f64],
        tape: &mut Tape,
    ) -> Result<f64, StepError> {
        stage::advance(self, p, s, z, tape)
    }

    fn response(
        &self,
        p: &[f64],
        s: &Step,
        along: [f64; 2],
        z: &mut [f64],
    ) -> Result<[f64; 2], StepError> {
        stage::response(self, p, s, along, z)
    }

    fn push_forward(&self, p: &[f64], s: &Step, tape: &[f64], d: &mut Tangent<'_>) {
        derivatives::push_forward(self, p, s, tape, d);
    }

    fn pull_back(&self, p: &[f64], s: &Step, tape: &[f64], bar: &mut Cotangent<'_>) {
        derivatives::pull_back(self, p, s, tape, bar);
    }

    fn coupling(&self) -> Coupling<'_> {
        // Where a slider slips is a balance of two forces: whole steps only.
        if self.gripping.is_some() {
            return Coupling::Implicit;
        }
        self.described.coupling()
    }

    fn guards(&self, p: &[f64], s: &Step, z0: &[f64], z1: &[f64], out: &mut Vec<f64>) {
        stage::guards(self, p, s, z0, z1, out);
    }
}
