//! Softening: an element whose force falls as it is taken further than before, and with its cycles.
//!
//! F = S F_held,  S = exp(-(G/stroke)^power) (1 + C)^-fade
//!
//! G follows the largest stroke M, C counts the cycles at that stroke. Derivation and passivity:
//! `docs/math/softening.md`.

mod memory;

use super::described::{Child, Described, Placed};
use super::parallel::{FEW, number};
use crate::element::{Cotangent, Coupling, Element, Memory, Step, Tangent, Tape};
use crate::error::{ModelError, StepError};
use crate::law::{Features, Law, Mapped, Probe, Strength, Valley};
use crate::registry::{Kind, Shape};
use crate::room::Room;
use crate::spec::Spec;
use memory::StrokeMemory;
use std::ops::Range;

/// Name in model texts and files.
pub(crate) const NAME: &str = "softening";

/// Catalogue entry; what it builds is the factor alone, for its parameters and states.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "wraps an element, softening(spring + iwan): its force falls with the largest stroke so far, and with the cycles",
    equations: "F = S F_held,  S = exp(-(G/stroke)^power) (1 + C)^-fade,  G -> largest stroke,  C: cycles at that stroke",
    reference: "Mullins (1948), J. Rubber Res. 16, 275-289; Tubaldi et al. (2017), Constr. Build. Mater. 140, 332-343",
    options: &[
        (
            "strokes",
            "1 for a force that falls with the largest stroke (default); 0 without",
        ),
        (
            "cycles",
            "1 to seek `fade`, the fall over the cycles; 0 without (default)",
        ),
        (
            "lag",
            "1 to seek `approach`, the share of a longer stroke that softens at once; 0: all of it (default)",
        ),
        (
            "sides",
            "2: each side has its own memory (default where the force has none); 1: one for both (default elsewhere)",
        ),
        (
            "floor",
            "the largest stroke at the beginning, in m or rad (default 1e-6)",
        ),
    ],
    on_request: &["fade", "approach"],
    build: |shape| Ok(Box::new(Mapped(StrokeMemory::new(shape, 2)?))),
    ..Kind::PLAIN
};

/// An element and the memory of its strokes.
pub struct Softening {
    described: Described,
    factor: Mapped<StrokeMemory>,
    /// Where the parameters and states of the factor stand: after those of what it holds.
    params: Range<usize>,
    states: Range<usize>,
}

impl Softening {
    /// Wraps one element.
    pub fn new(held: Child, shape: &Shape) -> Result<Self, ModelError> {
        let without_memory = held.element.spec().memory == Memory::None;
        let sides = if without_memory { 2 } else { 1 };
        let factor = Mapped(StrokeMemory::new(shape, sides)?);
        let memory = if held.element.law().rate_dependent() {
            Memory::Time
        } else {
            Memory::Path
        };
        let described = Described::new(NAME, Vec::new(), vec![held]).remembering(memory);
        let (p, z) = described.lengths();
        let own = factor.spec();
        Ok(Self {
            params: p..p + own.params.len(),
            states: z..z + own.states.len(),
            described: described.followed_by(own),
            factor,
        })
    }

    fn held(&self) -> &Placed {
        &self.described.children[0]
    }

    /// Whether the force may jump where the displacement crosses zero and the other memory takes over.
    fn jumps(&self, p: &[f64]) -> bool {
        let held = self.held();
        let own = &p[held.params.clone()];
        let mut z = vec![0.0; held.states.len()];
        held.element.rest(own, 0.0, &mut z);
        let still = Step::still(0.0, 0.0);
        let force = held.element.advance(own, &still, &mut z, &mut Tape::off());
        self.factor.0.sides() == 2
            && (held.element.spec().memory != Memory::None || force.is_ok_and(|f| f != 0.0))
    }
}

impl Law for Softening {
    fn name(&self) -> &'static str {
        NAME
    }

    fn spec(&self) -> &Spec {
        self.described.spec()
    }

    fn check(&self, p: &[f64]) -> Result<(), ModelError> {
        self.described.check(p)?;
        self.factor.0.check(&p[self.params.clone()])
    }

    /// Energy W of what it holds turns into S W: as long as S only falls nothing is gained.
    fn non_passive(&self, p: &[f64]) -> Option<&'static str> {
        self.described.non_passive(p).or_else(|| {
            if self.factor.0.fade(&p[self.params.clone()]) > 0.0 {
                Some("fade is above 0: cycles are forgotten as the stroke grows, so that growing strokes may draw energy from it")
            } else if self.jumps(p) {
                Some("it has a memory for each side and bears a force at zero displacement, where they change: motions across zero may draw energy from it")
            } else {
                None
            }
        })
    }

    fn falling(&self, _: &[f64]) -> Option<&'static str> {
        Some(
            "its force falls as the stroke grows; expected the series inside, softening(series(...))",
        )
    }

    fn rate_dependent(&self) -> bool {
        self.described.rate_dependent()
    }

    /// What it holds is guessed for a loop as it would be without softening.
    fn guess(&self, features: &Features, share: f64) -> Vec<f64> {
        let own = self.factor.0.guess(features, share);
        let left = self.factor.0.at_first(&own, features.amplitude);
        let mut values = self.described.guess(&features.scaled(1.0 / left), share);
        values.extend(own);
        values
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

    fn weights(&self) -> Vec<usize> {
        self.described.weights()
    }

    fn strength(&self) -> Strength {
        self.described.strength()
    }

    fn reveals(&self, param: usize) -> Probe {
        self.described.reveals(param)
    }

    fn null(&self, p: &mut [f64]) {
        self.described.null(p);
    }
}

impl Element for Softening {
    fn law(&self) -> &dyn Law {
        self
    }

    fn rest(&self, p: &[f64], x: f64, z: &mut [f64]) {
        let held = self.held();
        held.element
            .rest(&p[held.params.clone()], x, &mut z[held.states.clone()]);
        self.factor
            .rest(&p[self.params.clone()], x, &mut z[self.states.clone()]);
    }

    fn rest_slope(&self, p: &[f64], x: f64, slope: &mut [f64]) {
        let held = self.held();
        let own = &mut slope[held.states.clone()];
        held.element.rest_slope(&p[held.params.clone()], x, own);
        let own = &mut slope[self.states.clone()];
        self.factor.rest_slope(&p[self.params.clone()], x, own);
    }

    fn rest_by(&self, p: &[f64], x: f64, k: usize, slope: &mut [f64]) {
        slope.fill(0.0);
        let held = self.held();
        if held.params.contains(&k) {
            let own = &mut slope[held.states.clone()];
            held.element.rest_by(&p[held.params.clone()], x, k, own);
        }
    }

    fn elastic(&self) -> bool {
        self.held().element.elastic()
    }

    fn grips(&self) -> bool {
        self.held().element.grips()
    }

    fn damped(&self) -> bool {
        self.held().element.damped()
    }

    fn exact(&self) -> bool {
        self.held().element.exact()
    }

    fn increment(&self, p: &[f64], speed: f64) -> f64 {
        let held = self.held();
        held.element.increment(&p[held.params.clone()], speed)
    }

    /// Pushes what the element and the factor push, then both results and how much the first pushed.
    fn advance(
        &self,
        p: &[f64],
        s: &Step,
        z: &mut [f64],
        tape: &mut Tape,
    ) -> Result<f64, StepError> {
        let (held, start) = (self.held(), tape.len());
        let own = &mut z[held.states.clone()];
        let force = held
            .element
            .advance(&p[held.params.clone()], s, own, tape)?;
        let length = (tape.len() - start) as f64;
        let own = &mut z[self.states.clone()];
        let left = self.factor.advance(&p[self.params.clone()], s, own, tape)?;
        tape.push(&[force, left, length]);
        Ok(left * force)
    }

    fn push_forward(&self, p: &[f64], s: &Step, tape: &[f64], d: &mut Tangent<'_>) {
        let (columns, held, on) = (d.columns(), self.held(), Taped::of(tape));
        let mut slopes = Room::<f64, FEW>::new(0.0);
        let slopes = slopes.take(columns);
        let mut param = Room::<Option<usize>, FEW>::new(None);
        let param = param.take(columns);
        number(d.param, &held.params, param);
        let (z, own_z) = d.z.split_at_mut(self.states.start * columns);
        let mut own = Tangent {
            param,
            motion: d.motion,
            branch: d.branch,
            z,
            force: d.force,
            scratch: d.scratch,
        };
        held.element
            .push_forward(&p[held.params.clone()], s, on.held, &mut own);
        number(d.param, &self.params, param);
        let mut own = Tangent {
            param,
            motion: d.motion,
            branch: d.branch,
            z: own_z,
            force: slopes,
            scratch: d.scratch,
        };
        self.factor
            .push_forward(&p[self.params.clone()], s, on.factor, &mut own);
        for (force, slope) in d.force.iter_mut().zip(slopes.iter()) {
            *force = on.left * *force + on.force * slope;
        }
    }

    fn pull_back(&self, p: &[f64], s: &Step, tape: &[f64], bar: &mut Cotangent<'_>) {
        let (held, on) = (self.held(), Taped::of(tape));
        let (z, own_z) = bar.z.split_at_mut(self.states.start);
        let (by, own_by) = bar.p.split_at_mut(self.params.start);
        let mut own = Cotangent {
            force: bar.force * on.left,
            z,
            p: by,
            motion: bar.motion,
            branch: bar.branch,
            scratch: bar.scratch,
        };
        held.element
            .pull_back(&p[held.params.clone()], s, on.held, &mut own);
        let mut own = Cotangent {
            force: bar.force * on.force,
            z: own_z,
            p: own_by,
            motion: own.motion,
            branch: own.branch,
            scratch: own.scratch,
        };
        self.factor
            .pull_back(&p[self.params.clone()], s, on.factor, &mut own);
        (bar.motion, bar.branch) = (own.motion, own.branch);
    }

    fn coupling(&self) -> Coupling<'_> {
        self.described.coupling()
    }

    fn guards(&self, p: &[f64], s: &Step, z0: &[f64], z1: &[f64], out: &mut Vec<f64>) {
        let held = self.held();
        let (own, states) = (&p[held.params.clone()], held.states.clone());
        held.element
            .guards(own, s, &z0[states.clone()], &z1[states], out);
        let states = self.states.clone();
        let own = &p[self.params.clone()];
        self.factor
            .guards(own, s, &z0[states.clone()], &z1[states], out);
    }
}

/// What a step left on the tape.
struct Taped<'a> {
    held: &'a [f64],
    factor: &'a [f64],
    force: f64,
    left: f64,
}

impl<'a> Taped<'a> {
    fn of(tape: &'a [f64]) -> Self {
        let (values, results) = tape.split_at(tape.len() - 3);
        let (held, factor) = values.split_at(results[2] as usize);
        Self {
            held,
            factor,
            force: results[0],
            left: results[1],
        }
    }
}
