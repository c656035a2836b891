//! What is left of the force, from the strokes so far.
//!
//! G = M - (1 - approach) E, where E is the part of the largest stroke M that is still new. Beyond M: M = |x|,
//! E += d|x|, C falls as M^-20. Coming back: E = max(E - d|x|, 0), C += d|x|/M. In closed form for straight motion.

use crate::element::{Memory, Step};
use crate::error::ModelError;
use crate::law::{Features, Interval, Law, ReturnMap};
use crate::registry::Shape;
use crate::scalar::{Scalar, sign};
use crate::spec::Spec;
use std::ops::Range;

crate::params! {
    /// Stroke at which the force has fallen to 1/e.
    stroke: "m", 1e-9..=1e6, 2e-3;
    /// Power of the fall over the stroke.
    power: "1", 0.05..=10.0, 0.7;
    /// Power of the fall over the cycles: 0 for none.
    fade: "1", 0.0..=5.0, 0.1;
    /// Share of a longer stroke that softens on the way out; the rest follows on the way back.
    approach: "1", 0.0..=1.0, 0.5;
}

/// How fast cycles are forgotten as the largest stroke grows: a stroke longer by a twentieth leaves 1/e
/// of them. Strokes that are meant to be equal scatter by less than a hundredth.
const FORGOTTEN: i32 = 20;

/// Cycles that are counted. Those beyond change the force by less than a hundredth of `fade` each, and a steady
/// state exists.
const MOST_CYCLES: f64 = 1e2;

/// Largest stroke at the beginning: below what any rig moves on purpose.
const FLOOR: f64 = 1e-6;

/// The factor as a law whose force is the share that is left.
#[derive(Clone, Debug)]
pub(super) struct StrokeMemory {
    spec: Spec,
    sides: usize,
    strokes: bool,
    cycles: bool,
    lag: bool,
    floor: f64,
}

impl StrokeMemory {
    /// By its options; with so many sides where they do not say.
    pub fn new(shape: &Shape, sides: usize) -> Result<Self, ModelError> {
        let asked = |option: &str, usual: bool, param: &str| -> Result<bool, ModelError> {
            let usual = usual || shape.given.contains(param);
            Ok(shape.count(option, usize::from(usual), 0..=1)? == 1)
        };
        let strokes = asked("strokes", true, "stroke")?;
        let cycles = asked("cycles", !strokes, "fade")?;
        let lag = strokes && asked("lag", false, "approach")?;
        if !strokes && !cycles {
            let expected = "strokes = 1 or cycles = 1: with neither nothing softens";
            return Err(ModelError::shape("cycles", &0, expected));
        }
        let sides = shape.count("sides", sides, 1..=2)?;
        let floor = shape.numbers.get("floor").copied().unwrap_or(FLOOR);
        if !(1e-12..=1e6).contains(&floor) {
            let expected = "a stroke from 1e-12 to 1e6";
            return Err(ModelError::shape("floor", &floor, expected));
        }
        let mut spec = Spec::new(Memory::Path, params());
        spec.params.retain(|p| match p.name.as_str() {
            "fade" => cycles,
            "approach" => lag,
            _ => strokes,
        });
        for (name, unit, there) in [("m", "m", true), ("e", "m", lag), ("c", "1", cycles)] {
            for side in 1..=if there { sides } else { 0 } {
                let name = if sides == 1 {
                    name.to_owned()
                } else {
                    format!("{name}[{side}]")
                };
                spec = spec.state(name, unit);
            }
        }
        Ok(Self {
            spec,
            sides,
            strokes,
            cycles,
            lag,
            floor,
        })
    }

    pub fn sides(&self) -> usize {
        self.sides
    }

    /// The fall over the cycles.
    pub fn fade(&self, p: &[f64]) -> f64 {
        p[self.spec.range_of("fade")]
            .first()
            .copied()
            .unwrap_or(0.0)
    }

    /// What is left the first time that the stroke is reached.
    pub fn at_first(&self, p: &[f64], stroke: f64) -> f64 {
        if self.strokes {
            (-(stroke / p[0]).powf(p[1])).exp()
        } else {
            1.0
        }
    }

    /// The memory that holds where the displacement is on this side.
    fn side(&self, direction: f64) -> usize {
        usize::from(self.sides == 2 && direction > 0.0)
    }

    fn lags(&self) -> Range<usize> {
        self.sides..self.sides * (1 + usize::from(self.lag))
    }

    /// Goes from one displacement to another on the same side of zero.
    fn go<S: Scalar>(&self, [from, to]: [S; 2], z: &mut [S]) {
        let direction = sign(from.value() + to.value());
        let (start, end) = (from * direction, to * direction);
        if start.value() == end.value() {
            return;
        }
        let side = self.side(direction);
        // Below the floor only where somebody else gave the state, and never zero.
        let before = z[side].max((0.5 * self.floor).into());
        let after = before.max(end);
        let out = end.value() > start.value();
        z[side] = after;
        if self.lag {
            let new = &mut z[self.lags()][side];
            *new = if out {
                *new + (after - before)
            } else {
                (*new - (start - end)).max(0.0.into())
            };
        }
        if self.cycles {
            let c = &mut z[self.lags().end..][side];
            *c = if out {
                *c * (before / after).powi(FORGOTTEN)
            } else {
                (*c + (start - end) / (after * self.sides_per_cycle())).min(MOST_CYCLES.into())
            };
        }
    }

    /// Ways back per cycle that one memory counts.
    fn sides_per_cycle(&self) -> f64 {
        if self.sides == 2 { 1.0 } else { 2.0 }
    }
}

impl Law for StrokeMemory {
    fn name(&self) -> &'static str {
        super::NAME
    }

    fn spec(&self) -> &Spec {
        &self.spec
    }

    /// A force that falls to about a half over the largest stroke.
    fn guess(&self, features: &Features, _: f64) -> Vec<f64> {
        let mut values = self.spec.defaults();
        if self.strokes {
            values[0] = 2.0 * features.amplitude;
        }
        values
    }
}

impl ReturnMap for StrokeMemory {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, z: &mut [S]) -> S {
        let [from, to] = s.x;
        if from.value() * to.value() < 0.0 {
            self.go([from, 0.0.into()], z);
            self.go([0.0.into(), to], z);
        } else {
            self.go([from, to], z);
        }
        let direction = if to.value() == 0.0 { from } else { to };
        let side = self.side(direction.value());
        let mut left: S = 1.0.into();
        if self.strokes {
            let mut reached = z[side];
            if self.lag {
                reached = reached - (-p[p.len() - 1] + 1.0) * z[self.lags()][side];
            }
            left = (-(reached / p[0]).abs_pow(p[1])).exp();
        }
        if self.cycles {
            let fade = p[if self.strokes { 2 } else { 0 }];
            // Half a cycle below none at most: a state that somebody else gives may be anything.
            let cycles = z[self.lags().end..][side].max((-0.5).into());
            left = left * (-(fade * cycles.ln_1p())).exp();
        }
        left
    }

    fn rest<S: Scalar>(&self, x: S, z: &mut [S]) {
        z.fill(0.0.into());
        let side = self.side(x.value());
        z[..self.sides].fill(self.floor.into());
        z[side] = x.abs().max(self.floor.into());
        if self.lag {
            z[self.lags()][side] = z[side] - self.floor;
        }
    }

    /// The largest stroke, the middle and the reversals.
    fn guards(&self, _: &[f64], s: &Step, z0: &[f64], _: &[f64], out: &mut Vec<f64>) {
        out.extend([s.x[1] - z0[self.side(1.0)], -s.x[1] - z0[self.side(-1.0)]]);
        out.extend([s.x[1], -s.x[1], s.v[1], -s.v[1]]);
    }
}
