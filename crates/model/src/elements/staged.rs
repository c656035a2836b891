//! Staged clutch damper.
//!
//! T = Phi(theta) + h(theta) tanh(eta omega) + c(theta) omega
//!
//! Phi, h and c are piecewise linear through the nodes and go on with the last stage outside them,
//! h and c not below zero. A clearance is two neighbouring nodes of torque 0, a pre-load a steep
//! stage, a stop a steep last stage.
//!
//! Reference: Krak, M. D., Singh, R. (2016), J. Sound Vib. 377, 243-263.

mod by_hand;

use crate::element::{Element, Memory, Step};
use crate::error::ModelError;
use crate::law::{Features, Interval, Law, ReturnMap, by_unit, spread};
use crate::registry::{Kind, Shape};
use crate::scalar::Scalar;
use crate::spec::Spec;

crate::params! {
    /// Angles of the nodes, increasing.
    angles: "m", -1e6..=1e6, 0.0;
    /// Elastic torques at the nodes.
    torques: "N", -1e12..=1e12, 0.0;
    /// Friction torques at the nodes, half the width of the loop.
    friction: "N", 0.0..=1e12, 1.0;
    /// Viscous damping at the nodes.
    viscous: "N s/m", 0.0..=1e12, 0.0;
    /// Sharpness: below the speed 1/eta the friction creeps instead of holding.
    eta: "s/m", 1e-3..=1e9, 50.0;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "clutch damper: stages of stiffness, clearance, pre-load, stops, staged friction and damping",
    equations: "T = Phi(theta) + h(theta) tanh(eta omega) + c(theta) omega",
    reference: "Krak & Singh (2016), J. Sound Vib. 377, 243-263",
    lists: LISTS,
    rotational: true,
    build,
    ..Kind::PLAIN
};

const LISTS: &[&str] = &["angles", "torques", "friction", "viscous"];

/// Angle, torque and friction of a damper with clearance, one drive and one coast stage and stops.
const DEFAULT: [[f64; 3]; 6] = [
    [-0.25, -98.0, 2.0],
    [-0.11, -42.0, 1.0],
    [-0.01, 0.0, 0.1],
    [0.01, 0.0, 0.1],
    [0.13, 60.0, 1.25],
    [0.30, 128.0, 2.5],
];

const NAME: &str = "staged";

/// The law.
#[derive(Clone, Debug)]
pub struct Staged {
    spec: Spec,
    nodes: usize,
}

fn build(shape: &Shape) -> Result<Box<dyn Element>, ModelError> {
    let nodes = shape.common_length(LISTS, DEFAULT.len(), 2)?;
    Ok(Box::new(by_hand::ByHand(Staged::new(nodes))))
}

impl Staged {
    /// The law with so many nodes, at least two.
    fn new(nodes: usize) -> Self {
        let mut spec = LISTS
            .iter()
            .fold(Spec::new(Memory::None, params()), |spec, list| {
                spec.list(list, nodes)
            });
        for i in 0..nodes {
            let share = 2.0 * i as f64 / (nodes - 1) as f64 - 1.0;
            let values = if nodes == DEFAULT.len() {
                DEFAULT[i]
            } else {
                [0.3 * share, 120.0 * share, 1.0]
            };
            for (list, value) in values.into_iter().enumerate() {
                spec.params[list * nodes + i].default = value;
            }
        }
        Self { spec, nodes }
    }

    /// The stage an angle lies in, by its lower node; the outermost ones go on.
    fn stage<S: Scalar>(&self, p: &[S], theta: f64) -> usize {
        let passed = p[..self.nodes].partition_point(|angle| angle.value() <= theta);
        passed.clamp(1, self.nodes - 1) - 1
    }
}

impl Law for Staged {
    named_by!(spec);

    /// Nodes spread over the stroke along the secant, with the friction of the loop.
    fn guess(&self, f: &Features, share: f64) -> Vec<f64> {
        let n = self.nodes;
        let mut p = by_unit::guess(&self.spec, f, share);
        p[..n].copy_from_slice(&spread(n, f.amplitude));
        for i in 0..n {
            p[n + i] = share * f.secant * p[i];
        }
        p
    }

    fn check(&self, p: &[f64]) -> Result<(), ModelError> {
        self.spec.check(p)?;
        let angles = &p[..self.nodes];
        match (1..self.nodes).find(|&i| angles[i] <= angles[i - 1]) {
            None => Ok(()),
            Some(i) => Err(ModelError::NotIncreasing {
                list: "angles".to_owned(),
                index: i + 1,
                value: angles[i],
                before: angles[i - 1],
            }),
        }
    }
}

impl ReturnMap for Staged {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, _: &mut [S]) -> S {
        let n = self.nodes;
        let (theta, omega, eta) = (s.x[1], s.v[1], p[4 * n]);
        let stage = self.stage(p, theta.value());
        let share = (theta - p[stage]) / (p[stage + 1] - p[stage]);
        let at = |list: usize| {
            let left = p[list * n + stage];
            left + share * (p[list * n + stage + 1] - left)
        };
        let not_below_zero = |value: S| value.max(0.0.into());
        at(1) + not_below_zero(at(2)) * (eta * omega).tanh() + not_below_zero(at(3)) * omega
    }

    fn guards(&self, p: &[f64], s: &Step, _: &[f64], _: &[f64], out: &mut Vec<f64>) {
        let angles = &p[..self.nodes];
        let span = angles[self.nodes - 1] - angles[0];
        for angle in angles {
            let beyond = (s.x[1] - angle) / span;
            out.extend([beyond, -beyond]);
        }
    }
}
